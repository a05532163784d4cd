// Package tool knows what tools are: their contracts, and what one concrete
// call of a tool does.
//
// In: contracts, sources, sinks and audiences (loaded by policy from YAML, or
// from a flattened pack) and a plan. Out: per call a Resolved value: the contract
// that applies, the risk class after class_when, read-only or not, the paths,
// hosts, recipients and commands that the call names, and the taint.Facts that
// the dataflow graph needs.
//
// # How
//
// NewRegistry checks contracts and indexes them. Resolve takes the calls in plan
// order: the arguments are partitioned into slots by the paths that the contract
// declares; references to recorded outputs are followed (Outputs); addresses,
// hosts and paths are read strictly; templates give audiences and cells; sinks
// are those declared and those that class and roles imply (ImpliedSinks). A
// command line is lowered from shell.Script, one taint step a simple command,
// after the contract's own step; what it leaves behind (directory, variables,
// links, remotes, the text of written files) is carried to later calls.
//
// Pattern is the matcher of sources and sinks, in Claude Code's permission
// syntax. It has two sides: what grants compares raw names and must cover all;
// what restricts sees every spelling and all that may be reached.
//
// # Guarantees
//
// Contracts are declarations. Nothing here guesses a class from a prompt or from
// a tool's own description, and what no contract describes is judged as unknown:
// a sink, never clean. What can't be read is taken for the stricter: an audience
// for everyone, a class undiminished, a condition that errs as holding for labels
// and sinks and as failing for what removes or lowers. Resolve never panics, is
// deterministic, and linear in the plan; caps are named constants beyond which
// values count as unknown.
//
// # Limits
//
// Keys of undeclared objects at the top of the arguments are taken for the
// schema's, not for data. What a tool does beyond its contract, and a program
// beyond its table entry, is unknown. Relative paths of tools start from the
// plan's working directory, not from that of a persistent shell. What a folder's
// search printed may spare a label (evidence.go).
package tool

import (
	"time"

	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/origin"
	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/taint"
)

// Contract is what the registry knows of one tool. Immutable once loaded.
type Contract struct {
	// Name is the raw identity; Aliases are names of the same tool elsewhere.
	Name    string
	Aliases []string
	Version int
	Class   gate.Class
	Risk    RiskFacts
	// ReadOnly: the call changes nothing. Independent of its sinks.
	ReadOnly bool
	Args     []Arg
	// Output labels the output and its fields.
	Output []OutputLabel
	Sinks  []SinkDecl
	// Audience are principals, "args.PATH" whose values are principals, or
	// templates: "github:{args.owner}/{args.repo}"; empty means everyone.
	Audience []string
	// ClassWhen may only lower the class.
	ClassWhen []ClassWhen
	// Sanitizes removes confidentiality labels, Endorses integrity labels.
	Sanitizes, Endorses []Removal
	// Cells are the cells that a call reads or writes, beside path arguments.
	Cells []CellEffect
	// Compensation names the tool that roughly makes up for a call; Window is
	// how long it can be withdrawn; Preview names the tool that computes the
	// resolved effect.
	Compensation string
	Window       time.Duration
	Preview      string
	// Spawns names the argument that holds a sub-agent's prompt; empty: none.
	Spawns string
	// Acts are the kinds of action, About the kinds of object; where a contract
	// gives neither, the tool's name is read.
	Acts  origin.Acts
	About []string
	// Source says where the facts come from (documentation, tools/list of a version).
	Source string
	// Pack and Pos say where the contract stands.
	Pack string
	Pos  Origin
}

// Origin is a place in a policy or pack file, for messages.
type Origin struct {
	File         string
	Line, Column int
}

// RiskFacts are the facts that a class follows from.
type RiskFacts struct {
	// Inverse names the call that restores the former state exactly.
	Inverse string
	// Window: it can be withdrawn for some time.
	Window bool
	// ThirdParty: third parties see the effect at once.
	ThirdParty bool
	// WidensAuthority: it changes who may do what.
	WidensAuthority bool
}

// Role says what an argument is for.
type Role uint8

// The roles. RoleNone is an argument that leaves only if a sink says so.
const (
	RoleNone Role = iota
	Recipient
	URL
	Content
	Amount
	SecretArg
	Object
	Selector
	When
	Mode
	// Command is executed.
	Command
	// Path is a file that the call reads or writes.
	Path
	// Query leaves the machine as a search term.
	Query
	// Code is executed by an interpreter.
	Code
	// Patch is the text of a patch that names the files it changes.
	Patch
)

var roleNames = [...]string{
	"none", "recipient", "url", "content", "amount", "secret", "object", "selector",
	"when", "mode", "command", "path", "query", "code", "patch",
}

// String returns the role's name.
func (r Role) String() string { return roleNames[min(int(r), len(roleNames)-1)] }

// ParseRole returns the role of that exact name.
func ParseRole(name string) (Role, bool) {
	for i, n := range roleNames {
		if n == name {
			return Role(i), true
		}
	}
	return RoleNone, false
}

// Roles lists the names that contracts may give.
func Roles() []string { return append([]string(nil), roleNames[1:]...) }

// Access says what a call does to a path; a set.
type Access uint8

// The accesses.
const (
	Read Access = 1 << iota
	Write
	Delete
	// Execute runs the file.
	Execute
)

// Arg is one argument, or a part of one.
type Arg struct {
	// Path leads into the arguments: to, emails[*].to.
	Path plan.Path
	Role Role
	// Access is set for paths; Append says that a write keeps the former content.
	Access Access
	Append bool
	// Base names the argument that a relative path, or a command, starts from;
	// several, separated by |, where clients call it differently.
	Base string
	// Dialect is the language of a command: bash (the default), posix, zsh,
	// powershell or cmd.
	Dialect string
	// Tree: the path is a folder, read or written whole; where the argument is
	// missing, the folder is Base or the working directory.
	Tree bool
	// Glob: the value is a pattern over paths.
	Glob bool
	// Enum are the only values that the schema allows.
	Enum []string
}

// OutputLabel labels an output or a field of it.
type OutputLabel struct {
	// Field is empty for the whole output.
	Field  plan.Path
	Labels taint.Set
	// Trusted: the field is made by the service.
	Trusted bool
	// Open: strangers may add to the field. Reference: people name the record by
	// it.
	Open, Reference bool
	// Readers are principals, "output.PATH", "args.PATH" or templates of them.
	Readers []string
	If      Cond
}

// SinkDecl declares a sink.
type SinkDecl struct {
	Kinds taint.SinkKind
	// Args are the arguments that leave by it; empty: those whose role says so
	// (recipient, url, content, query, secret), or all if none has such a role.
	Args []plan.Path
	If   Cond
}

// ClassWhen lowers the class where its condition holds.
type ClassWhen struct {
	If    Cond
	Class gate.Class
}

// Removal is a declared sanitizer or endorser.
type Removal struct {
	Labels taint.Set
	Reason string
	If     Cond
}

// CellEffect is a read or write of a cell that is no path argument.
type CellEffect struct {
	// Name may hold {args.PATH}: "memory:{args.key}".
	Name   string
	Access Access
	Append bool
	Tree   bool
}

// Cond is a compiled condition's number; 0 is none, which always holds.
type Cond int32

// Conditions evaluates compiled conditions. compose implements it with CEL.
type Conditions interface {
	// Holds reports whether the condition holds for the subject. An error means
	// that it could not be decided; callers then take the stricter side.
	Holds(c Cond, s *Subject) (bool, error)
}

// Subject is what a condition is about.
type Subject struct {
	Plan *plan.Plan
	// Calls are all calls of the plan, resolved.
	Calls []Resolved
	// Call is the index of the call in question, -1 for a condition on the plan.
	Call int
	// Flow is set for conditions on a flow.
	Flow *taint.Flow
	// Origins say where arguments came from; nil while calls are being resolved.
	Origins *origin.Report
	// Labels is nil while calls are being resolved.
	Labels   *taint.Labels
	Universe *taint.Universe
}
