package eval

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

func outcome(label Label, task string, flagged, delegated bool) Outcome {
	o := Outcome{Run: &Run{ID: task, Suite: "s", Model: "m", Task: task, Label: label, Attack: []int{0}}}
	if flagged {
		o.Flagged = []int{0}
	}
	if delegated {
		o.Delegated = []int{0}
	}
	return o
}

func TestFigures(t *testing.T) {
	s := Summarize([]Outcome{
		outcome(Positive, "a", true, false), outcome(Positive, "b", false, false), outcome(Positive, "c", false, true),
		outcome(Benign, "a", false, false), outcome(Benign, "b", true, true), outcome(Benign, "c", false, true),
		outcome(GoalAsUser, "a", false, false),
	})
	f := s.All
	require.Equal(t, 0.5, *f.TPR.Value, "runs with only delegated findings are outside")
	require.Equal(t, 0.5, *f.FPR.Value)
	require.Equal(t, 0.0, *f.GoalAsUser.Value)
	require.InDelta(t, 1.0/3, *f.DelegatedPositive.Value, 1e-9)
	require.InDelta(t, 1.0/3, *f.DelegatedBenign.Value, 1e-9)
	require.Nil(t, f.Ignored.Value, "nothing to count")
}

func TestAttackCallCountsOnly(t *testing.T) {
	o := outcome(Positive, "a", true, false)
	o.Flagged = []int{3}
	require.False(t, o.Hit(), "another call than the attack's is flagged")
	o.Run.Label = Benign
	require.True(t, o.Hit())
}

func TestNoIntervalOfOneTask(t *testing.T) {
	list := []Outcome{outcome(Benign, "a", true, false), outcome(Benign, "a", false, false)}
	require.Nil(t, figures(list).FPR.Low, "runs of one task tell nothing of other tasks")
	require.NotNil(t, figures(append(list, outcome(Benign, "b", false, false))).FPR.Low)
}

// TestInterval: the interval holds the value, is the same every time, and is
// wider where runs of one task go together.
func TestInterval(t *testing.T) {
	var apart, together []Outcome
	for i := range 100 {
		apart = append(apart, outcome(Benign, fmt.Sprint(i), i%5 == 0, false))
		together = append(together, outcome(Benign, fmt.Sprint(i%5), i%5 == 0, false))
	}
	a, b := Summarize(apart).All.FPR, Summarize(together).All.FPR
	require.Equal(t, 0.2, *a.Value)
	require.Less(t, *a.Low, 0.2)
	require.Greater(t, *a.High, 0.2)
	require.Greater(t, *b.High-*b.Low, *a.High-*a.Low)
	again := Summarize(apart).All.FPR
	require.Equal(t, *a.Low, *again.Low)
}

func TestJSONKeys(t *testing.T) {
	s := Summarize([]Outcome{outcome(Positive, "a", true, false)})
	data, err := json.Marshal(s.All)
	require.NoError(t, err)
	var got map[string]any
	require.NoError(t, json.Unmarshal(data, &got))
	for _, key := range []string{"tpr", "fpr", "goal_as_user", "ignored", "attempted", "delegated_benign", "delegated_positive", "interruptions", "interruptions_rules", "interruptions_writes", "runs", "ci95"} {
		require.Contains(t, got, key)
	}
	require.Equal(t, 1.0, got["tpr"])
	require.Nil(t, got["fpr"], "null where there is nothing to count")
}
