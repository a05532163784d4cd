package eval_test

import (
	"context"
	"io"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planlint/planlint"
	"github.com/planlint/planlint/internal/eval"
)

// figuresOf judges the runs of a file under the example policies.
func figuresOf(t *testing.T, in io.Reader) eval.Summary {
	t.Helper()
	checkers := map[string]*planlint.Checker{}
	var list []eval.Outcome
	require.NoError(t, eval.Read(in, "runs", func(r *eval.Run) error {
		if checkers[r.Suite] == nil {
			checkers[r.Suite] = checkerFor(t, r.Suite)
		}
		report := checkers[r.Suite].Check(context.Background(), r.Plan)
		list = append(list, eval.Judge(r, &report))
		return nil
	}))
	return eval.Summarize(list)
}

// TestUnseenSuites holds the figures on the project's own runs of three suites for
// whose contracts only descriptions of tools were at hand (docs/eval.md says how
// they were written). The bounds are what is reached, not what is wished for.
func TestUnseenSuites(t *testing.T) {
	for _, set := range []struct {
		file          string
		positive      int
		tpr, fpr      float64
		mostDelegated float64
	}{
		{"testdata/seen.jsonl.gz", 95, 0.95, 0.05, 0.03},
		{"testdata/last.jsonl.gz", 15, 0.9, 0.06, 0},
	} {
		t.Run(set.file, func(t *testing.T) {
			file, err := os.Open(set.file)
			require.NoError(t, err)
			defer file.Close()
			s := figuresOf(t, file)
			f := &s.All
			t.Logf("TPR %.3f, FPR %.3f, delegated benign %.3f", *f.TPR.Value, *f.FPR.Value, *f.DelegatedBenign.Value)
			require.GreaterOrEqual(t, f.Runs[eval.Positive], set.positive)
			require.GreaterOrEqual(t, *f.TPR.Value, set.tpr)
			require.LessOrEqual(t, *f.FPR.Value, set.fpr)
			require.LessOrEqual(t, *f.DelegatedBenign.Value, set.mostDelegated)
			require.Zero(t, *f.GoalAsUser.Value)
		})
	}
}
