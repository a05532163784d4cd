// Package taint says where a plan's data goes: it builds the dataflow graph of a
// plan, lets labels propagate through it, and explains every label that reaches
// a sink by a path.
//
// In: a plan.Plan and, per call, the Facts that the tool package lowered from a
// contract or a command line. Out: a Graph; Labels, the label set of every node;
// Flows, the best witness per sink and label.
//
// # The graph
//
// A node is an argument slot, a cell that a step reads, a step, a written version
// of a cell, a sink, an output or a declared field of it, an agent's context
// before a turn, a text that entered a context, or an input. Nodes are numbered
// in time order, so that an edge from a higher to a lower number is rare: only
// calls that run at the same time (one turn, one parallel group, one loop) and a
// sub-agent that outlives its parent's turn make any. Edges lie grouped by target
// (counting sort), with precision and evidence beside them.
//
// No structure is quadratic. An agent's context is a chain of turn nodes, so
// that n calls need n edges and not n*n; what is added to a cell joins what it held in a chain;
// reads of a folder go through a persistent segment tree over the names below it;
// calls that touch one cell at the same time meet in a hub; a value found in many
// outputs has a chain of its own.
//
// # Propagation
//
// A node's state holds, per label and precision, the nearest source (fewest
// edges), the edge that it came by and the readers of all data of that label and
// precision. A path is as precise as its weakest hop, so this is a shortest path
// over the product of nodes and precisions, as in the IFDS/IDE family of solvers
// (Reps, Horwitz, Sagiv 1995; Sagiv, Reps, Horwitz 1996), with one pass where the
// numbering is topological. The few intervals of nodes that a backward edge spans
// are solved to the fixpoint by a worklist ordered by distance. A wrong order of
// numbers would cost time, never a flow.
//
// # Guarantees
//
// The same input gives the same graph, labels and flows; names of calls change
// nothing. Adding a source or an edge never removes a label from a sink. Labels
// disappear only where a step's Removes says so, where a cell is overwritten or
// deleted by a call that surely ran, and (integrity only) on a match whose text
// also stands in the user's words. Caps that can lose a flow are named constants
// and give a note. Time is linear in nodes, edges and bytes, times the labels
// that a node holds; folders cost a logarithm more, backward edges as said at
// solve.
//
// # Limits
//
// Exclusive arms of a branch are taken as if all ran. Calls that touch one cell
// at the same time see each other's writes in both orders, and none of them cuts
// what was there. A boolean, a null and a single character are taken to carry
// nothing. The user's own words carry nothing either, so a model that spells a
// secret in words of the prompt is not seen. See docs/dataflow.md.
package taint

import (
	"github.com/planlint/planlint/internal/match"
	"github.com/planlint/planlint/plan"
)

// Graph is the dataflow graph of one plan. It is immutable.
type Graph struct {
	plan     *plan.Plan
	facts    []*Facts
	universe *Universe
	nodeList
	in       edges
	seeds    []seed
	calls    []callNodes
	cellName []string
	// agents are the names of the agents.
	agents  []string
	details []detail
	readers *readerTable
	notes   []plan.Note
	key     []byte
}

// callNodes are the nodes of one call: first is the lowest, out its output; the
// nodes of the declared fields follow the output's.
type callNodes struct{ first, out uint32 }

// Option changes how a graph is built.
type Option func(*options)

type options struct {
	key    []byte
	corpus *match.Corpus
}

// In gives Build the corpus in which values are looked for, so that others can
// look for theirs in the same pass.
func In(c *match.Corpus) Option { return func(o *options) { o.corpus = c } }

// DigestKey sets the key of the digests in evidence (HMAC-SHA-256, the first 8
// hex digits). Without a key evidence holds no digest.
func DigestKey(key []byte) Option {
	key = append([]byte(nil), key...)
	return func(o *options) { o.key = key }
}

// Build returns the dataflow graph of p; facts[i] belongs to p.Calls[i]. A call
// without facts passes its arguments on to its output.
func Build(p *plan.Plan, facts []Facts, u *Universe, opts ...Option) *Graph {
	return BuildFrom(p, func(call int) *Facts {
		if call < len(facts) {
			return &facts[call]
		}
		return nil
	}, u, opts...)
}

// BuildFrom is Build for facts that stand somewhere else: it asks for those of
// each call once and keeps what it gets, so that nothing is copied.
func BuildFrom(p *plan.Plan, facts func(call int) *Facts, u *Universe, opts ...Option) *Graph {
	var o options
	for _, opt := range opts {
		opt(&o)
	}
	if u == nil {
		u, _ = NewUniverse()
	}
	room := getScratch()
	b := &room.builder
	b.start(p, complete(p, facts), u, o)
	b.sweep()
	g := b.finish()
	g.key = o.key
	room.put()
	return g
}

// Plan returns the plan that the graph is of.
func (g *Graph) Plan() *plan.Plan { return g.plan }

// Universe returns the labels that the graph knows.
func (g *Graph) Universe() *Universe { return g.universe }

// Facts returns what the graph was told of a call.
func (g *Graph) Facts(call int) *Facts { return g.facts[call] }

// Notes returns what the graph could not know: caps that were hit, labels of
// inputs that nobody declared. What is missing of the outputs is in the plan's
// own notes.
func (g *Graph) Notes() []plan.Note { return g.notes }
