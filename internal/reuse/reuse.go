// Package reuse gives the memory of lists and tables that one analysis needed to the
// next one.
//
// In: what an analysis needs no more. Out: the same memory, empty, with nothing left
// that pointed at a plan, since plans hold secrets; none where it is large, so that one
// large plan does not fill a process that stays.
package reuse

// Max is how many elements a list or table may have room for whose memory is kept.
const Max = 1 << 13

// Cleared returns the memory of a list, empty; all that ever stood there is gone.
func Cleared[T any](list []T) []T {
	if cap(list) > Max {
		return nil
	}
	clear(list[:cap(list)])
	return list[:0]
}

// Plain is Cleared for elements without pointers; what stood there stays there.
func Plain[T any](list []T) []T {
	if cap(list) > Max {
		return nil
	}
	return list[:0]
}

// Table returns a table, empty.
func Table[K comparable, V any](table map[K]V) map[K]V {
	if len(table) > Max {
		return map[K]V{}
	}
	clear(table)
	return table
}

// Zeros returns a list of n zero values, in memory that was cleared.
func Zeros[T any](cleared []T, n int) []T {
	if n > cap(cleared) {
		return make([]T, n)
	}
	return cleared[:n]
}
