package tool

import (
	"slices"

	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/origin"
	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/taint"
)

// entry is a contract prepared for resolving: paths as a tree, templates
// parsed, implied sinks added. Built once for each contract that is used.
type entry struct {
	c        *Contract
	number   int // of the registry's entries
	root     *argNode
	names    []string // of Args, as slots show them
	sinks    []SinkDecl
	audience []template
	cells    []template
	readers  [][]template // by index in c.Output
	// fixedResult is set where no output label depends on the call.
	fixedResult *taint.Result
	fixed       bool
	// origins is for the analysis of origins.
	origins origin.Tool
	// notGiven and notSaid are the call's lists of arguments at first.
	notGiven []int
	notSaid  []argText
	// listed: some argument can be accounted for, by an enum or as a mode.
	listed bool
	// with are the arguments by their role, files those that name files, effects
	// those that say what is read, written or run.
	with           [Patch + 1][]int
	files, effects []int
}

// argNode is one step of the tree of declared argument paths.
type argNode struct {
	arg  int // index in Args, -1 for a node on the way
	keys []string
	kids []*argNode
	wild *argNode
}

// has reports whether some argument has a role.
func (e *entry) has(r Role) bool { return len(e.with[r]) > 0 }

// takes reports whether an argument of a role is among the keys of a call's.
func (e *entry) takes(r Role, keys []string) bool {
	for _, i := range e.with[r] {
		if slices.Contains(keys, e.names[i]) {
			return true
		}
	}
	return false
}

func (n *argNode) kid(key string) *argNode {
	for i, k := range n.keys {
		if k == key {
			return n.kids[i]
		}
	}
	return nil
}

func (n *argNode) leaf() bool { return n.wild == nil && len(n.kids) == 0 }

// add puts a path into the tree; ok is false where it is there already. An index
// is taken for a wildcard: contracts speak of every item.
func (n *argNode) add(path plan.Path, arg int) (ok bool) {
	for _, step := range path {
		next := n.wild
		if !step.Wild && !step.IsIndex {
			next = n.kid(step.Key)
		}
		if next == nil {
			next = &argNode{arg: -1}
			if step.Wild || step.IsIndex {
				n.wild = next
			} else {
				n.keys, n.kids = append(n.keys, step.Key), append(n.kids, next)
			}
		}
		n = next
	}
	if n.arg >= 0 {
		return false
	}
	n.arg = arg
	return true
}

// ImpliedSinks returns the contract's sinks, declared and implied: class
// irreversible-internal implies an internal sink, since what decides a permanent
// effect matters, irreversible-public a public one, authority-modifying an authority
// sink, an address that the tool contacts an external one, and what is executed
// an exec one. Who lowers a contract's class keeps these first, since lowering a
// class never removes a sink.
func ImpliedSinks(c *Contract) []SinkDecl {
	sinks := append([]SinkDecl(nil), c.Sinks...)
	var kinds taint.SinkKind
	for _, s := range sinks {
		if s.If == 0 {
			kinds |= s.Kinds
		}
	}
	add := func(kind taint.SinkKind, args []plan.Path) {
		if kinds&kind == 0 {
			kinds |= kind
			sinks = addSink(sinks, SinkDecl{Kinds: kind, Args: args})
		}
	}
	if c.Class == gate.IrreversiblePublic {
		add(taint.SinkPublic, nil)
	}
	if c.Class == gate.AuthorityModifying {
		add(taint.SinkAuthority, nil)
	}
	if run := argsWith(c, func(a *Arg) bool { return a.executes() }); len(run) > 0 {
		add(taint.SinkExec, run)
	}
	if len(argsWith(c, func(a *Arg) bool { return a.Role == URL })) > 0 {
		add(taint.SinkExternal, nil)
	}
	if c.Class == gate.IrreversibleInternal && kinds == 0 {
		add(taint.SinkInternal, nil)
	}
	return sinks
}

// addSink joins a sink with one that gets the same data, so that one leak is
// one flow.
func addSink(sinks []SinkDecl, s SinkDecl) []SinkDecl {
	for i := range sinks {
		old := &sinks[i]
		if len(s.Args) == 0 && len(old.Args) == 0 && old.If == 0 && old.Kinds&taint.SinkExec == 0 {
			old.Kinds |= s.Kinds
			return sinks
		}
	}
	return append(sinks, s)
}

func (a *Arg) executes() bool {
	return a.Role == Command || a.Role == Code || a.Role == Path && a.Access&Execute != 0
}

func argsWith(c *Contract, want func(*Arg) bool) (paths []plan.Path) {
	for i := range c.Args {
		if want(&c.Args[i]) {
			paths = append(paths, c.Args[i].Path)
		}
	}
	return paths
}

// newEntry prepares a contract; what it can't read was reported by check.
func newEntry(c *Contract, r *Registry) *entry {
	e := &entry{c: c, root: &argNode{arg: -1}, sinks: ImpliedSinks(c)}
	e.notSaid = make([]argText, len(c.Args))
	for i := range c.Args {
		e.notGiven = append(e.notGiven, -1)
		e.root.add(c.Args[i].Path, i)
		e.names = append(e.names, c.Args[i].Path.String())
		role := min(c.Args[i].Role, Patch)
		e.with[role] = append(e.with[role], i)
		switch role {
		case Path, Patch:
			e.files, e.effects = append(e.files, i), append(e.effects, i)
		case Command, Code:
			e.effects = append(e.effects, i)
		}
		e.listed = e.listed || len(c.Args[i].Enum) > 0 || c.Args[i].Role == Mode
	}
	e.audience = parseAll(c.Audience, e.names)
	for _, eff := range c.Cells {
		t, _ := parseTemplate(eff.Name, false)
		t.bind(e.names)
		e.cells = append(e.cells, t)
	}
	e.origins.Fields = originFields(c, r.config.Universe)
	e.origins.Acts, e.origins.About = originActs(c)
	e.fixed = true
	for _, o := range c.Output {
		e.readers = append(e.readers, parseAll(o.Readers, e.names))
		e.fixed = e.fixed && o.If == 0
		for _, t := range e.readers[len(e.readers)-1] {
			e.fixed = e.fixed && t.constant()
		}
	}
	if e.fixed {
		if out, fields := e.outputs(r, nil); len(out)+len(fields) > 0 {
			e.fixedResult = &taint.Result{Output: out, Fields: fields}
		}
	}
	return e
}

func parseAll(texts, args []string) (out []template) {
	for _, text := range texts {
		t, _ := parseTemplate(text, true)
		t.bind(args)
		out = append(out, t)
	}
	return out
}
