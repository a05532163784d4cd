package taint

import (
	"math/bits"
	"slices"

	"github.com/planlint/planlint/internal/reuse"
)

// entry is what a node holds of one label at one precision: the nearest source,
// and who may see all of it.
type entry struct {
	// parent is the edge that the nearest source comes by, or the number of the
	// seed with seedBit set.
	parent uint32
	// root is the number of the nearest source's seed.
	root uint32
	// tag has the label in bits 0-5, the precision in bits 6-7, that of the entry
	// at the edge's source in bits 8-9, and above the number of the readers.
	tag uint32
}

const (
	tagPrec    = 6
	tagFrom    = 8
	tagReaders = 10
	// maxReaders is how many sets of readers are told apart; what is beyond counts
	// as nobody.
	maxReaders = 1 << (32 - tagReaders)
)

func newTag(l Label, prec, from Precision, readers uint32) uint32 {
	return uint32(l) | uint32(prec)<<tagPrec | uint32(from)<<tagFrom | readers<<tagReaders
}

func (x *entry) label() Label    { return Label(x.tag & (MaxLabels - 1)) }
func (x *entry) prec() Precision { return Precision(x.tag >> tagPrec & 3) }
func (x *entry) from() Precision { return Precision(x.tag >> tagFrom & 3) }
func (x *entry) readers() uint32 { return x.tag >> tagReaders }

// read changes the readers.
func (x *entry) read(readers uint32) { x.tag = x.tag&(1<<tagReaders-1) | readers<<tagReaders }

const seedBit = 1 << 31

// arrival is an entry while labels propagate; dist is the number of edges from
// its source.
type arrival struct {
	entry
	dist uint32
}

// solver computes the entries of all nodes. Those of node v are start[v] to
// start[v+1]; dists lie beside the entries.
type solver struct {
	g       *Graph
	start   []uint32
	entries []entry
	dists   []uint32
	merger  *merger
	// seed is the next seed in node order.
	seed int
}

// Propagate computes the label sets of every node: one pass in time order, with
// the stretches that a backward edge spans solved to the fixpoint.
func (g *Graph) Propagate() *Labels {
	room := getScratch()
	s := &solver{g: g, start: make([]uint32, len(g.nodes)+1), merger: &room.merger,
		entries: room.entries[:0], dists: room.dists[:0]}
	s.merger.readers = g.readers.clone()
	if len(g.seeds) > 0 {
		usual := len(g.nodes) * 3 / 4
		s.entries, s.dists = slices.Grow(s.entries, usual), slices.Grow(s.dists, usual)
	}
	regions := g.regions()
	for v := uint32(0); int(v) < len(g.nodes); {
		if len(regions) > 0 && regions[0].lo == v {
			s.solve(regions[0])
			v = regions[0].hi + 1
			regions = regions[1:]
			continue
		}
		s.visit(v)
		v++
	}
	l := &Labels{graph: g, start: s.start, readers: s.merger.readers.sets}
	l.entries, room.entries = handOver(s.entries)
	room.dists, s.merger.readers = reuse.Plain(s.dists), nil
	room.put()
	return l
}

// visit computes one node from its seeds and in-edges. Most nodes hold nothing
// and cost one look at each in-edge.
func (s *solver) visit(v uint32) {
	g := s.g
	for s.seed < len(g.seeds) && g.seeds[s.seed].node == v {
		s.addSeed(s.seed)
		s.seed++
	}
	for e := g.in.start[v]; e < g.in.start[v+1]; e++ {
		src := g.in.src[e]
		if lo, hi := s.start[src], s.start[src+1]; lo < hi {
			s.addEdge(e, lo, hi)
		}
	}
	if s.merger.any() {
		s.entries, s.dists = s.merger.flush(s.entries, s.dists)
	}
	s.start[v+1] = uint32(len(s.entries))
}

func (s *solver) addSeed(k int) {
	s.g.seeds[k].labels.Each(func(l Label) { s.merger.add(s.g.seedEntry(k, l)) })
}

// addEdge joins what the entries from lo to hi become at the far end of an edge.
func (s *solver) addEdge(e, lo, hi uint32) {
	m := s.g.in.meta(e)
	removed := s.g.removed(m)
	for i := lo; i < hi; i++ {
		x := arrival{entry: s.entries[i], dist: s.dists[i]}
		if x.follow(e, m, removed) {
			s.merger.add(x)
		}
	}
}

// follow makes an entry what it becomes at the far end of an edge, and reports
// whether it passes.
func (x *arrival) follow(e uint32, m meta, removed Set) bool {
	label, prec := x.label(), x.prec()
	p := min(prec, m.precision())
	if removed.Has(label) || p == Context && m.strong() {
		return false
	}
	x.parent, x.tag = e, newTag(label, p, prec, x.readers())
	x.dist++
	return true
}

// ownContent is how far away what was recognised in an argument counts as a source:
// an output, a cell or a file that holds the same explains it, and is shown instead.
const ownContent = 1 << 24

// seedEntry is the entry that a source starts with.
func (g *Graph) seedEntry(k int, l Label) arrival {
	x := arrival{entry: entry{parent: seedBit | uint32(k), root: uint32(k),
		tag: newTag(l, Value, NoPrecision, g.universe.defaultReaders(l, g.seeds[k].readers))}}
	if g.nodes[g.seeds[k].node].kind() == nodeSlot {
		x.dist = ownContent
	}
	return x
}

// merger joins what comes into one node.
type merger struct {
	readers *readerTable
	have    [Value + 1]Set
	best    [Value + 1][MaxLabels]arrival
	// narrow is the readers of the best entry's own way.
	narrow [Value + 1][MaxLabels]uint32
}

func (m *merger) any() bool { return m.have[Value]|m.have[Resource]|m.have[Context] != 0 }

// add joins one entry: the nearest source wins, then the narrowest readers, then
// the first to come; the readers are those of all.
func (m *merger) add(x arrival) {
	p, l := x.prec(), x.label()
	best, own := &m.best[p][l], &m.narrow[p][l]
	if !m.have[p].Has(l) {
		m.have[p] |= 1 << l
		*best, *own = x, x.readers()
		return
	}
	both := m.readers.intersect(best.readers(), x.readers())
	if x.dist < best.dist || x.dist == best.dist && m.readers.narrower(x.readers(), *own) {
		*best, *own = x, x.readers()
	}
	best.read(both)
}

// flush appends what was joined, strongest precision first, and forgets it.
func (m *merger) flush(to []entry, dists []uint32) ([]entry, []uint32) {
	for p := Value; p >= Context; p-- {
		for s := m.have[p]; s != 0; s &= s - 1 {
			x := &m.best[p][bits.TrailingZeros64(uint64(s))]
			to, dists = append(to, x.entry), append(dists, x.dist)
		}
		m.have[p] = 0
	}
	return to, dists
}
