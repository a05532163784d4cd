package policy

import (
	"github.com/planlint/planlint"
	"github.com/planlint/planlint/internal/compiled"
	"github.com/planlint/planlint/tool"
)

// Watcher sees the conditions of a policy: when they are numbered, and each
// time one is evaluated. Policy tests tell by it which conditions they never
// made true, or false.
type Watcher interface {
	Numbered(n tool.Cond, c compiled.Condition)
	Evaluated(n tool.Cond, holds bool, err error)
}

// Rebuild returns the policy of a merged document (Loaded.Document), which may
// have been changed since it was loaded. The watcher may be nil.
func Rebuild(d *compiled.Document, w Watcher) (*planlint.Policy, []Problem) {
	pack, err := compiled.BuiltinPack()
	if err != nil {
		return nil, []Problem{{Message: err.Error()}}
	}
	u, problems := compiled.Universe(d)
	conds := newConditions(u, &vocabulary{document: d, pack: pack})
	var watched compiled.Conditioner = conds
	if w != nil {
		watched = watchedConditions{conds, w}
	}
	p, more := compiled.Build(d, u, pack, watched)
	conds.seal()
	if problems = append(problems, more...); len(problems) > 0 {
		return nil, sources{}.finish(problems, nil)
	}
	return p, nil
}

type watchedConditions struct {
	*conditions
	watcher Watcher
}

// Condition numbers a condition.
func (c watchedConditions) Condition(in compiled.Condition) (tool.Cond, error) {
	n, err := c.conditions.Condition(in)
	if err == nil && n != 0 {
		c.watcher.Numbered(n, in)
	}
	return n, err
}

// Holds evaluates a condition.
func (c watchedConditions) Holds(n tool.Cond, s *tool.Subject) (bool, error) {
	ok, err := c.conditions.Holds(n, s)
	c.watcher.Evaluated(n, ok, err)
	return ok, err
}
