package rules

import (
	"fmt"
	"strings"

	"github.com/planlint/planlint/gate"
)

// compiler collects the problems of one rule.
type compiler struct {
	out      *compiled
	problems []Problem
}

func (c *compiler) fail(field, hint, format string, args ...any) {
	c.problems = append(c.problems, Problem{
		Pos: c.out.Pos, Field: field, Message: fmt.Sprintf(format, args...), Hint: hint,
	})
}

func compileRule(r *Rule, known map[string]bool) (compiled, []Problem) {
	out := compiled{Rule: *r}
	c := compiler{out: &out}
	c.compile(known)
	return out, c.problems
}

// compile makes out ready by its rule. A path pattern that is there already is kept.
func (c *compiler) compile(known map[string]bool) {
	if c.out.Permission {
		c.permission()
	}
	c.matchers()
	c.contradictions()
	c.accepts(known)
	c.out.key = c.out.computeKey()
	c.out.names = c.out.namesSomething()
}

func (c *compiler) matchers() {
	r := &c.out.Rule
	if r.Tool == "" && r.Path == "" && r.Command == "" && r.Host == "" && r.Server == "" && r.Agent == "" && r.When == 0 && c.out.subagent == "" {
		c.fail("", `name a tool, path, command, host, server, agent or condition; tool: "*" means every tool`,
			"rule has an empty matcher")
		return
	}
	for _, f := range []struct{ field, text string }{
		{"tool", r.Tool}, {"path", r.Path}, {"command", r.Command}, {"host", r.Host}, {"server", r.Server}, {"agent", r.Agent},
	} {
		if f.text != "" && f.text != strings.TrimSpace(f.text) {
			c.fail(f.field, "", "%s %q matches nothing: it begins or ends with a blank", f.field, f.text)
		}
	}
	c.out.tool = newNamePattern(r.Tool)
	c.out.server = newNamePattern(r.Server)
	c.out.agent = newNamePattern(r.Agent)
	c.patterns()
}

func (c *compiler) patterns() {
	r := &c.out.Rule
	var err error
	if r.Path != "" && c.out.path == nil {
		if c.out.path, err = newPathGlob(r.Path); err != nil {
			c.fail("path", "", "%v", err)
		}
	}
	if r.Command != "" {
		if c.out.command, err = newCommandPattern(r.Command); err != nil {
			c.fail("command", "", "command pattern %q: %v", r.Command, err)
		}
	}
	if r.Host != "" {
		if c.out.host, err = newHostGlob(r.Host); err != nil {
			c.fail("host", "", "host %q: %v", r.Host, err)
		}
	}
}

// contradictions finds rules that can match nothing.
func (c *compiler) contradictions() {
	r := &c.out.Rule
	if r.Access != 0 && r.Path == "" {
		c.fail("access", "", "access needs a path")
	}
	if strings.ContainsAny(r.Tool, "()") {
		c.fail("tool", "write the pattern as path:, command: or host:, or the whole under permissions:",
			"tool %q matches nothing: a tool's name has no brackets", r.Tool)
	}
	rest, mcp := strings.CutPrefix(r.Tool, mcpPrefix)
	if mcp && r.Server != "" && !hasWildcard(rest) && !hasWildcard(r.Server) && !strings.HasPrefix(rest, r.Server+"__") {
		c.fail("server", "", "rule matches nothing: tool %q is not one of server %q", r.Tool, r.Server)
	}
}

func (c *compiler) accepts(known map[string]bool) {
	r := &c.out.Rule
	if r.Restrict && r.Decision == gate.Allow {
		c.fail("decision", "", "a layer that nobody trusts may not allow")
	}
	if len(r.Accepts) == 0 {
		return
	}
	switch {
	case r.Decision != gate.Allow:
		c.fail("accepts", "", "only an allow accepts anything")
	case r.Builtin:
		c.fail("accepts", "", "a built-in rule accepts nothing")
	}
	if strings.TrimSpace(r.Reason) == "" {
		c.fail("reason", "say why this is accepted", "accepts needs a reason")
	}
	for _, id := range r.Accepts {
		if !acceptable(id, known) {
			c.fail("accepts", "a rule's id (PL1001), a risk class ("+strings.Join(gate.Classes(), ", ")+") or protected:NAME",
				"accepts unknown id %q", id)
		}
	}
}

// knownIDs returns nil where only the form of ids can be checked.
func knownIDs(list []string) map[string]bool {
	if list == nil {
		return nil
	}
	known := make(map[string]bool, len(list))
	for _, id := range list {
		known[id] = true
	}
	return known
}

func acceptable(id string, known map[string]bool) bool {
	if _, err := gate.ParseClass(id); err == nil {
		return true
	}
	if known != nil {
		return known[id]
	}
	if name, ok := strings.CutPrefix(id, protectedPrefix); ok {
		return plainID(name)
	}
	if digits, ok := strings.CutPrefix(id, "PL"); ok && digits != "" && strings.Trim(digits, "0123456789") == "" {
		return len(digits) == 4
	}
	return plainID(id) && strings.ContainsAny(id, "0123456789-_")
}

const protectedPrefix = "protected:"

func plainID(id string) bool {
	for i := 0; i < len(id); i++ {
		c := id[i]
		letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_'
		if !letter && (i == 0 || c != '-' && c != '.' && (c < '0' || c > '9')) {
			return false
		}
	}
	return id != ""
}

// namesSomething reports whether the rule names a command, a path or a server,
// and not all of them. A tool mcp__server__x names its server.
func (c *compiled) namesSomething() bool {
	return c.command != nil && !c.command.any ||
		c.path != nil && !c.path.any ||
		c.server.set() && !c.server.any ||
		namesServer(c.Tool)
}

func namesServer(name string) bool {
	rest, ok := strings.CutPrefix(name, mcpPrefix)
	if !ok {
		return false
	}
	server, _, ok := strings.Cut(rest, "__")
	return ok && server != "" && !hasWildcard(server)
}
