package planyaml

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planlint/planlint/plan"
)

func TestValue(t *testing.T) {
	v, errs := Value([]byte("a: [1, two]\nb: {c: \"${x}\"}\n"))
	require.Empty(t, errs)
	require.Equal(t, []string{"a", "b"}, v.Keys)
	require.Equal(t, plan.String, v.Items[0].Items[1].Kind)
	require.Equal(t, int32(2), v.Items[1].Items[0].Pos.Line)
	require.Nil(t, v.Items[1].Items[0].Ext, "no references")
	for _, bad := range []string{"", "a: [", "a: &x 1\nb: *x\n", "a: 1\na: 2\n", "\x00"} {
		_, errs := Value([]byte(bad))
		require.NotEmpty(t, errs, "%q", bad)
	}
	src, err := os.ReadFile("../../trace/testdata/lobster_inbox.yaml")
	require.NoError(t, err)
	_, errs = Value(src)
	require.Empty(t, errs)
}
