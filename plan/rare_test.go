package plan

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCallWithoutRare(t *testing.T) {
	c := &Call{}
	require.Nil(t, c.After())
	require.Nil(t, c.Each())
	require.Empty(t, c.As())
	require.Empty(t, c.When())
	require.Nil(t, c.Branch())
	require.Nil(t, c.Reads())
	require.Nil(t, c.Writes())
	require.Nil(t, c.Tools())
	require.Empty(t, c.Approval())
	require.Empty(t, c.OnError())
	require.Nil(t, c.OutputLabels())
	require.Nil(t, c.Rare, "reading makes none")
}

func TestExtendLeavesCopiesAlone(t *testing.T) {
	first := Call{Rare: &Rare{When: "a", Tools: []string{"x"}}}
	second := first
	own := second.Extend()
	own.When, own.OnError = "b", "stop"
	require.Equal(t, "a", first.When())
	require.Empty(t, first.OnError())
	require.Equal(t, "b", second.When())
	require.Equal(t, "stop", second.OnError())
	require.Equal(t, []string{"x"}, second.Tools(), "what it had is kept")
}
