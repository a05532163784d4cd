package taint

import "sort"

// search walks back from a sink over the edges that carry one label, nearest
// first. Its scratch is reused; seen costs a byte a node.
type search struct {
	seen    []Precision
	touched []uint32
	queue   []visit
	at      []int32
}

// visit is a node on the way back: prec is the weakest hop from it to the sink,
// next the visit that it was reached from, by edge.
type visit struct {
	node uint32
	next int32
	edge uint32
	prec Precision
}

// found is what a search finds: its visits that have a source, in the order of
// their distance, good until the next search.
type found struct {
	at      []int32
	sources int
	more    bool
}

// run walks back from a node for a label, at most limit nodes. A node is looked
// at again only on a way of more precision.
func (s *search) run(l *Labels, id uint32, label Label, limit int) found {
	if n := len(l.graph.nodes); len(s.seen) < n {
		s.seen = make([]Precision, n)
	}
	s.queue = append(s.queue[:0], visit{node: id, next: -1, prec: Value})
	s.touched = s.touched[:0]
	out := found{at: s.at[:0]}
	for k := 0; k < len(s.queue); k++ {
		if k >= limit {
			out.more = true
			break
		}
		v := s.queue[k]
		first := s.seen[v.node] == NoPrecision || v.next < 0
		if v.prec <= s.seen[v.node] {
			continue
		}
		s.seen[v.node] = v.prec
		s.touched = append(s.touched, v.node)
		if l.starts(v.node, label) {
			out.at = append(out.at, int32(k))
			if first {
				out.sources++
			}
		}
		s.expand(l, int32(k), label)
	}
	for _, id := range s.touched {
		s.seen[id] = NoPrecision
	}
	s.at = out.at
	return out
}

// expand queues where a visit's node has the label from.
func (s *search) expand(l *Labels, k int32, label Label) {
	g, v := l.graph, s.queue[k]
	for e := g.in.start[v.node]; e < g.in.start[v.node+1]; e++ {
		m, src := g.in.meta(e), g.in.src[e]
		p := min(v.prec, m.precision())
		if p <= s.seen[src] || g.removed(m).Has(label) {
			continue
		}
		least := Context
		if m.strong() {
			least = Resource
		}
		if p < least || !l.holds(src, label, least) {
			continue
		}
		s.queue = append(s.queue, visit{node: src, next: k, edge: e, prec: p})
	}
}

// holds reports whether a node has a label with at least a precision.
func (l *Labels) holds(id uint32, label Label, least Precision) bool {
	of := l.of(id)
	for i := range of {
		if of[i].label() == label {
			return of[i].prec() >= least // the strongest comes first
		}
	}
	return false
}

// path returns the way of one visit.
func (s *search) path(g *Graph, k int32, label Label) path {
	v := s.queue[k]
	p := path{nodes: []uint32{v.node}, seed: g.seedWith(v.node, label)}
	for v.next >= 0 {
		p.edges = append(p.edges, v.edge)
		v = s.queue[v.next]
		p.nodes = append(p.nodes, v.node)
	}
	return p
}

// starts reports whether data has a label at a node from the start: then that
// source is the nearest.
func (l *Labels) starts(id uint32, label Label) bool {
	of := l.of(id)
	for i := range of {
		if of[i].label() == label {
			return of[i].parent&seedBit != 0
		}
	}
	return false
}

// seedWith returns a node's first seed of a label.
func (g *Graph) seedWith(id uint32, label Label) uint32 {
	lo := sort.Search(len(g.seeds), func(i int) bool { return g.seeds[i].node >= id })
	for !g.seeds[lo].labels.Has(label) {
		lo++
	}
	return uint32(lo)
}

// others counts the sources of a sink's label.
func (w *walker) others(id uint32, label Label) found {
	limit := min(maxOthers, otherBudget-w.looked)
	f := w.search.run(w.Labels, id, label, limit)
	w.looked += min(len(w.search.queue), max(limit, 0))
	return f
}

// offender finds the nearest source of a label and precision that an audience
// may not see: the witness to show where the nearest of all is innocent.
func (w *walker) offender(id uint32, label Label, prec Precision, a Audience) (path, bool) {
	g := w.graph
	limit := min(maxSearch, max(maxOthers, otherBudget-w.looked))
	f := w.search.run(w.Labels, id, label, limit)
	w.looked += len(w.search.queue)
	for _, k := range f.at {
		v := w.search.queue[k]
		if v.prec != prec {
			continue
		}
		p := w.search.path(g, k, label)
		for p.seed < uint32(len(g.seeds)) && g.seeds[p.seed].node == v.node {
			if g.seeds[p.seed].labels.Has(label) && !w.seedReaders(p.seed, label).Contain(a) {
				return p, true
			}
			p.seed++
		}
	}
	return path{}, false
}

// AllFlows returns every source that reaches a call's sinks, best first, at
// most limit; more says that there are others.
func (l *Labels) AllFlows(call, limit int) (flows []Flow, more bool) {
	w := &walker{Labels: l}
	lo, hi := l.within(call)
	for id := lo; id < hi; id++ {
		if n := l.graph.nodes[id]; n.kind() != nodeSink || int(n.call) != call {
			continue
		}
		l.at(id, Context).Each(func(label Label) {
			cut := w.all(id, label, &flows)
			more = more || cut
		})
	}
	sort.SliceStable(flows, func(i, j int) bool { return flows[i].Precision > flows[j].Precision })
	if len(flows) > limit {
		flows, more = flows[:max(limit, 0)], true
	}
	return flows, more
}

// all appends a flow per source of a sink's label, each by its most precise way.
func (w *walker) all(id uint32, label Label, flows *[]Flow) (more bool) {
	g := w.graph
	f := w.search.run(w.Labels, id, label, maxSearch)
	best := map[uint32]int32{}
	for _, k := range f.at { // a later visit of a node is more precise
		best[w.search.queue[k].node] = k
	}
	for _, k := range f.at {
		v := w.search.queue[k]
		if best[v.node] != k {
			continue
		}
		p := w.search.path(g, k, label)
		*flows = append(*flows, Flow{})
		flow := &(*flows)[len(*flows)-1]
		w.blank(flow, id, label, v.prec)
		flow.Readers = w.seedReaders(p.seed, label)
		w.describe(flow, id, p)
	}
	return f.more
}
