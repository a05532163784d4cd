package report

import (
	"fmt"
	"sort"
	"strings"

	"github.com/planlint/planlint/finding"
	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/taint"
)

// Caps of a drawn graph; what is left out is said in the drawing.
const (
	maxGraphNodes = 400
	maxGraphEdges = 1200
	maxEdgeLabels = 3
)

// view is a plan's dataflow graph as it is drawn: one node a call, a cell, a
// text, an input, and an agent's context before a turn; the engine's finer
// nodes (slots, steps, fields, cell versions) are merged into them.
type view struct {
	nodes []viewNode
	edges []viewEdge
	// left is what the caps left out, for people.
	left string
}

type viewKind uint8

const (
	viewCall viewKind = iota
	viewCell
	viewText
	viewContext
)

// viewNode is one node; its lines are not escaped.
type viewNode struct {
	id           string
	kind         viewKind
	lines        []string
	source, sink bool
	decision     gate.Decision
}

type viewEdge struct {
	from, to  int
	precision taint.Precision
	// names are the arguments and fields that the edge is about, sorted.
	names []string
	// bad: a finding's path leads over it.
	bad bool
}

type viewBuilder struct {
	p     *finding.PlanReport
	view  view
	index map[string]int
	edges map[[2]int]int
	// of maps the engine's nodes to drawn ones, -1 for what is not drawn.
	of []int
}

func newView(p *finding.PlanReport) *view {
	b := &viewBuilder{p: p, index: map[string]int{}, edges: map[[2]int]int{}}
	for i := range p.Calls {
		b.call(i)
	}
	if p.Labels != nil {
		b.graph(p.Labels.Graph())
	}
	for i := range p.Findings {
		if p.Findings[i].Accepted == nil {
			b.mark(p.Findings[i].Flow)
		}
	}
	b.finish()
	return &b.view
}

func (b *viewBuilder) call(i int) {
	c := &b.p.Calls[i]
	lines := []string{fmt.Sprintf("%d %s", i+1, toolName(c)), className(c) + ", " + c.Decision.String()}
	if l := arrowLabelsRaw(c); l != "" {
		lines = append(lines, l)
	}
	at := b.add(fmt.Sprintf("call%d", i), viewNode{kind: viewCall, lines: lines, decision: c.Decision})
	if b.p.Labels == nil {
		return
	}
	facts := b.p.Labels.Graph().Facts(i)
	b.view.nodes[at].source = len(facts.Output())+len(facts.Fields()) > 0
	for k := range facts.Steps {
		b.view.nodes[at].sink = b.view.nodes[at].sink || len(facts.Steps[k].Sinks) > 0
	}
}

func arrowLabelsRaw(c *finding.CallReport) string {
	if len(c.LabelsIn)+len(c.LabelsOut) == 0 {
		return ""
	}
	return strings.TrimSpace(strings.Join(c.LabelsIn, ",") + " -> " + strings.Join(c.LabelsOut, ","))
}

func (b *viewBuilder) add(key string, n viewNode) int {
	if i, ok := b.index[key]; ok {
		return i
	}
	n.id = fmt.Sprintf("n%d", len(b.view.nodes))
	b.index[key] = len(b.view.nodes)
	b.view.nodes = append(b.view.nodes, n)
	return len(b.view.nodes) - 1
}

// graph merges the engine's nodes and edges. A node that only joins others is
// drawn as a small one, unless it is a cell.
func (b *viewBuilder) graph(g *taint.Graph) {
	b.of = make([]int, g.NumNodes())
	g.Nodes(func(n taint.Node) bool {
		b.of[n.ID] = b.place(n.Place, n.Joins, n.ID, n.Sources != 0)
		return true
	})
	places := make([]taint.Place, g.NumNodes())
	g.Nodes(func(n taint.Node) bool { places[n.ID] = n.Place; return true })
	g.Edges(func(e taint.Edge) bool {
		b.edge(b.of[e.From], b.of[e.To], e.Precision, edgeName(places[e.From], places[e.To]))
		return true
	})
}

func edgeName(from, to taint.Place) string {
	switch {
	case to.Kind == taint.PlaceArgument:
		return to.Field
	case from.Kind == taint.PlaceOutput && from.Field != "":
		return from.Field
	}
	return ""
}

func (b *viewBuilder) place(at taint.Place, joins bool, id uint32, source bool) int {
	switch {
	case at.Kind == taint.PlaceCell && at.Cell != "":
		i := b.add("cell"+at.Cell, viewNode{kind: viewCell, lines: []string{cellName(b.p, at)}})
		b.view.nodes[i].source = b.view.nodes[i].source || source
		return i
	case at.Kind == taint.PlaceText:
		return b.add(fmt.Sprintf("text%d", at.Text), viewNode{kind: viewText, lines: []string{textNameRaw(b.p, at.Text)}, source: source})
	case at.Kind == taint.PlaceInput:
		return b.add("input"+at.Field, viewNode{kind: viewText, lines: []string{"input " + at.Field}, source: source})
	case at.Kind == taint.PlaceContext && at.Call < 0 && !joins:
		key := fmt.Sprintf("context%s/%d", at.Agent, at.Turn)
		return b.add(key, viewNode{kind: viewContext, lines: []string{fmt.Sprintf("context of %s, turn %d", orMain(at.Agent), at.Turn)}})
	case at.Call >= 0 && at.Call < len(b.p.Calls):
		return b.index[fmt.Sprintf("call%d", at.Call)]
	}
	return b.add(fmt.Sprintf("join%d", id), viewNode{kind: viewContext, lines: []string{"any of"}})
}

func textNameRaw(p *finding.PlanReport, i int) string {
	if p.Plan == nil || i < 0 || i >= len(p.Plan.Texts) {
		return "text"
	}
	t := &p.Plan.Texts[i]
	name := t.Kind.String() + " text"
	if t.Origin != "" {
		name += " (" + t.Origin + ")"
	}
	return name
}

func (b *viewBuilder) edge(from, to int, p taint.Precision, name string) {
	if from == to {
		return
	}
	key := [2]int{from, to}
	i, ok := b.edges[key]
	if !ok {
		i = len(b.view.edges)
		b.edges[key] = i
		b.view.edges = append(b.view.edges, viewEdge{from: from, to: to, precision: p})
	}
	e := &b.view.edges[i]
	e.precision = max(e.precision, p)
	if name != "" {
		e.names = appendNew(e.names, name)
	}
}

// mark marks the edges of a finding's path. Hops may skip drawn nodes; then an
// edge of its own is drawn.
func (b *viewBuilder) mark(f *taint.Flow) {
	if f == nil {
		return
	}
	for i := range f.Hops {
		h := &f.Hops[i]
		from, to := b.place(h.From, false, 0, false), b.place(h.To, false, 0, false)
		if from == to {
			continue
		}
		b.edge(from, to, h.Precision, "")
		b.view.edges[b.edges[[2]int{from, to}]].bad = true
	}
}

// finish drops nodes that nothing is known of, applies the caps and sorts.
func (b *viewBuilder) finish() {
	v := &b.view
	sort.SliceStable(v.edges, func(i, j int) bool {
		a, c := &v.edges[i], &v.edges[j]
		return a.from < c.from || a.from == c.from && a.to < c.to
	})
	used := b.used()
	keep := make([]int, len(v.nodes))
	var nodes []viewNode
	leftNodes := 0
	for i, n := range v.nodes {
		keep[i] = -1
		switch {
		case !used[i]:
		case len(nodes) == maxGraphNodes:
			leftNodes++
		default:
			keep[i] = len(nodes)
			nodes = append(nodes, n)
		}
	}
	edges, leftEdges := b.keepEdges(used, keep)
	v.nodes, v.edges = nodes, edges
	if leftNodes+leftEdges > 0 {
		v.left = fmt.Sprintf("%s and %s are not shown", count(leftNodes, "node"), count(leftEdges, "edge"))
	}
}

// used reports the nodes that are drawn: every call, and of the others those
// that something enters. Of the contexts only those that lead on to something.
func (b *viewBuilder) used() []bool {
	v := &b.view
	in, out := make([]bool, len(v.nodes)), make([]bool, len(v.nodes))
	for i, n := range v.nodes {
		in[i] = n.kind != viewContext
		out[i] = n.kind == viewCall
	}
	// Contexts are numbered in time order, so one pass each way is enough.
	for _, e := range v.edges {
		if in[e.from] {
			in[e.to] = true
		}
	}
	for i := len(v.edges) - 1; i >= 0; i-- {
		e := &v.edges[i]
		out[e.from] = out[e.from] || out[e.to] || v.nodes[e.from].kind != viewContext
		out[e.to] = out[e.to] || v.nodes[e.to].kind != viewContext
	}
	for i := range in {
		in[i] = in[i] && out[i]
	}
	return in
}

func (b *viewBuilder) keepEdges(used []bool, keep []int) (edges []viewEdge, left int) {
	for _, e := range b.view.edges {
		if !used[e.from] || !used[e.to] {
			continue
		}
		e.from, e.to = keep[e.from], keep[e.to]
		if e.from < 0 || e.to < 0 || len(edges) == maxGraphEdges {
			left++
			continue
		}
		sort.Strings(e.names)
		edges = append(edges, e)
	}
	return edges, left
}

// text is what stands at an edge.
func (e *viewEdge) text() string {
	names := e.names
	if len(names) > maxEdgeLabels {
		names = append(names[:maxEdgeLabels:maxEdgeLabels], "…")
	}
	if len(names) == 0 {
		return e.precision.String()
	}
	return e.precision.String() + ": " + strings.Join(names, ", ")
}
