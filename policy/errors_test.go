package policy

import (
	"errors"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the expected outputs anew")

// memory is an FS of texts by path.
type memory map[string]string

func (m memory) ReadFile(path string) ([]byte, error) {
	text, ok := m[filepath.ToSlash(path)]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	}
	if len(text) > MaxFile {
		return nil, errors.New("too large")
	}
	return []byte(text), nil
}

// printed is what a person sees of problems.
func printed(problems []Problem) string {
	var b strings.Builder
	for _, p := range problems {
		b.WriteString(p.Error() + "\n")
	}
	return b.String()
}

// TestErrors holds every load error to its exact text. The archive has pairs of
// NAME.yaml and NAME.out; -update writes the latter.
func TestErrors(t *testing.T) {
	const archive = "testdata/errors.txtar"
	a, err := txtar.ParseFile(archive)
	require.NoError(t, err)
	texts := make(map[string]string)
	for _, f := range a.Files {
		texts[f.Name] = string(f.Data)
	}
	out := &txtar.Archive{Comment: a.Comment}
	count := 0
	for _, f := range a.Files {
		name, isPolicy := strings.CutSuffix(f.Name, ".yaml")
		if !isPolicy {
			continue
		}
		count++
		source := strings.TrimSuffix(string(f.Data), "\n") + "\n"
		p, problems := Load(Options{Files: []string{"p.yaml"}, FS: memory{"p.yaml": source}})
		have := printed(problems)
		out.Files = append(out.Files, f, txtar.File{Name: name + ".out", Data: []byte(have)})
		if *update {
			continue
		}
		t.Run(name, func(t *testing.T) {
			require.Equal(t, texts[name+".out"], have)
			require.Nil(t, p, "a broken policy must not load")
			require.NotEmpty(t, Errors(problems))
		})
	}
	require.GreaterOrEqual(t, count, 40)
	if *update {
		require.NoError(t, os.WriteFile(archive, txtar.Format(out), 0o644))
	}
}
