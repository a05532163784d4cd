// Package finding is the vocabulary between the engine and its writers: rules
// as data, what they say of a plan, and the report that is written.
//
// In: decisions, flows and notes from the engine. Out: values that print as the
// JSON of schema planlint.report/v1 (docs/schema). Nothing here decides.
package finding

import (
	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/origin"
	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/taint"
)

// Schema names the report's format.
const Schema = "planlint.report/v1"

// Severity says how much a finding matters.
type Severity uint8

// The severities, least first.
const (
	Info Severity = iota
	Warning
	Error
)

var severityNames = [...]string{"info", "warning", "error"}

// String returns the severity's name.
func (s Severity) String() string { return severityNames[min(int(s), len(severityNames)-1)] }

// MarshalText writes the severity's name.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// ParseSeverity returns the severity of that exact name.
func ParseSeverity(name string) (Severity, bool) {
	for i, n := range severityNames {
		if n == name {
			return Severity(i), true
		}
	}
	return Error, false
}

// Finding is what one composition rule says of one call.
type Finding struct {
	// Rule is the rule that speaks. Its ID, Title, Severity, Decision, Why and
	// Instead are the finding's; it is never nil in what the engine returns and must
	// not be changed.
	*Rule
	// Call is the index of the call that it is about, -1 for the plan.
	Call    int
	Message string
	// Precision, Labels and Flow are set for rules on flows.
	Precision taint.Precision
	Labels    []string
	Flow      *taint.Flow
	Position  Position
	// Escalates are the calls that the finding makes stricter, sorted: the whole
	// witness path in a plan that has not run, else the sink call.
	Escalates []int
	// Gate is what the finding adds to them.
	Gate gate.Requirements
	// Origin is what the analysis of origins says of the call, for rules on it.
	Origin *origin.Call
	// Accepted is set where a rule accepts the finding at the call that it is about:
	// it is shown, and held against nobody.
	Accepted *Acceptance
}

// Acceptance is the rule that accepts a finding, and the reason that it gives.
type Acceptance struct{ Rule, Reason string }

// Diagnostic is what planlint could not read or had to assume.
type Diagnostic struct {
	ID       string
	Message  string
	Hint     string
	Call     int
	Closing  bool
	Position Position
}

// Position is a place in a file.
type Position struct {
	File string
	plan.Position
}

// CallReport is the decision for one call and why. A report may hold a million of
// them, so the call itself stands in the plan and what many calls have in common in
// one place: Carried and Answer. None of the three is nil in what the engine
// returns, and none may be changed.
type CallReport struct {
	*plan.Call
	*Carried
	*Answer
	Class    gate.Class
	ReadOnly bool
	// Suggest is a narrow rule that would answer this call without asking.
	Suggest string
	// Findings are indexes into PlanReport.Findings.
	Findings []int
	// Origin says where the values of the arguments came from; nil where nothing
	// in the plan changes or sends anything, so that it was not looked for.
	Origin *origin.Call
}

// Carried are the labels of a call's data.
type Carried struct {
	LabelsIn  []string
	LabelsOut []string
	// LabelsContext are the labels that were in the context when the arguments
	// were fixed, those of LabelsIn included.
	LabelsContext []string
}

// Answer is what a call is answered.
type Answer struct {
	Decision gate.Decision
	Gate     gate.Gate
	// Why and Instead are the second and third part of a refusal; Rule names
	// the rule that decided ("default", "class", "PL1001", "policy.yaml:12").
	Why, Instead, Rule string
	// Alone is the decision and gate without composition.
	Alone     gate.Decision
	AloneGate gate.Requirements
}

// PlanReport is what planlint says of one plan.
type PlanReport struct {
	ID, Source, Format string
	Recorded           bool
	Verdict            gate.Decision
	Gate               gate.Requirements
	Calls              []CallReport
	// Traces list, by call, the steps of its decision in order; nil unless the
	// policy asks for them (Policy.Explain).
	Traces      [][]string
	Findings    []Finding
	Diagnostics []Diagnostic
	// Plan is what was reviewed, for writers that show source lines or graphs;
	// Labels likewise. Neither is part of the JSON.
	Plan   *plan.Plan
	Labels *taint.Labels
	// Universe names the labels.
	Universe *taint.Universe
}

// Report is what one run of planlint says.
type Report struct {
	Plans []PlanReport
	// Diagnostics are about inputs that are no plan.
	Diagnostics []Diagnostic
	// Rules are the composition rules that were applied, for writers.
	Rules []Rule
}

// Position returns where a call starts.
func (p *PlanReport) Position(call int) Position {
	return Position{File: p.Source, Position: p.Calls[call].Pos}
}

// Trace returns the steps of the decision for one call, nil where none were kept.
func (p *PlanReport) Trace(call int) []string {
	if call < 0 || call >= len(p.Traces) {
		return nil
	}
	return p.Traces[call]
}

// Digest returns the canonical digest of the plan, empty where the plan is not
// at hand. It is computed anew each time: most decisions need none.
func (p *PlanReport) Digest() string {
	if p.Plan == nil {
		return ""
	}
	return plan.Digest(p.Plan)
}

// CallDigest returns the canonical digest of one call of the plan, empty where
// the plan is not at hand.
func (p *PlanReport) CallDigest(call int) string {
	if p.Plan == nil || call < 0 || call >= len(p.Plan.Calls) {
		return ""
	}
	return plan.CallDigest(p.Plan, call)
}
