package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/planlint/planlint/finding"
	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/taint"
)

// maxExplainFlows is how many flows into one call ExplainCall draws.
const maxExplainFlows = 20

// ExplainCall writes for people why one call is answered as it is: what it is,
// each step of the decision, every flow that reaches it, and what would change
// the answer. A call that the plan does not have is an error.
func ExplainCall(w io.Writer, p *finding.PlanReport, call int, o Options) error {
	if call < 0 || call >= len(p.Calls) {
		return fmt.Errorf("plan %q has no call %d", p.Source, call+1)
	}
	if o.Width <= 0 {
		o.Width = DefaultWidth
	}
	out := bufio.NewWriter(w)
	t := &textWriter{w: out, o: o}
	t.explain(p, newMasker(p), &p.Calls[call])
	return out.Flush()
}

func (t *textWriter) explain(p *finding.PlanReport, m *masker, c *finding.CallReport) {
	t.printf("%s: call %s", position(p.Position(c.Index)), callName(p, c.Index))
	if s := m.summary(c.Index, t.o.Width/2); s != "" {
		t.printf(" %s", s)
	}
	t.printf("\n\n")
	readOnly := ""
	if c.ReadOnly {
		readOnly = ", read-only"
	}
	t.labelled("class", className(c)+readOnly)
	t.labelled("outcome", c.Outcome.String())
	t.labelled("in", orNone(c.LabelsIn, "by value or resource"))
	if len(c.LabelsContext) > len(c.LabelsIn) {
		t.labelled("context", strings.Join(escapeAll(c.LabelsContext), ", "))
	}
	t.labelled("out", orNone(c.LabelsOut, ""))
	t.labelled("answer", t.answer(c))
	t.indented("why", c.Why)
	t.indented("instead", c.Instead)
	t.origins(p, m, c)
	t.steps(p.Trace(c.Index))
	t.flows(p, c)
	t.change(p, c)
}

func orNone(names []string, how string) string {
	if len(names) == 0 {
		return strings.TrimSpace("nothing " + how)
	}
	return strings.Join(escapeAll(names), ", ")
}

func (t *textWriter) answer(c *finding.CallReport) string {
	out := t.decision(c.Decision, c.Decision.String())
	if !c.Gate.Requirements.None() {
		out += " (" + c.Gate.Requirements.String() + ")"
	}
	return out + " by " + Escape(c.Rule)
}

func (t *textWriter) steps(trace []string) {
	if len(trace) == 0 {
		return
	}
	t.printf("\nsteps of the decision\n")
	for _, s := range trace {
		t.printf("  %s\n", clip(s, 2*t.o.Width))
	}
}

// flows draws every flow that reaches the call's sinks, best first.
func (t *textWriter) flows(p *finding.PlanReport, c *finding.CallReport) {
	if p.Labels == nil {
		return
	}
	flows, more := p.Labels.AllFlows(c.Index, maxExplainFlows)
	if len(flows) == 0 {
		return
	}
	t.printf("\nflows into it\n")
	for i := range flows {
		t.flow(p, &flows[i])
	}
	if more {
		t.printf("  … and more\n")
	}
}

func (t *textWriter) flow(p *finding.PlanReport, f *taint.Flow) {
	name := "data"
	if p.Universe != nil {
		name = Escape(p.Universe.Name(f.Label))
	}
	t.printf("  %s by %s", name, f.Precision)
	if f.SourceWhy != "" {
		t.printf(" (%s)", Escape(f.SourceWhy))
	}
	t.printf("\n")
	for i, s := range pathSteps(p, f) {
		if i == 0 {
			t.printf("      %s\n", cut(s.place, t.o.Width))
			continue
		}
		t.printf("      %-13s %s\n", s.arrow, cut(s.place, t.o.Width))
	}
}

// change says what would change the answer.
func (t *textWriter) change(p *finding.PlanReport, c *finding.CallReport) {
	var lines []string
	if c.Alone != c.Decision || c.AloneGate != c.Gate.Requirements {
		alone := c.Alone.String()
		if c.Alone == gate.Ask {
			alone += " (" + c.AloneGate.String() + ")"
		}
		lines = append(lines, "without the rest of the plan: "+alone)
	}
	if c.Suggest != "" {
		lines = append(lines, "allowed by the rule "+Escape(c.Suggest))
	}
	var seen []string
	for _, i := range c.Findings {
		f := &p.Findings[i]
		if f.Gate.None() && f.Decision != gate.Deny || c.Decision == gate.Allow {
			continue
		}
		if id := Escape(f.ID); len(appendNew(seen, id)) > len(seen) {
			seen = append(seen, id)
			lines = append(lines, "not escalated with: "+Escape(f.Instead))
			lines = append(lines, fmt.Sprintf("or accepted: by an allow with accepts: [%s] and a reason, in a policy that is trusted", id))
		}
	}
	if len(lines) == 0 {
		return
	}
	t.printf("\nwhat would change that\n")
	for _, l := range lines {
		for i, part := range wrap(l, t.o.Width-4) {
			t.printf("%s%s\n", [...]string{"  ", "    "}[min(i, 1)], part)
		}
	}
}
