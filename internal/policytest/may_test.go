package policytest

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCoverageOfMay: a deny that concerns a call only perhaps has not matched it.
func TestCoverageOfMay(t *testing.T) {
	s := suite(t, `version: 1
extends: [builtin:coding-agent]
rules:
  - {decision: deny, host: bad.example}
tests:
  - {name: t, plan: [{tool: mystery}, {tool: query_order}], expect: ask}
`)
	_, cover := s.Run(t.Context(), nil)
	r := cover.Rules()[0]
	require.Equal(t, []int{0, 0, 1}, []int{r.Matched, r.Decided, r.May})
	require.Equal(t, "never matched for sure (calls that it may concern, since what they reach is not known: 1)", r.Never())
}

// TestHostBeforeAReference: a rule matches a host that stands before the first
// part of an address that is not known.
func TestHostBeforeAReference(t *testing.T) {
	for rule, want := range map[string]string{
		"{decision: allow, host: metrics.example, accepts: [PL1001], reason: ours}": "allow",
		"{decision: allow, host: other.example, accepts: [PL1001], reason: ours}":   "ask",
		"{decision: deny, host: metrics.example}":                                   "deny",
		"{decision: deny, host: other.example}":                                     "ask",
	} {
		s := suite(t, `version: 1
extends: [builtin:coding-agent]
rules: [`+rule+`]
tests:
  - {name: t, expect: `+want+`, plan: [{id: e, tool: read_secret}, {tool: WebFetch, args: {url: "https://metrics.example/i?k=${e.output}"}}]}
`)
		results, _ := s.Run(t.Context(), nil)
		require.Empty(t, results[0].Differences, rule)
	}
}
