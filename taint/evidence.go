package taint

import "github.com/planlint/planlint/plan"

// hop makes the hop over the edges a to b-1 of a path. It is as precise as the
// weakest of them, and its evidence is theirs.
func (g *Graph) hop(from, to Place, p path, a, b int) Hop {
	h := Hop{From: from, To: to, Precision: Value}
	h.Evidence.Kind = ByPass
	first := ""
	for k := a; k < b; k++ {
		prec, ev := g.joining(p.nodes[k]), Evidence{Kind: ByPass}
		if e := p.edges[k]; e != noNode {
			prec, ev = g.in.meta(e).precision(), g.evidence(e, p.nodes[k+1])
		}
		if first == "" {
			first = ev.Source
		}
		if prec < h.Precision || prec == h.Precision && telling(ev.Kind) > telling(h.Evidence.Kind) || ev.Target != "" && ev.Kind == h.Evidence.Kind {
			h.Evidence = ev
		}
		h.Precision = min(h.Precision, prec)
	}
	if h.Evidence.Source == "" && h.Evidence.Kind == ByMatch {
		h.Evidence.Source = first
	}
	return h
}

// telling orders kinds of evidence by how much they say.
func telling(k EvidenceKind) int {
	switch k {
	case ByMatch, ByReference:
		return 4
	case ByCell:
		return 3
	case ByContext:
		return 2
	case ByPipe:
		return 1
	}
	return 0
}

// joining is the precision of the edges inside a chain of nodes of one kind.
func (g *Graph) joining(id uint32) Precision {
	switch g.nodes[id].kind() {
	case nodeContext:
		return Context
	case nodeFolder, nodeHub, nodeAll:
		return Resource
	}
	return Value
}

// evidence returns what is known of an edge.
func (g *Graph) evidence(e, to uint32) Evidence {
	m := g.in.meta(e)
	ev := Evidence{Kind: m.kind()}
	if m.detail() == 0 {
		return ev
	}
	d := &g.details[m.detail()]
	if d.ref != nil {
		ev.Source, ev.Pos, ev.Length = d.ref.Path.String(), d.ref.Pos, d.ref.End-d.ref.Start
	}
	if d.value != nil {
		if !ev.Pos.Known() {
			ev.Pos = d.value.Pos
		}
		if n := g.nodes[to]; n.kind() == nodeSlot {
			ev.Target = g.pathTo(int(n.call), d.value)
		}
	}
	if d.match != nil {
		d.match.describe(&ev, g.key)
	}
	return ev
}

// pathTo returns the path of a value inside a call's arguments, "" if it is not
// there.
func (g *Graph) pathTo(call int, v *plan.Value) string {
	found := ""
	done := false
	g.plan.Calls[call].Args.Walk(func(p plan.Path, x *plan.Value) bool {
		if x == v {
			found, done = p.String(), true
		}
		return !done
	})
	return found
}
