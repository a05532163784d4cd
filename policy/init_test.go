package policy

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestInit(t *testing.T) {
	dir := project(t, map[string]string{
		"CLAUDE.md":             "hello",
		".mcp.json":             `{"mcpServers": {"github": {"command": "x"}, "ledger": {}, "bad\nname: y": {}}}`,
		".gemini/settings.json": `{"mcpServers": {"github": {}, "slack": {}}}`,
		".vscode/mcp.json":      `not json`,
	})
	s := Detect(OS{}, dir)
	require.Equal(t, []string{"Claude Code", "Gemini CLI"}, s.Clients)
	require.Equal(t, []string{"github", "ledger", "slack"}, s.Servers)
	require.Equal(t, map[string]bool{"github": true, "ledger": false, "slack": true}, s.Described)

	o := Options{Dir: dir, UserDir: filepath.Join(t.TempDir(), "planlint")}
	path, err := Init(o)
	require.NoError(t, err)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Contains(t, string(text), "# Found here: Claude Code, Gemini CLI\n")
	require.Contains(t, string(text), "mcp__ledger__TOOL")

	p, problems := Load(o)
	require.NotNil(t, p, printed(problems))
	require.Empty(t, problems, "what init writes is trusted")

	_, err = Init(o)
	require.ErrorIs(t, err, ErrExists)
}

func TestDraftOfAnEmptyFolder(t *testing.T) {
	p, problems := Load(Options{Files: []string{"planlint.yaml"}, FS: memory{"planlint.yaml": string(Detect(memory{}, ".").Draft())}})
	require.NotNil(t, p, printed(problems))
	require.Empty(t, problems)
}
