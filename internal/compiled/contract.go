package compiled

import (
	"fmt"
	"strings"

	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/origin"
	"github.com/planlint/planlint/taint"
	"github.com/planlint/planlint/tool"
)

// contract lowers one contract. Problems are added to the builder; the contract
// is complete where there are none.
func (b *builder) contract(t *Tool) *tool.Contract {
	c := &tool.Contract{
		Name: t.Name.S, Aliases: Strings(t.Alias), Version: 1,
		Audience: Strings(t.Audience), Compensation: t.Compensation.S,
		Preview: t.Preview.S, Spawns: t.Spawns.S, Source: t.Source.S,
		Pack: t.Pack, Pos: t.Pos,
	}
	if t.Version != nil {
		c.Version = *t.Version
	}
	if t.ReadOnly != nil {
		c.ReadOnly = *t.ReadOnly
	}
	c.Class, _ = gate.ParseClass(t.Class.S)
	c.About = Strings(t.About)
	for _, a := range t.Act {
		act, _ := origin.ParseAct(a.S)
		c.Acts |= act
	}
	c.Window, _ = ParseDuration(t.Window.S)
	c.Risk = riskOf(t.Facts)
	c.Risk.Window = c.Risk.Window || c.Window > 0
	for i := range t.Args {
		c.Args = append(c.Args, b.arg(&t.Args[i]))
	}
	for i := range t.Output {
		c.Output = append(c.Output, b.output(t, &t.Output[i]))
	}
	for i := range t.Sinks {
		c.Sinks = append(c.Sinks, b.sink(t, &t.Sinks[i]))
	}
	for _, w := range t.ClassWhen {
		class, _ := gate.ParseClass(w.Class.S)
		c.ClassWhen = append(c.ClassWhen, tool.ClassWhen{If: b.cond(ScopeClassWhen, t.Name.S, w.If, t.Pack != ""), Class: class})
	}
	c.Sanitizes = b.removals(t, t.Sanitizes, false)
	c.Endorses = b.removals(t, t.Endorses, true)
	for _, e := range t.Cells {
		c.Cells = append(c.Cells, tool.CellEffect{Name: e.Name.S, Access: accessOf(e.Access), Append: e.Append, Tree: e.Tree})
	}
	return c
}

func riskOf(f *Facts) tool.RiskFacts {
	if f == nil {
		return tool.RiskFacts{}
	}
	return tool.RiskFacts{
		Inverse: f.Inverse.S, ThirdParty: f.Observers.S == "third-party",
		Window: f.Window != nil && *f.Window, WidensAuthority: f.Widens != nil && *f.Widens,
	}
}

func (b *builder) arg(e *Entry[Arg]) tool.Arg {
	path, err := tool.ParsePath(e.Key.S)
	if err != nil {
		b.problem(e.Key, err.Error(), "")
	}
	role, _ := tool.ParseRole(e.Value.Role.S)
	return tool.Arg{
		Path: path, Role: role, Access: accessOf(e.Value.Access), Append: e.Value.Append,
		Base: e.Value.Base.S, Dialect: e.Value.Dialect.S, Tree: e.Value.Tree, Glob: e.Value.Glob, Enum: Strings(e.Value.Enum),
	}
}

func (b *builder) output(t *Tool, o *OutputLabel) tool.OutputLabel {
	out := tool.OutputLabel{
		Labels: b.labels(o.Labels), Readers: Strings(o.Readers),
		If: b.cond(ScopeOutput, t.Name.S, o.If, t.Pack != ""), Open: o.Open, Reference: o.Reference,
	}
	for _, l := range o.Labels {
		out.Trusted = out.Trusted || l.S == "trusted"
	}
	if o.Field.S != "" {
		path, err := tool.ParsePath(o.Field.S)
		if err != nil {
			b.problem(o.Field, err.Error(), "")
		}
		out.Field = path
	}
	return out
}

func (b *builder) sink(t *Tool, s *SinkDecl) tool.SinkDecl {
	out := tool.SinkDecl{Kinds: sinkKinds(s.Kind), If: b.cond(ScopeClassWhen, t.Name.S, s.If, t.Pack != "")}
	for _, a := range s.Args {
		path, err := tool.ParsePath(a.S)
		if err != nil {
			b.problem(a, err.Error(), "")
			continue
		}
		out.Args = append(out.Args, path)
	}
	return out
}

func (b *builder) removals(t *Tool, list []Removal, integrity bool) []tool.Removal {
	var out []tool.Removal
	for _, r := range list {
		set := b.labels(r.Labels)
		for _, l := range r.Labels {
			if one, ok := b.universe.Lookup(l.S); ok && one.Intersects(b.universe.Integrity()) != integrity {
				b.problem(l, fmt.Sprintf("label %q cannot be removed here", l.S), removalHint(integrity))
			}
		}
		out = append(out, tool.Removal{Labels: set, Reason: r.Reason.S, If: b.cond(ScopeOutput, t.Name.S, r.If, t.Pack != "")})
	}
	return out
}

func removalHint(integrity bool) string {
	if integrity {
		return "endorses removes integrity labels; use sanitizes for confidentiality labels"
	}
	return "sanitizes removes confidentiality labels; use endorses for integrity labels"
}

func sinkKinds(list []Text) taint.SinkKind {
	var k taint.SinkKind
	for _, t := range list {
		one, _ := taint.ParseSinkKind(t.S)
		k |= one
	}
	return k
}

// labels returns the set of the named labels; an unknown name is a problem.
func (b *builder) labels(list []Text) taint.Set {
	var set taint.Set
	for _, t := range list {
		one, ok := b.universe.Lookup(t.S)
		if !ok {
			b.problem(t, fmt.Sprintf("unknown label %q", t.S), OneOf(t.S, b.labelNames()))
		}
		set = set.Join(one)
	}
	return set
}

// some returns the set of the named labels, which must not be empty.
func (b *builder) some(list []Text) taint.Set {
	for _, t := range list {
		if one, known := b.universe.Lookup(t.S); known && one == 0 {
			b.problem(t, fmt.Sprintf("label %q is the absence of labels: it adds nothing", t.S), "")
		}
	}
	return b.labels(list)
}

// wide returns what a rule means by labels: each level and what implies it.
func (b *builder) wide(list []Text) taint.Set {
	var set taint.Set
	for _, t := range list {
		one := b.labels([]Text{t})
		if _, known := b.universe.Lookup(t.S); known && one == 0 {
			b.problem(t, fmt.Sprintf("label %q is the absence of labels: a rule with it can match nothing", t.S), "")
		}
		one.Each(func(l taint.Label) { set = set.Join(b.universe.AtLeast(l)) })
	}
	return set
}

func (b *builder) labelNames() []string {
	return append(b.universe.All(), "public", "trusted")
}

// cond numbers a condition; 0 for none.
func (b *builder) cond(scope Scope, toolName string, text Text, builtin bool) tool.Cond {
	if strings.TrimSpace(text.S) == "" {
		return 0
	}
	n, err := b.conds.Condition(Condition{Scope: scope, Text: text.S, At: text.At, Tool: toolName, Builtin: builtin})
	if err != nil {
		b.conditionProblem(text, err)
	}
	return n
}
