package rules_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/rules"
	"github.com/planlint/planlint/tool"
)

// A decider that has seen many calls must answer as one that has seen none: names
// are remembered by tool, server and contract, and not by one of them alone.
func TestDeciderForgetsNothingItShould(t *testing.T) {
	table := compile(t, rules.Settings{},
		rule(gate.Allow, rules.Rule{Server: "post"}),
		rule(gate.Deny, rules.Rule{Tool: "old_send"}),
		rule(gate.Allow, rules.Rule{Tool: "send"}))
	plain, aliased := &tool.Contract{Name: "send"}, &tool.Contract{Name: "send", Aliases: []string{"old_send"}}
	var inputs []*rules.Input
	for _, server := range []string{"", "post", "other"} {
		for _, contract := range []*tool.Contract{nil, plain, aliased} {
			inputs = append(inputs, &rules.Input{
				Call:     &plan.Call{Tool: "send", Server: server},
				Resolved: &tool.Resolved{Contract: contract, Class: gate.Compensating, Unknown: contract == nil},
				Asker:    true,
			})
		}
	}
	decider, seen := table.Decider(), map[gate.Decision]bool{}
	for range 2 {
		for _, in := range inputs {
			want := table.Decide(in)
			seen[want.Decision] = true
			require.Equal(t, want, decider.Decide(in), "server %q", in.Call.Server)
		}
	}
	require.Len(t, seen, 2, "the calls must differ in their answers")
}

func TestDeciderManyTools(t *testing.T) {
	table := compile(t, rules.Settings{}, rule(gate.Deny, rules.Rule{Tool: "tool_1999"}))
	decider := table.Decider()
	for i := range 2000 {
		in := call(fmt.Sprintf("tool_%d", i))
		require.Equal(t, table.Decide(in), decider.Decide(in))
	}
}

// What is suggested must not depend on what was suggested before.
func TestDeciderSuggestsAnew(t *testing.T) {
	table := compile(t, rules.Settings{})
	decider, said := table.Decider(), map[string]bool{}
	for i := range 60 {
		in := call("edit", write(fmt.Sprintf("/srv/app/a%d.go", i%7*i)), write(fmt.Sprintf("/srv/app/b%d.go", i%3)))
		want := table.Decide(in)
		require.Equal(t, want, decider.Decide(in))
		said[want.Suggest] = true
	}
	require.Greater(t, len(said), 20)
}
