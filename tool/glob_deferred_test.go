package tool

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planlint/planlint/plan"
)

// TestDeferPath: a deferred pattern answers as the compiled one, whatever is
// asked first; one that is no pattern matches every path.
func TestDeferPath(t *testing.T) {
	env := &plan.Env{Cwd: "/srv/app", Home: "/home/dev"}
	for _, text := range []string{"**/.env{.,-,_}*", "~/.ssh/**", "//etc/hosts", "Makefile", "../x"} {
		now, err := CompilePath(text)
		require.NoError(t, err)
		for _, name := range []string{"/srv/app/.env.local", "/home/dev/.ssh/config", "/etc/hosts", "/srv/app/sub/Makefile", "/srv/x", "/tmp/y"} {
			u := &PathUse{Path: name, Access: Write, Known: true}
			require.Equal(t, now.Reaches(env, u), DeferPath(text).Reaches(env, u), "%s %s", text, name)
			require.Equal(t, now.Covers(env, u), DeferPath(text).Covers(env, u), "%s %s", text, name)
			require.Equal(t, now.coversRead(env, u), DeferPath(text).coversRead(env, u), "%s %s", text, name)
			require.Equal(t, NewPathIndex([]*PathGlob{now}).Of(name, nil), NewPathIndex([]*PathGlob{DeferPath(text)}).Of(name, nil), "%s %s", text, name)
			require.Equal(t, now.named(env, "see "+name), DeferPath(text).named(env, "see "+name), "%s %s", text, name)
		}
	}
	broken := DeferPath("a{b")
	require.Equal(t, Matches, broken.Reaches(env, &PathUse{Path: "/tmp/y", Access: Write, Known: true}))
	require.Equal(t, "a{b", broken.String())
}
