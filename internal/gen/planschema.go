package main

import (
	"encoding/json"

	"github.com/planlint/planlint/plan/planyaml"
)

const planSchemaID = "https://planlint.dev/schema/plan.schema.json"

// planSchema returns the JSON Schema (draft 2020-12) of native plans, made from
// the field tables that the reader uses.
func planSchema() ([]byte, error) {
	defs := make(map[string]any)
	var root map[string]any
	for i, o := range planyaml.Schema() {
		object := planObject(o)
		if i == 0 {
			root = object
			continue
		}
		defs[o.Name] = object
	}
	root["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	root["$id"] = planSchemaID
	root["title"] = "planlint plan"
	root["$defs"] = defs
	data, err := json.MarshalIndent(root, "", "  ")
	return append(data, '\n'), err
}

func planObject(o planyaml.Object) map[string]any {
	properties := make(map[string]any)
	var required []string
	for _, f := range o.Fields {
		p := planField(f)
		if f.Doc != "" {
			p["description"] = f.Doc
		}
		properties[f.Name] = p
		if f.Required {
			required = append(required, f.Name)
		}
	}
	out := map[string]any{"type": "object", "properties": properties, "additionalProperties": false}
	if required != nil {
		out["required"] = required
	}
	return out
}

func planField(f planyaml.Field) map[string]any {
	object := map[string]any{"$ref": "#/$defs/" + f.Object}
	text := map[string]any{"type": "string"}
	switch f.Type {
	case planyaml.String:
		if len(f.Enum) > 0 {
			return map[string]any{"enum": f.Enum}
		}
		return text
	case planyaml.Boolean, planyaml.Integer:
		return map[string]any{"type": string(f.Type)}
	case planyaml.Strings:
		return map[string]any{"anyOf": []any{text, map[string]any{"type": "array", "items": text}}}
	case planyaml.StringMap:
		return map[string]any{"type": "object", "additionalProperties": text}
	case planyaml.ObjectOf:
		return object
	case planyaml.ListOf:
		return map[string]any{"type": "array", "items": object}
	case planyaml.MapOf:
		return map[string]any{"type": "object", "additionalProperties": object}
	case planyaml.Version:
		return map[string]any{"const": 1}
	}
	return map[string]any{}
}
