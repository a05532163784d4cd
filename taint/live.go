package taint

// dirty marks a segment whose joining node is out of date.
const dirty = ^uint32(0) - 1

// live holds, per cell, the versions that a read may see: own was written to
// that name, tree to it as a folder with everything below. noNode is none.
//
// With folders in the plan the versions are the leaves of a segment tree over
// the sorted names (own at 2c, tree at 2c+1), and the inner segments hold nodes
// that join the leaves below them. A segment's node is made when a folder is
// first read and stays until a leaf below changes, so that n writes and reads
// cost n log n nodes, and cuts stay exact. One thing is not separated again: what
// was added to a folder as a whole from what the folder held then as a whole, if
// a part of it was overwritten in between.
type live struct {
	t *cellTable
	// seg[1] is the root, seg[size+leaf] a leaf; without folders only leaves.
	seg   []uint32
	size  int
	trees bool
	// cutAt and cutBelow are the number of nodes when a cell, or a folder with
	// all below it, last lost its former content.
	cutAt, cutBelow []uint32
}

func (l *live) start(t *cellTable) {
	n := len(t.names)
	if t.end == nil {
		*l = live{t: t, seg: filled(l.seg, n)}
		return
	}
	size := 1
	for size < 2*n {
		size *= 2
	}
	*l = live{t: t, seg: filled(l.seg, 2*size), size: size, trees: true,
		cutAt: make([]uint32, n), cutBelow: make([]uint32, n)}
}

// read appends the versions that a read of a cell may see.
func (l *live) read(b *builder, c int32, tree bool, to []uint32) []uint32 {
	if !l.trees {
		return appendNode(to, l.seg[c])
	}
	if tree {
		to = l.under(b, 2*int(c), 2*int(l.t.end[c]), to)
		return l.above(c, l.t.parent[c], l.cutBelow[c], to)
	}
	to = appendNode(to, l.seg[l.size+2*int(c)])
	return l.above(c, c, l.cutAt[c], to)
}

// above appends the folder versions at a cell and over it that are newer than
// the last cut between them and the cell.
func (l *live) above(c, from int32, cut uint32, to []uint32) []uint32 {
	for a := from; a >= 0; a = l.t.parent[a] {
		if v := l.seg[l.size+2*int(a)+1]; v != noNode && v >= cut {
			to = append(to, v)
		}
		cut = max(cut, l.cutBelow[a])
	}
	return to
}

// former appends what a cell held before a write that does not replace it; for
// a folder only its own version, because what lies below stays where it is.
func (l *live) former(b *builder, c int32, tree bool, to []uint32) []uint32 {
	if tree {
		return appendNode(to, l.seg[l.size+2*int(c)+1])
	}
	return l.read(b, c, false, to)
}

// put makes a node the newest version of a cell.
func (l *live) put(c int32, tree, replaces bool, v uint32) {
	switch {
	case !l.trees:
		l.seg[c] = v
	case !tree:
		l.set(2*int(c), v)
		l.cutAt[c] = v // v holds what was there, or replaced it
	default:
		if replaces {
			l.cut(c, true, v)
		}
		l.set(2*int(c)+1, v)
	}
}

// cut drops the versions of a cell, or of a folder and all below it; now is the
// number of nodes so far.
func (l *live) cut(c int32, tree bool, now uint32) {
	switch {
	case !l.trees:
		l.seg[c] = noNode
	case tree:
		l.clear(1, 0, l.size, 2*int(c), 2*int(l.t.end[c]))
		l.cutBelow[c], l.cutAt[c] = now, now
	default:
		l.set(2*int(c), noNode)
		l.cutAt[c] = now
	}
}

// set changes a leaf and marks what lies over it.
func (l *live) set(leaf int, v uint32) {
	at := l.size + leaf
	l.seg[at] = v
	for at /= 2; at > 0; at /= 2 {
		if !l.mark(at) {
			return
		}
	}
}

// mark brings an inner segment up to date with its halves: empty or dirty. It
// reports whether that changed it.
func (l *live) mark(at int) bool {
	state := dirty
	if l.seg[2*at] == noNode && l.seg[2*at+1] == noNode {
		state = noNode
	}
	changed := l.seg[at] != state
	l.seg[at] = state
	return changed
}

// clear empties the leaves from lo to hi below the segment at, which spans from
// to to; it enters only segments that hold something.
func (l *live) clear(at, from, to, lo, hi int) {
	if hi <= from || to <= lo || l.seg[at] == noNode {
		return
	}
	if at >= l.size {
		l.seg[at] = noNode
		return
	}
	mid := (from + to) / 2
	l.clear(2*at, from, mid, lo, hi)
	l.clear(2*at+1, mid, to, lo, hi)
	l.mark(at)
}

// under appends nodes that join all versions from leaf lo to hi.
func (l *live) under(b *builder, lo, hi int, to []uint32) []uint32 {
	for lo, hi = lo+l.size, hi+l.size; lo < hi; lo, hi = lo/2, hi/2 {
		if lo&1 == 1 {
			to = appendNode(to, l.join(b, lo))
			lo++
		}
		if hi&1 == 1 {
			hi--
			to = appendNode(to, l.join(b, hi))
		}
	}
	return to
}

// join returns the node that joins the leaves below a segment, making it where
// there is none or it is out of date; noNode where all are empty.
func (l *live) join(b *builder, at int) uint32 {
	if l.seg[at] != dirty {
		return l.seg[at]
	}
	x, y := l.join(b, 2*at), l.join(b, 2*at+1)
	switch {
	case x == noNode:
		l.seg[at] = y
	case y == noNode:
		l.seg[at] = x
	default:
		id := b.node(nodeFolder, -1, 0, l.cell(at))
		b.edge(x, id, Resource, ByCell, 0)
		b.edge(y, id, Resource, ByCell, 0)
		l.seg[at] = id
	}
	return l.seg[at]
}

// cell returns the first cell that a segment spans.
func (l *live) cell(at int) int {
	for at < l.size {
		at *= 2
	}
	return (at - l.size) / 2
}

func appendNode(to []uint32, v uint32) []uint32 {
	if v != noNode {
		to = append(to, v)
	}
	return to
}
