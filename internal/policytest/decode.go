package policytest

import (
	"fmt"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/internal/compiled"
	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/plan/planyaml"
	"github.com/planlint/planlint/rules"
	"github.com/planlint/planlint/tool"
)

// decoder reads tests from YAML nodes, strictly.
type decoder struct {
	file     string
	load     func(path string) (*plan.Plan, error)
	problems []compiled.Problem
}

func (d *decoder) origin(n *yaml.Node) tool.Origin {
	return tool.Origin{File: d.file, Line: n.Line, Column: n.Column}
}

func (d *decoder) fail(n *yaml.Node, hint, format string, args ...any) {
	d.problems = append(d.problems, compiled.Problem{At: d.origin(n), Length: len(n.Value), Message: fmt.Sprintf(format, args...), Hint: hint})
}

// reader is one field of a mapping.
type reader struct {
	name string
	read func(*yaml.Node)
}

// fields reads a mapping by a table of its fields.
func (d *decoder) fields(n *yaml.Node, table []reader) {
	if n.Kind != yaml.MappingNode {
		d.fail(n, "", "want a mapping")
		return
	}
	seen := make(map[string]bool)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if seen[key.Value] {
			d.fail(key, "", "duplicate key %q", key.Value)
			continue
		}
		seen[key.Value] = true
		read := find(table, key.Value)
		if read == nil {
			var names []string
			for _, f := range table {
				names = append(names, f.name)
			}
			d.fail(key, compiled.OneOf(key.Value, names), "unknown field %q", key.Value)
			continue
		}
		read(n.Content[i+1])
	}
}

func find(table []reader, name string) func(*yaml.Node) {
	for _, f := range table {
		if f.name == name {
			return f.read
		}
	}
	return nil
}

func (d *decoder) text(n *yaml.Node) string {
	if n.Kind != yaml.ScalarNode || n.Value == "" {
		d.fail(n, "", "want a text")
		return ""
	}
	return n.Value
}

func (d *decoder) texts(n *yaml.Node) *[]string {
	list := []string{}
	switch n.Kind {
	case yaml.ScalarNode:
		list = append(list, d.text(n))
	case yaml.SequenceNode:
		for _, item := range n.Content {
			list = append(list, d.text(item))
		}
	default:
		d.fail(n, "", "want a list of texts")
	}
	return &list
}

func (d *decoder) boolean(n *yaml.Node) bool {
	if n.Value != "true" && n.Value != "false" {
		d.fail(n, "", "want true or false")
	}
	return n.Value == "true"
}

func (d *decoder) number(n *yaml.Node) *int {
	i, err := strconv.Atoi(n.Value)
	if n.Kind != yaml.ScalarNode || err != nil || i < 0 {
		d.fail(n, "", "want a number")
	}
	return &i
}

func (d *decoder) decision(n *yaml.Node) *gate.Decision {
	got, err := gate.ParseDecision(n.Value)
	if n.Kind != yaml.ScalarNode || err != nil {
		d.fail(n, compiled.OneOf(n.Value, []string{"deny", "ask", "allow"}), "unknown decision %q", n.Value)
	}
	return &got
}

// test reads one test.
func (d *decoder) test(n *yaml.Node) Test {
	t := Test{Pos: d.origin(n)}
	expected := false
	d.fields(n, []reader{
		{"name", func(n *yaml.Node) { t.Name = d.text(n) }},
		{"about", func(n *yaml.Node) { d.text(n) }},
		{"plan", func(n *yaml.Node) { t.Plan = d.plan(n) }},
		{"trace", func(n *yaml.Node) { t.Plan = d.path(n) }},
		{"policy", func(n *yaml.Node) { t.Policy = d.policy(n) }},
		{"mode", func(n *yaml.Node) { t.Mode = d.mode(n) }},
		{"lease", func(n *yaml.Node) { t.Lease = d.boolean(n) }},
		{"expect", func(n *yaml.Node) { expected = true; d.expect(n, &t.Expect) }},
		{"max_asks", func(n *yaml.Node) { expected = true; t.Expect.MaxAsks = d.number(n) }},
		{"fails", func(n *yaml.Node) { expected = true; t.Fails = d.failures(n) }},
	})
	if t.Name == "" {
		d.fail(n, "", "a test without a name")
	}
	if !expected {
		d.fail(n, "give expect, max_asks or fails", "test %q expects nothing", t.Name)
	}
	if t.Plan == nil && len(d.problems) == 0 {
		d.fail(n, "give plan: with calls, or trace: with a path", "test %q has no plan", t.Name)
	}
	d.known(&t)
	return t
}

// known checks that expected calls are calls of the plan.
func (d *decoder) known(t *Test) {
	if t.Plan == nil {
		return
	}
	var ids []string
	for i := range t.Plan.Calls {
		ids = append(ids, t.Plan.Calls[i].ID)
	}
	check := func(id string, at tool.Origin) {
		for _, known := range ids {
			if known == id {
				return
			}
		}
		d.problems = append(d.problems, compiled.Problem{At: at, Message: fmt.Sprintf("the plan has no call %q", id), Hint: compiled.OneOf(id, ids)})
	}
	for _, c := range t.Expect.Calls {
		if c.ID != "" {
			check(c.ID, c.Pos)
		}
	}
	for _, f := range t.Fails {
		check(f.Call, f.Pos)
	}
	if t.Expect.Complete && len(t.Expect.Calls) != len(ids) {
		d.problems = append(d.problems, compiled.Problem{At: t.Pos, Message: fmt.Sprintf("the plan has %d calls, %d are expected", len(ids), len(t.Expect.Calls)),
			Hint: "a list names every call in order; a mapping names some by id"})
	}
}

func (d *decoder) mode(n *yaml.Node) string {
	for _, m := range rules.Modes() {
		if m == n.Value {
			return m
		}
	}
	d.fail(n, compiled.OneOf(n.Value, rules.Modes()), "unknown mode %q", n.Value)
	return ""
}

// plan reads an inline plan: a mapping as in a plan file (version may be left
// out), a list of calls, or the path of a file.
func (d *decoder) plan(n *yaml.Node) *plan.Plan {
	if n.Kind == yaml.ScalarNode {
		return d.path(n)
	}
	whole := &yaml.Node{Kind: yaml.MappingNode}
	add := func(key string, value *yaml.Node) {
		whole.Content = append(whole.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: key}, value)
	}
	add("version", &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!int", Value: "1"})
	if n.Kind == yaml.SequenceNode {
		add("calls", n)
	} else {
		for i := 0; i+1 < len(n.Content); i += 2 {
			if n.Content[i].Value != "version" {
				whole.Content = append(whole.Content, n.Content[i], n.Content[i+1])
			}
		}
	}
	src, err := yaml.Marshal(whole)
	if err != nil {
		d.fail(n, "", "plan: %v", err)
		return nil
	}
	p, errs := planyaml.Parse(src, d.file)
	for _, e := range errs {
		d.fail(n, e.Hint, "plan: %s", e.Message)
	}
	return p
}

func (d *decoder) path(n *yaml.Node) *plan.Plan {
	path := d.text(n)
	if path == "" {
		return nil
	}
	p, err := d.load(path)
	if err != nil {
		d.fail(n, "", "%v", err)
	}
	return p
}

// policy reads a policy of the test's own.
func (d *decoder) policy(n *yaml.Node) []byte {
	whole := &yaml.Node{Kind: yaml.MappingNode}
	whole.Content = append(whole.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: "version"}, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!int", Value: "1"})
	if n.Kind == yaml.ScalarNode && strings.HasPrefix(n.Value, "builtin:") {
		whole.Content = append(whole.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: "extends"},
			&yaml.Node{Kind: yaml.SequenceNode, Content: []*yaml.Node{{Kind: yaml.ScalarNode, Value: n.Value}}})
	} else if n.Kind != yaml.MappingNode {
		d.fail(n, "", "want a policy, or builtin:NAME")
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value != "version" {
			whole.Content = append(whole.Content, n.Content[i], n.Content[i+1])
		}
	}
	src, err := yaml.Marshal(whole)
	if err != nil {
		d.fail(n, "", "policy: %v", err)
	}
	return src
}
