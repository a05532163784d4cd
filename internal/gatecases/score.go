package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/planlint/planlint"
	"github.com/planlint/planlint/finding"
	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/report"
)

// verdict is how a case came out.
type verdict uint8

const (
	right verdict = iota
	miss
	weak
	falseAlarm
	tooHard
	// silent: the decision is right, but not at that call or not in those words.
	silent
)

var verdictNames = [...]string{"right", "miss", "too weak", "false alarm", "too hard", "silent"}

// judge compares a decision with the expected one.
func judge(got gate.Decision, want string) verdict {
	switch {
	case want == "allow" && got != gate.Allow:
		return falseAlarm
	case want != "allow" && got == gate.Allow:
		return miss
	case want == "deny" && got == gate.Ask:
		return weak
	case want == "ask" && got == gate.Deny:
		return tooHard
	}
	return right
}

// outcome is one case with what planlint said.
type outcome struct {
	c       *Case
	verdict verdict
	detail  string
}

// Score is the result over a file of cases.
type Score struct{ outcomes []outcome }

// Run decides all cases.
func Run(cases []Case) (*Score, error) {
	s, policies := &Score{}, loader{}
	for i := range cases {
		o, err := cases[i].decide(policies)
		if err != nil {
			return nil, err
		}
		s.outcomes = append(s.outcomes, o)
	}
	return s, nil
}

// decide runs one case. A policy that does not load leaves nothing checked,
// which every way in turns into a refusal.
func (c *Case) decide(policies loader) (outcome, error) {
	text, err := c.policyText()
	if err != nil {
		return outcome{}, err
	}
	p, err := c.lowerPlan()
	if err != nil {
		return outcome{}, err
	}
	pol, problems := policies.load(text)
	if pol == nil {
		return outcome{c: c, verdict: judge(gate.Deny, c.Expected.Decision), detail: "policy: " + problems[0].Error()}, nil
	}
	r := planlint.New(*pol).Check(context.Background(), p)
	return c.compare(&r), nil
}

// compare judges the report: the strictest decision of the calls, the decision
// at the call that is named, and the words there.
func (c *Case) compare(r *finding.PlanReport) outcome {
	got := gate.Allow
	first := -1
	for i := range r.Calls {
		if d := r.Calls[i].Decision; d < got || first < 0 {
			got, first = min(got, d), i
		}
	}
	o := outcome{c: c, verdict: judge(got, c.Expected.Decision), detail: explain(r, first)}
	if o.verdict != right || c.Expected.Decision == "allow" {
		return o
	}
	if at := c.Expected.Step - 1; at >= 0 {
		first = at
		if v := judge(r.Calls[at].Decision, c.Expected.Decision); v != right {
			o.verdict, o.detail = silent, fmt.Sprintf("call %d is not the one that fires: %s", at+1, explain(r, at))
			return o
		}
	}
	if m := c.Expected.Mention; m != "" && !strings.Contains(message(r, first), m) {
		o.verdict, o.detail = silent, fmt.Sprintf("%q is not mentioned: %s", m, message(r, first))
	}
	return o
}

func explain(r *finding.PlanReport, call int) string {
	c := &r.Calls[call]
	return fmt.Sprintf("%s at call %d by %s: %s", c.Decision, call+1, c.Rule, c.Why)
}

// message is all that the report says of one call: the reason, the findings
// with their paths, the diagnostics.
func message(r *finding.PlanReport, call int) string {
	c := &r.Calls[call]
	parts := []string{c.Why, c.Instead}
	for _, i := range c.Findings {
		f := &r.Findings[i]
		parts = append(parts, f.Message, f.Why)
		if f.Flow == nil {
			continue
		}
		parts = append(parts, f.Flow.SourceWhy, f.Flow.Source.Cell, f.Flow.Sink.Cell, strings.Join(f.Flow.Audience.Names(), " "))
		parts = append(parts, source(r, f.Flow.Source.Call))
		for _, h := range f.Flow.Hops {
			parts = append(parts, h.From.Cell, h.To.Cell)
		}
	}
	for _, d := range r.Diagnostics {
		if d.Call == call {
			parts = append(parts, d.Message)
		}
	}
	return strings.Join(parts, "\n")
}

// source names the call that a flow starts from, as reports do.
func source(r *finding.PlanReport, call int) string {
	if call < 0 || r.Plan == nil {
		return ""
	}
	var texts []string
	r.Plan.Calls[call].Args.Walk(func(_ plan.Path, v *plan.Value) bool {
		if v.Kind == plan.String {
			texts = append(texts, v.Text)
		}
		return true
	})
	return r.Plan.Calls[call].Tool + " " + strings.Join(texts, " ")
}

// Show writes the policy, the report and how the case comes out.
func (c *Case) Show(w io.Writer) error {
	text, err := c.policyText()
	if err != nil {
		return err
	}
	p, err := c.lowerPlan()
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%s\n", text)
	pol, problems := loader{}.load(text)
	for _, problem := range problems {
		fmt.Fprintf(w, "%s\n", problem.Error())
	}
	if pol == nil {
		return nil
	}
	pol.Explain = true
	r := planlint.New(*pol).Check(context.Background(), p)
	all := finding.Report{Plans: []finding.PlanReport{r}, Rules: pol.Compose}
	if err := writeReport(w, &all); err != nil {
		return err
	}
	for i := range r.Calls {
		fmt.Fprintf(w, "call %d:\n  %s\n", i+1, strings.Join(r.Trace(i), "\n  "))
	}
	o := c.compare(&r)
	fmt.Fprintf(w, "\nexpected %s: %s (%s)\n", c.Expected.Decision, verdictNames[o.verdict], o.detail)
	return nil
}

func writeReport(w io.Writer, r *finding.Report) error {
	return report.Write(w, r, report.Options{Format: report.Text, Width: 120})
}

// Beyond reports whether there is a miss, or more of the rest than the given
// percentages of all cases.
func (s *Score) Beyond(maxWeak, maxFalse float64) bool {
	n, all := s.count("", false)
	percent := func(n int) float64 { return 100 * float64(n) / float64(max(all, 1)) }
	return n[miss] > 0 || percent(n[weak]+n[silent]) > maxWeak || percent(n[falseAlarm]+n[tooHard]) > maxFalse
}

// count counts the outcomes of a kind, "" for all.
func (s *Score) count(kind string, debatable bool) (n [len(verdictNames)]int, all int) {
	for _, o := range s.outcomes {
		if (kind == "" || o.c.Kind == kind) && o.c.Debatable() == debatable {
			n[o.verdict]++
			all++
		}
	}
	return n, all
}

// Write prints the score.
func (s *Score) Write(w io.Writer) {
	var kinds []string
	for _, o := range s.outcomes {
		if !slices.Contains(kinds, o.c.Kind) {
			kinds = append(kinds, o.c.Kind)
		}
	}
	fmt.Fprintf(w, "%-16s %6s %6s %8s %12s %9s %7s\n", "kind", "cases", "miss", "too weak", "false alarm", "too hard", "silent")
	for _, kind := range append(kinds, "") {
		n, all := s.count(kind, false)
		name := kind
		if kind == "" {
			name = "total"
		}
		fmt.Fprintf(w, "%-16s %6d %6d %8d %12d %9d %7d\n", name, all, n[miss], n[weak], n[falseAlarm], n[tooHard], n[silent])
	}
	s.writeFailed(w, "failed", false)
	s.writeFailed(w, "debatable", true)
}

func (s *Score) writeFailed(w io.Writer, title string, debatable bool) {
	n, all := s.count("", debatable)
	if all == 0 || !debatable && n[right] == all {
		return
	}
	fmt.Fprintf(w, "\n%s: %d of %d right\n", title, n[right], all)
	for _, o := range s.outcomes {
		if o.c.Debatable() == debatable && (o.verdict != right || debatable) {
			fmt.Fprintf(w, "  %-11s  %s (%s): %s\n", verdictNames[o.verdict], o.c.ID, o.c.Expected.Decision, o.detail)
		}
	}
}
