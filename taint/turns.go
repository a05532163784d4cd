package taint

import (
	"slices"

	"github.com/planlint/planlint/internal/reuse"
	"github.com/planlint/planlint/plan"
)

// turn is a run of one agent's calls whose arguments were fixed together.
type turn struct {
	agent       int32
	first, last int32
	// repeat: some call of it stands in a loop.
	repeat bool
}

// schedule says which calls belong to which turn and which run at the same time.
type schedule struct {
	agents []agentInfo
	byName map[string]int32
	turns  []turn
	// of is the turn of each call.
	of []int32
	// peers numbers the sets of calls that may run in any order, 0 for a call
	// that runs alone.
	peers []int32
	// concurrent: some do not run alone.
	concurrent bool
	// spawns are the agents that each call started.
	spawns map[int32][]int32
	// due are the spawning calls whose agents are done after each call.
	due map[int32][]int32
}

// agentInfo is one agent and, while the graph is built, the state of its chain.
type agentInfo struct {
	name string
	// parent is the agent that started this one where no call is known to have.
	parent int32
	chain
}

func (s *schedule) start(p *plan.Plan, facts []*Facts) {
	s.agents = append(s.agents[:0], agentInfo{name: plan.MainAgent, parent: -1, chain: newChain()})
	for i := range p.Agents {
		s.agent(p.Agents[i].Name)
	}
	for i := range p.Texts {
		s.agent(p.Texts[i].Agent)
	}
	s.split(p.Calls)
	s.overlap(p.Calls)
	s.link(p, facts)
	s.await(p.Calls)
}

// rest leaves nothing but room for the next plan.
func (s *schedule) rest() {
	*s = schedule{agents: reuse.Cleared(s.agents), turns: reuse.Plain(s.turns), of: reuse.Plain(s.of), peers: reuse.Plain(s.peers)}
}

// agent returns an agent's number, making one for a name not seen before.
func (s *schedule) agent(name string) int32 {
	name = agentName(name)
	if a, ok := s.named(name); ok {
		return a
	}
	if s.byName == nil {
		s.byName = map[string]int32{}
	}
	a := int32(len(s.agents))
	s.agents = append(s.agents, agentInfo{name: name, parent: -1, chain: newChain()})
	s.byName[name] = a
	return a
}

// named returns the number of the agent of a name: 0 for the main agent.
func (s *schedule) named(name string) (int32, bool) {
	if name == plan.MainAgent {
		return 0, true
	}
	a, ok := s.byName[name]
	return a, ok
}

// agentNames returns the names of the agents by their number.
func (s *schedule) agentNames() []string {
	names := make([]string, len(s.agents))
	for i := range names {
		names[i] = s.agents[i].name
	}
	return names
}

func agentName(name string) string {
	if name == "" {
		return plan.MainAgent
	}
	return name
}

// split cuts each agent's calls into turns: calls that follow each other share
// one where the turn number or the parallel group says so. What a program
// called is a turn of its own, because a program passes values on at once.
func (s *schedule) split(calls []plan.Call) {
	s.turns, s.of = slices.Grow(s.turns[:0], len(calls)), slices.Grow(s.of[:0], len(calls))[:len(calls)]
	name, agent := plan.MainAgent, int32(0)
	for i := range calls {
		c := &calls[i]
		if n := c.AgentName(); n != name {
			name, agent = n, s.agent(n)
		}
		a := &s.agents[agent]
		if t := a.lastTurn; t < 0 || !sameTurn(&calls[s.turns[t].last], c) {
			a.lastTurn = int32(len(s.turns))
			s.turns = append(s.turns, turn{agent: agent, first: int32(i)})
		}
		t := &s.turns[a.lastTurn]
		t.last, t.repeat = int32(i), t.repeat || c.Repeat
		s.of[i] = a.lastTurn
	}
}

func sameTurn(a, b *plan.Call) bool {
	if a.Caller != "" || b.Caller != "" {
		return false
	}
	return a.Turn == b.Turn || a.Group != "" && a.Group == b.Group
}

// overlap finds the calls that may run in any order: those of one turn, and of
// one loop.
func (s *schedule) overlap(calls []plan.Call) {
	s.peers = slices.Grow(s.peers[:0], len(calls))[:len(calls)]
	clear(s.peers)
	next := int32(1)
	loop := make([]int32, len(s.agents))
	for i := range calls {
		t := &s.turns[s.of[i]]
		if int(t.first) != i {
			s.peers[i] = s.peers[t.first]
			continue
		}
		switch {
		case t.repeat && loop[t.agent] != 0:
			s.peers[i] = loop[t.agent]
		case t.repeat:
			s.peers[i], loop[t.agent] = next, next
			next++
		default:
			loop[t.agent] = 0
			if t.last != t.first {
				s.peers[i] = next
				next++
			}
		}
	}
	s.concurrent = next > 1
}

// link notes which call started which agent.
func (s *schedule) link(p *plan.Plan, facts []*Facts) {
	spawn := func(call, agent int32) {
		for _, a := range s.spawns[call] {
			if a == agent {
				return
			}
		}
		if s.spawns == nil {
			s.spawns = make(map[int32][]int32)
		}
		s.spawns[call] = append(s.spawns[call], agent)
	}
	started := make([]bool, len(s.agents))
	for i := range facts {
		if name := facts[i].Spawns(); name != "" && i < len(p.Calls) {
			if a, ok := s.named(name); ok && a != 0 {
				spawn(int32(i), a)
				started[a] = true
			}
		}
	}
	for i := range p.Agents {
		a := &p.Agents[i]
		id := s.agent(a.Name)
		if a.SpawnedBy >= 0 && a.SpawnedBy < len(p.Calls) && id != 0 {
			spawn(int32(a.SpawnedBy), id)
			started[id] = true
		}
		if parent, ok := s.named(agentName(a.Parent)); ok && a.Parent != "" && parent != id && !started[id] {
			s.agents[id].parent = parent
		}
	}
}

// done returns the call after which a call's output is there: itself, or the
// last of the agents that it started.
func (s *schedule) done(call int32) int32 {
	last := call
	for _, a := range s.spawns[call] {
		if t := s.agents[a].lastTurn; t >= 0 {
			last = max(last, s.turns[t].last)
		}
	}
	return last
}

// await notes when the outputs of spawning calls are due.
func (s *schedule) await(calls []plan.Call) {
	if len(s.spawns) == 0 {
		return
	}
	s.due = make(map[int32][]int32, len(s.spawns))
	for i := range calls {
		if len(s.spawns[int32(i)]) > 0 {
			end := s.done(int32(i))
			s.due[end] = append(s.due[end], int32(i))
		}
	}
}

// textTime is the first call that a text comes before: where it stands before
// some call of a turn of the same agent, the turn's first.
func (s *schedule) textTime(p *plan.Plan, i int) int {
	t := &p.Texts[i]
	if t.Before >= 0 && t.Before < len(s.of) {
		if turn := &s.turns[s.of[t.Before]]; turn.agent == s.agent(t.Agent) {
			return int(turn.first)
		}
	}
	return t.Before
}
