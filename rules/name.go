package rules

import (
	"strings"

	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/tool"
)

// names are the spellings of one call's tool. Grants are compared with the raw
// ones, restrictions with the folded ones.
type names struct {
	raw    []string
	folded []string
	// server is the server's raw name, empty if none is known for certain;
	// servers are all that it may be, folded.
	server  string
	servers []string
}

const mcpPrefix = "mcp__"

// fill lists how the call's tool may be called. A server's tool is never
// granted under its bare name, since another server may have one of that name.
func (n *names) fill(c *plan.Call, r *tool.Resolved) {
	n.addServer(c)
	raw := c.Tool
	if c.Server != "" && !strings.HasPrefix(raw, mcpPrefix) {
		raw = mcpPrefix + c.Server + "__" + raw
	}
	n.raw = append(n.raw, raw)
	n.addFolded(raw)
	n.addFolded(c.Tool)
	n.addFolded(bareName(raw))
	if r.Contract != nil {
		n.addContract(r.Contract)
	}
}

func (n *names) addContract(k *tool.Contract) {
	for i := -1; i < len(k.Aliases); i++ {
		name := k.Name
		if i >= 0 {
			name = k.Aliases[i]
		}
		if name == n.raw[0] {
			continue
		}
		n.raw = append(n.raw, name)
		n.addFolded(name)
	}
}

func (n *names) addFolded(name string) {
	f := fold(name)
	n.push(f)
	if rest, ok := strings.CutPrefix(f, "mcp_"); ok {
		n.push(rest)
	}
}

func (n *names) push(folded string) {
	for _, have := range n.folded {
		if have == folded {
			return
		}
	}
	n.folded = append(n.folded, folded)
}

// addServer finds the server. mcp__a__b__c may be tool b__c of server a or
// tool c of server a__b: a grant then needs the format to keep them apart.
func (n *names) addServer(c *plan.Call) {
	if c.Server != "" {
		n.server = c.Server
		n.servers = []string{fold(c.Server)}
		return
	}
	rest, ok := strings.CutPrefix(c.Tool, mcpPrefix)
	if !ok {
		return
	}
	for at := 0; ; {
		i := strings.Index(rest[at:], "__")
		if i < 0 {
			break
		}
		at += i
		if at > 0 {
			n.servers = append(n.servers, fold(rest[:at]))
			if len(n.servers) == 1 {
				n.server = rest[:at]
			}
		}
		at += 2
	}
	if len(n.servers) > 1 {
		n.server = ""
	}
}

// bareName is the part after the server: get_issue of mcp__github__get_issue,
// github.get_issue, github/get_issue and github:get_issue.
func bareName(name string) string {
	if rest, ok := strings.CutPrefix(name, mcpPrefix); ok {
		if i := strings.Index(rest, "__"); i >= 0 {
			return rest[i+2:]
		}
	}
	if i := strings.LastIndexAny(name, "./:"); i >= 0 {
		return name[i+1:]
	}
	return name
}

// fold maps every spelling that some client turns a name into to one: lower
// case, and one _ for each run of anything but letters, digits and wildcards.
func fold(name string) string {
	if folded(name) {
		return name
	}
	b := make([]byte, 0, len(name))
	for i := 0; i < len(name); i++ {
		c := name[i]
		switch {
		case 'A' <= c && c <= 'Z':
			b = append(b, c+'a'-'A')
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9', c == '*', c == '?', c >= 0x80:
			b = append(b, c)
		case len(b) == 0 || b[len(b)-1] != '_':
			b = append(b, '_')
		}
	}
	return string(b)
}

func folded(name string) bool {
	for i := 0; i < len(name); i++ {
		c := name[i]
		plain := 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '*' || c == '?' || c >= 0x80
		if !plain && (c != '_' || i > 0 && name[i-1] == '_') {
			return false
		}
	}
	return true
}

// namePattern is a rule's tool or server.
type namePattern struct {
	raw, folded string
	glob        bool
	// any: the pattern is * and names nothing.
	any bool
}

func newNamePattern(text string) namePattern {
	return namePattern{
		raw: text, folded: fold(text), glob: hasWildcard(text),
		any: text != "" && strings.Trim(text, "*") == "",
	}
}

func (p namePattern) set() bool { return p.raw != "" }

// grants compares the raw identity.
func (p namePattern) grants(raw []string) bool {
	for _, n := range raw {
		if n == p.raw || p.glob && wildcard(p.raw, n) {
			return true
		}
	}
	return false
}

// restricts compares every spelling.
func (p namePattern) restricts(folded []string) bool {
	rest := strings.TrimPrefix(p.folded, "mcp_")
	for _, n := range folded {
		if n == p.folded || n == rest || p.glob && wildcard(p.folded, n) {
			return true
		}
	}
	return false
}
