package rules

import (
	"sort"
	"strings"

	"github.com/planlint/planlint/gate"
)

// Table is a compiled set of rules and settings. It is immutable and may be
// shared. The zero Table, and a nil one, hold no rules and the zero Settings:
// unknown tools are denied, everything else that is not read-only asks.
type Table struct {
	settings Settings
	rules    []compiled
	// byTool lists the rules with an exact tool by its folded name, general all
	// others; both in the order of rules.
	byTool  map[string][]int32
	general []int32
}

// compiled is one rule, ready to match.
type compiled struct {
	Rule
	tool, server, agent namePattern
	path                *pathGlob
	command             *commandPattern
	host                *hostGlob
	// subagent is the kind of sub-agent that the call asks for: Agent(name).
	subagent string
	key      key
	// names: the rule names a command, a path or a server, so that an allow
	// waives the class gate of every class.
	names bool
}

// Settings returns the settings that the table was compiled with.
func (t *Table) Settings() Settings {
	if t == nil {
		return Settings{}
	}
	return t.settings
}

// Len returns how many rules the table holds.
func (t *Table) Len() int {
	if t == nil {
		return 0
	}
	return len(t.rules)
}

// Accepts reports whether some allow accepts that id for the calls that it matches.
func (t *Table) Accepts(id string) bool {
	for i := 0; i < t.Len(); i++ {
		if c := &t.rules[i]; !c.Builtin && c.acceptsID(id) {
			return true
		}
	}
	return false
}

// Rules returns the rules in the table's own order.
func (t *Table) Rules() []Rule {
	out := make([]Rule, 0, t.Len())
	for i := 0; i < t.Len(); i++ {
		out = append(out, t.rules[i].Rule)
	}
	return out
}

// Compile checks the rules and settings and returns the table. All problems
// are reported, in the order of the list, those of the settings first. A rule
// with a problem is not in the table, so a caller must not go on with one.
func Compile(list []Rule, s Settings) (*Table, []Problem) {
	t := &Table{settings: s, byTool: map[string][]int32{}}
	problems := checkSettings(s)
	known := knownIDs(s.Known)
	for i := range list {
		c, bad := compileRule(&list[i], known)
		if len(bad) > 0 {
			problems = append(problems, bad...)
			continue
		}
		t.rules = append(t.rules, c)
		if wide, ok := widened(list[i]); ok {
			more, _ := compileRule(&wide, known)
			t.rules = append(t.rules, more)
		}
	}
	// The order of the file must not matter: ties are broken by the name.
	sort.SliceStable(t.rules, func(i, j int) bool { return t.rules[i].before(&t.rules[j]) })
	for i := range t.rules {
		c := &t.rules[i]
		if c.tool.set() && !c.tool.glob {
			t.index(c.tool.folded, int32(i))
		} else {
			t.general = append(t.general, int32(i))
		}
	}
	return t, problems
}

// index files a rule under its folded name, and one on mcp__server__tool also
// under server_tool, as some clients write it.
func (t *Table) index(folded string, i int32) {
	t.byTool[folded] = append(t.byTool[folded], i)
	if rest, ok := strings.CutPrefix(folded, "mcp_"); ok {
		t.byTool[rest] = append(t.byTool[rest], i)
	}
}

func checkSettings(s Settings) []Problem {
	if s.UnknownTool == gate.Allow {
		return []Problem{{Field: "unknown_tool", Message: `unknown_tool can't be "allow"`,
			Hint: `ask or deny; an allow that names a tool, a command or a server still lets it through`}}
	}
	return nil
}

func (c *compiled) before(o *compiled) bool {
	if c.Pos.File != o.Pos.File {
		return c.Pos.File < o.Pos.File
	}
	if c.Pos.Line != o.Pos.Line {
		return c.Pos.Line < o.Pos.Line
	}
	return c.Pos.Column < o.Pos.Column
}
