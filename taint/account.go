package taint

import (
	"sort"
	"strings"

	"github.com/planlint/planlint/internal/fields"
	"github.com/planlint/planlint/plan"
)

// accounted reports whether all that a slot holds is accounted for, so that it
// needs no context edge. slotEdges has found that out.
//
// The rule: a slot's value is a string or a number whose every word (maximal run
// of letters and digits) lies in a reference, lies in a run of words that was
// found in an earlier output or text, or is among the words that the user had
// used by then; case does not matter. Encoded text is accounted for if all that it
// holds is. A word of one character carries nothing, but many of them spell
// something, and so do many signs beyond ASCII or a text of nothing but signs. A
// boolean, a null and the keys of objects carry nothing. A value that is not known yet is
// accounted for if a person fills it in, or code whose inputs are known.
func (v *provenance) accounted(c *plan.Call, slot int) bool {
	m := &v.slots
	return m.openOf == c.Index && slot < len(m.open) && !m.open[slot]
}

// unaccounted reports whether some word of a text lies in no reference and no
// covered span, and is none of the user's.
func (m *slotMatcher) unaccounted(text string, refs []plan.Ref, covered []span, limit int32) bool {
	if len(covered) > 1 {
		sort.Slice(covered, func(i, j int) bool { return covered[i].at < covered[j].at })
	}
	reach, single, size := 0, 0, 0
	words := m.read(text, refs)
	for i := range words {
		w := &words[i]
		for len(covered) > 0 && int(covered[0].at) <= int(w.Start) {
			reach = max(reach, int(covered[0].at+covered[0].n))
			covered = covered[1:]
		}
		size += w.Len()
		if int(w.End) <= reach {
			continue
		}
		if w.Len() == 1 {
			single++
		}
		if single >= manySingle || w.Len() > 1 && !m.v.user.said(w, limit) {
			return true
		}
	}
	return size == 0 && len(strings.TrimSpace(text)) >= 2*manySingle && len(refs) == 0 || fields.Signs(text) >= manySingle
}

// manySingle is how many words of one character, or signs, spell something.
const manySingle = 8
