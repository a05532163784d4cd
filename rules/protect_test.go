package rules_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/rules"
	"github.com/planlint/planlint/taint"
	"github.com/planlint/planlint/tool"
)

func places(t *testing.T) *rules.Places {
	t.Helper()
	p, problems := rules.CompilePlaces([]rules.Place{
		{Name: "settings", Authority: true, Paths: []string{"**/.agent/settings*.json", "~/.agentrc"}},
		{Name: "notes", Paths: []string{"**/AGENTS.md", "**/.agent/{rules,skills}/**"}},
		{Name: "ci", Paths: []string{"**/.github/workflows/**"}},
		{Name: "work", Paths: []string{"**/*.code-workspace"}},
		{Name: "scripts", Content: "package-scripts", Paths: []string{"**/package.json"}},
		{Name: "root", Deny: true, Whole: true, Paths: []string{"//", "~", "//usr"}},
	})
	require.Empty(t, problems)
	return p
}

// touched returns the names of the places that a call changes.
func touched(t *testing.T, env plan.Env, call plan.Call) (names []string) {
	t.Helper()
	u, err := taint.NewUniverse()
	require.NoError(t, err)
	reg, bad := tool.NewRegistry(tool.Config{Universe: u, Contracts: clientTools()})
	require.Empty(t, bad)
	p := &plan.Plan{Env: env, Calls: []plan.Call{call}}
	resolved := reg.Resolve(p)
	for _, found := range places(t).Touched(&p.Calls[0], &resolved[0]) {
		names = append(names, found.Name)
	}
	return names
}

func TestTouchedByCommands(t *testing.T) {
	env := plan.Env{Cwd: "/srv/app", Home: "/home/dev", Links: map[string]string{"/srv/app/conf": "/srv/app/.agent"}}
	for line, want := range map[string][]string{
		"echo x > .agent/settings.json":       {"settings"},
		"echo x > .AGENT/Settings.local.json": {"settings"},
		"cd .agent && tee settings.json":      {"settings"},
		"echo x > conf/settings.json":         {"settings"},
		"cp a ~/.agentrc":                     {"settings"},
		"mv a .agent/settings.json":           {"settings"},
		"rm .agent/settings.json":             {"settings"},
		"chmod -x .agent/settings.json":       {"settings"},
		"ln -s /tmp/x .agent/settings.json":   {"settings"},
		"ln .agent/settings.json other":       {"settings"},
		"rm -rf .agent":                       {"settings", "notes"},
		"mv .agent .off":                      {"settings", "notes"},
		"mv x .agent":                         {"settings", "notes"},
		"rm -rf .github":                      {"ci"},
		"rm .agent/*":                         nil,
		"rm .agent/rules/*":                   {"notes"},
		"rm .agent/sett*":                     {"settings"},
		"git checkout x -- AGENTS.md":         {"notes"},
		"sed -i s/a/b/ x.code-workspace":      {"work"},
		"cat .agent/settings.json":            nil,
		"diff .agent/settings.json b":         nil,
		"mkdir -p .agent/rules":               nil,
		"git add .agent/settings.json":        nil,
		"echo x > agent/settings.json":        nil,
		"echo x > .agent-old/settings.json":   nil,
		"rm -rf node_modules build":           nil,
		"prettier --write .":                  nil,
		"rm *.md":                             nil,
		"npm install left-pad":                nil,
		"npm pkg set scripts.x=y":             {"scripts"},
		"sed -i 's/jest/sh/' package.json":    {"scripts"},
		`sed -i 's/"version": ".*"/"version": "2.0.0"/' package.json`:     nil,
		`jq '.version = "2.0.0"' package.json > t && mv t package.json`:   nil,
		`jq '.scripts.test = "sh"' package.json > t && mv t package.json`: {"scripts"},
		"rm -rf /":       {"root"},
		"rm -rf ~":       {"root"},
		"rm -rf /home":   {"root"},
		"rm -rf /usr/*":  {"root"},
		"rm -rf /usr/x":  nil,
		"rm -rf ~/x":     nil,
		"touch /x":       nil,
		"chmod -R 0 /":   {"root"},
		"chmod 755 /usr": nil,
	} {
		t.Run(line, func(t *testing.T) {
			require.Equal(t, want, touched(t, env, plan.Call{Tool: "Bash", Args: plan.Obj([]string{"command"}, plan.Str(line))}))
		})
	}
}

func TestTouchedByTools(t *testing.T) {
	env := plan.Env{Cwd: "/srv/app", Home: "/home/dev"}
	edit := func(file, before, after string) plan.Call {
		return plan.Call{Tool: "Edit", Args: plan.Obj([]string{"file_path", "old_string", "new_string"}, plan.Str(file), plan.Str(before), plan.Str(after))}
	}
	require.Equal(t, []string{"notes"}, touched(t, env, edit("/srv/app/docs/AGENTS.md", "a", "b")))
	require.Equal(t, []string{"settings"}, touched(t, env, edit("~/.agent/settings.json", "a", "b")))
	require.Empty(t, touched(t, env, edit("/srv/app/docs/agents.html", "a", "b")))
	read := edit("/srv/app/AGENTS.md", "", "")
	read.Tool = "Read"
	require.Empty(t, touched(t, env, read))
	other := plan.Call{Tool: "unheard_of", Args: plan.Obj([]string{"path"}, plan.Str("/srv/app/.agent/settings.json"))}
	require.Equal(t, []string{"settings"}, touched(t, env, other), "a tool that nobody described may write")
}

// TestFolderAboveProtected: where a folder only holds a protected place, the reason
// names that.
func TestFolderAboveProtected(t *testing.T) {
	u, err := taint.NewUniverse()
	require.NoError(t, err)
	reg, _ := tool.NewRegistry(tool.Config{Universe: u, Contracts: clientTools()})
	for line, want := range map[string]string{
		"rm -rf .github":           `it changes "/srv/app/.github", and "**/.github/workflows/**" in it is protected (ci)`,
		"rm .github/workflows/a.y": `it changes "/srv/app/.github/workflows/a.y", which is protected (ci)`,
	} {
		p := &plan.Plan{Env: plan.Env{Cwd: "/srv/app"}, Calls: []plan.Call{{Tool: "Bash", Args: plan.Obj([]string{"command"}, plan.Str(line))}}}
		calls := reg.Resolve(p)
		got := (&rules.Table{}).Decide(&rules.Input{Call: &p.Calls[0], Resolved: &calls[0], Asker: true,
			Protected: places(t).Touched(&p.Calls[0], &calls[0])})
		require.Equal(t, gate.Ask, got.Decision)
		require.Equal(t, want, got.Why)
	}
}

func TestProtectedDenies(t *testing.T) {
	table, problems := rules.Compile([]rules.Rule{
		{Decision: gate.Allow, Tool: "Bash(rm:*)", Permission: true},
		{Decision: gate.Allow, Command: "rm *", Accepts: []string{"protected:root"}, Reason: "test"},
	}, rules.Settings{UnknownTool: gate.Ask})
	require.Empty(t, problems)
	p := &plan.Plan{Calls: []plan.Call{{Tool: "Bash", Args: plan.Obj([]string{"command"}, plan.Str("rm -rf /"))}}}
	u, err := taint.NewUniverse()
	require.NoError(t, err)
	reg, _ := tool.NewRegistry(tool.Config{Universe: u, Contracts: clientTools()})
	calls := reg.Resolve(p)
	in := &rules.Input{Call: &p.Calls[0], Resolved: &calls[0], Asker: true,
		Protected: []rules.Protection{{Name: "other", Deny: true, Path: "/"}}}
	got := table.Decide(in)
	require.Equal(t, gate.Deny, got.Decision)
	require.Equal(t, "protected:other", got.Rule)
	in.Protected[0].Name = "root"
	require.Equal(t, gate.Allow, table.Decide(in).Decision, "accepted by name")
}

func TestAskReads(t *testing.T) {
	for set, want := range map[bool]gate.Decision{false: gate.Allow, true: gate.Ask} {
		table, problems := rules.Compile([]rules.Rule{{Decision: gate.Allow, Tool: "Bash(git commit:*)", Permission: true}},
			rules.Settings{UnknownTool: gate.Ask, AskReads: set})
		require.Empty(t, problems)
		require.Equal(t, want, decideLine(t, table, "lsblk"))
		require.Equal(t, gate.Allow, decideLine(t, table, "git commit -m \"$(cat <<'EOF'\ntext\nEOF\n)\""), "text is not a command that reads")
	}
}

func decideLine(t *testing.T, table *rules.Table, line string) gate.Decision {
	t.Helper()
	p := &plan.Plan{Env: plan.Env{Cwd: "/srv/app"}, Calls: []plan.Call{{Tool: "Bash", Args: plan.Obj([]string{"command"}, plan.Str(line))}}}
	u, err := taint.NewUniverse()
	require.NoError(t, err)
	reg, _ := tool.NewRegistry(tool.Config{Universe: u, Contracts: clientTools()})
	calls := reg.Resolve(p)
	return table.Decide(&rules.Input{Call: &p.Calls[0], Resolved: &calls[0], Asker: true}).Decision
}

func TestCompilePlacesProblems(t *testing.T) {
	_, problems := rules.CompilePlaces([]rules.Place{{Name: "x", Paths: []string{"a[", ""}, Content: "nothing"}})
	require.Len(t, problems, 3)
	var none *rules.Places
	require.Empty(t, none.Touched(nil, nil))
}
