package policy

import (
	"reflect"
	"strconv"
	"strings"

	"github.com/planlint/planlint/internal/compiled"
)

// field is one row of a field table: what a key of a mapping may hold. The
// tables come from the tags of compiled.Document; loader and schema share them.
type field struct {
	name, doc string
	index     []int
	typ       reflect.Type
	// one names the set of allowed words, keys that of a mapping's keys.
	one, keys string
	must      bool
	// many: a single value stands for a list of one.
	many     bool
	min, max int
}

// fieldTable is the field table of one mapping, in the order of the Go fields.
type fieldTable struct{ fields []field }

func fieldsOf(t reflect.Type) *fieldTable {
	table := new(fieldTable)
	table.add(t, nil)
	return table
}

func (table *fieldTable) add(t reflect.Type, prefix []int) {
	for i := range t.NumField() {
		sf := t.Field(i)
		index := append(append([]int(nil), prefix...), i)
		if sf.Anonymous {
			table.add(sf.Type, index)
			continue
		}
		name, _, _ := strings.Cut(sf.Tag.Get("json"), ",")
		if name == "" || sf.Tag.Get("yaml") == "-" {
			continue
		}
		f := field{
			name: name, doc: sf.Tag.Get("doc"), index: index, typ: sf.Type,
			one: sf.Tag.Get("one"), keys: sf.Tag.Get("keys"),
			must: sf.Tag.Get("must") != "", many: sf.Tag.Get("many") != "",
		}
		f.min, _ = strconv.Atoi(sf.Tag.Get("min"))
		f.max, _ = strconv.Atoi(sf.Tag.Get("max"))
		table.fields = append(table.fields, f)
	}
}

func (table *fieldTable) find(name string) (field, bool) {
	for _, f := range table.fields {
		if f.name == name {
			return f, true
		}
	}
	return field{}, false
}

func (table *fieldTable) names() []string {
	out := make([]string, len(table.fields))
	for i, f := range table.fields {
		out[i] = f.name
	}
	return out
}

// called is how a message names the field.
func (f field) called() string {
	if f.name == "" {
		return "the policy"
	}
	return strconv.Quote(f.name)
}

// want says what the field wants, with its words where they are few.
func (f field) want(kind string) string {
	switch words := compiled.Words(f.one); {
	case f.one == "duration":
		return "a duration like 30s"
	case len(words) > 0:
		return "one of " + strings.Join(words, ", ")
	}
	return kind
}

// words is what the allowed words are called.
func (f field) words() string {
	names := map[string]string{
		"class": "risk class", "gate": "risk class", "sink": "sink kind", "label_kind": "kind of label",
		"unknown_tool": "answer", "unmatched": "answer", "gate_choice": "gate", "observers": "observers",
		"escalation": "decision", "on": "subject", "escalate": "choice",
	}
	if w, ok := names[f.one]; ok {
		return w
	}
	return f.one
}

// isEntries reports whether the type is a mapping in file order.
func isEntries(t reflect.Type) bool {
	return t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Struct &&
		strings.HasPrefix(t.Elem().Name(), "Entry[") && t.Elem().PkgPath() == textType.PkgPath()
}
