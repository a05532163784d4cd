// Package rules decides one call.
//
// In: per-call rules and settings of a policy (Compile), and per call an Input:
// what the tool package resolved, what composition escalates, which protected
// places it touches, which diagnostics close it, and who can be asked. Out: a
// Result with decision, gate, the three parts of a refusal, narrow rules that,
// tried, answer an ask, and for explain a trace of every step.
//
// # How
//
// A call is split into units that each need their own yes: the simple commands
// of a line, its redirect targets, else its paths and hosts. Rules are resolved
// unit by unit and the strictest unit counts, so that an allow of "git log" says
// nothing of what stands behind "&&", and several allows can cover one call
// together. Denies and asks are compared with every spelling of the tool's name
// and with everything that may be reached; allows with the raw identity and
// with what is known for certain. A deny that may concern a call (an unknown
// path, a folder used whole) asks.
//
// Resolution is design.md section 6: most-specific by an exact key, or
// deny-overrides; permissions among themselves, deny before ask before allow;
// where both match, the stricter; rules of untrusted layers may only tighten.
//
// Protected places (protect.go) are compiled from policies' data; Touched says
// which of them a call changes, by its effects, and a place may deny outright.
//
// # Guarantees
//
// Decide is deterministic, independent of the order of rules, and linear in
// units times rules that fit the tool. Composition, protected places and
// closing diagnostics only tighten (property_test.go). A rule whose condition
// can't be decided takes the stricter side: it matches for deny and ask, does
// not for allow, and closes the call.
//
// # Choices that design.md leaves open
//
// A read-only call is not subject to unmatched, but keeps its class gate. Allows
// that tie add up their accepts. An escalation is accepted for a call only if no
// unit that changes anything lacks the acceptance. An allow that names only a
// host counts as bare; a tool mcp__server__x names its server. Remembered
// approvals and mode auto never answer what could not be read (closing), and
// auto answers no protected place. Unknown tools are above every ceiling but the
// highest. A command that nothing describes closes its call unless an allow
// names it; what can't be named (a program that is not constant, text that does
// not parse, code from a pipe) stays closed. A bare Read or Edit in
// permissions.allow is that access to any path by any tool that is no command.
//
// # Limits
//
// Hosts of a command line are not told apart by command, so a host rule that
// denies concerns each of its commands. Command patterns compare words, not the
// meaning of options.
package rules
