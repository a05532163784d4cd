package planyaml

// arena hands out slices that are cut from larger ones.
type arena[T any] struct {
	chunk []T
}

// arenaChunk is how many elements are allocated at once.
const arenaChunk = 256

// take moves stack[from:] into the arena and returns it and the shorter stack.
func (a *arena[T]) take(stack []T, from int) (taken, rest []T) {
	count := len(stack) - from
	if count == 0 {
		return nil, stack
	}
	if cap(a.chunk)-len(a.chunk) < count {
		a.chunk = make([]T, 0, max(count, arenaChunk))
	}
	start := len(a.chunk)
	a.chunk = append(a.chunk, stack[from:]...)
	clear(stack[from:]) // or the strings would stay alive
	return a.chunk[start : start+count : start+count], stack[:from]
}

// reset lets everything that was taken be overwritten.
func (a *arena[T]) reset() { a.chunk = a.chunk[:0] }
