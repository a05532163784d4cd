package taint

import "github.com/planlint/planlint/plan"

// chain is an agent's context while the graph is built: a node per turn, fed by
// the one before and by what has entered since.
type chain struct {
	// ctx is the newest node, first the oldest; have says that there is one.
	ctx, first uint32
	have       bool
	turns      int32
	// calls finished, nodes (texts, inputs) entered and spawning calls arrived
	// since the newest node.
	calls []int32
	nodes []uint32
	inbox []int32
	// kids are agents that no known call started and whose chain grew.
	kids     []int32
	reported bool
	// loop is the node before the first turn of a loop that is still open.
	loop     uint32
	looping  bool
	growing  bool
	lastTurn int32
}

func newChain() chain { return chain{lastTurn: -1} }

// stale reports whether something has entered since the newest node.
func (c *chain) stale() bool {
	return !c.have || len(c.calls) > 0 || len(c.nodes) > 0 || len(c.inbox) > 0 || len(c.kids) > 0
}

// context returns the node of what an agent knows now.
func (b *builder) context(a int32) uint32 {
	c := &b.agents[a].chain
	if c.growing || !c.stale() {
		return c.ctx // growing: agents that started each other in a circle
	}
	c.growing = true
	calls, kids := c.calls, c.kids
	c.calls, c.kids = nil, nil
	for _, call := range calls {
		b.output(int(call))
	}
	var ends []uint32
	if p := b.agents[a].parent; p >= 0 && !c.have && b.agents[p].have {
		ends = append(ends, b.context(p))
	}
	for _, k := range kids {
		b.agents[k].reported = false
		ends = append(ends, b.context(k))
	}
	id := b.node(nodeContext, int(a), 0, int(c.turns))
	for _, end := range ends {
		b.edge(end, id, Context, ByContext, 0)
	}
	b.enter(a, id, calls)
	c.calls = calls[:0]
	c.growing = false
	return id
}

// enter adds the edges into a new context node and makes it the newest.
func (b *builder) enter(a int32, id uint32, calls []int32) {
	c := &b.agents[a].chain
	if c.have {
		b.edge(c.ctx, id, Context, ByContext, 0)
	} else {
		c.first, c.have = id, true
	}
	for _, call := range calls {
		b.outputEdges(int(call), allFields, id, newMeta(Context, ByContext, 0))
	}
	for _, n := range c.nodes {
		b.edge(n, id, Context, ByContext, 0)
	}
	for _, call := range c.inbox {
		b.spawnEdges(int(call), id)
	}
	c.nodes, c.inbox = c.nodes[:0], c.inbox[:0]
	c.ctx = id
	c.turns++
	// A parent that waits for this very node gets it as one of its ends.
	if p := b.agents[a].parent; p >= 0 && !c.reported {
		b.agents[p].kids = append(b.agents[p].kids, a)
		c.reported = true
	}
}

// spawnEdges lets what a call gave to a sub-agent, and what its own agent knew,
// into a context.
func (b *builder) spawnEdges(call int, ctx uint32) {
	first := b.calls[call].first
	for i := range b.facts[call].Slots {
		b.edge(first+uint32(i), ctx, Context, ByContext, 0)
	}
	b.edge(b.before[b.of[call]], ctx, Context, ByContext, 0)
}

// openTurn makes the context before a turn.
func (b *builder) openTurn(t int32) {
	if b.fixed {
		return
	}
	turn := &b.turns[t]
	ctx := b.context(turn.agent)
	b.before[t] = ctx
	c := &b.agents[turn.agent].chain
	switch {
	case turn.repeat && !c.looping:
		c.loop, c.looping = ctx, true
	case !turn.repeat && c.looping:
		b.closeLoop(turn.agent, ctx)
	}
}

// closeLoop lets what a loop's calls gave into the loop's first turn, which may
// run again.
func (b *builder) closeLoop(a int32, ctx uint32) {
	c := &b.agents[a].chain
	b.edge(ctx, c.loop, Context, ByContext, 0)
	c.looping = false
}

// endChains closes what is still open when the last call is done: loops, outputs
// of spawning calls, and answers of agents that outlived their parent's turn.
func (b *builder) endChains() {
	for call := range b.calls {
		if b.calls[call].out == noNode {
			b.output(call)
		}
	}
	for _, r := range b.late {
		b.outputEdges(r.call, r.of, r.dst, r.meta)
	}
	for a := range b.agents {
		if b.agents[a].looping {
			b.closeLoop(int32(a), b.context(int32(a)))
		}
	}
	for call := range b.plan.Calls { // in order, not by the map's
		for _, a := range b.spawns[int32(call)] {
			b.answer(call, a)
		}
	}
}

// answer lets a sub-agent's last context into the output of the call that
// started it.
func (b *builder) answer(call int, a int32) {
	c := &b.agents[a].chain
	if !c.have || b.fixed {
		return
	}
	end := b.context(a)
	if !b.plan.Calls[call].Outcome.DidNotRun() {
		b.edge(end, b.calls[call].out, Context, ByContext, 0)
	}
}

// textSource reports whether a kind of text is a source of its own; the user's
// words, the operator's and the model's own are not.
func textSource(k plan.TextKind) bool {
	switch k {
	case plan.TextUser, plan.TextSystem, plan.TextModel, plan.TextSummary, plan.TextSubagentPrompt:
		return false
	}
	return true
}

// text makes the node of a text that carries something.
func (b *builder) text(i int) {
	t := &b.plan.Texts[i]
	a := b.agent(t.Agent)
	switch {
	case textSource(t.Kind):
		id := b.textNode(i, a)
		b.seed(id, Of(Untrusted), everyoneID, textWhy(t))
	case t.Kind == plan.TextSummary:
		before := b.context(a)
		b.edge(before, b.textNode(i, a), Context, ByContext, 0)
	case t.Kind == plan.TextSubagentPrompt && b.agents[a].parent >= 0:
		before := b.context(b.agents[a].parent)
		b.edge(before, b.textNode(i, a), Context, ByContext, 0)
	case t.Kind == plan.TextSubagentPrompt:
		id := b.textNode(i, a)
		for _, s := range b.agents[a].inbox {
			b.spawnEdges(int(s), id)
		}
	}
}

func (b *builder) textNode(i int, a int32) uint32 {
	id := b.node(nodeText, i, 0, 0)
	b.texts[i] = id
	b.agents[a].nodes = append(b.agents[a].nodes, id)
	return id
}

func textWhy(t *plan.Text) string {
	if t.Origin == "" {
		return t.Kind.String() + " text"
	}
	return t.Kind.String() + " text from " + t.Origin
}
