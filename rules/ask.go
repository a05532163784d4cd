package rules

import (
	"fmt"

	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/tool"
)

// protected joins what protected places ask for, and reports whether one of
// them denies.
func (d *decider) protected() bool {
	for i := range d.in.Protected {
		p := &d.in.Protected[i]
		id := protectedPrefix + p.Name
		if d.accepted(id) {
			d.accept(id)
			d.trace("6 protected: %s is accepted by a rule", id)
			continue
		}
		if p.Deny {
			d.deny(protectedReason(p), "6 protected")
			return true
		}
		add := oneApproval
		if p.Authority {
			add.OutOfBand = true
		}
		d.need = d.need.Join(add)
		d.trace("6 protected: %s asks", id)
		d.explain(rankProtected, protectedReason(p))
	}
	return false
}

func (d *decider) closing() {
	named := d.namedUnknowns()
	for i := range d.in.Closing {
		n := &d.in.Closing[i]
		if named && n.ID == tool.NoteCommand {
			d.trace("6 closing: %s is about commands that an allow names", n.ID)
			continue
		}
		d.closed = true
		d.closingNote(n)
	}
	for i := range d.result.Notes {
		d.closed = true
		d.closingNote(&d.result.Notes[i])
	}
}

func (d *decider) closingNote(n *plan.Note) {
	d.need = d.need.Join(oneApproval)
	d.trace("6 closing: %s asks", n.ID)
	d.explain(rankClosing, reason{n.ID, n.Message, closingInstead(n)})
}

// ask takes steps 7 to 9.
func (d *decider) ask() {
	d.result.Decision = d.need.Decision()
	if d.result.Decision != gate.Ask {
		return
	}
	if d.remembered() || d.auto() {
		d.result.Decision = gate.Allow
		d.need = gate.Requirements{}
		return
	}
	if d.in.Asker && d.set.Mode != ModeUnattended {
		d.trace("9 asker: somebody can be asked")
		return
	}
	d.reason.why = "nobody can be asked, and it needs approval: " + d.reason.why
	d.deny(d.reason, "9 asker")
}

func (d *decider) remembered() bool {
	q, ok := d.query()
	if !ok || d.in.Approvals == nil || d.suggested != nil {
		return false
	}
	g, ok := d.in.Approvals(q)
	if !ok || g.Scope > q.Widest {
		return false
	}
	d.trace("7 approval: remembered (%s)", g.Scope)
	d.reason = reason{ByApproval, fmt.Sprintf("approved before (%s)", g.Scope), ""}
	return true
}

// query reports whether an approval may be remembered for this ask at all.
func (d *decider) query() (Query, bool) {
	n := d.need
	if n.OutOfBand || n.Cooldown > 0 || n.Approvals > 1 || d.valued || d.closed {
		return Query{}, false
	}
	q := Query{Input: d.in, Requirements: n, Widest: Persistent}
	if d.open {
		q.Widest = Task
	}
	return q, true
}

// auto holds for classes 1 to 4 without an escalation. What is at least ask by
// its nature (protected, closing, out of band) stays.
func (d *decider) auto() bool {
	class := d.s.class
	switch {
	case d.set.Mode != ModeAuto:
		return false
	case !d.in.Lease || d.suggested != nil:
		d.trace("8 auto: no valid lease")
		return false
	case d.open || class == gate.ClassUnset || class > gate.IrreversibleInternal || d.unknownUnit():
		return false
	case d.need.OutOfBand || d.rank >= rankProtected:
		return false
	}
	d.trace("8 auto: class %s, no escalation, lease valid", class)
	d.reason = reason{ByAuto, "auto runs it: sandbox, rollback and log are verified", ""}
	return true
}

func (d *decider) unknownUnit() bool {
	for _, u := range d.s.units {
		if u.unknown {
			return true
		}
	}
	return false
}
