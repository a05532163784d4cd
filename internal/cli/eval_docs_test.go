package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestEvalDocs runs the example of docs/eval.md: its policy, its runs, and its
// commands with what they print.
func TestEvalDocs(t *testing.T) {
	page, err := os.ReadFile("../../docs/eval.md")
	require.NoError(t, err)
	block := func(kind string) string {
		found := regexp.MustCompile("(?s)```" + kind + "\n(.*?)```").FindSubmatch(page)
		require.NotNil(t, found, kind)
		return string(found[1])
	}
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "mail.yaml"), []byte(block("yaml")), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "runs.jsonl"), []byte(block("json")), 0o600))
	t.Chdir(dir)
	commands := strings.Split(block("text"), "$ planlint ")[1:]
	require.Len(t, commands, 2)
	for _, c := range commands {
		command, want, _ := strings.Cut(c, "\n")
		var out, errs bytes.Buffer
		require.Equal(t, ExitClean, Run(t.Context(), []string{"HOME=" + dir}, strings.NewReader(""), &out, &errs, strings.Fields(command)))
		require.Empty(t, errs.String(), "the example gives no warning")
		got := regexp.MustCompile(`(?m) +$`).ReplaceAllString(out.String(), "")
		if start, cut := strings.CutSuffix(want, "...\n"); cut {
			require.True(t, strings.HasPrefix(got, start), got)
		} else {
			require.Equal(t, want, got)
		}
	}
}

// TestEvalDocsLinks: the sections of other pages that docs/eval.md and docs/policy.md
// lead to exist.
func TestEvalDocsLinks(t *testing.T) {
	for _, name := range []string{"eval.md", "policy.md"} {
		page, err := os.ReadFile(filepath.Join("../../docs", name))
		require.NoError(t, err)
		for _, link := range regexp.MustCompile(`\]\(([a-z-]+\.md)?(?:#([a-z-]+))?\)`).FindAllSubmatch(page, -1) {
			to := name
			if len(link[1]) > 0 {
				to = string(link[1])
			}
			text, err := os.ReadFile(filepath.Join("../../docs", to))
			require.NoError(t, err, to)
			if heading := strings.ReplaceAll(string(link[2]), "-", " "); heading != "" {
				require.Regexp(t, "(?mi)^##+ "+heading+"$", string(text), "%s: %s", name, link[0])
			}
		}
	}
}
