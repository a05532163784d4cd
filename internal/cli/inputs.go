package cli

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// maxInput is the largest file that is read, in bytes.
const maxInput = 1 << 30

// stdinName is the argument and the display name of standard input.
const stdinName = "-"

// policyFile is the name of a policy; directory walks skip it.
const policyFile = "planlint.yaml"

// inputExtensions are what a directory walk looks at; a file that is named, or
// matched by a glob, is read whatever its name. Each may be followed by .gz.
var inputExtensions = []string{".yaml", ".yml", ".json", ".jsonl", ".ndjson", ".db", ".db-wal"}

// input is one thing to check.
type input struct {
	// path is "-" for standard input.
	path string
	// walked: it was found in a directory, so that it need not be a plan.
	walked bool
}

// name is how messages and reports call the input.
func (in input) name() string {
	if in.path == stdinName {
		return "<stdin>"
	}
	return in.path
}

// dir is where the search for the input's policy starts.
func (in input) dir(cwd string) string {
	if in.path == stdinName {
		return cwd
	}
	return filepath.Dir(in.path)
}

// sibling returns the bytes of a regular file in the input's own directory, nil
// where there is none: a database and its log are read together.
func (in input) sibling(base string) []byte {
	if in.path == stdinName || base != filepath.Base(base) {
		return nil
	}
	path := filepath.Join(filepath.Dir(in.path), base)
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	src, err := read(input{path: path}, nil)
	if err != nil {
		return nil
	}
	return src
}

// expand turns arguments into inputs: "-", files, directories (walked, links
// not followed) and globs. The order is that of the arguments, then of names;
// a file that is named twice is checked once. Errors are reported together.
func expand(args []string) (inputs []input, hidden []string, errs []error) {
	seen := make(map[string]bool)
	add := func(in input) {
		if key := filepath.Clean(in.path); !seen[key] {
			seen[key] = true
			inputs = append(inputs, in)
		}
	}
	for _, arg := range args {
		found, skipped, err := expandOne(arg)
		hidden = append(hidden, skipped...)
		if err != nil {
			errs = append(errs, err)
		}
		for _, in := range found {
			add(in)
		}
	}
	return inputs, hidden, errs
}

func expandOne(arg string) (found []input, hidden []string, err error) {
	if arg == stdinName {
		return []input{{path: stdinName}}, nil, nil
	}
	info, err := os.Stat(arg)
	if err == nil && info.IsDir() {
		return walk(arg)
	}
	if err == nil {
		return []input{{path: arg}}, nil, nil
	}
	if !strings.ContainsAny(arg, "*?[{") {
		return nil, nil, fmt.Errorf("%s: %w", printable(arg), reason(err))
	}
	matches, err := doublestar.FilepathGlob(arg, doublestar.WithFilesOnly(), doublestar.WithNoFollow())
	if err != nil {
		return nil, nil, fmt.Errorf("%s: bad pattern: %w", printable(arg), err)
	}
	if len(matches) == 0 {
		return nil, nil, fmt.Errorf("%s: no file matches", printable(arg))
	}
	sort.Strings(matches)
	inputs := make([]input, len(matches))
	for i, m := range matches {
		inputs[i] = input{path: m}
	}
	return inputs, nil, nil
}

// walk lists a directory's candidates in the order of their paths, and the hidden
// folders that were left out.
func walk(root string) (inputs []input, hidden []string, err error) {
	err = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && path != root && strings.HasPrefix(entry.Name(), "."):
			if !ofOthers(entry.Name()) {
				hidden = append(hidden, path)
			}
			return fs.SkipDir
		case entry.Type().IsRegular() && candidate(entry.Name()):
			inputs = append(inputs, input{path: path, walked: true})
		}
		return nil
	})
	if err != nil {
		return inputs, hidden, fmt.Errorf("%s: %w", printable(root), reason(err))
	}
	if len(inputs) == 0 {
		return nil, hidden, fmt.Errorf("%s: no plan or trace in here\nhint: a directory is searched for %s, each also with .gz behind it",
			printable(root), strings.Join(inputExtensions, " "))
	}
	return inputs, hidden, nil
}

// ofOthers reports whether a hidden folder belongs to a tool that keeps no runs of
// agents.
func ofOthers(name string) bool {
	return slices.Contains([]string{".git", ".hg", ".svn", ".jj", ".venv", ".tox", ".cache", ".pytest_cache", ".mypy_cache", ".ruff_cache", ".idea", ".DS_Store"}, name)
}

// maxHidden is how many hidden folders the note names.
const maxHidden = 3

// noteHidden says once which hidden folders were not searched: clients keep their
// sessions in such.
func noteHidden(s *streams, hidden []string) {
	if len(hidden) == 0 {
		return
	}
	names := make([]string, 0, maxHidden)
	for _, path := range hidden[:min(len(hidden), maxHidden)] {
		names = append(names, printable(path))
	}
	if left := len(hidden) - len(names); left > 0 {
		names = append(names, fmt.Sprintf("%d more", left))
	}
	fmt.Fprintf(s.stderr, "note: %s not searched: %s\nhint: name a hidden folder to search it\n", plural(len(hidden), "hidden folder"), strings.Join(names, ", "))
}

func candidate(name string) bool {
	if name == policyFile || strings.HasPrefix(name, ".") {
		return false
	}
	name = strings.TrimSuffix(name, ".gz")
	for _, ext := range inputExtensions {
		if strings.HasSuffix(name, ext) {
			return true
		}
	}
	return false
}

// read returns an input's bytes, at most maxInput.
func read(in input, stdin io.Reader) ([]byte, error) {
	r := stdin
	if in.path != stdinName {
		f, err := os.Open(in.path)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", printable(in.path), reason(err))
		}
		defer f.Close()
		r = f
	}
	src, err := io.ReadAll(io.LimitReader(r, maxInput+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", printable(in.path), reason(err))
	}
	if len(src) > maxInput {
		return nil, fmt.Errorf("%s: larger than %d MiB", printable(in.path), maxInput>>20)
	}
	return src, nil
}

// reason drops the path that os errors repeat.
func reason(err error) error {
	if pe, ok := err.(*fs.PathError); ok {
		return pe.Err
	}
	return err
}
