package match

import (
	"slices"

	"github.com/planlint/planlint/internal/reuse"
)

// ByCall are runs by the call whose arguments hold them. They are added call by call.
type ByCall struct {
	runs []Run
	from []uint32 // where those of each call begin
}

// Reserve makes room for so many calls.
func (b *ByCall) Reserve(calls int) { b.from = slices.Grow(b.from, calls) }

// Begin begins the next call.
func (b *ByCall) Begin() { b.from = append(b.from, uint32(len(b.runs))) }

// Add adds a run to the call that was begun last.
func (b *ByCall) Add(h Run) { b.runs = append(twice(b.runs), h) }

// Of returns the runs of a call, none if it was not begun.
func (b *ByCall) Of(call int) []Run {
	switch {
	case call >= len(b.from):
		return nil
	case call+1 < len(b.from):
		return b.runs[b.from[call]:b.from[call+1]]
	}
	return b.runs[b.from[call]:]
}

// Last returns the runs of the call that was begun last.
func (b *ByCall) Last() []Run { return b.Of(len(b.from) - 1) }

// Empty returns the memory for the next plan.
func (b *ByCall) Empty() ByCall { return ByCall{reuse.Plain(b.runs), reuse.Plain(b.from)} }

// twice returns a list with room for one more, in twice the memory if it had none:
// there are many runs.
func twice(runs []Run) []Run {
	if len(runs) == cap(runs) {
		return slices.Grow(runs, max(64, len(runs)))
	}
	return runs
}
