package compiled

import (
	_ "embed"
	"fmt"
	"sync"
)

//go:embed data/contracts.index
var contractsIndex string

//go:embed data/contracts.jsonl
var contractsLines string

//go:embed data/conditions.json
var contractsConditions string

//go:embed data/preset-default.json
var presetDefault string

//go:embed data/preset-coding-agent.json
var presetCodingAgent string

//go:embed data/preset-strict.json
var presetStrict string

// PresetFile is the name of the file that a built-in policy is flattened to.
func PresetFile(name string) string { return "preset-" + name + ".json" }

// Presets lists the names of the built-in policies, without "builtin:".
func Presets() []string { return []string{"default", "coding-agent", "strict"} }

// presetText returns the flattened built-in policy of a name, empty for none.
func presetText(name string) string {
	switch name {
	case "default":
		return presetDefault
	case "coding-agent":
		return presetCodingAgent
	case "strict":
		return presetStrict
	}
	return ""
}

// decodeBuiltin decodes what every policy needs of the built-in data, once.
var decodeBuiltin = sync.OnceValues(func() (*builtinData, error) {
	d := &builtinData{pack: &Pack{index: contractsIndex, lines: contractsLines}}
	if err := fromJSON(contractsConditions, &d.pack.conditions, (*scanner).named); err != nil {
		return nil, fmt.Errorf("built-in conditions: %w", err)
	}
	return d, nil
})

type builtinData struct{ pack *Pack }

// BuiltinPack returns the contracts of the built-in packs.
func BuiltinPack() (*Pack, error) {
	d, err := decodeBuiltin()
	if err != nil {
		return nil, err
	}
	return d.pack, nil
}

// BuiltinDocument returns a built-in policy by its name, without contracts; the
// caller owns it.
func BuiltinDocument(name string) (*Document, error) {
	text := presetText(name)
	if text == "" {
		return nil, fmt.Errorf("unknown built-in policy %q", name)
	}
	doc := new(Document)
	if err := fromJSON(text, doc, (*scanner).document); err != nil {
		return nil, fmt.Errorf("built-in policy %q: %w", name, err)
	}
	return doc, nil
}
