package report_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/planlint/planlint/finding"
	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/report"
)

// wide has a table that no terminal holds, and long notes.
func wide(t *testing.T) *finding.Report {
	p := leak(t)
	p.Source = "plans/of/the/department/for/payments/leak.yaml"
	p.Calls[1].Carried = &finding.Carried{LabelsIn: []string{"secret", "customer", "untrusted"}, LabelsOut: []string{"secret", "customer", "untrusted"}}
	p.Calls[1].ReadOnly = false
	p.Calls[0].Answer = &finding.Answer{Decision: gate.Ask, Rule: "policies/of/the/department/planlint.yaml:1204"}
	p.Diagnostics = []finding.Diagnostic{{ID: "PL9001", Message: strings.Repeat("the output is missing ", 8), Hint: strings.Repeat("record it ", 20), Call: 0, Position: p.Position(0)}}
	return &finding.Report{Plans: []finding.PlanReport{p}}
}

func TestTextKeepsToItsWidth(t *testing.T) {
	for _, columns := range []int{72, 80, 100, 120} {
		got := write(t, wide(t), report.Options{Width: columns, Verbose: true})
		for line := range strings.Lines(got) {
			if strings.Contains(line, "|") || strings.Contains(line, "plans/of") {
				continue // source lines have a rule of their own; a file's name is not cut
			}
			require.LessOrEqual(t, utf8.RuneCountInString(strings.TrimSuffix(line, "\n")), columns, "%d columns: %s", columns, line)
		}
		require.Contains(t, got, "irreversible-public")
		require.Contains(t, got, "secret,customer,untrusted -> secret,customer,untrusted")
	}
}

func TestTableWithoutAWidthIsWhole(t *testing.T) {
	got := write(t, wide(t), report.Options{})
	require.Contains(t, got, "2  send_email to=ops@partner.example  irreversible-public  secret,customer,untrusted -> secret,customer,untrusted  ask  PL1001\n")
}
