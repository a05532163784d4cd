package trace

import (
	"fmt"
	"slices"

	"github.com/planlint/planlint/plan"
)

// The diagnostics of readers of proposed plans.
const (
	// NotePartial: the file holds only a part of what there is to review.
	NotePartial = "PL9050"
	// NoteProse: a step that names no tool; it is kept as a model's step.
	NoteProse = "PL9051"
	// NoteReference: what looks like a reference and names no step.
	NoteReference = "PL9052"
	// NoteOrder: a step needs one that does not come before it. Closing.
	NoteOrder = "PL9053"
	// NoteCode: code whose calls are known only in part. Closing.
	NoteCode = "PL9054"
)

// step is one step of a proposed plan before it has a place in the order.
type step struct {
	id string
	// names are further names under which references find the step.
	names  []string
	kind   plan.Kind
	tool   string
	server string
	args   plan.Value
	// raw: the arguments are text that could not be parsed.
	raw      bool
	after    []string
	when     string
	agent    string
	group    string
	approval string
	tools    []string
	pos      plan.Position
	// joined: more steps that the step stands for, as the calls of one stage.
	joined []*step

	// needs are the steps that must come before, index its place in the plan.
	needs []*step
	index int
}

// steps lowers steps into a plan: references are found by the dialects of
// references.go, steps sorted so that each comes after what it needs.
type steps struct {
	list  []*step
	named map[string]*step
	// inputs are the plan's parameters, which references may name too.
	inputs  map[string]bool
	notes   []plan.Note
	pending []pendingNote
}

// pendingNote is a note of a step that has no index yet.
type pendingNote struct {
	step *step
	note plan.Note
}

func newSteps() *steps { return &steps{named: make(map[string]*step)} }

// add takes the next step. A name that is taken stays with the earlier step.
func (s *steps) add(st *step) {
	s.list = append(s.list, st)
	st.index = -1
	for _, n := range append([]string{st.id}, st.names...) {
		s.name(n, st)
	}
}

func (s *steps) name(name string, st *step) {
	if _, taken := s.named[name]; name != "" && !taken {
		s.named[name] = st
	}
}

func (s *steps) note(st *step, note plan.Note) {
	s.pending = append(s.pending, pendingNote{st, note})
}

// plan sorts and resolves the steps.
func (s *steps) plan(format, source string) *plan.Plan {
	for _, st := range s.list {
		s.require(st)
	}
	ordered := s.sorted()
	p := &plan.Plan{Format: format, Source: source}
	ids := make(map[string]bool)
	for i, st := range ordered {
		st.index = i
		st.id = unique(st.id, i, ids)
	}
	for i, st := range ordered {
		r := resolver{steps: s, step: st}
		call := plan.Call{
			Index: i, ID: st.id, Kind: st.kind, Tool: st.tool, Server: st.server, Agent: st.agent, Turn: i,
			Args: r.value(st.args), RawArgs: st.raw, Pos: st.pos,
		}
		var after []int
		for _, need := range st.needs {
			if need.index < i && need.index >= 0 {
				after = append(after, need.index)
			}
		}
		slices.Sort(after)
		after = slices.Compact(after)
		if len(after)+len(st.when)+len(st.approval)+len(st.tools) > 0 {
			call.Rare = &plan.Rare{After: after, When: st.when, Approval: st.approval, Tools: st.tools}
		}
		p.Calls = append(p.Calls, call)
	}
	turns(p, ordered)
	for _, n := range s.pending {
		n.note.Call = -1
		if n.step != nil {
			n.note.Call = n.step.index
			if !n.note.Pos.Known() {
				n.note.Pos = n.step.pos
			}
		}
		s.notes = append(s.notes, n.note)
	}
	p.Notes = s.notes
	return p
}

func unique(id string, index int, taken map[string]bool) string {
	if id == "" {
		id = fmt.Sprintf("call-%d", index+1)
	}
	free := id
	for n := 2; taken[free]; n++ {
		free = fmt.Sprintf("%s#%d", id, n)
	}
	taken[free] = true
	return free
}

// turns numbers each agent's turns: neighbours of one group share one, since
// they don't see each other's output.
func turns(p *plan.Plan, ordered []*step) {
	next := make(map[string]int)
	last := make(map[string]string)
	for i := range p.Calls {
		c := &p.Calls[i]
		agent := c.AgentName()
		if g := ordered[i].group; g == "" || g != last[agent] || next[agent] == 0 {
			next[agent]++
		}
		last[agent] = ordered[i].group
		c.Turn = next[agent] - 1
	}
}

// require finds what a step needs: what it refers to and what it is after.
func (s *steps) require(st *step) {
	add := func(other *step) {
		for _, o := range append([]*step{other}, other.joined...) {
			if o != st && !slices.Contains(st.needs, o) {
				st.needs = append(st.needs, o)
			}
		}
	}
	for _, name := range st.after {
		if other := s.named[name]; other != nil {
			add(other)
		} else if name != "-1" {
			s.note(st, plan.Note{ID: NoteReference, Message: fmt.Sprintf("it depends on %q, which is no step", name)})
		}
	}
	st.args.Walk(func(_ plan.Path, v *plan.Value) bool {
		for _, f := range s.references(v) {
			if f.to != nil {
				add(f.to)
			}
		}
		return true
	})
}

// sorted puts each step behind what it needs, in file order where nothing says
// otherwise. Steps of a cycle stay in file order.
func (s *steps) sorted() []*step {
	missing := make(map[*step]int)
	waits := make(map[*step][]*step)
	for _, st := range s.list {
		missing[st] = len(st.needs)
		for _, n := range st.needs {
			waits[n] = append(waits[n], st)
		}
	}
	place := make(map[*step]int, len(s.list))
	for i, st := range s.list {
		place[st] = i
	}
	ready := &places{}
	for i, st := range s.list {
		if missing[st] == 0 {
			ready.push(i)
		}
	}
	var out []*step
	done := make([]bool, len(s.list))
	take := func(i int) {
		done[i] = true
		out = append(out, s.list[i])
		for _, w := range waits[s.list[i]] {
			if missing[w]--; missing[w] == 0 && !done[place[w]] {
				ready.push(place[w])
			}
		}
	}
	for at := 0; len(out) < len(s.list); {
		if i, ok := ready.pop(); ok {
			if !done[i] {
				take(i)
			}
			continue
		}
		for done[at] { // a cycle: the first of it that stands in the file
			at++
		}
		take(at)
	}
	return out
}

// places is a heap of places, the smallest first.
type places struct{ heap []int }

func (p *places) push(v int) {
	p.heap = append(p.heap, v)
	for i := len(p.heap) - 1; i > 0; {
		up := (i - 1) / 2
		if p.heap[up] <= p.heap[i] {
			break
		}
		p.heap[up], p.heap[i] = p.heap[i], p.heap[up]
		i = up
	}
}

func (p *places) pop() (int, bool) {
	if len(p.heap) == 0 {
		return 0, false
	}
	top := p.heap[0]
	last := len(p.heap) - 1
	p.heap[0] = p.heap[last]
	p.heap = p.heap[:last]
	for i := 0; ; {
		small := i
		for _, kid := range []int{2*i + 1, 2*i + 2} {
			if kid < last && p.heap[kid] < p.heap[small] {
				small = kid
			}
		}
		if small == i {
			return top, true
		}
		p.heap[i], p.heap[small] = p.heap[small], p.heap[i]
		i = small
	}
}
