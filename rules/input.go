package rules

import (
	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/taint"
	"github.com/planlint/planlint/tool"
)

// Input is one call and all that its decision depends on. Its zero value is
// denied: without a call there is nothing to allow.
type Input struct {
	Call     *plan.Call
	Resolved *tool.Resolved
	// Env is the plan's, for paths in rules; nil: that of Resolved,
	// else of Subject.Plan.
	Env *plan.Env
	// Gates are the policy's; nil stands for gate.DefaultTable.
	Gates *gate.Table
	// Escalations are what composition adds to this call.
	Escalations []Escalation
	// Protected are the protected places that the call changes.
	Protected []Protection
	// Malformed says what is wrong with the call's shape ("args is no object");
	// such a call is denied. Empty: nothing.
	Malformed string
	// Closing are the diagnostics of this call that make it at least ask. No
	// allow waives them.
	Closing []plan.Note
	// Conditions evaluates rules' when for Subject; nil: none can be decided.
	Conditions tool.Conditions
	Subject    *tool.Subject
	// AgentPath are the ancestors of the calling agent, nearest first; the
	// caller may be among them.
	AgentPath []string
	// Asker: there is somebody to ask. Without one, ask is deny.
	Asker bool
	// Lease: sandbox, rollback and log are verified, so that mode auto holds.
	Lease bool
	// Approvals answers from memory; nil remembers nothing.
	Approvals Approvals
	// Explain fills Result.Trace.
	Explain bool
	// NoSuggest leaves Result.Suggest empty, where nobody would read it.
	NoSuggest bool
}

func (in *Input) env() *plan.Env {
	if in.Env != nil {
		return in.Env
	}
	if in.Resolved != nil && in.Resolved.Env != nil {
		return in.Resolved.Env
	}
	if in.Subject != nil && in.Subject.Plan != nil {
		return &in.Subject.Plan.Env
	}
	return &plan.Env{}
}

// Escalation is what one finding of a composition rule adds to a call.
type Escalation struct {
	// Rule is the id that an allow must accept: "PL1001".
	Rule         string
	Requirements gate.Requirements
	// Precision of the flow; NoPrecision for rules on calls and plans, which are
	// treated as context.
	Precision taint.Precision
	// Decision is the rule's own. Allow with no requirements only speaks.
	Decision gate.Decision
	// OnPath: the call is on the way to the sink and not the sink itself.
	OnPath bool
	// Why and Instead are the finding's, for the refusal.
	Why, Instead string
}

// empty reports whether the escalation changes nothing.
func (e *Escalation) empty() bool { return e.Decision == gate.Allow && e.Requirements.None() }

// Protection is one protected place that a call changes.
type Protection struct {
	// Name is the place's, without "protected:": "ci".
	Name string
	// Authority: who controls it controls who may do what, so the approval has
	// to come out of band.
	Authority bool
	// Deny: the change is refused.
	Deny bool
	// Path is what the call touches there. Below is the pattern of the protected
	// files where Path is a folder that may hold them; empty where Path is one.
	Path, Below string
}

// Scope is how long an approval is remembered.
type Scope uint8

// The scopes, narrowest first.
const (
	Once Scope = iota
	Task
	Session
	Persistent
)

var scopeNames = [...]string{"once", "task", "session", "persistent"}

// String returns the scope's name.
func (s Scope) String() string { return scopeNames[min(int(s), len(scopeNames)-1)] }

// Query is what is asked of the memory of approvals.
type Query struct {
	Input *Input
	// Requirements are what the approval would have to satisfy.
	Requirements gate.Requirements
	// Widest is the longest scope that may answer: Task where a context-only
	// escalation is on the call.
	Widest Scope
}

// Grant is a remembered answer.
type Grant struct {
	Scope Scope
	// By is who approved, for the report.
	By string
}

// Approvals returns a person's remembered approval of the same subject (tool
// identity, paths, hosts, program and subcommand, recipients) without new
// labels, and for an escalated call with the same labels and audience. Decide
// asks only where an approval may be remembered at all, and checks the scope.
type Approvals func(Query) (Grant, bool)

// Result is the decision for one call, and why. The zero value is deny.
type Result struct {
	Decision gate.Decision
	// Gate holds the requirements of an ask and the obligations of a call that
	// may run; a deny has none.
	Gate gate.Gate
	// Why and Instead are the second and third part of a refusal.
	Why, Instead string
	// Rule names what decided: a rule's Name, an id ("PL1001"), "protected:ci",
	// or one of the words in the constants By...
	Rule string
	// Suggest is a narrow rule in YAML that would answer this ask; several,
	// with commas between, where the call needs several. Empty where none may.
	Suggest string
	// WouldBe and WouldGate are what observe would have answered; in other modes
	// they repeat Decision and Gate.
	WouldBe   gate.Decision
	WouldGate gate.Requirements
	// Observed: mode observe turned WouldBe into allow.
	Observed bool
	// Accepted are the ids of escalations and protections that an allow waived.
	Accepted []string
	// Notes are rules whose condition could not be decided.
	Notes []plan.Note
	// Trace lists the steps in order, where Input.Explain asked for it.
	Trace []string
}

// What Result.Rule says where no rule of a policy decided.
const (
	ByShape       = "shape"
	ByCeiling     = "ceiling"
	ByReadOnly    = "read-only"
	ByMode        = "mode"
	ByClass       = "class"
	ByUnknownTool = "unknown_tool"
	ByUnmatched   = "unmatched"
	ByAcceptEdits = "accept-edits"
	ByApproval    = "approval"
	ByAuto        = "auto"
)

// RuleErrorNote is the diagnostic for a rule whose condition failed.
const RuleErrorNote = "PL9030"
