package policy

import (
	"errors"
	"io/fs"
	"path/filepath"
	"sort"

	"github.com/planlint/planlint/internal/compiled"
)

// Compile flattens a policy for planlint-hook, which reads no YAML. The result
// names every file that was read or looked for, so that it is known to be stale
// as soon as one of them changes, appears or goes. It is nil where a problem is
// an error.
func Compile(o Options) ([]byte, []Problem) {
	if o.FS == nil {
		o.FS = OS{}
	}
	rec := &recorder{FS: o.FS, seen: make(map[string]string)}
	o.FS = rec
	l, problems := Read(o)
	if l == nil {
		return nil, problems
	}
	file := compiled.File{Builtin: compiled.BuiltinDigest(), Inputs: rec.inputs(), Document: *l.Document}
	data, err := file.Encode()
	if err != nil {
		return nil, append(problems, Problem{Message: err.Error()})
	}
	return data, problems
}

// recorder notes what is read.
type recorder struct {
	FS
	seen map[string]string
}

// ReadFile reads a file and notes its digest, or that there was none.
func (r *recorder) ReadFile(path string) ([]byte, error) {
	data, err := r.FS.ReadFile(path)
	abs, absErr := filepath.Abs(path)
	if absErr != nil {
		return nil, absErr
	}
	switch {
	case err == nil:
		r.seen[abs] = compiled.Digest(data)
	case errors.Is(err, fs.ErrNotExist):
		r.seen[abs] = ""
	}
	return data, err
}

// Resolve follows links where the files have any.
func (r *recorder) Resolve(path string) (string, error) {
	if inner, ok := r.FS.(interface{ Resolve(string) (string, error) }); ok {
		return inner.Resolve(path)
	}
	return path, nil
}

func (r *recorder) inputs() []compiled.Input {
	out := make([]compiled.Input, 0, len(r.seen))
	for path, digest := range r.seen {
		out = append(out, compiled.Input{Path: path, Digest: digest})
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Path < out[j].Path })
	return out
}
