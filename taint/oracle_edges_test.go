package taint

import (
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"
)

// known is what the oracle finds of one label and precision at one node.
type known struct {
	dist    uint32
	readers Readers
}

type state struct {
	node  uint32
	label Label
	prec  Precision
}

// walkEverySource walks from each source on its own, breadth first, over the
// product of nodes and precisions, and joins what it finds.
func walkEverySource(g *Graph) map[state]known {
	out := map[uint32][]Edge{}
	for e := range g.Edges {
		out[e.From] = append(out[e.From], e)
	}
	strong := map[[2]uint32]bool{}
	for v := range g.nodes {
		for e := g.in.start[v]; e < g.in.start[v+1]; e++ {
			if g.in.meta(e).strong() {
				strong[[2]uint32{g.in.src[e], uint32(v)}] = true
			}
		}
	}
	all := map[state]known{}
	for _, sd := range g.seeds {
		sd.labels.Each(func(l Label) {
			readers := g.readers.sets[g.universe.defaultReaders(l, sd.readers)]
			level, seen := []state{{sd.node, l, Value}}, map[state]bool{{sd.node, l, Value}: true}
			for dist := uint32(0); len(level) > 0; dist++ {
				var next []state
				for _, s := range level {
					k, had := all[s]
					if !had {
						k = known{dist, readers}
					}
					all[s] = known{min(k.dist, dist), k.readers.Intersect(readers)}
					for _, e := range out[s.node] {
						n := state{e.To, l, min(s.prec, e.Precision)}
						if e.Removes.Has(l) || seen[n] || n.prec == Context && strong[[2]uint32{e.From, e.To}] {
							continue
						}
						seen[n] = true
						next = append(next, n)
					}
				}
				level = next
			}
		})
	}
	return all
}

// distance is how many edges lead from an entry's source to it.
func (l *Labels) distance(x entry) (n uint32) {
	for ; x.parent&seedBit == 0; n++ {
		i, _ := l.entry(l.graph.in.src[x.parent], x.label(), x.from())
		x = l.entries[i]
	}
	return n
}

func TestSolverAgreesWithWalkingEverySource(t *testing.T) {
	for seed := int64(0); seed < 1500; seed++ {
		r := rand.New(rand.NewSource(seed))
		w := randomWorld(r, 2+r.Intn(10))
		l := w.labels()
		want := walkEverySource(l.graph)
		count := 0
		for id := range l.graph.nodes {
			for _, x := range l.of(uint32(id)) {
				k, ok := want[state{uint32(id), x.label(), x.prec()}]
				require.True(t, ok, "seed %d: node %d has %d/%s", seed, id, x.label(), x.prec())
				require.Equal(t, k.dist, l.distance(x), "seed %d: node %d", seed, id)
				require.Equal(t, k.readers.Names(), l.readers[x.readers()].Names(), "seed %d: node %d", seed, id)
				count++
			}
		}
		require.Len(t, want, count, "seed %d", seed)
		checkPaths(t, l)
	}
}

// checkPaths follows every flow: its hops join up, it is as precise as its
// weakest hop, and its source has the label.
func checkPaths(t *testing.T, l *Labels) {
	t.Helper()
	for _, f := range l.Flows() {
		require.NotEmpty(t, f.Hops)
		require.Equal(t, f.Source, f.Hops[0].From)
		weakest := Value
		for i := range f.Hops {
			weakest = min(weakest, f.Hops[i].Precision)
			if i > 0 {
				require.Equal(t, f.Hops[i-1].To, f.Hops[i].From)
			}
		}
		require.Equal(t, f.Precision, weakest)
		require.GreaterOrEqual(t, f.Sink.Call, 0)
		require.Contains(t, f.Calls(), f.Sink.Call)
		require.True(t, f.Labels.Has(f.Label))
	}
}
