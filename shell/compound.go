package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

func (w *walker) ifClause(c *syntax.IfClause) {
	w.stmts(c.Cond)
	before := w.sc
	w.maybe(func() {
		w.stmts(c.Then)
		if c.Else == nil {
			w.join(before)
			return
		}
		then := w.sc
		w.sc = before
		w.sc.cond = true
		if len(c.Else.Cond) > 0 {
			w.ifClause(c.Else)
		} else {
			w.stmts(c.Else.Then)
		}
		w.join(then)
	})
}

// join merges what another branch left behind: where the branches differ,
// nothing is known but where the value may come from.
func (w *walker) join(other scope) {
	w.sc.loose = w.sc.loose || other.loose
	if w.sc.cwd != other.cwd {
		w.sc.cwd = ""
	}
	mine := w.sc
	mine.vars.differ(other.vars, func(name string, a, b *variable) {
		if v, changed := w.mix(name, a, b); changed {
			w.set(v)
		}
	})
	mine.funcs.differ(other.funcs, func(name string, a, b *function) {
		if b != nil && b.body != nil && (a == nil || a.body == nil) {
			w.sc.funcs = w.sc.funcs.with(name, *b)
		}
	})
}

// absorb mixes what a branch that may have run changed since base into the
// current scope; the cost is what it changed, however many branches there are.
func (w *walker) absorb(base, branch scope) {
	w.sc.loose = w.sc.loose || branch.loose
	if base.cwd != branch.cwd {
		w.sc.cwd = ""
	}
	base.vars.differ(branch.vars, func(name string, _, now *variable) {
		if v, changed := w.mix(name, w.sc.vars.get(name), now); changed {
			w.set(v)
		}
	})
	base.funcs.differ(branch.funcs, func(name string, _, now *function) {
		if _, ok := w.sc.function(name); !ok && now != nil {
			w.sc.funcs = w.sc.funcs.with(name, *now)
		}
	})
}

// mix is a variable that has the value of a or that of b; nil is none. It
// reports whether that is anything but a.
func (w *walker) mix(name string, a, b *variable) (variable, bool) {
	v := variable{name: name}
	same := a != nil && b != nil && a.val.text == b.val.text && len(a.list) == len(b.list) && a.unset == b.unset
	if same && slices.Equal(a.val.steps, b.val.steps) && slices.Equal(a.val.vars, b.val.vars) {
		return v, false
	}
	if v.val.text = Hole; same {
		v.val.text, v.val.glob, v.list = a.val.text, a.val.glob || b.val.glob, a.list
	}
	if a != nil && b != nil && isNumber(a.val) && isNumber(b.val) {
		v.val = someNumber()
	}
	for _, x := range [...]*variable{a, b} {
		if x != nil {
			v.exported = v.exported || x.exported
			v.val.steps = union(w, slices.Clone(v.val.steps), x.val.steps)
			v.val.vars = union(w, slices.Clone(v.val.vars), x.val.vars)
		}
	}
	return v, true
}

func (w *walker) forClause(c *syntax.ForClause) {
	it, ok := c.Loop.(*syntax.WordIter)
	if !ok {
		if cs, ok := c.Loop.(*syntax.CStyleLoop); ok {
			w.arithm(cs.Init)
			w.arithm(cs.Cond)
			w.arithm(cs.Post)
			if as := arithmName(cs.Init); as != "" {
				w.set(variable{name: as, val: someNumber()})
			}
		}
		w.maybe(func() { w.twice(c.Do) })
		return
	}
	items := w.items(it)
	if len(items) == 0 {
		return
	}
	sure := !c.Select && len(items) <= MaxUnroll
	for _, wd := range items {
		sure = sure && wd.Known && !wd.Glob
	}
	if len(items) > MaxUnroll {
		items = []Word{{Text: Hole, Steps: items[0].Steps}}
	}
	cond := w.sc.cond
	for _, wd := range items {
		if w.cut {
			break
		}
		w.set(variable{name: it.Name.Value, val: wd.value()})
		if sure {
			w.stmts(c.Do)
		} else {
			w.maybe(func() { w.twice(c.Do) })
		}
		// break or continue: what follows may not run.
		w.sc.cond = cond || w.sc.loose
	}
}

// items expands the words of a for loop; without "in" those are the parameters.
func (w *walker) items(it *syntax.WordIter) []Word {
	var items []Word
	if !it.InPos.IsValid() {
		if !w.sc.hasParams {
			return []Word{{Text: Hole}}
		}
		for _, v := range w.sc.params {
			items = append(items, Word{Text: v.text, Known: true, Steps: v.steps})
		}
		return items
	}
	for _, word := range it.Items {
		items = w.expand(items, word)
	}
	return items
}

func arithmName(x syntax.ArithmExpr) string {
	b, ok := x.(*syntax.BinaryArithm)
	if !ok || b.Op != syntax.Assgn {
		return ""
	}
	if wd, ok := b.X.(*syntax.Word); ok {
		return wd.Lit()
	}
	return ""
}

func (w *walker) caseClause(c *syntax.CaseClause) {
	w.expandOne(c.Word)
	before := w.sc
	joined := before // what the items before this one may have left behind
	for _, item := range c.Items {
		w.sc = before
		w.sc.cond = true
		for _, p := range item.Patterns {
			w.expandOne(p)
		}
		w.stmts(item.Stmts)
		item := w.sc
		w.sc = joined
		w.absorb(before, item)
		joined = w.sc
	}
	w.sc = joined
	w.sc.cond = before.cond || w.sc.loose
}

func (w *walker) declare(s *syntax.Stmt, c *syntax.FuncDecl) {
	names := c.Names
	if c.Name != nil {
		names = []*syntax.Lit{c.Name}
	}
	if len(names) == 0 { // zsh anonymous function: runs at once
		w.stmt(c.Body)
		return
	}
	for _, n := range names {
		used := false
		f := function{name: n.Value, body: c.Body, decl: s, used: &used, maybe: w.sc.cond}
		w.sc.funcs = w.sc.funcs.with(f.name, f)
		w.uses = append(w.uses, &f)
	}
}

// call walks a function's body with its arguments.
func (w *walker) call(f function, args []Word) {
	*f.used = true
	if w.depth >= MaxInner {
		w.limit("nesting of functions")
		return
	}
	params, had, fixed := w.sc.params, w.sc.hasParams, w.fixed
	outer, assigns := w.outer, w.assigns
	stdin, stdout := w.sc.stdin, w.sc.stdout
	w.sc.params, w.sc.hasParams = nil, true
	for _, a := range args {
		w.sc.params = append(w.sc.params, a.value())
	}
	w.depth++
	w.fixed = true
	if f.maybe { // where it was not declared, nothing runs
		w.maybe(func() { w.stmt(f.body) })
	} else {
		w.stmt(f.body)
	}
	w.depth--
	w.fixed = fixed
	w.sc.params, w.sc.hasParams = params, had
	w.sc.stdin, w.sc.stdout = stdin, stdout
	w.outer, w.assigns = outer, assigns
}

// source gives a function's text, for a persistent shell.
func (f *function) source() string {
	if f.decl == nil {
		return f.text
	}
	var b strings.Builder
	if err := syntax.NewPrinter().Print(&b, f.decl); err != nil {
		return ""
	}
	return b.String()
}
