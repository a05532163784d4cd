package compose

import (
	"testing"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/stretchr/testify/require"

	"github.com/planlint/planlint/tool"
)

// failing are conditions that can't be decided, or that end in an error only
// where no other part decides; lower must keep CEL's answer.
var failing = []struct {
	scope Scope
	text  string
}{
	{ScopeCall, `call.args.nothing == "x"`},
	{ScopeCall, `call.args.nothing == "x" || call.index == 1`},
	{ScopeCall, `call.index == 1 || call.args.nothing == "x"`},
	{ScopeCall, `call.args.nothing == "x" && call.index == 2`},
	{ScopeCall, `call.args.nothing == "x" && call.index == 1`},
	{ScopeCall, `!(call.args.nothing == "x")`},
	{ScopeCall, `call.args.later == "x"`},
	{ScopeCall, `has(call.args.later)`},
	{ScopeCall, `has(call.args.subject.deeper)`},
	{ScopeCall, `has(call.args.to.deeper)`},
	{ScopeCall, `has(call.args.nothing.deeper)`},
	{ScopeCall, `call.args.to[7] == "x"`},
	{ScopeCall, `call.args.to[0] == "ops@partner.example"`},
	{ScopeCall, `call.args.to["x"] == "x"`},
	{ScopeCall, `call.args.subject.startsWith("k") && call.args.n.startsWith("k")`},
	{ScopeCall, `call.args.n.contains("1")`},
	{ScopeCall, `call.args.n < "12"`},
	{ScopeCall, `call.args.n < call.args.subject`},
	{ScopeCall, `call.args.n == "12"`},
	{ScopeCall, `call.args.n != "12"`},
	{ScopeCall, `call.args.n in [12.0, "x"]`},
	{ScopeCall, `call.args.n + 1 == 13 && call.args.n - 1 > 10`},
	{ScopeCall, `call.args.n + "x" == "y"`},
	{ScopeCall, `call.args == call.args`},
	{ScopeCall, `call.args != call.args`},
	{ScopeCall, `call.args.n ? true : false`},
	{ScopeCall, `call.index == 1 ? call.known : call.args.nothing == 1`},
	{ScopeCall, `call.args.to.all(x, x == "a" || x.nothing == 1)`},
	{ScopeCall, `call.args.to.exists(x, x.nothing == 1 || x == "eve@corp.example")`},
	{ScopeCall, `call.args.to.exists_one(x, x == "eve@corp.example")`},
	{ScopeCall, `call.args.to.map(x, domain(x)) == ["partner.example", "corp.example"]`},
	{ScopeCall, `call.args.to.map(x, x.contains("o"), domain(x)) == ["partner.example", "corp.example"]`},
	{ScopeCall, `call.args.to.filter(x, x.nothing == 1).size() == 0`},
	{ScopeCall, `call.args.n.all(x, x == 1)`},
	{ScopeCall, `call.args.later.all(x, x == 1)`},
	{ScopeCall, `call.args.subject in call.args`},
	{ScopeCall, `call.args.subject in call.args.to`},
	{ScopeCall, `call.args.subject in call.args.n`},
	{ScopeCall, `call.args.subject.matches("^k.y$") && !call.args.subject.matches(call.args.body)`},
	{ScopeCall, `call.args.subject.matches(call.id)`},
	{ScopeCall, `size(call.args.n) == 1`},
	{ScopeCall, `size("übel") == 4 && call.id != ""`},
	{ScopeCall, `call.args.all(k, has(call.args.to) && call.args.cc.all(c, k != c))`},
	{ScopeCall, `call.args.to.all(a, call.args.to.exists(b, b == a))`},
	{ScopeCall, `call.args.to.exists(call, call == "eve@corp.example")`},
	{ScopeCall, `call.origins[0].argument == "to" && call.origins[9].argument == "to"`},
	{ScopeCall, `call.sinks.has("publik" + call.id)`},
	{ScopeFlow, `flow.source.call.args["na" + "me"] == "stripe_key"`},
	{ScopeFlow, `flow.labels.exists_one(l, flow.labels.has(l) && l.startsWith("s"))`},
	{ScopeFlow, `flow.hops[5].cell == ""`},
	{ScopePlan, `plan.calls.map(c, c.tool).exists(t, t == "send_email")`},
	{ScopePlan, `plan.calls.filter(c, c.index > 2).all(c, c.agent == "helper" || c.turn >= 2)`},
	{ScopePlan, `plan.calls.all(c, c.args.principal == "user:dev")`},
	{ScopeClassWhen, `recipients.size() == 2 && hosts.size() == 0`},
	{ScopeClassWhen, `paths.all(p, p.startsWith("/tmp/"))`},
	{ScopeOutput, `output.key == "zq-1234"`},
}

// bothAnswers evaluates a condition by its nodes and by CEL's interpreter.
func bothAnswers(t testing.TB, scope Scope, text string, s *tool.Subject) (lowered bool, ours, theirs string) {
	cond := &condition{language: testCompiler(t).language, scope: scope, text: text, at: at(1, 1)}
	env, err := cond.language.env(scope)
	require.NoError(t, err)
	checked, issues := env.Compile(text)
	if issues.Err() != nil || !checked.OutputType().IsAssignableType(cel.BoolType) {
		return false, "", ""
	}
	f, ok := lower(scope, checked)
	if !ok {
		return false, "", ""
	}
	direct, err := link(&f)
	if err != nil {
		return false, "", "" // a regular expression that does not compile
	}
	program, err := env.Program(checked, cel.EvalOptions(cel.OptOptimize))
	require.NoError(t, err, text)
	e, err := newEvaluation(scope, s)
	require.NoError(t, err)
	defer e.release()
	ours = answer(direct.eval(e))
	out, _, err := program.Eval(e)
	if err != nil {
		return true, ours, "error"
	}
	return true, ours, answer(out)
}

func answer(v any) string {
	switch v := v.(type) {
	case types.Bool:
		if v {
			return "true"
		}
		return "false"
	case *types.Err:
		return "error"
	}
	return "other"
}

// TestNodesAgreeWithCEL asks both about every condition of the tables, plain and
// negated.
func TestNodesAgreeWithCEL(t *testing.T) {
	all := append(holding[:len(holding):len(holding)], failing...)
	for _, text := range usualConditions {
		all = append(all, struct {
			scope Scope
			text  string
		}{ScopeFlow, text})
	}
	seen := map[string]int{}
	for _, test := range all {
		for _, text := range []string{test.text, "!(" + test.text + ")", "(" + test.text + ") ? false : true"} {
			for call := range 6 {
				s := testSubject(t)
				s.Call = call
				lowered, ours, theirs := bothAnswers(t, test.scope, text, s)
				require.True(t, lowered, "not lowered: %s", text)
				require.Equal(t, theirs, ours, "%s, call %d", text, call)
				seen[ours]++
			}
		}
	}
	require.Greater(t, seen["true"], 100)
	require.Greater(t, seen["false"], 100)
	require.Greater(t, seen["error"], 50)
}

// TestNotLowered: what a form can't hold is left to CEL, and still works.
func TestNotLowered(t *testing.T) {
	for text, want := range map[string]bool{
		`call.index * 2 == 2`:                  true,
		`string(call.index) == "1"`:            true,
		`{"a": call.index}["a"] == 2`:          false,
		`bytes(call.id) == b"mail"`:            true,
		`call.turn > 0 && call.index % 2 == 1`: true,
	} {
		lowered, _, _ := bothAnswers(t, ScopeCall, text, testSubject(t))
		require.False(t, lowered, text)
		got, err := ask(t, ScopeCall, text, testSubject(t))
		require.NoError(t, err, text)
		require.Equal(t, want, got, text)
	}
}

// TestLinkRefuses: a form that lower does not write is an error, not a panic.
func TestLinkRefuses(t *testing.T) {
	one := []form{{Op: opBool, Name: "true"}}
	for _, f := range []form{
		{}, {Op: "drop"}, {Op: opVar, Name: "call", Args: one}, {Op: opInt, Name: "1x"}, {Op: opDouble, Name: ""},
		{Op: opLocal, Name: "8"}, {Op: opLocal, Name: "-1"}, {Op: opField, Name: "call.tool"}, {Op: opField, Name: "call.colour", Args: one},
		{Op: opField, Name: "tool", Args: one}, {Op: opField, Name: "car.tool", Args: one}, {Op: opSelect, Name: "x"},
		{Op: opCall, Name: "size"}, {Op: opCall, Name: "exec", Args: one}, {Op: opFold, Name: "0", Args: one},
		{Op: opFold, Name: "7", Args: []form{one[0], one[0], one[0], one[0], one[0]}}, {Op: opCollect, Name: "0", Args: one},
		{Op: opCall, Name: "matches", Args: []form{{Op: opString, Name: "a"}, {Op: opString, Name: "("}}},
		{Op: opList, Args: []form{{Op: "drop"}}},
	} {
		_, err := link(&f)
		require.Error(t, err, "%+v", f)
	}
}

// FuzzNodesAgreeWithCEL: whatever checks and can be lowered has CEL's answer.
func FuzzNodesAgreeWithCEL(f *testing.F) {
	for _, test := range holding {
		f.Add(uint8(test.scope), test.text)
	}
	for _, test := range failing {
		f.Add(uint8(test.scope), test.text)
	}
	f.Fuzz(func(t *testing.T, scope uint8, text string) {
		if len(text) > 300 || scope >= uint8(scopeCount) {
			return
		}
		if lowered, ours, theirs := bothAnswers(t, Scope(scope), text, testSubject(t)); lowered {
			require.Equal(t, theirs, ours, "%q", text)
		}
	})
}
