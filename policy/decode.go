package policy

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/planlint/planlint/internal/compiled"
	"github.com/planlint/planlint/tool"
)

// decoder fills a Go value from YAML nodes by the value's field table (table.go)
// and reports everything that does not fit. What does not fit is left zero.
type decoder struct {
	name     string
	lines    []string
	problems []compiled.Problem
	tables   map[reflect.Type]*fieldTable
	// columns holds, for lines that are not ASCII, the byte offset of each
	// character.
	columns map[int][]int
	nodes   int
	full    bool
}

var (
	textType   = reflect.TypeFor[compiled.Text]()
	originType = reflect.TypeFor[tool.Origin]()
	nodesType  = reflect.TypeFor[[]*yaml.Node]()
)

// decode fills what target points to from a document's root.
func decode(name string, data []byte, root *yaml.Node, target any) (problems []compiled.Problem, whole bool) {
	d := &decoder{name: name, lines: strings.Split(string(data), "\n"), tables: make(map[reflect.Type]*fieldTable), columns: make(map[int][]int)}
	d.value(root, reflect.ValueOf(target).Elem(), field{}, 0)
	return d.problems, !d.full
}

// value fills v from a node. f says what the field that holds v allows.
func (d *decoder) value(n *yaml.Node, v reflect.Value, f field, depth int) {
	n, ok := d.enter(n, depth)
	if !ok {
		return
	}
	switch t := v.Type(); {
	case t == textType:
		d.text(n, v, f)
	case t == nodesType:
		d.raw(n, v)
	case t.Kind() == reflect.Pointer:
		before, item := len(d.problems), reflect.New(t.Elem())
		d.value(n, item.Elem(), f, depth)
		if len(d.problems) == before || t.Elem().Kind() == reflect.Struct {
			v.Set(item)
		}
	case t.Kind() == reflect.Bool:
		d.boolean(n, v)
	case t.Kind() == reflect.Int:
		d.integer(n, v, f)
	case isEntries(t):
		d.entries(n, v, f, depth)
	case t.Kind() == reflect.Slice:
		d.list(n, v, f, depth)
	case t.Kind() == reflect.Struct:
		d.object(n, v, depth)
	}
}

// enter follows an alias and counts nodes.
func (d *decoder) enter(n *yaml.Node, depth int) (*yaml.Node, bool) {
	d.nodes++
	if d.full {
		return n, false
	}
	if d.nodes > maxNodes || depth > maxDepth {
		d.full = true
		d.add(n, fmt.Sprintf("too much: more than %d values by aliases, or more than %d levels", maxNodes, maxDepth), "")
		return n, false
	}
	if n.Kind == yaml.AliasNode && n.Alias != nil {
		return n.Alias, true
	}
	return n, true
}

func (d *decoder) text(n *yaml.Node, v reflect.Value, f field) {
	if n.Kind != yaml.ScalarNode || n.ShortTag() != "!!str" {
		hint := ""
		if n.Kind == yaml.ScalarNode && n.Value != "" && n.ShortTag() != "!!null" && f.one == "" {
			hint = fmt.Sprintf("write it as a text: %s", strconv.Quote(n.Value))
		}
		d.wrong(n, f.want("a text"), hint)
		return
	}
	if strings.TrimSpace(n.Value) == "" {
		d.add(n, fmt.Sprintf("%s is empty", f.called()), "give a value, or leave the field out")
		return
	}
	text := compiled.Text{S: n.Value, At: d.origin(n)}
	v.Set(reflect.ValueOf(text))
	d.word(text, f)
}

// word checks a text against the words that its field allows.
func (d *decoder) word(t compiled.Text, f field) {
	if f.one == "" {
		return
	}
	if f.one == "duration" {
		if _, ok := compiled.ParseDuration(t.S); !ok {
			d.at(t, fmt.Sprintf("%q is no duration", t.S), "write 30s, 5m or 24h")
		}
		return
	}
	allowed := compiled.Words(f.one)
	for _, w := range allowed {
		if w == t.S {
			return
		}
	}
	d.at(t, fmt.Sprintf("unknown %s %q", f.words(), t.S), compiled.OneOf(t.S, allowed))
}

func (d *decoder) boolean(n *yaml.Node, v reflect.Value) {
	switch {
	case n.Kind == yaml.ScalarNode && n.ShortTag() == "!!bool" && (n.Value == "true" || n.Value == "false"):
		v.SetBool(n.Value == "true")
	default:
		d.wrong(n, "true or false", "")
	}
}

func (d *decoder) integer(n *yaml.Node, v reflect.Value, f field) {
	i, err := strconv.Atoi(n.Value)
	if n.Kind != yaml.ScalarNode || n.ShortTag() != "!!int" || err != nil {
		d.wrong(n, "a whole number", "")
		return
	}
	if f.one == "format" && i != FormatVersion {
		d.add(n, fmt.Sprintf("unknown version %d", i), fmt.Sprintf("this planlint reads version: %d", FormatVersion))
		return
	}
	if f.max > f.min && (i < f.min || i > f.max) {
		d.add(n, fmt.Sprintf("%s must be %d to %d, not %d", f.called(), f.min, f.max, i), "")
		return
	}
	v.SetInt(int64(i))
}

func (d *decoder) raw(n *yaml.Node, v reflect.Value) {
	if n.Kind != yaml.SequenceNode {
		d.wrong(n, "a list", "")
		return
	}
	v.Set(reflect.ValueOf(n.Content))
}

func (d *decoder) list(n *yaml.Node, v reflect.Value, f field, depth int) {
	switch {
	case n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" && !f.must:
	case n.Kind == yaml.ScalarNode && f.many:
		d.append(n, v, f, depth)
	case n.Kind == yaml.SequenceNode:
		if len(n.Content) == 0 && f.must {
			d.add(n, fmt.Sprintf("%s is empty", f.called()), "give at least one")
		}
		for _, item := range n.Content {
			d.append(item, v, f, depth)
		}
		d.repeated(v)
	default:
		d.wrong(n, "a list", "")
	}
}

func (d *decoder) append(n *yaml.Node, v reflect.Value, f field, depth int) {
	item := reflect.New(v.Type().Elem()).Elem()
	before := len(d.problems)
	d.value(n, item, f, depth+1)
	if len(d.problems) > before && item.IsZero() {
		return
	}
	v.Set(reflect.Append(v, item))
}

// repeated reports a text that a list holds twice: one of them was meant to be
// something else.
func (d *decoder) repeated(v reflect.Value) {
	list, ok := v.Interface().([]compiled.Text)
	if !ok {
		return
	}
	seen := make(map[string]int, len(list))
	for _, t := range list {
		if line, twice := seen[t.S]; twice {
			d.at(t, fmt.Sprintf("%q is already listed", t.S), fmt.Sprintf("first on line %d", line))
			continue
		}
		seen[t.S] = t.At.Line
	}
}

func (d *decoder) entries(n *yaml.Node, v reflect.Value, f field, depth int) {
	if n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" {
		return
	}
	keys := field{name: f.name, one: f.keys}
	d.pairs(n, func(key compiled.Text, value *yaml.Node) {
		d.word(key, keys)
		entry := reflect.New(v.Type().Elem()).Elem()
		entry.Field(0).Set(reflect.ValueOf(key))
		inner := field{name: key.S, many: entry.Field(1).Kind() == reflect.Slice, must: true}
		d.value(value, entry.Field(1), inner, depth+1)
		v.Set(reflect.Append(v, entry))
	})
}

func (d *decoder) object(n *yaml.Node, v reflect.Value, depth int) {
	table, known := d.tables[v.Type()]
	if !known {
		table = fieldsOf(v.Type())
		d.tables[v.Type()] = table
	}
	given := make(map[string]bool, len(table.fields))
	mapping := d.pairs(n, func(key compiled.Text, value *yaml.Node) {
		f, known := table.find(key.S)
		if !known {
			d.at(key, fmt.Sprintf("unknown field %q", key.S), compiled.OneOf(key.S, table.names()))
			return
		}
		given[key.S] = true
		d.value(value, v.FieldByIndex(f.index), f, depth+1)
	})
	if !mapping {
		return
	}
	for _, f := range table.fields {
		if f.must && !given[f.name] {
			d.add(n, fmt.Sprintf("missing field %q", f.name), f.doc)
		}
	}
	if pos := v.FieldByName("Pos"); pos.IsValid() && pos.Type() == originType {
		pos.Set(reflect.ValueOf(d.origin(n)))
	}
}

// pairs calls f for every key of a mapping that is a text and new.
func (d *decoder) pairs(n *yaml.Node, f func(compiled.Text, *yaml.Node)) bool {
	if n.Kind != yaml.MappingNode {
		d.wrong(n, "a mapping", "")
		return false
	}
	seen := make(map[string]int, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content) && !d.full; i += 2 {
		key := n.Content[i]
		if key.Kind != yaml.ScalarNode || key.ShortTag() == "!!merge" || key.Value == "" {
			d.add(key, "a key must be a text", "merge keys and keys that are lists or mappings are not read")
			continue
		}
		t := compiled.Text{S: key.Value, At: d.origin(key)}
		if line, twice := seen[t.S]; twice {
			d.at(t, fmt.Sprintf("duplicate key %q", t.S), fmt.Sprintf("first on line %d", line))
			continue
		}
		seen[t.S] = key.Line
		f(t, n.Content[i+1])
	}
	return true
}

func (d *decoder) wrong(n *yaml.Node, want, hint string) {
	d.add(n, fmt.Sprintf("want %s, not %s", want, kindOf(n)), hint)
}

func (d *decoder) add(n *yaml.Node, message, hint string) {
	length := 1
	if n.Kind == yaml.ScalarNode && n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) == 0 {
		length = len(n.Value)
	}
	d.report(compiled.Problem{At: d.origin(n), Length: length, Message: message, Hint: hint})
}

func (d *decoder) at(t compiled.Text, message, hint string) {
	d.report(compiled.Problem{At: t.At, Length: len(t.S), Message: message, Hint: hint})
}

// report adds a problem; one too many ends the reading of the file.
func (d *decoder) report(p compiled.Problem) {
	if len(d.problems) > maxCounted {
		return
	}
	if len(d.problems) == maxCounted {
		d.full = true
		p.Message, p.Hint = "too many problems: the rest of the file was not read", ""
	}
	d.problems = append(d.problems, p)
}

func kindOf(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	case yaml.AliasNode:
		return "an alias"
	}
	switch n.ShortTag() {
	case "!!str":
		return "the text " + strconv.Quote(clip(n.Value))
	case "!!int", "!!float":
		return "the number " + clip(n.Value)
	case "!!bool":
		return n.Value
	case "!!null":
		return "nothing"
	}
	return "a value of type " + strconv.Quote(n.ShortTag())
}

func clip(s string) string {
	if len(s) > 40 {
		return strings.ToValidUTF8(s[:40], "") + "…"
	}
	return s
}
