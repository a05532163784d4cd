package tool

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOtherSpelling(t *testing.T) {
	for name, want := range map[string]string{
		"/a/b.go":                           "",
		"/a/.git/config":                    "",
		"/a/b c/d.e":                        "",
		"/a/../b":                           "",
		"c:/a/b":                            "",
		`/a/.claude\settings.json`:          "/a/.claude/settings.json",
		`/a/src\..\.env`:                    "/a/.env",
		"/a/.git/config.":                   "/a/.git/config",
		"/a/.git /config":                   "/a/.git/config",
		"/a/.git. ./config":                 "/a/.git/config",
		"/a/.git::$INDEX_ALLOCATION/config": "/a/.git/config",
		"/a/.claude/settings.json::$DATA":   "/a/.claude/settings.json",
		"/a/GIT~1/config":                   "/a/.git/config",
		"/a/backup~/x":                      "",
		"/a/file.txt~":                      "",
		"c:/a/b./c":                         "c:/a/b/c",
		"/a/notes~10.txt":                   "",
		"https://a.example/b":               "",
	} {
		got, ok := otherSpelling(name)
		require.Equal(t, want != "", ok, name)
		if ok {
			require.Equal(t, want, got, name)
		}
	}
}
