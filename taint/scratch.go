package taint

import "sync"

// scratch is memory that one analysis needs after another and that nobody keeps.
// Nothing of a Graph, Labels or Flow may lie in it.
type scratch struct {
	builder builder
	merger  merger
	entries []entry
	dists   []uint32
	walker  walker
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}

func getScratch() *scratch { return scratches.Get().(*scratch) }

// put gives the scratch back. It is not called after a panic.
func (s *scratch) put() {
	s.walker.rest()
	scratches.Put(s)
}

// maxRoom is up to how many elements of a list are kept for the next analysis.
const maxRoom = 1 << 13

// again returns the memory of a list, empty; none where it is large. What the list
// and those before it pointed at is forgotten.
func again[T any](list []T) []T {
	if cap(list) > maxRoom {
		return nil
	}
	list = list[:cap(list)]
	clear(list)
	return list[:0]
}

// reuse is again for elements without pointers.
func reuse[T any](list []T) []T {
	if cap(list) > maxRoom {
		return nil
	}
	return list[:0]
}

// handOver returns a list to be kept, of the right size, and memory for the next
// analysis. A large list is kept as it is, unless much of it is empty.
func handOver[T any](list []T) (kept, room []T) {
	if cap(list) > maxRoom && len(list) >= cap(list)*7/8 {
		return list, nil
	}
	return append(make([]T, 0, len(list)), list...), reuse(list)
}
