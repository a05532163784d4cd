package tool

import (
	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/origin"
	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/shell"
	"github.com/planlint/planlint/taint"
)

// Resolved is what one concrete call does. Calls share lists that they have alike,
// so these are for reading; Extend gives what may be written.
type Resolved struct {
	// Contract is nil where nothing describes the tool; Unknown then says that
	// the gate is that of unknown_tool, and Class is unset. A Model call has
	// neither: it runs nothing.
	Contract *Contract
	Unknown  bool
	// Class is after class_when and, for commands, the strictest over the line.
	Class    gate.Class
	ReadOnly bool
	// Effect is what the call does to the world, as the analysis of origins sees it.
	Effect origin.Effect
	// HostsOpen says that there may be other hosts than Hosts, or that one can be
	// read in two ways; RecipientsOpen that there may be other recipients, since a
	// value is not known or not readable.
	HostsOpen, RecipientsOpen bool
	// Facts are for the graph, which keeps them; the tags of their slots are roles.
	// They are nil in no call that Resolve returns.
	Facts *taint.Facts
	// Paths are the files that the call touches, in order.
	Paths []PathUse
	// Env is the plan's: relative path patterns start from its Cwd.
	Env *plan.Env
	// Rare is nil for most calls. The methods of the names of its fields read it,
	// Extend is for writing.
	Rare *Rare
}

// Rare is what few calls have.
type Rare struct {
	// Hosts are the hosts that the call contacts, lower case, in order.
	Hosts []string
	// Recipients are the principals that the call names, in order.
	Recipients []string
	// Commands are the simple commands of a command line, in order of running.
	Commands []CommandUse
	// Script is the line that they come from, nil where there is none; its Steps
	// go with Commands by index.
	Script *shell.Script
	// Agent is the kind of sub-agent that the call asks for, if it says so.
	Agent string
	// Notes are what could not be resolved.
	Notes []plan.Note
}

// Extend gives the call a Rare of its own where it has none, and returns it for
// writing.
func (r *Resolved) Extend() *Rare {
	if r.Rare == nil {
		r.Rare = &Rare{}
	}
	return r.Rare
}

// Hosts returns Rare.Hosts, nil if the call has none.
func (r *Resolved) Hosts() []string {
	if r.Rare == nil {
		return nil
	}
	return r.Rare.Hosts
}

// Recipients returns Rare.Recipients, nil if the call has none.
func (r *Resolved) Recipients() []string {
	if r.Rare == nil {
		return nil
	}
	return r.Rare.Recipients
}

// Commands returns Rare.Commands, nil if the call has none.
func (r *Resolved) Commands() []CommandUse {
	if r.Rare == nil {
		return nil
	}
	return r.Rare.Commands
}

// Script returns Rare.Script, nil if the call has none.
func (r *Resolved) Script() *shell.Script {
	if r.Rare == nil {
		return nil
	}
	return r.Rare.Script
}

// Agent returns Rare.Agent, "" if the call has none.
func (r *Resolved) Agent() string {
	if r.Rare == nil {
		return ""
	}
	return r.Rare.Agent
}

// Notes returns Rare.Notes, nil if the call has none.
func (r *Resolved) Notes() []plan.Note {
	if r.Rare == nil {
		return nil
	}
	return r.Rare.Notes
}

// Slots returns those of Facts.
func (r *Resolved) Slots() []taint.Slot {
	if r.Facts == nil {
		return nil
	}
	return r.Facts.Slots
}

// Steps returns those of Facts.
func (r *Resolved) Steps() []taint.Step {
	if r.Facts == nil {
		return nil
	}
	return r.Facts.Steps
}

// Role returns the role of a slot of Facts.
func (r *Resolved) Role(slot int) Role { return roleOf(&r.Facts.Slots[slot]) }

func roleOf(s *taint.Slot) Role { return Role(s.Tag) }

// PathUse is one file that a call touches.
type PathUse struct {
	// Path is cleaned and absolute where the plan's env allows it.
	Path string
	// Command is the index in Resolved.Commands, -1 for an argument.
	Command int
	Access  Access
	// Tree: and everything below it. Glob: Path is a pattern.
	Tree, Glob bool
	// Append: a write keeps the former content.
	Append bool
	// Known is false where the path depends on something unknown, which Hole
	// stands for in Path; an empty Path may be any.
	Known bool
	// Guess: made out of an argument that no contract describes; it may
	// restrict, and grants nothing.
	Guess bool
	// Redirect: the command line redirects there; it is no operand of a command,
	// so no allow of the command covers it.
	Redirect bool
	// Names: only the names of what a folder holds are read, no content.
	Names bool
	// Links are the paths that it leads to through known links.
	Links []string
}

// Hole stands in a path for a part that is not known.
const Hole = "\x00"

// CommandUse is one simple command of a command line.
type CommandUse struct {
	Program  string
	Words    []string
	ReadOnly bool
	Class    gate.Class
	// Known is false where nothing describes the program or its options.
	Known bool
}

// PushedTo returns the git remote that a step of Facts.Steps pushes to, by the
// name or address that the line gives it; empty where it pushes nowhere.
func (r *Resolved) PushedTo(step int) string {
	i := step - 1 // the contract's own step comes first
	script := r.Script()
	if script == nil || i < 0 || i >= len(script.Steps) {
		return ""
	}
	for _, e := range script.Steps[i].Effects {
		if e.Kind == shell.Push && e.Known {
			return e.Target
		}
	}
	return ""
}

// Obligations are those that the contract names; every call is recorded.
func (r *Resolved) Obligations() gate.Obligations {
	if r.Contract == nil {
		return gate.Obligations{Audit: true}
	}
	return gate.Obligations{Audit: true, Compensation: r.Contract.Compensation, UndoWindow: r.Contract.Window}
}

// SinkKinds returns the kinds of all sinks of the call.
func (r *Resolved) SinkKinds() taint.SinkKind {
	var kinds taint.SinkKind
	for i := range r.Steps() {
		for j := range r.Facts.Steps[i].Sinks {
			kinds |= r.Facts.Steps[i].Sinks[j].Kinds
		}
	}
	return kinds
}
