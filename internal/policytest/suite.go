package policytest

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/planlint/planlint/internal/compiled"
	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/policy"
	"github.com/planlint/planlint/tool"
	"github.com/planlint/planlint/trace"
)

// TestSuffix is how the name of a file of tests ends.
const TestSuffix = ".test.yaml"

// Beside lists the files of tests in a policy's folder, sorted.
func Beside(policyFile string) []string {
	list, _ := filepath.Glob(filepath.Join(filepath.Dir(policyFile), "*"+TestSuffix))
	sort.Strings(list)
	return list
}

// IsTestFile reports whether a path names a file of tests and no policy.
func IsTestFile(path string) bool { return strings.HasSuffix(path, TestSuffix) }

// Load reads the tests of a policy file, or of a file of tests. Diagnostics
// (problems with an id) do not keep the suite from being used.
func Load(path string) (*Suite, []policy.Problem) {
	if IsTestFile(path) {
		return loadTests(path)
	}
	loaded, problems := policy.Read(policy.Options{Files: []string{path}})
	if loaded == nil {
		return nil, problems
	}
	s := newSuite(path, path, loaded)
	d := newDecoder(path)
	for _, t := range loaded.Tests {
		if t.File == path {
			s.Tests = append(s.Tests, d.test(t.Node))
		}
	}
	return s.unless(append(problems, d.shown()...))
}

func newSuite(file, policyFile string, loaded *policy.Loaded) *Suite {
	s := &Suite{File: file, Policy: policyFile, Document: loaded.Document, Own: make(map[string]bool)}
	for _, l := range loaded.Layers {
		s.Own[l.File] = true
	}
	return s
}

// unless returns the suite, or nothing where a problem is an error.
func (s *Suite) unless(problems []policy.Problem) (*Suite, []policy.Problem) {
	if len(policy.Errors(problems)) > 0 {
		return nil, problems
	}
	return s, problems
}

// loadTests reads a file of tests: version, policy, tests.
func loadTests(path string) (*Suite, []policy.Problem) {
	data, err := policy.OS{}.ReadFile(path)
	if err != nil {
		return nil, []policy.Problem{{At: tool.Origin{File: path}, Message: reason(err)}}
	}
	return ParseTests(path, data)
}

// ParseTests reads a file of tests. The policy that it names, and the files that
// its tests name, are read from the disk.
func ParseTests(path string, data []byte) (*Suite, []policy.Problem) {
	var root yaml.Node
	if err := safely(func() error { return yaml.NewDecoder(bytes.NewReader(data)).Decode(&root) }); err != nil || len(root.Content) != 1 {
		return nil, []policy.Problem{{At: tool.Origin{File: path}, Message: fmt.Sprintf("not one YAML document: %v", err)}}
	}
	d := newDecoder(path)
	var tests []Test
	version, policyFile := false, ""
	d.fields(root.Content[0], []reader{
		{"version", func(n *yaml.Node) {
			if version = n.Value == "1"; !version {
				d.fail(n, "write version: 1", "unknown version %q", n.Value)
			}
		}},
		{"policy", func(n *yaml.Node) { policyFile = d.text(n) }},
		{"tests", func(n *yaml.Node) {
			for _, item := range n.Content {
				tests = append(tests, d.test(item))
			}
		}},
	})
	if !version && len(d.problems) == 0 {
		d.fail(root.Content[0], "", "missing field \"version\"")
	}
	if len(d.problems) > 0 {
		return nil, d.shown()
	}
	return suiteOf(path, policyFile, tests)
}

// suiteOf finds the policy that tests are about: the one that the file names,
// else planlint.yaml beside or above it. Tests with a policy each need none.
func suiteOf(path, policyFile string, tests []Test) (*Suite, []policy.Problem) {
	s := &Suite{File: path, Tests: tests, Own: make(map[string]bool)}
	needed := false
	for i := range tests {
		needed = needed || tests[i].Policy == nil
	}
	switch {
	case policyFile != "" && !strings.HasPrefix(policyFile, "builtin:"):
		policyFile = filepath.Join(filepath.Dir(path), filepath.FromSlash(policyFile))
	case policyFile == "" && needed:
		found, err := policy.Find(policy.OS{}, filepath.Dir(path))
		if err != nil || found == "" {
			return nil, []policy.Problem{{At: tool.Origin{File: path}, Message: "no policy: no planlint.yaml beside or above the file", Hint: "write policy: FILE into it"}}
		}
		policyFile = relative(found)
	case !needed:
		return s, nil
	}
	loaded, problems := policy.Read(optionsFor(policyFile))
	if loaded == nil {
		return nil, problems
	}
	whole := newSuite(path, policyFile, loaded)
	whole.Tests = tests
	return whole, problems
}

func optionsFor(policyFile string) policy.Options {
	if name, builtin := strings.CutPrefix(policyFile, "builtin:"); builtin {
		return policy.Options{Base: name}
	}
	return policy.Options{Files: []string{policyFile}}
}

func newDecoder(path string) *decoder {
	return &decoder{file: path, load: func(name string) (*plan.Plan, error) {
		return loadPlan(filepath.Join(filepath.Dir(path), filepath.FromSlash(name)))
	}}
}

// loadPlan reads the one plan of a plan file or trace.
func loadPlan(path string) (*plan.Plan, error) {
	src, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %s", path, reason(err))
	}
	plans, errs := trace.Read(src, path, trace.Unknown, trace.Options{})
	if len(errs) > 0 {
		return nil, errors.New(errs[0].In(path))
	}
	if len(plans) != 1 {
		return nil, fmt.Errorf("%s holds %d sessions; a test is about one", path, len(plans))
	}
	return plans[0], nil
}

// shown returns the problems as the policy's loader shows its own.
func (d *decoder) shown() []policy.Problem {
	out := make([]policy.Problem, len(d.problems))
	for i, p := range d.problems {
		out[i] = policy.Problem{ID: p.ID, At: p.At, Message: p.Message, Hint: p.Hint}
	}
	return out
}

// documentOf returns the document of a test's own policy.
func documentOf(file string, src []byte) (*compiled.Document, []policy.Problem) {
	loaded, problems := policy.Read(policy.Options{Files: []string{file}, FS: one{file, src}})
	if loaded == nil {
		return nil, problems
	}
	return loaded.Document, nil
}

// one is a file system of one file.
type one struct {
	name string
	data []byte
}

// ReadFile returns the file.
func (o one) ReadFile(path string) ([]byte, error) {
	if path != o.name {
		return nil, os.ErrNotExist
	}
	return o.data, nil
}

// safely turns a panic of the YAML library into an error.
func safely(f func() error) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("cannot be parsed: %v", cause)
		}
	}()
	return f()
}

// relative shortens a path below the working directory.
func relative(path string) string {
	wd, err := os.Getwd()
	if err != nil {
		return path
	}
	if rel, err := filepath.Rel(wd, path); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return path
}

func reason(err error) string {
	var pe *os.PathError
	if errors.As(err, &pe) {
		return pe.Err.Error()
	}
	return err.Error()
}
