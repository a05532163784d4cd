package compose

import (
	"fmt"
	"sync"

	"github.com/google/cel-go/cel"

	"github.com/planlint/planlint/taint"
)

// Limits of what is parsed; a condition beyond them does not load.
const (
	// MaxText is the length of a condition in characters.
	MaxText = 4096
	// maxNesting is how deep expressions may nest.
	maxNesting = 64
	// maxRegexp is the size of a compiled regular expression.
	maxRegexp = 1000
)

// language is what conditions of one policy are written in: CEL, the object
// types, and the policy's words.
type language struct {
	universe *taint.Universe
	vocab    Vocabulary
}

// The environments know the types and functions but no policy's words, so all
// policies of a process share them. They are made when first needed.
var (
	baseEnv   = sync.OnceValues(newBaseEnv)
	scopeEnvs [scopeCount]scopeEnv
)

type scopeEnv struct {
	once sync.Once
	env  *cel.Env
	err  error
}

func (l *language) env(s Scope) (*cel.Env, error) {
	e := &scopeEnvs[s]
	e.once.Do(func() {
		base, err := baseEnv()
		if err != nil {
			e.err = err
			return
		}
		var opts []cel.EnvOption
		for _, v := range variables[s] {
			opts = append(opts, cel.Variable(v.name, v.typ))
		}
		e.env, e.err = base.Extend(opts...)
	})
	return e.env, e.err
}

func newBaseEnv() (*cel.Env, error) {
	p, err := newProvider()
	if err != nil {
		return nil, fmt.Errorf("starting CEL: %w", err)
	}
	opts := append([]cel.EnvOption{
		cel.CustomTypeAdapter(p), cel.CustomTypeProvider(p),
		cel.ParserExpressionSizeLimit(MaxText),
		cel.ParserRecursionLimit(maxNesting),
		cel.ExpressionNestingDepthLimit(maxNesting),
		cel.CrossTypeNumericComparisons(true),
	}, functions()...)
	env, err := cel.NewEnv(opts...)
	if err != nil {
		return nil, fmt.Errorf("starting CEL: %w", err)
	}
	return env, nil
}

// plan makes what evaluates a checked condition: nodes where it can be lowered,
// else a program of CEL's.
func (c *condition) plan(checked *cel.Ast) error {
	c.checked = checked
	if f, ok := lower(c.scope, checked); ok {
		direct, err := link(&f)
		if err == nil {
			c.direct = direct
			return nil
		}
	}
	env, err := c.language.env(c.scope)
	if err != nil {
		return err
	}
	if c.program, err = env.Program(checked, cel.EvalOptions(cel.OptOptimize)); err != nil {
		return Errors{c.errorAt(0, 1, err.Error(), "")}
	}
	return nil
}

// countedProgram is the program that stops at the limit.
func (c *condition) countedProgram() (cel.Program, error) {
	c.countedOnce.Do(func() {
		env, err := c.language.env(c.scope)
		if err != nil {
			c.countedErr = err
			return
		}
		c.counted, c.countedErr = env.Program(c.checked, cel.EvalOptions(cel.OptOptimize),
			cel.CostLimit(costLimit(c.scope)), cel.CostTracking(actualCost{}))
	})
	return c.counted, c.countedErr
}

// check parses and checks a condition with all that authors are told.
func (c *condition) check() (*cel.Ast, Errors) {
	env, err := c.language.env(c.scope)
	if err != nil {
		return nil, Errors{{At: c.at, Message: err.Error()}}
	}
	known, remembered := good.get(storedKey{c.scope, c.text})
	if !remembered {
		var issues *cel.Issues
		if known.parsed, issues = env.Parse(c.text); issues.Err() != nil {
			return nil, c.translate(issues, nil)
		}
	}
	w := &walker{cond: c, env: env, source: known.parsed.NativeRep().SourceInfo()}
	w.top(known.parsed.NativeRep().Expr())
	if remembered && len(w.errs) == 0 {
		return known.checked, nil
	}
	checked, issues := env.Check(known.parsed)
	if issues.Err() != nil || len(w.errs) > 0 {
		return nil, append(w.errs, c.translate(issues, w.errs)...).sorted()
	}
	if errs := c.checkMeaning(env, checked); len(errs) > 0 {
		return nil, errs
	}
	good.add(storedKey{c.scope, c.text}, knownText{known.parsed, checked})
	return checked, nil
}

// checkMeaning refuses what is no condition, costs too much or never holds.
func (c *condition) checkMeaning(env *cel.Env, checked *cel.Ast) Errors {
	if !checked.OutputType().IsExactType(cel.BoolType) {
		message := fmt.Sprintf("a condition is true or false, this one is %s", typeName(checked.OutputType()))
		return Errors{c.errorAt(0, len([]rune(c.text)), message, "compare it with something")}
	}
	if errs := c.checkCost(env, checked); len(errs) > 0 {
		return errs
	}
	if c.neverHolds(env, checked) {
		return Errors{c.errorAt(0, len([]rune(c.text)), "the condition can match nothing: it is false whatever the plan", "")}
	}
	return nil
}

// maxKnown is how many texts are remembered; others are checked each time.
const maxKnown = 1024

// good remembers conditions without mistakes. What they are parsed and checked
// to depends on no policy, so that a process that loads its policy again and
// again (the MCP proxy does for each call) compares each with its words only.
var good = knownTexts{}

type knownTexts struct {
	mu sync.Mutex
	m  map[storedKey]knownText
}

type knownText struct{ parsed, checked *cel.Ast }

func (k *knownTexts) get(key storedKey) (knownText, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	t, ok := k.m[key]
	return t, ok
}

func (k *knownTexts) add(key storedKey, t knownText) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.m == nil {
		k.m = make(map[storedKey]knownText)
	}
	if len(k.m) < maxKnown {
		k.m[key] = t
	}
}

// typeName writes a type as the documentation calls it.
func typeName(t *cel.Type) string {
	if o := objectTypeOf(t); o != nil {
		return "a " + o.name
	}
	name := plainTypes(t.String())
	if name[0] == 'i' {
		return "an " + name
	}
	return "a " + name
}
