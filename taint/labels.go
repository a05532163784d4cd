package taint

// Labels are the label sets of a graph, with parent links that explain each.
// They are immutable and may be shared.
type Labels struct {
	graph   *Graph
	spans   []span
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
	l.each(call, func(id uint32, n node) {
		if k := n.kind(); k == nodeSlot || k == nodeRead {
			s |= l.at(id, least)
		}
	})
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
	l.each(call, func(id uint32, n node) {
		if n.kind() == nodeSink && n.step() == step && int(n.idx) == sink {
			s |= l.at(id, least)
		}
	})
	return s
}

// seedReaders are who may see what one source marks with a label.
func (l *Labels) seedReaders(seed uint32, label Label) Readers {
	return l.readers[l.graph.universe.defaultReaders(label, l.graph.seeds[seed].readers)]
}

// Node returns the labels of one node of the graph.
func (l *Labels) Node(id uint32, least Precision) Set {
	if int(id) >= len(l.spans) {
		return 0
	}
	return l.at(id, least)
}

// at joins a node's labels of at least a precision.
func (l *Labels) at(id uint32, least Precision) Set {
	var s Set
	for _, x := range l.of(id) {
		if x.prec < least {
			break
		}
		s |= 1 << x.label
	}
	return s
}

// of returns a node's entries, strongest precision first, then by label.
func (l *Labels) of(id uint32) []entry {
	sp := l.spans[id]
	return l.entries[sp.at : sp.at+sp.n]
}

// entry returns the number of one of a node's entries; ok is false if it has no
// such.
func (l *Labels) entry(id uint32, label Label, prec Precision) (i uint32, ok bool) {
	sp := l.spans[id]
	for i = sp.at; i < sp.at+sp.n; i++ {
		if x := &l.entries[i]; x.label == label && x.prec == prec {
			return i, true
		}
	}
	return 0, false
}

// each visits the nodes of one call beside its output.
func (l *Labels) each(call int, visit func(id uint32, n node)) {
	g := l.graph
	if call < 0 || call >= len(g.calls) {
		return
	}
	end := uint32(len(g.nodes))
	if call+1 < len(g.calls) {
		end = g.calls[call+1].first
	}
	for id := g.calls[call].first; id < end; id++ {
		if n := g.nodes[id]; int(n.call) == call && n.kind() <= nodeField {
			visit(id, n)
		}
	}
}
