package finding

import (
	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/origin"
	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/taint"
)

// On says what a composition rule looks at.
type On uint8

// What rules look at.
const (
	OnFlow On = iota
	OnCall
	OnPlan
)

// Rule is a composition rule as data. Its masks are necessary conditions that
// need no CEL; When and Unless are CEL, compiled by the compose package.
type Rule struct {
	ID, Title string
	On        On
	// Labels: any of; levels are already widened (taint.Universe.AtLeast).
	// Zero: no condition.
	Labels taint.Set
	// AllLabels: for each entry, one of its labels is held by the sink's data.
	AllLabels []taint.Set
	Sink      taint.SinkKind
	// Classes is a bit set over gate.Class (1<<class); zero: no condition.
	Classes uint8
	// Origin: any of these signals; zero: no condition. For rules on calls.
	Origin       origin.Signals
	MinPrecision taint.Precision
	// When and Unless are condition numbers of tool.Cond, 0 for none; the texts
	// are kept for messages.
	When       int32
	WhenText   string
	Exceptions []Exception
	Decision   gate.Decision
	Gate       GateChoice
	// SinkOnly: escalate: sink.
	SinkOnly bool
	Severity Severity
	Why      string
	Instead  string
	// Builtin rules are not limited in cost.
	Builtin bool
	// References map the rule to others' catalogues: "OWASP LLM02:2025".
	References []string
	Since      string
	Pos        RulePosition
}

// RulePosition is where the rule stands in a policy file.
type RulePosition struct {
	File string
	plan.Position
}

// Exception is one entry of a rule's unless.
type Exception struct {
	// Tool is a glob over the sink call's tool, empty for any.
	Tool string
	// Source is a glob over the source call's tool, empty for any.
	Source string
	// When is a condition number, 0 for none.
	When   int32
	Reason string
}

// GateChoice says which gate an escalation adds.
type GateChoice uint8

// The choices of gate.
const (
	// GateDefault: strictest for value and resource, the irreversible-public
	// class gate for context, nothing for severity below warning.
	GateDefault GateChoice = iota
	// GateStrictest: gates.strictest, for context the irreversible-public gate.
	GateStrictest
	// GateClass: the gate of the strictest class on the path.
	GateClass
	// GateApproval: one approval.
	GateApproval
	// GateNone: the finding is said and nothing is escalated.
	GateNone
)
