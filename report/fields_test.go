package report_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planlint/planlint/finding"
	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/report"
)

// TestFieldsOfPlainText: a contract's field is named where the output can have it.
func TestFieldsOfPlainText(t *testing.T) {
	for text, want := range map[string]string{
		"Bug: see my notes":              "1 read_secret.output  ==",
		`{"title": "Bug", "body": "x"}`:  "1 read_secret.output.title  ==",
		"title: Bug\nbody: see my notes": "1 read_secret.output.title  ==",
	} {
		p := leak(t)
		p.Plan.Calls[0].Output = plan.Str(text)
		f := *p.Findings[0].Flow
		f.Hops = append(f.Hops[:0:0], f.Hops...)
		f.Hops[0].From.Field = "title"
		p.Findings[0].Flow = &f
		require.Contains(t, write(t, &finding.Report{Plans: []finding.PlanReport{p}}, report.Options{}), want, text)
	}
}
