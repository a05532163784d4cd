package taint

import (
	"sort"
	"strings"

	"github.com/planlint/planlint/internal/reuse"
	"github.com/planlint/planlint/plan"
)

// cellTable knows every cell that the plan's facts name, and what each holds
// while the graph is built.
//
// A touch is one read or write of a cell by a step that counts; touches are
// numbered in the order of the sweep, which meets them in that order again.
type cellTable struct {
	names []string
	ids   map[string]int32
	// touch is the cell of each touch, next the one that comes next.
	touch []int32
	next  int
	// hub is, by touch, the number of the set of cells that concurrent calls
	// touch, 0 for none; hubs are their nodes.
	hub  []int32
	hubs []uint32
	// parent and end are set if some cell is a folder: names are then sorted, so
	// that what is below cell c are the cells from c to end[c].
	parent, end []int32
	live        live
}

func (t *cellTable) start(facts []*Facts, s *schedule) {
	if t.ids == nil {
		t.ids = map[string]int32{}
	}
	trees := false
	each(facts, func(_ int, c *Cell, _ bool) {
		name := cellName(c.Name)
		id, ok := t.ids[name]
		if !ok {
			id = int32(len(t.names))
			t.names = append(t.names, name)
			t.ids[name] = id
		}
		t.touch = append(t.touch, id)
		trees = trees || c.Tree
	})
	if trees {
		t.sort()
	}
	t.live.start(t)
	if s.concurrent {
		t.meet(facts, s.peers)
	}
}

// rest leaves nothing but room for the next plan.
func (t *cellTable) rest() {
	ids := t.ids
	if len(ids) > reuse.Max {
		ids = nil
	}
	clear(ids)
	*t = cellTable{names: reuse.Cleared(t.names), ids: ids, touch: reuse.Plain(t.touch), live: live{seg: reuse.Plain(t.live.seg)}}
}

// each visits every touch in the order of the sweep.
func each(facts []*Facts, visit func(call int, c *Cell, write bool)) {
	for i := range facts {
		for s := range facts[i].Steps {
			st := &facts[i].Steps[s]
			for r := range st.Reads {
				if st.Reads[r].Kind == FromCell {
					visit(i, st.Reads[r].Cell, false)
				}
			}
			for w := range st.Writes {
				if !st.Writes[w].ToOutput {
					visit(i, st.Writes[w].Cell, true)
				}
			}
		}
	}
}

// cellName drops the slashes at the end, so that "file:/a/" is "file:/a".
func cellName(name string) string {
	for len(name) > 1 && name[len(name)-1] == '/' {
		name = name[:len(name)-1]
	}
	return name
}

// below reports whether a cell is another or inside it: after a slash, or after
// the colon of the kind.
func below(name, folder string) bool {
	if !strings.HasPrefix(name, folder) {
		return false
	}
	return len(name) == len(folder) || name[len(folder)] == '/' || folder == "" || folder[len(folder)-1] == ':'
}

// cellLess orders names so that what is inside a folder follows it directly:
// the slash comes before every other byte.
func cellLess(a, b string) bool {
	n := min(len(a), len(b))
	for i := 0; i < n; i++ {
		if x, y := a[i], b[i]; x != y {
			return x == '/' || y != '/' && x < y
		}
	}
	return len(a) < len(b)
}

// sort renumbers the cells in the order of their names and finds each one's
// nearest folder among them.
func (t *cellTable) sort() {
	order := make([]int32, len(t.names))
	for i := range order {
		order[i] = int32(i)
	}
	sort.Slice(order, func(i, j int) bool { return cellLess(t.names[order[i]], t.names[order[j]]) })
	rank := make([]int32, len(order))
	names := make([]string, len(order))
	for r, id := range order {
		rank[id], names[r] = int32(r), t.names[id]
	}
	for i, id := range t.touch {
		t.touch[i] = rank[id]
	}
	t.names = names
	t.nest()
}

// nest fills parent and end from the sorted names, with a stack of open folders.
func (t *cellTable) nest() {
	n := int32(len(t.names))
	t.parent, t.end = make([]int32, n), make([]int32, n)
	var open []int32
	for c := int32(0); c < n; c++ {
		for len(open) > 0 && !below(t.names[c], t.names[open[len(open)-1]]) {
			t.end[open[len(open)-1]] = c
			open = open[:len(open)-1]
		}
		t.parent[c] = -1
		if len(open) > 0 {
			t.parent[c] = open[len(open)-1]
		}
		open = append(open, c)
	}
	for _, c := range open {
		t.end[c] = n
	}
}

// read appends the nodes of all versions that a read of a cell may see.
func (t *cellTable) read(b *builder, call int, c *Cell, to []uint32) []uint32 {
	id, hub := t.take(b, call)
	to = t.live.read(b, id, c.Tree, to)
	if hub != noNode {
		to = append(to, hub)
	}
	return to
}

// take returns the cell of the next touch, and the hub node that it meets
// concurrent calls at, if any.
func (t *cellTable) take(b *builder, call int) (id int32, hub uint32) {
	at := t.next
	t.next++
	id = t.touch[at]
	if t.hub == nil || t.hub[at] == 0 {
		return id, noNode
	}
	h := &t.hubs[t.hub[at]]
	if *h == noNode {
		*h = b.node(nodeHub, -1, 0, int(id))
	}
	return id, *h
}

// write makes the version that a step writes. What surely happened replaces the
// former content; what may not have, and what happens at the same time as other
// uses of the cell, is added to it.
func (b *builder) write(c *plan.Call, s, w int, step uint32) {
	wr := &b.facts[c.Index].Steps[s].Writes[w]
	id, hub := b.cells.take(b, c.Index)
	if c.Outcome.DidNotRun() {
		return
	}
	certain := hub == noNode && surely(c)
	if wr.Mode == Delete {
		if certain {
			b.cells.live.cut(id, wr.Cell.Tree, uint32(len(b.nodes)))
		}
		return
	}
	v := b.node(nodeVersion, c.Index, s, w)
	b.edge(step, v, Value, ByPass, 0)
	b.edge(v, hub, Resource, ByCell, 0)
	replaces := wr.Mode == Overwrite && certain
	if !replaces {
		v = b.added(id, wr.Cell.Tree, v)
	}
	b.cells.live.put(id, wr.Cell.Tree, replaces, v)
}

// added returns a node that joins a version with what the cell held before: the
// version itself where it held nothing.
func (b *builder) added(cell int32, tree bool, v uint32) uint32 {
	b.reads = b.cells.live.former(b, cell, tree, b.reads[:0])
	if len(b.reads) == 0 {
		return v
	}
	id := b.node(nodeFolder, -1, 0, int(cell))
	b.edge(v, id, Resource, ByCell, 0)
	for _, old := range b.reads {
		b.edge(old, id, Resource, ByCell, 0)
	}
	return id
}
