package quick

import (
	"reflect"
	"slices"

	"github.com/planlint/planlint"
	"github.com/planlint/planlint/internal/session"
	"github.com/planlint/planlint/origin"
	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/shell"
	"github.com/planlint/planlint/taint"
	"github.com/planlint/planlint/tool"
)

// The bounds of a prelude. Beyond them no later command line is quick.
const (
	maxPrelude      = 48
	maxPreludeBytes = 16 << 10
)

// condense gathers the facts of resolved calls; before are those that calls
// before the plan left, whose command lines the plan starts with.
func condense(policy *planlint.Policy, p *plan.Plan, calls []tool.Resolved, id string, before *session.Facts) session.Facts {
	f := session.Facts{Policy: id}
	if before != nil {
		f.Text, f.Unsure, f.Written = before.Text, before.Unsure, before.Written
	}
	g := gather{f: &f, registry: policy.Registry, left: map[string]string{}, last: map[string]int{}, known: make(map[uint64]bool, len(f.Written))}
	for _, w := range f.Written {
		g.known[w] = true
	}
	if before != nil {
		g.hold(policy.Universe, before.Labels)
	}
	for i := range calls {
		if !p.Calls[i].Outcome.DidNotRun() {
			g.call(p, i, &calls[i])
			g.carried(policy.Universe, &p.Calls[i], calls[i].Facts)
		}
	}
	g.prelude(p, calls)
	g.texts(p)
	f.Labels = policy.Universe.Names(g.labels)
	return f
}

type gather struct {
	f        *session.Facts
	registry *tool.Registry
	known    map[uint64]bool
	// lines are the calls that changed what later lines depend on: left is what
	// they left, by name, and last who set it last.
	lines []int
	left  map[string]string
	last  map[string]int
	// labels are all that something may carry.
	labels taint.Set
}

func (g *gather) hold(u *taint.Universe, names []string) {
	for _, name := range names {
		if set, ok := u.Lookup(name); ok {
			g.labels |= set
		}
	}
}

// carried adds the labels that a call brings in: those of its contract, of the
// cells that it reads, and those that an earlier review found.
func (g *gather) carried(u *taint.Universe, c *plan.Call, f *taint.Facts) {
	g.hold(u, c.OutputLabels())
	add := func(list []taint.Source) {
		for i := range list {
			g.labels |= list[i].Labels
		}
	}
	operands := func(list []taint.Operand) {
		for i := range list {
			add(list[i].Sources())
		}
	}
	add(f.Output())
	for i := range f.Fields() {
		add(f.Fields()[i].Sources)
	}
	for i := range f.Steps {
		st := &f.Steps[i]
		add(st.Adds())
		operands(st.Reads)
		for k := range st.Sinks {
			operands(st.Sinks[k].From)
		}
	}
}

// texts adds what the texts of the session carry.
func (g *gather) texts(p *plan.Plan) {
	for i := range p.Texts {
		switch p.Texts[i].Kind {
		case plan.TextUser, plan.TextModel, plan.TextSystem:
		default:
			g.labels |= taint.Of(taint.Untrusted)
		}
	}
}

func (g *gather) call(p *plan.Plan, i int, r *tool.Resolved) {
	from := g.registry.Origin(r)
	g.f.Text = g.f.Text || holdsText(&from)
	for k := range r.Paths {
		u := &r.Paths[k]
		if u.Access&(tool.Write|tool.Delete) == 0 || !u.Known || u.Glob || u.Tree {
			continue // only files that are named can be known by their text
		}
		g.wrote(u.Path)
		for _, l := range u.Links {
			g.wrote(l)
		}
	}
	if r.Script() == nil {
		return
	}
	for path := range r.Script().After.Files {
		g.known[session.PathDigest(path)] = true
	}
	if len(r.Script().After.Files) > 0 {
		g.f.Written = sortedKeys(g.known)
	}
	if g.shell(p, i, &r.Script().After) {
		g.lines = append(g.lines, i)
	}
}

// shell notes what a line leaves that later lines are read by, beside files, and
// reports whether anything of it is new.
func (g *gather) shell(p *plan.Plan, i int, a *shell.After) bool {
	agent := p.Calls[i].AgentName() + "\x00"
	changed := false
	set := func(key, value, before string) {
		was, known := g.left[key]
		if !known {
			was = before
		}
		if was != value {
			g.left[key], g.last[key], changed = value, i, true
		}
	}
	all := func(kind string, values map[string]string) {
		for name, value := range values {
			set(kind+name, "="+value, "")
		}
	}
	all("link ", a.Links)
	all("copy ", a.Copies)
	all("remote ", a.Remotes)
	if a.Head != "" {
		set("head", a.Head, p.Env.Head)
	}
	if !p.Env.PersistentShell || p.Calls[i].AgentName() != plan.MainAgent {
		return changed // a quick call is the main agent's
	}
	set(agent+"cwd", a.Cwd, p.Env.Cwd)
	all(agent+"var ", a.Vars)
	all(agent+"function ", a.Functions)
	all(agent+"alias ", a.Aliases)
	for _, name := range a.Exported {
		set(agent+"export "+name, "=", "")
	}
	return changed
}

func (g *gather) wrote(path string) {
	if d := session.PathDigest(path); !g.known[d] {
		g.known[d] = true
		g.f.Written = append(g.f.Written, d)
	}
	g.f.Unsure = g.f.Unsure || len(g.f.Written) > session.MaxWritten
}

func sortedKeys(set map[uint64]bool) []uint64 {
	keys := make([]uint64, 0, len(set))
	for k := range set {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// holdsText reports whether an output may hold third parties' text, as the
// analysis of origins sees it.
func holdsText(f *origin.Facts) bool {
	if f.Unknown {
		return true
	}
	for i := range f.Fields {
		if f.Fields[i].Kind != origin.Service {
			return true
		}
	}
	return false
}

// prelude keeps the lines that changed the shell: of those only the last that
// set something, if they leave the same by themselves.
func (g *gather) prelude(p *plan.Plan, calls []tool.Resolved) {
	needed := make(map[int]bool)
	for _, i := range g.last {
		needed[i] = true
	}
	var short []int
	for _, i := range g.lines {
		if needed[i] {
			short = append(short, i)
		}
	}
	for _, lines := range [][]int{short, g.lines} {
		if g.keep(p, calls, lines) {
			return
		}
	}
	g.f.Prelude, g.f.Unsure = nil, true
}

func (g *gather) keep(p *plan.Plan, calls []tool.Resolved, lines []int) bool {
	if len(lines) > maxPrelude {
		return false
	}
	size := 0
	var prelude []session.Line
	for _, i := range lines {
		c := &p.Calls[i]
		if c.AgentName() != plan.MainAgent && p.Env.PersistentShell {
			return false
		}
		line := session.Line{Tool: c.Tool, Server: c.Server, Args: session.JSON(&c.Args), Failed: c.Outcome == plan.Failed}
		size += len(line.Args)
		prelude = append(prelude, line)
	}
	if size > maxPreludeBytes || !g.replays(p, calls, lines, prelude) {
		return false
	}
	g.f.Prelude = prelude
	return true
}

// replays reports whether the lines by themselves leave what they left in the
// session.
func (g *gather) replays(p *plan.Plan, calls []tool.Resolved, lines []int, prelude []session.Line) bool {
	first := true
	for k, i := range lines {
		first = first && k == i
	}
	if first { // nothing before or between them is missing
		return len(lines) > 0 || len(g.lines) == 0
	}
	only := *p
	only.Calls, only.Texts = nil, nil
	whole, ok := withPrelude(&only, &session.Facts{Prelude: prelude})
	if !ok {
		return false
	}
	again := g.registry.Resolve(whole)
	for k, i := range lines {
		a, b := again[k].Script(), calls[i].Script()
		if a == nil || b == nil || !reflect.DeepEqual(withoutFiles(a.After), withoutFiles(b.After)) {
			return false
		}
	}
	return true
}

func withoutFiles(a shell.After) shell.After {
	a.Files, a.Gone = nil, nil
	return a
}
