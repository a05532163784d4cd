package policy

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestHostileFiles: whatever a cloned repository brings is an error, soon.
func TestHostileFiles(t *testing.T) {
	many := func(n int, item string) string { return strings.Repeat(item, n) }
	cases := map[string]string{
		"aliases":        "version: 1\nx: &t {name: a, risk_class: compensating, output: [" + many(200, "{labels: [secret]},") + "]}\ntools: [" + many(2000, "*t, ") + "]\n",
		"unknown fields": "version: 1\n" + unknownFields(40000),
		"one rule field": "version: 1\nrules:\n" + many(20000, "  - {decision: deny, tol: x}\n"),
		"deep flow":      "version: 1\nx: " + many(200000, "[") + "\n",
		"deep block":     "version: 1\nrules:\n" + many(5000, "- "),
		"long line":      "version: 1\nrules: [" + many(50000, "{decision: dny}, ") + "]\n",
		"too large":      "version: 1\n# " + many(MaxFile, "x"),
		"control":        "version: 1\nname: \x1b[31m\n",
		"not UTF-8":      "version: 1\nname: \xff\n",
		"NUL":            "version: 1\x00\n",
		"bidi":           "version: 1\nrules: [{decision: deny, tool: x, \u202e: y}]\n",
		"complex key":    "version: 1\n? [a, b]\n: c\n",
		"merge key":      "version: 1\nsettings: {<<: {mode: observe}}\n",
		"tag":            "version: 1\nrules: !!python/object [x]\n",
		"binary":         "version: !!binary aGVsbG8=\n",
	}
	for name, text := range cases {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			p, problems := Load(Options{Files: []string{"p.yaml"}, FS: memory{"p.yaml": text}})
			require.Nil(t, p)
			require.NotEmpty(t, Errors(problems))
			require.LessOrEqual(t, len(problems), maxProblems+1)
			shown := printed(problems)
			for _, r := range shown {
				require.False(t, r < 0x20 && r != '\n' || r == 0x7f || r >= 0x202a && r <= 0x202e, "raw %U in a message", r)
			}
			require.Less(t, time.Since(start), 20*time.Second, "cost must be linear")
		})
	}
}

func unknownFields(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "rulez%d: 1\n", i)
	}
	return b.String()
}

func TestProjectFileMustNotBeALinkOutside(t *testing.T) {
	outside := project(t, map[string]string{"x.yaml": "version: 1\npassword: hunter2\n"})
	dir := t.TempDir()
	require.NoError(t, os.Symlink(filepath.Join(outside, "x.yaml"), filepath.Join(dir, FileName)))
	p, problems := Load(Options{Dir: dir})
	require.Nil(t, p)
	require.Contains(t, problems[0].Message, "leaves the project's folder")
	require.NotContains(t, printed(problems), "hunter2")
}
