package rules_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path"
	"sort"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/rules"
	"github.com/planlint/planlint/taint"
	"github.com/planlint/planlint/tool"
)

// gateCase is one line of ../shared/cases/gate-cases.jsonl (see its README).
type gateCase struct {
	ID, Kind string
	Setup    struct {
		Rules []string
		Tools []json.RawMessage
		Env   struct {
			Cwd, Home string
			Fs        []string
		}
	}
	Plan []struct {
		Tool, Agent string
		Args        map[string]any
	}
	Expected struct{ Decision string }
	Tags     []string
}

// TestGateCases runs the cases that need no labels or contracts of their own.
// What is known to differ, with its reason, is in knownGaps; a case that starts
// to pass must leave the list.
func TestGateCases(t *testing.T) {
	f, err := os.Open("../../shared/cases/gate-cases.jsonl")
	if err != nil {
		t.Skip("shared cases are not there: ", err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	counts := map[string]int{}
	var failed []string
	for lines.Scan() {
		var c gateCase
		require.NoError(t, json.Unmarshal(lines.Bytes(), &c))
		list, s, ok := caseRules(&c)
		if !ok {
			counts["skipped"]++
			continue
		}
		got, why := decideCase(t, &c, list, s)
		fit := got == c.Expected.Decision || c.Expected.Decision == "not-allow" && got != "allow"
		counts["run"]++
		if !fit {
			counts["failed"]++
			failed = append(failed, c.ID)
			t.Logf("%s (%s): want %s, got %s: %s", c.ID, c.Kind, c.Expected.Decision, got, why)
		}
	}
	t.Log(counts)
	sort.Strings(failed)
	require.Equal(t, knownGaps, failed)
}

// caseRules lowers the short form of rules; false where a case needs more.
func caseRules(c *gateCase) (list []rules.Rule, s rules.Settings, ok bool) {
	s = rules.Settings{UnknownTool: gate.Ask}
	if len(c.Setup.Tools) > 0 || c.Kind == "self-authority" && c.Expected.Decision != "allow" {
		return nil, s, false // protected places are an input here, and not at hand
	}
	for _, text := range c.Setup.Rules {
		verb, rest, _ := strings.Cut(text, " ")
		d, err := gate.ParseDecision(verb)
		switch {
		case text == "default allow":
			s.Unmatched = rules.UnmatchedAllow
		case err != nil || rest == "@readonly":
			return nil, s, false
		default:
			rest, agent, _ := strings.Cut(rest, " agent:")
			list = append(list, rules.Rule{Decision: d, Tool: rest, Agent: agent, Permission: true, Name: text})
		}
	}
	return list, s, true
}

func decideCase(t *testing.T, c *gateCase, list []rules.Rule, s rules.Settings) (decision, why string) {
	t.Helper()
	table, problems := rules.Compile(list, s)
	if len(problems) > 0 {
		return "error", problems[0].Message
	}
	p := casePlan(c)
	u, err := taint.NewUniverse()
	require.NoError(t, err)
	reg, bad := tool.NewRegistry(tool.Config{Universe: u, Contracts: clientTools()})
	require.Empty(t, bad)
	calls := reg.Resolve(p)
	worst := gate.Allow
	for i := range calls {
		in := &rules.Input{Call: &p.Calls[i], Resolved: &calls[i], Env: &p.Env, Asker: true}
		if agents := strings.Split(p.Calls[i].Agent, "<"); len(agents) > 1 {
			in.AgentPath = agents
		}
		for _, n := range calls[i].Notes() {
			if n.Closing {
				in.Closing = append(in.Closing, n)
			}
		}
		if got := table.Decide(in); got.Decision < worst {
			worst, why = got.Decision, got.Rule+": "+got.Why
		}
	}
	return worst.String(), why
}

func casePlan(c *gateCase) *plan.Plan {
	p := &plan.Plan{Env: plan.Env{Cwd: c.Setup.Env.Cwd, Home: c.Setup.Env.Home, Links: map[string]string{}}}
	if p.Env.Cwd == "" {
		p.Env.Cwd = "/srv/app"
	}
	if p.Env.Home == "" {
		p.Env.Home = "/home/dev"
	}
	for _, fact := range c.Setup.Env.Fs {
		if link, target, ok := strings.Cut(fact, " -> "); ok {
			if !path.IsAbs(link) {
				link = path.Join(p.Env.Cwd, link)
			}
			p.Env.Links[link] = target
		}
		p.Env.CaseInsensitive = p.Env.CaseInsensitive || fact == "case-insensitive"
		p.Env.PersistentShell = p.Env.PersistentShell || fact == "persistent-shell"
		if head, ok := strings.CutPrefix(fact, "HEAD="); ok {
			p.Env.Head = head
		}
	}
	for i, step := range c.Plan {
		p.Calls = append(p.Calls, plan.Call{Index: i, ID: step.Tool, Tool: step.Tool, Agent: step.Agent, Turn: i, Args: valueOf(step.Args)})
	}
	return p
}

func valueOf(v any) plan.Value {
	switch v := v.(type) {
	case string:
		return plan.Str(v)
	case []any:
		out := plan.Value{Kind: plan.List}
		for _, item := range v {
			out.Items = append(out.Items, valueOf(item))
		}
		return out
	case map[string]any:
		keys := make([]string, 0, len(v))
		for k := range v {
			keys = append(keys, k)
		}
		sort.Strings(keys)
		items := make([]plan.Value, len(keys))
		for i, k := range keys {
			items[i] = valueOf(v[k])
		}
		return plan.Obj(keys, items...)
	case nil:
		return plan.Value{}
	}
	text, _ := json.Marshal(v)
	return plan.Value{Kind: plan.Number, Text: string(text)}
}

// clientTools are the contracts of the tools that the cases call, in short.
func clientTools() []tool.Contract {
	arg := func(name string, role tool.Role, access tool.Access, tree bool) tool.Arg {
		return tool.Arg{Path: plan.Path{{Key: name}}, Role: role, Access: access, Tree: tree}
	}
	file := func(name string, ro bool, a ...tool.Arg) tool.Contract {
		return tool.Contract{Name: name, Class: gate.ReversibleInternal, ReadOnly: ro, Args: a}
	}
	return []tool.Contract{
		{Name: "Bash", Aliases: []string{"bash", "run_shell_command", "PowerShell"}, Class: gate.IrreversibleInternal,
			Args: []tool.Arg{arg("command", tool.Command, 0, false)}},
		file("Read", false, arg("file_path", tool.Path, tool.Read, false)),
		file("Grep", true, arg("path", tool.Path, tool.Read, true)),
		file("Glob", true, arg("path", tool.Path, tool.Read, true)),
		file("Edit", false, arg("file_path", tool.Path, tool.Write, false)),
		file("MultiEdit", false, arg("file_path", tool.Path, tool.Write, false)),
		file("Write", false, arg("file_path", tool.Path, tool.Write, false)),
		file("NotebookEdit", false, arg("notebook_path", tool.Path, tool.Write, false)),
		file("WebFetch", false, arg("url", tool.URL, 0, false)),
		{Name: "Task", Class: gate.ReversibleInternal, Args: []tool.Arg{arg("prompt", tool.Content, 0, false)}},
	}
}

// knownGaps are cases that differ, sorted; none does.
var knownGaps []string
