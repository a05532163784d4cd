package taint

import (
	"slices"
	"sort"

	"github.com/planlint/planlint/internal/reuse"
	"github.com/planlint/planlint/plan"
)

// noNode stands for a node that is not there.
const noNode = ^uint32(0)

// seed says that data has labels at a node from the start.
type seed struct {
	node    uint32
	readers uint32
	labels  Set
	why     string
}

// builder makes the graph in one sweep over the plan in time order.
type builder struct {
	schedule
	plan     *plan.Plan
	facts    []*Facts
	universe *Universe
	fixed    bool
	nodeList
	list    edgeList
	seeds   []seed
	details []detail
	readers *readerTable
	calls   []callNodes
	// before is the context node before each turn.
	before []uint32
	texts  []uint32
	inputs []uint32
	cells  cellTable
	prov   provenance
	notes  []plan.Note
	// all is the newest node that joins every output so far, for opaque calls;
	// opaque are the outputs since.
	all    uint32
	opaque []int32
	late   []lateRef
	// The rest is scratch, and an index of the inputs by name.
	marks                  []bool
	reads, operands, steps []uint32
	lastRead               int
	inputNamed             map[string]int
}

// start gets ready for a plan.
func (b *builder) start(p *plan.Plan, facts []*Facts, u *Universe, o options) {
	b.plan, b.facts, b.universe, b.fixed, b.all, b.readers = p, facts, u, p.Fixed, noNode, newReaderTable()
	b.schedule.start(p, facts)
	b.cells.start(facts, &b.schedule)
	b.details = append(b.details[:0], detail{})
	b.calls = make([]callNodes, len(p.Calls))
	b.before, b.texts, b.inputs = filled(b.before, len(b.turns)), filled(b.texts, len(p.Texts)), filled(b.inputs, len(p.Inputs))
	for i := range p.Inputs {
		if b.inputNamed == nil {
			b.inputNamed = make(map[string]int, len(p.Inputs))
		}
		b.inputNamed[p.Inputs[i].Name] = i
	}
	for i := range p.Calls {
		if p.Calls[i].Kind == plan.Opaque {
			b.opaque = make([]int32, 0, len(p.Calls))
			break
		}
	}
	if len(p.Calls) > reuse.Max/16 {
		b.reserve()
	}
	if !b.fixed {
		b.prov.start(p, facts, &b.schedule, o)
		b.notes = append(b.notes, b.prov.notes...)
	}
}

// rest leaves nothing but room for the next plan.
func (b *builder) rest() {
	b.schedule.rest()
	b.cells.rest()
	b.prov.rest()
	*b = builder{schedule: b.schedule, cells: b.cells, prov: b.prov, list: b.list.rest(),
		nodeList: nodeList{nodes: reuse.Plain(b.nodes)}, seeds: reuse.Cleared(b.seeds), details: reuse.Cleared(b.details),
		before: reuse.Plain(b.before), texts: reuse.Plain(b.texts), inputs: reuse.Plain(b.inputs), late: reuse.Plain(b.late),
		marks: reuse.Plain(b.marks), reads: reuse.Plain(b.reads), operands: reuse.Plain(b.operands), steps: reuse.Plain(b.steps)}
}

// filled returns n times noNode, in the memory of a list if it is enough.
func filled(room []uint32, n int) []uint32 {
	s := slices.Grow(room[:0], n)[:n]
	for i := range s {
		s[i] = noNode
	}
	return s
}

// complete gives calls without slots or steps those of a plain tool, so that
// nothing that a call was given is without a node.
func complete(p *plan.Plan, facts func(call int) *Facts) []*Facts {
	out := make([]*Facts, len(p.Calls))
	for i := range out {
		f, args := facts(i), &p.Calls[i].Args
		if f == nil || len(f.Steps) == 0 || len(f.Slots) == 0 && given(args) {
			f = plain(f, args)
		}
		out[i] = f
	}
	return out
}

// plain returns facts with what is missing of a plain tool's.
func plain(f *Facts, args *plan.Value) *Facts {
	out := &Facts{}
	if f != nil {
		*out = *f
	}
	if len(out.Slots) == 0 && given(args) {
		out.Slots = []Slot{NewSlot("args", args)}
	}
	if len(out.Steps) == 0 {
		out.Steps = []Step{{Reads: make([]Operand, len(out.Slots))}}
		for s := range out.Slots {
			out.Steps[0].Reads[s].Index = int32(s)
		}
	}
	return out
}

// given reports whether arguments hold anything.
func given(args *plan.Value) bool {
	return len(args.Items) > 0 || args.Kind != plan.Object && args.Kind != plan.List && args.Kind != plan.Null
}

// reserve makes room for the nodes and edges of the calls of a large plan.
func (b *builder) reserve() {
	nodes, edges := len(b.turns)+len(b.plan.Texts)+len(b.plan.Inputs), 2*len(b.turns)
	for _, f := range b.facts {
		nodes += len(f.Slots) + 1 + len(f.Fields())
		edges += 1 + len(f.Fields())
		for s := range f.Steps {
			n, e := f.Steps[s].size()
			nodes, edges = nodes+n, edges+e
		}
	}
	nodes, edges = nodes+nodes/16, edges+edges/16
	b.nodes, b.list = slices.Grow(b.nodes, nodes), b.list.grow(edges)
}

// size returns about how many nodes and edges a step has. What values are found in,
// and how many versions a read sees, is not known before; a sixteenth is added for it.
func (st *Step) size() (nodes, edges int) {
	nodes, edges = 1, len(st.Reads)
	for r := range st.Reads {
		if st.Reads[r].Kind == FromCell {
			nodes, edges = nodes+1, edges+1
		}
	}
	for w := range st.Writes {
		if !st.Writes[w].ToOutput {
			nodes, edges = nodes+1, edges+1
		}
	}
	for k := range st.Sinks {
		sink := &st.Sinks[k]
		nodes, edges = nodes+1+min(1, len(sink.Decides)), edges+2*len(sink.From)+len(sink.Decides)
		if len(sink.From) == 0 {
			edges += 2 * len(st.Reads)
		}
	}
	return nodes, edges
}

func (b *builder) node(kind nodeKind, call, step, idx int) uint32 {
	return b.nodeList.add(kind, call, step, idx)
}

func (b *builder) edge(src, dst uint32, p Precision, k EvidenceKind, detail uint32) {
	b.connect(src, dst, newMeta(p, k, detail))
}

func (b *builder) connect(src, dst uint32, m meta) {
	if src != noNode && dst != noNode {
		b.list.add(src, dst, m)
	}
}

// detail keeps what an edge says beside its kind and returns its number. Where
// there are too many the edge does without: it loses evidence, or removes
// nothing, but carries everything.
func (b *builder) detail(d detail) uint32 {
	if len(b.details) > maxDetail {
		return 0
	}
	b.details = append(b.details, d)
	return uint32(len(b.details) - 1)
}

func (b *builder) seed(id uint32, labels Set, readers uint32, why string) {
	if labels != 0 {
		b.seeds = append(b.seeds, seed{node: id, readers: readers, labels: labels, why: why})
	}
}

func (b *builder) sources(id uint32, sources []Source) {
	for i := range sources {
		b.seed(id, sources[i].Labels, b.readers.id(sources[i].Readers), sources[i].Why)
	}
}

// sweep makes all nodes and edges, call by call.
func (b *builder) sweep() {
	b.planInputs()
	texts := b.textOrder()
	for i := range b.plan.Calls {
		for len(texts) > 0 && b.textTime(b.plan, texts[0]) <= i {
			b.enterText(texts[0])
			texts = texts[1:]
		}
		b.call(i)
		for _, call := range b.due[int32(i)] {
			b.output(int(call))
		}
	}
	for _, t := range texts {
		b.enterText(t)
	}
	b.endChains()
}

func (b *builder) enterText(i int) {
	if !b.fixed {
		b.text(i)
		b.prov.joinSource(b, i, true)
	}
}

func (b *builder) textOrder() []int {
	order := make([]int, len(b.plan.Texts))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(x, y int) int { return b.textTime(b.plan, x) - b.textTime(b.plan, y) })
	return order
}

// finish groups the edges and hands over the graph. What it does not keep is for the
// next plan.
func (b *builder) finish() *Graph {
	slices.SortStableFunc(b.seeds, func(x, y seed) int { return int(x.node) - int(y.node) })
	g := &Graph{
		plan: b.plan, facts: b.facts, universe: b.universe, calls: b.calls, agents: b.agentNames(),
		readers: b.readers, notes: b.notes,
	}
	b.prov.rest() // those of a large plan are not needed while the edges are grouped
	b.schedule.rest()
	g.wide = b.wide
	g.nodes, b.nodes = handOver(b.nodes)
	g.seeds, g.details, g.cellName = slices.Clone(b.seeds), slices.Clone(b.details), slices.Clone(b.cells.names)
	g.in = b.list.group(len(g.nodes))
	b.rest()
	return g
}

// seedsOf returns the seeds of a node.
func (g *Graph) seedsOf(id uint32) []seed {
	lo := sort.Search(len(g.seeds), func(i int) bool { return g.seeds[i].node >= id })
	hi := lo
	for hi < len(g.seeds) && g.seeds[hi].node == id {
		hi++
	}
	return g.seeds[lo:hi]
}
