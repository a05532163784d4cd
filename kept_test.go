package planlint_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planlint/planlint/finding"
	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/plan/planyaml"
	"github.com/planlint/planlint/report"
)

// different returns plans of every kind that the examples have, and a long one.
func different(t *testing.T) []*plan.Plan {
	plans := []*plan.Plan{ordinary(150)}
	files, err := filepath.Glob("examples/plans/*.yaml")
	require.NoError(t, err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		if p, errs := planyaml.Parse(text, file); len(errs) == 0 {
			plans = append(plans, p)
		}
	}
	require.Greater(t, len(plans), 3)
	return plans
}

func everything(t require.TestingT, r *finding.PlanReport) string {
	var b bytes.Buffer
	for _, f := range []report.Format{report.JSON, report.Text, report.DOT} {
		require.NoError(t, report.Write(&b, &finding.Report{Plans: []finding.PlanReport{*r}}, report.Options{Format: f, Verbose: true}))
	}
	return b.String()
}

// Checks keep memory for the next one. What they reported must not change with it,
// nor depend on what was checked before or is checked beside it.
func TestConcurrentChecksKeepTheirReports(t *testing.T) {
	checker, plans := builtin(t, "default"), different(t)
	reports, want := make([]finding.PlanReport, len(plans)), make([]string, len(plans))
	for i, p := range plans {
		reports[i] = checker.Check(context.Background(), p)
		want[i] = everything(t, &reports[i])
	}
	var group sync.WaitGroup
	for n := range 4 {
		group.Go(func() {
			order := slices.Clone(plans)
			if n%2 == 1 {
				slices.Reverse(order)
			}
			for range 2 {
				for _, p := range order {
					again := checker.Check(context.Background(), p)
					if i := slices.Index(plans, p); everything(t, &again) != want[i] {
						t.Errorf("plan %d (%s) was reported otherwise", i, p.Source)
					}
				}
			}
		})
	}
	group.Wait()
	for i := range reports {
		require.Equal(t, want[i], everything(t, &reports[i]), plans[i].Source)
	}
}
