package finding

import (
	"github.com/planlint/planlint/origin"
	"github.com/planlint/planlint/taint"
)

// Evidence says in sentences what a rule on origins rests on: what raised its
// signals, where that value stands and how the user points at it. Values of the
// plan are not shown.
func (f *Finding) Evidence() []string {
	var lines []string
	for _, r := range f.Reasons() {
		lines = append(lines, f.Origin.Describe(r)...)
	}
	return lines
}

// Reasons returns what raised the signals that the rule asks for, in the order of
// the signals; none for rules that do not ask where values came from.
func (f *Finding) Reasons() []origin.Reason {
	if f.Origin == nil {
		return nil
	}
	var out []origin.Reason
	for _, r := range f.Origin.Reasons() {
		if r.Signal&f.Rule.Origin != 0 {
			out = append(out, r)
		}
	}
	return out
}

// Parts returns the values that the finding is about: those that raised its
// rule's signals, or, for a flow of untrusted data into an argument, those of
// the argument that stand in third-party text. Indexes into CallReport.Origin or
// Finding.Origin, which are the same.
func (p *PlanReport) Parts(f *Finding) []int {
	var out []int
	for _, r := range f.Reasons() {
		if r.Part >= 0 {
			out = append(out, r.Part)
		}
	}
	if f.Flow == nil || f.Call < 0 || f.Flow.Slot < 0 || p.Universe == nil || !p.Universe.Integrity().Has(f.Flow.Label) {
		return out
	}
	from := p.Calls[f.Call].Origin
	if from == nil || f.Flow.Precision != taint.Value {
		return out
	}
	for i := range from.Parts {
		if part := &from.Parts[i]; int(part.Slot) == f.Flow.Slot && part.From&origin.FromText != 0 {
			out = append(out, i)
		}
	}
	return out
}
