package taint

import (
	"fmt"
	"math/rand"
	"sort"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planlint/planlint/plan"
)

// reached lists what reaches the sinks, by the ids of calls: label, precision
// and readers, but not the witness.
func (w *world) reached() map[string]string {
	l := w.labels()
	out := map[string]string{}
	for id, n := range l.graph.nodes {
		if n.kind() != nodeSink && n.kind() != nodeDecider {
			continue
		}
		for _, x := range l.of(uint32(id)) {
			key := fmt.Sprintf("%s.%d.%d.%d %d/%s", w.plan.Calls[n.call].ID, l.graph.stepOf(n), l.graph.indexOf(n), n.kind(), x.label(), x.prec())
			out[key] = fmt.Sprint(l.readers[x.readers()].Names())
		}
	}
	return out
}

func TestAddingASourceNeverRemovesAFlow(t *testing.T) {
	for seed := int64(0); seed < 400; seed++ {
		r := rand.New(rand.NewSource(seed))
		w := randomWorld(r, 2+r.Intn(8))
		before := w.reached()
		i := r.Intn(len(w.facts))
		f := &w.facts[i]
		src := Source{Labels: Of(Label(r.Intn(int(builtinLabels)))), Readers: ReadersOf("a")}
		switch r.Intn(3) {
		case 0:
			f.Extend().Output = append(f.Output(), src)
		case 1:
			f.Steps[0].Extend().Adds = append(f.Steps[0].Adds(), src)
		case 2:
			f.Extend().Fields = append(f.Fields(), Field{Path: plan.Path{{Key: "b"}}, Sources: []Source{src}})
		}
		after := w.reached()
		for k := range before {
			require.Contains(t, after, k, "seed %d", seed)
		}
	}
}

func TestAddingAnEdgeNeverRemovesAFlow(t *testing.T) {
	for seed := int64(0); seed < 400; seed++ {
		r := rand.New(rand.NewSource(seed))
		w := randomWorld(r, 3+r.Intn(8))
		g := Build(&w.plan, w.facts, nil)
		before := g.Propagate()
		var list edgeList
		for to := range g.nodes {
			for e := g.in.start[to]; e < g.in.start[to+1]; e++ {
				list.add(g.in.src[e], uint32(to), g.in.meta(e))
			}
		}
		from, to := uint32(r.Intn(len(g.nodes))), uint32(r.Intn(len(g.nodes)))
		list.add(from, to, newMeta(Precision(1+r.Intn(3)), ByPass, 0))
		g.in = list.group(len(g.nodes))
		after := g.Propagate()
		for id := range g.nodes {
			for p := Context; p <= Value; p++ {
				require.True(t, after.at(uint32(id), p).Contains(before.at(uint32(id), p)), "seed %d: node %d", seed, id)
			}
		}
	}
}

func TestNamesChangeNothing(t *testing.T) {
	for seed := int64(0); seed < 200; seed++ {
		r := rand.New(rand.NewSource(seed))
		w := randomWorld(r, 2+r.Intn(8))
		before := w.flows()
		for i := range w.plan.Calls {
			w.plan.Calls[i].ID = fmt.Sprintf("z%d", 1000-i)
			w.plan.Calls[i].Tool = "other"
		}
		after := w.flows()
		require.Len(t, after, len(before))
		for i := range w.plan.Calls {
			w.plan.Calls[i].ID = fmt.Sprintf("c%d", i)
		}
		require.Equal(t, before, w.flows())
	}
}

// TestOrderOfIndependentCallsChangesNothing: calls of a fixed plan that neither
// refer to each other nor share a cell may stand in any order.
func TestOrderOfIndependentCallsChangesNothing(t *testing.T) {
	for seed := int64(0); seed < 200; seed++ {
		r := rand.New(rand.NewSource(seed))
		n := 3 + r.Intn(6)
		order := r.Perm(n)
		build := func(order []int) *world {
			w := newWorld()
			w.plan.Fixed = true
			for _, k := range order {
				rk := rand.New(rand.NewSource(seed*100 + int64(k)))
				src := fmt.Sprintf("src%d", k)
				w.add(src).gives(Of(Label(rk.Intn(8))), "a", fmt.Sprint(rk.Intn(2))).writes(fmt.Sprintf("file:/d%d/f", k), Overwrite)
				w.add(fmt.Sprintf("snk%d", k), "x=${"+src+"}").reads(fmt.Sprintf("file:/d%d/**", k)).sends()
			}
			return w
		}
		sorted := append([]int(nil), order...)
		sort.Ints(sorted)
		a, b := build(sorted), build(order)
		require.Equal(t, a.reached(), b.reached(), "seed %d", seed)
		fa, fb := a.flows(), b.flows()
		sort.Strings(fa)
		sort.Strings(fb)
		require.Equal(t, fa, fb, "seed %d", seed)
	}
}

func TestSanitizerRemovesNoOtherLabel(t *testing.T) {
	for seed := int64(0); seed < 300; seed++ {
		r := rand.New(rand.NewSource(seed))
		w := randomWorld(r, 2+r.Intn(8))
		before := w.reached()
		st := &w.facts[r.Intn(len(w.facts))].Steps[0]
		old := st.Removes()
		st.Extend().Removes |= Of(Private)
		after := w.reached()
		if old.Has(Private) {
			require.Equal(t, before, after)
		}
		for k := range after {
			require.Contains(t, before, k)
		}
		private := fmt.Sprintf(" %d/", Private)
		for k, v := range before {
			if !strings.Contains(k, private) {
				require.Equal(t, v, after[k], "seed %d: %s", seed, k)
			}
		}
	}
}

func TestSameBytesEveryTime(t *testing.T) {
	r := rand.New(rand.NewSource(7))
	w := randomWorld(r, 40)
	print := func() string {
		l := w.labels()
		var s strings.Builder
		fmt.Fprintf(&s, "%+v", l.Flows())
		for n := range l.Graph().Nodes {
			fmt.Fprintf(&s, "%+v\n", n.Place)
		}
		for e := range l.Graph().Edges {
			fmt.Fprintf(&s, "%+v\n", e)
		}
		flows, more := l.AllFlows(39, 10)
		fmt.Fprintf(&s, "%+v %t", flows, more)
		return s.String()
	}
	first := print()
	for i := 0; i < 100; i++ {
		require.Equal(t, first, print())
	}
}

func randomReaders(r *rand.Rand) Readers {
	if r.Intn(6) == 0 {
		return AnyReader
	}
	var names []string
	for i := 0; i < r.Intn(4); i++ {
		names = append(names, string(rune('a'+r.Intn(4))))
	}
	if names == nil {
		return Readers{}
	}
	return ReadersOf(names...)
}

func TestLatticeLaws(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for i := 0; i < 5000; i++ {
		a, b, c := Set(r.Uint64()), Set(r.Uint64()), Set(r.Uint64())
		require.Equal(t, a.Join(b.Join(c)), a.Join(b).Join(c))
		require.Equal(t, a.Join(b), b.Join(a))
		require.Equal(t, a, a.Join(a))
		require.Equal(t, a, a.Join(0))
		require.True(t, a.Join(b).Contains(a))
		require.Zero(t, a.Without(a))
		require.Equal(t, a, a.Without(b).Join(a&b))
	}
}

func TestReadersLaws(t *testing.T) {
	r := rand.New(rand.NewSource(2))
	table := newReaderTable()
	for i := 0; i < 5000; i++ {
		a, b, c := randomReaders(r), randomReaders(r), randomReaders(r)
		require.Equal(t, a.Intersect(b.Intersect(c)).Names(), a.Intersect(b).Intersect(c).Names())
		require.Equal(t, a.Intersect(b).Names(), b.Intersect(a).Names())
		require.Equal(t, a.Names(), a.Intersect(a).Names())
		require.Equal(t, a.Names(), a.Intersect(AnyReader).Names())
		require.Empty(t, a.Intersect(Readers{}).Names())
		aud := AudienceOf([]string{"a", "b", "c", "everyone"}[r.Intn(4)], []string{"a", "b", "c"}[r.Intn(3)])
		require.Equal(t, a.Contain(aud) && b.Contain(aud), a.Intersect(b).Contain(aud), "an audience is right for both or wrong for their join")
		id := table.intersect(table.id(a), table.id(b))
		require.Equal(t, a.Intersect(b).Names(), table.sets[id].Names())
	}
}

func TestAudienceLaws(t *testing.T) {
	require.True(t, Audience{}.Everyone())
	require.True(t, AudienceOf().Everyone())
	require.True(t, AudienceOf("a", "").Everyone())
	require.True(t, AudienceOf("a", "Everyone").Everyone())
	require.Equal(t, []string{"a", "b"}, AudienceOf("B", "a ", "b").Names())
	require.Equal(t, []string{"a", "b"}, AudienceOf("a").Join(AudienceOf("b")).Names())
	require.True(t, AudienceOf("a").Join(Audience{}).Everyone())
	require.False(t, Readers{}.Contain(AudienceOf("a")))
	require.False(t, ReadersOf("a").Contain(Audience{}))
	require.True(t, AnyReader.Contain(Audience{}))
	require.Empty(t, ReadersOf().Names(), "no readers are nobody, not everyone")
}
