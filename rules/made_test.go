package rules

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// A suggestion that is still in use is never overwritten, one that was made lately
// is found again.
func TestMade(t *testing.T) {
	var m made
	require.Nil(t, m.find(suggestKey{tool: "a"}))
	for i := range 50 {
		var used []*suggestion
		for n := range maxSuggestions {
			key := suggestKey{tool: fmt.Sprint("tool", i*i+n)}
			one := m.find(key)
			if one == nil {
				one = m.place(used)
				require.False(t, slices.Contains(used, one))
				one.key = key
			}
			used = append(used, one)
		}
		for n, one := range used {
			require.Equal(t, fmt.Sprint("tool", i*i+n), one.key.tool)
			require.Same(t, one, m.find(one.key))
		}
	}
}
