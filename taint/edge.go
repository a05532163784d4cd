package taint

import (
	"slices"
	"sort"

	"github.com/planlint/planlint/internal/reuse"
	"github.com/planlint/planlint/plan"
)

// meta is what an edge says besides its source: precision in bits 0-1, kind of
// evidence in bits 2-4, bit 5 set where nothing of context precision passes, and
// above the number of its detail, 0 for none.
type meta uint32

const (
	metaKind     = 2
	metaStrong   = 1 << 5
	metaDetail   = 6
	maxDetail    = 1<<(32-metaDetail) - 1
	maskEvidence = 7
)

func newMeta(p Precision, k EvidenceKind, detail uint32) meta {
	return meta(p) | meta(k)<<metaKind | meta(detail)<<metaDetail
}

func (m meta) precision() Precision { return Precision(m & 3) }
func (m meta) kind() EvidenceKind   { return EvidenceKind(m >> metaKind & maskEvidence) }
func (m meta) strong() bool         { return m&metaStrong != 0 }
func (m meta) detail() uint32       { return uint32(m >> metaDetail) }

// detail is what only some edges have.
type detail struct {
	// removed labels do not pass the edge.
	removed Set
	// ref is the reference, value the argument value with the reference or match.
	ref   *plan.Ref
	value *plan.Value
	match *matched
}

// edges holds all edges grouped by target: those into node v are start[v] to
// start[v+1].
type edges struct {
	start []uint32
	src   []uint32
	// low are the low bits of each edge's meta, with lowDetail set where it has a
	// detail: that stands in details, by edge.
	low     []uint8
	details []edgeDetail
	// back says that some edge leads to its own or a lower number.
	back bool
}

// edgeDetail is the number of an edge's detail.
type edgeDetail struct{ edge, detail uint32 }

const lowDetail = 1 << metaDetail

// meta returns what an edge says.
func (e *edges) meta(edge uint32) meta {
	low := e.low[edge]
	if low&lowDetail == 0 {
		return meta(low)
	}
	i := sort.Search(len(e.details), func(i int) bool { return e.details[i].edge >= edge })
	return meta(low&^lowDetail) | meta(e.details[i].detail)<<metaDetail
}

// edgeList gathers edges in any order.
type edgeList struct {
	src, dst []uint32
	meta     []meta
}

func (l *edgeList) add(src, dst uint32, m meta) {
	l.src = append(l.src, src)
	l.dst = append(l.dst, dst)
	l.meta = append(l.meta, m)
}

func (l *edgeList) grow(n int) edgeList {
	return edgeList{src: slices.Grow(l.src, n), dst: slices.Grow(l.dst, n), meta: slices.Grow(l.meta, n)}
}

func (l *edgeList) rest() edgeList {
	return edgeList{src: reuse.Plain(l.src), dst: reuse.Plain(l.dst), meta: reuse.Plain(l.meta)}
}

// group sorts the edges by target, keeping their order otherwise (a counting
// sort: linear in nodes and edges).
func (l *edgeList) group(nodes int) edges {
	e := edges{
		start: make([]uint32, nodes+1),
		src:   make([]uint32, len(l.src)),
		low:   make([]uint8, len(l.src)),
	}
	detailed := 0
	for i, dst := range l.dst {
		e.start[dst+1]++
		e.back = e.back || l.src[i] >= dst
		if l.meta[i].detail() != 0 {
			detailed++
		}
	}
	e.details = make([]edgeDetail, 0, detailed)
	for v := 0; v < nodes; v++ {
		e.start[v+1] += e.start[v]
	}
	for i, dst := range l.dst {
		at := e.start[dst]
		e.start[dst]++
		e.src[at], e.low[at] = l.src[i], uint8(l.meta[i]&(lowDetail-1))
		if d := l.meta[i].detail(); d != 0 {
			e.low[at] |= lowDetail
			e.details = append(e.details, edgeDetail{edge: at, detail: d})
		}
	}
	sort.Slice(e.details, func(i, j int) bool { return e.details[i].edge < e.details[j].edge })
	copy(e.start[1:], e.start[:nodes])
	e.start[0] = 0
	return e
}

func (g *Graph) removed(m meta) Set {
	if d := m.detail(); d != 0 {
		return g.details[d].removed
	}
	return 0
}
