package taint

import (
	"container/heap"
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
	held  [][]heldEntry
	out   edges // the region's edges by source: src holds the edge, start is relative
	queue workQueue
}

// heldEntry is an entry and the readers of its own way.
type heldEntry struct {
	entry
	own uint32
}

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
		l.relax(w.node, x.entry)
	}
	l.store()
}

// outEdges groups the edges inside the region by source.
func (l *local) outEdges() {
	n := int(l.hi - l.lo + 1)
	var list edgeList
	g := l.g
	for v := l.lo; v <= l.hi; v++ {
		for e := g.in.start[v]; e < g.in.start[v+1]; e++ {
			if src := g.in.src[e]; src >= l.lo {
				list.add(e, src-l.lo, meta(v))
			}
		}
	}
	l.out = list.group(n)
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
			from := l.spans[src]
			removed := g.removed(g.in.meta[e])
			for i := from.at; i < from.at+from.n; i++ {
				if x, ok := l.entries[i].along(e, g.in.meta[e], removed); ok {
					l.offer(v, x)
				}
			}
		}
	}
}

// relax hands an entry on along all edges that stay in the region.
func (l *local) relax(node uint32, x entry) {
	at := node - l.lo
	for i := l.out.start[at]; i < l.out.start[at+1]; i++ {
		e, dst := l.out.src[i], uint32(l.out.meta[i])
		m := l.g.in.meta[e]
		if next, ok := x.along(e, m, l.g.removed(m)); ok {
			l.offer(dst, next)
		}
	}
}

// offer joins an entry into a node and queues what changed.
func (l *local) offer(node uint32, x entry) {
	held := &l.held[node-l.lo]
	old := find(*held, x.label, x.prec)
	if old == nil {
		*held = append(*held, heldEntry{entry: x, own: x.readers})
		l.push(node, x)
		return
	}
	both := l.scratch.readers.intersect(old.readers, x.readers)
	changed := both != old.readers
	if x.dist < old.dist || x.dist == old.dist && l.prefer(x, old) {
		changed = changed || x.dist < old.dist
		*old = heldEntry{entry: x, own: x.readers}
	}
	old.readers = both
	if changed {
		l.push(node, old.entry)
	}
}

// prefer reports whether an equally near source is the better witness.
func (l *local) prefer(x entry, old *heldEntry) bool {
	if x.readers == old.own {
		return x.parent < old.parent
	}
	return l.scratch.readers.narrower(x.readers, old.own)
}

func (l *local) push(node uint32, x entry) {
	heap.Push(&l.queue, work{dist: x.dist, node: node, label: x.label, prec: x.prec})
}

func find(held []heldEntry, label Label, prec Precision) *heldEntry {
	for i := range held {
		if held[i].label == label && held[i].prec == prec {
			return &held[i]
		}
	}
	return nil
}

// store moves the region's entries to where all others lie.
func (l *local) store() {
	for i, held := range l.held {
		sort.Slice(held, func(i, j int) bool {
			if held[i].prec != held[j].prec {
				return held[i].prec > held[j].prec
			}
			return held[i].label < held[j].label
		})
		l.spans[l.lo+uint32(i)] = span{at: uint32(len(l.entries)), n: uint32(len(held))}
		for _, x := range held {
			l.entries = append(l.entries, x.entry)
		}
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
