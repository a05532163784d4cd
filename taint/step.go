package taint

import (
	"slices"

	"github.com/planlint/planlint/plan"
)

// step makes the nodes of one step. steps are the nodes of the call's steps so
// far; all is what an opaque call reads beside its operands.
func (b *builder) step(c *plan.Call, s int, steps []uint32, all uint32) {
	i, st := c.Index, &b.facts[c.Index].Steps[s]
	b.operands = b.operands[:0]
	for r := range st.Reads {
		b.operands = append(b.operands, b.operand(c, s, r, steps))
	}
	reads := b.operands
	id := b.node(nodeStep, i, s, 0)
	steps[s] = id
	b.sources(id, st.Adds())
	pass := uint32(0)
	if st.Removes() != 0 {
		pass = b.detail(detail{removed: st.Removes()})
	}
	for r := range reads {
		b.connect(reads[r], id, passing(&st.Reads[r], pass))
	}
	b.edge(all, id, Resource, ByContext, pass)
	for k := range st.Sinks {
		b.sink(c, s, k, steps, reads, all, pass)
	}
	for w := range st.Writes {
		if !st.Writes[w].ToOutput {
			b.write(c, s, w, id)
		}
	}
}

// passing is what an edge from an operand says.
func passing(o *Operand, detail uint32) meta {
	switch o.Kind {
	case FromCell:
		return newMeta(Resource, ByCell, detail)
	case FromStep:
		return newMeta(Value, ByPipe, detail)
	}
	return newMeta(Value, ByPass, detail)
}

// operand returns the node of one operand. One that is not there (a slot or step
// that the facts do not have) reads nothing.
func (b *builder) operand(c *plan.Call, s, r int, steps []uint32) uint32 {
	o := &b.facts[c.Index].Steps[s].Reads[r]
	if o.Kind != FromCell {
		return b.place(c, o, s, steps)
	}
	b.reads = b.cells.read(b, c.Index, o.Cell, b.reads[:0])
	id := b.node(nodeRead, c.Index, s, r)
	for _, v := range b.reads {
		b.edge(v, id, Resource, ByCell, 0)
	}
	b.sources(id, o.Sources())
	return id
}

// place returns the node of a slot, or of the result of step s or an earlier one.
func (b *builder) place(c *plan.Call, o *Operand, s int, steps []uint32) uint32 {
	switch {
	case o.Kind == FromSlot && o.Index >= 0 && int(o.Index) < len(b.facts[c.Index].Slots):
		return b.calls[c.Index].first + uint32(o.Index)
	case o.Kind == FromStep && o.Index >= 0 && int(o.Index) < s:
		return steps[o.Index]
	}
	return noNode
}

// sink makes the nodes of one sink: what leaves by it, and what decides where to.
func (b *builder) sink(c *plan.Call, s, k int, steps, reads []uint32, all, pass uint32) {
	st := &b.facts[c.Index].Steps[s]
	sink := &st.Sinks[k]
	strong := meta(0)
	if sink.UnknownTool {
		strong = metaStrong
	}
	id := b.node(nodeSink, c.Index, s, k)
	for r := range sink.From {
		o := &sink.From[r]
		if o.Kind == FromStep && int(o.Index) == s {
			b.connect(steps[s], id, newMeta(Value, ByPass, 0)|strong) // its own result
			continue
		}
		b.connect(b.leaving(c, o, s, steps, reads), id, passing(o, pass)|strong)
	}
	if len(sink.From) == 0 {
		for r := range reads {
			b.connect(reads[r], id, passing(&st.Reads[r], pass)|strong)
		}
		if len(reads) == 0 {
			b.connect(steps[s], id, newMeta(Value, ByPass, 0)|strong)
		}
	}
	b.connect(all, id, newMeta(Resource, ByContext, pass)|strong)
	if len(sink.Decides) == 0 {
		return
	}
	decider := b.node(nodeDecider, c.Index, s, k)
	for _, slot := range sink.Decides {
		from := b.place(c, &Operand{Index: int32(slot)}, s, steps)
		b.connect(from, decider, newMeta(Value, ByPass, 0)|strong)
	}
}

// leaving returns the node of an operand that leaves by a sink; a cell is one of
// those that the step reads.
func (b *builder) leaving(c *plan.Call, o *Operand, s int, steps, reads []uint32) uint32 {
	if o.Kind != FromCell {
		return b.place(c, o, s, steps)
	}
	st := &b.facts[c.Index].Steps[s]
	for range st.Reads { // from where the last one was found: mostly the same order
		b.lastRead = (b.lastRead + 1) % len(st.Reads)
		if r := &st.Reads[b.lastRead]; r.Kind == FromCell && r.Cell.Is(o.Cell) {
			return reads[b.lastRead]
		}
	}
	return steps[s] // not declared as read: then anything that the step has
}

// slot makes the edges into one slot from what its values refer to, what they
// match, and what will fill them in.
func (b *builder) slot(c *plan.Call, s int) {
	id := b.calls[c.Index].first + uint32(s)
	for _, v := range b.facts[c.Index].Slots[s].Values() {
		b.references(c, id, v)
	}
	if !b.fixed {
		b.prov.slotEdges(b, c.Index, s, id)
	}
}

func (b *builder) references(c *plan.Call, id uint32, v *plan.Value) {
	if v.Ext != nil {
		for r := range v.Ext.Refs {
			b.reference(c, id, v, &v.Ext.Refs[r])
		}
		if u := v.Ext.Unknown; u != nil && v.Kind == plan.UnknownValue {
			b.unknown(c, id, v, u)
		}
	}
	for i := range v.Items {
		b.references(c, id, &v.Items[i])
	}
}

// reference adds the edges of one reference: to a call's output, to the item of
// the list that the call is mapped over, or to an input.
func (b *builder) reference(c *plan.Call, id uint32, v *plan.Value, r *plan.Ref) {
	m := newMeta(Value, ByReference, b.detail(detail{ref: r, value: v}))
	switch {
	case r.Call >= 0 && r.Call < len(b.calls):
		b.fromOutput(r.Call, r.Path, id, m)
	case c.Each() != nil && c.As() != "" && r.Name == c.As():
		b.item(c, r, id, m)
	default:
		b.input(r.Name, id, m)
	}
}

func (b *builder) item(c *plan.Call, r *plan.Ref, id uint32, m meta) {
	if c.Each().Call < 0 || c.Each().Call >= len(b.calls) {
		b.input(c.Each().Name, id, m)
		return
	}
	path := append(c.Each().Path.Clone(), plan.Step{Wild: true})
	b.fromOutput(c.Each().Call, append(path, r.Path...), id, m)
}

// fromOutput leads from an earlier call's output, or from that of a later one
// (which Validate refuses) once it is there.
func (b *builder) fromOutput(call int, path plan.Path, id uint32, m meta) {
	b.fromFields(call, pathMask(b.facts[call].Fields(), path), id, m)
}

// fromFields is fromOutput by a mask.
func (b *builder) fromFields(call int, of fieldMask, id uint32, m meta) {
	if b.plan.Calls[call].Outcome.DidNotRun() {
		return
	}
	if b.calls[call].out == noNode {
		b.late = append(b.late, lateRef{call: call, of: of, dst: id, meta: m})
		return
	}
	b.outputEdges(call, of, id, m)
}

// lateRef is a reference to an output whose node is not there yet.
type lateRef struct {
	call int
	of   fieldMask
	dst  uint32
	meta meta
}

func (b *builder) input(name string, id uint32, m meta) {
	if i, ok := b.inputNamed[name]; ok {
		b.connect(b.inputs[i], id, m)
	}
}

// unknown adds the edges of a value that is not known until the plan runs.
func (b *builder) unknown(c *plan.Call, id uint32, v *plan.Value, u *plan.UnknownSource) {
	for _, call := range u.From {
		if call >= 0 && call < len(b.calls) && call != c.Index {
			b.fromOutput(call, nil, id, newMeta(Value, ByReference, b.detail(detail{value: v})))
		}
	}
	if u.By == "input" {
		for _, in := range b.inputs {
			b.edge(in, id, Context, ByContext, 0)
		}
	}
}

// contextEdges lets the agent's context into the slots that leave by a sink of
// the call and are not accounted for otherwise. The call's own edges, from the
// given one on, lie in time order, so that one walk back finds what leaves: by
// pipes and files inside one command line too.
func (b *builder) contextEdges(c *plan.Call, edges int) {
	n, slots := b.calls[c.Index], b.facts[c.Index].Slots
	if b.fixed || len(slots) == 0 {
		return
	}
	b.marks = slices.Grow(b.marks[:0], len(b.nodes)-int(n.first))[:len(b.nodes)-int(n.first)]
	clear(b.marks)
	for e := len(b.list.src) - 1; e >= edges; e-- {
		src, dst := b.list.src[e], b.list.dst[e]
		if src < n.first || dst < n.first {
			continue
		}
		leaves := b.nodes[dst].kind() == nodeSink && !b.list.meta[e].strong()
		if leaves || b.marks[dst-n.first] {
			b.marks[src-n.first] = true
		}
	}
	b.markWhole(slots)
	for s := range slots {
		if b.marks[s] && !slots[s].Known && !b.prov.accounted(c.Index, s) {
			b.edge(b.before[b.of[c.Index]], n.first+uint32(s), Context, ByContext, 0)
		}
	}
}

// markWhole marks the slots of which a part leaves: the whole text was written in
// the same context.
func (b *builder) markWhole(slots []Slot) {
	for k := range slots {
		if !b.marks[k] || len(slots[k].Parts()) == 0 {
			continue
		}
		for s := range slots {
			b.marks[s] = b.marks[s] || len(slots[s].Values()) == 1 && slots[s].Values()[0] == slots[k].Values()[0]
		}
	}
}
