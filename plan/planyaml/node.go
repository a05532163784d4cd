package planyaml

import (
	"github.com/planlint/planlint/plan"
)

// style says how a scalar is written.
type style uint8

const (
	plain        style = iota
	doubleQuoted       // in JSON and YAML
	singleQuoted
	block // a literal or folded block, or any scalar over several lines
)

// node is one value of the file before it is given a meaning.
type node struct {
	kind plan.ValueKind
	// style, start and end are a scalar's: its bytes in the file, quotes included.
	style      style
	start, end int32
	text       string
	items      []node
	keys       []key
	pos        plan.Position
}

type key struct {
	text string
	pos  plan.Position
}

// kindName is how errors call a node.
func (n *node) kindName() string {
	switch n.kind {
	case plan.Null:
		return "null"
	case plan.Bool:
		return "a boolean"
	case plan.Number:
		return "a number"
	case plan.String:
		return "a string"
	case plan.List:
		return "a list"
	}
	return "a mapping"
}

// duplicates calls report for every key that stands a second time.
func duplicates(keys []key, report func(first, again key)) {
	if len(keys) <= 8 {
		for i := range keys {
			for j := range i {
				if keys[i].text == keys[j].text {
					report(keys[j], keys[i])
					break
				}
			}
		}
		return
	}
	seen := make(map[string]int, len(keys))
	for i := range keys {
		if first, ok := seen[keys[i].text]; ok {
			report(keys[first], keys[i])
			continue
		}
		seen[keys[i].text] = i
	}
}
