package xdg_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planlint/planlint/internal/xdg"
)

func TestFolders(t *testing.T) {
	home := map[string]string{"HOME": "/home/dev"}
	require.Equal(t, "/home/dev/.config/planlint", xdg.Config(home))
	require.Equal(t, "/home/dev/.local/state/planlint/sessions", xdg.Sessions(home))
	set := map[string]string{"HOME": "/home/dev", "XDG_STATE_HOME": "/s", "XDG_CONFIG_HOME": "rel"}
	require.Equal(t, "/s/planlint/policies", xdg.Policies(set))
	require.Equal(t, "/home/dev/.config/planlint", xdg.Config(set), "a relative value is ignored")
	for _, none := range []map[string]string{nil, {"HOME": "home"}} {
		require.Empty(t, xdg.Config(none))
		require.Empty(t, xdg.Sessions(none))
		require.Empty(t, xdg.Policies(none))
	}
}
