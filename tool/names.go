package tool

import (
	"strings"

	"github.com/planlint/planlint/plan"
)

// maxForms bounds the ways in which one name is taken apart.
const maxForms = 32

// serverForms returns the names that a contract may have (mcp__server__tool) for
// a name that a client wrote in another form: server.tool, server/tool,
// server__tool, server-tool, mcp_server_tool.
func serverForms(name string) (forms []string) {
	add := func(server, tool string) {
		if server != "" && tool != "" && len(forms) < maxForms {
			forms = append(forms, "mcp__"+server+"__"+tool)
		}
	}
	rest, whole := strings.CutPrefix(name, "mcp__")
	for _, sep := range []string{"__", ".", "/"} {
		server, tool, ok := strings.Cut(rest, sep)
		if ok && !strings.Contains(tool, sep) && !(whole && sep == "__") {
			add(server, tool)
		}
	}
	if whole {
		return forms
	}
	rest, gemini := strings.CutPrefix(name, "mcp_")
	for i := 1; i < len(rest)-1; i++ {
		if gemini && rest[i] == '_' || !gemini && rest[i] == '-' {
			add(rest[:i], rest[i+1:])
		}
	}
	return forms
}

// identity is the name of a call's tool as rules see it.
type identity struct {
	raw string
	// server and tool are the whole parts; server is empty for other tools.
	server, tool string
	// sure: there is only one way to take the raw name apart.
	sure bool
	// same are the contract's name and aliases: the same tool elsewhere.
	same []string
}

func identify(c *plan.Call, r *Resolved) identity {
	id := identity{raw: c.Tool, tool: c.Tool, server: c.Server, sure: true}
	if rest, ok := strings.CutPrefix(c.Tool, "mcp__"); ok {
		if server := c.Server; server != "" && strings.HasPrefix(rest, server+"__") {
			id.tool = rest[len(server)+2:]
		} else if server, tool, ok := strings.Cut(rest, "__"); ok {
			id.server, id.tool = server, tool
			id.sure = !strings.Contains(tool, "__") && !strings.HasPrefix(tool, "_")
		}
	}
	if r != nil && r.Contract != nil {
		id.same = append(append(id.same, r.Contract.Name), r.Contract.Aliases...)
	}
	return id
}

// full is the name with its server, as contracts and patterns have it.
func (id identity) full() string {
	if id.server == "" {
		return id.raw
	}
	return "mcp__" + id.server + "__" + id.tool
}

// foldName drops what clients change in names: case and the separators.
func foldName(name string) string {
	var b strings.Builder
	b.Grow(len(name))
	for _, r := range name {
		switch r {
		case '.', '_', '-', '/', ':', ' ':
		default:
			b.WriteString(foldWide(r))
		}
	}
	return b.String()
}
