package taint

import (
	"fmt"
	"strings"
)

// version is one write in a cell's history.
type version struct{ call, step, write int }

// history replays all writes before a read over single places: every name, and
// for every folder what else is in it; and adds what concurrent calls write.
func (o *oracle) history(call, step int, c Cell) []version {
	places := map[string]map[version]bool{}
	o.touches(func(_, _ int, c *Cell, _ *Write, _ int) {
		places[c.Name] = map[version]bool{}
		places[c.Name+"/#"] = map[version]bool{}
	})
	at := func(c Cell) (names []string) {
		for n := range places {
			if n == c.Name || c.Tree && strings.HasPrefix(n, c.Name+"/") {
				names = append(names, n)
			}
		}
		return names
	}
	o.touches(func(i, s int, d *Cell, w *Write, k int) {
		if i > call || i == call && s >= step || w == nil || o.p.Calls[i].Outcome.DidNotRun() {
			return
		}
		sure := surely(&o.p.Calls[i]) && len(o.meeting(i, *d)) == 0
		for _, n := range at(*d) {
			if w.Mode != Append && sure {
				clear(places[n])
			}
			if w.Mode != Delete {
				places[n][version{i, s, k}] = true
			}
		}
	})
	found := map[version]bool{}
	for _, n := range at(c) {
		for v := range places[n] {
			found[v] = true
		}
	}
	for _, v := range o.meeting(call, c) {
		found[v] = true
	}
	var out []version
	for v := range found {
		out = append(out, v)
	}
	return out
}

func (o *oracle) touches(visit func(call, step int, c *Cell, w *Write, k int)) {
	for i := range o.facts {
		for s := range o.facts[i].Steps {
			st := &o.facts[i].Steps[s]
			for r := range st.Reads {
				if st.Reads[r].Kind == FromCell {
					visit(i, s, st.Reads[r].Cell, nil, r)
				}
			}
			for k := range st.Writes {
				if !st.Writes[k].ToOutput {
					visit(i, s, st.Writes[k].Cell, &st.Writes[k], k)
				}
			}
		}
	}
}

// meeting returns the writes of the calls of one turn that touch what overlaps
// a cell, directly or by way of other cells; none if one call touches it alone
// or nobody writes. A nil result means no meeting, which an empty one is not.
func (o *oracle) meeting(call int, c Cell) []version {
	type touch struct {
		call int
		c    Cell
		v    *version
	}
	var all []touch
	o.touches(func(i, s int, d *Cell, w *Write, k int) {
		if o.turn[i] == o.turn[call] {
			t := touch{call: i, c: *d}
			if w != nil {
				t.v = &version{i, s, k}
			}
			all = append(all, t)
		}
	})
	in := map[int]bool{}
	for grew := true; grew; {
		grew = false
		for k := range all {
			meets := overlap(all[k].c, c)
			for m := range in {
				meets = meets || overlap(all[k].c, all[m].c)
			}
			if meets && !in[k] {
				in[k], grew = true, true
			}
		}
	}
	several, writes := false, false
	var out []version
	for k := range all {
		if !in[k] {
			continue
		}
		several = several || all[k].call != call
		if v := all[k].v; v != nil {
			writes = true
			if w := o.facts[v.call].Steps[v.step].Writes[v.write]; w.Mode != Delete && !o.p.Calls[v.call].Outcome.DidNotRun() {
				out = append(out, *v)
			}
		}
	}
	if !several || !writes {
		return nil
	}
	if out == nil {
		out = []version{{-1, 0, 0}} // they meet, and only delete
	}
	return out
}

func overlap(a, b Cell) bool {
	return a.Name == b.Name || a.Tree && strings.HasPrefix(b.Name, a.Name+"/") || b.Tree && strings.HasPrefix(a.Name, b.Name+"/")
}

func (o *oracle) cells() {
	for i := range o.facts {
		for s := range o.facts[i].Steps {
			for r, op := range o.facts[i].Steps[s].Reads {
				if op.Kind != FromCell {
					continue
				}
				for _, v := range o.history(i, s, *op.Cell) {
					o.flow(fmt.Sprintf("step %d.%d", v.call, v.step), fmt.Sprintf("read %d.%d.%d", i, s, r), Resource, 0, false)
				}
			}
		}
	}
}
