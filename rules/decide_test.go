package rules_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/rules"
	"github.com/planlint/planlint/taint"
	"github.com/planlint/planlint/tool"
)

var env = &plan.Env{Cwd: "/srv/app", Home: "/home/dev"}

func rule(d gate.Decision, r rules.Rule) rules.Rule {
	r.Decision = d
	if r.Name == "" {
		r.Name = d.String()
	}
	return r
}

// perm is one entry of a permissions list.
func perm(d gate.Decision, text string) rules.Rule {
	return rules.Rule{Decision: d, Tool: text, Permission: true, Name: d.String() + " " + text}
}

// call is a described tool of class compensating.
func call(name string, paths ...tool.PathUse) *rules.Input {
	for i := range paths {
		if paths[i].Path != "" {
			paths[i].Known = true
		}
		paths[i].Command = -1
	}
	return &rules.Input{
		Call: &plan.Call{Tool: name}, Env: env, Asker: true,
		Resolved: &tool.Resolved{Contract: &tool.Contract{Name: name}, Class: gate.Compensating, Paths: paths},
	}
}

func write(path string) tool.PathUse { return tool.PathUse{Path: path, Access: tool.Write} }
func read(path string) tool.PathUse  { return tool.PathUse{Path: path, Access: tool.Read} }

func reads(in *rules.Input) *rules.Input { in.Resolved.ReadOnly = true; return in }

// line is a call of the shell tool with the given simple commands.
func line(commands ...tool.CommandUse) *rules.Input {
	in := call("Bash")
	in.Resolved.Extend().Commands = commands
	in.Resolved.ReadOnly = true
	for _, c := range commands {
		in.Resolved.ReadOnly = in.Resolved.ReadOnly && c.ReadOnly
		in.Resolved.Class = max(in.Resolved.Class, c.Class)
	}
	return in
}

func cmd(words ...string) tool.CommandUse {
	return tool.CommandUse{Program: words[0], Words: words, Class: gate.Compensating, Known: true}
}

func look(words ...string) tool.CommandUse {
	c := cmd(words...)
	c.ReadOnly, c.Class = true, gate.ReversibleInternal
	return c
}

type list = []rules.Rule

func TestRulesOnPathsAndTools(t *testing.T) {
	tests := []struct {
		name  string
		rules list
		in    *rules.Input
		want  string
	}{
		{"allow covers its path", list{rule(gate.Allow, rules.Rule{Path: "src/**"})}, call("edit", write("/srv/app/src/a.go")), "allow"},
		{"allow does not cover a sibling", list{rule(gate.Allow, rules.Rule{Path: "src/**"})}, call("edit", write("/srv/app/src2/a.go")), "ask 1p"},
		{"allow needs every path", list{rule(gate.Allow, rules.Rule{Path: "src/**"})}, call("move", write("/srv/app/src/a"), write("/srv/app/b")), "ask 1p"},
		{"two allows cover two paths", list{rule(gate.Allow, rules.Rule{Path: "src/**"}), rule(gate.Allow, rules.Rule{Path: "b"})},
			call("move", write("/srv/app/src/a"), write("/srv/app/b")), "allow"},
		{"one denied path denies", list{rule(gate.Allow, rules.Rule{Tool: "*"}), rule(gate.Deny, rules.Rule{Path: "test/**"})},
			call("move", write("/srv/app/src/a"), write("/srv/app/test/b")), "deny"},
		{"allow does not follow a link out", list{rule(gate.Allow, rules.Rule{Path: "src/**"})},
			call("edit", tool.PathUse{Path: "/srv/app/src/l", Access: tool.Write, Links: []string{"/etc/passwd"}}), "ask 1p"},
		{"deny follows a link", list{rule(gate.Allow, rules.Rule{Tool: "*"}), rule(gate.Deny, rules.Rule{Path: "//etc/**"})},
			call("edit", tool.PathUse{Path: "/srv/app/src/l", Access: tool.Write, Links: []string{"/etc/passwd"}}), "deny"},
		{"an unknown path is not covered", list{rule(gate.Allow, rules.Rule{Path: "src/**"})}, call("edit", tool.PathUse{Access: tool.Write}), "ask 1p"},
		{"an unknown path may be a denied one", list{rule(gate.Deny, rules.Rule{Path: "**/.env"})}, reads(call("read", tool.PathUse{Access: tool.Read})), "ask 1p"},
		{"an unknown path elsewhere may not", list{rule(gate.Deny, rules.Rule{Path: "secrets/**"})},
			reads(call("read", tool.PathUse{Path: "/srv/app/docs/" + tool.Hole + ".md", Access: tool.Read})), "allow"},
		{"a guessed path grants nothing", list{rule(gate.Allow, rules.Rule{Path: "src/**"})},
			call("edit", tool.PathUse{Path: "/srv/app/src/a", Access: tool.Write, Guess: true}), "ask 1p"},
		{"a tree above a denied path asks", list{rule(gate.Deny, rules.Rule{Path: "docs/private/**"})},
			reads(call("grep", tool.PathUse{Path: "/srv/app", Access: tool.Read, Tree: true})), "ask 1p"},
		{"a tree below a denied path is denied", list{rule(gate.Deny, rules.Rule{Path: "docs/private/**"})},
			reads(call("grep", tool.PathUse{Path: "/srv/app/docs/private/x", Access: tool.Read, Tree: true})), "deny"},
		{"a tree elsewhere is not", list{rule(gate.Deny, rules.Rule{Path: "docs/private/**"})},
			reads(call("grep", tool.PathUse{Path: "/srv/app/docs/public", Access: tool.Read, Tree: true})), "allow"},
		{"a named folder covers what is below", list{rule(gate.Allow, rules.Rule{Path: "docs"})},
			call("rm", tool.PathUse{Path: "/srv/app/docs", Access: tool.Delete, Tree: true}), "allow"},
		{"a folder pattern covers a tree", list{rule(gate.Allow, rules.Rule{Path: "docs/"})},
			call("rm", tool.PathUse{Path: "/srv/app/docs", Access: tool.Delete, Tree: true}), "allow"},
		{"access limits an allow", list{rule(gate.Allow, rules.Rule{Path: "src/**", Access: tool.Read})}, call("edit", write("/srv/app/src/a")), "ask 1p"},
		{"access limits a deny", list{rule(gate.Allow, rules.Rule{Tool: "*"}), rule(gate.Deny, rules.Rule{Path: "src/**", Access: tool.Write})},
			reads(call("read", read("/srv/app/src/a"))), "allow"},
		{"a write grant does not run a file", list{rule(gate.Allow, rules.Rule{Path: "src/**", Access: tool.Write})},
			call("run", tool.PathUse{Path: "/srv/app/src/a", Access: tool.Execute}), "ask 1p"},
		{"outside", list{rule(gate.Ask, rules.Rule{Path: "@outside"})}, reads(call("read", read("/etc/hosts"))), "ask 1p"},
		{"inside is not outside", list{rule(gate.Ask, rules.Rule{Path: "@outside"})}, reads(call("read", read("/srv/app/x"))), "allow"},
		{"raw identity for allows", list{rule(gate.Allow, rules.Rule{Tool: "send_mail"})}, call("Send-Mail"), "ask 1p"},
		{"every spelling for denies", list{rule(gate.Allow, rules.Rule{Tool: "*"}), rule(gate.Deny, rules.Rule{Tool: "send_mail"})}, call("Send-Mail"), "deny"},
		{"server prefix for denies", list{rule(gate.Allow, rules.Rule{Tool: "*"}), rule(gate.Deny, rules.Rule{Tool: "send_mail"})}, call("mcp__post__send_mail"), "deny"},
		{"dotted server for denies", list{rule(gate.Allow, rules.Rule{Tool: "*"}), rule(gate.Deny, rules.Rule{Tool: "mcp__post__send_mail"})}, call("post.send_mail"), "deny"},
		{"bare name does not allow a server's tool", list{rule(gate.Allow, rules.Rule{Tool: "send_mail"})},
			&rules.Input{Call: &plan.Call{Tool: "send_mail", Server: "post"}, Env: env, Asker: true,
				Resolved: &tool.Resolved{Contract: &tool.Contract{Name: "mcp__post__send_mail"}, Class: gate.Compensating}}, "ask 1p"},
		{"contract's alias allows", list{rule(gate.Allow, rules.Rule{Tool: "Bash"})},
			&rules.Input{Call: &plan.Call{Tool: "run_shell"}, Env: env, Asker: true,
				Resolved: &tool.Resolved{Contract: &tool.Contract{Name: "run_shell", Aliases: []string{"Bash"}}, Class: gate.Compensating}}, "allow"},
		{"server rule", list{rule(gate.Allow, rules.Rule{Server: "git"})}, call("mcp__git__log"), "allow"},
		{"server is no prefix", list{rule(gate.Allow, rules.Rule{Server: "git"})}, call("mcp__github__log"), "ask 1p"},
		{"agent", list{rule(gate.Allow, rules.Rule{Agent: "builder"})}, agent(call("edit"), "builder"), "allow"},
		{"ancestor", list{rule(gate.Allow, rules.Rule{Tool: "*"}), rule(gate.Deny, rules.Rule{Tool: "edit", Agent: "planner"})}, agent(call("edit"), "builder", "planner", "main"), "deny"},
		{"other agent", list{rule(gate.Allow, rules.Rule{Agent: "builder"})}, call("edit"), "ask 1p"},
		{"malformed", list{rule(gate.Allow, rules.Rule{Tool: "*"})}, malformed(call("edit")), "deny"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := compile(t, rules.Settings{UnknownTool: gate.Ask}, tt.rules...).Decide(tt.in)
			require.Equal(t, tt.want, cell(got), "%+v", got)
		})
	}
}

func agent(in *rules.Input, name string, ancestors ...string) *rules.Input {
	in.Call.Agent, in.AgentPath = name, ancestors
	return in
}

func malformed(in *rules.Input) *rules.Input { in.Malformed = "args is no object"; return in }

func TestCommandLines(t *testing.T) {
	redirect := func(in *rules.Input, path string) *rules.Input {
		in.Resolved.Paths = append(in.Resolved.Paths, tool.PathUse{Path: path, Access: tool.Write, Known: true, Command: 0, Redirect: true})
		in.Resolved.ReadOnly = false
		return in
	}
	operand := func(in *rules.Input, path string) *rules.Input {
		in.Resolved.Paths = append(in.Resolved.Paths, tool.PathUse{Path: path, Access: tool.Read | tool.Write, Known: true, Command: 0})
		return in
	}
	tests := []struct {
		name  string
		rules list
		in    *rules.Input
		want  string
	}{
		{"allow covers", list{perm(gate.Allow, "Bash(make:*)")}, line(cmd("make", "all")), "allow"},
		{"each command needs its own", list{perm(gate.Allow, "Bash(make:*)")}, line(cmd("make", "all"), cmd("cp", "a", "b")), "ask 1p"},
		{"read-only commands need none", list{perm(gate.Allow, "Bash(make:*)")}, line(look("cd", "sub"), cmd("make")), "allow"},
		{"several allows together", list{perm(gate.Allow, "Bash(make:*)"), perm(gate.Allow, "Bash(cp a b)")}, line(cmd("make"), cmd("cp", "a", "b")), "allow"},
		{"one denied command denies", list{perm(gate.Allow, "Bash"), perm(gate.Deny, "Bash(rm:*)")}, line(cmd("make"), cmd("rm", "-r", "x")), "deny"},
		{"deny by base name", list{perm(gate.Allow, "Bash"), perm(gate.Deny, "Bash(rm:*)")}, line(cmd("/bin/rm", "x")), "deny"},
		{"allow not by base name", list{perm(gate.Allow, "Bash(cp:*)")}, line(cmd("./cp", "a", "b")), "ask 1p"},
		{"deny beats an exact allow", list{perm(gate.Deny, "Bash(aws:*)"), perm(gate.Allow, "Bash(aws s3 ls)")}, line(look("aws", "s3", "ls")), "deny"},
		{"a command of any tool", list{perm(gate.Allow, "helper"), perm(gate.Deny, "Bash(rm:*)")}, named(line(cmd("rm", "x")), "helper"), "deny"},
		{"an allow is for the shell tool", list{perm(gate.Allow, "Bash(rm:*)")}, named(line(cmd("rm", "x")), "helper"), "ask 1p"},
		{"redirect needs an edit allow", list{perm(gate.Allow, "Bash(make:*)")}, redirect(line(cmd("make")), "/srv/app/out"), "ask 1p"},
		{"redirect with one", list{perm(gate.Allow, "Bash(make:*)"), perm(gate.Allow, "Edit(out)")}, redirect(line(cmd("make")), "/srv/app/out"), "allow"},
		{"redirect of a read-only command", list{}, redirect(line(look("echo", "x")), "/srv/app/out"), "ask 1p"},
		{"edit deny covers a redirect", list{perm(gate.Allow, "Bash"), perm(gate.Deny, "Edit(out)")}, redirect(line(look("echo", "x")), "/srv/app/out"), "deny"},
		{"operands are covered by the command", list{perm(gate.Allow, "Bash(cp:*)")}, operand(line(cmd("cp", "a")), "/srv/app/a"), "allow"},
		{"unless a path rule says no", list{perm(gate.Allow, "Bash(cp:*)"), perm(gate.Deny, "Read(a)")}, operand(line(cmd("cp", "a")), "/srv/app/a"), "deny"},
		{"a path allow covers no command", list{perm(gate.Allow, "Edit(**)")}, operand(line(cmd("cp", "a")), "/srv/app/a"), "ask 1p"},
		{"unknown program", nil, line(tool.CommandUse{Program: "zap", Words: []string{"zap"}}), "ask 1p"},
		{"unknown program that is named", list{perm(gate.Allow, "Bash(zap:*)")}, line(tool.CommandUse{Program: "zap", Words: []string{"zap"}}), "allow"},
		{"unsplit text may hold a denied command", list{perm(gate.Allow, "Bash"), perm(gate.Deny, "Bash(rm:*)")}, unsplit(call("Bash")), "ask 1p"},
		{"a line that does more than its parts", nil, notReadOnly(line(look("ls"))), "ask 1p"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := compile(t, rules.Settings{UnknownTool: gate.Ask}, tt.rules...).Decide(tt.in)
			require.Equal(t, tt.want, cell(got), "%+v", got)
		})
	}
}

func named(in *rules.Input, name string) *rules.Input {
	in.Call.Tool, in.Resolved.Contract = name, &tool.Contract{Name: name}
	return in
}

func unsplit(in *rules.Input) *rules.Input {
	in.Resolved.Facts = &taint.Facts{Slots: []taint.Slot{{Tag: uint8(tool.Command)}}}
	return in
}

func notReadOnly(in *rules.Input) *rules.Input { in.Resolved.ReadOnly = false; return in }

func TestPermissions(t *testing.T) {
	contact := func(name string, hosts ...string) *rules.Input {
		in := call(name)
		in.Resolved.Extend().Hosts = hosts
		return in
	}
	sub := func(kind string) *rules.Input { in := call("Agent"); in.Resolved.Extend().Agent = kind; return in }
	tests := []struct {
		name  string
		rules list
		in    *rules.Input
		want  string
	}{
		{"read of any tool", list{perm(gate.Deny, "Read(./.env)")}, reads(call("cat_tool", read("/srv/app/.env"))), "deny"},
		{"only below the folder", list{perm(gate.Deny, "Read(./.env)")}, reads(call("cat_tool", read("/srv/app/sub/.env"))), "allow"},
		{"name at any depth", list{perm(gate.Deny, "Read(.env)")}, reads(call("cat_tool", read("/srv/app/sub/.env"))), "deny"},
		{"home", list{perm(gate.Deny, "Read(~/.ssh/**)")}, reads(call("r", read("/home/dev/.ssh/id"))), "deny"},
		{"absolute", list{perm(gate.Deny, "Read(//etc/**)")}, reads(call("r", read("/etc/x"))), "deny"},
		{"one slash denies both readings", list{perm(gate.Deny, "Glob(/data/private/**)")}, reads(call("Glob", read("/data/private"))), "deny"},
		{"one slash allows only the project's", list{perm(gate.Allow, "Edit(/etc/**)")}, call("e", write("/etc/x")), "ask 1p"},
		{"one slash in the project's folder", list{perm(gate.Allow, "Edit(/srv/app/**)")}, call("e", write("/srv/app/x")), "allow"},
		{"edit covers deletes", list{perm(gate.Deny, "Edit(x)")}, call("rm", tool.PathUse{Path: "/srv/app/x", Access: tool.Delete}), "deny"},
		{"host", list{perm(gate.Allow, "WebFetch(domain:docs.example)")}, contact("WebFetch", "docs.example"), "allow"},
		{"host prefix", list{perm(gate.Allow, "WebFetch(domain:docs.example)")}, contact("WebFetch", "docs.example.evil.example"), "ask 1p"},
		{"look-alike", list{perm(gate.Allow, "WebFetch(domain:*)")}, contact("WebFetch", "\u0430pple.example"), "ask 1p"},
		{"every host", list{perm(gate.Allow, "WebFetch(domain:*)")}, contact("WebFetch", "x.example"), "allow"},
		{"host of any tool", list{perm(gate.Deny, "WebFetch(domain:paste.example)")}, contact("curl", "PASTE.example."), "deny"},
		{"one host of two", list{perm(gate.Allow, "WebFetch(domain:a.example)")}, contact("WebFetch", "a.example", "b.example"), "ask 1p"},
		{"server", list{perm(gate.Allow, "mcp__files")}, call("mcp__files__list"), "allow"},
		{"server with star", list{perm(gate.Allow, "mcp__files__*")}, call("mcp__files__list"), "allow"},
		{"other server", list{perm(gate.Allow, "mcp__files__*")}, call("mcp__files_two__list"), "ask 1p"},
		{"dot and underscore stay apart", list{perm(gate.Allow, "mcp__a.b__*")}, call("mcp__a_b__drop"), "ask 1p"},
		{"all servers", list{perm(gate.Deny, "mcp__*")}, reads(call("mcp__files__list")), "deny"},
		{"trailing underscore", list{perm(gate.Allow, "mcp__acme___status")}, call("mcp__acme___status"), "allow"},
		{"sub-agent", list{perm(gate.Allow, "Agent(explorer)")}, sub("explorer"), "allow"},
		{"other sub-agent", list{perm(gate.Allow, "Agent(explorer)")}, sub("builder"), "ask 1p"},
		{"denied sub-agent", list{perm(gate.Allow, "Agent"), perm(gate.Deny, "Agent(Builder)")}, sub("builder"), "deny"},
		{"ask before allow", list{perm(gate.Allow, "e"), perm(gate.Ask, "Edit(x)")}, call("e", write("/srv/app/x")), "ask 1p"},
		{"stricter of rules and permissions", list{perm(gate.Allow, "e"), rule(gate.Ask, rules.Rule{Tool: "e"})}, call("e"), "ask 1p"},
		{"permission deny over a rule's allow", list{perm(gate.Deny, "Edit(**)"), rule(gate.Allow, rules.Rule{Tool: "e", Path: "x"})}, call("e", write("/srv/app/x")), "deny"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := compile(t, rules.Settings{UnknownTool: gate.Ask}, tt.rules...).Decide(tt.in)
			require.Equal(t, tt.want, cell(got), "%+v", got)
		})
	}
}

func TestResolution(t *testing.T) {
	file := call("edit", write("/srv/app/src/gen/a.go"))
	denySrc := rule(gate.Deny, rules.Rule{Tool: "edit", Path: "src/**"})
	allowGen := rule(gate.Allow, rules.Rule{Tool: "edit", Path: "src/gen/**"})
	allowExact := rule(gate.Allow, rules.Rule{Path: "src/gen/a.go"})
	tests := []struct {
		name  string
		way   rules.Resolution
		rules list
		want  string
	}{
		{"longer prefix wins", rules.MostSpecific, list{denySrc, allowGen}, "allow"},
		{"whatever the order", rules.MostSpecific, list{allowGen, denySrc}, "allow"},
		{"tool and pattern beat an exact path", rules.MostSpecific, list{denySrc, allowExact}, "deny"},
		{"exact path beats a pattern", rules.MostSpecific, list{rule(gate.Deny, rules.Rule{Path: "src/**"}), allowExact}, "allow"},
		{"stricter on a tie", rules.MostSpecific, list{allowGen, rule(gate.Deny, rules.Rule{Tool: "edit", Path: "src/gen/**"})}, "deny"},
		{"condition is more specific", rules.MostSpecific, list{denySrc, rule(gate.Allow, rules.Rule{Tool: "edit", Path: "src/**", When: 1})}, "allow"},
		{"deny overrides", rules.DenyOverrides, list{denySrc, allowGen}, "deny"},
		{"exact beats wildcard below a deny", rules.DenyOverrides, list{rule(gate.Ask, rules.Rule{Path: "src/**"}), allowExact}, "allow"},
		{"an agent counts as a condition", rules.MostSpecific, list{denySrc, rule(gate.Allow, rules.Rule{Tool: "edit", Path: "src/**", Agent: "main"})}, "allow"},
		{"untrusted deny over any allow", rules.MostSpecific, list{allowGen, {Decision: gate.Deny, Tool: "*", Restrict: true}}, "deny"},
		{"untrusted ask over allow", rules.MostSpecific, list{allowGen, {Decision: gate.Ask, Tool: "*", Restrict: true}}, "ask 1p"},
		{"untrusted ask does not lift a deny", rules.MostSpecific, list{denySrc, {Decision: gate.Ask, Tool: "edit", Path: "src/gen/a.go", Restrict: true}}, "deny"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in := *file
			in.Subject, in.Conditions = &tool.Subject{}, conditions{1: {true, nil}}
			got := compile(t, rules.Settings{UnknownTool: gate.Ask, Resolution: tt.way}, tt.rules...).Decide(&in)
			require.Equal(t, tt.want, cell(got), "%+v", got)
		})
	}
	unmatchedDeny := rules.Settings{Unmatched: rules.UnmatchedDeny}
	got := compile(t, unmatchedDeny, rules.Rule{Decision: gate.Ask, Tool: "*", Restrict: true}).Decide(file)
	require.Equal(t, gate.Deny, got.Decision, "an untrusted ask does not lift unmatched: deny")
}

type answer struct {
	holds bool
	err   error
}

type conditions map[tool.Cond]answer

func (c conditions) Holds(n tool.Cond, _ *tool.Subject) (bool, error) { return c[n].holds, c[n].err }

func TestConditions(t *testing.T) {
	broken := answer{false, errors.New("cost exceeded")}
	decide := func(d gate.Decision, a answer) rules.Result {
		in := call("edit")
		in.Subject, in.Conditions = &tool.Subject{}, conditions{1: a}
		s := rules.Settings{Unmatched: rules.UnmatchedAllow}
		return compile(t, s, rule(d, rules.Rule{Tool: "edit", When: 1})).Decide(in)
	}
	require.Equal(t, "deny", cell(decide(gate.Deny, answer{true, nil})))
	require.Equal(t, "allow", cell(decide(gate.Deny, answer{false, nil})))
	require.Equal(t, "deny", cell(decide(gate.Deny, broken)), "an error counts as matched")
	require.Equal(t, "ask 1p", cell(decide(gate.Ask, broken)))
	got := decide(gate.Allow, broken)
	require.Equal(t, "ask 1p", cell(got), "an allow that can't be decided does not match, and closes the call")
	require.Equal(t, rules.RuleErrorNote, got.Notes[0].ID)
	require.True(t, got.Notes[0].Closing)
	in := call("edit")
	require.Equal(t, "deny", cell(compile(t, rules.Settings{}, rule(gate.Deny, rules.Rule{Tool: "edit", When: 1})).Decide(in)),
		"without conditions none can be decided")
}

func TestWaivers(t *testing.T) {
	esc := []rules.Escalation{{Rule: "PL1001", Decision: gate.Ask, Precision: taint.Value, Requirements: gate.Requirements{EffectReview: true}}}
	accepts := func(ids ...string) rules.Rule {
		return rule(gate.Allow, rules.Rule{Tool: "edit", Accepts: ids, Reason: "agreed"})
	}
	tests := []struct {
		name  string
		rules list
		set   func(*rules.Input)
		want  string
	}{
		{"class gate without a rule", nil, class(gate.IrreversiblePublic), "ask 1p 30s"},
		{"bare allow waives public", list{rule(gate.Allow, rules.Rule{Tool: "edit"})}, class(gate.IrreversiblePublic), "allow"},
		{"star waives public", list{rule(gate.Allow, rules.Rule{Tool: "*"})}, class(gate.IrreversiblePublic), "allow"},
		{"bare allow keeps authority", list{rule(gate.Allow, rules.Rule{Tool: "edit"})}, class(gate.AuthorityModifying), "ask oob"},
		{"accepting allow waives authority", list{accepts("authority-modifying")}, class(gate.AuthorityModifying), "allow"},
		{"a path of everything names nothing", list{rule(gate.Allow, rules.Rule{Path: "**"})}, class(gate.AuthorityModifying), "ask oob"},
		{"a named path waives authority", list{rule(gate.Allow, rules.Rule{Path: "src/**"})}, class(gate.AuthorityModifying), "allow"},
		{"a host is no such name", list{rule(gate.Allow, rules.Rule{Tool: "edit", Host: "a.example"})},
			func(in *rules.Input) {
				class(gate.AuthorityModifying)(in)
				in.Resolved.Extend().Hosts = []string{"a.example"}
			}, "ask oob"},
		{"built-in allow waives the first three", list{rule(gate.Allow, rules.Rule{Path: "src/**", Builtin: true})}, class(gate.TimeWindowUndoable), "allow"},
		{"and not the last three", list{rule(gate.Allow, rules.Rule{Path: "src/**", Builtin: true})}, class(gate.IrreversibleInternal), "ask er"},
		{"nothing waives an escalation", list{rule(gate.Allow, rules.Rule{Path: "src/**"})}, escalated(esc), "ask er"},
		{"except by its id", list{accepts("PL1001")}, escalated(esc), "allow"},
		{"not by another", list{accepts("PL1002")}, escalated(esc), "ask er"},
		{"protected path asks", list{rule(gate.Allow, rules.Rule{Path: "src/**"})}, protected("ci", false), "ask 1p"},
		{"authority file asks out of band", list{rule(gate.Allow, rules.Rule{Path: "src/**"})}, protected("hooks", true), "ask 1p oob"},
		{"protected by name", list{accepts("protected:ci")}, protected("ci", false), "allow"},
		{"another protected by name", list{accepts("protected:ci")}, protected("hooks", false), "ask 1p"},
		{"nothing waives a closing diagnostic", list{rule(gate.Allow, rules.Rule{Path: "src/**"})},
			func(in *rules.Input) { in.Closing = []plan.Note{{ID: "PL9011", Message: "not readable"}} }, "ask 1p"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in := call("edit", write("/srv/app/src/a"))
			tt.set(in)
			got := compile(t, rules.Settings{Unmatched: rules.UnmatchedClass}, tt.rules...).Decide(in)
			require.Equal(t, tt.want, cell(got), "%+v", got)
		})
	}
	unknown := call("edit", write("/srv/app/src/a"))
	unknown.Resolved.Contract, unknown.Resolved.Class, unknown.Resolved.Unknown = nil, gate.ClassUnset, true
	denies := rules.Settings{UnknownTool: gate.Deny, Unmatched: rules.UnmatchedAllow}
	require.Equal(t, "deny", cell(compile(t, denies).Decide(unknown)))
	require.Equal(t, "deny", cell(compile(t, denies, rule(gate.Allow, rules.Rule{Tool: "edit"})).Decide(unknown)))
	require.Equal(t, "allow", cell(compile(t, denies, rule(gate.Allow, rules.Rule{Path: "src/**"})).Decide(unknown)))
}

func class(c gate.Class) func(*rules.Input) { return func(in *rules.Input) { in.Resolved.Class = c } }

func escalated(list []rules.Escalation) func(*rules.Input) {
	return func(in *rules.Input) { in.Escalations = list }
}

func protected(name string, authority bool) func(*rules.Input) {
	return func(in *rules.Input) { in.Protected = []rules.Protection{{Name: name, Authority: authority}} }
}

func TestApprovals(t *testing.T) {
	grants := func(s rules.Scope) rules.Approvals {
		return func(rules.Query) (rules.Grant, bool) { return rules.Grant{Scope: s}, true }
	}
	esc := func(p taint.Precision) func(*rules.Input) {
		return escalated([]rules.Escalation{{Rule: "PL1001", Decision: gate.Ask, Precision: p, Requirements: gate.Requirements{Approvals: 1}}})
	}
	plain := func(*rules.Input) {}
	tests := []struct {
		name  string
		scope rules.Scope
		set   func(*rules.Input)
		gates func(*gate.Table)
		want  string
	}{
		{"unmatched", rules.Persistent, plain, nil, "allow"},
		{"effect review", rules.Session, class(gate.IrreversibleInternal), nil, "allow"},
		{"never over a cool-down", rules.Task, class(gate.IrreversiblePublic), nil, "ask 1p 30s"},
		{"never over out of band", rules.Task, class(gate.AuthorityModifying), nil, "ask 1p oob"},
		{"never over two approvals", rules.Task, class(gate.IrreversiblePublic), func(g *gate.Table) {
			g.ByClass[gate.IrreversiblePublic] = gate.Requirements{Approvals: 2}
		}, "ask 2p"},
		{"context escalation for the task", rules.Task, esc(taint.Context), nil, "allow"},
		{"and no longer", rules.Session, esc(taint.Context), nil, "ask 1p"},
		{"never over a resource escalation", rules.Task, esc(taint.Resource), nil, "ask 1p"},
		{"never over a value escalation", rules.Once, esc(taint.Value), nil, "ask 1p"},
		{"not over what could not be read", rules.Task, func(in *rules.Input) { in.Closing = []plan.Note{{ID: "PL9011"}} }, nil, "ask 1p"},
		{"protected place", rules.Session, protected("ci", false), nil, "allow"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in := call("edit", write("/srv/app/src/a"))
			table := gate.DefaultTable()
			in.Gates = &table
			if tt.gates != nil {
				tt.gates(in.Gates)
			}
			tt.set(in)
			in.Approvals = grants(tt.scope)
			require.Equal(t, tt.want, cell(compile(t, rules.Settings{}).Decide(in)))
		})
	}
	in := call("edit")
	in.Approvals = grants(rules.Task)
	require.Equal(t, "deny", cell(compile(t, rules.Settings{}, rule(gate.Deny, rules.Rule{Tool: "edit"})).Decide(in)), "never over a deny")
}

func TestAuto(t *testing.T) {
	tests := []struct {
		name string
		set  func(*rules.Input)
		want string
	}{
		{"low class", func(*rules.Input) {}, "allow"},
		{"no lease", func(in *rules.Input) { in.Lease = false }, "ask 1p"},
		{"protected place", protected("ci", false), "ask 1p"},
		{"closing", func(in *rules.Input) { in.Closing = []plan.Note{{ID: "PL9011"}} }, "ask 1p"},
		{"public", class(gate.IrreversiblePublic), "ask 1p 30s"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in := call("act")
			in.Lease = true
			tt.set(in)
			require.Equal(t, tt.want, cell(compile(t, rules.Settings{Mode: rules.ModeAuto}).Decide(in)))
		})
	}
}

func TestNobodyToAsk(t *testing.T) {
	in := call("edit")
	in.Asker = false
	got := compile(t, rules.Settings{}).Decide(in)
	require.Equal(t, gate.Deny, got.Decision)
	require.True(t, got.Gate.None(), "a deny has no gate")
	require.Contains(t, got.Why, "nobody can be asked")
}

func TestCeiling(t *testing.T) {
	s := rules.Settings{Ceiling: gate.TimeWindowUndoable}
	allow := rule(gate.Allow, rules.Rule{Tool: "*"})
	require.Equal(t, "allow", cell(compile(t, s, allow).Decide(call("edit"))))
	high := call("edit")
	high.Resolved.Class = gate.IrreversibleInternal
	got := compile(t, s, allow).Decide(high)
	require.Equal(t, "deny", cell(got))
	require.Equal(t, rules.ByCeiling, got.Rule)
	unknown := call("edit")
	unknown.Resolved.Contract, unknown.Resolved.Class = nil, gate.ClassUnset
	require.Equal(t, "deny", cell(compile(t, s, allow).Decide(unknown)))
}

func TestZeroValuesDeny(t *testing.T) {
	var none *rules.Table
	require.Equal(t, gate.Deny, none.Decide(nil).Decision)
	require.Equal(t, gate.Deny, none.Decide(&rules.Input{}).Decision)
	require.Equal(t, gate.Deny, new(rules.Table).Decide(&rules.Input{Call: &plan.Call{Tool: "x"}, Resolved: &tool.Resolved{}}).Decision)
	require.Equal(t, gate.Deny, rules.Result{}.Decision)
	// The zero gates are the defaults, not the absence of gates.
	in := call("x")
	in.Resolved.Class = gate.IrreversiblePublic
	got := compile(t, rules.Settings{Unmatched: rules.UnmatchedClass}).Decide(in)
	require.Equal(t, 30*time.Second, got.Gate.Cooldown)
}

func TestObligations(t *testing.T) {
	in := call("x")
	in.Resolved.Contract.Compensation = "undo_x"
	got := compile(t, rules.Settings{Unmatched: rules.UnmatchedClass}).Decide(in)
	require.Equal(t, gate.Allow, got.Decision, "obligations only mean allow")
	require.Equal(t, gate.Obligations{Audit: true, Compensation: "undo_x"}, got.Gate.Obligations)
	denied := compile(t, rules.Settings{}, rule(gate.Deny, rules.Rule{Tool: "x"})).Decide(in)
	require.Equal(t, gate.Gate{}, denied.Gate, "a deny has no gate")
}
