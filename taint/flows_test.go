package taint

import (
	"fmt"
	"sync"
	"testing"

	"github.com/dominikbraun/graph"
	"github.com/stretchr/testify/require"

	"github.com/planlint/planlint/plan"
)

func TestReplyToTheSenderIsNoLeak(t *testing.T) {
	w := newWorld()
	w.add("read").field("body", Of(Private), "ann@corp.example", "user")
	w.add("reply", "text=${read.body}").sends().to("Ann@corp.example")
	f := w.labels().Flows()
	require.Len(t, f, 1)
	require.True(t, f[0].Readers.Contain(f[0].Audience))
}

func TestAudienceThatIsRightForOneSourceOnly(t *testing.T) {
	w := newWorld()
	w.plan.Fixed = true
	w.add("far").field("body", Of(Private), "bob", "user")
	w.add("pass", "x=${far.body}")
	w.add("near").field("body", Of(Private), "ann", "user")
	w.add("reply", "text=${near.body} ${pass}").sends().to("ann")
	f := w.labels().Flows()
	require.Len(t, f, 1)
	require.Equal(t, []string{"user"}, f[0].Readers.Names(), "who may see both")
	require.Equal(t, 0, f[0].Source.Call, "the witness is the source that ann may not see, not the nearest")
	require.Equal(t, "field body", f[0].SourceWhy)
	require.Equal(t, 1, f[0].Others)
}

func TestWeakerFlowWithNarrowerReaders(t *testing.T) {
	w := newWorld()
	w.add("near").field("body", Of(Private), "ann", "user")
	w.add("far").field("body", Of(Private), "bob", "user")
	w.add("reply", "text=${near.body} and more").sends().to("ann")
	f := w.labels().Flows()
	require.Len(t, f, 2)
	require.Equal(t, Value, f[0].Precision)
	require.True(t, f[0].Readers.Contain(f[0].Audience))
	require.Equal(t, Context, f[1].Precision)
	require.Equal(t, []string{"user"}, f[1].Readers.Names())
	require.Equal(t, 1, f[1].Source.Call)
	w.facts[1].Fields()[0].Sources[0].Readers = w.facts[0].Fields()[0].Sources[0].Readers
	require.Len(t, w.labels().Flows(), 1, "no second flow where it says nothing new")
}

func TestReadersThatNobodyDeclared(t *testing.T) {
	for label, readers := range map[Label]string{Secret: "[]", Private: "[]", Internal: "[everyone]", Untrusted: "[everyone]", SourceCode: "[everyone]", PII: "[]"} {
		w := newWorld()
		w.add("read").gives(Of(label))
		w.add("send", "x=${read}").sends()
		require.Equal(t, readers, fmt.Sprint(w.labels().Flows()[0].Readers.Names()), "%d", label)
	}
}

func TestFlowIntoWhatDecides(t *testing.T) {
	w := newWorld()
	w.plan.Fixed = true
	w.add("page").gives(Of(Untrusted, Secret))
	w.add("via", "x=${page}")
	w.add("pay", "note=${page}", "to=${via}").sends("note").decides("to")
	l := w.labels()
	f := l.Flows()
	require.Len(t, f, 3)
	require.Equal(t, "note", f[0].Sink.Field)
	require.Equal(t, Secret, f[0].Label)
	require.False(t, f[1].Decides)
	require.True(t, f[2].Decides)
	require.Equal(t, "to", f[2].Sink.Field)
	require.Equal(t, 1, f[2].Slot)
	w.facts[2].Steps[0].Sinks[0].Decides = []int{0, 1}
	f = w.labels().Flows()
	require.Len(t, f, 2, "the best one decides already")
	require.True(t, f[1].Decides)
}

func TestFlowsWhere(t *testing.T) {
	w := session(50, 0)
	l := w.labels()
	asked := 0
	some := l.FlowsWhere(func(f *Flow) bool { asked++; return f.Label == Private })
	all := l.Flows()
	require.GreaterOrEqual(t, asked, len(all))
	var want []Flow
	for _, f := range all {
		if f.Label == Private {
			want = append(want, f)
		}
	}
	require.NotEmpty(t, want)
	require.Len(t, some, len(want))
	for i := range some {
		require.Equal(t, want[i].Hops, some[i].Hops)
	}
}

func TestAllFlowsAreBestFirst(t *testing.T) {
	w := newWorld()
	for i := 0; i < 5; i++ {
		w.add(fmt.Sprintf("read%d", i)).gives(Of(Secret))
	}
	w.add("send", "x=${read1} words").sends()
	l := w.labels()
	flows, more := l.AllFlows(5, 10)
	require.False(t, more)
	require.Len(t, flows, 5)
	require.Equal(t, 1, flows[0].Source.Call)
	require.Equal(t, Value, flows[0].Precision)
	require.Equal(t, 4, flows[1].Source.Call, "then the nearest")
	require.Equal(t, 4, l.Flows()[0].Others)
	flows, more = l.AllFlows(5, 2)
	require.True(t, more)
	require.Len(t, flows, 2)
	flows, more = l.AllFlows(77, 2)
	require.Empty(t, flows)
	require.False(t, more)
}

func TestOthersAreCountedToACap(t *testing.T) {
	w := newWorld()
	for i := 0; i < 400; i++ {
		w.add(fmt.Sprintf("read%d", i)).gives(Of(Secret))
	}
	w.add("send", "x=words").sends()
	f := w.labels().Flows()[0]
	require.True(t, f.AtLeast)
	require.Positive(t, f.Others)
	flows, more := w.labels().AllFlows(400, 1000)
	require.Len(t, flows, 400)
	require.False(t, more)
}

func TestOutputExplainsWhatWasRecognisedInAnArgument(t *testing.T) {
	for output, source := range map[string]int{"zq81kk3mzq81": 0, "nothing of it": 1} {
		w := newWorld()
		w.add("read", "x=1").gives(Of(Secret)).output(output)
		w.add("send", "x=zq81kk3mzq81").sends()
		w.facts[1].Slots[0].AddSources(Source{Labels: Of(Secret), Why: "a key"})
		f := w.labels().Flows()
		require.Equal(t, Value, f[0].Precision)
		require.Equal(t, source, f[0].Source.Call, output)
		require.Equal(t, source, f[0].Others, "what was recognised in it is the same value")
	}
}

func TestValueThatManyOutputsHold(t *testing.T) {
	w := newWorld()
	w.add("creds", "x=1").gives(Of(Secret)).output("zq81kk3m")
	for i := 0; i < 20; i++ {
		w.add(fmt.Sprintf("read%d", i), "x=1").output("again zq81kk3m")
	}
	for i := 0; i < 20; i++ {
		w.add(fmt.Sprintf("send%d", i), "x=zq81kk3m").sends()
	}
	l := w.labels()
	f := l.Flows()
	require.Len(t, f, 20)
	require.Equal(t, "secret value: creds.output -value/match-> send0.x", w.short(l, &f[0]))
	require.Equal(t, 8, f[0].Hops[0].Evidence.Length)
	require.Less(t, l.Graph().NumEdges(), 500, "no edge from every output to every argument")
}

func TestEvidence(t *testing.T) {
	w := newWorld()
	w.add("read", "id=1").field("a.b", Of(Secret)).output(`{"a":{"b":"key zq81kk3mzq81"}}`)
	w.add("send", "text=my zq81kk3mzq81").sends()
	ev := w.labels().Flows()[0].Hops[0].Evidence
	require.Equal(t, "a.b", ev.Source)
	require.Equal(t, "text", ev.Target)
	require.Equal(t, 12, ev.Length)
	require.Len(t, ev.Digest, 8)
	other := Build(&w.plan, w.facts, nil, DigestKey([]byte("other"))).Propagate().Flows()[0].Hops[0].Evidence
	require.NotEqual(t, ev.Digest, other.Digest)
	none := Build(&w.plan, w.facts, nil).Propagate().Flows()[0].Hops[0].Evidence
	require.Empty(t, none.Digest)
}

func TestLongPathsAreCutAndNotLost(t *testing.T) {
	w := newWorld()
	w.plan.Fixed = true
	w.add("c0").gives(Of(Secret))
	for i := 1; i < 1000; i++ {
		w.add(fmt.Sprintf("c%d", i), fmt.Sprintf("x=${c%d}", i-1)).sends()
	}
	flows := w.labels().Flows()
	require.Len(t, flows, 999)
	last := flows[998]
	require.True(t, last.Cut)
	require.Equal(t, 0, last.Source.Call)
	require.Equal(t, 999, last.Sink.Call)
	require.Equal(t, Value, last.Precision)
	checkPaths(t, w.labels())
}

func TestLabelsAreSharedSafely(t *testing.T) {
	w := session(60, 200)
	g := Build(&w.plan, w.facts, nil)
	l := g.Propagate()
	var wg sync.WaitGroup
	for i := 0; i < 4; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			l.Flows()
			l.AllFlows(59, 5)
			g.Propagate().Flows()
		}()
	}
	wg.Wait()
}

func TestQueriesOutOfRange(t *testing.T) {
	w := newWorld()
	w.add("a", "x=1")
	l := w.labels()
	for _, i := range []int{-1, 1, 99} {
		require.Zero(t, l.In(i, Context))
		require.Zero(t, l.Out(i))
		require.Zero(t, l.Slot(i, 0, Context))
		require.Zero(t, l.Slot(0, i, Context))
		require.Zero(t, l.Sink(i, 0, 0, Context))
	}
	require.Empty(t, Build(&plan.Plan{}, nil, nil).Propagate().Flows())
}

func TestFactsThatPointNowhere(t *testing.T) {
	w := newWorld()
	s := w.add("a", "x=1")
	s.fact().Steps[0] = Step{
		Reads: []Operand{{Index: 7}, {Index: -1}, {Kind: FromStep, Index: 3}, {Kind: FromStep, Index: -1}, {Kind: FromCell, Cell: &Cell{}}},
		Sinks: []Sink{{From: []Operand{{Kind: FromCell, Cell: &Cell{Name: "other"}}, {Kind: FromStep, Index: 9}}, Decides: []int{9}}},
	}
	s.call().Args.Items[0].Ext = &plan.Ext{Refs: []plan.Ref{{Call: 99}, {Call: 0}, {Call: -1, Name: "nobody"}}}
	require.NotPanics(t, func() { w.flows() })
}

func TestGraphAPI(t *testing.T) {
	w := session(10, 0)
	g := w.labels().Graph()
	api := g.API()
	order, err := api.Order()
	require.NoError(t, err)
	require.Equal(t, g.NumNodes(), order)
	edges, err := api.Edges()
	require.NoError(t, err)
	require.LessOrEqual(t, len(edges), g.NumEdges())
	adjacent, err := api.AdjacencyMap()
	require.NoError(t, err)
	for e := range g.Edges {
		require.Contains(t, adjacent[e.From], e.To)
		back, err := api.Edge(e.From, e.To)
		require.NoError(t, err)
		require.Contains(t, back.Properties.Data, e)
	}
	path, err := graph.ShortestPath(api, g.calls[0].out, uint32(g.NumNodes()-2))
	require.NoError(t, err)
	require.NotEmpty(t, path)
	require.ErrorIs(t, api.AddVertex(Node{}), ErrReadOnly)
	_, err = api.Vertex(1 << 30)
	require.ErrorIs(t, err, graph.ErrVertexNotFound)
	cycle, err := store{g}.CreatesCycle(3, 2)
	require.NoError(t, err)
	require.True(t, cycle)
}
