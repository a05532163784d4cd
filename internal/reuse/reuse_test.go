package reuse

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestClearedForgetsAll(t *testing.T) {
	list := []string{"a", "b", "c"}[:1] // two more stand behind its end
	got := Cleared(list)
	require.Empty(t, got)
	require.Equal(t, []string{"", "", ""}, got[:3])
	require.Equal(t, []string{"", ""}, Zeros(got, 2))
	require.Len(t, Zeros(got, 9), 9)
}

func TestLargeIsNotKept(t *testing.T) {
	require.Nil(t, Cleared(make([]int, 0, Max+1)))
	require.Nil(t, Plain(make([]int, 0, Max+1)))
	require.Equal(t, Max, cap(Plain(make([]int, 1, Max))))
	large := map[int]int{}
	for i := range Max + 1 {
		large[i] = i
	}
	require.Empty(t, Table(large))
	require.Len(t, large, Max+1, "it is given up")
	small := map[int]int{1: 1}
	require.Empty(t, Table(small))
	require.Empty(t, small)
}
