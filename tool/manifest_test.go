package tool

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestHarmlessLines(t *testing.T) {
	for _, tc := range []struct {
		before, after string
		want          bool
	}{
		{`"version": "1.2.3",`, `"version": "1.2.4",`, true},
		{`"left-pad": "^1.0.0",`, `"left-pad": "^1.1.0",`, true},
		{`"dependencies": {`, "\"dependencies\": {\n  \"x\": \"workspace:*\",", true},
		{`"description": "a"`, `"description": "b"`, true},
		{`"test": "jest"`, `"test": "sh x.sh"`, false},
		{`"scripts": {`, "\"scripts\": {\n \"postinstall\": \"node x\",", false},
		{`"dependencies": {`, `"scripts": {`, false},
		{`"x": "1.0.0"`, `"x": "git+https://a.example/x.git"`, false},
		{`"bin": "a"`, `"bin": "b"`, false},
		{`"version": "1"`, `"version": "1", "scripts": {"a": "b"}`, false},
	} {
		require.Equal(t, tc.want, harmlessLines([]string{tc.before}, []string{tc.after}), "%s -> %s", tc.before, tc.after)
	}
}

func TestHarmlessManifest(t *testing.T) {
	for text, want := range map[string]bool{
		`{"name": "x", "version": "1.0.0", "dependencies": {"a": "^1"}}`: true,
		`{"name": "x", "scripts": {}}`:                                   true,
		`{"name": "x", "scripts": {"test": "jest"}}`:                     false,
		`{"name": "x", "husky": {"hooks": {"pre-commit": "x"}}}`:         false,
	} {
		got, parsed := harmlessManifest(text)
		require.True(t, parsed)
		require.Equal(t, want, got, text)
	}
	_, parsed := harmlessManifest("no manifest")
	require.False(t, parsed)
}

func TestFetched(t *testing.T) {
	for text, want := range map[string]bool{
		"![x](": true, "see [x](": false, "[![x](": true, `<img src="`: true, "url(": true, `"$schema": "`: true,
		"plain ": false, "![x](a.png) and [y](": false, "": false, "![x]\n(": false,
	} {
		require.Equal(t, want, fetched(text), text)
	}
}
