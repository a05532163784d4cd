package tool

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// What a slab hands out is zero, does not overlap, and stays as it is, however it
// was taken.
func TestSlab(t *testing.T) {
	for _, room := range []int{0, 1, 5, 40} {
		var s slab[int]
		s.reserve(room)
		var all [][]int
		for i := range 200 {
			n := i % 7
			var list []int
			if i%3 == 0 {
				list = s.open()
				for range n {
					list = append(list, i)
				}
				list = s.close(list)
			} else {
				list = s.take(n)
				for j := range list {
					require.Zero(t, list[j])
					list[j] = i
				}
			}
			require.Len(t, list, n)
			require.Equal(t, n, cap(list), "appending must not touch others")
			all = append(all, list)
		}
		for i, list := range all {
			for _, v := range list {
				require.Equal(t, i, v)
			}
		}
	}
}
