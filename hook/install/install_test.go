package install

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var all = []string{"claude-code", "codex", "gemini", "qwen", "copilot", "opencode", "cline", "cursor", "windsurf", "kiro"}

func site(t *testing.T) Site {
	root := t.TempDir()
	return Site{Home: filepath.Join(root, "home"), Dir: filepath.Join(root, "work"), Binary: "/opt/plan lint/planlint"}
}

func apply(t *testing.T, changes []Change, err error) {
	t.Helper()
	require.NoError(t, err)
	for i := range changes {
		require.NotEmpty(t, changes[i].Diff())
		require.NoError(t, changes[i].Apply())
	}
}

func forEach(t *testing.T, test func(t *testing.T, client string, scope Scope, s Site)) {
	for _, client := range all {
		for _, scope := range []Scope{User, Project} {
			t.Run(client+[...]string{"-user", "-project"}[scope], func(t *testing.T) { test(t, client, scope, site(t)) })
		}
	}
}

// TestInstallAndBack: installing twice changes nothing, and uninstalling leaves
// no file that was not there.
func TestInstallAndBack(t *testing.T) {
	forEach(t, func(t *testing.T, client string, scope Scope, s Site) {
		changes, err := Install(client, scope, s)
		require.NotEmpty(t, changes)
		apply(t, changes, err)
		again, err := Install(client, scope, s)
		require.NoError(t, err)
		require.Empty(t, again)
		other := s
		other.Binary, other.Fast = "/usr/bin/planlint", "/usr/local bin/planlint-hook"
		changed, err := Install(client, scope, other)
		require.NotEmpty(t, changed)
		apply(t, changed, err)
		for i := range changed {
			require.NotContains(t, string(changed[i].New), s.Binary)
		}
		gone, err := Uninstall(client, scope, other)
		apply(t, gone, err)
		for i := range changes {
			require.NoFileExists(t, changes[i].Path)
		}
	})
}

// settings are files that clients' users have; no byte of them may change.
var settings = []string{
	"{}", "{\n}\n",
	`{"model":"x"}`,
	"{\n  \"model\": \"x\",\n  \"permissions\": {\"allow\": [\"Bash\"]}\n}\n",
	"{\n\t\"hooks\": {\n\t\t\"PreToolUse\": [\n\t\t\t{\"matcher\": \"Bash\", \"hooks\": [{\"type\": \"command\", \"command\": \"./guard.sh \\\"x\\\"\"}]}\n\t\t],\n\t\t\"Stop\": []\n\t},\n\t\"z\": 1.0e3\n}",
	"{ \"hooks\" : { \"preToolUse\" : [ {\"command\":\"mine\"} ] , \"BeforeTool\":[{\"hooks\":[]}]  } , \"version\": 1 }",
	"{\"a\\\"b\": {}, \"hooks\": {\"pre_run_command\": [{\"command\": \"mine\"}]}}",
}

// TestKeepsEveryByte: what is not planlint's stays, in order and form, and comes
// back whole.
func TestKeepsEveryByte(t *testing.T) {
	for n, text := range settings {
		forEach(t, func(t *testing.T, client string, scope Scope, s Site) {
			target, err := targetOf(client, scope, s)
			require.NoError(t, err)
			if target.files[0].whole != "" {
				t.Skip("a file of its own")
			}
			path := target.files[0].path
			require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
			require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
			changes, err := Install(client, scope, s)
			apply(t, changes, err)
			installed, err := os.ReadFile(path)
			require.NoError(t, err)
			require.True(t, json.Valid(installed), "settings %d: %s", n, installed)
			require.True(t, subsequence(text, string(installed)), "%s", installed)
			again, err := Install(client, scope, s)
			require.NoError(t, err)
			require.Empty(t, again)
			info, err := os.Stat(path)
			require.NoError(t, err)
			require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
			back, err := Uninstall(client, scope, s)
			apply(t, back, err)
			if strings.Trim(text, "{}\n") == "" {
				return // an empty object is no settings
			}
			after, err := os.ReadFile(path)
			require.NoError(t, err)
			if client == "cursor" && !strings.Contains(text, `"version"`) {
				require.True(t, subsequence(text, string(after)))
				return // the version stays
			}
			require.Equal(t, text, string(after))
		})
	}
}

func subsequence(part, whole string) bool {
	part = strings.Join(strings.Fields(part), "")
	for i := 0; i < len(whole) && part != ""; i++ {
		if whole[i] == part[0] {
			part = part[1:]
		}
	}
	return part == ""
}

// TestRefuses: what can't be changed safely is left alone and explained.
func TestRefuses(t *testing.T) {
	for _, text := range []string{"// mine\n{}", "{\"hooks\": []}", "{\"hooks\": {\"PreToolUse\": {}}}", "{", "[]"} {
		s := site(t)
		path := filepath.Join(s.Home, ".claude", "settings.json")
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		_, err := Install("claude-code", User, s)
		require.ErrorContains(t, err, "add this by hand", text)
	}
	s := site(t)
	path := filepath.Join(s.Home, ".cline", "hooks", "PreToolUse.sh")
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\nexit 0\n"), 0o755))
	_, err := Install("cline", User, s)
	require.ErrorContains(t, err, "a hook of yours")
	_, err = Install("emacs", User, s)
	require.ErrorContains(t, err, "unknown client")
	_, err = Install("generic", User, s)
	require.ErrorContains(t, err, "no client to install into")
}

// TestLineRefusesForPlanlint: where planlint is missing, killed or can't start,
// the configured line refuses in its place, and it passes on what planlint says.
func TestLineRefusesForPlanlint(t *testing.T) {
	dir := t.TempDir()
	script := func(name, body string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\n"+body+"\n"), 0o755))
		return path
	}
	broken := map[string]string{
		"missing": filepath.Join(dir, "no such"), "killed": script("killed", "kill -9 $$"), "crashes": script("crashes", "exit 1"),
		"no program": script("it's a mess", "nonsense"), "refuses": script("refuses", "echo no >&2; exit 2"),
	}
	for name, binary := range broken {
		for _, client := range []string{"claude-code", "codex", "gemini", "qwen", "copilot", "cursor", "windsurf", "kiro"} {
			out, err := exec.Command("sh", "-c", hookLine(Site{Binary: binary}, client, "")).CombinedOutput()
			var exit *exec.ExitError
			require.ErrorAs(t, err, &exit, name)
			require.Equal(t, 2, exit.ExitCode(), name)
			require.NotEmpty(t, out)
		}
		cline := clineTarget(dir, Site{Binary: binary}).files[0].whole
		out, _ := exec.Command("sh", "-c", cline).Output()
		require.Contains(t, string(out), `"cancel":true`, name)
	}
	passes := script("passes", "exit 0")
	require.NoError(t, exec.Command("sh", "-c", hookLine(Site{Binary: passes}, "codex", "")).Run())
	out, err := exec.Command("sh", "-c", clineTarget(dir, Site{Binary: passes}).files[0].whole).Output()
	require.NoError(t, err)
	require.Equal(t, "\n", string(out))
}

func FuzzDocument(f *testing.F) {
	for _, s := range settings {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		fl := file{client: "claude-code", entries: claudeEntries(Site{Binary: "planlint"})}
		installed, err := fl.install([]byte(text), Site{})
		if err != nil {
			return
		}
		require.True(t, json.Valid(installed), "%q", installed)
		again, err := fl.install(installed, Site{})
		require.NoError(t, err)
		require.Equal(t, string(installed), string(again))
		_, err = fl.uninstall(installed)
		require.NoError(t, err)
	})
}
