package rules

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/tool"
)

// A suggestion that is still in use is never overwritten, one that was made lately
// is found again.
func TestMade(t *testing.T) {
	var m made
	again := 0
	for i := range 50 {
		var used []*suggestion
		for n := range maxSuggestions {
			key := suggestKey{tool: fmt.Sprint("tool", i*i/2+n)}
			one := m.of(&key, used)
			require.False(t, slices.Contains(used, one))
			if one.text == "" {
				*one = suggestion{key: key, text: "made"}
			} else {
				again++
			}
			used = append(used, one)
		}
		for n, one := range used {
			require.Equal(t, fmt.Sprint("tool", i*i/2+n), one.key.tool)
			require.Same(t, one, m.of(&one.key, used))
		}
	}
	require.Greater(t, again, 2)
	room := m
	m.forget()
	require.Equal(t, room, m)
	for _, one := range m {
		if one != nil {
			require.Zero(t, *one, "what was suggested may be secret")
		}
	}
	require.Empty(t, m.of(&suggestKey{}, nil).text)
}

// Without a glob, a suggested path grants what its pattern grants, and to no other.
func TestSamePath(t *testing.T) {
	paths := []string{"/", "/a", "/a/b", "/a/bb", "/a/b/c", "/a/b/c.go", "/a/b/.x", "/b", "a", "a/b", ".", "..", "../a", "./a", "b/a/b", "~", "~/a",
		"/a/b c", "/a/[b]", "/a/{b", "/a/b}", "/a/!b", "!a", "/a/./b", "/a//b", "C:/a", "/a/B", "/ü", "", "-a", "/a/~", "/a/" + strings.Repeat("x/", 40) + "y"}
	fast := 0
	for _, cwd := range []string{"", "/", "/a", "/a/b", "/a/", "a", "/A", "/a/../a", "C:/a"} {
		for _, insensitive := range []bool{false, true} {
			env := &plan.Env{Cwd: cwd, Home: "/home/dev", CaseInsensitive: insensitive}
			d := decider{one: one{s: &subject{env: env}}}
			for _, p := range paths {
				pattern := d.shownPath(p)
				same, ok := samePath(p, pattern, env)
				if !ok {
					continue
				}
				fast++
				glob, err := newPathGlob(pattern)
				require.NoError(t, err)
				require.Equal(t, []any{glob.exact, glob.literal, glob.any}, []any{same.exact, same.literal, same.any}, pattern)
				for _, of := range paths {
					if path.Clean(of) != of {
						continue // those of uses are clean
					}
					for _, u := range []tool.PathUse{
						{Path: of, Known: true}, {Path: of, Known: true, Tree: true}, {Path: of}, {Path: of, Known: true, Guess: true},
						{Path: of + "/x*", Known: true, Glob: true}, {Path: of + "*", Known: true, Glob: true},
						{Path: p, Known: true, Links: []string{of}}, {Path: of, Known: true, Links: []string{p}},
					} {
						require.Equal(t, glob.covers(&u, env), same.covers(&u, env), "cwd %q, path %q, pattern %q, use %v", cwd, p, pattern, u)
					}
				}
			}
		}
	}
	require.Greater(t, fast, 40)
}

// A released decider keeps nothing of what it decided.
func TestReleasedDeciderIsEmpty(t *testing.T) {
	const secret = "hunter2hunter2"
	in := &Input{
		Call: &plan.Call{Tool: "run_" + secret, Server: secret}, Asker: true, AgentPath: []string{secret},
		Resolved: &tool.Resolved{Class: gate.Compensating, Contract: &tool.Contract{Name: secret}, Env: &plan.Env{Cwd: "/" + secret},
			Paths: []tool.PathUse{{Path: "/" + secret + "/a", Known: true, Access: tool.Write, Command: -1}}},
		Escalations: []Escalation{{Rule: secret, Why: secret, Decision: gate.Allow}},
	}
	r := (&Table{}).Decider()
	require.Contains(t, r.Decide(in).Suggest, secret)
	require.Contains(t, string(r.flow.b), secret)
	r.Release()
	require.Zero(t, r.one)
	require.Zero(t, r.buf)
	require.Zero(t, r.known)
	require.NotContains(t, string(r.flow.b[:cap(r.flow.b)]), secret)
	for _, one := range r.made {
		if one != nil {
			require.Zero(t, *one)
		}
	}
}
