package planyaml

import (
	"bytes"
	"regexp"
	"sync"

	"gopkg.in/yaml.v3"
)

// HasCalls reports whether a file is meant to be a plan: whether it, or one of its
// documents, has "calls" at its top. Where a file can't be parsed, whether it has
// such a key anywhere. It tells a plan with mistakes from a file that is none.
func HasCalls(src []byte) bool {
	if !bytes.Contains(src, []byte("calls")) {
		return false
	}
	documents := yaml.NewDecoder(bytes.NewReader(src))
	for {
		var top topLevel
		err := documents.Decode(&top)
		switch {
		case top.calls:
			return true
		case err != nil && err.Error() == "EOF":
			return false
		case err != nil:
			return anyCalls().Match(src)
		}
	}
}

// anyCalls is the key "calls" in block or flow style.
var anyCalls = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)(^|[{,?])[ \t-]*["']?calls["']?[ \t]*(:|$)`) })

// topLevel looks at the keys of a document's top and at nothing below.
type topLevel struct{ calls bool }

// UnmarshalYAML implements yaml.Unmarshaler.
func (t *topLevel) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind == yaml.DocumentNode && len(n.Content) > 0 {
		n = n.Content[0]
	}
	for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
		t.calls = t.calls || n.Content[i].Value == "calls"
	}
	return nil
}
