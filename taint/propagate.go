package taint

import "math/bits"

// entry is what a node holds of one label at one precision: the nearest source,
// and who may see all of it.
type entry struct {
	// parent is the edge that the nearest source comes by, or the number of the
	// seed with seedBit set.
	parent uint32
	// dist is the number of edges from the source.
	dist    uint32
	readers uint32
	// root is the number of the nearest source's seed.
	root  uint32
	label Label
	prec  Precision
	// from is the precision of the entry at the edge's source.
	from Precision
}

const seedBit = 1 << 31

// span is where a node's entries lie: strongest precision first, then by label.
type span struct{ at, n uint32 }

// solver computes the entries of all nodes.
type solver struct {
	g       *Graph
	spans   []span
	entries []entry
	scratch merger
	// seed is the next seed in node order.
	seed int
}

// Propagate computes the label sets of every node: one pass in time order, with
// the stretches that a backward edge spans solved to the fixpoint.
func (g *Graph) Propagate() *Labels {
	s := &solver{g: g, spans: make([]span, len(g.nodes))}
	s.scratch.readers = g.readers.clone()
	if len(g.seeds) > 0 {
		s.entries = make([]entry, 0, len(g.nodes))
	}
	regions := g.regions()
	for v := 0; v < len(g.nodes); {
		if len(regions) > 0 && regions[0].lo == uint32(v) {
			s.solve(regions[0])
			v = int(regions[0].hi) + 1
			regions = regions[1:]
			continue
		}
		s.visit(uint32(v))
		v++
	}
	if len(s.entries) < cap(s.entries)*3/4 {
		s.entries = append(make([]entry, 0, len(s.entries)), s.entries...) // labels live as long as the report
	}
	return &Labels{graph: g, spans: s.spans, entries: s.entries, readers: s.scratch.readers.sets}
}

// visit computes one node from its seeds and in-edges. Most nodes hold nothing
// and cost one look at each in-edge.
func (s *solver) visit(v uint32) {
	g, m := s.g, &s.scratch
	for s.seed < len(g.seeds) && g.seeds[s.seed].node == v {
		s.addSeed(s.seed)
		s.seed++
	}
	for e := g.in.start[v]; e < g.in.start[v+1]; e++ {
		if from := s.spans[g.in.src[e]]; from.n > 0 {
			s.addEdge(e, s.entries[from.at:from.at+from.n])
		}
	}
	if m.any() {
		at := len(s.entries)
		s.entries = m.flush(s.entries)
		s.spans[v] = span{at: uint32(at), n: uint32(len(s.entries) - at)}
	}
}

func (s *solver) addSeed(k int) {
	s.g.seeds[k].labels.Each(func(l Label) {
		s.scratch.add(s.g.seedEntry(k, l))
	})
}

func (s *solver) addEdge(e uint32, from []entry) {
	m := s.g.in.meta[e]
	removed := s.g.removed(m)
	for i := range from {
		if next, ok := from[i].along(e, m, removed); ok {
			s.scratch.add(next)
		}
	}
}

// along returns what an entry becomes at the far end of an edge.
func (x *entry) along(e uint32, m meta, removed Set) (entry, bool) {
	p := min(x.prec, m.precision())
	if removed.Has(x.label) || p == Context && m.strong() {
		return entry{}, false
	}
	return entry{parent: e, dist: x.dist + 1, readers: x.readers, root: x.root,
		label: x.label, prec: p, from: x.prec}, true
}

// ownContent is how far away what was recognised in an argument counts as a source:
// an output, a cell or a file that holds the same explains it, and is shown instead.
const ownContent = 1 << 24

// seedEntry is the entry that a source starts with.
func (g *Graph) seedEntry(k int, l Label) entry {
	x := entry{parent: seedBit | uint32(k), root: uint32(k), label: l, prec: Value,
		readers: g.universe.defaultReaders(l, g.seeds[k].readers)}
	if g.nodes[g.seeds[k].node].kind() == nodeSlot {
		x.dist = ownContent
	}
	return x
}

// merger joins what comes into one node.
type merger struct {
	readers *readerTable
	have    [Value + 1]Set
	best    [Value + 1][MaxLabels]entry
	// narrow is the readers of the best entry's own way.
	narrow [Value + 1][MaxLabels]uint32
}

func (m *merger) any() bool { return m.have[Value]|m.have[Resource]|m.have[Context] != 0 }

// add joins one entry: the nearest source wins, then the narrowest readers, then
// the first to come; the readers are those of all.
func (m *merger) add(x entry) {
	best, own := &m.best[x.prec][x.label], &m.narrow[x.prec][x.label]
	if !m.have[x.prec].Has(x.label) {
		m.have[x.prec] |= 1 << x.label
		*best, *own = x, x.readers
		return
	}
	both := m.readers.intersect(best.readers, x.readers)
	if x.dist < best.dist || x.dist == best.dist && m.readers.narrower(x.readers, *own) {
		*best, *own = x, x.readers
	}
	best.readers = both
}

// flush appends what was joined, strongest precision first, and forgets it.
func (m *merger) flush(to []entry) []entry {
	for p := Value; p >= Context; p-- {
		for s := m.have[p]; s != 0; s &= s - 1 {
			to = append(to, m.best[p][bits.TrailingZeros64(uint64(s))])
		}
		m.have[p] = 0
	}
	return to
}
