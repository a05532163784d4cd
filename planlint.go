// Package planlint reviews what an AI agent is about to do, or did.
//
// A Checker takes a plan of concrete tool calls, resolves each call against the
// contracts of its policy, builds the plan's dataflow graph, lets labels
// propagate from sources to sinks, lets composition rules escalate every call
// on a dangerous path, and then decides each call: allow, ask or deny, with the
// gate that stands before it and the path that explains it.
//
// The package links no YAML, no CEL and no network: policies are built by
// package policy, conditions are evaluated behind the Composer interface.
package planlint

import (
	"context"
	"fmt"

	"github.com/planlint/planlint/finding"
	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/internal/match"
	"github.com/planlint/planlint/origin"
	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/rules"
	"github.com/planlint/planlint/taint"
	"github.com/planlint/planlint/tool"
)

// Composer evaluates the conditions of composition rules, rules and contracts.
// A policy without conditions needs none.
type Composer interface{ tool.Conditions }

// Policy is a compiled policy. It is immutable and may be shared.
type Policy struct {
	// Name is how reports call it: "builtin:default", or the file's path.
	Name     string
	Universe *taint.Universe
	Registry *tool.Registry
	Rules    *rules.Table
	Compose  []finding.Rule
	Gates    gate.Table
	// Protected are the places whose change asks, whatever tool makes it.
	Protected *rules.Places
	Composer  Composer
	// Precision replaces what every composition rule asks for; 0: as the rules
	// say.
	Precision taint.Precision
	// Explain keeps, for every call, the steps of its decision.
	Explain bool
}

// Checker reviews plans by one policy. It holds no state and is safe for
// concurrent use.
type Checker struct {
	policy    Policy
	situation Situation
}

// gates returns the policy's gates for rules, nil where it gives none.
func (p *Policy) gates() *gate.Table {
	if p.Gates == (gate.Table{}) {
		return nil
	}
	return &p.Gates
}

// New returns a checker for a policy.
func New(p Policy) *Checker { return &Checker{policy: p} }

// Policy returns the policy that the checker applies.
func (c *Checker) Policy() *Policy { return &c.policy }

// Check reviews a plan. It never fails open: a cancelled context or a panic
// yields a report that denies every call and says why.
func (c *Checker) Check(ctx context.Context, p *plan.Plan) (report finding.PlanReport) {
	defer func() {
		if cause := recover(); cause != nil {
			report = c.denyAll(p, fmt.Sprintf("planlint failed while it checked the plan: %v", cause))
		}
	}()

	// Values are looked for in one pass: the graph's, and those of origins.
	corpus := match.New(p)
	calls := c.policy.Registry.ResolveWith(p, &corpus.Decoder)
	c.recall(p, calls)
	origins := origin.New(p, c.policy.Registry.Origins(calls), corpus)
	graph := taint.BuildFrom(p, factsOf(calls), c.policy.Universe, taint.In(corpus))
	from := origins.Report()
	corpus.Release() // before labels propagate, since it is large
	labels := graph.Propagate()
	found := c.compose(p, calls, labels, from)
	if err := ctx.Err(); err != nil {
		return c.denyAll(p, fmt.Sprintf("planlint did not finish in time: %v", err))
	}
	report = c.decide(p, calls, labels, found)
	c.policy.Registry.Release(calls) // the graph keeps their facts
	return report
}

func factsOf(calls []tool.Resolved) func(call int) *taint.Facts {
	return func(call int) *taint.Facts { return calls[call].Facts }
}
