package tool

import (
	"fmt"
	"strings"

	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/shell"
	"github.com/planlint/planlint/taint"
)

// String writes the problem as "file:line:col: message" and its hint on a line
// of its own.
func (p Problem) String() string {
	text := p.Message
	if p.Pos.File != "" {
		text = fmt.Sprintf("%s:%d:%d: %s", p.Pos.File, p.Pos.Line, p.Pos.Column, text)
	}
	if p.Hint != "" {
		text += "\nhint: " + p.Hint
	}
	return text
}

// Check says what of a contract can't be loaded.
func Check(c *Contract) []Problem {
	k := checker{c: c, root: &argNode{arg: -1}}
	if c.Name == "" {
		k.bad("a contract without a name")
	}
	if c.Class == gate.ClassUnset || c.Class > gate.AuthorityModifying {
		k.problems = append(k.problems, Problem{Pos: c.Pos,
			Message: fmt.Sprintf("tool %q has no risk_class", c.Name),
			Hint:    "one of " + strings.Join(gate.Classes(), ", ")})
	}
	k.args()
	k.outputs()
	k.names("audience", c.Audience, true)
	for _, e := range c.Cells {
		k.cell(e)
	}
	for _, s := range c.Sinks {
		k.sink(s)
	}
	for _, w := range c.ClassWhen {
		if w.Class >= c.Class {
			k.bad("class_when may only lower the class: %s is not below %s", w.Class, c.Class)
		}
	}
	if c.Spawns != "" {
		k.path("spawns", c.Spawns)
	}
	return k.problems
}

type checker struct {
	c        *Contract
	root     *argNode
	problems []Problem
}

func (k *checker) bad(format string, args ...any) {
	k.problems = append(k.problems, Problem{Pos: k.c.Pos,
		Message: fmt.Sprintf("tool %q: ", k.c.Name) + fmt.Sprintf(format, args...)})
}

func (k *checker) args() {
	for i, a := range k.c.Args {
		if !k.root.add(a.Path, i) {
			k.bad("argument %q is declared twice", a.Path)
		}
		if a.Role > Patch {
			k.bad("argument %q has an unknown role", a.Path)
		}
		if a.Role == Path && a.Access == 0 {
			k.bad("argument %q is a path without access", a.Path)
		}
		if (a.Tree || a.Glob || a.Append || a.Base != "" && a.Role != Command) && a.Role != Path {
			k.bad("argument %q is no path, so base, tree, glob and append mean nothing", a.Path)
		}
		switch shell.Dialect(a.Dialect) {
		case "", shell.Bash, shell.Posix, shell.Zsh, shell.PowerShell, shell.Cmd:
		default:
			k.bad("argument %q: unknown dialect %q; one of bash, posix, zsh, powershell, cmd", a.Path, a.Dialect)
		}
	}
	for _, a := range k.c.Args {
		if a.Base != "" {
			for _, name := range strings.Split(a.Base, "|") {
				k.path("base of "+a.Path.String(), name)
			}
		}
	}
}

func (k *checker) outputs() {
	for _, o := range k.c.Output {
		if o.Labels == 0 && len(o.Readers) > 0 {
			k.bad("output %q has readers and no label", o.Field)
		}
		k.names("readers", o.Readers, true)
	}
}

// path checks that a text names a declared argument.
func (k *checker) path(what, text string) {
	path, err := ParsePath(text)
	if err != nil {
		k.bad("%s: %v", what, err)
		return
	}
	k.declared(what, path)
}

func (k *checker) declared(what string, path plan.Path) {
	for _, a := range k.c.Args {
		if a.Path.String() == path.String() {
			return
		}
	}
	var names []string
	for _, a := range k.c.Args {
		names = append(names, a.Path.String())
	}
	p := Problem{Pos: k.c.Pos, Message: fmt.Sprintf("tool %q: %s names argument %q, which is not declared", k.c.Name, what, path)}
	if len(names) > 0 {
		p.Hint = "declared are " + strings.Join(names, ", ")
	}
	k.problems = append(k.problems, p)
}

// names checks principals, which may be templates.
func (k *checker) names(what string, texts []string, bare bool) {
	for _, text := range texts {
		t, err := parseTemplate(text, bare)
		if err != nil {
			k.bad("%s: %v", what, err)
		}
		k.holes(what, t)
	}
}

func (k *checker) holes(what string, t template) {
	for _, p := range t.parts {
		if p.from == fromArgs && len(p.path) > 0 {
			k.declared(what, p.path)
		}
		if p.from == fromOutput && what != "readers" {
			k.bad("%s can't depend on the output", what)
		}
	}
}

func (k *checker) cell(e CellEffect) {
	t, err := parseTemplate(e.Name, false)
	if err != nil {
		k.bad("cells: %v", err)
		return
	}
	k.holes("cells", t)
	if kind, _, ok := strings.Cut(t.prefix(), ":"); !ok || kind == "" {
		k.bad("cell %q does not start with its kind and a colon", e.Name)
	}
	if e.Access&(Read|Write|Delete) == 0 {
		k.bad("cell %q is neither read nor written", e.Name)
	}
}

func (k *checker) sink(s SinkDecl) {
	if s.Kinds == 0 {
		k.bad("a sink without a kind")
	}
	for _, path := range s.Args {
		if k.overlapsArg(path) {
			continue
		}
		k.declared("sink", path)
	}
}

func (k *checker) overlapsArg(path plan.Path) bool {
	for _, a := range k.c.Args {
		if a.Path.HasPrefix(path) || path.HasPrefix(a.Path) {
			return true
		}
	}
	return false
}

// checkRules checks sources and sinks that are given by pattern.
func checkRules(cfg *Config) (problems []Problem) {
	bad := func(at Origin, format string, args ...any) {
		problems = append(problems, Problem{Pos: at, Message: fmt.Sprintf(format, args...)})
	}
	for _, s := range cfg.Sources {
		switch {
		case s.Pattern == nil:
			bad(s.Pos, "a source without a pattern")
		case s.Labels == 0:
			bad(s.Pos, "source %q has no label", s.Pattern)
		case s.Pattern.kind == editPattern:
			bad(s.Pos, "source %q: what is written is no source; use Read(...)", s.Pattern)
		}
	}
	for _, s := range cfg.Sinks {
		switch {
		case s.Pattern == nil:
			bad(s.Pos, "a sink without a pattern")
		case s.Kinds == 0 || s.Kinds >= 2*taint.SinkActuator:
			bad(s.Pos, "sink %q has no kind", s.Pattern)
		case s.Pattern.kind == readPattern:
			bad(s.Pos, "sink %q: what is read is no sink; use Edit(...)", s.Pattern)
		}
		for _, text := range s.Audience {
			if _, err := parseTemplate(text, true); err != nil {
				bad(s.Pos, "sink %q: %v", s.Pattern, err)
			}
		}
	}
	return problems
}
