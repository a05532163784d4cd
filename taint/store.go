package taint

import (
	"errors"
	"sort"

	"github.com/dominikbraun/graph"
)

// ErrReadOnly is returned by everything that would change the graph behind API.
var ErrReadOnly = errors.New("the dataflow graph is read only")

// API returns the graph for dominikbraun/graph: queries, export, tests. Vertices
// are nodes by their id; an edge's Properties.Data is the []Edge of all edges
// between its two nodes. The view costs nothing, but the library copies it into
// maps of some hundred bytes an edge for most of what it does, and some of its
// algorithms must not be run on plans of others: TopologicalSort is quadratic,
// AllPathsBetween exponential, draw.DOT unescaped and in no order.
func (g *Graph) API() graph.Graph[uint32, Node] {
	return graph.NewWithStore(func(n Node) uint32 { return n.ID }, graph.Store[uint32, Node](store{g}), graph.Directed())
}

// store is a graph.Store over the slices of a Graph.
type store struct{ g *Graph }

// CreatesCycle answers the library's question in one comparison: nodes are
// numbered in time order, so that only an edge to the same or an earlier one can
// close a circle.
func (s store) CreatesCycle(source, target uint32) (bool, error) { return target <= source, nil }

// Vertex returns a node.
func (s store) Vertex(id uint32) (Node, graph.VertexProperties, error) {
	if int(id) >= len(s.g.nodes) {
		return Node{}, graph.VertexProperties{}, graph.ErrVertexNotFound
	}
	return s.g.Node(id), graph.VertexProperties{Attributes: map[string]string{}}, nil
}

// ListVertices returns all ids in order.
func (s store) ListVertices() ([]uint32, error) {
	ids := make([]uint32, len(s.g.nodes))
	for i := range ids {
		ids[i] = uint32(i)
	}
	return ids, nil
}

// VertexCount returns how many nodes there are.
func (s store) VertexCount() (int, error) { return len(s.g.nodes), nil }

// Edge returns the edges between two nodes as one.
func (s store) Edge(source, target uint32) (graph.Edge[uint32], error) {
	if int(target) >= len(s.g.nodes) {
		return graph.Edge[uint32]{}, graph.ErrEdgeNotFound
	}
	var all []Edge
	for _, e := range s.g.InEdges(target) {
		if e.From == source {
			all = append(all, e)
		}
	}
	if all == nil {
		return graph.Edge[uint32]{}, graph.ErrEdgeNotFound
	}
	return joinedEdge(all), nil
}

// ListEdges returns all edges by target, then by source.
func (s store) ListEdges() ([]graph.Edge[uint32], error) {
	list := make([]graph.Edge[uint32], 0, s.g.NumEdges())
	for id := range s.g.nodes {
		in := s.g.InEdges(uint32(id))
		sort.SliceStable(in, func(i, j int) bool { return in[i].From < in[j].From })
		for len(in) > 0 {
			n := 1
			for n < len(in) && in[n].From == in[0].From {
				n++
			}
			list = append(list, joinedEdge(in[:n:n]))
			in = in[n:]
		}
	}
	return list, nil
}

// joinedEdge is the library's form of all edges between two nodes.
func joinedEdge(all []Edge) graph.Edge[uint32] {
	best := NoPrecision
	for i := range all {
		best = max(best, all[i].Precision)
	}
	return graph.Edge[uint32]{Source: all[0].From, Target: all[0].To,
		Properties: graph.EdgeProperties{Attributes: map[string]string{"precision": best.String()}, Data: all}}
}

// AddVertex refuses.
func (s store) AddVertex(uint32, Node, graph.VertexProperties) error { return ErrReadOnly }

// RemoveVertex refuses.
func (s store) RemoveVertex(uint32) error { return ErrReadOnly }

// AddEdge refuses.
func (s store) AddEdge(_, _ uint32, _ graph.Edge[uint32]) error { return ErrReadOnly }

// UpdateEdge refuses.
func (s store) UpdateEdge(_, _ uint32, _ graph.Edge[uint32]) error { return ErrReadOnly }

// RemoveEdge refuses.
func (s store) RemoveEdge(_, _ uint32) error { return ErrReadOnly }
