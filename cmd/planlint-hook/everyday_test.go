//go:build unix

package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"

	"github.com/planlint/planlint"
	"github.com/planlint/planlint/plan"
)

// TestEverydayCommandsStartNothing: no command of an ordinary session needs a
// condition, so that the full binary is not started.
func TestEverydayCommandsStartNothing(t *testing.T) {
	n := 0
	for _, s := range everydaySessions(t) {
		for _, line := range s.Allow {
			require.NoError(t, decide(t, line).failed, "%s: %s", s.Name, line)
			n++
		}
	}
	require.Greater(t, n, 200)
}

// TestEverydaySessionsStartNothing: nor as whole sessions, one after the other,
// but for what was fetched into the working folder and is read again there.
func TestEverydaySessionsStartNothing(t *testing.T) {
	for _, s := range everydaySessions(t) {
		conds := decide(t, s.Allow...)
		if s.Name == "network, databases, cloud" {
			require.Error(t, conds.failed, "this test can fail")
			continue
		}
		require.NoError(t, conds.failed, s.Name)
	}
}

type everydaySession struct {
	Name  string   `yaml:"name"`
	Allow []string `yaml:"allow"`
}

func everydaySessions(t *testing.T) []everydaySession {
	t.Helper()
	data, err := os.ReadFile("../../testdata/commands/everyday.yaml")
	require.NoError(t, err)
	var table struct {
		Sessions []everydaySession `yaml:"sessions"`
	}
	require.NoError(t, yaml.Unmarshal(data, &table))
	require.NotEmpty(t, table.Sessions)
	return table.Sessions
}

// decide decides the commands as one session, by the built-in policy of this
// binary, and returns its conditions.
func decide(t *testing.T, lines ...string) *conditions {
	t.Helper()
	d := &decider{env: map[string]string{}, full: &fullBinary{event: &bytes.Buffer{}}}
	p := &plan.Plan{Env: plan.Env{Cwd: "/srv/app", Home: "/home/dev", PersistentShell: true}}
	for i, line := range lines {
		p.Calls = append(p.Calls, plan.Call{Index: i, Turn: i, ID: fmt.Sprint(i), Tool: "Bash", Args: plan.Obj([]string{"command"}, plan.Str(line))})
	}
	report, err := d.Decide(context.Background(), p, planlint.Situation{})
	require.Equal(t, err, d.conds.failed)
	require.Len(t, report.Calls, len(lines))
	return d.conds
}
