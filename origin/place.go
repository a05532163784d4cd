package origin

import (
	"strings"

	"github.com/planlint/planlint/internal/fields"
)

// place is a path that a call put something in, as a clone or a download does;
// what lies there has the standing of what was put there.
type place struct {
	path     string
	standing Standing
	chain    chain
}

// maxFilled bounds the places that are kept; what lies in a further one has no
// standing of it, so that more is asked.
const maxFilled = 64

// fill keeps where a call puts what the user pointed at.
func (a *analysis) fill(i int, by *pointing) {
	f := &a.facts[i]
	if f.Effect == Reads || f.Acts&(Create|Change|ActFetch) == 0 || by.standing == None || by.tainted {
		return
	}
	parts, said := a.partsIn(i), false
	for k := range parts {
		p := &parts[k]
		if f.role(int(p.slot)) != Target || p.atom != fields.File || p.inside || len(a.filled) >= maxFilled {
			continue
		}
		said = true
		if path := strings.TrimRight(a.textOf(i, f, p), "/"); path != "" {
			a.filled = append(a.filled, place{path, by.standing, by.chain})
		}
	}
	for k := range parts {
		if p := &parts[k]; !said && f.role(int(p.slot)) == Object && !p.inside && len(a.filled) < maxFilled {
			if path := a.pathIn(i, a.textOf(i, f, p)); path != "" {
				a.filled = append(a.filled, place{path, by.standing, by.chain})
			}
		}
	}
}

// pathIn returns the path in a call's output whose last name is that of the thing
// it was called with: "Cloned acme/site into /work/site".
func (a *analysis) pathIn(i int, thing string) (path string) {
	name := lastName(thing)
	for id := a.recordsOf[i].first; id < a.recordsOf[i].end && len(name) >= 3; id++ {
		for l := a.records[id].from; l < a.records[id].end; l++ {
			text := a.text(l)
			if text = text[:min(len(text), maxList)]; a.leaves[l].kind == none {
				continue
			}
			fields.Atoms(text, func(at fields.Atom) {
				if p := text[at.Start:at.End]; at.Kind == fields.File && path == "" && p != thing && strings.HasPrefix(p, "/") && lastName(p) == name {
					path = strings.TrimRight(p, "/")
				}
			})
		}
	}
	return path
}

// lastName is the last name of a path.
func lastName(path string) string {
	path = strings.TrimRight(path, "/")
	return path[strings.LastIndexByte(path, '/')+1:]
}

// fills lets what lies in a filled place point as what was put there.
func (a *analysis) fills(p *part, by *pointing, i int) bool {
	if len(a.filled) == 0 || p.atom != fields.File {
		return false
	}
	path := a.textOf(i, &a.facts[i], p)
	for k := len(a.filled) - 1; k >= 0; k-- {
		at := &a.filled[k]
		if path != at.path && !strings.HasPrefix(path, at.path+"/") {
			continue
		}
		if at.standing > by.standing {
			by.standing, by.exact, by.chain = at.standing, true, a.pointed(at.chain, "it lies where that was put", i, -1)
		}
		return true
	}
	return false
}

// rewrites reports whether content goes back to the file that it was read from:
// an edit carries nothing anywhere.
func (j *judgement) rewrites(p *part) bool {
	if j.leaves[p.leaf].call < 0 || j.f.Acts&(Create|Change) == 0 {
		return false
	}
	i := int(j.leaves[p.leaf].call)
	f, before := &j.facts[i], j.partsIn(i)
	for k := range j.parts {
		to := &j.parts[k]
		if j.role(to) != Target || to.inside || to.atom != fields.File {
			continue
		}
		for n := range before {
			if at := &before[n]; f.role(int(at.slot)) == Target && at.run == to.run && at.words == to.words {
				return true
			}
		}
	}
	return false
}

// made reports whether an earlier call of the run made the thing that a call acts
// on, under that name, and nothing was said of it: it is the run's own.
func (j *judgement) made(p *part) bool {
	if j.role(p) != Object || p.inside {
		return false
	}
	for i := j.i - 1; i >= 0; i-- {
		f := &j.facts[i]
		if f.Acts&Create == 0 || j.report.Calls[i].Signals()&attack != 0 || !j.available(int32(i), j.i) {
			continue
		}
		before := j.partsIn(i)
		for k := range before {
			q := &before[k]
			if f.role(int(q.slot)) == Object && !q.inside && q.run == p.run && q.words == p.words && sameKind(f.About, j.f.About) && !j.reads(i) {
				return true
			}
		}
	}
	return false
}

// reads reports whether a call puts something at a path: a clone makes a copy of
// the thing that it names, and not that thing.
func (a *analysis) reads(i int) bool {
	return a.facts[i].has(Target)
}

func sameKind(a, b []string) bool {
	for _, x := range a {
		for _, y := range b {
			if x == y {
				return true
			}
		}
	}
	return false
}

// listedAs reports whether the service lists a thing in a record that the user
// spoke of.
func (j *judgement) listedAs(p *part) bool {
	return !p.inside && p.leaf >= 0 && p.from&(FromService|FromName) != 0 && p.standing >= Plain && j.leaves[p.leaf].kind != Text
}

// referring are words for ids that say what a thing is about, and not whose.
var referring = map[string]bool{"reference": true, "ref": true, "invoice": true, "order": true, "ticket": true, "serial": true,
	"subject": true, "customer": true, "booking": true, "purpose": true, "memo": true}

// isReference reports whether a text ends in words for a reference: "reference" or
// "invoice no", but not "account".
func isReference(before string) bool {
	const near = 3
	var last []string
	before = before[max(0, len(before)-64):]
	fields.Words(before, func(w fields.Word) bool {
		last = append(last, strings.ToLower(before[w.Start:w.End]))
		return true
	})
	found := false
	for _, word := range last[max(0, len(last)-near):] {
		switch {
		case word == "account" || word == "iban" || word == "to":
			found = false
		case referring[word]:
			found = true
		}
	}
	return found
}
