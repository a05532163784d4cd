package mcp_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/planlint/planlint/internal/testbin"
)

// npmFolder is where the real servers are looked for; CONTRIBUTING.md says how
// to install them.
func npmFolder(t *testing.T) string {
	dir := os.Getenv("PLANLINT_MCP_SERVERS")
	if dir == "" {
		dir = "/tmp/planlint-mcp"
	}
	for _, name := range []string{"filesystem", "everything", "memory"} {
		if _, err := os.Stat(filepath.Join(dir, "node_modules/@modelcontextprotocol/server-"+name)); err != nil {
			t.Skipf("no MCP servers: npm install --prefix %s @modelcontextprotocol/server-filesystem @modelcontextprotocol/server-everything @modelcontextprotocol/server-memory", dir)
		}
	}
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("no node")
	}
	return dir
}

var commands = testbin.New("planlint", "planlint-mcp")

func TestMain(m *testing.M) { commands.Main(m) }

// real is a machine with real servers behind the real command.
type real struct {
	t                  *testing.T
	npm, home, project string
	options            *sdk.ClientOptions
}

// connect starts planlint mcp with a server and returns a client's session.
func (r *real) connect(server string, flags, args []string) *sdk.ClientSession {
	r.t.Helper()
	entry := filepath.Join(r.npm, "node_modules/.bin/mcp-server-"+server)
	words := append(append([]string{"mcp", "--session", "shared"}, flags...), "--", entry)
	cmd := exec.Command(commands.Path(r.t, "planlint"), append(words, args...)...)
	cmd.Dir = r.project
	cmd.Env = []string{"HOME=" + r.home, "PATH=" + os.Getenv("PATH"), "MEMORY_FILE_PATH=" + filepath.Join(r.home, "memory.json")}
	cmd.Stderr = os.Stderr
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, r.options)
	s, err := client.Connect(r.t.Context(), &sdk.CommandTransport{Command: cmd}, nil)
	require.NoError(r.t, err)
	r.t.Cleanup(func() { s.Close() })
	return s
}

func (r *real) call(s *sdk.ClientSession, tool string, args map[string]any) (string, bool) {
	r.t.Helper()
	res, err := s.CallTool(r.t.Context(), &sdk.CallToolParams{Name: tool, Arguments: args})
	require.NoError(r.t, err)
	var parts []string
	for _, c := range res.Content {
		if text, ok := c.(*sdk.TextContent); ok {
			parts = append(parts, text.Text)
		}
	}
	return strings.Join(parts, "\n"), res.IsError
}

const realPolicy = `version: 1
extends: [builtin:coding-agent]
tools:
  - {name: mcp__everything__echo, risk_class: reversible-internal, args: {message: {role: content}}, sinks: [{kind: public}]}
  - {name: mcp__everything__get-sum, risk_class: irreversible-internal}
gates: {irreversible-internal: {approvals: 1}}
`

func newReal(t *testing.T, options *sdk.ClientOptions) *real {
	r := &real{t: t, npm: npmFolder(t), home: t.TempDir(), project: t.TempDir(), options: options}
	config := filepath.Join(r.home, ".config", "planlint")
	require.NoError(t, os.MkdirAll(config, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(config, "planlint.yaml"), []byte(realPolicy), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(r.project, "readme.txt"), []byte("hello there"), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(r.project, ".env"), []byte("SERVICE_KEY=kq83ndlwpq0193mx"), 0o644))
	return r
}

// TestRealServers: three servers of npm behind the real command, one session.
func TestRealServers(t *testing.T) {
	r := newReal(t, nil)
	files := r.connect("filesystem", nil, []string{r.project})
	echo := r.connect("everything", nil, nil)
	memory := r.connect("memory", nil, nil)

	list, err := files.ListTools(t.Context(), nil)
	require.NoError(t, err)
	require.NotEmpty(t, list.Tools)
	said, isError := r.call(files, "read_text_file", map[string]any{"path": filepath.Join(r.project, "readme.txt")})
	require.False(t, isError, said)
	require.Contains(t, said, "hello there")
	said, isError = r.call(echo, "echo", map[string]any{"message": "good day"})
	require.False(t, isError, said)
	said, isError = r.call(memory, "read_graph", map[string]any{})
	require.False(t, isError, said)

	said, isError = r.call(files, "read_text_file", map[string]any{"path": filepath.Join(r.project, ".env")})
	require.False(t, isError, said)
	require.Contains(t, said, "kq83ndlwpq0193mx")
	said, isError = r.call(echo, "echo", map[string]any{"message": "it says kq83ndlwpq0193mx"})
	require.True(t, isError, "from one server's file to another's public sink: %s", said)
	require.Contains(t, said, "PL1001")

	prompts, err := echo.ListPrompts(t.Context(), nil)
	require.NoError(t, err)
	require.NotEmpty(t, prompts.Prompts)
	resources, err := echo.ListResources(t.Context(), nil)
	require.NoError(t, err)
	require.NotEmpty(t, resources.Resources)
	_, err = echo.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: resources.Resources[0].URI})
	require.NoError(t, err)
}

// TestRealElicitation: a server of the protocol before input requests.
func TestRealElicitation(t *testing.T) {
	asked, action := 0, "decline"
	r := newReal(t, &sdk.ClientOptions{ElicitationHandler: func(context.Context, *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
		asked++
		return &sdk.ElicitResult{Action: action}, nil
	}})
	s := r.connect("everything", nil, nil)
	said, isError := r.call(s, "get-sum", map[string]any{"a": 2, "b": 3})
	require.True(t, isError, said)
	require.Contains(t, said, "declined")
	action = "accept"
	said, isError = r.call(s, "get-sum", map[string]any{"a": 2, "b": 3})
	require.False(t, isError, said)
	require.Contains(t, said, "5")
	require.Equal(t, 2, asked)
}
