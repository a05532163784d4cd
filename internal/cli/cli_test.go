package cli

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestScripts runs testdata/script/*.txtar: the command as its user types it.
// `exits CODE planlint ...` checks the exact exit code, which `! exec` cannot.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:           "../../testdata/script",
		UpdateScripts: *update,
		Setup: func(env *testscript.Env) error {
			env.Setenv("HOME", env.WorkDir+"/home")
			env.Setenv("XDG_CONFIG_HOME", env.WorkDir+"/home/.config")
			env.Setenv("XDG_STATE_HOME", env.WorkDir+"/home/.state")
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exits": exits,
		},
	})
}

func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE command [args...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		_, text, found := strings.Cut(err.Error(), "exit status ")
		if !found {
			ts.Fatalf("%v", err)
		}
		got, err = strconv.Atoi(text)
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// TestExamples holds the output of every example plan, in text and JSON.
func TestExamples(t *testing.T) {
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	t.Chdir(root)
	plans, err := filepath.Glob("examples/plans/*.yaml")
	require.NoError(t, err)
	require.Greater(t, len(plans), 14)
	home := t.TempDir()
	for _, path := range plans {
		if filepath.Base(path) == policyFile {
			continue
		}
		for _, format := range []string{"text", "json"} {
			t.Run(filepath.Base(path)+"/"+format, func(t *testing.T) {
				var out, errs bytes.Buffer
				code := Run(t.Context(), []string{"HOME=" + home}, strings.NewReader(""), &out, &errs, []string{"check", "-f", format, path})
				got := fmt.Sprintf("%s%sexit %d\n", out.String(), errs.String(), code)
				golden(t, filepath.Join("testdata/examples", strings.TrimSuffix(filepath.Base(path), ".yaml")+"."+format), got)
			})
		}
	}
}

func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
		return
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err, "make it with: go test ./internal/cli -update, then read it")
	require.Equal(t, string(want), got)
}
