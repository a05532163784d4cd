package taint

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planlint/planlint/plan"
)

// written is all that a graph and its labels say.
func written(l *Labels) string {
	var b strings.Builder
	g := l.graph
	for n := range g.Nodes {
		fmt.Fprintf(&b, "%+v %v\n", n, l.of(n.ID))
	}
	for e := range g.Edges {
		fmt.Fprintf(&b, "%+v\n", e)
	}
	fmt.Fprintf(&b, "%+v\n%+v\n%+v\n", g.Notes(), l.Flows(), l.readers)
	for call := range g.calls {
		flows, more := l.AllFlows(call, 10)
		fmt.Fprintf(&b, "%d %v %v %+v %v\n", call, l.In(call, Context), l.Out(call), flows, more)
	}
	return b.String()
}

// TestGraphsShareNoMemory reads graphs again after others were made with the same
// scratch.
func TestGraphsShareNoMemory(t *testing.T) {
	type made struct {
		labels *Labels
		flows  []Flow
		want   string
	}
	var all []made
	for seed := int64(0); seed < 60; seed++ {
		r := rand.New(rand.NewSource(seed))
		w := randomWorld(r, 2+r.Intn(20))
		l := Build(&w.plan, w.facts, nil).Propagate()
		all = append(all, made{l, l.Flows(), written(l)})
	}
	for seed, m := range all {
		require.Equal(t, m.want, written(m.labels), "seed %d", seed)
		require.Equal(t, m.flows, m.labels.Flows(), "seed %d", seed)
	}
}

// TestScratchForgets looks for text of a plan in what is kept for the next one.
func TestScratchForgets(t *testing.T) {
	w := newWorld()
	w.text(plan.TextUser, 0, "Send the report to kim@corp.example")
	w.add("read", "path=/srv/secret/marker-4711").gives(Of(Secret)).output("marker-4711-abcdefgh and some more words of it")
	w.add("send", "to=kim@corp.example", "body=marker-4711-abcdefgh").sends("body").decides("to")
	room := new(scratch)
	u, err := NewUniverse()
	require.NoError(t, err)
	room.builder.start(&w.plan, complete(&w.plan, func(i int) *Facts { return &w.facts[i] }), u, options{})
	room.builder.sweep()
	l := room.builder.finish().Propagate()
	room.walker.Labels = l
	for id := range l.graph.nodes {
		if l.graph.nodes[id].kind() == nodeSink {
			room.walker.ask(uint32(id), nil)
		}
	}
	require.NotEmpty(t, room.walker.asked)
	room.walker.rest()
	b := &room.builder
	for _, s := range b.seeds[:cap(b.seeds)] {
		require.Zero(t, s)
	}
	for _, d := range b.details[:cap(b.details)] {
		require.Zero(t, d)
	}
	for _, name := range b.cells.names[:cap(b.cells.names)] {
		require.Empty(t, name)
	}
	for _, f := range b.prov.slots.found[:cap(b.prov.slots.found)] {
		require.Zero(t, f)
	}
	require.Empty(t, b.cells.ids)
	require.Empty(t, b.prov.user)
	require.NotContains(t, fmt.Sprintf("%+v", room), "marker")
}

func TestNodesOfAnySize(t *testing.T) {
	var l nodeList
	type at struct {
		kind            nodeKind
		call, step, idx int
	}
	all := []at{
		{nodeSlot, 0, 0, 0}, {nodeSlot, 7, 0, maxAlone}, {nodeContext, 1, 0, maxAlone + 1}, {nodeHub, -1, 0, 12345678},
		{nodeRead, 3, maxStep, maxIndex}, {nodeRead, 3, maxStep + 1, 0}, {nodeSink, 3, 0, maxIndex + 1}, {nodeStep, 1 << 30, 70000, 0},
		{nodeAll, 5, 0, 0}, {nodeVersion, 2, 1, 1},
	}
	for _, n := range all {
		l.add(n.kind, n.call, n.step, n.idx)
	}
	for i, n := range all {
		got := l.nodes[i]
		require.Equal(t, n, at{got.kind(), int(got.call), l.stepOf(got), l.indexOf(got)})
	}
	require.Len(t, l.wide, 4)
}

func TestEntryTag(t *testing.T) {
	for _, x := range []struct {
		label      Label
		prec, from Precision
		readers    uint32
	}{{0, Context, NoPrecision, 0}, {MaxLabels - 1, Value, Value, maxReaders - 1}, {5, Resource, Value, 77}} {
		e := entry{tag: newTag(x.label, x.prec, x.from, x.readers)}
		require.Equal(t, x.label, e.label())
		require.Equal(t, x.prec, e.prec())
		require.Equal(t, x.from, e.from())
		require.Equal(t, x.readers, e.readers())
		e.read(3)
		require.Equal(t, newTag(x.label, x.prec, x.from, 3), e.tag)
	}
}

func TestReadersBeyondTheBoundAreNobody(t *testing.T) {
	table := newReaderTable()
	table.sets = slices.Grow(table.sets, maxReaders)[:maxReaders]
	require.Equal(t, nobodyID, table.id(ReadersOf("a")))
}
