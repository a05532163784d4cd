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

// TestReadme runs the README's first command and compares what it shows; every
// page that the README links must exist.
func TestReadme(t *testing.T) {
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	t.Chdir(root)
	readme, err := os.ReadFile("README.md")
	require.NoError(t, err)
	command := regexp.MustCompile(`(?m)^    go run ./cmd/planlint (.*)$`).FindSubmatch(readme)
	require.NotNil(t, command)
	shown := regexp.MustCompile("(?s)```\n(.*?)\n```").FindSubmatch(readme)
	require.NotNil(t, shown)

	var out, errs bytes.Buffer
	code := Run(t.Context(), []string{"HOME=" + t.TempDir()}, strings.NewReader(""), &out, &errs, strings.Fields(string(command[1])))
	require.Equal(t, ExitFound, code)
	require.Empty(t, errs.String())
	require.Equal(t, strings.TrimRight(out.String(), "\n"), string(shown[1]))

	links := regexp.MustCompile(`\]\(([A-Za-z][^):]*)\)`).FindAllSubmatch(readme, -1)
	require.NotEmpty(t, links)
	for _, link := range links {
		_, err := os.Stat(string(link[1]))
		require.NoError(t, err)
	}
}
