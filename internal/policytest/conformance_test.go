package policytest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planlint/planlint/policy"
)

// TestConformance runs testdata/conformance: what a policy says, and what peers'
// suites hold, case by case.
func TestConformance(t *testing.T) {
	files, err := filepath.Glob("../../testdata/conformance/*" + TestSuffix)
	require.NoError(t, err)
	require.Len(t, files, 6)
	total := 0
	for _, file := range files {
		suite, problems := Load(file)
		require.NotNil(t, suite, "%s: %v", file, problems)
		require.Empty(t, policy.Errors(problems))
		results, _ := suite.Run(t.Context(), nil)
		total += len(results)
		names := make(map[string]bool)
		for i := range results {
			r := &results[i]
			t.Run(r.Test.Name, func(t *testing.T) {
				require.Empty(t, r.Differences)
				require.NotNil(t, r.Test.Policy, "a case brings its own policy")
				require.True(t, r.Test.Expect.Complete, "a case names every call")
				require.False(t, names[r.Test.Name], "a name is given twice")
				names[r.Test.Name] = true
			})
		}
	}
	require.Greater(t, total, 180)
}

// TestDocumentedTests runs the policy that docs/policy-tests.md shows.
func TestDocumentedTests(t *testing.T) {
	page, err := os.ReadFile("../../docs/policy-tests.md")
	require.NoError(t, err)
	_, rest, _ := strings.Cut(string(page), "```yaml\n")
	block, _, ok := strings.Cut(rest, "```")
	require.True(t, ok)
	results, cover := suite(t, block).Run(t.Context(), nil)
	require.Len(t, results, 3)
	for i := range results {
		require.Empty(t, results[i].Differences, results[i].Test.Name)
	}
	require.Len(t, cover.Rules(), 1)
}
