package compiled

import (
	"fmt"

	"github.com/planlint/planlint/finding"
	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/origin"
	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/rules"
	"github.com/planlint/planlint/taint"
)

// rule lowers one per-call rule.
func (b *builder) rule(r *Rule) rules.Rule {
	decision, _ := gate.ParseDecision(r.Decision.S)
	name := r.Name.S
	if name == "" {
		name = place(r.Pos.File, r.Pos.Line)
	}
	return rules.Rule{
		Decision: decision, Tool: r.Tool.S, Path: r.Path.S, Access: accessOf(r.Access),
		Command: r.Command.S, Host: r.Host.S, Server: r.Server.S, Agent: r.Agent.S,
		When: b.cond(ScopeRule, "", r.When, r.Builtin), WhenText: r.When.S,
		Accepts: Strings(r.Accepts), Reason: r.Reason.S, Why: r.Why.S, Instead: r.Instead.S,
		Permission: r.Permission, Builtin: r.Builtin, Restrict: r.Restrict, Name: name, Pos: r.Pos,
	}
}

func place(file string, line int) string {
	if line == 0 {
		return file
	}
	return fmt.Sprintf("%s:%d", file, line)
}

// PermissionRules returns permission lists as rules, in the order deny, ask, allow.
func PermissionRules(p Permissions) []Rule {
	var out []Rule
	for _, list := range []struct {
		decision string
		patterns []Text
	}{{"deny", p.Deny}, {"ask", p.Ask}, {"allow", p.Allow}} {
		for _, t := range list.patterns {
			out = append(out, Rule{Decision: T(list.decision), Tool: t, Permission: true, Pos: t.At})
		}
	}
	return out
}

// composeRule lowers one composition rule.
func (b *builder) composeRule(r *ComposeRule) finding.Rule {
	on := finding.On(number("on", r.On.S))
	out := finding.Rule{
		ID: r.ID.S, Title: r.Title.S, On: on,
		Labels: b.wide(r.Labels), Sink: sinkKinds(r.Sink),
		When: int32(b.cond(scopeOf(on), "", r.When, r.Builtin)), WhenText: r.When.S,
		Decision: gate.Ask, Gate: finding.GateChoice(number("gate_choice", r.Gate.S)),
		SinkOnly: r.Escalate.S == "sink", Severity: finding.Error,
		Why: r.Why.S, Instead: r.Instead.S, Builtin: r.Builtin,
		References: Strings(r.References), Since: r.Since.S,
		Pos: finding.RulePosition{File: r.Pos.File, Position: plan.Position{Line: int32(r.Pos.Line), Column: int32(r.Pos.Column)}},
	}
	for _, l := range r.AllLabels {
		out.AllLabels = append(out.AllLabels, b.wide([]Text{l}))
	}
	for _, o := range r.Origin {
		signal, _ := origin.ParseSignal(o.S)
		out.Origin |= signal
	}
	for _, c := range r.Classes {
		class, _ := gate.ParseClass(c.S)
		out.Classes |= 1 << class
	}
	if r.Decision.S == "deny" {
		out.Decision = gate.Deny
	}
	if r.Severity.S != "" {
		out.Severity, _ = finding.ParseSeverity(r.Severity.S)
	}
	out.MinPrecision = taint.Context
	if r.Precision.S != "" {
		out.MinPrecision, _ = taint.ParsePrecision(r.Precision.S)
	}
	for _, u := range r.Unless {
		out.Exceptions = append(out.Exceptions, b.exception(on, r, u))
	}
	b.checkCompose(r, on)
	return out
}

func (b *builder) exception(on finding.On, r *ComposeRule, u Unless) finding.Exception {
	return finding.Exception{
		Tool: u.Tool.S, Source: u.Source.S, Reason: u.Reason.S,
		When: int32(b.cond(scopeOf(on), "", u.When, r.Builtin && !u.Own)),
	}
}

func scopeOf(on finding.On) Scope {
	return [...]Scope{finding.OnFlow: ScopeFlow, finding.OnCall: ScopeCall, finding.OnPlan: ScopePlan}[on]
}

// checkCompose reports what a rule on that subject has no use for: it would
// look like a condition and be none.
func (b *builder) checkCompose(r *ComposeRule, on finding.On) {
	if on == finding.OnPlan {
		for _, t := range [][]Text{r.Labels, r.AllLabels, r.Sink} {
			if len(t) > 0 {
				b.problem(t[0], fmt.Sprintf("rule %q looks at the plan: it has no labels and no sink of its own", r.ID.S),
					"say it in when, or use on: flow or on: call")
			}
		}
	}
	if on != finding.OnCall && len(r.Origin) > 0 {
		b.problem(r.Origin[0], fmt.Sprintf("rule %q does not look at calls: origin means nothing", r.ID.S), "use on: call")
	}
	if on != finding.OnFlow && r.Precision.S != "" {
		b.problem(r.Precision, fmt.Sprintf("rule %q does not look at flows: min_precision means nothing", r.ID.S), "use on: flow")
	}
	empty := len(r.Labels)+len(r.AllLabels)+len(r.Sink)+len(r.Classes)+len(r.Origin) == 0 && r.When.S == ""
	if empty {
		b.problems = append(b.problems, Problem{At: r.Pos, Entry: r.Pos,
			Message: fmt.Sprintf("rule %q has no condition: it would match everything", r.ID.S),
			Hint:    "give labels, all_labels, sink, classes or when"})
	}
	for _, u := range r.Unless {
		if u.Tool.S == "" && u.Source.S == "" && u.When.S == "" {
			b.problem(u.Reason, fmt.Sprintf("exception of rule %q matches everything: it would switch the rule off", r.ID.S), "give tool, source or when")
		}
	}
}

// Gates returns the gates of a document on top of the defaults.
func Gates(list Entries[Gate]) gate.Table {
	t := gate.DefaultTable()
	for _, e := range list {
		if e.Key.S == "strictest" {
			t.Strictest = Requirements(e.Value)
		} else if class, err := gate.ParseClass(e.Key.S); err == nil {
			t.ByClass[class] = Requirements(e.Value)
		}
	}
	return t
}

// Requirements returns a gate as the engine has it.
func Requirements(g Gate) gate.Requirements {
	cooldown, _ := ParseDuration(g.Cooldown.S)
	return gate.Requirements{
		EffectReview: g.EffectReview, Approvals: g.Approvals, Cooldown: cooldown, OutOfBand: g.OutOfBand,
	}
}

// GateEntries is the inverse of Gates.
func GateEntries(t gate.Table) Entries[Gate] {
	entry := func(name string, r gate.Requirements) Entry[Gate] {
		g := Gate{EffectReview: r.EffectReview, Approvals: r.Approvals, OutOfBand: r.OutOfBand}
		if r.Cooldown > 0 {
			g.Cooldown = T(r.Cooldown.String())
		}
		return Entry[Gate]{Key: T(name), Value: g}
	}
	var out Entries[Gate]
	for c := gate.ReversibleInternal; c <= gate.AuthorityModifying; c++ {
		out = append(out, entry(c.String(), t.ByClass[c]))
	}
	return append(out, entry("strictest", t.Strictest))
}
