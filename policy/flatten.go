package policy

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/planlint/planlint/internal/compiled"
)

//go:generate go run ../internal/gen ..

// packFiles are the built-in packs and policies as people write and read them.
// Only go generate and tests use them; planlint itself decodes what they were
// flattened to.
//
//go:embed packs/*.yaml presets/*.yaml
var packFiles embed.FS

// PackFile returns the text of a built-in pack or policy: "packs/clients.yaml".
func PackFile(name string) ([]byte, error) { return packFiles.ReadFile(name) }

// PackFiles lists the built-in packs and policies.
func PackFiles() []string {
	packs, _ := fs.Glob(packFiles, "packs/*.yaml")
	presets, _ := fs.Glob(packFiles, "presets/*.yaml")
	return append(packs, presets...)
}

// Flatten returns the built-in packs and policies in the form that is embedded
// in internal/compiled, by file name.
func Flatten() (map[string][]byte, error) {
	pack, presets, err := flattened()
	if err != nil {
		return nil, err
	}
	index, lines, conditions := pack.Files()
	out := map[string][]byte{
		"contracts.index": []byte(index), "contracts.jsonl": []byte(lines), "conditions.json": conditions,
	}
	for name, doc := range presets {
		data, err := json.Marshal(doc)
		if err != nil {
			return nil, err
		}
		out[compiled.PresetFile(name)] = append(data, '\n')
	}
	return out, nil
}

// CheckedConditions returns the conditions of the built-in packs and policies,
// parsed and checked, in the form that is embedded in compose.
func CheckedConditions() ([]byte, error) {
	pack, presets, err := flattened()
	if err != nil {
		return nil, err
	}
	lines := map[string]bool{}
	for _, doc := range presets {
		u, problems := compiled.Universe(&doc)
		conds := newConditions(u, &vocabulary{document: &doc, pack: pack})
		_, more := compiled.Build(&doc, u, pack, conds)
		if problems = append(problems, more...); len(problems) > 0 {
			return nil, fmt.Errorf("%w", sources{}.finish(problems, nil)[0])
		}
		conds.seal()
		stored, err := conds.set.Stored()
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(stored)) {
			lines[line] = true
		}
	}
	return []byte(strings.Join(slices.Sorted(maps.Keys(lines)), "")), nil
}

// flattened returns the contracts, and what each preset is with the packs.
func flattened() (*compiled.Pack, map[string]compiled.Document, error) {
	var tools []compiled.Tool
	var common compiled.Document
	presets := make(map[string]compiled.Document)
	for _, name := range PackFiles() {
		doc, err := packDocument(name)
		if err != nil {
			return nil, nil, err
		}
		if strings.HasPrefix(name, "presets/") {
			presets[strings.TrimSuffix(path.Base(name), ".yaml")] = doc
			continue
		}
		tools = append(tools, doc.Tools...)
		common = joined(common, doc)
	}
	pack, err := compiled.NewPack(tools)
	if err != nil {
		return nil, nil, err
	}
	for name, doc := range presets {
		presets[name] = joined(common, doc)
	}
	return pack, presets, nil
}

// packDocument decodes a built-in file and marks what it holds as built-in.
func packDocument(name string) (compiled.Document, error) {
	data, err := packFiles.ReadFile(name)
	if err != nil {
		return compiled.Document{}, err
	}
	shown := "builtin:" + name
	layer, problems := read(shown, data)
	if len(problems) > 0 {
		return compiled.Document{}, fmt.Errorf("%w", sources{shown: data}.finish(problems, nil)[0])
	}
	d := layer.document
	d.Rules = append(d.Rules, compiled.PermissionRules(d.Permissions)...)
	d.Permissions = compiled.Permissions{}
	d.Version = nil
	for i := range d.Tools {
		d.Tools[i].Pack = path.Base(name)
	}
	for i := range d.Compose {
		d.Compose[i].Builtin = true
	}
	for i := range d.Protected {
		d.Protected[i].Builtin = true
	}
	for i := range d.Rules {
		d.Rules[i].Builtin = true
	}
	return d, nil
}

// joined appends the lists of b to those of a; b's settings and gates count.
func joined(a, b compiled.Document) compiled.Document {
	out := b
	out.Tools = nil
	out.Labels = append(append(compiled.Entries[compiled.Label](nil), a.Labels...), b.Labels...)
	out.Sources = append(append([]compiled.Source(nil), a.Sources...), b.Sources...)
	out.Sinks = append(append([]compiled.Sink(nil), a.Sinks...), b.Sinks...)
	out.Audiences = append(append(compiled.Entries[[]compiled.Text](nil), a.Audiences...), b.Audiences...)
	out.Rules = append(append([]compiled.Rule(nil), a.Rules...), b.Rules...)
	out.Protected = append(append([]compiled.Protected(nil), a.Protected...), b.Protected...)
	out.Compose = append(append([]compiled.ComposeRule(nil), a.Compose...), b.Compose...)
	return out
}
