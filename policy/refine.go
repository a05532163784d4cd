package policy

import (
	"fmt"

	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/internal/compiled"
)

// refine returns a contract changed by a refinement: what the refinement gives
// replaces what the contract has, arguments one by one.
func refine(base, t *compiled.Tool) compiled.Tool {
	out := *base
	out.Pack, out.Pos = "", t.Pos
	setText(&out.Class, t.Class)
	setText(&out.Compensation, t.Compensation)
	setText(&out.Window, t.Window)
	setText(&out.Preview, t.Preview)
	setText(&out.Spawns, t.Spawns)
	setText(&out.Source, t.Source)
	setList(&out.Output, t.Output)
	setList(&out.Sinks, t.Sinks)
	setList(&out.Audience, t.Audience)
	setList(&out.ClassWhen, t.ClassWhen)
	setList(&out.Sanitizes, t.Sanitizes)
	setList(&out.Endorses, t.Endorses)
	setList(&out.Cells, t.Cells)
	setList(&out.Act, t.Act)
	setList(&out.About, t.About)
	out.Alias = append(append([]compiled.Text(nil), base.Alias...), t.Alias...)
	out.Args = refineArgs(base.Args, t.Args)
	if t.Version != nil {
		out.Version = t.Version
	}
	if t.Facts != nil {
		out.Facts = t.Facts
	}
	if t.ReadOnly != nil {
		out.ReadOnly = t.ReadOnly
	}
	return out
}

func setText(to *compiled.Text, from compiled.Text) {
	if from.S != "" {
		*to = from
	}
}

func setList[T any](to *[]T, from []T) {
	if len(from) > 0 {
		*to = from
	}
}

func refineArgs(base, args compiled.Entries[compiled.Arg]) compiled.Entries[compiled.Arg] {
	out := append(compiled.Entries[compiled.Arg](nil), base...)
	for _, e := range args {
		if was := out.Get(e.Key.S); was != nil {
			*was = e.Value
			continue
		}
		out = append(out, e)
	}
	return out
}

// tighten applies what an untrusted contract or refinement may say. A tool that
// no lower layer describes stays unknown, which is the stricter judgement; the
// labels and sinks of its contract count all the same.
func (m *merger) tighten(base, t *compiled.Tool) {
	name := t.Name
	if t.Refines.S != "" {
		name = t.Refines
	}
	m.vain(t, name)
	if base == nil {
		m.diagnose(DiagContract, name, fmt.Sprintf("the contract of %q is ignored but for its labels and sinks", name.S), untrustedHint)
	}
	for _, o := range t.Output {
		m.doc.Sources = append(m.doc.Sources, compiled.Source{Match: name, Labels: o.Labels})
	}
	for _, s := range t.Sinks {
		m.doc.Sinks = append(m.doc.Sinks, compiled.Sink{Match: name, Kind: s.Kind})
	}
	if base == nil || t.Class.S == "" {
		return
	}
	was, _ := gate.ParseClass(base.Class.S)
	now, _ := gate.ParseClass(t.Class.S)
	if now < was {
		m.diagnose(DiagContract, t.Class, fmt.Sprintf("risk class %s of %q is ignored: it is lower than %s", now, name.S, was), untrustedHint)
		return
	}
	if now > was {
		raised := refine(base, &compiled.Tool{Class: t.Class, Pos: t.Pos})
		raised.ClassWhen = nil
		m.replace(raised)
	}
}

// vain reports the parts of a contract that an untrusted layer cannot say.
func (m *merger) vain(t *compiled.Tool, name compiled.Text) {
	var at []compiled.Text
	add := func(given bool, what compiled.Text) {
		if given {
			at = append(at, what)
		}
	}
	for _, r := range append(append([]compiled.Removal(nil), t.Sanitizes...), t.Endorses...) {
		add(true, r.Reason)
	}
	for _, w := range t.ClassWhen {
		add(true, w.Class)
	}
	add(len(t.Audience) > 0, firstOf(t.Audience))
	add(len(t.Alias) > 0, firstOf(t.Alias))
	for _, where := range at {
		m.diagnose(DiagContract, where, fmt.Sprintf("this part of the contract of %q is ignored: it may loosen it", name.S), untrustedHint)
	}
}
