package planlint

import (
	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/rules"
	"github.com/planlint/planlint/taint"
	"github.com/planlint/planlint/tool"
)

// Matches returns, for each call of a plan, the per-call rules that match it.
// It decides nothing: policy tests and coverage are made of it.
func (c *Checker) Matches(p *plan.Plan) [][]rules.Match {
	calls := c.policy.Registry.Resolve(p)
	c.recall(p, calls)
	labels := taint.BuildFrom(p, factsOf(calls), c.policy.Universe).Propagate()
	agents := agentsOf(p)
	out := make([][]rules.Match, len(calls))
	for i := range calls {
		out[i] = c.policy.Rules.Matches(&rules.Input{
			Call: &p.Calls[i], Resolved: &calls[i], Gates: c.policy.gates(),
			AgentPath:  agents.path(p.Calls[i].AgentName()),
			Subject:    &tool.Subject{Plan: p, Calls: calls, Call: i, Labels: labels, Universe: c.policy.Universe},
			Conditions: c.policy.Composer,
		})
	}
	return out
}
