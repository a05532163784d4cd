package main

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"

	"github.com/planlint/planlint/shell"
)

// corpus is testdata/commands/everyday.yaml.
type corpus struct {
	Version int
	Env     struct {
		Cwd, Home, User, Head string
		Remotes               map[string]string
	}
	Sessions []struct {
		Name, Kind string
		Allow      []string
		Ask        []struct{ Cmd, Why string }
	}
}

// TestEveryday decides the corpus by what this package alone knows: classes up
// to time-window-undoable without a closing unknown are allowed.
func TestEveryday(t *testing.T) {
	data, err := os.ReadFile("../../../testdata/commands/everyday.yaml")
	require.NoError(t, err)
	var c corpus
	require.NoError(t, yaml.Unmarshal(data, &c))
	env := shell.Env{Cwd: c.Env.Cwd, Home: c.Env.Home, User: c.Env.User, Head: c.Env.Head, Remotes: c.Env.Remotes}
	allows, asks := 0, 0
	for _, s := range c.Sessions {
		for _, cmd := range s.Allow {
			allows++
			if why := asksFor(cmd, env); why != "" {
				t.Errorf("%s: asks: %s\n\t%s", s.Name, cmd, why)
			}
		}
		for _, a := range s.Ask {
			asks++
			require.NotEmpty(t, a.Why, a.Cmd)
			if asksFor(a.Cmd, env) == "" {
				t.Errorf("%s: does not ask: %s\n\t%s", s.Name, a.Cmd, shell.Parse(a.Cmd, env).Describe(env.Cwd))
			}
			require.NotContains(t, []string{"read"}, s.Kind)
		}
	}
	require.GreaterOrEqual(t, allows+asks, 300)
	require.LessOrEqual(t, asks*10, allows+asks, "more than one in ten asks")
	t.Logf("%d commands, %d ask", allows+asks, asks)
}

// asksFor gives what makes a line ask, "" if it is allowed.
func asksFor(cmd string, env shell.Env) string {
	s := shell.Parse(cmd, env)
	switch s.Class() {
	case shell.ClassReversible, shell.ClassCompensate, shell.ClassWindow:
	default:
		return s.Describe(env.Cwd)
	}
	if len(s.Closed()) > 0 || s.Broken {
		return s.Describe(env.Cwd)
	}
	return ""
}
