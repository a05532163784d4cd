package tool

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/planlint/planlint/internal/content"
	"github.com/planlint/planlint/taint"
)

// Config is what a registry is made of. Layers are merged and refinements
// applied before; nothing in it is changed afterwards.
type Config struct {
	Universe *taint.Universe
	// Contracts are the contracts of all layers, decoded.
	Contracts []Contract
	// Packs are asked, in order, for names that Contracts does not have. They
	// were checked when they were built.
	Packs []Pack
	// Conditions evaluates `if:` and class_when; nil where none has a condition.
	Conditions Conditions
	// Content recognises secrets in outputs and arguments; nil: nothing is.
	Content *content.Scanner
	Sources []SourceRule
	Sinks   []SinkRule
	// Audiences names the members of an audience: "github:acme/site" -> everyone,
	// "user" -> the user's own addresses. Members may be audiences themselves.
	Audiences map[string][]string
}

// Pack is a set of contracts that are decoded when they are first needed. It is
// safe for concurrent use.
type Pack interface {
	// Contract returns the contract of that exact name or alias, nil for none.
	Contract(name string) *Contract
	// Names returns all names and aliases, sorted.
	Names() []string
}

// SourceRule labels what matching calls give, with or without a contract.
type SourceRule struct {
	Pattern *Pattern
	Labels  taint.Set
	// Except are files that a pattern over paths names and that carry nothing.
	Except []*PathGlob
	// Readers are principals; empty: as the labels have by themselves.
	Readers []string
	// Why is half a sentence: "planlint.yaml:12".
	Why string
	Pos Origin
}

// SinkRule makes matching calls a sink, with or without a contract.
type SinkRule struct {
	Pattern *Pattern
	Kinds   taint.SinkKind
	// Audience are principals, "args.PATH" or templates; empty: everyone.
	Audience []string
	Why      string
	Pos      Origin
}

// Problem is an error or a lint of a contract, rule or pattern.
type Problem struct {
	Pos     Origin
	Message string
	Hint    string
	// Lint: the contract loads, but is likely wrong.
	Lint bool
}

// Registry is the closed set of contracts of one policy. It is safe for
// concurrent use.
type Registry struct {
	config Config
	// names holds Contracts by name and alias, packs apart.
	names  map[string]*Contract
	groups *groups
	// sinkAudience are the audiences of the policy's sinks, by their index.
	sinkAudience [][]template
	// slots and onlyOutput are what the steps of most calls read and write: their
	// first slots, and their output.
	slots      [8]taint.Operand
	onlyOutput []taint.Write
	// spare holds the scratch space of plans that were resolved.
	spare sync.Pool
	// released holds lists of calls that were given back.
	released sync.Pool
	// index is of Config.Sources; it is made when a plan is first resolved.
	index func() *sourceIndex

	mu      sync.RWMutex
	entries map[*Contract]*entry
}

// NewRegistry checks the config and indexes its contracts by name and alias.
// Contracts with a problem that is no lint are left out, so that what they
// describe counts as unknown.
func NewRegistry(c Config) (*Registry, []Problem) {
	r := &Registry{config: c, names: make(map[string]*Contract, 2*len(c.Contracts)), entries: make(map[*Contract]*entry),
		onlyOutput: []taint.Write{{ToOutput: true}}}
	for i := range r.slots {
		r.slots[i] = fromSlot(i)
	}
	r.index = sync.OnceValue(func() *sourceIndex { return newSourceIndex(c.Sources) })
	problems := checkRules(&c)
	r.groups = newGroups(c.Audiences)
	for _, s := range c.Sinks {
		r.sinkAudience = append(r.sinkAudience, parseAll(s.Audience, nil))
	}
	for i := range c.Contracts {
		con := &c.Contracts[i]
		bad := Check(con)
		if old := r.names[con.Name]; old != nil && con.Name != "" {
			bad = append(bad, Problem{Pos: con.Pos, Message: fmt.Sprintf("tool %q has two contracts", con.Name),
				Hint: "the other is at " + old.Pos.String() + "; a later layer changes a contract with refines"})
		}
		if problems = append(problems, bad...); len(bad) == 0 {
			r.names[con.Name] = con
		}
	}
	return r, append(problems, r.addAliases()...)
}

// addAliases indexes the aliases. One that is another contract's name says that
// both are the same tool for rules; the name keeps its own contract.
func (r *Registry) addAliases() (problems []Problem) {
	owner := make(map[string]*Contract)
	for i := range r.config.Contracts {
		con := &r.config.Contracts[i]
		if r.names[con.Name] != con {
			continue
		}
		for _, alias := range con.Aliases {
			if r.names[alias] != nil && owner[alias] == nil {
				continue
			}
			if old := owner[alias]; old != nil && old != con {
				problems = append(problems, Problem{Pos: con.Pos, Message: fmt.Sprintf("alias %q of tool %q is taken", alias, con.Name),
					Hint: fmt.Sprintf("tool %q at %s has it", old.Name, old.Pos)})
				continue
			}
			owner[alias], r.names[alias] = con, con
		}
	}
	return problems
}

// Contract returns the contract of a tool by its raw name or alias, nil for none.
func (r *Registry) Contract(name string) *Contract {
	if c := r.names[name]; c != nil {
		return c
	}
	for _, p := range r.config.Packs {
		if c := p.Contract(name); c != nil {
			return c
		}
	}
	return nil
}

// Names returns every name and alias that has a contract, sorted.
func (r *Registry) Names() []string {
	var names []string
	for n := range r.names {
		names = append(names, n)
	}
	for _, p := range r.config.Packs {
		names = append(names, p.Names()...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Find returns the contract of a call's tool, in any of the forms in which
// clients write an MCP server and its tool. A call that names its server never
// gets the contract of a tool without one, since another server may offer a
// tool of any name.
func (r *Registry) Find(tool, server string) *Contract {
	if server != "" && !strings.HasPrefix(tool, "mcp__") {
		return r.Contract("mcp__" + server + "__" + tool)
	}
	if c := r.Contract(tool); c != nil {
		return c
	}
	var found *Contract
	for _, name := range serverForms(tool) {
		c := r.Contract(name)
		if c != nil && found != nil && c != found {
			return nil
		}
		if c != nil {
			found = c
		}
	}
	return found
}

func (r *Registry) entry(c *Contract) *entry {
	r.mu.RLock()
	e := r.entries[c]
	r.mu.RUnlock()
	if e != nil {
		return e
	}
	e = newEntry(c, r)
	r.mu.Lock()
	defer r.mu.Unlock()
	if old := r.entries[c]; old != nil {
		return old
	}
	e.number = len(r.entries)
	r.entries[c] = e
	return e
}

// String writes file:line:column.
func (o Origin) String() string {
	if o.File == "" {
		return "built-in"
	}
	return fmt.Sprintf("%s:%d:%d", o.File, o.Line, o.Column)
}
