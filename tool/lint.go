package tool

import (
	"fmt"

	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/taint"
)

// Lint says what is likely wrong with a contract that loads: a class weaker than
// its facts, an obligation without what it needs, an argument or a sink that
// nothing follows from.
func Lint(c *Contract) []Problem {
	l := linter{c: c}
	l.class()
	l.obligations()
	l.readOnly()
	l.sinks()
	return l.problems
}

type linter struct {
	c        *Contract
	problems []Problem
}

func (l *linter) say(hint, format string, args ...any) {
	l.problems = append(l.problems, Problem{Pos: l.c.Pos, Lint: true, Hint: hint,
		Message: fmt.Sprintf("tool %q: ", l.c.Name) + fmt.Sprintf(format, args...)})
}

// ClassOf returns the weakest class that the facts allow.
func ClassOf(f RiskFacts) gate.Class {
	switch {
	case f.WidensAuthority:
		return gate.AuthorityModifying
	case f.Inverse != "" && !f.ThirdParty:
		return gate.ReversibleInternal
	case f.Window:
		return gate.TimeWindowUndoable
	case f.ThirdParty:
		return gate.IrreversiblePublic
	}
	return gate.IrreversibleInternal
}

// class compares the class with the facts. Without any fact nothing is said of
// read-only tools, nor of those that name a compensation: no exact inverse, but
// a later call that roughly makes up for it.
func (l *linter) class() {
	c := l.c
	stated := c.Risk != RiskFacts{}
	if !stated && (c.ReadOnly || c.Class >= gate.IrreversibleInternal) {
		return
	}
	least := ClassOf(c.Risk)
	if c.Compensation != "" && !c.Risk.ThirdParty && !c.Risk.WidensAuthority {
		least = min(least, gate.Compensating)
	}
	if c.Window > 0 && !c.Risk.WidensAuthority {
		least = min(least, gate.TimeWindowUndoable)
	}
	if c.ReadOnly && !c.Risk.WidensAuthority && !c.Risk.ThirdParty {
		return
	}
	if c.Class < least {
		l.say("the facts say "+least.String(), "class %s is weaker than its facts", c.Class)
	}
}

func (l *linter) obligations() {
	c := l.c
	switch {
	case c.Class == gate.Compensating && c.Compensation == "" && !c.ReadOnly:
		l.say("compensation: the tool that roughly makes up for it", "class compensating names no compensation")
	case c.Class == gate.TimeWindowUndoable && c.Window <= 0:
		l.say("window: how long it can be withdrawn", "class time-window-undoable has no window")
	case c.Class == gate.IrreversibleInternal && c.Preview == "":
		l.say("preview: the tool that shows the effect beforehand", "class irreversible-internal names no preview")
	}
	if c.Compensation == c.Name && c.Name != "" {
		l.say("", "it can't be its own compensation")
	}
}

func (l *linter) readOnly() {
	c := l.c
	if !c.ReadOnly {
		return
	}
	if c.Class > gate.ReversibleInternal {
		l.say("a call that changes nothing is reversible-internal; what leaves by it is said by its sinks",
			"read_only, but class %s", c.Class)
	}
	for _, a := range c.Args {
		if a.Role == Patch || a.Access&(Write|Delete) != 0 {
			l.say("", "read_only, but argument %q is written", a.Path)
		}
	}
	for _, e := range c.Cells {
		if e.Access&(Write|Delete) != 0 {
			l.say("", "read_only, but cell %q is written", e.Name)
		}
	}
}

func (l *linter) sinks() {
	c := l.c
	var kinds taint.SinkKind
	for _, s := range ImpliedSinks(c) {
		kinds |= s.Kinds
	}
	leaves := kinds&(taint.SinkPublic|taint.SinkExternal|taint.SinkInternal) != 0
	for _, a := range c.Args {
		if (a.Role == Recipient || a.Role == Query) && !leaves {
			l.say("sinks: [{kind: external}], or internal", "argument %q has role %s, but nothing leaves", a.Path, a.Role)
		}
	}
	if leaves && len(c.Audience) == 0 && len(argsWith(c, func(a *Arg) bool { return a.Role == Recipient })) > 0 {
		l.say("audience: [args.PATH]", "it has recipients, but its audience is everyone")
	}
}

// LintAll lints all contracts, and what can only be seen of them together: a
// compensation or preview that nothing describes, or a compensation that needs
// more authority than its call.
func LintAll(contracts []*Contract) (problems []Problem) {
	byName := make(map[string]*Contract)
	for _, c := range contracts {
		for _, n := range append([]string{c.Name}, c.Aliases...) {
			if byName[n] == nil || n == c.Name {
				byName[n] = c
			}
		}
	}
	for _, c := range contracts {
		l := linter{c: c, problems: Lint(c)}
		if c.Compensation != "" {
			if other := byName[c.Compensation]; other == nil {
				l.say("", "nothing describes its compensation %q", c.Compensation)
			} else if other.Class > c.Class {
				l.say("", "its compensation %q needs more authority: %s", c.Compensation, other.Class)
			}
		}
		if c.Preview != "" && byName[c.Preview] == nil {
			l.say("", "nothing describes its preview %q", c.Preview)
		}
		problems = append(problems, l.problems...)
	}
	return problems
}
