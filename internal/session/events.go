package session

import (
	"slices"
	"strings"

	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/plan"
)

// Bounds on what is kept of one event. What is longer is kept as cut, so that
// its flows count by context.
const (
	maxOutput = 128 << 10
	maxText   = 32 << 10
)

// At says where the session runs.
func (s *Session) At(cwd string) {
	if cwd != "" && s.Cwd == "" {
		s.add(record{Kind: kindOpen, Client: s.Client, ID: s.ID, Cwd: cwd})
	}
}

// Prompt takes what the user typed. It ends the task before.
func (s *Session) Prompt(words string) {
	s.add(record{Kind: kindPrompt})
	s.words(plan.TextUser, "", words, "")
}

// Say takes a text that entered an agent's context. A text that is known
// already is not taken twice.
func (s *Session) Say(kind plan.TextKind, agent, words, origin string) {
	s.words(kind, agent, words, origin)
}

func (s *Session) words(kind plan.TextKind, agent, words, origin string) {
	if words == "" {
		return
	}
	mark := s.mask.mark(kind.String(), agent, words)
	for i := range s.texts {
		if s.texts[i].mark == mark && kind != plan.TextUser {
			return
		}
	}
	if len(words) > maxText {
		words = words[:maxText]
	}
	masked := s.mask.text(words)
	if kind == plan.TextUser {
		masked = s.mask.distinctive(words)
	}
	s.add(record{Kind: kindText, TextKind: kind.String(), Agent: agent, Text: masked,
		Origin: origin, Mark: mark, Before: len(s.calls)})
}

// hasWords reports whether the session has these words of the user.
func (s *Session) hasWords(words string) bool {
	mark := s.mask.mark(plan.TextUser.String(), "", words)
	for i := range s.texts {
		if s.texts[i].mark == mark {
			return true
		}
	}
	return false
}

// starters are parts of the names of tools that start sub-agents.
var starters = []string{"task", "agent", "delegate"}

// Agent makes a client's agent known and returns the name that the plan has for
// it. The call that started it is the latest open one of a tool that starts
// agents; where there is none, the agent's calls count as its parent's, so that
// what it sees and what it answers is never lost.
func (s *Session) Agent(id, parent string) string {
	if id == "" || id == plan.MainAgent {
		return ""
	}
	for i := range s.agents {
		if s.agents[i].Name == id {
			return id
		}
	}
	starter := s.starter(parent)
	if starter < 0 {
		return ""
	}
	caller := s.calls[starter].AgentName()
	s.add(record{Kind: kindAgent, ID: id, Parent: caller, Spawned: starter})
	return id
}

func (s *Session) starter(parent string) int {
	for i := len(s.calls) - 1; i >= 0; i-- {
		c := &s.calls[i]
		if parent != "" && c.AgentName() != parent || c.Outcome != plan.Planned || c.from != fromEvent {
			continue
		}
		name := strings.ToLower(c.Tool)
		for _, word := range starters {
			if strings.Contains(name, word) {
				return i
			}
		}
	}
	return -1
}

// Propose takes the calls of one turn that an event asks about, and returns
// their indexes in the session. A call that the transcript or an earlier event
// told of already keeps its place.
func (s *Session) Propose(calls ...plan.Call) []int {
	indexes := make([]int, len(calls))
	turn := -1
	for i := range calls {
		c := calls[i]
		mark := s.markOf(&c)
		if known := s.known(&c, mark); known >= 0 {
			indexes[i] = known
			s.calls[known].Outcome = plan.Planned
			s.calls[known].from = fromEvent
			s.clear[known] = c.Args
			continue
		}
		if turn < 0 {
			turn = s.turns[c.AgentName()]
		}
		indexes[i] = s.addCall(&c, turn, mark, fromEvent, plan.Planned)
	}
	return indexes
}

// addCall adds a call; its arguments stay in clear until Commit.
func (s *Session) addCall(c *plan.Call, turn int, mark, from string, outcome plan.Outcome) int {
	s.add(record{Kind: kindCall, ID: s.uniqueID(c.ID), Tool: c.Tool, Server: c.Server, Caller: c.Caller, Agent: c.Agent,
		Turn: turn, Args: JSON(&c.Args), RawArgs: c.RawArgs, Mark: mark, From: from, Outcome: outcome.String()})
	index := len(s.calls) - 1
	s.clear[index] = c.Args
	return index
}

func (s *Session) markOf(c *plan.Call) string {
	return s.mask.mark(c.Tool, c.Server, string(JSON(&c.Args)))
}

// known returns the call that an event speaks of again: same id and arguments,
// or, where the client gives no id, one of the transcript that no event has told
// of yet. A call under an old id with other arguments is a new one.
func (s *Session) known(c *plan.Call, mark string) int {
	for i := len(s.calls) - 1; i >= 0; i-- {
		old := &s.calls[i]
		if old.mark != mark || old.AgentName() != c.AgentName() && c.ID == "" {
			continue
		}
		open := old.Outcome == plan.Planned || old.Outcome == plan.Unknown
		if c.ID != "" && old.ID == c.ID && open || c.ID == "" && old.from == fromTranscript && open {
			return i
		}
	}
	return -1
}

// uniqueID keeps a client's id where it is free.
func (s *Session) uniqueID(id string) string {
	if id == "" {
		id = "call"
	} else if s.byID(id) < 0 {
		return id
	}
	for n := len(s.calls) + 1; ; n++ {
		if free := id + "#" + itoa(n); s.byID(free) < 0 {
			return free
		}
	}
}

func (s *Session) byID(id string) int {
	for i := len(s.calls) - 1; i >= 0; i-- {
		if s.calls[i].ID == id {
			return i
		}
	}
	return -1
}

// Verdict is what planlint answered for a call, and what it found out.
type Verdict struct {
	Decision gate.Decision
	Rule     string
	ReadOnly bool
	// LabelsIn and LabelsOut are the labels of its arguments and output; Secret:
	// what they stand for must not be kept in clear.
	LabelsIn, LabelsOut []string
	Secret              bool
	// Subject is set for an ask that may be remembered once it is answered.
	Subject *Subject
}

// Decide records the answer for a call. A denied call did not run.
func (s *Session) Decide(index int, v Verdict) {
	outcome := plan.Planned
	if v.Decision == gate.Deny {
		outcome = plan.Blocked
	}
	s.add(record{Kind: kindUpdate, At: index, Outcome: outcome.String(), Decision: v.Decision.String(), Rule: v.Rule,
		ReadOnly: v.ReadOnly, LabelsIn: v.LabelsIn, LabelsOut: v.LabelsOut, Secret: v.Secret, Subject: v.Subject})
}

// Result takes what became of a call. The call is found by its id, else it is
// the oldest open one with these arguments; one that no event told of before is
// added. An ask that ran has been approved.
func (s *Session) Result(c plan.Call, outcome plan.Outcome, output *plan.Value, isCut bool) int {
	mark := s.markOf(&c)
	index := s.answers(&c, mark)
	if index < 0 {
		index = s.addCall(&c, s.turns[c.AgentName()], mark, fromEvent, plan.Unknown)
	}
	r := record{Kind: kindUpdate, At: index, Outcome: outcome.String()}
	if output != nil && !outcome.DidNotRun() {
		short, more := cut(structured(*output), maxOutput)
		s.came[index] = short
		masked := s.mask.value(short)
		r.Output, r.Cut = JSON(&masked), isCut || more
	}
	s.add(r)
	if old := &s.calls[index]; outcome == plan.Ran && old.decision == gate.Ask.String() && old.subject != nil {
		s.approve(old.subject)
	}
	return index
}

// answers finds the call that a result belongs to; -1 for none.
func (s *Session) answers(c *plan.Call, mark string) int {
	if c.ID != "" {
		for i := len(s.calls) - 1; i >= 0; i-- {
			if old := s.calls[i].ID; old == c.ID || strings.HasPrefix(old, c.ID+"#") {
				return i
			}
		}
		return -1
	}
	for i := range s.calls {
		old := &s.calls[i]
		if old.mark == mark && old.AgentName() == c.AgentName() && (old.Outcome == plan.Planned || old.Outcome == plan.Unknown) {
			return i
		}
	}
	for i := len(s.calls) - 1; i >= 0; i-- { // one that planlint denied ran all the same
		if s.calls[i].mark == mark && s.calls[i].Outcome == plan.Blocked {
			return i
		}
	}
	return -1
}

// Started links a call to the sub-agent that the client says it started.
func (s *Session) Started(call, agent string) {
	index := s.byID(call)
	if agent == "" || index < 0 {
		return
	}
	for i := range s.agents {
		if s.agents[i].Name == agent {
			return
		}
	}
	s.add(record{Kind: kindAgent, ID: agent, Parent: s.calls[index].AgentName(), Spawned: index})
}

// Came are the calls whose outputs this process saw: what a review says of them
// has to be kept by Found, since it will not see them again.
func (s *Session) Came() []int {
	var calls []int
	for i := range s.calls {
		if _, ok := s.came[i]; ok {
			calls = append(calls, i)
		}
	}
	return calls
}

// Found records the labels that a review gave to an output that came in clear.
// Only those that are new since the call was decided need to be kept.
func (s *Session) Found(index int, labels []string, confidential bool) {
	c := &s.calls[index]
	var found []string
	for _, l := range labels {
		if !slices.Contains(c.labelsOut, l) && !slices.Contains(c.OutputLabels(), l) {
			found = append(found, l)
		}
	}
	if len(found) > 0 {
		s.add(record{Kind: kindUpdate, At: index, Found: append(slices.Clip(c.OutputLabels()), found...), Secret: confidential})
	}
}
