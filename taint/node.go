package taint

// nodeKind says what a node of the graph is.
type nodeKind uint8

const (
	nodeSlot nodeKind = iota
	nodeRead
	nodeStep
	nodeVersion
	nodeSink
	// nodeDecider joins the slots that decide where a sink's data goes.
	nodeDecider
	nodeOutput
	nodeField
	nodeContext
	nodeText
	nodeInput
	// The rest only joins other nodes: a cell's former and added content or a
	// folder's live cells, what concurrent calls write, the outputs that hold one value, all outputs so far.
	nodeFolder
	nodeHub
	nodeValue
	nodeAll
)

// node is one node. call is the call's index, for a context the agent's, for a
// text or input its own.
type node struct {
	call int32
	// tag has the kind in bits 0-3. Above bit 4 stand the step in 11 bits and what it
	// is of the step in 16, or, for kinds that are of no step, the latter alone; where
	// bit 4 is set they do not fit and it is a number in wide.
	tag uint32
}

const (
	tagWide  = 1 << 4
	tagParts = 5
	tagIndex = 16
	maxStep  = 1<<(32-tagParts-tagIndex) - 1
	maxIndex = 1<<tagIndex - 1
	maxAlone = 1<<(32-tagParts) - 1
)

// wideNode is the step and index of a node that do not fit into its tag.
type wideNode struct{ step, idx int32 }

func (n node) kind() nodeKind { return nodeKind(n.tag & 15) }

// stepped reports whether nodes of a kind belong to a step.
func (k nodeKind) stepped() bool { return nodeRead <= k && k <= nodeDecider }

// nodeList holds nodes.
type nodeList struct {
	nodes []node
	wide  []wideNode
}

// add appends a node and returns its number; step and idx count inside the call's
// facts.
func (l *nodeList) add(kind nodeKind, call, step, idx int) uint32 {
	tag := uint32(kind)
	switch {
	case kind.stepped() && step <= maxStep && idx <= maxIndex:
		tag |= (uint32(step)<<tagIndex | uint32(idx)) << tagParts
	case !kind.stepped() && idx <= maxAlone:
		tag |= uint32(idx) << tagParts
	default:
		tag |= tagWide | uint32(len(l.wide))<<tagParts
		l.wide = append(l.wide, wideNode{step: int32(step), idx: int32(idx)})
	}
	l.nodes = append(l.nodes, node{call: int32(call), tag: tag})
	return uint32(len(l.nodes) - 1)
}

// stepOf returns the number of a node's step, 0 for none.
func (l *nodeList) stepOf(n node) int {
	switch {
	case n.tag&tagWide != 0:
		return int(l.wide[n.tag>>tagParts].step)
	case n.kind().stepped():
		return int(n.tag >> (tagParts + tagIndex))
	}
	return 0
}

// indexOf returns which of its kind a node is in its step or call.
func (l *nodeList) indexOf(n node) int {
	switch {
	case n.tag&tagWide != 0:
		return int(l.wide[n.tag>>tagParts].idx)
	case n.kind().stepped():
		return int(n.tag >> tagParts & maxIndex)
	}
	return int(n.tag >> tagParts)
}

// Node is one node of a graph, as writers and queries see it.
type Node struct {
	ID    uint32
	Place Place
	// Joins marks a node that only joins others: the folder, hub and value nodes
	// that keep the graph linear.
	Joins bool
	// Sink is set for sinks.
	Sink *Sink
	// Sources are the labels that data has at this node from the start.
	Sources Set
}

// Edge is one edge of a graph.
type Edge struct {
	From, To  uint32
	Precision Precision
	// Removes are the labels that do not pass.
	Removes  Set
	Evidence Evidence
}

// NumNodes returns how many nodes there are; their ids are below.
func (g *Graph) NumNodes() int { return len(g.nodes) }

// NumEdges returns how many edges there are.
func (g *Graph) NumEdges() int { return len(g.in.src) }

// Nodes yields the nodes in time order.
func (g *Graph) Nodes(yield func(Node) bool) {
	for id := range g.nodes {
		if !yield(g.Node(uint32(id))) {
			return
		}
	}
}

// Node returns a node by its id, which must be below NumNodes.
func (g *Graph) Node(id uint32) Node {
	n := Node{ID: id, Place: g.place(id), Joins: g.nodes[id].kind() >= nodeFolder}
	if k := g.nodes[id].kind(); k == nodeSink || k == nodeDecider {
		n.Sink = g.sink(id)
	}
	for _, s := range g.seedsOf(id) {
		n.Sources |= s.labels
	}
	return n
}

// Edges yields the edges by target, then in the order in which they were found.
func (g *Graph) Edges(yield func(Edge) bool) {
	for to := range g.nodes {
		for e := g.in.start[to]; e < g.in.start[to+1]; e++ {
			if !yield(g.edge(e, uint32(to))) {
				return
			}
		}
	}
}

// InEdges returns the edges into a node.
func (g *Graph) InEdges(id uint32) []Edge {
	lo, hi := g.in.start[id], g.in.start[id+1]
	in := make([]Edge, 0, hi-lo)
	for e := lo; e < hi; e++ {
		in = append(in, g.edge(e, id))
	}
	return in
}

func (g *Graph) edge(e, to uint32) Edge {
	m := g.in.meta(e)
	return Edge{From: g.in.src[e], To: to, Precision: m.precision(), Removes: g.removed(m), Evidence: g.evidence(e, to)}
}

// sink returns the declared sink of a sink or decider node.
func (g *Graph) sink(id uint32) *Sink {
	n := g.nodes[id]
	return &g.facts[n.call].Steps[g.stepOf(n)].Sinks[g.indexOf(n)]
}

// place returns what people are shown of a node.
func (g *Graph) place(id uint32) Place {
	n := g.nodes[id]
	step, idx := g.stepOf(n), g.indexOf(n)
	p := Place{Call: int(n.call), Step: step}
	switch n.kind() {
	case nodeSlot:
		p.Kind, p.Field = PlaceArgument, g.facts[n.call].Slots[idx].Name
	case nodeRead:
		p.Kind, p.Cell = PlaceCell, g.facts[n.call].Steps[step].Reads[idx].Cell.Name
	case nodeVersion:
		p.Kind, p.Cell = PlaceCell, g.facts[n.call].Steps[step].Writes[idx].Cell.Name
	case nodeOutput:
		p.Kind = PlaceOutput
	case nodeField:
		p.Kind, p.Field = PlaceOutput, g.facts[n.call].Fields()[idx].Path.String()
	case nodeContext:
		return Place{Kind: PlaceContext, Call: -1, Agent: g.agents[n.call], Turn: idx}
	case nodeText:
		t := &g.plan.Texts[n.call]
		return Place{Kind: PlaceText, Call: -1, Text: int(n.call), Agent: agentName(t.Agent)}
	case nodeInput:
		return Place{Kind: PlaceInput, Call: -1, Text: int(n.call), Field: g.plan.Inputs[n.call].Name}
	case nodeHub, nodeFolder:
		return Place{Kind: PlaceCell, Call: -1, Cell: g.joined(n)}
	case nodeValue:
		return Place{Kind: PlaceOutput, Call: -1}
	case nodeAll:
		return Place{Kind: PlaceContext, Call: -1}
	default:
		p.Kind, p.Field = PlaceStep, g.facts[n.call].Steps[step].Name
	}
	c := &g.plan.Calls[n.call]
	p.Agent, p.Turn = c.AgentName(), c.Turn
	return p
}

// joined names the cells that a hub or folder node joins.
func (g *Graph) joined(n node) string {
	if cell := g.indexOf(n); cell < len(g.cellName) {
		return g.cellName[cell]
	}
	return ""
}
