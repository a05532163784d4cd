// Package toollist reads the lists of tools that MCP servers give (tools/list),
// and says three things of them: the digest of each definition, so that a
// changed one is seen (Lock); which roles the tools have together (Surface); and
// what of a list an agent may see under a ceiling (Export).
//
// In: dumps of tools/list, in the forms that clients and inspectors write. Out:
// tools by server and name, with their definitions as they stood.
//
// A server describes itself, so nothing that it says makes a tool look less
// dangerous: `readOnlyHint` and its like are ignored, `destructiveHint` and
// `openWorldHint` count. What no contract describes is unknown, and shown so.
//
// Guaranteed: no panic on any input; digests do not depend on the order of keys
// or on blanks. Limits: MaxTools; descriptions are compared, not understood.
package toollist

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"sort"
	"strings"
)

// MaxTools is how many tools a dump may hold; a longer one is an error.
const MaxTools = 10_000

// Tool is one tool of a list.
type Tool struct {
	Server, Name string
	Description  string
	// Schema is the input schema, as it stood; nil where there is none.
	Schema json.RawMessage
	// Destructive and OpenWorld are the annotations that count.
	Destructive, OpenWorld bool
	// Raw is the whole definition.
	Raw json.RawMessage
}

// ID is server/name, or the name alone.
func (t *Tool) ID() string {
	if t.Server == "" {
		return t.Name
	}
	return t.Server + "/" + t.Name
}

// definition is a tool as servers write it.
type definition struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Schema      json.RawMessage `json:"inputSchema"`
	Snake       json.RawMessage `json:"input_schema"`
	Parameters  json.RawMessage `json:"parameters"`
	Function    *definition     `json:"function"`
	Annotations struct {
		Destructive *bool `json:"destructiveHint"`
		OpenWorld   *bool `json:"openWorldHint"`
	} `json:"annotations"`
}

// Parse reads a dump: {tools: [...]}, the JSON-RPC answer around it, a bare
// list, or {server: NAME, tools: [...]}. server names the server where the dump
// does not; "" takes it from the file's name.
func Parse(data []byte, file, server string) ([]Tool, error) {
	data = bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\ufeff")))
	named, raw, err := definitions(data)
	if err != nil {
		return nil, err
	}
	if server == "" {
		server = named
	}
	if server == "" {
		server = strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
	}
	if len(raw) > MaxTools {
		return nil, fmt.Errorf("%d tools, at most %d are read", len(raw), MaxTools)
	}
	var tools []Tool
	seen := make(map[string]bool)
	for i, r := range raw {
		t, err := one(r, server)
		if err != nil {
			return nil, fmt.Errorf("tool %d: %w", i+1, err)
		}
		if seen[t.Name] {
			return nil, fmt.Errorf("tool %q is listed twice", t.Name)
		}
		seen[t.Name] = true
		tools = append(tools, t)
	}
	sort.SliceStable(tools, func(i, j int) bool { return tools[i].Name < tools[j].Name })
	return tools, nil
}

// definitions finds the list, and the server's name if the dump has it.
func definitions(data []byte) (server string, list []json.RawMessage, err error) {
	if len(data) > 0 && data[0] == '[' {
		err = json.Unmarshal(data, &list)
		return "", list, err
	}
	var whole struct {
		Server json.RawMessage `json:"server"`
		Tools  json.RawMessage `json:"tools"`
		Result json.RawMessage `json:"result"`
	}
	if err := json.Unmarshal(data, &whole); err != nil {
		return "", nil, err
	}
	if len(whole.Result) > 0 && len(whole.Tools) == 0 {
		return definitions(whole.Result)
	}
	_ = json.Unmarshal(whole.Server, &server) // an object names none
	if len(whole.Tools) == 0 {
		return server, nil, errors.New("no list of tools")
	}
	if err := json.Unmarshal(whole.Tools, &list); err != nil {
		return server, nil, errors.New("tools is no list")
	}
	return server, list, nil
}

func one(raw json.RawMessage, server string) (Tool, error) {
	var d definition
	if err := json.Unmarshal(raw, &d); err != nil {
		return Tool{}, err
	}
	if d.Function != nil && d.Name == "" {
		d = *d.Function
	}
	if d.Name == "" {
		return Tool{}, errors.New("it has no name")
	}
	t := Tool{Server: server, Name: d.Name, Description: d.Description, Raw: raw}
	for _, schema := range []json.RawMessage{d.Schema, d.Snake, d.Parameters} {
		if t.Schema == nil && len(schema) > 0 && string(schema) != "null" {
			t.Schema = schema
		}
	}
	if rest, ok := strings.CutPrefix(d.Name, "mcp__"); ok {
		if s, name, ok := strings.Cut(rest, "__"); ok {
			t.Server, t.Name = s, name
		}
	}
	a := d.Annotations
	t.Destructive = a.Destructive != nil && *a.Destructive
	t.OpenWorld = a.OpenWorld != nil && *a.OpenWorld
	return t, nil
}

// Params returns the names of the parameters, sorted, and their descriptions.
func (t *Tool) Params() (names []string, texts map[string]string) {
	var schema struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	texts = make(map[string]string)
	if json.Unmarshal(t.Schema, &schema) != nil {
		return nil, texts
	}
	for name, raw := range schema.Properties {
		var p struct {
			Description string `json:"description"`
		}
		_ = json.Unmarshal(raw, &p) // a schema may be true
		names, texts[name] = append(names, name), p.Description
	}
	sort.Strings(names)
	return names, texts
}

// digest hashes text, or JSON in its canonical form: keys sorted, no blanks,
// numbers as written.
func digest(data []byte, isJSON bool) string {
	if isJSON && len(data) > 0 {
		dec := json.NewDecoder(bytes.NewReader(data))
		dec.UseNumber()
		var v any
		if dec.Decode(&v) == nil {
			var out bytes.Buffer
			enc := json.NewEncoder(&out)
			enc.SetEscapeHTML(false)
			if enc.Encode(v) == nil {
				data = bytes.TrimSpace(out.Bytes())
			}
		}
	}
	sum := sha256.Sum256(data)
	return "sha256:" + hex.EncodeToString(sum[:])
}
