package planlint

import (
	"context"
	"sync"

	"github.com/planlint/planlint/finding"
	"github.com/planlint/planlint/plan"
)

// Session is Checker.Check fed call by call: a plan that grows inside a running
// agent. Each answer is the one that Check gives for the plan so far, so a
// session and a review of its record can't disagree. Deciding a call costs time
// linear in the session (docs/performance.md has figures).
//
// It is safe for concurrent use.
type Session struct {
	checker *Checker
	mu      sync.Mutex
	plan    plan.Plan
	// turns is the number of each agent's next turn.
	turns map[string]int
}

// Session starts a session. Its header gives what is known before the first
// call: the environment, the user's words, agents; its calls must be empty.
func (c *Checker) Session(header plan.Plan) *Session {
	header.Calls, header.Recorded = nil, false
	return &Session{checker: c, plan: header, turns: map[string]int{}}
}

// Say adds a text that entered an agent's context after the calls so far.
func (s *Session) Say(text plan.Text) {
	s.mu.Lock()
	defer s.mu.Unlock()
	text.Before = len(s.plan.Calls)
	s.plan.Texts = append(s.plan.Texts, text)
}

// Next decides the calls of one turn, which the agent proposes together, before
// any of them runs. They stay in the session as planned until Result tells what
// became of them. The returned reports are those of the new calls, in order;
// the session's report as a whole comes second.
func (s *Session) Next(ctx context.Context, calls ...plan.Call) ([]finding.CallReport, finding.PlanReport) {
	s.mu.Lock()
	defer s.mu.Unlock()
	first := len(s.plan.Calls)
	grown := append(s.plan.Calls[:first:first], calls...)
	for i := first; i < len(grown); i++ {
		grown[i].Index, grown[i].Turn = i, s.turns[grown[i].AgentName()]
	}
	for i := first; i < len(grown); i++ {
		s.turns[grown[i].AgentName()] = grown[i].Turn + 1
	}
	s.plan.Calls = grown
	snapshot := s.plan
	report := s.checker.Check(ctx, &snapshot)
	return report.Calls[first:], report
}

// Result records what became of a call: its outcome and, where it ran, what it
// returned. It reports whether the session has such a call.
func (s *Session) Result(call int, outcome plan.Outcome, output plan.Value, state plan.OutputState) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if call < 0 || call >= len(s.plan.Calls) {
		return false
	}
	calls := append([]plan.Call(nil), s.plan.Calls...)
	calls[call].Outcome, calls[call].Output, calls[call].OutputState = outcome, output, state
	s.plan.Calls = calls
	return true
}

// Plan returns the session so far as a plan.
func (s *Session) Plan() plan.Plan {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.plan
}
