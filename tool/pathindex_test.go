package tool

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planlint/planlint/plan"
)

var indexPatterns = []string{
	"**/.env{.,-,_}*", "~/.ssh/**", "//etc/hosts", "Makefile", "../x", "*", "a*", "**/[ab]c", "**/*.{key,PEM}", "Ünder/**", "//proc/*/environ", "src/*.go",
}

var indexNames = []string{
	"", "/", "a", "x", ".env", "/srv/app/.env.local", "/srv/app/.ENV-x", "/home/dev/.ssh/id", "~/.ssh/id", "/etc/hosts", "/etc/hosts/x", "/srv/app/makefile",
	"/srv/x", "/srv/app/bc", "/srv/app/k.pem", "/srv/app/ünder/x", "/srv/app/ÜNDER/x", "/proc/1/environ", "/srv/app/src/a.go", "/tmp/a.env.b/.envx",
}

// checkIndex compares the index with asking every pattern.
func checkIndex(t *testing.T, texts []string, name string) (found int) {
	var globs []*PathGlob
	for _, text := range texts {
		if g, err := CompilePath(text); err == nil {
			globs = append(globs, g, nil, DeferPath(text))
		}
	}
	of := NewPathIndex(globs).Of(strings.ToLower(name), []int32{-1})
	require.True(t, slices.IsSorted(of) && len(slices.Compact(slices.Clone(of))) == len(of), "%v", of)
	require.Equal(t, int32(-1), of[0])
	for i, g := range globs {
		if g == nil {
			require.NotContains(t, of, int32(i))
			continue
		}
		env := &plan.Env{Cwd: "/srv/app", Home: "/home/dev", CaseInsensitive: true}
		if !slices.Contains(of, int32(i)) {
			require.Equal(t, NoMatch, g.Reaches(env, &PathUse{Path: name, Known: true}), "%q and %q", g, name)
		}
	}
	return len(of) - 1
}

func TestPathIndex(t *testing.T) {
	found := 0
	for _, name := range indexNames {
		found += checkIndex(t, indexPatterns, name)
	}
	require.Positive(t, found)
	require.Less(t, found, len(indexNames)*len(indexPatterns), "it leaves out most")

	// More beginnings than there are lists.
	var many []string
	for i := range 400 {
		many = append(many, "**/"+string(rune('a'+i%26))+string(rune('a'+i/26))+"name")
	}
	for _, name := range []string{"/aaname", "/zaname", "/bpname/x", "/nothing"} {
		checkIndex(t, many, name)
	}
}

func FuzzPathIndex(f *testing.F) {
	for i, name := range indexNames {
		f.Add(indexPatterns[i%len(indexPatterns)], name)
	}
	f.Fuzz(func(t *testing.T, pattern, name string) { checkIndex(t, []string{pattern, "**/.env"}, name) })
}
