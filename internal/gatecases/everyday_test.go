package main

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"

	"github.com/planlint/planlint"
	"github.com/planlint/planlint/finding"
	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/policy"
)

// corpus is testdata/commands/everyday.yaml.
type corpus struct {
	Env struct {
		Cwd, Home, User, Head string
		Remotes               map[string]string
	}
	Sessions []struct {
		Name, Kind string
		Allow      []string
		Ask        []struct{ Cmd, Why string }
	}
}

func readCorpus(t *testing.T) *corpus {
	t.Helper()
	data, err := os.ReadFile("../../testdata/commands/everyday.yaml")
	require.NoError(t, err)
	c := new(corpus)
	require.NoError(t, yaml.Unmarshal(data, c))
	return c
}

// plan makes a session of commands, each a turn of its own.
func (c *corpus) plan(commands ...string) *plan.Plan {
	p := &plan.Plan{Env: plan.Env{Cwd: c.Env.Cwd, Home: c.Env.Home, User: c.Env.User, Head: c.Env.Head, Remotes: c.Env.Remotes}}
	for i, line := range commands {
		p.Calls = append(p.Calls, plan.Call{
			Index: i, ID: string(rune('a'+i%26)) + string(rune('0'+i/26)), Tool: "Bash", Turn: i,
			Args: plan.Obj([]string{"command"}, plan.Str(line)),
		})
	}
	return p
}

var coding = sync.OnceValues(func() (*planlint.Policy, error) { return policy.Builtin("coding-agent") })

func checkBuiltin(t *testing.T, p *plan.Plan) finding.PlanReport {
	t.Helper()
	pol, err := coding()
	require.NoError(t, err)
	return planlint.New(*pol).Check(context.Background(), p)
}

// TestEveryday decides each ordinary command by itself: as the corpus says,
// nothing that reads, builds, tests, lints or formats asks, and of all at most
// one in ten.
func TestEveryday(t *testing.T) {
	c := readCorpus(t)
	pol, err := policy.Builtin("coding-agent")
	require.NoError(t, err)
	checker := planlint.New(*pol)
	all, asks := 0, 0
	for _, s := range c.Sessions {
		for _, line := range s.Allow {
			all++
			r := checker.Check(context.Background(), c.plan(line))
			if r.Verdict != gate.Allow {
				t.Errorf("%s: %q: %s by %s: %s", s.Name, line, r.Verdict, r.Calls[0].Rule, r.Calls[0].Why)
			}
		}
		for _, a := range s.Ask {
			all++
			asks++
			if got := checker.Check(context.Background(), c.plan(a.Cmd)).Verdict; got != gate.Ask {
				t.Errorf("%s: %q: %s, want ask since it %s", s.Name, a.Cmd, got, a.Why)
			}
		}
	}
	require.GreaterOrEqual(t, all, 300)
	require.LessOrEqual(t, 10*asks, all)
	t.Logf("%d commands, %d ask (%.1f %%)", all, asks, 100*float64(asks)/float64(all))
}

// TestEverydaySessions runs the allowed commands of a session one after another:
// what one leaves behind must not make a later one ask.
func TestEverydaySessions(t *testing.T) {
	c := readCorpus(t)
	for _, s := range c.Sessions {
		r := checkBuiltin(t, c.plan(s.Allow...))
		for i := range r.Calls {
			if r.Calls[i].Decision != gate.Allow {
				t.Errorf("%s: call %d %q: %s by %s: %s", s.Name, i+1, s.Allow[i], r.Calls[i].Decision, r.Calls[i].Rule, r.Calls[i].Why)
			}
		}
	}
}

// flow is one case of flows.yaml and effects.yaml. A call is a command, or a
// tool with its arguments; the verdict is that of the whole plan.
type flow struct {
	Name, Verdict string
	Plan          []any
	Finds, Not    []string
}

func (f *flow) plan(t *testing.T, c *corpus) *plan.Plan {
	lines := make([]string, len(f.Plan))
	for i, call := range f.Plan {
		lines[i], _ = call.(string)
	}
	p := c.plan(lines...)
	for i, call := range f.Plan {
		tool, ok := call.(map[string]any)
		for name, given := range tool {
			args, isMap := given.(map[string]any)
			require.True(t, isMap, "%v", call)
			p.Calls[i].Tool, p.Calls[i].Args = name, plan.Obj(nil)
			for _, key := range slices.Sorted(maps.Keys(args)) {
				p.Calls[i].Args.Keys = append(p.Calls[i].Args.Keys, key)
				p.Calls[i].Args.Items = append(p.Calls[i].Args.Items, plan.Str(args[key].(string)))
			}
		}
		require.True(t, ok || lines[i] != "", "%v", call)
	}
	return p
}

// TestFlows checks what composition finds in command lines.
func TestFlows(t *testing.T) { runFlows(t, "flows.yaml") }

// TestEffects checks what commands and file tools are taken to do, each danger
// beside the harmless form next to it.
func TestEffects(t *testing.T) { runFlows(t, "effects.yaml") }

func runFlows(t *testing.T, name string) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("../../testdata/gatecases", name))
	require.NoError(t, err)
	var list []flow
	require.NoError(t, yaml.Unmarshal(data, &list))
	c := readCorpus(t)
	for _, f := range list {
		t.Run(f.Name, func(t *testing.T) {
			r := checkBuiltin(t, f.plan(t, c))
			found := map[string]bool{}
			for i := range r.Findings {
				found[r.Findings[i].ID] = true
				found[r.Findings[i].ID+" "+r.Findings[i].Precision.String()] = true
			}
			for _, id := range f.Finds {
				require.True(t, found[id], "%q finds %v, not %s", f.Plan, found, id)
			}
			for _, id := range f.Not {
				require.False(t, found[id], "%q finds %s", f.Plan, id)
			}
			if f.Verdict != "" {
				require.Equal(t, f.Verdict, r.Verdict.String(), "%v", r.Calls)
			}
		})
	}
}
