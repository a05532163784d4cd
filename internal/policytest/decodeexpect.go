package policytest

import (
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/internal/compiled"
)

// expect reads what is expected: a decision (the verdict), a list of decisions
// (one a call), or a mapping.
func (d *decoder) expect(n *yaml.Node, e *Expect) {
	switch n.Kind {
	case yaml.ScalarNode:
		e.Verdict = d.decision(n)
		return
	case yaml.SequenceNode:
		d.calls(n, e)
		return
	}
	d.fields(n, []reader{
		{"verdict", func(n *yaml.Node) { e.Verdict = d.decision(n) }},
		{"gate", func(n *yaml.Node) { e.Gate = d.gate(n) }},
		{"findings", func(n *yaml.Node) { e.Findings = d.texts(n) }},
		{"diagnostics", func(n *yaml.Node) { e.Diagnostics = *d.texts(n) }},
		{"max_asks", func(n *yaml.Node) { e.MaxAsks = d.number(n) }},
		{"calls", func(n *yaml.Node) { d.calls(n, e) }},
	})
}

// calls reads expected calls: all of them as a list, or some by id.
func (d *decoder) calls(n *yaml.Node, e *Expect) {
	switch n.Kind {
	case yaml.SequenceNode:
		e.Complete = true
		for _, item := range n.Content {
			e.Calls = append(e.Calls, d.call(item))
		}
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			c := d.call(n.Content[i+1])
			c.ID, c.Pos = n.Content[i].Value, d.origin(n.Content[i])
			e.Calls = append(e.Calls, c)
		}
	default:
		d.fail(n, "", "want a list of calls, or a mapping by id")
	}
}

func (d *decoder) call(n *yaml.Node) Call {
	c := Call{Pos: d.origin(n)}
	if n.Kind == yaml.ScalarNode {
		c.Decision = d.decision(n)
		return c
	}
	d.fields(n, []reader{
		{"decision", func(n *yaml.Node) { c.Decision = d.decision(n) }},
		{"gate", func(n *yaml.Node) { c.Gate = d.gate(n) }},
		{"findings", func(n *yaml.Node) { c.Findings = d.texts(n) }},
		{"rule", func(n *yaml.Node) { c.Rule = d.text(n) }},
		{"labels", func(n *yaml.Node) { c.Labels = d.texts(n) }},
		{"class", func(n *yaml.Node) {
			c.Class = d.text(n)
			if _, err := gate.ParseClass(c.Class); err != nil {
				d.fail(n, compiled.OneOf(c.Class, gate.Classes()), "%v", err)
			}
		}},
	})
	return c
}

// gate reads a gate: a name, or its parts.
func (d *decoder) gate(n *yaml.Node) *Gate {
	g := &Gate{}
	if n.Kind == yaml.ScalarNode {
		g.Name = n.Value
		words := append([]string{"none", "strictest"}, gate.Classes()...)
		for _, w := range words {
			if w == n.Value {
				return g
			}
		}
		d.fail(n, compiled.OneOf(n.Value, words), "unknown gate %q", n.Value)
		return g
	}
	d.fields(n, []reader{
		{"approvals", func(n *yaml.Node) { g.Parts.Approvals = *d.number(n) }},
		{"effect_review", func(n *yaml.Node) { g.Parts.EffectReview = d.boolean(n) }},
		{"out_of_band", func(n *yaml.Node) { g.Parts.OutOfBand = d.boolean(n) }},
		{"cooldown", func(n *yaml.Node) {
			var ok bool
			if g.Parts.Cooldown, ok = compiled.ParseDuration(n.Value); !ok {
				d.fail(n, "write 30s or 5m", "%q is no duration", n.Value)
			}
		}},
		{"compensation", func(n *yaml.Node) { g.Compensation = d.text(n) }},
		{"undo_window", func(n *yaml.Node) {
			g.Window = strings.TrimSpace(n.Value)
			if _, ok := compiled.ParseDuration(g.Window); !ok {
				d.fail(n, "write 30s or 5m", "%q is no duration", n.Value)
			}
		}},
	})
	return g
}

func (d *decoder) failures(n *yaml.Node) []Failure {
	items := n.Content
	if n.Kind == yaml.MappingNode {
		items = []*yaml.Node{n}
	}
	var out []Failure
	for _, item := range items {
		f := Failure{Pos: d.origin(item)}
		d.fields(item, []reader{
			{"call", func(n *yaml.Node) { f.Call = d.text(n) }},
			{"compensations", func(n *yaml.Node) { f.Compensations = *d.texts(n) }},
		})
		out = append(out, f)
	}
	return out
}
