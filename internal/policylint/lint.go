// Package policylint compares the rules of a policy with its contracts: what
// loads, and is still likely a mistake.
//
// In: a loaded policy. Out: problems with their place: a rule that wants an
// argument which its tool does not have, a label that nothing produces, a kind
// of sink that nothing has, a rule that another one always shadows. What a
// condition names is compared with the contracts when the policy is loaded.
//
// Shadowing is found by containment: every call that the one matches is matched
// by the other, and the other is preferred by the policy's own way of resolving.
// It is sound and incomplete: what is reported is shadowed; two globs that only
// overlap are not compared further. `planlint rules coverage` shows the rest, on
// real traces.
package policylint

import (
	"fmt"
	"sort"
	"strings"

	"github.com/planlint/planlint/finding"
	"github.com/planlint/planlint/internal/spell"
	"github.com/planlint/planlint/policy"
	"github.com/planlint/planlint/rules"
	"github.com/planlint/planlint/taint"
	"github.com/planlint/planlint/tool"
)

// Problem is something that is likely wrong.
type Problem struct {
	Pos     tool.Origin
	Message string
	Hint    string
	// Note: it may well be meant.
	Note bool
}

// Lint looks at the rules that the policy's own files have.
func Lint(l *policy.Loaded) []Problem {
	k := linter{loaded: l, own: make(map[string]bool)}
	for _, layer := range l.Layers {
		k.own[layer.File] = true
	}
	k.survey()
	k.calls()
	k.shadows()
	k.labels()
	k.compose()
	sort.SliceStable(k.problems, func(i, j int) bool { return before(k.problems[i].Pos, k.problems[j].Pos) })
	return k.problems
}

type linter struct {
	loaded   *policy.Loaded
	own      map[string]bool
	names    []string
	produced taint.Set
	kinds    taint.SinkKind
	problems []Problem
}

func (k *linter) say(pos tool.Origin, hint, format string, args ...any) {
	k.problems = append(k.problems, Problem{Pos: pos, Hint: hint, Message: fmt.Sprintf(format, args...)})
}

func (k *linter) note(pos tool.Origin, hint, format string, args ...any) {
	k.say(pos, hint, format, args...)
	k.problems[len(k.problems)-1].Note = true
}

// survey gathers what contracts, sources and sinks produce. Command lines and
// texts are labelled by planlint itself with the built-in labels.
func (k *linter) survey() {
	p := k.loaded.Policy
	k.names = p.Registry.Names()
	builtin, _ := taint.NewUniverse()
	for _, name := range builtin.All() {
		if s, ok := p.Universe.Lookup(name); ok {
			k.produced |= s
		}
	}
	k.kinds = taint.SinkPublic | taint.SinkExternal | taint.SinkInternal | taint.SinkExec | taint.SinkAuthority
	for _, name := range k.names {
		c := p.Registry.Contract(name)
		if c == nil {
			continue
		}
		for _, o := range c.Output {
			k.produced |= o.Labels
		}
		for _, s := range tool.ImpliedSinks(c) {
			k.kinds |= s.Kinds
		}
	}
	d := k.loaded.Document
	for i := range d.Sources {
		for _, l := range d.Sources[i].Labels {
			s, _ := p.Universe.Lookup(l.S)
			k.produced |= s
		}
	}
	for i := range d.Sinks {
		for _, t := range d.Sinks[i].Kind {
			kind, _ := taint.ParseSinkKind(t.S)
			k.kinds |= kind
		}
	}
}

// calls compares per-call rules with the contracts of the tools that they name.
func (k *linter) calls() {
	for _, r := range k.loaded.Policy.Rules.Rules() {
		if r.Builtin || !k.own[r.Pos.File] || r.Tool == "" {
			continue
		}
		if strings.ContainsAny(r.Tool, "*?") {
			k.glob(&r)
			continue
		}
		c := k.loaded.Policy.Registry.Find(r.Tool, "")
		if c == nil {
			k.undescribed(&r)
			continue
		}
		k.arguments(&r, c)
	}
}

func (k *linter) glob(r *rules.Rule) {
	if strings.Trim(r.Tool, "*") == "" {
		return
	}
	for _, name := range k.names {
		if wild(r.Tool, name) {
			return
		}
	}
	k.note(r.Pos, "", "tool %q matches no tool that a contract describes", r.Tool)
}

func (k *linter) undescribed(r *rules.Rule) {
	if near := spell.Nearest(r.Tool, k.names); near != "" {
		k.say(r.Pos, fmt.Sprintf("did you mean %q?", near), "no contract describes the tool %q", r.Tool)
		return
	}
	k.note(r.Pos, "describe it under tools:, or it counts as unknown", "no contract describes the tool %q", r.Tool)
}

// arguments finds matchers for which the contract has no argument.
func (k *linter) arguments(r *rules.Rule, c *tool.Contract) {
	has := func(want func(*tool.Arg) bool) bool {
		for i := range c.Args {
			if want(&c.Args[i]) {
				return true
			}
		}
		return false
	}
	command := has(func(a *tool.Arg) bool { return a.Role == tool.Command || a.Role == tool.Code })
	path := command || has(func(a *tool.Arg) bool { return a.Role == tool.Path || a.Role == tool.Patch })
	host := command || has(func(a *tool.Arg) bool { return a.Role == tool.URL || a.Role == tool.Recipient })
	switch {
	case r.Path != "" && !path:
		k.say(r.Pos, "the contract's argument needs role: path", "the rule wants a path, and no argument of tool %q is one", r.Tool)
	case r.Command != "" && !command:
		k.say(r.Pos, "the contract's argument needs role: command", "the rule wants a command, and no argument of tool %q is one", r.Tool)
	case r.Host != "" && !host:
		k.say(r.Pos, "the contract's argument needs role: url", "the rule wants a host, and no argument of tool %q names one", r.Tool)
	}
	if r.Access != 0 && r.Path != "" && path && !command && !has(func(a *tool.Arg) bool { return a.Access&r.Access != 0 || a.Role == tool.Patch }) {
		k.say(r.Pos, "", "the rule's access is one that tool %q never makes of a path", r.Tool)
	}
}

// labels finds declared labels that nothing produces.
func (k *linter) labels() {
	d := k.loaded.Document
	for _, e := range d.Labels {
		if !k.own[e.Key.At.File] {
			continue
		}
		if s, ok := k.loaded.Policy.Universe.Lookup(e.Key.S); ok && !k.produced.Intersects(s) {
			k.say(e.Key.At, "give it in output: of a contract, or in sources:", "nothing produces the label %q", e.Key.S)
		}
	}
}

// compose compares composition rules with what contracts produce and have.
func (k *linter) compose() {
	for i := range k.loaded.Policy.Compose {
		r := &k.loaded.Policy.Compose[i]
		pos := tool.Origin{File: r.Pos.File, Line: int(r.Pos.Line), Column: int(r.Pos.Column)}
		if r.Builtin || !k.own[pos.File] {
			continue
		}
		if r.Labels != 0 && !r.Labels.Intersects(k.produced) {
			k.say(pos, "", "rule %s wants a label that nothing produces: %s", r.ID, k.words(r.Labels))
		}
		for _, any := range r.AllLabels {
			if !any.Intersects(k.produced) {
				k.say(pos, "", "rule %s wants a label that nothing produces: %s", r.ID, k.words(any))
			}
		}
		if r.Sink != 0 && r.Sink&k.kinds == 0 {
			k.say(pos, "", "rule %s wants a sink of kind %s, and nothing has one", r.ID, r.Sink)
		}
		k.exceptions(r, pos)
	}
}

func (k *linter) exceptions(r *finding.Rule, pos tool.Origin) {
	for _, e := range r.Exceptions {
		for _, name := range []string{e.Tool, e.Source} {
			if name == "" || k.matchesSome(name) {
				continue
			}
			hint := ""
			if near := spell.Nearest(name, k.names); near != "" {
				hint = fmt.Sprintf("did you mean %q?", near)
			}
			k.say(pos, hint, "an exception of rule %s names %q, which no contract describes", r.ID, name)
		}
	}
}

func (k *linter) matchesSome(glob string) bool {
	for _, n := range k.names {
		if n == glob || strings.ContainsAny(glob, "*?") && wild(glob, n) {
			return true
		}
	}
	return false
}

func (k *linter) words(s taint.Set) string {
	return strings.Join(k.loaded.Policy.Universe.Names(s), ", ")
}

func before(a, b tool.Origin) bool {
	if a.File != b.File {
		return a.File < b.File
	}
	if a.Line != b.Line {
		return a.Line < b.Line
	}
	return a.Column < b.Column
}
