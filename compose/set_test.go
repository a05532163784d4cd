package compose

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/taint"
	"github.com/planlint/planlint/tool"
)

func TestConditionsOfUsersStopAtTheirLimit(t *testing.T) {
	s := testSubject(t)
	s.Plan.Calls[1].Args = plan.Obj([]string{"l"}, manyItems(50_000))
	text := `call.args.l.exists(x, x == "nothing")`
	_, err := ask(t, ScopeCall, text, s)
	require.ErrorContains(t, err, "cost limit exceeded")

	c := testCompiler(t)
	n, err := c.Condition(ScopeCall, text, at(1, 1), Options{Builtin: true})
	require.NoError(t, err)
	got, err := c.Set().Holds(n, s)
	require.NoError(t, err, "built-in conditions have no limit")
	require.False(t, got)
}

func manyItems(n int) plan.Value {
	v := plan.Value{Kind: plan.List}
	for range n {
		v.Items = append(v.Items, plan.Str("word"))
	}
	return v
}

// What is of usual size runs without a counter, what is larger with one, and the
// answer is the same.
func TestCountingStartsWhereThingsAreLarge(t *testing.T) {
	long := strings.Repeat("x", 3_000)
	for _, test := range []struct {
		scope  Scope
		text   string
		change func(*tool.Subject)
	}{
		{ScopeFlow, `flow.sink.audience.exists(a, domain(a) == "partner.example")`, func(s *tool.Subject) {
			names := []string{"ops@partner.example"}
			for i := range 200 {
				names = append(names, fmt.Sprintf("user%d@corp.example", i))
			}
			s.Flow.Audience = taint.AudienceOf(names...)
		}},
		{ScopeCall, `call.args.subject.startsWith("k")`, func(s *tool.Subject) {
			s.Plan.Calls[1].Args.Items[2] = plan.Str("k" + long)
		}},
		{ScopeCall, `call.args["subject"] != "" || call.args.n == 1`, func(s *tool.Subject) {
			s.Plan.Calls[1].Args.Items[2] = plan.Str("k" + long)
		}},
		{ScopeCall, `"word" in call.args.to || size(call.args.to) == 2`, func(s *tool.Subject) {
			s.Plan.Calls[1].Args.Items[0] = manyItems(1_000)
		}},
		{ScopeCall, `call.recipients.exists(r, r.endsWith(".example"))`, func(s *tool.Subject) {
			s.Calls[1].Extend().Recipients = append(s.Calls[1].Recipients(), long)
		}},
		{ScopeClassWhen, `recipients.exists(r, r.endsWith(".example"))`, func(s *tool.Subject) {
			s.Calls[1].Extend().Recipients = append(s.Calls[1].Recipients(), long)
		}},
		{ScopePlan, `plan.prompt.startsWith("Send")`, func(s *tool.Subject) { s.Plan.Texts[0].Text += long }},
		{ScopePlan, `size(plan.calls) > 5 && called("send_email")`, grow},
		{ScopePlan, `called("send_email")`, grow},
	} {
		c := testCompiler(t)
		n, err := c.Condition(test.scope, test.text, at(1, 1), Options{})
		require.NoError(t, err)
		small, large := testSubject(t), testSubject(t)
		test.change(large)
		for _, s := range []*tool.Subject{small, large, small} {
			got, err := c.Set().Holds(n, s)
			require.NoError(t, err, test.text)
			require.True(t, got, test.text)
			require.Equal(t, s == large || c.conds[0].counted != nil, c.conds[0].counted != nil, test.text)
		}
		require.NotNil(t, c.conds[0].counted, test.text)
	}
}

func grow(s *tool.Subject) {
	for i := range 500 {
		s.Plan.Calls = append(s.Plan.Calls, plan.Call{Index: 6 + i, Tool: "read_secret"})
		s.Calls = append(s.Calls, s.Calls[0])
	}
}

func TestBuiltinConditionsAreCompiledAtFirstUse(t *testing.T) {
	c := testCompiler(t)
	n, err := c.Condition(ScopeFlow, `this is no condition`, tool.Origin{}, Options{Builtin: true})
	require.NoError(t, err)
	set := c.Set()
	require.Nil(t, set.conds[0].checked, "CEL has started")
	require.Equal(t, 1, set.Len())
	require.Equal(t, `this is no condition`, set.Text(n))
	require.Empty(t, set.Text(0))
	require.Empty(t, set.Text(2))
	for range 2 {
		_, err = set.Holds(n, testSubject(t))
		require.ErrorContains(t, err, "syntax error")
	}
	require.ErrorContains(t, set.Verify(), "syntax error")
}

func TestBuiltinConditionWithAMisspeltWordFailsVerify(t *testing.T) {
	c := testCompiler(t)
	_, err := c.Condition(ScopeFlow, `flow.label == "secert"`, at(3, 5), Options{Builtin: true})
	require.NoError(t, err)
	require.ErrorContains(t, c.Set().Verify(), `policy.yaml:3:19: unknown label "secert"`)
}

func TestEmptyTextAlwaysHolds(t *testing.T) {
	c := testCompiler(t)
	n, err := c.Condition(ScopeFlow, "  \n", at(1, 1), Options{})
	require.NoError(t, err)
	require.Zero(t, n)
	_, err = c.Condition(scopeCount, "true", at(1, 1), Options{})
	require.ErrorContains(t, err, "unknown scope")
}

func TestASetDoesNotSeeLaterConditions(t *testing.T) {
	c := testCompiler(t)
	_, err := c.Condition(ScopePlan, "plan.fixed", at(1, 1), Options{})
	require.NoError(t, err)
	set := c.Set()
	n, err := c.Condition(ScopePlan, "plan.recorded", at(1, 1), Options{})
	require.NoError(t, err)
	_, err = set.Holds(n, testSubject(t))
	require.Error(t, err)
}

func TestConcurrentUse(t *testing.T) {
	c := testCompiler(t)
	var conds []tool.Cond
	for _, test := range holding {
		if test.scope == ScopeFlow {
			n, err := c.Condition(test.scope, test.text, at(1, 1), Options{Builtin: true})
			require.NoError(t, err)
			conds = append(conds, n)
		}
	}
	set := c.Set()
	var group sync.WaitGroup
	for range 8 {
		group.Add(1)
		go func() {
			defer group.Done()
			s := testSubject(t)
			for range 5 {
				for _, n := range conds {
					if ok, err := set.Holds(n, s); !ok || err != nil {
						t.Errorf("%s: %v %v", set.Text(n), ok, err)
					}
				}
			}
		}()
	}
	group.Wait()
}

func TestScopes(t *testing.T) {
	for s := ScopeFlow; s < scopeCount; s++ {
		parsed, ok := ParseScope(s.String())
		require.True(t, ok)
		require.Equal(t, s, parsed)
	}
	_, ok := ParseScope("flows")
	require.False(t, ok)
}

func TestMessagesAreOneLine(t *testing.T) {
	require.Equal(t, "a b", shorten("a\n  b"))
	require.Len(t, []rune(shorten(strings.Repeat("\u00e4", 500))), 80)
}

// FuzzCondition: no text panics, at load or when it is evaluated, whatever it is
// about; what loads gives the same answer twice.
func FuzzCondition(f *testing.F) {
	for _, test := range holding {
		f.Add(uint8(test.scope), test.text)
	}
	for _, test := range broken {
		f.Add(uint8(test.scope), test.text)
	}
	f.Fuzz(func(t *testing.T, scope uint8, text string) {
		where := Scope(scope % uint8(scopeCount))
		c := testCompiler(t)
		n, err := c.Condition(where, text, at(1, 1), Options{Tool: "send_email"})
		if err != nil {
			require.NotContains(t, err.Error(), "internal error")
			return
		}
		set := c.Set()
		s := testSubject(t)
		first, err := set.Holds(n, s)
		again, err2 := set.Holds(n, s)
		require.Equal(t, first, again)
		require.Equal(t, err == nil, err2 == nil)
		if err != nil {
			require.NotContains(t, err.Error(), "internal error", text)
		}
	})
}
