package policy

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planlint/planlint/internal/compiled"
	"github.com/planlint/planlint/tool"
)

// TestPacksAreSound lowers every built-in contract: what is decoded later is
// checked here. Each names its source and is clean of lints, but for those that
// are listed with a reason.
func TestPacksAreSound(t *testing.T) {
	accepted := map[string]string{
		// A preview of a command, of code or of a statement is its text.
		"Bash": "names no preview", "PowerShell": "names no preview", "write_bash": "names no preview", "Monitor": "names no preview",
		"run_code": "names no preview", "mcp__mysql__mysql_query": "names no preview", "mcp__postgres__query": "names no preview",
		"mcp__puppeteer__puppeteer_navigate": "names no preview", "mcp__kubernetes__exec_in_pod": "names no preview",
		// Tests do what the files say that they run: the exec sink judges that.
		"run_tests": "weaker than its facts",
	}
	doc, err := compiled.BuiltinDocument("default")
	require.NoError(t, err)
	p, problems := build(doc)
	require.Empty(t, problems)
	pack, err := compiled.BuiltinPack()
	require.NoError(t, err)
	used := make(map[string]bool)
	for _, name := range pack.Names() {
		c := p.Registry.Contract(name)
		require.NotNil(t, c, name)
		for _, w := range tool.Check(c) {
			t.Errorf("%s: %s", name, w.String())
		}
		if c.Source == "" {
			t.Errorf("%s: no source", name)
		}
		for _, w := range tool.Lint(c) {
			if reason, ok := accepted[c.Name]; ok && strings.Contains(w.Message, reason) {
				used[c.Name] = true
				continue
			}
			t.Errorf("%s: %s", name, w.String())
		}
	}
	for name := range accepted {
		require.True(t, used[name], "accepted lint of %s is gone", name)
	}
}

// TestBuiltinConditions compiles every condition of the packs with the checks
// that users' conditions get.
func TestBuiltinConditions(t *testing.T) {
	for _, name := range compiled.Presets() {
		p, err := Builtin(name)
		require.NoError(t, err)
		require.NoError(t, p.Composer.(*conditions).set.Verify())
	}
}

// TestBuiltinRulesWaiveNothing: built-in packs waive nothing of the last three
// classes and accept nothing.
func TestBuiltinRulesWaiveNothing(t *testing.T) {
	for _, name := range compiled.Presets() {
		doc, err := compiled.BuiltinDocument(name)
		require.NoError(t, err)
		for _, r := range doc.Rules {
			require.True(t, r.Builtin)
			require.Empty(t, r.Accepts)
		}
	}
}

// TestPacksFitTogether: the tools that contracts name as compensation or preview
// exist and need no more authority than the call itself.
func TestPacksFitTogether(t *testing.T) {
	p, err := Builtin("default")
	require.NoError(t, err)
	seen := make(map[*tool.Contract]bool)
	var contracts []*tool.Contract
	for _, name := range p.Registry.Names() {
		if c := p.Registry.Contract(name); !seen[c] {
			seen[c] = true
			contracts = append(contracts, c)
		}
	}
	// The usual examples of compensation take more than the call itself.
	accepted := []string{`tool "book_flight"`, `tool "charge_card"`}
	for _, w := range tool.LintAll(contracts) {
		if !strings.Contains(w.Message, "nothing describes") && !strings.Contains(w.Message, "needs more authority") {
			continue
		}
		if !slices.ContainsFunc(accepted, func(a string) bool { return strings.HasPrefix(w.Message, a) }) {
			t.Error(w.String())
		}
	}
}
