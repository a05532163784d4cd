package rules

import (
	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/shell"
	"github.com/planlint/planlint/taint"
	"github.com/planlint/planlint/tool"
)

var oneApproval = gate.Requirements{Approvals: 1}

// classGate is what a unit's class requires. What nothing describes has
// unknown_tool for its class gate.
func (d *decider) classGate(u unit) gate.Requirements {
	if u.unknown {
		return oneApproval
	}
	return d.gates.For(u.class)
}

// waivesClass reports whether the class gate of a unit is waived: by an allow
// that names a command, a path or a server for every class, by a bare one and
// by unmatched: allow for all but authority-modifying, by accept-edits for the
// first four.
func (d *decider) waivesClass(u unit, a *answer) bool {
	if !a.matched() {
		return d.unmatchedWaives(u)
	}
	for _, w := range a.waivers[:a.n] {
		if w.waivesClass(u) {
			return true
		}
	}
	return false
}

func (d *decider) unmatchedWaives(u unit) bool {
	if d.set.Mode == ModeAcceptEdits && d.workspaceEdit(u) && u.class <= gate.IrreversibleInternal {
		return u.class != gate.ClassUnset
	}
	return d.set.Unmatched == UnmatchedAllow && bareWaives(u)
}

func (c *compiled) waivesClass(u unit) bool {
	if c.Builtin {
		return !u.unknown && u.class != gate.ClassUnset && u.class < gate.IrreversibleInternal
	}
	return c.names || bareWaives(u) || c.acceptsID(u.class.String())
}

// bareWaives is what an allow without a name waives. A contract without a class
// can't load, so ClassUnset of a known tool is treated as the highest.
func bareWaives(u unit) bool {
	return u.unknown || u.class != gate.ClassUnset && u.class != gate.AuthorityModifying
}

func (c *compiled) acceptsID(id string) bool {
	for _, a := range c.Accepts {
		if a == id {
			return true
		}
	}
	return false
}

// unknownDenied is unknown_tool: deny, which only an allow that names the thing
// waives.
func (d *decider) unknownDenied() bool {
	if d.set.UnknownTool != gate.Deny {
		return false
	}
	for i, u := range d.s.units {
		if u.unknown && !d.answers[i].namesIt() {
			d.deny(reason{ByUnknownTool, "nothing describes it, and the policy denies what nothing describes",
				"use a tool that the policy describes, or ask the user to add a contract"}, "4 class")
			return true
		}
	}
	return false
}

func (a *answer) namesIt() bool {
	for _, w := range a.waivers[:a.n] {
		if !w.Builtin && w.names {
			return true
		}
	}
	return false
}

// escalate joins the escalations that no rule accepts, and reports whether one
// of them denies.
func (d *decider) escalate() bool {
	denied := -1
	for i := range d.in.Escalations {
		e := &d.in.Escalations[i]
		switch {
		case e.empty():
			continue
		case d.accepted(e.Rule):
			d.accept(e.Rule)
			d.trace("4 escalation: %s is accepted by a rule", e.Rule)
			continue
		case e.Decision == gate.Deny:
			if denied < 0 {
				denied = i
			}
			continue
		}
		d.addEscalation(e)
	}
	if denied >= 0 {
		d.deny(escalationReason(&d.in.Escalations[denied]), "4 escalation")
	}
	return denied >= 0
}

func (d *decider) addEscalation(e *Escalation) {
	add := e.Requirements
	if add.None() {
		add = oneApproval
	}
	d.open = true
	d.valued = d.valued || e.Precision >= taint.Resource
	d.need = d.need.Join(add)
	if d.explains() {
		d.trace("4 escalation: %s (%s) adds %s", e.Rule, e.Precision, add)
	}
	d.explain(rankEscalation, escalationReason(e))
}

// accepted reports whether allows accept an id for the whole call: some unit's
// allow does, and no unit that changes anything lacks it.
func (d *decider) accepted(id string) bool {
	found := false
	for i, u := range d.s.units {
		switch {
		case d.answers[i].accepts(id):
			found = true
		case !u.readOnly:
			return false
		}
	}
	return found
}

func (a *answer) accepts(id string) bool { return a.acceptor(id) != nil }

// acceptor is the allow that accepts an id, nil where none does.
func (a *answer) acceptor(id string) *compiled {
	for _, w := range a.waivers[:a.n] {
		if !w.Builtin && w.acceptsID(id) {
			return w
		}
	}
	return nil
}

// Accepted returns the allow that accepts an id for the call that was decided last,
// nil where none does: what it names is not held against that call. The rule must
// not be changed.
func (r *Decider) Accepted(id string) *Rule {
	d := &r.decider
	if d.s == nil || len(d.answers) != len(d.s.units) || !d.accepted(id) {
		return nil
	}
	for i := range d.answers {
		if c := d.answers[i].acceptor(id); c != nil {
			return &c.Rule
		}
	}
	return nil
}

func (d *decider) accept(id string) { d.result.Accepted = append(d.result.Accepted, id) }

// namedUnknowns reports whether all that closes the call is commands that
// nothing describes (a program, code in its arguments, a host) and each is
// covered by an allow that names it. What can't be named (a program that is not
// constant, text that does not parse, a written path, a script with unknown
// content, code from a pipe) stays closed.
func (d *decider) namedUnknowns() bool {
	script := d.in.Resolved.Script()
	if script == nil {
		return false
	}
	notes, unknowns := 0, 0
	for i := range d.in.Closing {
		if d.in.Closing[i].ID == tool.NoteCommand {
			notes++
		}
	}
	for _, u := range script.Unknowns {
		if !u.Closing() || u.Kind == shell.UnknownWrite {
			continue
		}
		unknowns++
		if !d.namesUnknown(script, u) {
			return false
		}
	}
	return notes == unknowns // another number: something else closes the call too
}

func (d *decider) namesUnknown(script *shell.Script, u shell.Unknown) bool {
	switch u.Kind {
	case shell.UnknownProgram, shell.UnknownHost:
	case shell.UnknownCode:
		if u.Step >= 0 && u.Step < len(script.Steps) && script.Steps[u.Step].Stdin.Kind != shell.Inherited {
			return false
		}
	default:
		return false
	}
	for i, unit := range d.s.units {
		if unit.kind == commandUnit && unit.index == u.Step {
			return d.answers[i].namesCommand()
		}
	}
	return false
}

func (a *answer) namesCommand() bool {
	for _, w := range a.waivers[:a.n] {
		if !w.Builtin && w.command != nil && !w.command.any {
			return true
		}
	}
	return false
}
