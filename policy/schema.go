package policy

import (
	"encoding/json"
	"reflect"

	"github.com/planlint/planlint/internal/compiled"
)

// schemaID names the schema for editors.
const schemaID = "https://planlint.dev/schema/policy.schema.json"

// Modeline is the comment by which editors find the schema.
const Modeline = "# yaml-language-server: $schema=" + schemaID

// Schema returns the JSON Schema (draft 2020-12) of policy files. It is made
// from the field tables that the loader uses, so the two cannot differ in names,
// words, and what must be there.
func Schema() ([]byte, error) {
	s := &schemaWriter{defs: make(map[string]any)}
	root := s.object(reflect.TypeFor[root]())
	root["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	root["$id"] = schemaID
	root["title"] = "planlint policy"
	root["$defs"] = s.defs
	data, err := json.MarshalIndent(root, "", "  ")
	return append(data, '\n'), err
}

type schemaWriter struct{ defs map[string]any }

// object is the schema of a mapping with a field table.
func (s *schemaWriter) object(t reflect.Type) map[string]any {
	properties := make(map[string]any)
	var required []string
	for _, f := range fieldsOf(t).fields {
		p := s.value(f.typ, f)
		if f.doc != "" {
			p["description"] = f.doc
		}
		properties[f.name] = p
		if f.must {
			required = append(required, f.name)
		}
	}
	out := map[string]any{"type": "object", "properties": properties, "additionalProperties": false}
	if required != nil {
		out["required"] = required
	}
	return out
}

func (s *schemaWriter) value(t reflect.Type, f field) map[string]any {
	switch {
	case t == textType:
		return textSchema(f)
	case t == nodesType:
		return map[string]any{"type": "array"}
	case t.Kind() == reflect.Pointer:
		return s.value(t.Elem(), f)
	case t.Kind() == reflect.Bool:
		return map[string]any{"type": "boolean"}
	case t.Kind() == reflect.Int:
		out := map[string]any{"type": "integer"}
		if f.max > f.min {
			out["minimum"], out["maximum"] = f.min, f.max
		}
		if f.one == "format" {
			return map[string]any{"const": FormatVersion}
		}
		return out
	case isEntries(t):
		return s.mapping(t, f)
	case t.Kind() == reflect.Slice:
		return s.list(t, f)
	}
	if _, known := s.defs[t.Name()]; !known {
		s.defs[t.Name()] = nil
		s.defs[t.Name()] = s.object(t)
	}
	return map[string]any{"$ref": "#/$defs/" + t.Name()}
}

func (s *schemaWriter) mapping(t reflect.Type, f field) map[string]any {
	value := t.Elem().Field(1).Type
	out := map[string]any{
		"type":                 []string{"object", "null"},
		"additionalProperties": s.value(value, field{many: value.Kind() == reflect.Slice, must: true}),
	}
	if f.keys != "" {
		out["propertyNames"] = map[string]any{"enum": compiled.Words(f.keys)}
	}
	return out
}

func (s *schemaWriter) list(t reflect.Type, f field) map[string]any {
	item := s.value(t.Elem(), field{one: f.one})
	list := map[string]any{"type": "array", "items": item}
	if t.Elem() == textType {
		list["uniqueItems"] = true
	}
	if f.must {
		list["minItems"] = 1
	}
	switch {
	case f.many:
		return map[string]any{"anyOf": []any{item, list}}
	case f.must:
		return list
	}
	list["type"] = []string{"array", "null"}
	return list
}

func textSchema(f field) map[string]any {
	if f.one == "duration" {
		return map[string]any{"type": "string", "pattern": `^([0-9]+(\.[0-9]+)?(ns|us|µs|ms|s|m|h))+$`}
	}
	if words := compiled.Words(f.one); len(words) > 0 {
		return map[string]any{"enum": words}
	}
	return map[string]any{"type": "string", "pattern": `\S`}
}
