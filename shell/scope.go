package shell

import (
	"slices"

	"mvdan.cc/sh/v3/syntax"
)

// value is a text that may hold Holes, with where it came from.
type value struct {
	text  string
	glob  bool  // text is a pattern
	fifo  bool  // process substitution
	steps []int // steps whose output stands in it
	vars  []string
	dash  bool // an unknown part stands first, so it might be an option
}

type variable struct {
	name     string
	val      value
	list     []value // array, nil for a plain variable
	exported bool
	unset    bool
	own      bool // set by this line, not by Env
}

type function struct {
	name string
	body *syntax.Stmt // nil: unset
	decl *syntax.Stmt // the whole declaration
	text string       // of a function of the session
	used *bool
	// maybe: it was declared on a condition.
	maybe bool
}

// target is where a file descriptor points.
type target struct {
	fd  int // -1: not known
	out Output
	in  Input
}

// scope is the state of one shell. Copying the struct makes a subshell: maps are
// persistent and slices only ever grow by append with their capacity clipped,
// so copies never see each other's changes.
type scope struct {
	cwd       string // "" if not known
	vars      pmap[variable]
	funcs     pmap[function]
	aliases   pmap[variable]
	params    []value
	hasParams bool
	fds       []target
	stdin     Input
	stdout    []Output
	sourced   []int      // steps that read a file into this shell, so that unknown variables may come from it
	loaders   []variable // of vars, those that make programs load code
	cond      bool
	loose     bool // set -e, exit: what follows may not run
}

func (s *scope) lookup(name string) (variable, bool) {
	if v := s.vars.get(name); v != nil {
		return *v, !v.unset
	}
	return variable{}, false
}

func (s *scope) function(name string) (function, bool) {
	if f := s.funcs.get(name); f != nil {
		return *f, f.body != nil
	}
	return function{}, false
}

func (s *scope) alias(name string) (string, bool) {
	if a := s.aliases.get(name); a != nil {
		return a.val.text, !a.unset
	}
	return "", false
}

// set gives a variable a value that the line made.
func (w *walker) set(v variable) {
	if old, ok := w.sc.lookup(v.name); ok && old.exported {
		v.exported = true
	}
	v.own = true
	w.define(v)
}

// define adds a variable and keeps apart those that make programs load code,
// since every step looks at all of these.
func (w *walker) define(v variable) {
	w.sc.vars = w.sc.vars.with(v.name, v)
	if _, ok := variableRecord(v.name); !ok {
		return
	}
	keep := slices.DeleteFunc(slices.Clone(w.sc.loaders), func(old variable) bool { return old.name == v.name })
	if len(keep) >= MaxLoaders {
		w.limit("number of variables that make programs load code")
		return
	}
	w.sc.loaders = append(keep, v)
}

func (s *scope) fd(n int) (target, bool) {
	for i := len(s.fds) - 1; i >= 0; i-- {
		if s.fds[i].fd == n || s.fds[i].fd < 0 { // {name}>file: any number
			return s.fds[i], true
		}
	}
	return target{}, false
}
