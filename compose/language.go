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
// types, and the policy's words. Environments are made when first needed.
type language struct {
	universe *taint.Universe
	vocab    Vocabulary

	once sync.Once
	base *cel.Env
	err  error
	envs [scopeCount]scopeEnv
}

type scopeEnv struct {
	once sync.Once
	env  *cel.Env
	err  error
}

func (l *language) env(s Scope) (*cel.Env, error) {
	e := &l.envs[s]
	e.once.Do(func() {
		base, err := l.baseEnv()
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

func (l *language) baseEnv() (*cel.Env, error) {
	l.once.Do(func() {
		p, err := newProvider()
		if err != nil {
			l.err = fmt.Errorf("starting CEL: %w", err)
			return
		}
		opts := append([]cel.EnvOption{
			cel.CustomTypeAdapter(p), cel.CustomTypeProvider(p),
			cel.ParserExpressionSizeLimit(MaxText),
			cel.ParserRecursionLimit(maxNesting),
			cel.ExpressionNestingDepthLimit(maxNesting),
			cel.CrossTypeNumericComparisons(true),
		}, functions()...)
		if l.base, err = cel.NewEnv(opts...); err != nil {
			l.err = fmt.Errorf("starting CEL: %w", err)
		}
	})
	return l.base, l.err
}

// plan makes the program of a checked condition.
func (c *condition) plan(checked *cel.Ast) (cel.Program, error) {
	env, err := c.language.env(c.scope)
	if err != nil {
		return nil, err
	}
	program, err := env.Program(checked, cel.EvalOptions(cel.OptOptimize))
	if err != nil {
		return nil, Errors{c.errorAt(0, 1, err.Error(), "")}
	}
	c.checked = checked
	return program, nil
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
	parsed, issues := env.Parse(c.text)
	if issues.Err() != nil {
		return nil, c.translate(issues, nil)
	}
	w := &walker{cond: c, env: env, source: parsed.NativeRep().SourceInfo()}
	w.top(parsed.NativeRep().Expr())
	checked, issues := env.Check(parsed)
	if issues.Err() != nil || len(w.errs) > 0 {
		return nil, append(w.errs, c.translate(issues, w.errs)...).sorted()
	}
	if !checked.OutputType().IsExactType(cel.BoolType) {
		message := fmt.Sprintf("a condition is true or false, this one is %s", typeName(checked.OutputType()))
		return nil, Errors{c.errorAt(0, len([]rune(c.text)), message, "compare it with something")}
	}
	if errs := c.checkCost(env, checked); len(errs) > 0 {
		return nil, errs
	}
	if c.neverHolds(env, checked) {
		return nil, Errors{c.errorAt(0, len([]rune(c.text)), "the condition can match nothing: it is false whatever the plan", "")}
	}
	return checked, nil
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
