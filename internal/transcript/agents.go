package transcript

import (
	"math"
	"strconv"

	"github.com/planlint/planlint/plan"
)

// agentState is what the builder knows of one agent.
type agentState struct {
	// key is the client's; name the plan's, "" for the main agent.
	key, name string
	turnState
	// waiting are the texts that no turn has seen yet.
	waiting []int
	// prompt is the first thing that the agent was told; spawn the raw id of
	// the call that started it.
	prompt, spawn string
	// rank is the place in the list; firstCall the index of the first call.
	rank, firstCall int
}

// turnState is the agent's last turn.
type turnState struct {
	begun bool
	key   string
	turn  int
	// calls are the indexes of the turn's calls.
	calls []int
	// idle: nothing but calls came since the turn began.
	idle bool
}

// agents are the agents of one session, in order of appearance, main first.
type agents struct {
	list  []*agentState
	byKey map[string]*agentState
	names map[string]*agentState
}

func newAgents() agents {
	main := &agentState{firstCall: math.MaxInt}
	return agents{
		list:  []*agentState{main},
		byKey: map[string]*agentState{"": main},
		names: map[string]*agentState{plan.MainAgent: main},
	}
}

// state returns the agent of a key, a new one where it is new.
func (a *agents) state(key string) *agentState {
	if s := a.byKey[key]; s != nil {
		return s
	}
	name := key
	for n := 2; a.names[name] != nil; n++ {
		name = key + "#" + strconv.Itoa(n)
	}
	s := &agentState{key: key, name: name, rank: len(a.list), firstCall: math.MaxInt}
	a.names[name] = s
	a.byKey[key], a.list = s, append(a.list, s)
	return s
}

// spawned remembers the call that started an agent; the first word counts.
func (a *agents) spawned(agent, call string) {
	if agent == "" {
		return
	}
	if s := a.state(agent); s.spawn == "" {
		s.spawn = call
	}
}

// tree returns the plan's agents. Where the record doesn't link an agent to a
// call, the first call whose prompt is what the agent was told first counts.
func (a *agents) tree(calls []plan.Call, rawIDs []string) []plan.Agent {
	tree := []plan.Agent{{Name: plan.MainAgent, SpawnedBy: -1}}
	if len(a.list) == 1 {
		return tree
	}
	byID, byPrompt := spawnIndex(calls, rawIDs)
	for _, s := range a.list[1:] {
		agent := plan.Agent{Name: s.name, Parent: plan.MainAgent, SpawnedBy: -1}
		call, ok := byID[s.spawn]
		if !ok || s.spawn == "" {
			call, ok = nextPrompt(byPrompt, s.prompt)
		}
		if ok && a.mayStart(s, &calls[call]) {
			agent.SpawnedBy, agent.Parent = call, calls[call].AgentName()
		}
		tree = append(tree, agent)
	}
	return tree
}

// mayStart keeps the tree a tree, whatever the record says: a starter is an
// agent that was there before, by a call before the first of the started.
func (a *agents) mayStart(s *agentState, c *plan.Call) bool {
	parent := a.names[c.AgentName()]
	return parent != nil && parent.rank < s.rank && c.Index < s.firstCall
}

func nextPrompt(byPrompt map[string][]int, prompt string) (int, bool) {
	waiting := byPrompt[prompt]
	if prompt == "" || len(waiting) == 0 {
		return 0, false
	}
	byPrompt[prompt] = waiting[1:]
	return waiting[0], true
}

func spawnIndex(calls []plan.Call, rawIDs []string) (byID map[string]int, byPrompt map[string][]int) {
	byID, byPrompt = map[string]int{}, map[string][]int{}
	for i := range calls {
		if _, ok := byID[rawIDs[i]]; !ok {
			byID[rawIDs[i]] = i
		}
		if p := str(&calls[i].Args, "prompt"); p != "" {
			byPrompt[p] = append(byPrompt[p], i)
		}
	}
	return byID, byPrompt
}
