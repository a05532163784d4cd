package tool

import (
	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/origin"
	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/shell"
	"github.com/planlint/planlint/taint"
)

// Resolved is what one concrete call does.
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
	// HostsOpen and RecipientsOpen belong to Hosts and Recipients.
	HostsOpen, RecipientsOpen bool
	Facts                     taint.Facts
	// Roles are the roles of Facts.Slots, by the same index.
	Roles []Role
	// Paths are the files that the call touches, in order.
	Paths []PathUse
	// Hosts are the hosts that the call contacts, lower case, in order; HostsOpen
	// says that there may be others, or that one can be read in two ways.
	Hosts []string
	// Recipients are the principals that the call names, in order; RecipientsOpen
	// says that there may be others, since a value is not known or not readable.
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
	// Env is the plan's: relative path patterns start from its Cwd.
	Env *plan.Env
}

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
	if r.Script == nil || i < 0 || i >= len(r.Script.Steps) {
		return ""
	}
	for _, e := range r.Script.Steps[i].Effects {
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
	for i := range r.Facts.Steps {
		for j := range r.Facts.Steps[i].Sinks {
			kinds |= r.Facts.Steps[i].Sinks[j].Kinds
		}
	}
	return kinds
}
