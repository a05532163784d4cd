package main

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// allowed are the packages outside of the standard library that the small binary
// may link; a new one costs time at every call of every session.
var allowed = []string{
	"github.com/bmatcuk/doublestar/v4",
	"github.com/dominikbraun/graph",
	"github.com/go-json-experiment/json/internal",
	"github.com/go-json-experiment/json/internal/jsonflags",
	"github.com/go-json-experiment/json/internal/jsonopts",
	"github.com/go-json-experiment/json/internal/jsonwire",
	"github.com/go-json-experiment/json/jsontext",
	"mvdan.cc/sh/v3/fileutil",
	"mvdan.cc/sh/v3/syntax",
}

// ours are the packages of ours that it may link.
var ours = []string{
	"", "cmd/planlint-hook", "finding", "gate", "hook", "origin", "plan", "rules", "shell", "taint", "tool",
	"internal/compiled", "internal/content", "internal/fields", "internal/lockfile", "internal/match", "internal/quick", "internal/reuse", "internal/session", "internal/spell",
	"internal/transcript", "internal/xdg",
}

// forbiddenStandard are the standard packages that are slow to start or reach
// out.
var forbiddenStandard = []string{"net", "net/http", "os/exec", "html/template", "text/template", "go/ast", "flag", "log", "log/slog", "testing"}

func TestLinksOnlyWhatItMust(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	require.NoError(t, err)
	list := strings.Fields(string(out))
	require.NotEmpty(t, list)
	for _, dep := range list {
		if rest, own := strings.CutPrefix(dep, "github.com/planlint/planlint"); own && (rest == "" || rest[0] == '/') {
			require.Contains(t, ours, strings.TrimPrefix(rest, "/"), "planlint-hook links %q", dep)
			continue
		}
		if first, _, _ := strings.Cut(dep, "/"); strings.Contains(first, ".") {
			require.Contains(t, allowed, dep, "planlint-hook links %q", dep)
			continue
		}
		require.NotContains(t, forbiddenStandard, dep)
	}
}
