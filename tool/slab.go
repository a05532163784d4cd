package tool

// slab hands out small slices of one large one, since a plan's calls need many
// of them and all live as long as the plan.
type slab[T any] struct {
	free []T
	size int
}

// The first slice is small, since most plans are; later ones are larger. Room for
// more than maxSlab is made where it is known how much is used.
const (
	minSlab = 16
	maxSlab = 128
	maxRoom = 512
)

// take returns n zero values; appending to them does not touch others.
func (s *slab[T]) take(n int) []T {
	if n == 0 {
		return nil
	}
	if n > maxSlab/4 {
		return make([]T, n)
	}
	if n > len(s.free) {
		s.size = min(max(2*s.size, minSlab, 2*n), maxSlab)
		s.free = make([]T, s.size)
	}
	out := s.free[:n:n]
	s.free = s.free[n:]
	return out
}

// reserve makes room for the first n values, where that is not too much for one piece.
func (s *slab[T]) reserve(n int) {
	if n > 0 {
		s.free = make([]T, min(n, maxRoom))
	}
}

// open returns an empty slice at the start of what is free, to be appended to and
// closed before anything else is taken.
func (s *slab[T]) open() []T {
	if len(s.free) == 0 {
		s.size = min(max(2*s.size, minSlab), maxSlab)
		s.free = make([]T, s.size)
	}
	return s.free[:0]
}

// close keeps a slice that open gave, where it stands if it had room there.
func (s *slab[T]) close(list []T) []T {
	n := len(list)
	if n == 0 {
		return nil
	}
	if &list[0] == &s.free[0] {
		s.free = s.free[n:]
		return list[:n:n]
	}
	clear(s.free) // take gives zero values
	return s.keep(list)
}

// keep returns a copy of a scratch slice.
func (s *slab[T]) keep(scratch []T) []T {
	out := s.take(len(scratch))
	copy(out, scratch)
	return out
}
