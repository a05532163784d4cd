package rules_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/rules"
)

// TestMayReach: a deny that concerns a call only perhaps asks, says what is not
// known, and counts as no certain match.
func TestMayReach(t *testing.T) {
	open := func(in *rules.Input, hosts ...string) *rules.Input {
		in.Resolved.Extend().Hosts, in.Resolved.HostsOpen = hosts, true
		return in
	}
	unknown := func(in *rules.Input) *rules.Input {
		in.Resolved.Contract, in.Resolved.Unknown, in.Resolved.Class = nil, true, gate.ClassUnset
		return in
	}
	deny := rule(gate.Deny, rules.Rule{Host: "bad.example", Why: "it is bad"})
	tests := []struct {
		name     string
		in       *rules.Input
		decision gate.Decision
		may      bool
		why      string
	}{
		{"undescribed tool", unknown(open(call("act"))), gate.Ask, true, "it may reach what a rule denies: it is bad; what this tool reaches is not known"},
		{"described tool", open(call("act")), gate.Ask, true, "it may reach what a rule denies: it is bad; which hosts it contacts is not known"},
		{"undescribed tool, denied host", unknown(open(call("act"), "bad.example")), gate.Deny, false, "it is bad"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			table := compile(t, rules.Settings{UnknownTool: gate.Ask}, deny)
			got := table.Decide(tt.in)
			require.Equal(t, tt.decision, got.Decision)
			require.Equal(t, tt.why, got.Why)
			matches := table.Matches(tt.in)
			require.Len(t, matches, 1)
			require.Equal(t, tt.may, matches[0].May)
		})
	}
	require.Contains(t, compile(t, rules.Settings{UnknownTool: gate.Ask}, deny).Decide(unknown(open(call("act")))).Instead, "describe the tool")
}
