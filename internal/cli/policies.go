package cli

import (
	"path/filepath"
	"strings"

	"github.com/planlint/planlint"
	"github.com/planlint/planlint/finding"
	"github.com/planlint/planlint/internal/xdg"
	"github.com/planlint/planlint/policy"
	"github.com/planlint/planlint/report"
)

// builtinPrefix marks a policy that is no file.
const builtinPrefix = "builtin:"

// policies loads the policy of each input's directory, once.
type policies struct {
	s *streams
	// name is --policy, mode is --mode; both may be empty.
	name, mode string
	explain    bool
	// verbose: every warning is written, and no summary.
	verbose bool
	byDir   map[string]*planlint.Checker
	// errors are what is wrong with the policies that could not be used.
	errors []report.Error
}

func newPolicies(s *streams, name, mode string) *policies {
	return &policies{s: s, name: name, mode: mode, byDir: make(map[string]*planlint.Checker)}
}

// checker returns the checker for inputs in a directory. What is wrong with the
// policy has been written to stderr when it returns an error.
func (p *policies) checker(dir string) (*planlint.Checker, error) {
	key := dir
	if p.name != "" {
		key = ""
	} else if abs, err := filepath.Abs(dir); err == nil {
		key = abs
	}
	if c, ok := p.byDir[key]; ok {
		if c == nil {
			return nil, errReported
		}
		return c, nil
	}
	loaded, problems := policy.Load(p.options(dir))
	writeProblems(p.s, problems, p.verbose)
	if loaded == nil {
		p.byDir[key] = nil
		p.errors = append(p.errors, policyErrors(problems)...)
		return nil, errReported
	}
	chosen := *loaded
	chosen.Explain = p.explain
	p.byDir[key] = planlint.New(chosen)
	return p.byDir[key], nil
}

// policyErrors are a policy's errors as reports have them.
func policyErrors(problems []policy.Problem) []report.Error {
	var out []report.Error
	for _, e := range policy.Errors(problems) {
		at := finding.Position{File: e.At.File}
		at.Line, at.Column = int32(e.At.Line), int32(e.At.Column)
		out = append(out, report.Error{Message: e.Message, Hint: e.Hint, Position: at})
	}
	return out
}

func (p *policies) options(dir string) policy.Options {
	o := policy.Options{Dir: dir, UserDir: userConfigDir(p.s.env)}
	switch name, builtin := strings.CutPrefix(p.name, builtinPrefix); {
	case builtin:
		o = policy.Options{Base: name}
	case p.name != "":
		o.Files, o.Dir = []string{p.name}, ""
	}
	if p.mode != "" {
		o.Session = []byte("version: 1\nsettings: {mode: " + p.mode + "}\n")
	}
	return o
}

// userConfigDir is planlint's folder in the user's configuration, by the given
// environment.
func userConfigDir(env map[string]string) string {
	return xdg.Config(env)
}
