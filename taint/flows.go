package taint

import (
	"math/bits"
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
// set: a caller that knows what its rules can match saves most of the work. The
// flow that it asks about is good until the answer.
func (l *Labels) FlowsWhere(wanted func(*Flow) bool) []Flow {
	room := getScratch()
	w := &room.walker
	w.Labels = l
	for id := range l.graph.nodes {
		if l.graph.nodes[id].kind() == nodeSink && len(l.of(uint32(id))) > 0 {
			w.ask(uint32(id), wanted)
		}
	}
	var flows []Flow
	if len(w.asked) > 0 {
		flows = make([]Flow, 0, len(w.asked))
	}
	for asked := w.asked; len(asked) > 0; {
		n := 1
		for n < len(asked) && asked[n].sink == asked[0].sink {
			n++
		}
		flows = w.sink(asked[:n], flows)
		asked = asked[n:]
	}
	room.put()
	return flows
}

// candidate is a flow whose path is not known yet: an entry of node id, which is
// a sink or decides for one.
type candidate struct{ sink, id, entry uint32 }

// ask notes the flows that are wanted into one sink, and into what decides for it.
func (w *walker) ask(id uint32, wanted func(*Flow) bool) {
	g := w.graph
	w.into(id, id, ^Set(0), wanted)
	if n := id + 1; int(n) < len(g.nodes) && g.nodes[n].kind() == nodeDecider {
		w.into(id, n, g.universe.integrity, wanted)
	}
}

// into notes the flows of the given labels into one node.
func (w *walker) into(sink, id uint32, labels Set, wanted func(*Flow) bool) {
	of := w.of(id)
	var all Set
	for i := range of {
		all |= 1 << of[i].label()
	}
	for all &= labels; all != 0; all &= all - 1 {
		label := Label(bits.TrailingZeros64(uint64(all)))
		readers, have := AnyReader, false
		for p := Value; p >= Context; p-- {
			i, ok := w.entry(id, label, p)
			if !ok {
				continue
			}
			both := readers.Intersect(w.readers[w.entries[i].readers()])
			if !have || !both.equal(readers) {
				w.blank(&w.flow, id, label, p)
				w.flow.Readers = both
				if wanted == nil || wanted(&w.flow) {
					w.asked = append(w.asked, candidate{sink: sink, id: id, entry: i})
				}
			}
			readers, have = both, true
		}
	}
}

// readersOf returns who may see all data of a label at a node that is known with at
// least a precision.
func (l *Labels) readersOf(id uint32, label Label, least Precision) Readers {
	readers := AnyReader
	of := l.of(id)
	for i := range of {
		if x := &of[i]; x.label() == label && x.prec() >= least {
			readers = readers.Intersect(l.readers[x.readers()])
		}
	}
	return readers
}

// sink appends the flows into one sink, and those into what decides for it that
// say more than one of the others.
func (w *walker) sink(asked []candidate, flows []Flow) []Flow {
	first, direct := len(flows), 0
	for direct < len(asked) && asked[direct].id == asked[direct].sink {
		flows = w.found(&asked[direct], flows)
		direct++
	}
	best := flows[first:]
	for i := direct; i < len(asked); i++ {
		if !decided(best, &w.entries[asked[i].entry]) {
			flows = w.found(&asked[i], flows)
		}
	}
	if len(flows) > first+direct {
		sort.SliceStable(flows[first:], func(i, j int) bool { return flows[first+i].Label < flows[first+j].Label })
	}
	return flows
}

// decided reports whether one of some flows says at least what an entry of a
// decider does.
func decided(flows []Flow, x *entry) bool {
	for i := range flows {
		if f := &flows[i]; f.Label == x.label() && f.Decides && f.Precision >= x.prec() {
			return true
		}
	}
	return false
}

// found appends a flow with its path.
func (w *walker) found(c *candidate, flows []Flow) []Flow {
	x := w.entries[c.entry]
	label, prec := x.label(), x.prec()
	flows = append(flows, Flow{})
	f := &flows[len(flows)-1]
	w.blank(f, c.id, label, prec)
	f.Readers = w.readersOf(c.id, label, prec)
	found := w.others(c.id, label)
	f.Others, f.AtLeast = max(found.sources-1, 0), found.more
	p := w.back(c.id, c.entry)
	if w.seedReaders(x.root, label).Contain(f.Audience) && !f.Readers.Contain(f.Audience) {
		if q, ok := w.offender(c.id, label, prec, f.Audience); ok {
			p = q
		}
	}
	w.describe(f, c.id, p)
	return flows
}

// blank makes f a flow without its path and readers.
func (l *Labels) blank(f *Flow, id uint32, label Label, prec Precision) {
	s := l.graph.sink(id)
	*f = Flow{Label: label, Labels: l.at(id, prec), Precision: prec, Kinds: s.Kinds,
		Audience: s.Audience, SinkIndex: l.graph.indexOf(l.graph.nodes[id]), Slot: -1}
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
