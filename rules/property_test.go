package rules_test

import (
	"fmt"
	"math/rand"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/rules"
	"github.com/planlint/planlint/taint"
	"github.com/planlint/planlint/tool"
)

// random builds rules and calls over a small vocabulary, so that they meet.
type random struct{ *rand.Rand }

func (r random) pick(words ...string) string { return words[r.Intn(len(words))] }

func (r random) rule() rules.Rule {
	out := rules.Rule{Decision: gate.Decision(r.Intn(3)), Name: fmt.Sprint("r", r.Intn(1000))}
	switch r.Intn(4) {
	case 0:
		out.Tool = r.pick("edit", "act", "*", "Bash", "mcp__a__b", "mcp__*")
	case 1:
		out.Path = r.pick("src/**", "**/.env", "src/a", "@outside", "//etc/**", "**", "*.go")
		out.Access = tool.Access(r.Intn(4))
	case 2:
		out.Tool, out.Path = r.pick("edit", "ed*", "act"), r.pick("src/**", "src/a", "test/")
	case 3:
		out.Command = r.pick("go test*", "rm:*", "rm x", "*", "git * main")
	}
	out.Permission = r.Intn(4) == 0 && out.Path == "" && out.Command == ""
	out.Builtin = r.Intn(6) == 0
	if out.Decision == gate.Allow && !out.Builtin && r.Intn(3) == 0 {
		out.Accepts, out.Reason = []string{r.pick("PL1001", "authority-modifying", "protected:ci")}, "r"
	}
	return out
}

func (r random) input() *rules.Input {
	in := call(r.pick("edit", "act", "mcp__a__b", "Edit"))
	in.Resolved.Class = gate.Class(r.Intn(7))
	in.Resolved.ReadOnly = r.Intn(4) == 0
	if r.Intn(6) == 0 {
		in.Resolved.Contract, in.Resolved.Unknown, in.Resolved.Class, in.Resolved.ReadOnly = nil, true, 0, false
	}
	for n := r.Intn(3); n > 0; n-- {
		in.Resolved.Paths = append(in.Resolved.Paths, tool.PathUse{
			Path:   r.pick("/srv/app/src/a", "/srv/app/.env", "/etc/x", "/srv/app/test/t.go", "/srv/app"),
			Access: tool.Access(1 + r.Intn(7)), Known: r.Intn(5) > 0, Tree: r.Intn(4) == 0, Command: -1,
		})
	}
	if r.Intn(3) == 0 {
		in.Call.Tool, in.Resolved.Contract = "Bash", &tool.Contract{Name: "Bash"}
		for n := 1 + r.Intn(2); n > 0; n-- {
			c := cmd(r.pick("go", "rm", "git"), r.pick("test", "x", "main"))
			c.ReadOnly, c.Known = r.Intn(3) == 0, r.Intn(4) > 0
			in.Resolved.Extend().Commands = append(in.Resolved.Commands(), c)
		}
	}
	in.Asker, in.Lease = r.Intn(4) > 0, r.Intn(2) == 0
	if r.Intn(4) == 0 {
		in.Protected = []rules.Protection{{Name: r.pick("ci", "hooks"), Authority: r.Intn(2) == 0}}
	}
	return in
}

func (r random) settings() rules.Settings {
	return rules.Settings{
		Resolution: rules.Resolution(r.Intn(2)), Unmatched: rules.Unmatched(r.Intn(4)),
		UnknownTool: gate.Decision(r.Intn(2)), Mode: rules.Mode(r.Intn(6)),
	}
}

func (r random) escalation() rules.Escalation {
	return rules.Escalation{
		Rule: r.pick("PL1001", "PL1002"), Decision: gate.Decision(r.Intn(2)), Precision: taint.Precision(r.Intn(4)),
		Requirements: gate.Requirements{Approvals: r.Intn(3), EffectReview: r.Intn(2) == 0},
	}
}

// TestProperties checks on random policies and calls what must hold for all.
func TestProperties(t *testing.T) {
	r := random{rand.New(rand.NewSource(7))}
	for i := 0; i < 20000; i++ {
		var list []rules.Rule
		for n := r.Intn(6); n > 0; n-- {
			list = append(list, r.rule())
		}
		s := r.settings()
		table, problems := rules.Compile(list, s)
		require.Empty(t, problems)
		in := r.input()
		for n := r.Intn(3); n > 0; n-- {
			in.Escalations = append(in.Escalations, r.escalation())
		}
		got := table.Decide(in)
		checkResult(t, s, in, got)
		checkTightens(t, r, table, s, in, got)

		shuffled := append([]rules.Rule(nil), list...)
		r.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		again, _ := rules.Compile(shuffled, s)
		other := again.Decide(in)
		require.Equal(t, cell(got), cell(other), "the order of rules decides nothing: %+v %+v", list, in.Resolved)
		require.True(t, reflect.DeepEqual(got, table.Decide(in)), "one input, one answer")
	}
}

// checkResult states what holds for every single answer.
func checkResult(t *testing.T, s rules.Settings, in *rules.Input, got rules.Result) {
	t.Helper()
	switch got.Decision {
	case gate.Deny:
		require.Equal(t, gate.Gate{}, got.Gate, "a deny has no gate")
		require.NotEmpty(t, got.Why)
		require.NotEmpty(t, got.Instead)
	case gate.Ask:
		require.False(t, got.Gate.None(), "an ask has a gate")
		require.True(t, in.Asker && s.Mode != rules.ModeUnattended, "nobody is asked in vain")
		require.NotEmpty(t, got.Why)
	case gate.Allow:
		require.True(t, got.Gate.Requirements.None(), "an allow requires nothing")
	}
	if s.Mode == rules.ModeReadOnly && !in.Resolved.ReadOnly {
		require.Equal(t, gate.Deny, got.Decision)
	}
	if s.Mode != rules.ModeObserve {
		require.Equal(t, got.Decision, got.WouldBe)
	} else {
		require.Equal(t, gate.Allow, got.Decision)
	}
	if got.WouldBe != gate.Ask {
		require.Empty(t, got.Suggest)
	}
}

// checkTightens adds one thing that may only tighten.
func checkTightens(t *testing.T, r random, table *rules.Table, s rules.Settings, in *rules.Input, got rules.Result) {
	t.Helper()
	for n, add := range []func(*rules.Input){
		func(x *rules.Input) {
			x.Escalations = append(x.Escalations[:len(x.Escalations):len(x.Escalations)], r.escalation())
		},
		func(x *rules.Input) {
			x.Protected = append(x.Protected[:len(x.Protected):len(x.Protected)], rules.Protection{Name: "keys", Authority: true})
		},
		func(x *rules.Input) { x.Closing = []plan.Note{{ID: "PL9011", Message: "m"}} },
		func(x *rules.Input) { x.Malformed = "bad" },
		func(x *rules.Input) { x.Lease = false },
		func(x *rules.Input) { x.Asker = false },
	} {
		more := *in
		add(&more)
		tighter := table.Decide(&more)
		require.LessOrEqual(t, tighter.WouldBe, got.WouldBe, "addition %d loosened %+v", n, more)
		if got.WouldBe == gate.Ask && tighter.WouldBe == gate.Ask {
			require.True(t, tighter.WouldGate.Covers(got.WouldGate), "addition %d: %v to %v, %+v %+v %v", n, got.WouldGate, tighter.WouldGate, s, in.Resolved, table.Rules())
		}
	}
}

// TestRestrictOnlyTightens adds rules of an untrusted layer.
func TestRestrictOnlyTightens(t *testing.T) {
	r := random{rand.New(rand.NewSource(8))}
	for i := 0; i < 5000; i++ {
		var list []rules.Rule
		for n := r.Intn(5); n > 0; n-- {
			list = append(list, r.rule())
		}
		extra := r.rule()
		extra.Restrict, extra.Accepts = true, nil
		extra.Decision = gate.Decision(r.Intn(2))
		s := r.settings()
		before, _ := rules.Compile(list, s)
		after, problems := rules.Compile(append(list, extra), s)
		require.Empty(t, problems)
		in := r.input()
		a, b := before.Decide(in), after.Decide(in)
		require.LessOrEqual(t, b.WouldBe, a.WouldBe, "%+v with %+v on %+v", list, extra, in.Resolved)
		if a.WouldBe == gate.Ask && b.WouldBe == gate.Ask {
			require.True(t, b.WouldGate.Covers(a.WouldGate), "%+v with %+v on %+v", list, extra, in.Resolved)
		}
	}
}

func BenchmarkDecide(b *testing.B) {
	var list []rules.Rule
	for i := 0; i < 100; i++ {
		list = append(list, rules.Rule{Decision: gate.Allow, Tool: fmt.Sprintf("tool_%d", i), Path: "src/**"})
	}
	list = append(list, rules.Rule{Decision: gate.Allow, Tool: "edit", Path: "src/**"}, rules.Rule{Decision: gate.Deny, Path: "**/.env"})
	table := compile(b, rules.Settings{}, list...)
	for name, in := range map[string]*rules.Input{
		"edit":    call("edit", write("/srv/app/src/pkg/a.go")),
		"unknown": call("other"),
		"command": line(cmd("go", "test", "./..."), look("ls")),
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				table.Decide(in)
			}
		})
	}
}
