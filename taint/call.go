package taint

import (
	"fmt"
	"slices"

	"github.com/planlint/planlint/plan"
)

// NoteInputLabel is the id of the note on an input with an undeclared label.
const NoteInputLabel = "PL9041"

// planInputs makes the nodes of the plan's parameters. They are in the main
// agent's context from the start.
func (b *builder) planInputs() {
	for i := range b.plan.Inputs {
		in := &b.plan.Inputs[i]
		id := b.node(nodeInput, i, 0, 0)
		b.inputs[i] = id
		labels, trusted := Set(0), false
		for _, name := range in.Labels {
			s, ok := b.universe.Lookup(name)
			if !ok {
				b.notes = append(b.notes, plan.Note{ID: NoteInputLabel, Call: -1, Closing: true, Pos: in.Pos,
					Message: fmt.Sprintf("input %q has the unknown label %q", in.Name, name)})
				s = Of(Secret) // the strict side: nobody may see it
			}
			labels |= s
			trusted = trusted || name == "trusted"
		}
		if !trusted {
			labels |= Of(Untrusted)
		}
		b.seed(id, labels, nobodyID, "input of the plan")
		b.agents[0].nodes = append(b.agents[0].nodes, id)
	}
}

// call makes the nodes of one call: slots, then step by step what it reads, the
// step, what it writes and its sinks, and last the output.
func (b *builder) call(i int) {
	t := b.of[i]
	if int(b.turns[t].first) == i {
		b.openTurn(t)
	}
	c, f := &b.plan.Calls[i], b.facts[i]
	all := b.everything(i)
	n := &b.calls[i]
	n.first, n.out = uint32(len(b.nodes)), noNode
	for s := range f.Slots {
		b.sources(b.node(nodeSlot, i, 0, s), f.Slots[s].Sources())
	}
	edges := len(b.list.src)
	for s := range f.Slots {
		b.slot(c, s)
	}
	b.steps = slices.Grow(b.steps[:0], len(f.Steps))[:len(f.Steps)]
	for s := range f.Steps {
		b.step(c, s, b.steps, all)
	}
	b.contextEdges(c, edges)
	spawned := b.spawns[int32(i)]
	if len(spawned) == 0 {
		b.output(i)
	}
	for _, a := range spawned {
		b.agents[a].inbox = append(b.agents[a].inbox, int32(i))
	}
	if !c.Outcome.DidNotRun() {
		a := &b.agents[b.turns[t].agent]
		a.calls = append(a.calls, int32(i))
	}
}

// output makes a call's output and field nodes where they are not there yet:
// those of a spawning call wait until its agent's next turn, so that they come
// after what the sub-agent did.
func (b *builder) output(i int) {
	n := &b.calls[i]
	if n.out != noNode {
		return
	}
	if !b.fixed {
		for _, a := range b.spawns[int32(i)] {
			b.context(a)
		}
	}
	if n.out != noNode {
		return // a circle of agents came back here
	}
	c, f := &b.plan.Calls[i], b.facts[i]
	n.out = b.node(nodeOutput, i, 0, 0)
	ran := !c.Outcome.DidNotRun()
	if ran {
		b.sources(n.out, f.Output())
	}
	for k := range f.Fields() {
		if id := b.node(nodeField, i, 0, k); ran {
			b.sources(id, f.Fields()[k].Sources)
		}
	}
	if !ran {
		return
	}
	b.stepOutputs(i)
	if c.Kind == plan.Model && !b.fixed {
		b.edge(b.before[b.of[i]], n.out, Context, ByContext, 0)
	}
	if !b.fixed {
		b.prov.joinSource(b, i, false)
	}
}

// stepOutputs lets the results of a call's steps into its output: those that
// write to it, and a plain tool's (a step without a name) in any case.
func (b *builder) stepOutputs(i int) {
	f, n := b.facts[i], b.calls[i]
	step := n.first
	for s := range f.Steps {
		for b.nodes[step].kind() != nodeStep || b.stepOf(b.nodes[step]) != s || int(b.nodes[step].call) != i {
			step++
		}
		out := f.Steps[s].Name == ""
		for w := range f.Steps[s].Writes {
			out = out || f.Steps[s].Writes[w].ToOutput
		}
		if out {
			b.edge(step, n.out, Value, ByPass, 0)
		}
	}
}

// outputEdges leads from a call's output, and those of its fields that a mask
// has, to a node.
func (b *builder) outputEdges(call int, of fieldMask, dst uint32, m meta) {
	out := b.calls[call].out
	b.connect(out, dst, m)
	for k := range b.facts[call].Fields() {
		if of.has(k) {
			b.connect(out+1+uint32(k), dst, m)
		}
	}
}

// everything returns, for an opaque call, the node that joins all outputs so
// far: they form a chain too.
func (b *builder) everything(i int) uint32 {
	if !b.hasOpaque() {
		return noNode
	}
	defer func() { b.opaque = append(b.opaque, int32(i)) }()
	if b.plan.Calls[i].Kind != plan.Opaque {
		return noNode
	}
	for _, call := range b.opaque {
		b.output(int(call))
	}
	id := b.node(nodeAll, i, 0, 0)
	b.edge(b.all, id, Resource, ByContext, 0)
	for _, call := range b.opaque {
		b.outputEdges(int(call), allFields, id, newMeta(Resource, ByContext, 0))
	}
	b.all, b.opaque = id, b.opaque[:0]
	return id
}

func (b *builder) hasOpaque() bool { return b.opaque != nil }
