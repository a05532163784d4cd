// Package policytest runs the tests of a policy: plans with the decisions that
// are expected of it.
//
// In: a policy file whose `tests:` list holds tests, or a file of tests beside
// it, whose `policy:` names the policy (docs/policy-tests.md). Out: per test
// what differs from what was expected; over all tests which rules and
// conditions they never reached; on request the mutants of the policy (a flipped
// decision, a dropped label, a loosened class) that no test notices.
//
// A policy under test is loaded as a file that its user named: trusted, and
// without the user's own layer, so that a test says the same on every machine.
//
// Guaranteed: no test changes another; the order is that of the file; the same
// files give the same result. Limits: a mutant changes one entry, and only what
// the files under test say, never the built-in packs.
package policytest

import (
	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/internal/compiled"
	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/tool"
)

// Test is one plan with what is expected of it.
type Test struct {
	Name string
	Pos  tool.Origin
	// Plan is what is checked.
	Plan *plan.Plan
	// Policy is a policy of the test's own, nil for the one under test.
	Policy []byte
	// Mode replaces the policy's; Lease: sandbox, rollback and log are verified.
	Mode   string
	Lease  bool
	Expect Expect
	Fails  []Failure
}

// Expect is what a test expects; what is nil is not compared.
type Expect struct {
	Verdict     *gate.Decision
	Gate        *Gate
	Findings    *[]string
	Diagnostics []string
	MaxAsks     *int
	// Calls are expected by id, or by place where ID is empty. Complete: the
	// plan has no other calls.
	Calls    []Call
	Complete bool
}

// Call is what is expected of one call.
type Call struct {
	ID       string
	Decision *gate.Decision
	Gate     *Gate
	Findings *[]string
	Class    string
	Rule     string
	Labels   *[]string
	Pos      tool.Origin
}

// Gate is an expected gate: by name (none, strictest, a risk class), or by its
// parts.
type Gate struct {
	Name  string
	Parts gate.Requirements
	// Compensation and Window are obligations, compared where given.
	Compensation, Window string
}

// Failure is a scenario: the calls before Call ran, Call failed, and what has to
// be made up for are Compensations, the latest first.
type Failure struct {
	Call          string
	Compensations []string
	Pos           tool.Origin
}

// Suite is the tests of one file with the policy that they are about.
type Suite struct {
	// File holds the tests; Policy is the policy's file, "" where each test
	// brings its own.
	File, Policy string
	Document     *compiled.Document
	// Own are the files whose rules coverage and mutants are about.
	Own   map[string]bool
	Tests []Test
}
