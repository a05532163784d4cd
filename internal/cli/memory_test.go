package cli

import (
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSaveMemory(t *testing.T) {
	was := debug.SetGCPercent(100)
	defer debug.SetGCPercent(was)
	percent := func() int {
		now := debug.SetGCPercent(100)
		debug.SetGCPercent(now)
		return now
	}
	for _, tc := range []struct {
		name string
		size int
		env  map[string]string
		want int
	}{
		{"small", largeInput - 1, nil, 100},
		{"GOGC is set", largeInput, map[string]string{"GOGC": "100"}, 100},
		{"GOMEMLIMIT is set", largeInput, map[string]string{"GOMEMLIMIT": "1GiB"}, 100},
		{"large", largeInput, map[string]string{"HOME": "/home/dev"}, largePercent},
	} {
		(&streams{env: tc.env}).saveMemory(tc.size)
		require.Equal(t, tc.want, percent(), tc.name)
	}
}
