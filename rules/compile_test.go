package rules_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/rules"
	"github.com/planlint/planlint/tool"
)

func TestCompileProblems(t *testing.T) {
	at := tool.Origin{File: "planlint.yaml", Line: 7, Column: 5}
	allow := func(r rules.Rule) rules.Rule { r.Decision = gate.Allow; return r }
	tests := []struct {
		rule  rules.Rule
		field string
		want  string
	}{
		{rules.Rule{}, "", "rule has an empty matcher"},
		{rules.Rule{Access: tool.Read}, "", "rule has an empty matcher"},
		{rules.Rule{Tool: " edit"}, "tool", `tool " edit" matches nothing`},
		{rules.Rule{Tool: "Bash(ls)"}, "tool", `tool "Bash(ls)" matches nothing: a tool's name has no brackets`},
		{rules.Rule{Path: "src/[a"}, "path", `path pattern "src/[a": "[a" is not a pattern`},
		{rules.Rule{Path: "!src"}, "path", `negation is not supported`},
		{rules.Rule{Tool: "e", Access: tool.Write}, "access", "access needs a path"},
		{rules.Rule{Command: "  "}, "command", `begins or ends with a blank`},
		{rules.Rule{Command: ":*"}, "command", `empty command`},
		{rules.Rule{Command: "cd x && make"}, "command", `a line is split at &&`},
		{rules.Rule{Command: "a * b * c * d * e"}, "command", `too many lone *`},
		{rules.Rule{Host: "https://x.example"}, "host", `a host stands without scheme`},
		{rules.Rule{Host: "me@x.example"}, "host", `a host stands without scheme`},
		{rules.Rule{Tool: "mcp__git__log", Server: "github"}, "server", `tool "mcp__git__log" is not one of server "github"`},
		{allow(rules.Rule{Tool: "e", Accepts: []string{"PL1001"}}), "reason", "accepts needs a reason"},
		{rules.Rule{Tool: "e", Accepts: []string{"PL1001"}, Reason: "r"}, "accepts", "only an allow accepts"},
		{allow(rules.Rule{Tool: "e", Accepts: []string{"PL10011"}, Reason: "r"}), "accepts", `unknown id "PL10011"`},
		{allow(rules.Rule{Tool: "e", Accepts: []string{"irreversble"}, Reason: "r"}), "accepts", `unknown id "irreversble"`},
		{allow(rules.Rule{Tool: "e", Accepts: []string{"protected:"}, Reason: "r"}), "accepts", `unknown id "protected:"`},
		{allow(rules.Rule{Tool: "e", Accepts: []string{"PL1001"}, Reason: "r", Builtin: true}), "accepts", "a built-in rule accepts nothing"},
		{allow(rules.Rule{Tool: "e", Restrict: true}), "decision", "may not allow"},
		{rules.Rule{Tool: "Read()", Permission: true}, "tool", "empty pattern"},
		{rules.Rule{Tool: "Read(x", Permission: true}, "tool", "not well formed"},
		{rules.Rule{Tool: "(x)", Permission: true}, "tool", "not well formed"},
		{rules.Rule{Tool: "WebFetch(x.example)", Permission: true}, "tool", "names no domain"},
		{rules.Rule{Tool: "", Permission: true}, "", "empty matcher"},
	}
	for _, tt := range tests {
		tt.rule.Pos = at
		table, problems := rules.Compile([]rules.Rule{tt.rule, {Decision: gate.Deny, Tool: "x"}}, rules.Settings{})
		require.NotEmpty(t, problems, "%+v", tt.rule)
		require.Contains(t, problems[0].Message, tt.want)
		require.Equal(t, tt.field, problems[0].Field)
		require.True(t, strings.HasPrefix(problems[0].Error(), "planlint.yaml:7:5: "), problems[0].Error())
		require.Equal(t, 1, table.Len(), "a broken rule does not turn off others")
	}
}

func TestCompileReportsAllProblems(t *testing.T) {
	_, problems := rules.Compile([]rules.Rule{{}, {Path: "["}, {Tool: "ok"}, {Command: ":*"}}, rules.Settings{UnknownTool: gate.Allow})
	require.Len(t, problems, 4)
	require.Equal(t, "unknown_tool", problems[0].Field)
}

func TestCompileKnownIDs(t *testing.T) {
	r := rules.Rule{Decision: gate.Allow, Tool: "e", Reason: "r", Accepts: []string{"PL1001"}}
	_, problems := rules.Compile([]rules.Rule{r}, rules.Settings{Known: []string{"ACME-1"}})
	require.Len(t, problems, 1)
	r.Accepts = []string{"ACME-1", "compensating"}
	_, problems = rules.Compile([]rules.Rule{r}, rules.Settings{Known: []string{"ACME-1"}})
	require.Empty(t, problems)
}

func TestSuggest(t *testing.T) {
	tests := []struct {
		name string
		in   *rules.Input
		list list
		want string
	}{
		{"tool", call("act"), nil, `{decision: allow, tool: "act"}`},
		{"path", call("edit", write("/srv/app/src/a.go")), nil, `{decision: allow, tool: "edit", path: "./src/a.go"}`},
		{"path outside", call("edit", write("/tmp/a")), nil, `{decision: allow, tool: "edit", path: "//tmp/a"}`},
		{"command", line(cmd("go", "test", "./...")), nil, `{decision: allow, tool: "Bash", command: "go test ./..."}`},
		{"blank in a word", line(cmd("git", "commit", "-m", "a b")), nil, `{decision: allow, tool: "Bash", command: "git commit -m 'a b'"}`},
		{"quotes in a word", line(cmd("say", "it's", `"x"`, "")), nil, `{decision: allow, tool: "Bash", command: "say \"it's\" '\"x\"' ''"}`},
		{"both quotes in a word", line(cmd("say", `it's "x"`)), nil, ""},
		{"a line break in a word", line(cmd("say", "a\nb")), nil, ""},
		{"a tool of a server", func() *rules.Input {
			in := call("mcp__hub__post")
			in.Resolved.Class = gate.IrreversiblePublic
			return in
		}(), nil, `{decision: allow, tool: "mcp__hub__post"}`},
		{"recipients that are not all known", func() *rules.Input {
			in := mail("a@corp.example")
			in.Resolved.RecipientsOpen = true
			return in
		}(), nil, ""},
		{"a guessed path", call("edit", tool.PathUse{Path: "/srv/app/a", Access: tool.Write, Known: true, Guess: true, Command: -1}), nil, ""},
		{"only what asks", line(look("ls"), cmd("make"), cmd("rm", "x")), list{perm(gate.Allow, "Bash(make)")}, `{decision: allow, tool: "Bash", command: "rm x"}`},
		{"two", line(cmd("make"), cmd("rm", "x")), nil, `{decision: allow, tool: "Bash", command: "make"}, {decision: allow, tool: "Bash", command: "rm x"}`},
		{"wildcard in the command", line(cmd("rm", "*.o")), nil, ""},
		{"recipients", mail("a@corp.example", "b@corp.example"), nil,
			`{decision: allow, tool: "send_email", when: "call.recipients.all(r, r in ['a@corp.example', 'b@corp.example'])"}`},
		{"recipient with a quote", mail("a'@corp.example"), nil, ""},
		{"public without a name", func() *rules.Input { in := call("post"); in.Resolved.Class = gate.IrreversiblePublic; return in }(), nil, ""},
		{"authority", func() *rules.Input {
			in := call("grant", write("/srv/app/x"))
			in.Resolved.Class = gate.AuthorityModifying
			return in
		}(), nil, ""},
		{"unknown path", call("edit", tool.PathUse{Access: tool.Write}), nil, ""},
		{"a rule that asks", call("act"), list{rule(gate.Ask, rules.Rule{Tool: "act"})}, ""},
		{"denied", call("act"), list{rule(gate.Deny, rules.Rule{Tool: "act"})}, ""},
		{"escalated", func() *rules.Input {
			in := call("act")
			in.Escalations = []rules.Escalation{{Rule: "PL1001", Decision: gate.Ask, Requirements: gate.Requirements{Approvals: 1}}}
			return in
		}(), nil, ""},
		{"hostile name", call("act\u202e\x1b[31m\""), nil, `{decision: allow, tool: "act\u202e\x1b[31m\""}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := compile(t, rules.Settings{UnknownTool: gate.Ask}, tt.list...).Decide(tt.in)
			require.Equal(t, tt.want, got.Suggest)
		})
	}
}

func mail(to ...string) *rules.Input {
	in := call("send_email")
	in.Resolved.Class, in.Resolved.Extend().Recipients = gate.IrreversiblePublic, to
	return in
}

// TestSuggestionAnswers adds the suggested rule and expects no further ask.
func TestSuggestionAnswers(t *testing.T) {
	ins := []*rules.Input{
		call("act"), call("edit", write("/srv/app/src/a.go")), call("edit", write("/tmp/a"), read("/srv/app/b")),
		line(cmd("go", "test", "./..."), look("ls")), line(cmd("git", "commit", "-m", "a"), cmd("make")),
	}
	for _, in := range ins {
		got := compile(t, rules.Settings{UnknownTool: gate.Ask}).Decide(in)
		require.Equal(t, gate.Ask, got.Decision)
		var added list
		for _, one := range strings.Split(strings.Trim(got.Suggest, "{}"), "}, {") {
			added = append(added, parseFlow(t, one))
		}
		after := compile(t, rules.Settings{UnknownTool: gate.Ask}, added...).Decide(in)
		require.Equal(t, gate.Allow, after.Decision, got.Suggest)
	}
}

func parseFlow(t *testing.T, text string) rules.Rule {
	r := rules.Rule{Name: "suggested"}
	for _, field := range strings.Split(text, `", `) {
		for _, part := range strings.Split(field, "allow, ") {
			key, value, _ := strings.Cut(part, ": ")
			value = strings.Trim(value, `"`)
			switch key {
			case "decision":
				r.Decision = gate.Allow
			case "tool":
				r.Tool = value
			case "path":
				r.Path = value
			case "command":
				r.Command = value
			default:
				t.Fatalf("unexpected key in %q", text)
			}
		}
	}
	r.Decision = gate.Allow
	return r
}

func TestTrace(t *testing.T) {
	in := call("edit", write("/srv/app/src/a"))
	in.Explain = true
	in.Escalations = []rules.Escalation{{Rule: "PL1001", Decision: gate.Ask, Requirements: gate.Requirements{Approvals: 1}}}
	got := compile(t, rules.Settings{}, rule(gate.Allow, rules.Rule{Path: "src/**", Name: "p.yaml:3"})).Decide(in)
	require.Equal(t, []string{
		"1 shape: in order",
		"2 ceiling: none",
		"3 mode: default",
		"4 escalation: PL1001 (none) adds 1 approval",
		`5 rules: allow by p.yaml:3 for path "/srv/app/src/a"`,
		"9 asker: somebody can be asked",
	}, got.Trace)
	require.Equal(t, "PL1001", got.Rule)
}

func TestReasonsHaveThreeParts(t *testing.T) {
	for _, s := range []rules.Settings{{}, {Mode: rules.ModeReadOnly}, {Unmatched: rules.UnmatchedDeny}, {Ceiling: gate.ReversibleInternal}} {
		for class := gate.ClassUnset; class <= gate.AuthorityModifying; class++ {
			for _, asker := range []bool{true, false} {
				in := edit(class, nil)
				in.Asker = asker
				got := compile(t, s).Decide(in)
				if got.Decision != gate.Allow {
					require.NotEmpty(t, got.Why, "%v %v", s, class)
					require.NotEmpty(t, got.Instead, "%v %v", s, class)
				}
				require.NotEmpty(t, got.Rule, "%v %v", s, class)
			}
		}
	}
}

func FuzzCompile(f *testing.F) {
	for _, s := range []string{"src/**", "//etc/*", "~/x", "/a", "[", "@outside", "go test*", "git * main", "a:*", "'q", "mcp__a__*", "Bash(x)", "Read(./**)", "*"} {
		f.Add(s, "/srv/app/src/a", "go test x")
	}
	f.Fuzz(func(t *testing.T, text, path, command string) {
		for i, r := range []rules.Rule{{Path: text}, {Command: text}, {Host: text}, {Tool: text}, {Server: text}, {Tool: text, Permission: true}} {
			for _, d := range []gate.Decision{gate.Deny, gate.Allow} {
				r.Decision = d
				table, problems := rules.Compile([]rules.Rule{r}, rules.Settings{})
				require.Equal(t, len(problems) == 0, table.Len() == 1, "%d", i)
				in := line(cmd(append([]string{"x"}, strings.Fields(command)...)...))
				in.Resolved.Paths = []tool.PathUse{{Path: path, Access: tool.Write, Known: true, Command: 0, Redirect: true}}
				in.Resolved.Extend().Hosts = []string{path}
				a, b := table.Decide(in), table.Decide(in)
				require.Equal(t, fmt.Sprint(a), fmt.Sprint(b))
			}
		}
	})
}
