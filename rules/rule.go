package rules

import (
	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/tool"
)

// Rule is one per-call rule, as written in a policy.
type Rule struct {
	Decision gate.Decision
	// Tool is an exact name or a glob; empty means any tool.
	Tool string
	// Path is a glob over the paths that the call touches, as in gitignore and
	// relative to the working directory; "~/x", "//abs" and "@outside" (outside
	// of the working directory) are understood. Access limits it to reads or
	// writes, 0 for both.
	Path   string
	Access tool.Access
	// Command is a pattern over simple commands: "go test*", "git push:*".
	Command string
	// Host is a glob over the hosts that the call contacts.
	Host string
	// Server matches every tool of an MCP server.
	Server string
	// Agent matches the calling agent or any ancestor.
	Agent string
	// When is a condition, 0 for none; WhenText is kept for messages.
	When     tool.Cond
	WhenText string
	// Accepts are ids whose escalation or protection an allow waives:
	// "PL1001", "authority-modifying", "protected:ci". Reason is required then.
	Accepts []string
	Reason  string
	// Why and Instead are shown where the rule decides.
	Why, Instead string
	// Permission: the rule comes from a permissions list; those are resolved
	// among themselves, deny before ask before allow. Tool may then hold a whole
	// entry in Claude Code's syntax: "Bash(git status:*)", "Read(./**)",
	// "mcp__server".
	Permission bool
	// Builtin: the rule comes from a built-in pack, so it waives nothing of the
	// last three classes and accepts nothing.
	Builtin bool
	// Restrict: the rule comes from a layer that nobody trusted. Such rules are
	// resolved among themselves and may only tighten what the others decide.
	Restrict bool
	// Name is how messages call the rule: "planlint.yaml:12".
	Name string
	Pos  tool.Origin
}

// Resolution says how several matching rules are resolved.
type Resolution uint8

// The resolutions.
const (
	MostSpecific Resolution = iota
	DenyOverrides
)

// Unmatched says what happens to a call that no rule matches.
type Unmatched uint8

// The answers to an unmatched call. The zero value asks.
const (
	UnmatchedAsk Unmatched = iota
	UnmatchedDeny
	UnmatchedClass
	UnmatchedAllow
)

// Mode is how the session is run.
type Mode uint8

// The modes.
const (
	ModeDefault Mode = iota
	ModeReadOnly
	ModeAcceptEdits
	ModeUnattended
	ModeAuto
	ModeObserve
)

// Settings are a policy's settings for single calls.
type Settings struct {
	Resolution Resolution
	Unmatched  Unmatched
	// AskReads makes read-only calls that no rule matches subject to Unmatched.
	AskReads    bool
	UnknownTool gate.Decision
	Mode        Mode
	// Ceiling is the highest class that may run at all; ClassUnset: no ceiling.
	Ceiling gate.Class
	// Known lists what accepts may name beside classes: the ids of the
	// composition rules, and "protected:NAME". Nil: only the form is checked.
	Known []string
}
