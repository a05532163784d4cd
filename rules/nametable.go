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
	byTool map[nameKey]*names
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
	n := t.byTool[key]
	if n != nil || len(t.byTool) == maxKnownNames {
		return n
	}
	if t.byTool == nil {
		t.byTool = make(map[nameKey]*names)
	}
	n = &names{}
	n.fill(c, r)
	t.byTool[key] = n
	return n
}
