package taint

import "slices"

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
	wanted func(*Flow) bool
	// top is, by entry, where its chain begins.
	top    []chainTop
	search search
	hops   int
	looked int
	// nodes, edges and seen are scratch.
	nodes, edges, seen []uint32
}

// run says which nodes form one chain: contexts, values, all outputs, cells.
func run(k nodeKind) nodeKind {
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
		i, _ = w.entry(id, w.entries[i].label, w.entries[i].from)
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
	kind := run(g.nodes[id].kind())
	if kind == nodeSink {
		return id, i
	}
	if w.top == nil {
		w.top = make([]chainTop, len(w.entries))
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
		if run(g.nodes[src].kind()) != kind {
			break
		}
		i, _ = w.entry(src, w.entries[i].label, w.entries[i].from)
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
	from, start := f.Source, 0
	last := len(p.nodes) - 1
	hops := 1
	for k := 1; k < last; k++ {
		if g.shown(p, k) {
			hops++
		}
	}
	f.Hops = make([]Hop, 0, hops)
	for k := 1; k < last; k++ {
		if !g.shown(p, k) {
			continue
		}
		to := g.place(p.nodes[k])
		f.Hops = append(f.Hops, g.hop(from, to, p, start, k))
		from, start = to, k
	}
	l.arrive(f, from, p, start, id)
}

// arrive fills in where a path enters its sink: the argument or cell that leaves
// by it, else the step that has the sink.
func (l *Labels) arrive(f *Flow, from Place, p path, start int, id uint32) {
	g, last := l.graph, len(p.nodes)-1
	f.Sink = from
	if end := g.nodes[p.nodes[start]]; start > 0 && start == last-1 {
		switch end.kind() {
		case nodeSlot:
			f.Slot = int(end.idx)
			f.Sink.Step = g.nodes[id].step()
			f.Decides = slices.Contains(g.sink(id).Decides, f.Slot)
			return
		case nodeRead:
			return
		case nodeStep:
			if end.step() == g.nodes[id].step() {
				return
			}
		}
	}
	f.Sink = g.place(id)
	f.Hops = append(f.Hops, g.hop(from, f.Sink, p, start, last))
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
		return g.facts[n.call].Steps[n.step()].Name != ""
	}
	return false
}
