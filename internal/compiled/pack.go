package compiled

import (
	"encoding/json"
	"fmt"
	"sort"
	"strconv"
	"strings"
	"sync"

	"github.com/planlint/planlint/tool"
)

// Pack is a set of flattened contracts. Its index holds one line a name or
// alias, sorted: name, tab, offset, tab, length; offsets lead into lines, which
// hold one contract each as JSON.
type Pack struct {
	index, lines string
	conditions   []Named
}

// NewPack flattens contracts. Names given twice, by aliases too, are errors.
func NewPack(tools []Tool) (*Pack, error) {
	var lines strings.Builder
	owner := make(map[string]string)
	var index []string
	p := &Pack{}
	for i := range tools {
		t := &tools[i]
		data, err := json.Marshal(t)
		if err != nil {
			return nil, fmt.Errorf("flatten %q: %w", t.Name.S, err)
		}
		entry := fmt.Sprintf("\t%d\t%d\n", lines.Len(), len(data))
		lines.Write(data)
		lines.WriteByte('\n')
		for _, name := range append([]string{t.Name.S}, Strings(t.Alias)...) {
			if was, taken := owner[name]; taken {
				return nil, fmt.Errorf("%s:%d: %q is already a name of %q", t.Pos.File, t.Pos.Line, name, was)
			}
			if strings.ContainsAny(name, "\t\n") || name == "" {
				return nil, fmt.Errorf("%s:%d: %q cannot be a name", t.Pos.File, t.Pos.Line, name)
			}
			owner[name] = t.Name.S
			index = append(index, name+entry)
		}
		p.conditions = append(p.conditions, conditionsOf(t)...)
	}
	// Names are compared whole: a tab sorts before anything that a name holds.
	sort.Strings(index)
	p.index, p.lines = strings.Join(index, ""), lines.String()
	return p, nil
}

func conditionsOf(t *Tool) []Named {
	var out []Named
	add := func(scope Scope, text Text) {
		if strings.TrimSpace(text.S) != "" {
			out = append(out, Named{scope, t.Name.S, text.S})
		}
	}
	for _, o := range t.Output {
		add(ScopeOutput, o.If)
	}
	for _, s := range t.Sinks {
		add(ScopeClassWhen, s.If)
	}
	for _, w := range t.ClassWhen {
		add(ScopeClassWhen, w.If)
	}
	for _, r := range append(append([]Removal(nil), t.Sanitizes...), t.Endorses...) {
		add(ScopeOutput, r.If)
	}
	return out
}

// Files returns the pack as it is embedded: index, lines and conditions.
func (p *Pack) Files() (index, lines string, conditions []byte) {
	data, _ := json.Marshal(p.conditions)
	return p.index, p.lines, append(data, '\n')
}

// find returns the JSON of the contract with that exact name or alias.
func (p *Pack) find(name string) (offset int, line string) {
	lo, hi := 0, len(p.index)
	for lo < hi {
		mid := lo + (hi-lo)/2
		start := strings.LastIndexByte(p.index[lo:mid], '\n') + 1 + lo
		end := start + strings.IndexByte(p.index[start:], '\n')
		entry := p.index[start:end]
		tab := strings.IndexByte(entry, '\t')
		switch key := entry[:tab]; {
		case key == name:
			return p.at(entry[tab+1:])
		case key < name:
			lo = end + 1
		default:
			hi = start
		}
	}
	return -1, ""
}

func (p *Pack) at(place string) (int, string) {
	a, b, _ := strings.Cut(place, "\t")
	offset, err1 := strconv.Atoi(a)
	length, err2 := strconv.Atoi(b)
	if err1 != nil || err2 != nil || offset < 0 || length < 0 || offset+length > len(p.lines) {
		return -1, ""
	}
	return offset, p.lines[offset : offset+length]
}

// Tool returns the flattened contract of that exact name or alias.
func (p *Pack) Tool(name string) (*Tool, bool) {
	if p == nil {
		return nil, false
	}
	offset, line := p.find(name)
	if offset < 0 {
		return nil, false
	}
	t := new(Tool)
	if fromJSON(line, t, (*scanner).tool) != nil {
		return nil, false
	}
	return t, true
}

// Names returns all names and aliases, sorted.
func (p *Pack) Names() []string {
	if p == nil {
		return nil
	}
	names := make([]string, 0, strings.Count(p.index, "\n"))
	for rest := p.index; rest != ""; {
		line, after, _ := strings.Cut(rest, "\n")
		name, _, _ := strings.Cut(line, "\t")
		names, rest = append(names, name), after
	}
	return names
}

// bind numbers the pack's conditions and returns it as the registry wants it.
func (p *Pack) bind(b *builder) tool.Pack {
	known := make(map[Named]tool.Cond, len(p.conditions))
	for _, c := range p.conditions {
		n, err := b.conds.Condition(Condition{Scope: c.Scope, Text: c.Text, Tool: c.Tool, Builtin: true})
		if err != nil {
			b.problems = append(b.problems, Problem{Message: fmt.Sprintf("built-in contract %q: %v", c.Tool, err)})
		}
		known[c] = n
	}
	return &bound{
		pack: p, cache: make(map[int]*tool.Contract),
		builder: builder{universe: b.universe, conds: frozen{b.conds, known}},
	}
}

// bound is a pack whose contracts are lowered for one universe.
type bound struct {
	pack *Pack

	mu      sync.Mutex
	cache   map[int]*tool.Contract
	builder builder
}

// Contract returns the contract of that exact name or alias, nil for none.
func (b *bound) Contract(name string) *tool.Contract {
	offset, line := b.pack.find(name)
	if offset < 0 {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if c, ok := b.cache[offset]; ok {
		return c
	}
	var t Tool
	if fromJSON(line, &t, (*scanner).tool) != nil {
		return nil
	}
	c := b.builder.contract(&t)
	b.cache[offset] = c
	return c
}

// Names returns all names and aliases, sorted.
func (b *bound) Names() []string { return b.pack.Names() }

// HasServer reports whether the pack describes tools of an MCP server.
func (p *Pack) HasServer(name string) bool {
	prefix := "mcp__" + name + "__"
	return strings.HasPrefix(p.index, prefix) || strings.Contains(p.index, "\n"+prefix)
}
