package taint

import (
	"sync"

	"github.com/planlint/planlint/internal/reuse"
)

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

// handOver returns a list to be kept, of the right size, and memory for the next
// analysis. A large list is kept as it is, unless much of it is empty.
func handOver[T any](list []T) (kept, room []T) {
	if cap(list) > reuse.Max && len(list) >= cap(list)*7/8 {
		return list, nil
	}
	return append(make([]T, 0, len(list)), list...), reuse.Plain(list)
}
