package planlint

import (
	"slices"

	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/rules"
	"github.com/planlint/planlint/taint"
	"github.com/planlint/planlint/tool"
)

// Situation is what a decision depends on beside the policy and the plan: who
// is there to answer, and what was answered before. The zero value has somebody
// to ask and remembers nothing.
type Situation struct {
	// NobodyToAsk makes every ask a deny.
	NobodyToAsk bool
	// Lease: sandbox, rollback and log are verified, so that mode auto holds.
	Lease bool
	// Approvals answers from memory; nil remembers nothing.
	Approvals rules.Approvals
}

// In returns a checker that decides in a situation.
func (c *Checker) In(s Situation) *Checker {
	return &Checker{policy: c.policy, situation: s}
}

// recall gives outputs the labels that an earlier review found on them. Nobody
// is known to have seen what they mark.
func (c *Checker) recall(p *plan.Plan, calls []tool.Resolved) {
	for i := range p.Calls {
		var set taint.Set
		for _, name := range p.Calls[i].OutputLabels() {
			if s, ok := c.policy.Universe.Lookup(name); ok {
				set |= s
			}
		}
		if set == 0 {
			continue
		}
		source := taint.Source{Labels: set, Why: "found when it came"}
		if set&^c.policy.Universe.Integrity() == 0 {
			source.Readers = taint.AnyReader
		}
		out := &calls[i].Facts.Extend().Output
		*out = append(slices.Clip(*out), source)
	}
}
