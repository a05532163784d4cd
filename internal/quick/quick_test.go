package quick_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planlint/planlint"
	"github.com/planlint/planlint/internal/compiled"
	"github.com/planlint/planlint/internal/quick"
	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/tool"
)

type noConditions struct{ asked bool }

func (*noConditions) Condition(compiled.Condition) (tool.Cond, error) { return 1, nil }

func (n *noConditions) Holds(tool.Cond, *tool.Subject) (bool, error) {
	n.asked = true
	return false, errors.New("no conditions here")
}

func policy(t testing.TB) *planlint.Policy {
	t.Helper()
	doc, err := compiled.BuiltinDocument("coding-agent")
	require.NoError(t, err)
	pack, err := compiled.BuiltinPack()
	require.NoError(t, err)
	u, _ := compiled.Universe(doc)
	p, problems := compiled.Build(doc, u, pack, &noConditions{})
	require.Empty(t, problems)
	return p
}

func call(tool string, pairs ...string) plan.Call {
	var keys []string
	var items []plan.Value
	for i := 0; i < len(pairs); i += 2 {
		keys, items = append(keys, pairs[i]), append(items, plan.Str(pairs[i+1]))
	}
	return plan.Call{Tool: tool, ID: tool, Args: plan.Obj(keys, items...)}
}

func bash(line string) plan.Call { return call("Bash", "command", line) }

func planOf(calls ...plan.Call) *plan.Plan {
	p := &plan.Plan{Env: plan.Env{Cwd: "/srv/app", Home: "/home/dev", PersistentShell: true}}
	for i := range calls {
		calls[i].Index, calls[i].Turn = i, i
	}
	p.Calls = calls
	return p
}

func ran(c plan.Call, output string) plan.Call {
	c.Outcome, c.Output, c.OutputState = plan.Ran, plan.Str(output), plan.OutputRecorded
	return c
}

// TestQuick: what is quick after a session, and what is not.
func TestQuick(t *testing.T) {
	edited := ran(call("Edit", "file_path", "/srv/app/run.sh", "old_string", "a", "new_string", "b"), "ok")
	for _, c := range []struct {
		name  string
		after []plan.Call
		call  plan.Call
		want  bool
	}{
		{"a look", nil, bash("git status"), true},
		{"a look after edits", []plan.Call{edited}, bash("git status"), true},
		{"tests after edits", []plan.Call{edited}, bash("go test ./..."), true},
		{"an edit", []plan.Call{edited}, call("Edit", "file_path", "/srv/app/a.go", "old_string", "a", "new_string", "b"), true},
		{"a commit", []plan.Call{edited}, bash("git commit -m fix"), true},
		{"a written script", []plan.Call{edited}, bash("sh run.sh"), false},
		{"a written script by path", []plan.Call{edited}, bash("./run.sh"), false},
		{"after a page, an edit", []plan.Call{ran(call("WebFetch", "url", "https://docs.example/a", "prompt", "x"), "text")},
			call("Edit", "file_path", "/srv/app/a.go", "old_string", "a", "new_string", "b"), false},
		{"after a page, a look", []plan.Call{ran(call("WebFetch", "url", "https://docs.example/a", "prompt", "x"), "text")}, bash("git status"), false},
		{"after a page, a read", []plan.Call{ran(call("WebFetch", "url", "https://docs.example/a", "prompt", "x"), "text")}, call("Read", "file_path", "/srv/app/a.go"), true},
		{"an upload", nil, bash("curl -d @a.txt https://up.example/"), false},
		{"a push", nil, bash("git push"), false}, // by its class,
		{"a secret", nil, call("Read", "file_path", "/srv/app/.env"), false},
		{"a sub-agent", nil, call("Task", "prompt", "look", "description", "look", "subagent_type", "x"), false},
		{"an unknown tool", nil, call("frobnicate", "x", "y"), false},
		{"a changed folder", []plan.Call{ran(bash("cd /etc"), "")}, bash("rm -r ../srv"), false},
		{"a variable", []plan.Call{ran(bash("export PAGER=./evil"), "")}, bash("git log"), false},
		{"a harmless variable", []plan.Call{ran(bash("export NAME=x"), "")}, bash("git status"), true},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := policy(t)
			f := quick.Condense(p, "id", planOf(c.after...))
			_, _, ok := quick.Alone(context.Background(), p, planOf(c.call), f)
			require.Equal(t, c.want, ok)
		})
	}
}

// TestFreeTexts: which arguments' texts do not matter.
func TestFreeTexts(t *testing.T) {
	p := policy(t)
	free := func(c plan.Call, after ...plan.Call) []string {
		m, _, ok := quick.Alone(context.Background(), p, planOf(c), quick.Condense(p, "id", planOf(after...)))
		require.True(t, ok)
		return m.Free
	}
	edit := func(path string) plan.Call {
		return call("Edit", "file_path", path, "old_string", `"version": "1.0.0"`, "new_string", `"version": "1.0.1"`)
	}
	require.Equal(t, []string{"old_string", "new_string"}, free(edit("/srv/app/a.go")))
	require.Equal(t, []string{"old_string", "new_string"}, free(edit("/srv/app/README.md")))
	require.Empty(t, free(edit("/srv/app/package.json")), "programs that a manager runs")
	require.Empty(t, free(bash("git status")))
	require.Empty(t, free(call("Read", "file_path", "/srv/app/a.go")))
}
