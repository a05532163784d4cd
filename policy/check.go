package policy

import (
	"fmt"

	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/internal/compiled"
	"github.com/planlint/planlint/tool"
)

// FormatVersion is the version of policy files that this package reads.
const FormatVersion = 1

// check finds what is wrong in one file by itself, beyond its form.
func check(d *compiled.Document) []compiled.Problem {
	c := &checker{}
	c.tools(d.Tools)
	c.compose(d.Compose)
	c.rules(d.Rules)
	return c.problems
}

type checker struct{ problems []compiled.Problem }

func (c *checker) add(t compiled.Text, message, hint string) {
	c.problems = append(c.problems, compiled.Problem{At: t.At, Length: len(t.S), Message: message, Hint: hint})
}

// entry reports what a whole entry lacks.
func (c *checker) entry(at tool.Origin, message, hint string) {
	c.problems = append(c.problems, compiled.Problem{At: at, Entry: at, Message: message, Hint: hint})
}

func (c *checker) tools(tools []compiled.Tool) {
	first := make(map[string]compiled.Text)
	for i := range tools {
		t := &tools[i]
		switch {
		case t.Name.S == "" && t.Refines.S == "":
			c.entry(t.Pos, `missing field "name"`, "name the tool, or the contract that this one refines")
		case t.Name.S != "" && t.Refines.S != "":
			c.add(t.Refines, "a contract has a name or refines another, not both", "a refinement keeps the name")
		case t.Refines.S == "" && t.Class.S == "":
			c.entry(t.Pos, fmt.Sprintf("tool %q has no risk_class", t.Name.S), compiled.OneOf("", gate.Classes()))
		}
		for _, name := range append([]compiled.Text{t.Name, t.Refines}, t.Alias...) {
			c.once(first, name, "tool %q is already described", name.S)
		}
		c.args(t)
		if t.Window.S != "" && t.Facts != nil && t.Facts.Window != nil && !*t.Facts.Window {
			c.add(t.Window, "a window is given, and the facts say that there is none", "")
		}
	}
}

func (c *checker) once(first map[string]compiled.Text, t compiled.Text, format string, args ...any) {
	if t.S == "" {
		return
	}
	if was, twice := first[t.S]; twice {
		c.add(t, fmt.Sprintf(format, args...), fmt.Sprintf("first on line %d", was.At.Line))
		return
	}
	first[t.S] = t
}

// args finds fields that mean nothing for the argument's role.
func (c *checker) args(t *compiled.Tool) {
	for _, e := range t.Args {
		a := e.Value
		path := a.Role.S == tool.Path.String()
		if path && len(a.Access) == 0 {
			c.add(e.Key, fmt.Sprintf("path %q has no access", e.Key.S), "give access: read, write, delete or execute")
		}
		for _, f := range []struct {
			name  string
			given bool
			at    compiled.Text
		}{{"access", len(a.Access) > 0, firstOf(a.Access)}, {"base", a.Base.S != "", a.Base}, {"tree", a.Tree, e.Key}, {"glob", a.Glob, e.Key}, {"append", a.Append, e.Key}} {
			if f.given && !path {
				c.add(f.at, fmt.Sprintf("%s means nothing for an argument that is no path", f.name), "add role: path")
			}
		}
		if a.Append && !has(a.Access, "write") {
			c.add(e.Key, "append means nothing without access: write", "")
		}
	}
}

var ruleID = lazy(`^[A-Za-z][A-Za-z0-9_.-]{1,63}$`)

func (c *checker) compose(list []compiled.ComposeRule) {
	first := make(map[string]compiled.Text)
	for i := range list {
		r := &list[i]
		if r.ID.S != "" && !ruleID().MatchString(r.ID.S) {
			c.add(r.ID, fmt.Sprintf("%q cannot be an id", r.ID.S), "letters, digits, _ . -, like ACME-001")
		}
		c.once(first, r.ID, "rule %q is already defined", r.ID.S)
		if r.OnlyExcepts() {
			continue
		}
		if r.Title.S == "" {
			c.entry(r.Pos, `missing field "title"`, "what is wrong, in one line; without it an entry has only an id and unless, and adds exceptions to a rule of a lower layer")
		}
		if r.Why.S == "" {
			c.entry(r.Pos, `missing field "why"`, "shown with the finding")
		}
	}
}

// rules finds fields that mean nothing; rules.Compile finds the rest.
func (c *checker) rules(list []compiled.Rule) {
	for i := range list {
		r := &list[i]
		if len(r.Access) > 0 && r.Path.S == "" {
			c.add(r.Access[0], "access means nothing without path", "")
		}
	}
}

func firstOf(list []compiled.Text) compiled.Text {
	if len(list) == 0 {
		return compiled.Text{}
	}
	return list[0]
}

func has(list []compiled.Text, word string) bool {
	for _, t := range list {
		if t.S == word {
			return true
		}
	}
	return false
}
