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
// text or input its own; step and idx count inside the call's facts.
type node struct {
	call int32
	idx  int32
	// tag is the kind in the low 4 bits and the step above.
	tag uint32
}

func newNode(kind nodeKind, call, step, idx int) node {
	return node{call: int32(call), idx: int32(idx), tag: uint32(kind) | uint32(step)<<4}
}

func (n node) kind() nodeKind { return nodeKind(n.tag & 15) }
func (n node) step() int      { return int(n.tag >> 4) }

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
	return Edge{From: g.in.src[e], To: to, Precision: g.in.meta[e].precision(),
		Removes: g.removed(g.in.meta[e]), Evidence: g.evidence(e, to)}
}

// sink returns the declared sink of a sink or decider node.
func (g *Graph) sink(id uint32) *Sink {
	n := g.nodes[id]
	return &g.facts[n.call].Steps[n.step()].Sinks[n.idx]
}

// place returns what people are shown of a node.
func (g *Graph) place(id uint32) Place {
	n := g.nodes[id]
	p := Place{Call: int(n.call), Step: n.step()}
	switch n.kind() {
	case nodeSlot:
		p.Kind, p.Field = PlaceArgument, g.facts[n.call].Slots[n.idx].Name
	case nodeRead:
		p.Kind, p.Cell = PlaceCell, g.facts[n.call].Steps[n.step()].Reads[n.idx].Cell.Name
	case nodeVersion:
		p.Kind, p.Cell = PlaceCell, g.facts[n.call].Steps[n.step()].Writes[n.idx].Cell.Name
	case nodeOutput:
		p.Kind = PlaceOutput
	case nodeField:
		p.Kind, p.Field = PlaceOutput, g.facts[n.call].Fields()[n.idx].Path.String()
	case nodeContext:
		a := &g.agents[n.call]
		return Place{Kind: PlaceContext, Call: -1, Agent: a.name, Turn: int(n.idx)}
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
		p.Kind, p.Field = PlaceStep, g.facts[n.call].Steps[n.step()].Name
	}
	c := &g.plan.Calls[n.call]
	p.Agent, p.Turn = c.AgentName(), c.Turn
	return p
}

// joined names the cells that a hub or folder node joins.
func (g *Graph) joined(n node) string {
	if int(n.idx) < len(g.cellName) {
		return g.cellName[n.idx]
	}
	return ""
}
