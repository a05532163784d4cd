package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/planlint/planlint/finding"
	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/taint"
)

// labelledName stands for a principal that a labelled value spells: such values
// are never printed.
const labelledName = "(a labelled value)"

// audienceNames returns who sees what the flow brings, without names that
// confidential data spells.
func audienceNames(p *finding.PlanReport, f *taint.Flow) []string {
	names := f.Audience.Names()
	if p.Labels == nil || p.Universe == nil || f.Sink.Call < 0 {
		return names
	}
	facts := p.Labels.Graph().Facts(f.Sink.Call)
	for slot := range facts.Slots {
		held := p.Labels.Slot(f.Sink.Call, slot, taint.Resource)
		if held.Without(p.Universe.Integrity()) == 0 {
			continue
		}
		for _, v := range facts.Slots[slot].Values() {
			v.Walk(func(_ plan.Path, v *plan.Value) bool {
				if v.Kind == plan.String && len(v.Refs()) == 0 {
					hideName(names, v.Text)
				}
				return true
			})
		}
	}
	hideSpelled(p, f, names)
	return slices.Compact(names)
}

// minSpelled is the length from which a part of a name that stands in confidential
// data is taken to be a piece of it.
const minSpelled = 8

// maxSpellers is how many flows into a sink are asked for what spells a name.
const maxSpellers = 16

// hideSpelled replaces names of which a part stands in confidential outputs that
// reach the sink's call: a host that is named after a key.
func hideSpelled(p *finding.PlanReport, f *taint.Flow, names []string) {
	if p.Plan == nil || p.Labels.In(f.Sink.Call, taint.Resource).Without(p.Universe.Integrity()) == 0 {
		return
	}
	calls := f.Calls()
	into, _ := p.Labels.AllFlows(f.Sink.Call, maxSpellers)
	for i := range into {
		calls = append(calls, into[i].Source.Call)
	}
	slices.Sort(calls)
	for _, call := range slices.Compact(calls) {
		if call < 0 || call == f.Sink.Call || p.Labels.Out(call).Without(p.Universe.Integrity()) == 0 {
			continue
		}
		p.Plan.Calls[call].Output.Walk(func(_ plan.Path, v *plan.Value) bool {
			text := strings.ToLower(v.Text)
			for i, name := range names {
				for _, part := range strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune("./:@", r) }) {
					if len(part) >= minSpelled && strings.Contains(text, strings.ToLower(part)) {
						names[i] = labelledName
					}
				}
			}
			return true
		})
	}
}

// hideName replaces the names that a recipient's text spells.
func hideName(names []string, text string) {
	text = strings.ToLower(strings.TrimSpace(text))
	for i, n := range names {
		if text == n || strings.Contains(n, "@") && strings.Contains(text, n) {
			names[i] = labelledName
		}
	}
}

// audience is the same in a few words.
func audience(p *finding.PlanReport, f *taint.Flow) string {
	names := audienceNames(p, f)
	if len(names) > 3 {
		names = append(names[:3:3], fmt.Sprintf("%d more", len(names)-3))
	}
	return clip(strings.Join(names, ", "), 72)
}

// cellName is a cell's name without what confidential data spells in it: a file
// that is named after a key, an address with a token.
func cellName(p *finding.PlanReport, at taint.Place) string {
	if p.Labels == nil || p.Universe == nil {
		return at.Cell
	}
	first, last := at.Call, at.Call
	if at.Call < 0 {
		first, last = 0, len(p.Calls)-1
	}
	g := p.Labels.Graph()
	for call := first; call <= last; call++ {
		facts := g.Facts(call)
		for slot := range facts.Slots {
			if p.Labels.Slot(call, slot, taint.Resource).Without(p.Universe.Integrity()) == 0 {
				continue
			}
			for _, v := range facts.Slots[slot].Values() {
				if spells(v, at.Cell) {
					kind, _, _ := strings.Cut(at.Cell, ":")
					return kind + ":" + labelledName
				}
			}
		}
	}
	return at.Cell
}

// spells reports whether a value, or a text in it, makes a cell's name.
func spells(v *plan.Value, cell string) bool {
	found := false
	v.Walk(func(_ plan.Path, leaf *plan.Value) bool {
		if leaf.Kind != plan.String || len(leaf.Refs()) > 0 {
			return true
		}
		for _, word := range strings.Fields(leaf.Text) {
			word = strings.Trim(word, `"'`)
			base := word[strings.LastIndexByte(word, '/')+1:]
			found = found || len(base) >= minDigest && strings.Contains(cell, base)
		}
		return true
	})
	return found
}
