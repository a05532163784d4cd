package planlint

import (
	"regexp"
	"slices"
	"sync"

	"github.com/planlint/planlint/finding"
	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/internal/reuse"
	"github.com/planlint/planlint/origin"
	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/rules"
	"github.com/planlint/planlint/taint"
	"github.com/planlint/planlint/tool"
)

// noteFailed is the diagnostic of a plan that could not be checked at all.
const noteFailed = "PL9000"

// deciding is the last stage for one plan, in memory that is kept for the next one.
// Nothing in a report points there.
type deciding struct {
	checker *Checker
	report  finding.PlanReport
	calls   []tool.Resolved
	origins *origin.Report
	agents  agents
	rules   *rules.Decider
	// in is what is decided: the call of subject.
	subject tool.Subject
	in      rules.Input
	// closing are the notes that close a call; few calls have any.
	closing map[int][]plan.Note
	shared  shared
	// escalations are those of in, counts are by call.
	escalations []rules.Escalation
	counts      []int32
	// next is the first finding that was not looked at by accept.
	next int
}

var decidings = sync.Pool{New: func() any { return new(deciding) }}

// decide gives every call its decision: the class gate, the escalations and the
// rules together. The plan's verdict is the strictest of them.
func (c *Checker) decide(p *plan.Plan, calls []tool.Resolved, labels *taint.Labels, found composed) finding.PlanReport {
	notes := notesOf(p, calls, labels, found)
	d := decidings.Get().(*deciding)
	d.begin(c, p, calls, labels, found)
	d.closing = closingOf(notes, len(calls))
	d.link()
	if d.release() {
		d.link()
	}
	for i := range calls {
		notes = append(notes, d.call(i)...)
	}
	report := d.report
	d.end()
	report.Diagnostics = diagnostics(p, notes)
	report.Verdict, report.Gate = verdict(&report)
	return report
}

func (d *deciding) begin(c *Checker, p *plan.Plan, calls []tool.Resolved, labels *taint.Labels, found composed) {
	d.checker, d.calls, d.origins = c, calls, found.origins
	d.report = c.newReport(p)
	d.report.Labels, d.report.Findings = labels, found.findings
	d.report.Calls = make([]finding.CallReport, len(calls))
	d.agents, d.rules = agentsOf(p), c.policy.Rules.Decider()
	d.shared.universe = c.policy.Universe
	d.subject = tool.Subject{Plan: p, Calls: calls, Labels: labels, Universe: c.policy.Universe}
	d.in = rules.Input{
		Gates:      c.policy.gates(),
		Subject:    &d.subject,
		Conditions: c.policy.Composer,
		Asker:      !c.situation.NobodyToAsk,
		Lease:      c.situation.Lease,
		Approvals:  c.situation.Approvals,
		Explain:    c.policy.Explain,
	}
}

// end gives the memory back, without what stood there.
func (d *deciding) end() {
	d.rules.Release()
	*d = deciding{escalations: reuse.Cleared(d.escalations), counts: reuse.Cleared(d.counts)}
	decidings.Put(d)
}

// call decides one call and returns the notes that come of it.
func (d *deciding) call(i int) []plan.Note {
	labels := d.report.Labels
	held := labels.In(i, taint.Resource)
	confidential := d.confidential(held)
	d.take(i)
	d.in.NoSuggest = confidential
	decided := d.rules.Decide(&d.in)
	d.accept(i)
	if confidential {
		decided.Trace = masked(decided.Trace)
		hideQuotes(decided.Notes)
		decided.Why = quoted().ReplaceAllString(decided.Why, "…")
	}
	out := &d.report.Calls[i]
	out.Call, out.Class, out.ReadOnly, out.Suggest = d.in.Call, d.in.Resolved.Class, d.in.Resolved.ReadOnly, decided.Suggest
	out.Carried = d.shared.labels(held, labels.Out(i), labels.In(i, taint.Context))
	out.Answer = d.answer(&decided)
	if from := &d.origins.Calls[i]; len(from.Parts) > 0 {
		out.Origin = from
	}
	if d.in.Explain {
		d.report.Traces = append(d.report.Traces, decided.Trace)
	}
	return decided.Notes
}

// take makes in the input of one call. It is good until the next one is taken.
func (d *deciding) take(i int) {
	d.subject.Call = i
	in, c := &d.in, &d.report.Plan.Calls[i]
	in.Call, in.Resolved = c, &d.calls[i]
	in.Escalations, in.Closing = d.escalationsOf(i), d.closing[i]
	in.Protected = d.checker.policy.Protected.Touched(c, in.Resolved)
	in.AgentPath = d.agents.path(c.AgentName())
}

// escalationsOf lists what composition adds to one call, in the order of findings.
func (d *deciding) escalationsOf(call int) []rules.Escalation {
	d.escalations = d.escalations[:0]
	for _, i := range d.report.Calls[call].Findings {
		f := &d.report.Findings[i]
		if _, escalates := slices.BinarySearch(f.Escalates, call); escalates {
			d.escalations = append(d.escalations, rules.Escalation{
				Rule: f.ID, Why: f.Why, Instead: f.Instead, Requirements: f.Gate,
				Precision: f.Precision, Decision: f.Decision, OnPath: call != f.Call,
			})
		}
	}
	return d.escalations
}

// release drops what a finding adds to the calls on its path where a rule accepts
// the finding at its sink: what may leave there may be read before. It reports
// whether there was any.
func (d *deciding) release() (any bool) {
	for i := range d.report.Findings {
		f := &d.report.Findings[i]
		if f.Call < 0 || len(f.Escalates) < 2 {
			continue
		}
		d.take(f.Call)
		d.in.NoSuggest = true
		if slices.Contains(d.rules.Decide(&d.in).Accepted, f.ID) {
			f.Escalates, any = []int{f.Call}, true
		}
	}
	return any
}

// accept marks the findings on the call decided last that a rule accepts. Findings
// are in the order of calls, those on the plan last.
func (d *deciding) accept(call int) {
	findings := d.report.Findings
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

// answer is what a call is answered, and what it would be without composition.
func (d *deciding) answer(decided *rules.Result) *finding.Answer {
	out := finding.Answer{
		Decision: decided.Decision, Gate: decided.Gate,
		Why: decided.Why, Instead: decided.Instead, Rule: decided.Rule,
		Alone: decided.Decision, AloneGate: decided.Gate.Requirements,
	}
	if len(d.in.Escalations) > 0 {
		d.in.Escalations, d.in.NoSuggest = nil, true
		without := d.rules.Decide(&d.in)
		out.Alone, out.AloneGate = without.Decision, without.Gate.Requirements
	}
	return d.shared.answer(&out)
}

// confidential reports whether confidential data is known to have reached a
// call's arguments, so that nothing may quote them.
func (d *deciding) confidential(held taint.Set) bool {
	return held.Without(d.checker.policy.Universe.Integrity()) != 0
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
		notes = append(notes, calls[i].Notes()...)
		if len(notes) > first && labels.In(i, taint.Resource).Without(universe.Integrity()) != 0 {
			hideQuotes(notes[first:])
		}
	}
	notes = append(notes, labels.Graph().Notes()...)
	return append(notes, found.notes...)
}

func diagnostics(p *plan.Plan, notes []plan.Note) []finding.Diagnostic {
	slices.SortStableFunc(notes, func(a, b plan.Note) int { return a.Call - b.Call })
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
	var closing map[int][]plan.Note
	for _, n := range notes {
		if n.Closing && n.Call >= 0 && n.Call < calls {
			if closing == nil {
				closing = make(map[int][]plan.Note)
			}
			closing[n.Call] = append(closing[n.Call], n)
		}
	}
	return closing
}

// link lists for each call the findings that escalate it or, where they escalate
// nothing, speak of it.
func (d *deciding) link() {
	calls, findings := d.report.Calls, d.report.Findings
	if len(findings) == 0 {
		return
	}
	d.counts = slices.Grow(d.counts[:0], len(calls))[:len(calls)]
	clear(d.counts)
	total := 0
	for i := range findings {
		about := about(&findings[i])
		total += len(about)
		for _, call := range about {
			d.counts[call]++
		}
	}
	all := make([]int, total)
	for call, n := range d.counts {
		if calls[call].Findings = nil; n > 0 {
			calls[call].Findings, all = all[:0:n], all[n:]
		}
	}
	for i := range findings {
		for _, call := range about(&findings[i]) {
			calls[call].Findings = append(calls[call].Findings, i)
		}
	}
}

// about lists the calls that a finding is shown at.
func about(f *finding.Finding) []int {
	if f.Call >= 0 && len(f.Escalates) == 0 {
		return []int{f.Call}
	}
	return f.Escalates
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
	unlabelled, answer := &finding.Carried{}, &finding.Answer{Decision: gate.Deny, Rule: noteFailed, Why: why}
	for i := range p.Calls {
		report.Calls = append(report.Calls, finding.CallReport{Call: &p.Calls[i], Carried: unlabelled, Answer: answer})
	}
	return report
}
