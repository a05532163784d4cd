package policy

import (
	"errors"

	"github.com/planlint/planlint/compose"
	"github.com/planlint/planlint/internal/compiled"
	"github.com/planlint/planlint/taint"
	"github.com/planlint/planlint/tool"
)

// conditions is the compiled.Conditioner that knows CEL.
type conditions struct {
	compiler *compose.Compiler
	// set holds what was numbered while the policy was built.
	set *compose.Set
}

func newConditions(u *taint.Universe, v compose.Vocabulary) *conditions {
	return &conditions{compiler: compose.NewCompiler(u, v)}
}

// Condition numbers a condition.
func (c *conditions) Condition(in compiled.Condition) (tool.Cond, error) {
	scope, ok := compose.ParseScope(string(in.Scope))
	if !ok {
		return 0, errors.New("unknown scope " + string(in.Scope))
	}
	n, err := c.compiler.Condition(scope, in.Text, in.At, compose.Options{Builtin: in.Builtin, Tool: in.Tool})
	return n, problemsOf(err)
}

// seal ends numbering.
func (c *conditions) seal() { c.set = c.compiler.Set() }

// Holds evaluates a condition.
func (c *conditions) Holds(n tool.Cond, s *tool.Subject) (bool, error) { return c.set.Holds(n, s) }

// problemsOf keeps the places of a condition's mistakes.
func problemsOf(err error) error {
	var list compose.Errors
	if !errors.As(err, &list) {
		return err
	}
	var out compiled.Problems
	for _, e := range list {
		out = append(out, compiled.Problem{At: e.At, Length: e.Length, Message: e.Message, Hint: e.Hint})
	}
	return out
}

// vocabulary is what conditions may name: the contracts of a document and of
// the built-in packs.
type vocabulary struct {
	document *compiled.Document
	pack     *compiled.Pack
	names    []string
}

// Tools returns the names and aliases of all contracts, sorted.
func (v *vocabulary) Tools() []string {
	if v.names == nil {
		v.names = toolNames(v.document, v.pack)
	}
	return v.names
}

// Args returns the names of the top-level arguments of a tool's contract.
func (v *vocabulary) Args(name string) (names []string, known bool) {
	t := findTool(v.document.Tools, name)
	if t == nil {
		if t, known = v.pack.Tool(name); !known {
			return nil, false
		}
	}
	seen := make(map[string]bool)
	for _, e := range t.Args {
		path, err := tool.ParsePath(e.Key.S)
		if err == nil && len(path) > 0 && path[0].Key != "" && !seen[path[0].Key] {
			seen[path[0].Key] = true
			names = append(names, path[0].Key)
		}
	}
	return names, true
}
