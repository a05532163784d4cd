package taint

import (
	"slices"

	"github.com/planlint/planlint/internal/reuse"
)

// path is a way from a source to a sink: edges[i] leads from nodes[i] to
// nodes[i+1], noNode where hops were left out.
type path struct {
	seed  uint32
	nodes []uint32
	edges []uint32
	cut   bool
}

// walker follows parent links. It remembers where a chain of nodes that only
// pass on begins, so that n sinks behind one long chain cost n steps.
type walker struct {
	*Labels
	// asked are the flows that are wanted, flow the one that is asked about.
	asked []candidate
	flow  Flow
	// top is, by entry, where its chain begins; empty until the first is met.
	top    []chainTop
	search search
	hops   int
	looked int
	// nodes, edges and seen are scratch.
	nodes, edges, seen []uint32
}

// rest leaves a walker with nothing but room for the next labels.
func (w *walker) rest() {
	*w = walker{asked: reuse.Plain(w.asked), top: reuse.Plain(w.top), nodes: reuse.Plain(w.nodes), edges: reuse.Plain(w.edges), seen: reuse.Plain(w.seen),
		search: search{seen: w.search.seen, touched: reuse.Plain(w.search.touched), queue: reuse.Plain(w.search.queue), at: reuse.Plain(w.search.at)}}
	if len(w.search.seen) > reuse.Max {
		w.search.seen = nil
	}
}

// chained says which nodes form one chain: contexts, values, all outputs, cells.
func chained(k nodeKind) nodeKind {
	switch k {
	case nodeFolder, nodeHub:
		return nodeHub
	case nodeContext, nodeValue, nodeAll:
		return k
	}
	return nodeSink // none
}

// back returns the way by which an entry came.
func (w *walker) back(id, i uint32) path {
	g := w.graph
	p := path{seed: w.entries[i].root, nodes: append(w.nodes[:0], id), edges: w.edges[:0]}
	limit, shown := maxHops, 0
	if w.hops > hopBudget {
		limit = fewHops
	}
	for w.entries[i].parent&seedBit == 0 {
		if shown > limit {
			p.cut = true
			p.edges = append(p.edges, noNode)
			p.nodes = append(p.nodes, g.seeds[p.seed].node)
			break
		}
		e := w.entries[i].parent
		id = g.in.src[e]
		i, _ = w.entry(id, w.entries[i].label(), w.entries[i].from())
		p.edges = append(p.edges, e)
		p.nodes = append(p.nodes, id)
		if top, first := w.begin(id, i); top != id {
			p.edges = append(p.edges, noNode)
			p.nodes = append(p.nodes, top)
			id, i = top, first
		}
		shown++
	}
	slices.Reverse(p.nodes)
	slices.Reverse(p.edges)
	w.hops += len(p.edges)
	w.nodes, w.edges = p.nodes, p.edges // good until the next call
	return p
}

// chainTop is where a chain begins; entry is one more than the entry's number.
type chainTop struct{ entry, node uint32 }

// begin returns the entry and node that the chain through an entry begins with:
// the same where its node is in none.
func (w *walker) begin(id, i uint32) (uint32, uint32) {
	g := w.graph
	kind := chained(g.nodes[id].kind())
	if kind == nodeSink {
		return id, i
	}
	if len(w.top) == 0 {
		w.top = slices.Grow(w.top, len(w.entries))[:len(w.entries)]
		clear(w.top)
	}
	seen := w.seen[:0]
	for {
		if t := w.top[i]; t.entry != 0 {
			id, i = t.node, t.entry-1
			break
		}
		seen = append(seen, i)
		e := w.entries[i].parent
		if e&seedBit != 0 {
			break
		}
		src := g.in.src[e]
		if chained(g.nodes[src].kind()) != kind {
			break
		}
		i, _ = w.entry(src, w.entries[i].label(), w.entries[i].from())
		id = src
	}
	w.seen = seen
	for _, s := range seen {
		w.top[s] = chainTop{entry: i + 1, node: id}
	}
	return id, i
}

// describe fills a flow's places and hops from its path.
func (l *Labels) describe(f *Flow, id uint32, p path) {
	g := l.graph
	f.SourceWhy, f.Cut = g.seeds[p.seed].why, p.cut
	f.Source = g.place(p.nodes[0])
	last := len(p.nodes) - 1
	hops, end := 0, 0
	for k := 1; k < last; k++ {
		if g.shown(p, k) {
			hops, end = hops+1, k
		}
	}
	arrived := end > 0 && end == last-1 && g.enters(p.nodes[end], id)
	if !arrived {
		hops++
	}
	f.Hops = make([]Hop, 0, hops)
	from, start := f.Source, 0
	for k := 1; k < last; k++ {
		if g.shown(p, k) {
			to := g.place(p.nodes[k])
			f.Hops = append(f.Hops, g.hop(from, to, p, start, k))
			from, start = to, k
		}
	}
	if f.Sink = from; !arrived {
		f.Sink = g.place(id)
		f.Hops = append(f.Hops, g.hop(from, f.Sink, p, start, last))
	} else if n := g.nodes[p.nodes[end]]; n.kind() == nodeSlot {
		f.Slot = g.indexOf(n)
		f.Sink.Step = g.stepOf(g.nodes[id])
		f.Decides = slices.Contains(g.sink(id).Decides, f.Slot)
	}
}

// enters reports whether the node before a sink is where a path enters it, for
// people: the argument or cell that leaves by it, or the step that has the sink.
func (g *Graph) enters(end, sink uint32) bool {
	switch n := g.nodes[end]; n.kind() {
	case nodeSlot, nodeRead:
		return true
	case nodeStep:
		return g.stepOf(n) == g.stepOf(g.nodes[sink])
	}
	return false
}

// shown reports whether people see the k-th node of a path: not what only
// passes on inside a call, in a context, or in a cell.
func (g *Graph) shown(p path, k int) bool {
	n := g.nodes[p.nodes[k]]
	next := g.nodes[p.nodes[k+1]]
	switch n.kind() {
	case nodeSlot, nodeOutput, nodeField, nodeText, nodeInput, nodeVersion:
		return true
	case nodeRead:
		return next.kind() == nodeSink || next.kind() == nodeDecider
	case nodeStep:
		return g.facts[n.call].Steps[g.stepOf(n)].Name != ""
	}
	return false
}
