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
	chain    []Pointer
}

// maxFilled bounds the places that are kept; what lies in a further one has no
// standing of it, so that more is asked.
const maxFilled = 64

// fill keeps where a call puts what the user pointed at.
func (a *analysis) fill(i int, out *Call, by pointing) {
	f := &a.facts[i]
	if f.Effect == Reads || f.Acts&(Create|Change|ActFetch) == 0 || by.standing == None || by.tainted {
		return
	}
	for k := range out.Parts {
		p := &out.Parts[k]
		if f.Roles[p.Slot] != Target || p.Atom != fields.File || p.Inside || len(a.filled) >= maxFilled {
			continue
		}
		if path := strings.TrimRight(a.textOf(i, f, p), "/"); path != "" {
			a.filled = append(a.filled, place{path, by.standing, by.chain})
		}
	}
}

// fills lets what lies in a filled place point as what was put there.
func (a *analysis) fills(p *Part, path string, by *pointing, i int) bool {
	if p.Atom != fields.File {
		return false
	}
	for k := len(a.filled) - 1; k >= 0; k-- {
		at := &a.filled[k]
		if path != at.path && !strings.HasPrefix(path, at.path+"/") {
			continue
		}
		if at.standing > by.standing {
			chain := append(append([]Pointer(nil), at.chain...), Pointer{How: "it lies where that was put", Call: i})
			by.standing, by.exact, by.chain = at.standing, true, chain
		}
		return true
	}
	return false
}

// made reports whether an earlier call of the run made the thing that a call acts
// on, under that name, and nothing was said of it: it is the run's own.
func (j *judgement) made(p *Part) bool {
	if j.role(p) != Object || p.Inside {
		return false
	}
	for i := j.i - 1; i >= 0; i-- {
		f, before := &j.facts[i], &j.calls[i]
		if f.Acts&Create == 0 || before.Signals&attack != 0 || !j.available(int32(i), j.i) {
			continue
		}
		for k := range before.Parts {
			q := &before.Parts[k]
			if f.Roles[q.Slot] == Object && !q.Inside && q.phrase == p.phrase && sameKind(f.About, j.f.About) && !j.reads(i) {
				return true
			}
		}
	}
	return false
}

// reads reports whether a call puts something at a path: a clone makes a copy of
// the thing that it names, and not that thing.
func (a *analysis) reads(i int) bool {
	for _, r := range a.facts[i].Roles {
		if r == Target {
			return true
		}
	}
	return false
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
func (j *judgement) listedAs(p *Part) bool {
	return !p.Inside && p.leaf >= 0 && p.From&(FromService|FromName) != 0 && p.Standing >= Plain && j.leaves[p.leaf].kind != Text
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
