package planlint

import (
	"regexp"
	"slices"
	"sort"
	"sync"

	"github.com/planlint/planlint/finding"
	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/rules"
	"github.com/planlint/planlint/taint"
	"github.com/planlint/planlint/tool"
)

// noteFailed is the diagnostic of a plan that could not be checked at all.
const noteFailed = "PL9000"

// deciding is the last stage for one plan.
type deciding struct {
	checker *Checker
	plan    *plan.Plan
	calls   []tool.Resolved
	labels  *taint.Labels
	shared  *shared
	subject *tool.Subject
	agents  map[string][]string
	gates   *gate.Table
	rules   *rules.Decider
	// in and bare are what is decided: a call, and the same without what
	// composition adds to it.
	in, bare rules.Input
	// escalations and closing are by call; few calls have notes that close them.
	escalations [][]rules.Escalation
	closing     map[int][]plan.Note
	// next is the first finding that was not looked at by accept.
	next int
}

// decide gives every call its decision: the class gate, the escalations and the
// rules together. The plan's verdict is the strictest of them.
func (c *Checker) decide(p *plan.Plan, calls []tool.Resolved, labels *taint.Labels, found composed) finding.PlanReport {
	report := c.newReport(p)
	report.Labels = labels
	report.Findings = found.findings
	notes := notesOf(p, calls, labels, found)
	d := &deciding{
		checker: c, plan: p, calls: calls, labels: labels,
		shared:  newShared(c.policy.Universe),
		subject: &tool.Subject{Plan: p, Calls: calls, Labels: labels, Universe: c.policy.Universe},
		agents:  agentPaths(p),
		gates:   c.policy.gates(),
		closing: closingOf(notes, len(calls)),
		rules:   c.policy.Rules.Decider(),
	}
	d.escalations = escalationsOf(found.findings, len(calls))
	d.release(report.Findings)
	report.Calls = make([]finding.CallReport, 0, len(calls))
	for i := range calls {
		d.in = d.input(i)
		confidential := d.confidential(i)
		d.in.NoSuggest = confidential
		decided := d.rules.Decide(&d.in)
		d.accept(report.Findings, i)
		if confidential {
			decided.Trace = masked(decided.Trace)
			hideQuotes(decided.Notes)
			decided.Why = quoted().ReplaceAllString(decided.Why, "…")
		}
		notes = append(notes, decided.Notes...)
		report.Calls = append(report.Calls, d.callReport(&d.in, &decided))
		if c.policy.Explain {
			report.Traces = append(report.Traces, decided.Trace)
		}
	}
	report.Diagnostics = diagnostics(p, notes)
	linkFindings(&report)
	for i := range report.Calls {
		if from := &found.origins.Calls[i]; len(from.Parts) > 0 {
			report.Calls[i].Origin = from
		}
	}
	report.Verdict, report.Gate = verdict(&report)
	return report
}

// input is what the decision for one call depends on. The subject is shared, so
// that an input is good until the next one is made.
func (d *deciding) input(i int) rules.Input {
	c := d.checker
	d.subject.Call = i
	return rules.Input{
		Call: &d.plan.Calls[i], Resolved: &d.calls[i], Gates: d.gates,
		Escalations: d.escalations[i], Closing: d.closing[i],
		Protected:  c.policy.Protected.Touched(&d.plan.Calls[i], &d.calls[i]),
		AgentPath:  d.agents[d.plan.Calls[i].AgentName()],
		Subject:    d.subject,
		Conditions: c.policy.Composer,
		Asker:      !c.situation.NobodyToAsk,
		Lease:      c.situation.Lease,
		Approvals:  c.situation.Approvals,
		Explain:    c.policy.Explain,
	}
}

// release drops what a finding adds to the calls on its path where a rule accepts
// the finding at its sink: what may leave there may be read before.
func (d *deciding) release(findings []finding.Finding) {
	for i := range findings {
		f := &findings[i]
		if f.Call < 0 || len(f.Escalates) < 2 {
			continue
		}
		d.in = d.input(f.Call)
		d.in.NoSuggest = true
		if !slices.Contains(d.rules.Decide(&d.in).Accepted, f.ID) {
			continue
		}
		for _, call := range f.Escalates {
			d.escalations[call] = slices.DeleteFunc(d.escalations[call], func(e rules.Escalation) bool {
				return e.OnPath && e.Finding == i
			})
		}
		f.Escalates = []int{f.Call}
	}
}

// accept marks the findings on the call decided last that a rule accepts. Findings
// are in the order of calls, those on the plan last.
func (d *deciding) accept(findings []finding.Finding, call int) {
	for d.next < len(findings) && findings[d.next].Call >= 0 && findings[d.next].Call <= call {
		f := &findings[d.next]
		d.next++
		if f.Call != call {
			continue
		}
		if rule := d.rules.Accepted(f.ID); rule != nil {
			f.Accepted = &finding.Acceptance{Rule: rule.Name, Reason: rule.Reason}
		}
	}
}

func (c *Checker) newReport(p *plan.Plan) finding.PlanReport {
	return finding.PlanReport{
		ID: p.ID, Source: p.Source, Format: p.Format,
		Recorded: p.Recorded, Plan: p, Universe: c.policy.Universe,
	}
}

func (d *deciding) callReport(in *rules.Input, decided *rules.Result) finding.CallReport {
	call, i, labels := in.Call, in.Call.Index, d.labels
	alone, aloneGate := decided.Decision, decided.Gate.Requirements
	if len(in.Escalations) > 0 {
		d.bare = *in
		d.bare.Escalations, d.bare.NoSuggest = nil, true
		without := d.rules.Decide(&d.bare)
		alone, aloneGate = without.Decision, without.Gate.Requirements
	}
	return finding.CallReport{
		Index: i, ID: call.ID, Tool: call.Tool,
		Class: in.Resolved.Class, ReadOnly: in.Resolved.ReadOnly, Outcome: call.Outcome,
		Carried: d.shared.labels(labels.In(i, taint.Resource), labels.Out(i), labels.In(i, taint.Context)),
		Answer: d.shared.answer(&finding.Answer{
			Decision: decided.Decision, Gate: decided.Gate,
			Why: decided.Why, Instead: decided.Instead, Rule: decided.Rule,
			Alone: alone, AloneGate: aloneGate,
		}),
		Suggest:  decided.Suggest,
		Position: finding.Position{File: in.Subject.Plan.Source, Position: call.Pos},
	}
}

// confidential reports whether confidential data is known to have reached a
// call's arguments, so that nothing may quote them.
func (d *deciding) confidential(i int) bool {
	return d.labels.In(i, taint.Resource).Without(d.checker.policy.Universe.Integrity()) != 0
}

// masked returns the steps of a decision without what they quote of the call:
// confidential data reached its arguments, and a value is never printed.
func masked(trace []string) []string {
	out := make([]string, len(trace))
	for i, step := range trace {
		out[i] = quoted().ReplaceAllString(step, "…")
	}
	return out
}

// hideQuotes is masked for notes.
func hideQuotes(notes []plan.Note) {
	for i := range notes {
		n := &notes[i]
		n.Message, n.Hint = quoted().ReplaceAllString(n.Message, "…"), quoted().ReplaceAllString(n.Hint, "…")
	}
}

// quoted is what the steps of a decision quote: words in brackets, and strings.
var quoted = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\[.*\]|"(?:[^"\\]|\\.)*"`) })

// notesOf gathers what every stage could not know.
func notesOf(p *plan.Plan, calls []tool.Resolved, labels *taint.Labels, found composed) []plan.Note {
	notes := append([]plan.Note(nil), p.Notes...)
	universe := labels.Graph().Universe()
	for i := range calls {
		first := len(notes)
		notes = append(notes, calls[i].Notes...)
		if len(notes) > first && labels.In(i, taint.Resource).Without(universe.Integrity()) != 0 {
			hideQuotes(notes[first:])
		}
	}
	notes = append(notes, labels.Graph().Notes()...)
	return append(notes, found.notes...)
}

func diagnostics(p *plan.Plan, notes []plan.Note) []finding.Diagnostic {
	sort.SliceStable(notes, func(i, j int) bool { return notes[i].Call < notes[j].Call })
	list := make([]finding.Diagnostic, len(notes))
	for i, n := range notes {
		list[i] = finding.Diagnostic{
			ID: n.ID, Message: n.Message, Hint: n.Hint, Call: n.Call, Closing: n.Closing,
			Position: finding.Position{File: p.Source, Position: n.Pos},
		}
		if !n.Pos.Known() && n.Call >= 0 && n.Call < len(p.Calls) {
			list[i].Position.Position = p.Calls[n.Call].Pos
		}
	}
	return list
}

func closingOf(notes []plan.Note, calls int) map[int][]plan.Note {
	closing := map[int][]plan.Note{}
	for _, n := range notes {
		if n.Closing && n.Call >= 0 && n.Call < calls {
			closing[n.Call] = append(closing[n.Call], n)
		}
	}
	return closing
}

// escalationsOf lists, per call, what composition adds to it.
func escalationsOf(findings []finding.Finding, calls int) [][]rules.Escalation {
	counts := make([]int32, calls)
	for i := range findings {
		for _, call := range findings[i].Escalates {
			counts[call]++
		}
	}
	list := rooms[rules.Escalation](counts)
	for i := range findings {
		f := &findings[i]
		for _, call := range f.Escalates {
			list[call] = append(list[call], rules.Escalation{
				Rule: f.ID, Why: f.Why, Instead: f.Instead, Requirements: f.Gate,
				Precision: f.Precision, Decision: f.Decision, OnPath: call != f.Call, Finding: i,
			})
		}
	}
	return list
}

// rooms returns an empty slice for each count, with room for so many, in one piece
// of memory.
func rooms[T any](counts []int32) [][]T {
	total := 0
	for _, n := range counts {
		total += int(n)
	}
	all, list := make([]T, total), make([][]T, len(counts))
	for i, n := range counts {
		if n > 0 {
			list[i], all = all[:0:n], all[n:]
		}
	}
	return list
}

// agentPaths maps each agent to itself and its ancestors, nearest first.
func agentPaths(p *plan.Plan) map[string][]string {
	parents := make(map[string]string, len(p.Agents))
	for _, a := range p.Agents {
		parents[a.Name] = a.Parent
	}
	paths := map[string][]string{plan.MainAgent: {plan.MainAgent}}
	// Children come last: what a parent's path is stands at the end of theirs, so
	// that a long chain is one piece of memory.
	for i := len(p.Agents) - 1; i >= 0; i-- {
		if paths[p.Agents[i].Name] != nil {
			continue
		}
		var path []string
		for name := p.Agents[i].Name; name != "" && len(path) <= len(p.Agents); name = parents[name] {
			path = append(path, name)
		}
		for k, name := range path {
			if paths[name] == nil {
				paths[name] = path[k:]
			}
		}
	}
	return paths
}

// linkFindings lists for each call the findings that speak of it or escalate it.
func linkFindings(report *finding.PlanReport) {
	counts := make([]int32, len(report.Calls))
	eachLink(report, func(call, _ int) { counts[call]++ })
	for call, room := range rooms[int](counts) {
		report.Calls[call].Findings = room
	}
	eachLink(report, func(call, finding int) {
		report.Calls[call].Findings = append(report.Calls[call].Findings, finding)
	})
}

func eachLink(report *finding.PlanReport, visit func(call, finding int)) {
	for i := range report.Findings {
		f := &report.Findings[i]
		for _, call := range f.Escalates {
			visit(call, i)
		}
		if f.Call >= 0 && len(f.Escalates) == 0 {
			visit(f.Call, i)
		}
	}
}

// verdict is the strictest decision over the calls that ran or will run, and
// over findings on the plan as a whole, with the joined gate of what asks.
func verdict(report *finding.PlanReport) (gate.Decision, gate.Requirements) {
	strictest, joined := gate.Allow, gate.Requirements{}
	for i := range report.Calls {
		call := &report.Calls[i]
		if call.Outcome.DidNotRun() {
			continue
		}
		strictest = gate.Strictest(strictest, call.Decision)
		if call.Decision == gate.Ask {
			joined = joined.Join(call.Gate.Requirements)
		}
	}
	for i := range report.Findings {
		if f := &report.Findings[i]; f.Call < 0 && (f.Decision == gate.Deny || !f.Gate.None()) {
			strictest = gate.Strictest(strictest, f.Decision)
			joined = joined.Join(f.Gate)
		}
	}
	if strictest == gate.Deny {
		return gate.Deny, gate.Requirements{}
	}
	return strictest, joined
}

// denyAll is the report of a plan that could not be checked.
func (c *Checker) denyAll(p *plan.Plan, why string) finding.PlanReport {
	report := finding.PlanReport{
		ID: p.ID, Source: p.Source, Format: p.Format, Recorded: p.Recorded,
		Plan: p, Universe: c.policy.Universe, Verdict: gate.Deny,
		Diagnostics: []finding.Diagnostic{{
			ID: noteFailed, Message: why, Hint: "nothing was checked; please report this with the plan's shape",
			Call: -1, Closing: true, Position: finding.Position{File: p.Source},
		}},
	}
	answer := &finding.Answer{Decision: gate.Deny, Rule: noteFailed, Why: why}
	for i := range p.Calls {
		call := &p.Calls[i]
		report.Calls = append(report.Calls, finding.CallReport{
			Index: i, ID: call.ID, Tool: call.Tool, Outcome: call.Outcome,
			Carried: &finding.Carried{}, Answer: answer,
			Position: finding.Position{File: p.Source, Position: call.Pos},
		})
	}
	return report
}
