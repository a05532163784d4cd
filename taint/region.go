package taint

import (
	"container/heap"
	"slices"
	"sort"
)

// region is a stretch of nodes that backward edges span.
type region struct{ lo, hi uint32 }

// regions returns the stretches, joined where they overlap, in order.
func (g *Graph) regions() []region {
	if !g.in.back {
		return nil
	}
	var all []region
	for v := range g.nodes {
		for e := g.in.start[v]; e < g.in.start[v+1]; e++ {
			if src := g.in.src[e]; src >= uint32(v) {
				all = append(all, region{lo: uint32(v), hi: src})
			}
		}
	}
	joined := all[:0]
	for _, r := range all { // sorted by lo already
		if n := len(joined); n > 0 && r.lo <= joined[n-1].hi {
			joined[n-1].hi = max(joined[n-1].hi, r.hi)
		} else {
			joined = append(joined, r)
		}
	}
	return joined
}

// local solves one region. Its nodes hold their entries apart until it is done.
type local struct {
	*solver
	region
	held [][]heldEntry
	// out are the region's edges by source: those of node v from begin[v-lo] on.
	begin []uint32
	out   []outEdge
	queue workQueue
}

// heldEntry is an entry and the readers of its own way.
type heldEntry struct {
	arrival
	own uint32
}

// outEdge is an edge and where it leads.
type outEdge struct{ edge, dst uint32 }

// work says that an entry of a node is to be handed on.
type work struct {
	dist, node uint32
	label      Label
	prec       Precision
}

// solve computes a region's entries: what comes from before it and from seeds
// first, then a worklist ordered by distance (Dijkstra). So each entry settles
// its distance once, and comes back only when its readers shrink: for E edges, L
// labels and R different readers O(E L R log E), and in practice once per entry.
func (s *solver) solve(r region) {
	l := &local{solver: s, region: r, held: make([][]heldEntry, r.hi-r.lo+1)}
	l.outEdges()
	l.enter()
	for len(l.queue) > 0 {
		w := heap.Pop(&l.queue).(work)
		x := find(l.held[w.node-l.lo], w.label, w.prec)
		if x.dist < w.dist {
			continue // settled nearer
		}
		l.relax(w.node, x.arrival)
	}
	l.store()
}

// outEdges groups the edges inside the region by source.
func (l *local) outEdges() {
	g := l.g
	inside := g.in.src[g.in.start[l.lo]:g.in.start[l.hi+1]]
	l.begin = make([]uint32, l.hi-l.lo+2)
	for _, src := range inside {
		if src >= l.lo {
			l.begin[src-l.lo+1]++
		}
	}
	for v := range l.begin[1:] {
		l.begin[v+1] += l.begin[v]
	}
	l.out = make([]outEdge, l.begin[len(l.begin)-1])
	next := slices.Clone(l.begin)
	for v := l.lo; v <= l.hi; v++ {
		for e := g.in.start[v]; e < g.in.start[v+1]; e++ {
			if src := g.in.src[e]; src >= l.lo {
				l.out[next[src-l.lo]] = outEdge{edge: e, dst: v}
				next[src-l.lo]++
			}
		}
	}
}

// enter takes in the seeds and all that comes from before the region.
func (l *local) enter() {
	g := l.g
	for l.seed < len(g.seeds) && g.seeds[l.seed].node <= l.hi {
		k := l.seed
		sd := &g.seeds[k]
		sd.labels.Each(func(lb Label) {
			l.offer(sd.node, g.seedEntry(k, lb))
		})
		l.seed++
	}
	for v := l.lo; v <= l.hi; v++ {
		for e := g.in.start[v]; e < g.in.start[v+1]; e++ {
			src := g.in.src[e]
			if src >= l.lo {
				continue
			}
			m := g.in.meta(e)
			removed := g.removed(m)
			for i := l.start[src]; i < l.start[src+1]; i++ {
				x := arrival{entry: l.entries[i], dist: l.dists[i]}
				if x.follow(e, m, removed) {
					l.offer(v, x)
				}
			}
		}
	}
}

// relax hands an entry on along all edges that stay in the region.
func (l *local) relax(node uint32, x arrival) {
	at := node - l.lo
	for _, out := range l.out[l.begin[at]:l.begin[at+1]] {
		m, next := l.g.in.meta(out.edge), x
		if next.follow(out.edge, m, l.g.removed(m)) {
			l.offer(out.dst, next)
		}
	}
}

// offer joins an entry into a node and queues what changed.
func (l *local) offer(node uint32, x arrival) {
	held := &l.held[node-l.lo]
	old := find(*held, x.label(), x.prec())
	if old == nil {
		*held = append(*held, heldEntry{arrival: x, own: x.readers()})
		l.push(node, x)
		return
	}
	both := l.merger.readers.intersect(old.readers(), x.readers())
	changed := both != old.readers()
	if x.dist < old.dist || x.dist == old.dist && l.prefer(x, old) {
		changed = changed || x.dist < old.dist
		*old = heldEntry{arrival: x, own: x.readers()}
	}
	old.read(both)
	if changed {
		l.push(node, old.arrival)
	}
}

// prefer reports whether an equally near source is the better witness.
func (l *local) prefer(x arrival, old *heldEntry) bool {
	if x.readers() == old.own {
		return x.parent < old.parent
	}
	return l.merger.readers.narrower(x.readers(), old.own)
}

func (l *local) push(node uint32, x arrival) {
	heap.Push(&l.queue, work{dist: x.dist, node: node, label: x.label(), prec: x.prec()})
}

func find(held []heldEntry, label Label, prec Precision) *heldEntry {
	for i := range held {
		if held[i].label() == label && held[i].prec() == prec {
			return &held[i]
		}
	}
	return nil
}

// store moves the region's entries to where all others lie.
func (l *local) store() {
	for i, held := range l.held {
		sort.Slice(held, func(i, j int) bool {
			if held[i].prec() != held[j].prec() {
				return held[i].prec() > held[j].prec()
			}
			return held[i].label() < held[j].label()
		})
		for k := range held {
			l.entries, l.dists = append(l.entries, held[k].entry), append(l.dists, held[k].dist)
		}
		l.start[l.lo+uint32(i)+1] = uint32(len(l.entries))
	}
}

// workQueue is a heap, nearest first; ties in node order, so that the outcome
// does not depend on how entries came in.
type workQueue []work

func (q workQueue) Len() int { return len(q) }

func (q workQueue) Less(i, j int) bool {
	a, b := &q[i], &q[j]
	switch {
	case a.dist != b.dist:
		return a.dist < b.dist
	case a.node != b.node:
		return a.node < b.node
	case a.prec != b.prec:
		return a.prec > b.prec
	}
	return a.label < b.label
}

func (q workQueue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }

// Push is for container/heap.
func (q *workQueue) Push(x any) { *q = append(*q, x.(work)) }

// Pop is for container/heap.
func (q *workQueue) Pop() any {
	old := *q
	x := old[len(old)-1]
	*q = old[:len(old)-1]
	return x
}
