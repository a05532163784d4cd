package policytest

import (
	"context"
	"fmt"
	"slices"

	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/internal/compiled"
	"github.com/planlint/planlint/tool"
)

// Mutant is a policy with one thing changed.
type Mutant struct {
	Pos tool.Origin
	// What says what was changed: "allow -> deny: tool=send_email".
	What string
	// Noticed names the first test that fails on it, "" where none does.
	Noticed string

	document *compiled.Document
}

// Mutate makes one mutant after the other and runs the tests that passed until
// one notices it. Mutants that no longer load are left out.
func (s *Suite) Mutate(ctx context.Context, passed []*Test) []Mutant {
	if s.Document == nil {
		return nil
	}
	m := mutator{suite: s}
	m.rules()
	m.compose()
	m.tools()
	m.sources()
	var out []Mutant
	for i := range m.mutants {
		mutant := &m.mutants[i]
		if s.judge(ctx, mutant, passed) {
			mutant.document = nil
			out = append(out, *mutant)
		}
	}
	return out
}

// judge runs the tests on a mutant; it is false where the mutant does not load.
func (s *Suite) judge(ctx context.Context, m *Mutant, tests []*Test) bool {
	r := s.runner(m.document)
	if _, err := r.checker(&Test{}); err != nil {
		return false
	}
	for _, t := range tests {
		if t.Policy != nil {
			continue
		}
		if result := r.run(ctx, t); !result.Passed() {
			m.Noticed = t.Name
			return true
		}
	}
	return true
}

type mutator struct {
	suite   *Suite
	mutants []Mutant
}

// add makes a mutant: change gets a copy of the document and may replace its
// lists, never their items in place.
func (m *mutator) add(pos tool.Origin, what string, change func(*compiled.Document)) {
	d := *m.suite.Document
	change(&d)
	m.mutants = append(m.mutants, Mutant{Pos: pos, What: what, document: &d})
}

// with returns a copy of a list with one item changed.
func with[T any](list []T, i int, change func(*T)) []T {
	out := slices.Clone(list)
	change(&out[i])
	return out
}

// without returns a copy of a list without one item.
func without[T any](list []T, i int) []T {
	return slices.Delete(slices.Clone(list), i, i+1)
}

func (m *mutator) rules() {
	d := m.suite.Document
	for i := range d.Rules {
		r := &d.Rules[i]
		if r.Builtin || !m.suite.Own[r.Pos.File] {
			continue
		}
		other := "deny"
		if r.Decision.S != "allow" {
			other = "allow"
		}
		m.add(r.Pos, fmt.Sprintf("%s -> %s: %s", r.Decision.S, other, Describe(r)), func(d *compiled.Document) {
			d.Rules = with(d.Rules, i, func(r *compiled.Rule) {
				r.Decision, r.Accepts, r.Reason = compiled.T(other), nil, compiled.Text{}
			})
		})
		if r.When.S != "" && Describe(r) != r.Decision.S+" when="+r.When.S {
			m.add(r.When.At, "condition dropped: "+r.When.S, func(d *compiled.Document) {
				d.Rules = with(d.Rules, i, func(r *compiled.Rule) { r.When = compiled.Text{} })
			})
		}
		for j := range r.Accepts {
			m.add(r.Accepts[j].At, "accepts "+r.Accepts[j].S+" dropped", func(d *compiled.Document) {
				d.Rules = with(d.Rules, i, func(r *compiled.Rule) { r.Accepts = without(r.Accepts, j) })
			})
		}
	}
}

func (m *mutator) compose() {
	d := m.suite.Document
	for i := range d.Compose {
		r := &d.Compose[i]
		if r.Builtin || !m.suite.Own[r.Pos.File] {
			continue
		}
		m.add(r.Pos, r.ID.S+" dropped", func(d *compiled.Document) { d.Compose = without(d.Compose, i) })
		other := "deny"
		if r.Decision.S == "deny" {
			other = "ask"
		}
		m.change(i, r.Pos, r.ID.S+": decision -> "+other, func(r *compiled.ComposeRule) { r.Decision = compiled.T(other) })
		if r.When.S != "" {
			m.change(i, r.When.At, r.ID.S+": condition dropped", func(r *compiled.ComposeRule) { r.When = compiled.Text{} })
		}
		for j := range r.Labels {
			if len(r.Labels) > 1 {
				m.change(i, r.Labels[j].At, r.ID.S+": label "+r.Labels[j].S+" dropped", func(r *compiled.ComposeRule) { r.Labels = without(r.Labels, j) })
			}
		}
		for j := range r.Unless {
			m.change(i, r.Unless[j].Reason.At, r.ID.S+": exception dropped: "+r.Unless[j].Reason.S, func(r *compiled.ComposeRule) { r.Unless = without(r.Unless, j) })
		}
	}
}

func (m *mutator) change(i int, pos tool.Origin, what string, change func(*compiled.ComposeRule)) {
	m.add(pos, what, func(d *compiled.Document) { d.Compose = with(d.Compose, i, change) })
}

func (m *mutator) tools() {
	d := m.suite.Document
	for i := range d.Tools {
		t := &d.Tools[i]
		if !m.suite.Own[t.Pos.File] {
			continue
		}
		edit := func(pos tool.Origin, what string, change func(*compiled.Tool)) {
			m.add(pos, t.Name.S+": "+what, func(d *compiled.Document) { d.Tools = with(d.Tools, i, change) })
		}
		if class, err := gate.ParseClass(t.Class.S); err == nil && class > gate.ReversibleInternal {
			edit(t.Pos, fmt.Sprintf("%s -> %s", class, class-1), func(t *compiled.Tool) { t.Class, t.ClassWhen = compiled.T((class - 1).String()), nil })
		}
		for j := range t.Output {
			edit(t.Pos, "output label "+first(t.Output[j].Labels)+" dropped", func(t *compiled.Tool) { t.Output = without(t.Output, j) })
		}
		for j := range t.Sinks {
			edit(t.Pos, "sink "+first(t.Sinks[j].Kind)+" dropped", func(t *compiled.Tool) { t.Sinks = without(t.Sinks, j) })
		}
		for j := range t.ClassWhen {
			edit(t.ClassWhen[j].Class.At, "class_when dropped: "+t.ClassWhen[j].If.S, func(t *compiled.Tool) { t.ClassWhen = without(t.ClassWhen, j) })
		}
		for j := range t.Sanitizes {
			edit(t.Sanitizes[j].Reason.At, "sanitizer dropped: "+first(t.Sanitizes[j].Labels), func(t *compiled.Tool) { t.Sanitizes = without(t.Sanitizes, j) })
		}
		for j := range t.Endorses {
			edit(t.Endorses[j].Reason.At, "endorser dropped: "+first(t.Endorses[j].Labels), func(t *compiled.Tool) { t.Endorses = without(t.Endorses, j) })
		}
	}
}

func (m *mutator) sources() {
	d := m.suite.Document
	for i := range d.Sources {
		if s := &d.Sources[i]; m.suite.Own[s.Pos.File] {
			m.add(s.Pos, "source dropped: "+s.Match.S, func(d *compiled.Document) { d.Sources = without(d.Sources, i) })
		}
	}
	for i := range d.Sinks {
		if s := &d.Sinks[i]; m.suite.Own[s.Pos.File] {
			m.add(s.Pos, "sink dropped: "+s.Match.S, func(d *compiled.Document) { d.Sinks = without(d.Sinks, i) })
		}
	}
	for i := range d.Audiences {
		if a := &d.Audiences[i]; m.suite.Own[a.Key.At.File] {
			m.add(a.Key.At, "audience dropped: "+a.Key.S, func(d *compiled.Document) { d.Audiences = without(d.Audiences, i) })
		}
	}
}

func first(list []compiled.Text) string {
	if len(list) == 0 {
		return ""
	}
	return list[0].S
}
