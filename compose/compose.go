// Package compose compiles and evaluates the conditions of a policy: what a
// composition rule, a per-call rule or a contract says in CEL. It is the only
// package that imports CEL.
//
// In: texts of conditions with the place where they stand, at load; then, per
// evaluation, a tool.Subject: the resolved calls, the label sets, the flow in
// question. Out: yes, no, or an error, which callers take as the stricter of
// the two.
//
// A Compiler numbers conditions. Those of a user are parsed, type-checked,
// compared with the policy's vocabulary (a misspelt label, tool or argument
// never matches and so must not load), tested for being constantly false, and
// estimated in cost. Those of the built-in packs were checked by this package's
// generator and are only stored. A Set evaluates: a condition that was checked
// is reduced to a form and linked to nodes of our own, which work on CEL's values
// without its interpreter (lower.go, node.go); the few that a form can't hold are
// programs of CEL's. What evaluates a condition is made once and shared.
//
// The subject is handed to CEL as typed values whose fields are fetched when
// they are asked for; sets of labels and of sink kinds stay bit sets. Nothing
// is copied into maps.
//
// Guaranteed: no I/O, no time, no randomness; the same subject gives the same
// answer; a text that loads can't panic; conditions of users stop at a cost
// limit. Limits: a condition over plan.calls costs time linear in the plan each
// time it is evaluated; a multi-line plain YAML scalar has lost its line breaks,
// so that the column of a message there is only near the place.
package compose

import (
	"fmt"
	"strings"
	"sync"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"

	"github.com/planlint/planlint/taint"
	"github.com/planlint/planlint/tool"
)

// Scope says where a condition stands, and so which variables it has.
type Scope uint8

// The scopes with their variables.
const (
	// ScopeFlow: flow, plan. A composition rule on flow, and its unless.
	ScopeFlow Scope = iota
	// ScopeCall: call, plan. A composition rule on call.
	ScopeCall
	// ScopePlan: plan. A composition rule on plan.
	ScopePlan
	// ScopeClassWhen: args, recipients, hosts, paths, call. class_when and the
	// `if:` of a sink; labels are not known yet.
	ScopeClassWhen
	// ScopeOutput: args, output. The `if:` of an output label or a sanitizer.
	ScopeOutput
	// ScopeRule: call. A per-call rule.
	ScopeRule
	scopeCount
)

var scopeNames = [...]string{"flow", "call", "plan", "class_when", "output", "rule"}

// String returns the scope's name.
func (s Scope) String() string { return scopeNames[min(int(s), len(scopeNames)-1)] }

// ParseScope returns the scope of that exact name.
func ParseScope(name string) (Scope, bool) {
	for i, n := range scopeNames {
		if n == name {
			return Scope(i), true
		}
	}
	return ScopeFlow, false
}

// Vocabulary is what conditions may name beside labels: the tools of a policy.
type Vocabulary interface {
	// Tools returns the names and aliases of all contracts, sorted.
	Tools() []string
	// Args returns the names of the top-level arguments that a tool's contract
	// knows. known is false where there is no such tool; no names mean that the
	// contract does not list its arguments.
	Args(tool string) (names []string, known bool)
}

// Options say how a condition is compiled.
type Options struct {
	// Builtin conditions come from the packs: they are compiled at first use and
	// not limited in cost.
	Builtin bool
	// Tool is the contract that the condition belongs to, if any; the names of
	// its arguments are checked then.
	Tool string
}

// Compiler numbers the conditions of one policy. It is safe for concurrent use.
type Compiler struct {
	language *language
	mu       sync.Mutex
	conds    []*condition
}

// NewCompiler returns a compiler for a policy's labels and tools. Without a
// vocabulary the names of tools and arguments are not checked.
func NewCompiler(u *taint.Universe, vocab Vocabulary) *Compiler {
	return &Compiler{language: &language{universe: u, vocab: vocab}}
}

// Condition numbers a condition; at is where its text starts. An empty text is
// condition 0, which always holds. The error of a user's condition is of type
// Errors and names every mistake; a built-in condition is only stored.
func (c *Compiler) Condition(scope Scope, text string, at tool.Origin, o Options) (tool.Cond, error) {
	if strings.TrimSpace(text) == "" {
		return 0, nil
	}
	if scope >= scopeCount {
		return 0, fmt.Errorf("unknown scope %d", scope)
	}
	cond := &condition{language: c.language, scope: scope, text: text, at: at, options: o}
	if !o.Builtin {
		if err := cond.compiled(); err != nil {
			return 0, err
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.conds = append(c.conds, cond)
	return tool.Cond(len(c.conds)), nil
}

// Set returns the conditions that were numbered so far.
func (c *Compiler) Set() *Set {
	c.mu.Lock()
	defer c.mu.Unlock()
	return &Set{conds: c.conds[:len(c.conds):len(c.conds)]}
}

// Set evaluates numbered conditions. It implements tool.Conditions and is safe
// for concurrent use.
type Set struct{ conds []*condition }

// Len returns how many conditions there are.
func (s *Set) Len() int { return len(s.conds) }

// Text returns a condition's text, empty for 0 and for numbers not given.
func (s *Set) Text(c tool.Cond) string {
	if c <= 0 || int(c) > len(s.conds) {
		return ""
	}
	return s.conds[c-1].text
}

// Holds reports whether the condition holds for the subject. It fails where the
// condition does not compile, asks for what is not known yet, costs too much,
// or is about something that the subject does not have; callers then take the
// stricter side.
func (s *Set) Holds(c tool.Cond, subject *tool.Subject) (bool, error) {
	if c == 0 {
		return true, nil
	}
	if c < 0 || int(c) > len(s.conds) {
		return false, fmt.Errorf("no condition has the number %d", c)
	}
	cond := s.conds[c-1]
	if err := cond.compiled(); err != nil {
		return false, err
	}
	e, err := newEvaluation(cond.scope, subject)
	if err != nil {
		return false, err
	}
	defer e.release()
	return cond.evaluate(e)
}

// Verify compiles every condition, built-in ones too, with all checks that a
// user's conditions get. Tests and `planlint compile` call it.
func (s *Set) Verify() error {
	var all Errors
	for _, cond := range s.conds {
		if _, errs := cond.check(); len(errs) > 0 {
			all = append(all, errs...)
		}
	}
	if len(all) > 0 {
		return all
	}
	return nil
}

// condition is one numbered condition; what evaluates it is made once.
type condition struct {
	language *language
	scope    Scope
	text     string
	at       tool.Origin
	options  Options

	once sync.Once
	// direct evaluates the condition; program does where direct is nil.
	direct  node
	program cel.Program
	checked *cel.Ast
	err     error

	// counted is made when something is larger than usual for the first time.
	countedOnce sync.Once
	counted     cel.Program
	countedErr  error
}

func (c *condition) compiled() error {
	c.once.Do(func() {
		if c.options.Builtin {
			c.err = c.build()
			return
		}
		checked, errs := c.check()
		if len(errs) > 0 {
			c.err = errs
			return
		}
		c.err = c.plan(checked)
	})
	return c.err
}

// build compiles without the checks that are for authors.
func (c *condition) build() error {
	if c.restored() {
		return nil
	}
	env, err := c.language.env(c.scope)
	if err != nil {
		return err
	}
	checked, issues := env.Compile(c.text)
	if issues.Err() != nil {
		return c.translate(issues, nil)
	}
	return c.plan(checked)
}

// evaluate runs without a counter first, and again with one where something is
// larger than usual.
func (c *condition) evaluate(e *evaluation) (bool, error) {
	e.guard = !c.options.Builtin
	out, err := c.uncounted(e)
	if e.large {
		e.guard, e.large = false, false
		var program cel.Program
		if program, err = c.countedProgram(); err != nil {
			return false, err
		}
		out, _, err = program.Eval(e)
	}
	if err != nil {
		return false, fmt.Errorf("%s: condition %q: %w", originString(c.at), shorten(c.text), err)
	}
	if value, ok := out.(types.Bool); ok {
		return bool(value), nil
	}
	return false, fmt.Errorf("%s: condition %q is not known yet", originString(c.at), shorten(c.text))
}

func (c *condition) uncounted(e *evaluation) (ref.Val, error) {
	if c.direct == nil {
		frame, err := e.celFrame()
		if err != nil {
			return nil, err
		}
		out, _, err := c.program.Eval(frame)
		return out, err
	}
	out := c.direct.eval(e)
	if failure, ok := out.(*types.Err); ok {
		return nil, failure
	}
	return out, nil
}

// shorten keeps a message to one line.
func shorten(text string) string {
	const most = 80
	line := strings.Join(strings.Fields(text), " ")
	if runes := []rune(line); len(runes) > most {
		return string(runes[:most-3]) + "..."
	}
	return line
}
