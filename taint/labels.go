package taint

// Labels are the label sets of a graph, with parent links that explain each.
// They are immutable and may be shared.
type Labels struct {
	graph *Graph
	// start says where the entries of each node begin: strongest precision first,
	// then by label.
	start   []uint32
	entries []entry
	// readers are the sets that the entries number.
	readers []Readers
}

// Graph returns the graph that the labels belong to.
func (l *Labels) Graph() *Graph { return l.graph }

// In returns the labels that reach a call's arguments and cells with at least
// the given precision.
func (l *Labels) In(call int, least Precision) Set {
	var s Set
	lo, hi := l.within(call)
	for id := lo; id < hi; id++ {
		n := l.graph.nodes[id]
		if k := n.kind(); (k == nodeSlot || k == nodeRead) && int(n.call) == call {
			s |= l.at(id, least)
		}
	}
	return s
}

// Out returns the labels of a call's output, whatever the precision.
func (l *Labels) Out(call int) Set {
	if call < 0 || call >= len(l.graph.calls) {
		return 0
	}
	out := l.graph.calls[call].out
	s := l.at(out, Context)
	for k := range l.graph.facts[call].Fields() {
		s |= l.at(out+1+uint32(k), Context)
	}
	return s
}

// Slot returns the labels of one argument slot.
func (l *Labels) Slot(call, slot int, least Precision) Set {
	g := l.graph
	if call < 0 || call >= len(g.calls) || slot < 0 || slot >= len(g.facts[call].Slots) {
		return 0
	}
	return l.at(g.calls[call].first+uint32(slot), least)
}

// Sink returns the labels that reach one sink.
func (l *Labels) Sink(call, step, sink int, least Precision) Set {
	var s Set
	g := l.graph
	lo, hi := l.within(call)
	for id := lo; id < hi; id++ {
		n := g.nodes[id]
		if n.kind() == nodeSink && int(n.call) == call && g.stepOf(n) == step && g.indexOf(n) == sink {
			s |= l.at(id, least)
		}
	}
	return s
}

// seedReaders are who may see what one source marks with a label.
func (l *Labels) seedReaders(seed uint32, label Label) Readers {
	return l.readers[l.graph.universe.defaultReaders(label, l.graph.seeds[seed].readers)]
}

// Node returns the labels of one node of the graph.
func (l *Labels) Node(id uint32, least Precision) Set {
	if int(id) >= len(l.graph.nodes) {
		return 0
	}
	return l.at(id, least)
}

// at joins a node's labels of at least a precision.
func (l *Labels) at(id uint32, least Precision) Set {
	var s Set
	of := l.of(id)
	for i := range of {
		if of[i].prec() < least {
			break
		}
		s |= 1 << of[i].label()
	}
	return s
}

// of returns a node's entries, strongest precision first, then by label.
func (l *Labels) of(id uint32) []entry {
	return l.entries[l.start[id]:l.start[id+1]]
}

// entry returns the number of one of a node's entries; ok is false if it has no
// such.
func (l *Labels) entry(id uint32, label Label, prec Precision) (i uint32, ok bool) {
	for i = l.start[id]; i < l.start[id+1]; i++ {
		if x := &l.entries[i]; x.label() == label && x.prec() == prec {
			return i, true
		}
	}
	return 0, false
}

// within returns the nodes from the first of a call to the first of the next:
// those of the call beside its output, and others between them. It is empty where
// no label reaches any of them.
func (l *Labels) within(call int) (lo, hi uint32) {
	g := l.graph
	if call < 0 || call >= len(g.calls) {
		return 0, 0
	}
	lo, hi = g.calls[call].first, uint32(len(g.nodes))
	if call+1 < len(g.calls) {
		hi = g.calls[call+1].first
	}
	if l.start[lo] == l.start[hi] {
		return lo, lo
	}
	return lo, hi
}
