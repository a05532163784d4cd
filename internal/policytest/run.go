package policytest

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/planlint/planlint"
	"github.com/planlint/planlint/finding"
	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/internal/compiled"
	"github.com/planlint/planlint/policy"
)

// Result is what came of one test.
type Result struct {
	Test *Test
	// Differences are what was expected and is otherwise; none: the test passed.
	Differences []string
}

// Passed reports whether everything was as expected.
func (r *Result) Passed() bool { return len(r.Differences) == 0 }

// runner runs tests against one document, with a policy for each mode.
type runner struct {
	document *compiled.Document
	watcher  policy.Watcher
	byMode   map[string]*planlint.Checker
	// seen is called with each plan that was checked.
	seen func(*planlint.Checker, *Test, *finding.PlanReport)
}

// Run runs the suite's tests and gathers what they reached.
func (s *Suite) Run(ctx context.Context, want func(name string) bool) ([]Result, *Coverage) {
	cover := newCoverage(s)
	r := s.runner(s.Document)
	r.watcher, r.seen = cover, cover.plan
	var results []Result
	for i := range s.Tests {
		t := &s.Tests[i]
		if want != nil && !want(t.Name) {
			continue
		}
		results = append(results, r.run(ctx, t))
	}
	return results, cover
}

func (s *Suite) runner(d *compiled.Document) *runner {
	return &runner{document: d, byMode: make(map[string]*planlint.Checker)}
}

// checker returns the checker for a test's policy and mode.
func (r *runner) checker(t *Test) (*planlint.Checker, error) {
	if t.Policy == nil {
		if c := r.byMode[t.Mode]; c != nil {
			return c, nil
		}
	}
	document, watcher := r.document, r.watcher
	if t.Policy != nil {
		own, problems := documentOf(t.Pos.File, t.Policy)
		if own == nil {
			return nil, fmt.Errorf("the policy does not load: %s", problems[0].Message)
		}
		document, watcher = own, nil
	}
	d := *document
	if t.Mode != "" {
		d.Settings.Mode = compiled.T(t.Mode)
	}
	p, problems := policy.Rebuild(&d, watcher)
	if p == nil {
		return nil, fmt.Errorf("the policy does not load: %s", problems[0].Message)
	}
	c := planlint.New(*p)
	if t.Policy == nil {
		r.byMode[t.Mode] = c
	}
	return c, nil
}

func (r *runner) run(ctx context.Context, t *Test) Result {
	out := Result{Test: t}
	checker, err := r.checker(t)
	if err != nil {
		out.Differences = []string{err.Error()}
		return out
	}
	report := checker.In(planlint.Situation{Lease: t.Lease}).Check(ctx, t.Plan)
	if r.seen != nil && t.Policy == nil {
		r.seen(checker, t, &report)
	}
	c := comparison{report: &report, gates: &checker.Policy().Gates}
	c.all(&t.Expect)
	for i := range t.Fails {
		c.failure(ctx, checker, t, &t.Fails[i])
	}
	out.Differences = c.differences
	return out
}

// comparison compares a report with what was expected.
type comparison struct {
	report      *finding.PlanReport
	gates       *gate.Table
	differences []string
}

func (c *comparison) differ(format string, args ...any) {
	c.differences = append(c.differences, fmt.Sprintf(format, args...))
}

func (c *comparison) all(e *Expect) {
	r := c.report
	if e.Verdict != nil && *e.Verdict != r.Verdict {
		c.differ("the verdict is %s, expected %s", r.Verdict, *e.Verdict)
	}
	if e.Gate != nil {
		c.gate("the plan", e.Gate, gate.Gate{Requirements: r.Gate})
	}
	if e.Findings != nil {
		var ids []string
		for i := range r.Findings {
			ids = append(ids, r.Findings[i].ID)
		}
		c.ids("the plan has findings", ids, *e.Findings)
	}
	for _, id := range e.Diagnostics {
		if !slices.ContainsFunc(r.Diagnostics, func(d finding.Diagnostic) bool { return d.ID == id }) {
			c.differ("diagnostic %s is missing", id)
		}
	}
	if e.MaxAsks != nil {
		if n := asks(r); n > *e.MaxAsks {
			c.differ("%d approvals are asked for, at most %d expected", n, *e.MaxAsks)
		}
	}
	for i := range e.Calls {
		if index := c.index(&e.Calls[i], i); index >= 0 {
			c.call(&e.Calls[i], &r.Calls[index])
		}
	}
}

func (c *comparison) index(want *Call, place int) int {
	if want.ID == "" {
		return place
	}
	return slices.IndexFunc(c.report.Calls, func(got finding.CallReport) bool { return got.ID == want.ID })
}

func (c *comparison) call(want *Call, got *finding.CallReport) {
	who := fmt.Sprintf("call %q", got.ID)
	if want.Decision != nil && *want.Decision != got.Decision {
		c.differ("%s: the decision is %s, expected %s (%s)", who, got.Decision, *want.Decision, because(got))
	}
	if want.Gate != nil {
		c.gate(who, want.Gate, got.Gate)
	}
	if want.Findings != nil {
		var ids []string
		for _, i := range got.Findings {
			ids = append(ids, c.report.Findings[i].ID)
		}
		c.ids(who+" has findings", ids, *want.Findings)
	}
	if want.Class != "" && want.Class != got.Class.String() {
		c.differ("%s: the class is %s, expected %s", who, got.Class, want.Class)
	}
	if want.Rule != "" && want.Rule != got.Rule {
		c.differ("%s: decided by %s, expected %s", who, got.Rule, want.Rule)
	}
	if want.Labels != nil {
		c.ids(who+" returns labels", got.LabelsOut, *want.Labels)
	}
}

func because(got *finding.CallReport) string {
	if got.Why == "" {
		return "by " + got.Rule
	}
	return "by " + got.Rule + ": " + got.Why
}

func (c *comparison) gate(who string, want *Gate, got gate.Gate) {
	parts := want.Parts
	switch want.Name {
	case "", "none":
	case "strictest":
		parts = c.gates.Strictest
	default:
		class, _ := gate.ParseClass(want.Name)
		parts = c.gates.For(class)
	}
	if parts != got.Requirements {
		c.differ("%s: the gate is %s, expected %s", who, got.Requirements, parts)
	}
	if want.Compensation != "" && want.Compensation != got.Compensation {
		c.differ("%s: the compensation is %q, expected %q", who, got.Compensation, want.Compensation)
	}
	if window, _ := compiled.ParseDuration(want.Window); want.Window != "" && window != got.UndoWindow {
		c.differ("%s: the undo window is %s, expected %s", who, got.UndoWindow, window)
	}
}

// ids compares two sets.
func (c *comparison) ids(who string, got, want []string) {
	got, want = sorted(got), sorted(want)
	if !slices.Equal(got, want) {
		c.differ("%s [%s], expected [%s]", who, strings.Join(got, ", "), strings.Join(want, ", "))
	}
}

func sorted(list []string) []string {
	out := append([]string(nil), list...)
	sort.Strings(out)
	return slices.Compact(out)
}

// asks counts the approvals that a plan needs. A call that asks only because it
// lies on the path of another call's finding is covered by that one's approval.
func asks(r *finding.PlanReport) int {
	n := 0
	for i := range r.Calls {
		call := &r.Calls[i]
		if call.Decision != gate.Ask || call.Outcome.DidNotRun() {
			continue
		}
		covered := call.Alone == gate.Allow && len(call.Findings) > 0
		for _, f := range call.Findings {
			covered = covered && r.Findings[f].Call != i
		}
		if !covered {
			n++
		}
	}
	return n
}
