package shell

import (
	"fmt"
	"maps"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPersistentMap holds pmap against Go's map over a run of changes, its
// older versions included.
func TestPersistentMap(t *testing.T) {
	var versions []pmap[int]
	var want []map[string]int
	m, ref := pmap[int]{}, map[string]int{}
	for i := range 400 {
		name := fmt.Sprintf("v%d", i*7919%97)
		m, ref[name] = m.with(name, i), i
		versions, want = append(versions, m), append(want, maps.Clone(ref))
	}
	for i, v := range versions {
		got := map[string]int{}
		v.each(func(name string, n *int) { got[name] = *n })
		require.Equal(t, want[i], got)
	}
	for _, pair := range [][2]int{{0, 399}, {399, 0}, {50, 60}, {200, 200}} {
		a, b := maps.Clone(want[pair[0]]), maps.Clone(want[pair[1]])
		versions[pair[0]].differ(versions[pair[1]], func(name string, inA, inB *int) {
			va, oka := a[name]
			vb, okb := b[name]
			require.True(t, oka != okb || va != vb, name)
			require.Equal(t, oka, inA != nil)
			require.Equal(t, okb, inB != nil)
			delete(a, name)
			delete(b, name)
		})
		require.Equal(t, a, b, "a difference was not reported")
	}
}

// TestEqualHashes puts two names of one FNV-1a hash into one map.
func TestEqualHashes(t *testing.T) {
	require.Equal(t, fnv("costarring"), fnv("liquid"))
	m := pmap[int]{}.with("costarring", 1).with("x", 2).with("liquid", 3).with("costarring", 4)
	require.Equal(t, 4, *m.get("costarring"))
	require.Equal(t, 3, *m.get("liquid"))
	require.Nil(t, m.get("altarage"))
	m.differ(m.with("liquid", 5), func(name string, a, b *int) { require.Equal(t, "liquid", name) })
}
