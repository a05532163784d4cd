package tool

import (
	"slices"

	"github.com/planlint/planlint/taint"
)

// alikeTable remembers what calls did, since most calls of a plan do what an earlier
// one did: equal lists are shared. A tool and a file have one place, the last call
// counts.
type alikeTable []alike // a power of two of them

// alike is what one call touched and did.
type alike struct {
	uses  []PathUse
	steps []taint.Step
}

// alikeOf returns what the call's tool last did with files.
func (k *call) alikeOf(uses []PathUse) *alike {
	place := k.e.number
	if len(uses) > 0 {
		place += k.placeOf(uses[0].Path)
	}
	return &k.alike[place&(len(k.alike)-1)]
}

// keepUses returns the files that the call touches, for as long as the plan is looked
// at.
func (k *call) keepUses() []PathUse {
	if len(k.uses) != 1 {
		return k.slabs.paths.keep(k.uses)
	}
	known := k.alikeOf(k.uses)
	if len(known.uses) == 0 || !sameUse(&known.uses[0], &k.uses[0]) {
		known.uses = k.slabs.paths.keep(k.uses)
	}
	return known.uses
}

// sameUse reports whether two uses without links are the same.
func sameUse(a, b *PathUse) bool {
	return a.Path == b.Path && a.Command == b.Command && a.Access == b.Access && a.Tree == b.Tree && a.Glob == b.Glob &&
		a.Append == b.Append && a.Known == b.Known && a.Guess == b.Guess && a.Redirect == b.Redirect && a.Names == b.Names &&
		len(a.Links)+len(b.Links) == 0
}

// keepSteps returns the call's steps for as long as the plan is looked at.
func (k *call) keepSteps() []taint.Step {
	if len(k.lowered) > 0 || k.step.Change != nil {
		steps := k.slabs.steps.take(1 + len(k.lowered))
		steps[0] = k.keepStep()
		copy(steps[1:], k.lowered)
		return steps
	}
	known := k.alikeOf(k.r.Paths)
	if len(known.steps) == 0 || !sameStep(&known.steps[0], &k.step) {
		known.steps = k.slabs.steps.take(1)
		known.steps[0] = k.keepStep()
	}
	return known.steps
}

// keepStep returns the contract's own step, with lists that are no scratch.
func (k *call) keepStep() taint.Step {
	st := k.step
	if k.ownReads {
		st.Reads = k.slabs.operands.keep(st.Reads)
	}
	if len(st.Writes) == 1 && st.Writes[0].ToOutput {
		st.Writes = k.reg.onlyOutput
	} else {
		st.Writes = k.slabs.writes.keep(st.Writes)
	}
	st.Sinks = k.slabs.sinks.keep(st.Sinks)
	for i := range st.Sinks {
		s := &st.Sinks[i]
		s.From, s.Decides = k.slabs.operands.keep(s.From), k.slabs.ints.keep(s.Decides)
	}
	return st
}

// sameStep reports whether two steps without a name and a change are the same. Of
// cells that are not shared it does not find out.
func sameStep(a, b *taint.Step) bool {
	return slices.Equal(a.Reads, b.Reads) && slices.Equal(a.Writes, b.Writes) && slices.EqualFunc(a.Sinks, b.Sinks, sameSink)
}

func sameSink(a, b taint.Sink) bool {
	return a.Kinds == b.Kinds && a.UnknownTool == b.UnknownTool && a.Audience.Equal(b.Audience) &&
		slices.Equal(a.From, b.From) && slices.Equal(a.Decides, b.Decides)
}
