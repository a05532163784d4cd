package policy

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var yamlBlock = regexp.MustCompile("(?s)```yaml\n(.*?)```")

// TestDocsLoad loads every example of the user's guides.
func TestDocsLoad(t *testing.T) {
	for file, least := range map[string]int{"../docs/policy.md": 10, "../docs/contracts.md": 1} {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		blocks := yamlBlock.FindAllStringSubmatch(string(text), -1)
		require.GreaterOrEqual(t, len(blocks), least)
		for _, b := range blocks {
			source := b[1]
			if !strings.Contains("\n"+source, "\nversion: 1\n") {
				source = "version: 1\n" + source
			}
			files := memory{"planlint.yaml": source, "team.yaml": "version: 1\n"}
			p, problems := Load(Options{Files: []string{"planlint.yaml"}, FS: files})
			require.NotNil(t, p, "%s:\n%s\n%s", file, source, printed(problems))
			require.Empty(t, problems)
		}
	}
}
