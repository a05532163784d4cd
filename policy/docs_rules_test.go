package policy_test

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planlint/planlint"
	"github.com/planlint/planlint/plan/planyaml"
	"github.com/planlint/planlint/policy"
)

// ruleSections is the template that every page of a rule follows.
var ruleSections = []string{
	"Summary", "Unsafe plan", "Safe plan", "Why", "Configuration", "Limits", "Since",
}

// TestRulePages executes what docs/rules says: the unsafe plan of each page
// gives a finding of the page's rule, the safe plan gives none.
func TestRulePages(t *testing.T) {
	builtin, err := policy.Builtin("default")
	require.NoError(t, err)
	checker := planlint.New(*builtin)

	pages, err := filepath.Glob("../docs/rules/PL*.md")
	require.NoError(t, err)
	var have, want []string
	for _, path := range pages {
		have = append(have, strings.TrimSuffix(filepath.Base(path), ".md"))
	}
	titles := map[string]string{}
	for i := range builtin.Compose {
		want = append(want, builtin.Compose[i].ID)
		titles[builtin.Compose[i].ID] = builtin.Compose[i].Title
	}
	slices.Sort(want)
	require.Equal(t, want, have, "one page a rule, and one rule a page")

	for i, id := range have {
		t.Run(id, func(t *testing.T) {
			page, err := os.ReadFile(pages[i])
			require.NoError(t, err)
			require.True(t, strings.HasPrefix(string(page), "# "+id+" "+titles[id]+"\n"), "the heading is the rule's title")
			require.Equal(t, ruleSections, sections(string(page)))
			plans := regexp.MustCompile("(?s)```yaml\n(.*?)```").FindAllStringSubmatch(string(page), -1)
			require.Len(t, plans, 2, "an unsafe plan and a safe one")
			require.Contains(t, findings(t, checker, plans[0][1]), id, "the unsafe plan")
			require.NotContains(t, findings(t, checker, plans[1][1]), id, "the safe plan")
		})
	}
}

func sections(page string) []string {
	var names []string
	for _, m := range regexp.MustCompile(`(?m)^## (.*)$`).FindAllStringSubmatch(page, -1) {
		names = append(names, m[1])
	}
	return names
}

func findings(t *testing.T, checker *planlint.Checker, text string) []string {
	p, errs := planyaml.Parse([]byte(text), "plan.yaml")
	require.Empty(t, errs)
	report := checker.Check(context.Background(), p)
	ids := []string{}
	for i := range report.Findings {
		ids = append(ids, report.Findings[i].ID)
	}
	return ids
}
