package taint

import (
	"slices"
	"sort"
)

// What is kept of the paths. No cap loses a flow, a source or a sink: a path
// that is too long keeps the hops nearest to the sink (Flow.Cut), and sources
// beyond a search are counted as "at least" (Flow.AtLeast).
const (
	// maxHops is how many hops a flow keeps, fewHops how many once the flows of
	// one plan hold hopBudget together.
	maxHops   = 256
	fewHops   = 8
	hopBudget = 1 << 20
	// maxOthers is how many nodes are looked at to count a flow's other sources;
	// otherBudget bounds it over all flows of a plan.
	maxOthers   = 48
	otherBudget = 1 << 22
	// maxSearch is how many nodes AllFlows, and the search for the source that
	// an audience may not see, look at.
	maxSearch = 1 << 16
)

// Flows returns, per sink and label, the best witness; ordered by sink call,
// step, sink and label. There is a second flow of less precision where more data
// reaches the sink that way and fewer may read it, so that an audience that is
// right for the first can't hide it; and a flow of an integrity label into a
// slot that decides (Flow.Decides) where the best one enters by another slot.
func (l *Labels) Flows() []Flow { return l.FlowsWhere(nil) }

// FlowsWhere returns those of Flows that are wanted. It asks before it looks for
// a flow's path, when Label, Labels, Precision, Kinds, Audience and Readers are
// set: a caller that knows what its rules can match saves most of the work.
func (l *Labels) FlowsWhere(wanted func(*Flow) bool) []Flow {
	w := &walker{Labels: l, wanted: wanted}
	var flows []Flow
	if wanted == nil {
		flows = make([]Flow, 0, l.countFlows())
	}
	for id := range l.graph.nodes {
		if l.spans[id].n > 0 && l.graph.nodes[id].kind() == nodeSink {
			flows = w.sink(uint32(id), flows)
		}
	}
	return flows
}

// countFlows returns how many flows there are if each label has one.
func (l *Labels) countFlows() (n int) {
	for id := range l.graph.nodes {
		if l.spans[id].n > 0 && l.graph.nodes[id].kind() == nodeSink {
			n += l.at(uint32(id), Context).Len()
		}
	}
	return n
}

// sink appends the flows into one sink, and into what decides for it.
func (w *walker) sink(id uint32, flows []Flow) []Flow {
	g, first := w.graph, len(flows)
	flows = w.into(id, ^Set(0), flows)
	if n := id + 1; int(n) < len(g.nodes) && g.nodes[n].kind() == nodeDecider && w.spans[n].n > 0 {
		best := len(flows)
		for _, f := range w.into(n, g.universe.integrity, nil) {
			if !slices.ContainsFunc(flows[first:best], func(o Flow) bool {
				return o.Label == f.Label && o.Decides && o.Precision >= f.Precision
			}) {
				flows = append(flows, f)
			}
		}
		slices.SortStableFunc(flows[first:], func(a, b Flow) int { return int(a.Label) - int(b.Label) })
	}
	return flows
}

// into appends the flows of the given labels into one node.
func (w *walker) into(id uint32, labels Set, flows []Flow) []Flow {
	var all Set
	for _, x := range w.of(id) {
		all |= 1 << x.label
	}
	(all & labels).Each(func(label Label) {
		readers, have := AnyReader, false
		for p := Value; p >= Context; p-- {
			i, ok := w.entry(id, label, p)
			if !ok {
				continue
			}
			both := readers.Intersect(w.readers[w.entries[i].readers])
			if !have || !both.equal(readers) {
				flows = w.flow(id, i, both, flows)
			}
			readers, have = both, true
		}
	})
	return flows
}

// flow appends the flow of one entry of a sink or decider, if it is wanted.
func (w *walker) flow(id, i uint32, readers Readers, flows []Flow) []Flow {
	x := w.entries[i]
	f := w.blank(id, x.label, x.prec)
	f.Readers = readers
	if w.wanted != nil && !w.wanted(&f) {
		return flows
	}
	found := w.others(id, x.label)
	f.Others, f.AtLeast = max(found.sources-1, 0), found.more
	p := w.back(id, i)
	if w.seedReaders(x.root, x.label).Contain(f.Audience) && !f.Readers.Contain(f.Audience) {
		if q, ok := w.offender(id, x.label, x.prec, f.Audience); ok {
			p = q
		}
	}
	w.describe(&f, id, p)
	return append(flows, f)
}

// blank is a flow without its path.
func (l *Labels) blank(id uint32, label Label, prec Precision) Flow {
	s := l.graph.sink(id)
	return Flow{Label: label, Labels: l.at(id, prec), Precision: prec, Kinds: s.Kinds,
		Audience: s.Audience, SinkIndex: int(l.graph.nodes[id].idx), Slot: -1}
}

// Calls returns the calls on a flow's path in plan order, the sink's included.
func (f *Flow) Calls() []int {
	calls := make([]int, 0, len(f.Hops)+1)
	add := func(p *Place) {
		if p.Call >= 0 {
			calls = append(calls, p.Call)
		}
	}
	add(&f.Source)
	for i := range f.Hops {
		add(&f.Hops[i].From)
		add(&f.Hops[i].To)
	}
	add(&f.Sink)
	sort.Ints(calls)
	return slices.Compact(calls)
}
