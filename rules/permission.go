package rules

import (
	"strings"

	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/tool"
)

// permission takes a whole entry of a permissions list apart. Read(p) is every
// read of p by any tool, Edit(p) every write, WebFetch(domain:h) every contact
// with h, Bash(c) every command for a deny or ask and those of the shell tool
// for an allow; Tool(p) of any other tool is a path of that tool.
func (c *compiler) permission() {
	r := &c.out.Rule
	if r.Path != "" {
		return // taken apart already
	}
	name, spec, ok := strings.Cut(r.Tool, "(")
	if !ok {
		c.bareName(name)
		return
	}
	spec, closed := strings.CutSuffix(spec, ")")
	switch {
	case name == "" || !closed:
		c.fail("tool", "write Tool(pattern)", "permission %q is not well formed", r.Tool)
	case strings.TrimSpace(spec) == "":
		c.fail("tool", "write the tool's bare name for all of its calls", "permission %q has an empty pattern", r.Tool)
	default:
		c.pattern(name, spec)
	}
}

// widened returns, for a bare Read, Edit or Write, the second rule that it stands
// for: that access to any path, by any tool; an allow covers no commands.
func widened(r Rule) (Rule, bool) {
	if !r.Permission {
		return r, false
	}
	switch r.Tool {
	case "Read":
		r.Access = tool.Read
	case "Edit", "Write":
		r.Access = tool.Write
	default:
		return r, false
	}
	r.Tool, r.Path = "", "//**"
	return r, true
}

// bareName is an entry without brackets; mcp__server is every tool of a server.
func (c *compiler) bareName(name string) {
	rest, mcp := strings.CutPrefix(name, mcpPrefix)
	if !mcp {
		return
	}
	server, all := strings.CutSuffix(rest, "__*")
	if (all || !strings.Contains(rest, "__")) && server != "" && !hasWildcard(server) {
		c.out.Tool, c.out.Server = "", server
	}
}

func (c *compiler) pattern(name, spec string) {
	r := &c.out.Rule
	switch name {
	case "Bash", "PowerShell":
		r.Command = spec
		if r.Decision != gate.Allow {
			name = "" // whatever tool runs it
		}
		r.Tool = name
	case "Read":
		r.Tool, r.Path, r.Access = "", spec, tool.Read
	case "Edit", "Write", "MultiEdit", "NotebookEdit":
		r.Tool, r.Path, r.Access = "", spec, tool.Write
	case "WebFetch":
		host, ok := strings.CutPrefix(spec, "domain:")
		if !ok {
			c.fail("tool", "write WebFetch(domain:host.example)", "permission %q names no domain", r.Tool)
			return
		}
		r.Tool, r.Host = "", host
	case "Agent", "Task":
		c.out.subagent = spec
		r.Tool = ""
		if r.Decision == gate.Allow {
			r.Tool = name
		}
	default:
		r.Tool, r.Path = name, spec
	}
}
