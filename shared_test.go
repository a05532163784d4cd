package planlint

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planlint/planlint/finding"
	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/taint"
)

func TestSharedGivesEqualAnswersOnce(t *testing.T) {
	u, err := taint.NewUniverse()
	require.NoError(t, err)
	s := &shared{universe: u}
	allow := finding.Answer{Decision: gate.Allow, Rule: "read-only"}
	ask := finding.Answer{Decision: gate.Ask, Rule: "read-only"}
	first := s.answer(&allow)
	require.NotSame(t, &allow, first, "the caller's own may change")
	require.Same(t, first, s.answer(&finding.Answer{Decision: gate.Allow, Rule: "read-only"}))
	require.NotSame(t, first, s.answer(&ask))
	require.Same(t, first, s.answer(&allow), "another one came between")
	for i := range 2 * maxShared {
		a := finding.Answer{Why: fmt.Sprint(i)}
		require.Equal(t, a, *s.answer(&a))
	}
	require.Equal(t, maxShared, s.answers.len())
}

func TestSharedLabels(t *testing.T) {
	u, err := taint.NewUniverse()
	require.NoError(t, err)
	s := &shared{universe: u}
	got := s.labels(0, taint.Of(taint.Secret), taint.Of(taint.Untrusted))
	require.Equal(t, &finding.Carried{LabelsOut: []string{"secret"}, LabelsContext: []string{"untrusted"}, LabelsIn: u.Names(0)}, got)
	require.Same(t, got, s.labels(0, taint.Of(taint.Secret), taint.Of(taint.Untrusted)))
	require.NotSame(t, got, s.labels(0, taint.Of(taint.Secret), 0))
}
