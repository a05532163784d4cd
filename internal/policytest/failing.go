package policytest

import (
	"context"
	"slices"
	"strings"

	"github.com/planlint/planlint"
	"github.com/planlint/planlint/finding"
	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/plan"
)

// failure plays a scenario: the calls before the failing one ran, it failed,
// nothing came after. What has to be made up for are the compensations that the
// contracts of the calls before name, the latest call's first.
func (c *comparison) failure(ctx context.Context, checker *planlint.Checker, t *Test, f *Failure) {
	at := slices.IndexFunc(t.Plan.Calls, func(call plan.Call) bool { return call.ID == f.Call })
	if at < 0 {
		return
	}
	p := played(t.Plan, at)
	report := checker.Check(ctx, p)
	owed := owed(checker, p, &report)
	if !slices.Equal(owed, f.Compensations) && len(owed)+len(f.Compensations) > 0 {
		c.differ("if call %q fails, [%s] has to follow, expected [%s]", f.Call, strings.Join(owed, ", "), strings.Join(f.Compensations, ", "))
	}
}

// played is the plan as a record that ends with the failure of one call.
func played(p *plan.Plan, at int) *plan.Plan {
	out := *p
	out.Recorded = true
	out.Calls = append([]plan.Call(nil), p.Calls[:at+1]...)
	for i := range out.Calls {
		out.Calls[i].Outcome = plan.Ran
	}
	out.Calls[at].Outcome = plan.Failed
	out.Texts = nil
	for _, text := range p.Texts {
		if text.Before <= at {
			out.Texts = append(out.Texts, text)
		}
	}
	out.Agents = append([]plan.Agent(nil), p.Agents...)
	for i := range out.Agents {
		if out.Agents[i].SpawnedBy > at {
			out.Agents[i].SpawnedBy = -1
		}
	}
	return &out
}

// owed lists the compensations that are due, the latest call's first. A call
// that compensates an earlier one of the plan settles it.
func owed(checker *planlint.Checker, p *plan.Plan, report *finding.PlanReport) []string {
	var due []string
	for i := range report.Calls[:len(report.Calls)-1] {
		call := &report.Calls[i]
		if call.Decision == gate.Deny {
			continue // it would not have run
		}
		if at := settles(checker, call.Tool, due); at >= 0 {
			due = slices.Delete(due, at, at+1)
			continue
		}
		if undo := call.Gate.Compensation; undo != "" {
			due = append(due, undo)
		}
	}
	slices.Reverse(due)
	return due
}

// settles finds the latest compensation that a call of a tool is.
func settles(checker *planlint.Checker, tool string, due []string) int {
	names := []string{tool}
	if c := checker.Policy().Registry.Contract(tool); c != nil {
		names = append(append(names, c.Name), c.Aliases...)
	}
	for i := len(due) - 1; i >= 0; i-- {
		if slices.Contains(names, due[i]) {
			return i
		}
	}
	return -1
}
