package planyaml

import (
	"strconv"

	"github.com/planlint/planlint/internal/spell"
	"github.com/planlint/planlint/plan"
)

// Type is what a field holds.
type Type string

// The types of fields.
const (
	String  Type = "string"
	Boolean Type = "boolean"
	Integer Type = "integer"
	// Strings is a list of strings, or one string.
	Strings Type = "strings"
	// StringMap is a mapping whose values are strings.
	StringMap Type = "string map"
	// Any is any value, taken literally.
	Any Type = "any"
	// Argument is any value, with references and $unknown in it.
	Argument Type = "argument"
	// ObjectOf, ListOf and MapOf say that Field.Object is the field itself, each
	// item of its list, each value of its mapping.
	ObjectOf Type = "object"
	ListOf   Type = "list of objects"
	MapOf    Type = "map of objects"
	// Version is the number of the format.
	Version Type = "version"
)

// Field is one field of an object of the format.
type Field struct {
	Name     string
	Type     Type
	Required bool
	// Enum are the only words that a String may have.
	Enum []string
	// Object names the object of an ObjectOf, ListOf or MapOf.
	Object string
	// Doc is one sentence for people.
	Doc string
}

// Object is one kind of mapping of the format. No other fields are allowed.
type Object struct {
	Name   string
	Fields []Field
}

// Schema returns the objects of the format, "plan" first: the same tables that
// the reader uses.
func Schema() []Object {
	return []Object{
		planObject.schema(), envObject.schema(), openObject.schema(), inputObject.schema(), agentObject.schema(),
		textObject.schema(), callObject.schema(), branchObject.schema(), noteObject.schema(),
		refObject.schema(), unknownObject.schema(),
	}
}

// object is an Object with the readers of its fields.
type object[T any] struct {
	name   string
	fields []reader[T]
}

type reader[T any] struct {
	Field
	read func(d *decoder, n *node, into *T)
}

func (o *object[T]) schema() Object {
	out := Object{Name: o.name}
	for _, f := range o.fields {
		out.Fields = append(out.Fields, f.Field)
	}
	return out
}

func (o *object[T]) find(name string) *reader[T] {
	for i := range o.fields {
		if o.fields[i].Name == name {
			return &o.fields[i]
		}
	}
	return nil
}

func (o *object[T]) names() []string {
	var names []string
	for i := range o.fields {
		names = append(names, o.fields[i].Name)
	}
	return names
}

// decode reads a mapping's fields.
func decode[T any](d *decoder, n *node, o *object[T], into *T) {
	if n.kind != plan.Object {
		d.wrong(n, "a mapping")
		return
	}
	outer := d.field
	for i := range n.keys {
		f := o.find(n.keys[i].text)
		if f == nil {
			d.unknownField(&n.keys[i], o.name, o.names())
			continue
		}
		d.field = f.Name
		f.read(d, &n.items[i], into)
	}
	d.field = outer
	for i := range o.fields {
		if f := &o.fields[i]; f.Required && !n.has(f.Name) {
			d.fail(n.pos, "", "%s without %q", o.name, f.Name)
		}
	}
}

func (n *node) has(name string) bool {
	for i := range n.keys {
		if n.keys[i].text == name {
			return true
		}
	}
	return false
}

func (d *decoder) unknownField(k *key, object string, allowed []string) {
	hint := ""
	if d.hints < maxHints {
		d.hints++
		hint = spell.Hint(k.text, allowed)
	}
	name := k.text
	if len(name) > 64 {
		name = name[:64] + "..."
	}
	d.fail(k.pos, hint, "unknown field %s in %s", strconv.Quote(name), object)
}
