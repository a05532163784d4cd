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
	// first are the first tools, n of them: of a few, a list is the quicker map.
	first  [maxFirst]knownNames
	n      int
	byTool map[nameKey]*names
}

// maxFirst is how many tools are compared one by one.
const maxFirst = 8

// knownNames are the names of a tool that was met before.
type knownNames struct {
	nameKey
	roomyNames
}

// roomyNames are names with room for those of a usual tool.
type roomyNames struct {
	names  names
	raw    [8]string
	folded [16]string
}

func (r *roomyNames) fill(c *plan.Call, of *tool.Resolved) *names {
	r.names = names{raw: r.raw[:0], folded: r.folded[:0]}
	r.names.fill(c, of)
	return &r.names
}

// forget empties the table, and keeps its room.
func (t *nameTable) forget() {
	clear(t.first[:t.n])
	t.n, t.byTool = 0, nil
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
	for i := range t.first[:t.n] {
		if f := &t.first[i]; f.contract == key.contract && f.tool == key.tool && f.server == key.server {
			return &f.names
		}
	}
	if t.n < maxFirst {
		f := &t.first[t.n]
		t.n++
		f.nameKey = key
		return f.fill(c, r)
	}
	n := t.byTool[key]
	if n != nil || len(t.byTool) == maxKnownNames {
		return n
	}
	if t.byTool == nil {
		t.byTool = make(map[nameKey]*names)
	}
	n = new(roomyNames).fill(c, r)
	t.byTool[key] = n
	return n
}
