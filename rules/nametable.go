package rules

import (
	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/tool"
)

// maxKnownNames bounds the tools whose names are remembered. The names of further
// ones are taken apart each time, with the same result.
const maxKnownNames = 1 << 10

// nameTable remembers how a tool may be called, since most calls of a plan are of
// a few tools. A nil table remembers nothing.
type nameTable struct {
	// first are the first tools: of a few, a list is the quicker map.
	first  []knownNames
	byTool map[nameKey]*names
}

// maxFirst is how many tools are compared one by one.
const maxFirst = 8

// knownNames are the names of a tool that was met before.
type knownNames struct {
	nameKey
	names *names
}

// roomyNames are names with room for those of a usual tool.
type roomyNames struct {
	names  names
	raw    [4]string
	folded [8]string
}

// nameKey is all that names.fill depends on.
type nameKey struct {
	tool, server string
	contract     *tool.Contract
}

// of returns the names of a call's tool, nil where they can't be remembered. They
// are shared: read only.
func (t *nameTable) of(c *plan.Call, r *tool.Resolved) *names {
	if t == nil {
		return nil
	}
	key := nameKey{c.Tool, c.Server, r.Contract}
	for i := range t.first {
		if f := &t.first[i]; f.contract == key.contract && f.tool == key.tool && f.server == key.server {
			return f.names
		}
	}
	n := t.byTool[key]
	if n != nil || len(t.byTool) == maxKnownNames {
		return n
	}
	room := &roomyNames{}
	n = &room.names
	n.raw, n.folded = room.raw[:0], room.folded[:0]
	n.fill(c, r)
	if len(t.first) < maxFirst {
		t.first = append(t.first, knownNames{key, n})
		return n
	}
	if t.byTool == nil {
		t.byTool = make(map[nameKey]*names)
	}
	t.byTool[key] = n
	return n
}
