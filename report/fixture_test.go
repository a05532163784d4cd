package report_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planlint/planlint/finding"
	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/origin"
	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/taint"
)

// hostile is what a plan may hold to fool a terminal, a viewer or a CI system.
const hostile = "x\x1b[31m\r\n::error::owned\u202e\u200b\u2028\x00\u009b" +
	"\"`|<script>](http://evil.example)%0A*_#\xff\U000e0041"

const leakSource = "version: 1\ncalls:\n- {id: creds, tool: read_secret, args: {name: stripe_key}}\n" +
	"- {id: mail, tool: send_email, args: {to: [ops@partner.example], body: \"here: ${creds.output}\"}}\n"

// at is a position of a text in a source.
func at(src, text string) plan.Position {
	i := strings.Index(src, text)
	line := strings.Count(src[:i], "\n")
	start := strings.LastIndex(src[:i], "\n") + 1
	return plan.Position{Line: int32(line + 1), Column: int32(i - start + 1), Length: int32(len(text))}
}

func str(src, text string) plan.Value {
	v := plan.Str(text)
	if strings.Contains(src, text) {
		v.Pos = at(src, text)
	}
	return v
}

func call(i int, id, tool string, args plan.Value, pos plan.Position) plan.Call {
	return plan.Call{Index: i, ID: id, Tool: tool, Turn: i, Args: args, Pos: pos}
}

// leak is the plan of the README: a secret that is mailed out.
func leak(t testing.TB) finding.PlanReport {
	t.Helper()
	ref := plan.Ref{Name: "creds", Call: 0, Start: 6, End: 21, Pos: at(leakSource, "${creds.output}")}
	body := str(leakSource, "here: ${creds.output}")
	body.Ext = &plan.Ext{Refs: []plan.Ref{ref}}
	p := &plan.Plan{ID: "leak", Source: "leak.yaml", Format: "planlint", Calls: []plan.Call{
		call(0, "creds", "read_secret", plan.Obj([]string{"name"}, str(leakSource, "stripe_key")), at(leakSource, "{id: creds")),
		call(1, "mail", "send_email", plan.Obj([]string{"to", "body"},
			plan.Value{Kind: plan.List, Items: []plan.Value{str(leakSource, "ops@partner.example")}}, body), at(leakSource, "{id: mail")),
	}}
	args := p.Calls[1].Args.Items
	facts := []taint.Facts{{
		Steps:  []taint.Step{{}},
		Result: &taint.Result{Output: []taint.Source{{Labels: taint.Of(taint.Secret), Why: "contract of read_secret"}}},
	}, {
		Slots: []taint.Slot{taint.NewSlot("to", &args[0]), taint.NewSlot("body", &args[1])},
		Steps: []taint.Step{{
			Reads: []taint.Operand{{Kind: taint.FromSlot, Index: 0}, {Kind: taint.FromSlot, Index: 1}},
			Sinks: []taint.Sink{{Kinds: taint.SinkPublic, Audience: taint.AudienceOf("ops@partner.example"),
				From: []taint.Operand{{Kind: taint.FromSlot, Index: 1}}}},
		}},
	}}
	u, err := taint.NewUniverse()
	require.NoError(t, err)
	l := taint.Build(p, facts, u).Propagate()
	flows := l.Flows()
	require.NotEmpty(t, flows)
	gates := gate.DefaultTable()
	rule := finding.Rule{ID: "PL1001", Builtin: true, Title: "secret data reaches a public or external sink", Severity: finding.Error, Decision: gate.Ask,
		Why:     "a party that may not have the secret would get it, and it can't be taken back",
		Instead: "send a reference to the secret, or redact it first", References: []string{"OWASP LLM02:2025"}}
	f := finding.Finding{
		Rule: &rule, Call: 1, Message: rule.Title, Precision: flows[0].Precision, Labels: []string{"secret"}, Flow: &flows[0],
		Position: finding.Position{File: "leak.yaml", Position: ref.Pos}, Escalates: []int{0, 1}, Gate: gates.Strictest,
	}
	ask := gate.Gate{Requirements: gates.Strictest, Obligations: gate.Obligations{Audit: true}}
	return finding.PlanReport{
		ID: "leak", Source: "leak.yaml", Format: "planlint", Verdict: gate.Ask, Gate: gates.Strictest,
		Plan: p, Labels: l, Universe: u, Findings: []finding.Finding{f},
		Calls: []finding.CallReport{
			{Call: &p.Calls[0], Class: gate.ReversibleInternal, ReadOnly: true,
				Carried: &finding.Carried{LabelsOut: []string{"secret"}},
				Answer: &finding.Answer{Decision: gate.Ask, Gate: ask, Why: "on the path of PL1001: " + rule.Why,
					Instead: rule.Instead, Rule: "PL1001", Alone: gate.Allow},
				Findings: []int{0}},
			{Call: &p.Calls[1], Class: gate.IrreversiblePublic,
				Carried: &finding.Carried{LabelsIn: []string{"secret"}},
				Answer: &finding.Answer{Decision: gate.Ask, Gate: ask, Why: rule.Why, Instead: rule.Instead, Rule: "PL1001",
					Alone: gate.Ask, AloneGate: gates.For(gate.IrreversiblePublic)},
				Findings: []int{0}},
		},
		Traces: [][]string{nil, {"1 shape: in order", "4 escalation: PL1001 (value) adds effect review"}},
	}
}

func clean() finding.PlanReport {
	unlabelled, readOnly := &finding.Carried{}, &finding.Answer{Decision: gate.Allow, Rule: "read-only"}
	return finding.PlanReport{ID: "clean", Source: "clean.yaml", Verdict: gate.Allow, Calls: []finding.CallReport{
		{Call: &plan.Call{Index: 0, ID: "a", Tool: "query"}, Class: gate.ReversibleInternal, Carried: unlabelled, Answer: readOnly},
		{Call: &plan.Call{Index: 1, ID: "b", Tool: "query"}, Class: gate.ReversibleInternal, Carried: unlabelled, Answer: readOnly},
		{Call: &plan.Call{Index: 2, ID: "c", Tool: "query"}, Class: gate.ReversibleInternal, Carried: unlabelled, Answer: readOnly},
	}}
}

// mixed asks and denies without findings, and has diagnostics.
func mixed() finding.PlanReport {
	unlabelled := &finding.Carried{}
	calls := []finding.CallReport{
		{Call: &plan.Call{Index: 0, ID: "d", Tool: "drop_table", Outcome: plan.Planned}, Class: gate.IrreversibleInternal, Carried: unlabelled,
			Answer: &finding.Answer{Decision: gate.Ask, Gate: gate.Gate{Requirements: gate.Requirements{EffectReview: true}}, Rule: "class",
				Why: "its effect is permanent, so a person sees the effect first", Instead: "show its preview"}},
		{Call: &plan.Call{Index: 1, ID: "e", Tool: "refund", Outcome: plan.Refused}, Class: gate.IrreversiblePublic, Carried: unlabelled,
			Answer: &finding.Answer{Decision: gate.Deny, Rule: "planlint.yaml:9", Why: "money is moved by people", Instead: "open a ticket"}},
		{Call: &plan.Call{Index: 2, ID: "f", Tool: "zap"}, Carried: unlabelled,
			Answer: &finding.Answer{Decision: gate.Ask, Gate: gate.Gate{Requirements: gate.Requirements{Approvals: 1}},
				Rule: "unknown_tool", Why: "nothing describes it", Instead: "use another"},
			Suggest: `{decision: allow, tool: "zap"}`},
	}
	for i := range calls {
		calls[i].Pos = plan.Position{Line: int32(i + 3), Column: 3}
	}
	at := func(i int) finding.Position { return finding.Position{File: "mixed.yaml", Position: calls[i].Pos} }
	return finding.PlanReport{
		ID: "mixed", Source: "mixed.yaml", Verdict: gate.Deny, Calls: calls,
		Diagnostics: []finding.Diagnostic{
			{ID: "PL9010", Message: `nothing describes the tool "zap"`, Call: 2, Position: at(2)},
			{ID: "PL9011", Message: "the command was not analysed", Hint: "write it plainly", Call: 0, Closing: true, Position: at(0)},
		},
	}
}

// evil has hostile text wherever a plan can put some.
func evil() finding.PlanReport {
	src := "evil \x1b[1m.yaml"
	p := &plan.Plan{ID: hostile, Source: src, Calls: []plan.Call{
		call(0, hostile, hostile, plan.Obj([]string{hostile, "password"}, plan.Str(hostile), plan.Str("hunter2hunter2")), plan.Position{Line: 1, Column: 1}),
	}, Texts: []plan.Text{{Kind: plan.TextPasted, Origin: hostile, Text: hostile}}}
	u, _ := taint.NewUniverse()
	l := taint.Build(p, []taint.Facts{{
		Slots: []taint.Slot{taint.NewSlot(hostile, &p.Calls[0].Args.Items[0])},
		Steps: []taint.Step{{
			Name:  hostile,
			Reads: []taint.Operand{{Kind: taint.FromSlot, Index: 0}, {Kind: taint.FromCell, Cell: &taint.Cell{Name: "file:" + hostile}}},
			Sinks: []taint.Sink{{Kinds: taint.SinkPublic}},
		}},
	}}, u).Propagate()
	pos := finding.Position{File: src, Position: plan.Position{Line: 1, Column: 3, Length: 4}}
	flow := &taint.Flow{
		Labels: taint.Of(taint.Untrusted), Label: taint.Untrusted, Precision: taint.Value, Kinds: taint.SinkPublic,
		Source: taint.Place{Kind: taint.PlaceText, Call: -1}, Sink: taint.Place{Kind: taint.PlaceArgument, Field: hostile},
		SourceWhy: hostile, Audience: taint.AudienceOf(hostile), Slot: 0,
		Hops: []taint.Hop{{From: taint.Place{Kind: taint.PlaceText, Call: -1}, To: taint.Place{Kind: taint.PlaceArgument, Field: hostile},
			Precision: taint.Value, Evidence: taint.Evidence{Kind: taint.ByMatch, Source: hostile, Decoding: hostile, Length: 40, Digest: hostile, Pos: pos.Position}}},
	}
	from := &origin.Call{
		Parts: []origin.Part{
			{Argument: hostile, Atom: 2, Inside: true, From: origin.FromText, Standing: origin.Found,
				Basis: &origin.Basis{Source: origin.Place{Call: 0, Field: hostile}, Decoding: hostile, Lacks: hostile,
					Chain: []origin.Pointer{{How: hostile, Via: origin.Place{Call: 0, Field: hostile}}}}},
			{Argument: hostile, From: origin.FromUser | origin.FromText},
			{Argument: hostile},
		},
		Raised: &origin.Raised{Reasons: []origin.Reason{{Signal: origin.TargetFromText, Part: 0, Why: hostile}, {Signal: origin.Unasked, Part: -1, Why: hostile}}},
	}
	decided := finding.Finding{Position: pos, Origin: from,
		Rule: &finding.Rule{ID: "PL1007", Severity: finding.Error, Decision: gate.Ask, Title: hostile, Why: hostile, Origin: origin.TargetFromText | origin.Unasked, Builtin: true}}
	return finding.PlanReport{
		ID: hostile, Source: src, Verdict: gate.Ask, Gate: gate.Requirements{Approvals: 1}, Plan: p, Labels: l, Universe: u,
		Calls: []finding.CallReport{{Call: &p.Calls[0], Class: gate.Compensating,
			Carried: &finding.Carried{LabelsIn: []string{"untrusted"}, LabelsOut: []string{hostile}},
			Answer: &finding.Answer{Decision: gate.Ask, Rule: hostile, Why: hostile, Instead: hostile,
				Gate: gate.Gate{Requirements: gate.Requirements{Approvals: 1}}},
			Suggest: hostile, Findings: []int{0, 1, 2}, Origin: from}},
		Traces: [][]string{{hostile}},
		Findings: []finding.Finding{{Rule: &finding.Rule{ID: "PL1004", Severity: finding.Warning, Decision: gate.Ask, Title: hostile,
			Why: hostile, Instead: hostile}, Message: hostile, Labels: []string{hostile}, Flow: flow, Precision: taint.Value, Position: pos,
			Gate: gate.Requirements{Approvals: 1}, Escalates: []int{0}}, decided, acceptedTwin(decided)},
		Diagnostics: []finding.Diagnostic{{ID: "PL9001", Message: hostile, Hint: hostile, Call: 0, Closing: true, Position: pos}},
	}
}

// acceptedTwin is the same finding, accepted by a hostile rule.
func acceptedTwin(f finding.Finding) finding.Finding {
	rule := *f.Rule
	rule.ID, f.Rule = "PL1008", &rule
	f.Flow, f.Accepted = nil, &finding.Acceptance{Rule: hostile, Reason: hostile}
	return f
}

func sources(name string) []byte {
	switch name {
	case "leak.yaml":
		return []byte(leakSource)
	case "mixed.yaml":
		return nil
	}
	return []byte(hostile + "\n")
}

func full(t testing.TB) *finding.Report {
	return &finding.Report{
		Plans:       []finding.PlanReport{leak(t), clean(), mixed(), evil()},
		Diagnostics: []finding.Diagnostic{{ID: "PL9000", Message: "broken\x1b.json: not readable", Call: -1, Position: finding.Position{File: "broken\x1b.json"}}},
	}
}
