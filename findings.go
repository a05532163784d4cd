package planlint

import (
	"cmp"
	"slices"

	"github.com/planlint/planlint/finding"
	"github.com/planlint/planlint/taint"
)

// findings returns what was found in memory of its own: in the order of calls, those
// on the plan last, severe ones first, and each leak once. It was found among so many
// flows.
func (r *composition) findings(flows int) []finding.Finding {
	if len(r.found) == 0 {
		return nil
	}
	r.sort()
	out := make([]finding.Finding, len(r.kept))
	escalated, shown := 0, 0
	for i, k := range r.kept {
		out[i] = r.found[k]
		escalated += len(out[i].Escalates)
		if out[i].Flow != nil {
			shown++
		}
	}
	ownEscalates(out, escalated)
	if shown < flows/2 { // else most of the list is needed
		ownFlows(out, shown)
	}
	return out
}

// ownEscalates gives findings the lists of calls that they escalate in one piece.
func ownEscalates(list []finding.Finding, total int) {
	room := make([]int, total)
	for i := range list {
		n := copy(room, list[i].Escalates)
		list[i].Escalates, room = room[:n:n], room[n:]
	}
}

// ownFlows gives findings their flows in one piece, so that the others can go.
func ownFlows(list []finding.Finding, total int) {
	room := make([]taint.Flow, 0, total)
	for i := range list {
		if f := list[i].Flow; f != nil {
			room = append(room, *f)
			list[i].Flow = &room[len(room)-1]
		}
	}
}

// sort sets kept to the numbers of the findings that are told, in order.
func (r *composition) sort() {
	r.order, r.kept = r.order[:0], r.kept[:0]
	for i := range r.found {
		r.order = append(r.order, int32(i))
	}
	slices.SortStableFunc(r.order, func(a, b int32) int { return cmp.Compare(r.place(a), r.place(b)) })
	for rest := r.order; len(rest) > 0; {
		n, first := 1, len(r.kept)
		for n < len(rest) && r.place(rest[n]) == r.place(rest[0]) {
			n++
		}
		for _, i := range rest[:n] {
			if !r.covered(i, rest[:n]) {
				r.kept = append(r.kept, i)
			}
		}
		slices.SortStableFunc(r.kept[first:], func(a, b int32) int {
			x, y := r.found[a].Rule, r.found[b].Rule
			return cmp.Or(cmp.Compare(y.Severity, x.Severity), cmp.Compare(x.ID, y.ID))
		})
		rest = rest[n:]
	}
}

// place is the call of a finding, for one on the plan what comes after all calls.
func (r *composition) place(i int32) int {
	if call := r.found[i].Call; call >= 0 {
		return call
	}
	return len(r.calls)
}

// covered reports whether a more severe finding on the same call, of those in list,
// already shows a finding's flow: the same label from the same source, known at
// least as well. One leak is said once. A finding that rules may accept covers no
// other: to accept one id must not hide what another says. The list has at most one
// finding a rule.
func (r *composition) covered(i int32, list []int32) bool {
	f := &r.found[i]
	if f.Flow == nil {
		return false
	}
	best := f
	for _, k := range list {
		o := &r.found[k]
		if o.Flow != nil && o.Severity > best.Severity && o.Flow.Label == f.Flow.Label && o.Flow.Source == f.Flow.Source {
			best = o
		}
	}
	return best.Severity > f.Severity && !r.policy.Rules.Accepts(best.ID) &&
		best.Precision >= f.Precision && best.Decision <= f.Decision && best.Gate.Covers(f.Gate)
}
