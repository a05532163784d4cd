package taint

import (
	"sort"
	"strings"

	"github.com/planlint/planlint/internal/fields"
	"github.com/planlint/planlint/plan"
)

// accounted reports whether all that a slot holds is accounted for, so that it
// needs no context edge. Where something of it was found, slotEdges knows that.
//
// The rule: a slot's value is a string or a number whose every word (maximal run
// of letters and digits) lies in a reference, lies in a run of words that was
// found in an earlier output or text, or is among the words that the user had
// used by then; case does not matter. Encoded text is accounted for if all that it
// holds is. A word of one character carries nothing, but many of them spell
// something, and so do many signs beyond ASCII or a text of nothing but signs. A
// boolean, a null and the keys of objects carry nothing. A value that is not known yet is
// accounted for if a person fills it in, or code whose inputs are known.
func (v *provenance) accounted(call, slot int) bool {
	m := &v.slots
	if m.call == call && slot < len(m.open) {
		return !m.open[slot]
	}
	limit := v.has(call)
	for _, x := range v.facts[call].Slots[slot].Values() {
		if m.says(x, limit) {
			return false
		}
	}
	return true
}

// says reports whether something in a value is not accounted for, if nothing of it
// was found anywhere.
func (m *slotMatcher) says(x *plan.Value, limit int32) bool {
	if refs := x.Refs(); len(refs) == 1 && refs[0].Whole {
		return false
	}
	switch x.Kind {
	case plan.UnknownValue:
		return !filledByOthers(x)
	case plan.String, plan.Number:
		if m.unaccounted(x.Text, x.Refs(), nil, limit) {
			return true
		}
	}
	for i := range x.Items {
		if m.says(&x.Items[i], limit) {
			return true
		}
	}
	return false
}

// unaccounted reports whether some word of a text lies in no reference and no
// covered span, and is none of the user's.
func (m *slotMatcher) unaccounted(text string, refs []plan.Ref, covered []span, limit int32) bool {
	if len(covered) > 1 {
		sort.Slice(covered, func(i, j int) bool { return covered[i].at < covered[j].at })
	}
	reach, single, size := 0, 0, 0
	if len(covered) == 0 && len(refs) == 0 { // most texts say something new at once
		var room [2]fields.Word
		first, _ := fields.FillWords(room[:0], text, 0)
		for i := range first {
			if w := &first[i]; w.Len() > 1 && !m.v.user.said(w, limit) {
				return true
			}
		}
	}
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
