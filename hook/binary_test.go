package hook_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/planlint/planlint/internal/testbin"
)

// real is the real command.
var real = testbin.New("planlint")

func TestMain(m *testing.M) { real.Main(m) }

func binary(t *testing.T) string {
	t.Helper()
	return real.Path(t, "planlint")
}

// machine is a user's machine of its own: home, state and working folder.
type machine struct {
	t                   *testing.T
	bin                 string
	home, state, folder string
	env                 []string
}

func newMachine(t *testing.T) *machine {
	t.Helper()
	root := t.TempDir()
	m := &machine{t: t, bin: binary(t), home: filepath.Join(root, "home"), state: filepath.Join(root, "state"), folder: filepath.Join(root, "work")}
	for _, dir := range []string{m.home, m.folder} {
		require.NoError(t, os.MkdirAll(dir, 0o755))
	}
	m.env = []string{"HOME=" + m.home, "XDG_STATE_HOME=" + m.state, "PATH=" + os.Getenv("PATH")}
	return m
}

// answer is what the process said.
type answer struct {
	stdout, stderr string
	code           int
}

func (m *machine) command(client string, args ...string) *exec.Cmd {
	cmd := exec.Command(m.bin, append([]string{"hook", client}, args...)...)
	cmd.Env, cmd.Dir = m.env, m.folder
	return cmd
}

func (m *machine) hook(client, event string, args ...string) answer {
	m.t.Helper()
	cmd := m.command(client, args...)
	cmd.Stdin = strings.NewReader(event)
	return m.run(cmd)
}

func (m *machine) run(cmd *exec.Cmd) answer {
	m.t.Helper()
	var stdout, stderr bytes.Buffer
	if cmd.Stdout == nil {
		cmd.Stdout = &stdout
	}
	cmd.Stderr = &stderr
	start := time.Now()
	_ = cmd.Run() // the exit code tells
	require.Less(m.t, time.Since(start), 30*time.Second)
	return answer{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()}
}

// requireDenied checks that every client would take the answer for a refusal,
// and that it says why and what to do.
func requireDenied(t *testing.T, client string, a answer, why string) {
	t.Helper()
	require.Equal(t, 2, a.code, "stdout %s stderr %s", a.stdout, a.stderr)
	require.Contains(t, a.stderr, "why: ")
	require.Contains(t, a.stderr, "instead: ")
	require.Contains(t, a.stderr, why)
	var said map[string]any
	require.NoError(t, json.Unmarshal([]byte(a.stdout), &said), a.stdout)
	require.Equal(t, "deny", said["decision"])
	if client != "generic" {
		require.Equal(t, true, said["cancel"])
		require.Equal(t, "deny", said["permission"])
		require.Equal(t, "deny", said["permissionDecision"])
		require.NotEmpty(t, said["errorMessage"])
	}
}

// requireSilent checks that the client's own rules go on.
func requireSilent(t *testing.T, client string, a answer) {
	t.Helper()
	require.Zero(t, a.code, "stdout %s stderr %s", a.stdout, a.stderr)
	switch client {
	case "cursor":
		require.Equal(t, "{}\n", a.stdout)
	case "generic":
		if a.stdout != "" {
			require.Contains(t, a.stdout, `"decision":"allow"`)
		}
	default:
		require.Empty(t, a.stdout)
	}
}
