package taint

import (
	"sort"

	"github.com/planlint/planlint/plan"
)

// surely reports whether a call's writes count as done: an event says so, or it
// is planned and nothing stands before it.
func surely(c *plan.Call) bool {
	if c.When() != "" || c.Branch() != nil || c.Compete || c.Each() != nil {
		return false
	}
	return c.Outcome == plan.Planned || c.Outcome == plan.Ran
}

// touching is one touch of a cell by one of several concurrent calls.
type touching struct {
	cell, call, touch, peers int32
	tree, write              bool
}

// meet finds the cells that concurrent calls touch, at least one of them
// writing, and gives each set of overlapping ones a hub.
func (t *cellTable) meet(facts []*Facts, peers []int32) {
	var all []touching
	n := int32(0)
	each(facts, func(call int, c *Cell, write bool) {
		if peers[call] != 0 {
			all = append(all, touching{cell: t.touch[n], call: int32(call), touch: n,
				peers: peers[call], tree: c.Tree, write: write})
		}
		n++
	})
	if len(all) == 0 {
		return
	}
	sort.Slice(all, func(i, j int) bool {
		a, b := &all[i], &all[j]
		switch {
		case a.peers != b.peers:
			return a.peers < b.peers
		case a.cell != b.cell:
			return a.cell < b.cell
		case a.tree != b.tree:
			return a.tree
		}
		return a.touch < b.touch
	})
	t.hub, t.hubs = make([]int32, len(t.touch)), append(t.hubs, noNode)
	for len(all) > 0 {
		k := t.overlapping(all)
		t.contend(all[:k])
		all = all[k:]
	}
}

// overlapping returns how many of the sorted touches overlap, directly or by
// way of a folder, with the first.
func (t *cellTable) overlapping(all []touching) int {
	first := all[0]
	end := first.cell + 1
	k := 0
	for k < len(all) && all[k].peers == first.peers && all[k].cell < end {
		if all[k].tree {
			end = max(end, t.end[all[k].cell])
		}
		k++
	}
	return k
}

// contend gives a set of touches a hub where two calls are in it and one writes.
func (t *cellTable) contend(set []touching) {
	several, writes := false, false
	for i := range set {
		several = several || set[i].call != set[0].call
		writes = writes || set[i].write
	}
	if !several || !writes {
		return
	}
	t.hubs = append(t.hubs, noNode)
	for i := range set {
		t.hub[set[i].touch] = int32(len(t.hubs) - 1)
	}
}
