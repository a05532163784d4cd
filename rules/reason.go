package rules

import (
	"fmt"

	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/plan"
)

// The ranks of reasons: of several, the highest is told, since it is the one
// that the others would not lift.
const (
	rankNone = iota
	rankRead
	rankAllow
	rankUnmatched
	rankClass
	rankRule
	rankProtected
	rankClosing
	rankEscalation
)

// explain keeps the reason that explains most; of two of one rank, the first.
func (d *decider) explain(rank int, r reason) {
	if rank > d.rank {
		d.rank, d.reason = rank, r
	}
}

func ruleReason(a *answer) reason {
	c := a.by
	r := reason{c.Name, c.Why, c.Instead}
	if r.rule == "" {
		r.rule = "rule"
	}
	if r.why == "" {
		switch {
		case a.may:
			r.why = "it may reach what a rule denies"
		case a.decision == gate.Deny:
			r.why = "a rule denies it"
		case a.decision == gate.Ask:
			r.why = "a rule wants it asked"
		default:
			r.why = "a rule allows it"
		}
	} else if a.may {
		r.why = "it may reach what a rule denies: " + r.why
	}
	if r.instead == "" && a.decision != gate.Allow {
		r.instead = "do it without this call, or ask the user"
	}
	return r
}

// mayReason completes the reason of a deny that concerns a unit only perhaps: it
// says what is not known, and how that can be changed.
func (d *decider) mayReason(u unit, r reason) reason {
	switch {
	case u.kind == commandUnit && u.unknown:
		r.why += "; what this command reaches is not known"
	case u.kind != commandUnit && u.unknown:
		r.why += "; what this tool reaches is not known"
		r.instead = "describe the tool in the policy (tools:), do it without this call, or ask the user"
	case d.in.Resolved.HostsOpen:
		r.why += "; which hosts it contacts is not known"
	}
	return r
}

func escalationReason(e *Escalation) reason {
	r := reason{e.Rule, e.Why, e.Instead}
	if r.why == "" {
		r.why = "a dangerous path leads through it"
	}
	if e.OnPath {
		r.why = "on the path of " + e.Rule + ": " + r.why
	}
	if r.instead == "" {
		r.instead = "break the path: leave out the source, or send it nowhere"
	}
	return r
}

func protectedReason(p *Protection) reason {
	r := reason{protectedPrefix + p.Name, fmt.Sprintf("it changes a protected place (%s)", p.Name),
		"describe the change to the user, who can make it"}
	switch {
	case p.Below != "":
		r.why = fmt.Sprintf("it changes %q, and %q in it is protected (%s)", p.Path, p.Below, p.Name)
		r.instead = "leave out what is protected, or describe the change to the user, who can make it"
	case p.Path != "":
		r.why = fmt.Sprintf("it changes %q, which is protected (%s)", p.Path, p.Name)
	}
	return r
}

func closingInstead(n *plan.Note) string {
	if n.Hint != "" {
		return n.Hint
	}
	return "write the call so that all of it can be read"
}

func (d *decider) classReason(u unit) {
	need := d.classGate(u)
	if d.explains() {
		d.trace("4 class: %s of %s requires %s", className(u), d.unitName(u), need)
	}
	if need.None() {
		return
	}
	if u.unknown {
		d.explain(rankClass, reason{ByUnknownTool, "nothing describes it", "use a tool that the policy describes"})
		return
	}
	r := reason{rule: ByClass}
	switch u.class {
	case gate.IrreversibleInternal:
		r.why, r.instead = "its effect is permanent, so a person sees the effect first", "show its preview, or use a call that can be undone"
	case gate.IrreversiblePublic:
		r.why, r.instead = "third parties see it at once and it can't be taken back", "draft it, and let the user send it"
	case gate.AuthorityModifying:
		r.why, r.instead = "it changes who may do what", "tell the user which change is needed"
	default:
		r.why, r.instead = "the policy wants its class "+u.class.String()+" approved", "ask the user"
	}
	d.explain(rankClass, r)
}

func className(u unit) string {
	if u.unknown {
		return "unknown"
	}
	return u.class.String()
}

// unitName is how the trace calls a part of the call.
func (d *decider) unitName(u unit) string {
	if !d.explains() {
		return ""
	}
	switch u.kind {
	case commandUnit:
		return fmt.Sprintf("command %q", d.in.Resolved.Commands()[u.index].Words)
	case pathUnit:
		return fmt.Sprintf("path %q", d.in.Resolved.Paths[u.index].Path)
	case hostUnit:
		return fmt.Sprintf("host %q", d.in.Resolved.Hosts()[u.index])
	}
	return fmt.Sprintf("tool %q", d.in.Call.Tool)
}

func (d *decider) traceUnit(u unit, a *answer) {
	if !d.explains() {
		return
	}
	waives := ""
	if a.decision == gate.Allow && d.waivesClass(u, a) && !d.classGate(u).None() {
		waives = ", waives the class gate"
	}
	d.trace("5 rules: %s by %s for %s%s", a.decision, ruleReason(a).rule, d.unitName(u), waives)
}

// ruleErrors notes the rules whose condition could not be decided. They close
// the call: an allow that failed did not match, the others did.
func (d *decider) ruleErrors(cands []candidate) {
	for i := range cands {
		if !cands[i].failed {
			continue
		}
		name := ruleReason(&answer{by: cands[i].rule, decision: cands[i].rule.Decision}).rule
		d.result.Notes = append(d.result.Notes, plan.Note{
			ID: RuleErrorNote, Call: d.in.Call.Index, Closing: true, Pos: d.in.Call.Pos,
			Message: fmt.Sprintf("the condition of %s could not be decided, so the stricter side counts", name),
			Hint:    "correct the rule's condition",
		})
	}
}
