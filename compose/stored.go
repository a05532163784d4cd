package compose

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"sort"
	"strings"
	"sync"

	"github.com/google/cel-go/cel"
	exprpb "google.golang.org/genproto/googleapis/api/expr/v1alpha1"
	"google.golang.org/protobuf/proto"
)

// storedConditions holds the built-in conditions as go generate parsed and
// checked them, one a line. A condition that is not in it is parsed when it is
// first asked; the tables of CEL's parser alone take several milliseconds to set
// up, which a run of the command would pay for one finding.
//
//go:embed checked.jsonl
var storedConditions string

// stored is one line.
type stored struct {
	Scope   string `json:"scope"`
	Text    string `json:"text"`
	Checked []byte `json:"checked"`
}

type storedKey struct {
	scope Scope
	text  string
}

// storedTable reads the embedded file once.
var storedTable = sync.OnceValue(func() map[storedKey][]byte {
	table := map[storedKey][]byte{}
	for line := range strings.Lines(storedConditions) {
		var s stored
		if json.Unmarshal([]byte(line), &s) != nil {
			continue // parsed anew then; a test holds the file to its source
		}
		if scope, ok := ParseScope(s.Scope); ok {
			table[storedKey{scope, s.Text}] = s.Checked
		}
	}
	return table
})

// restored returns the program of a condition that was checked before; ok is
// false for one that was not, or that this version of CEL does not take.
func (c *condition) restored() (program cel.Program, ok bool) {
	data, ok := storedTable()[storedKey{c.scope, c.text}]
	if !ok {
		return nil, false
	}
	var expr exprpb.CheckedExpr
	if proto.Unmarshal(data, &expr) != nil {
		return nil, false
	}
	program, err := c.plan(cel.CheckedExprToAst(&expr))
	return program, err == nil
}

// Stored returns the set's built-in conditions, parsed and checked, in the form
// that this package embeds.
func (s *Set) Stored() ([]byte, error) {
	var lines []string
	seen := map[storedKey]bool{}
	for _, c := range s.conds {
		key := storedKey{c.scope, c.text}
		if !c.options.Builtin || seen[key] {
			continue
		}
		seen[key] = true
		line, err := c.stored()
		if err != nil {
			return nil, err
		}
		lines = append(lines, line+"\n")
	}
	sort.Strings(lines)
	return []byte(strings.Join(lines, "")), nil
}

func (c *condition) stored() (string, error) {
	checked, errs := c.check()
	if len(errs) > 0 {
		return "", errs
	}
	expr, err := cel.AstToCheckedExpr(checked)
	if err != nil {
		return "", fmt.Errorf("condition %q: %w", shorten(c.text), err)
	}
	data, err := proto.MarshalOptions{Deterministic: true}.Marshal(expr)
	if err != nil {
		return "", fmt.Errorf("condition %q: %w", shorten(c.text), err)
	}
	line, err := json.Marshal(stored{c.scope.String(), c.text, data})
	return string(line), err
}
