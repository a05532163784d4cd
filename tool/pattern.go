package tool

import (
	"fmt"
	"strings"

	"github.com/planlint/planlint/plan"
)

// patternKind says what a pattern speaks of.
type patternKind uint8

const (
	namePattern patternKind = iota
	readPattern
	editPattern
	hostPattern
	commandPattern
	agentPattern
)

// Pattern is one matcher in the syntax of Claude Code's permissions:
//
//	Bash, mcp__github__get_issue, mcp__github, mcp__github__*, *   by name
//	Read(**/.env)          every read of a path, by any tool
//	Edit(src/**)           every write of a path, by any tool
//	WebFetch(domain:x.org) every contact with a host, by any tool
//	Bash(git push:*)       every simple command that starts so
//	Agent(reviewer)        every start of that sub-agent
//
// Immutable and safe for concurrent use.
type Pattern struct {
	text    string
	kind    patternKind
	name    string
	folded  string // of name, for restrictions
	path    *PathGlob
	host    string
	command *Commander
	agent   string
}

// ParsePattern compiles a matcher.
func ParsePattern(text string) (*Pattern, error) {
	p := &Pattern{text: text}
	name, arg, call := strings.Cut(text, "(")
	if !call {
		return p.byName(text)
	}
	arg, closed := strings.CutSuffix(arg, ")")
	if !closed {
		return nil, fmt.Errorf("pattern %q has no ) at its end", text)
	}
	if arg == "" {
		return nil, fmt.Errorf("pattern %q has nothing between its brackets", text)
	}
	var err error
	switch name {
	case "Read", "Grep", "Glob", "LS", "NotebookRead":
		p.kind = readPattern
		p.path, err = CompilePath(arg)
	case "Edit", "Write", "MultiEdit", "NotebookEdit":
		p.kind = editPattern
		p.path, err = CompilePath(arg)
	case "WebFetch":
		p.kind = hostPattern
		p.host, err = parseDomain(arg)
	case "Bash":
		p.kind = commandPattern
		p.command, err = CompileCommand(arg)
	case "Agent", "Task":
		p.kind, p.agent = agentPattern, arg
	default:
		err = fmt.Errorf("%q takes nothing in brackets; Bash, Read, Edit, Write, WebFetch and Agent do", name)
	}
	if err != nil {
		return nil, fmt.Errorf("pattern %q: %w", text, err)
	}
	return p, nil
}

func (p *Pattern) byName(text string) (*Pattern, error) {
	if text == "" {
		return nil, fmt.Errorf("an empty pattern")
	}
	for i := 0; i < len(text); i++ {
		if c := text[i]; !nameByte(c, true) && !strings.ContainsRune(".:/*@", rune(c)) {
			return nil, fmt.Errorf("pattern %q: %q can't stand in a tool's name", text, c)
		}
	}
	p.name, p.folded = text, strings.TrimPrefix(foldName(text), "mcp")
	return p, nil
}

func parseDomain(arg string) (string, error) {
	host, ok := strings.CutPrefix(arg, "domain:")
	if !ok {
		return "", fmt.Errorf("expected domain:HOST")
	}
	bare := strings.TrimPrefix(host, "*.")
	clean, plain := CleanHost(bare)
	if !plain || clean == "" || strings.ContainsAny(bare, "/:@") || strings.Contains(bare, "*") && bare != "*" {
		return "", fmt.Errorf("%q is no host name; *.HOST stands for those below it", host)
	}
	return host[:len(host)-len(bare)] + clean, nil
}

// String returns the pattern as written.
func (p *Pattern) String() string { return p.text }

// Bare reports whether the pattern names a tool, or all, and nothing narrower:
// no command, path, host, agent or server.
func (p *Pattern) Bare() bool {
	return p.kind == namePattern && !strings.HasPrefix(p.name, "mcp__") ||
		p.kind == commandPattern && p.command.any() || p.path != nil && (p.path.text == "*" || p.path.text == "**")
}

// MatchAllow reports whether the pattern alone covers the whole call: the raw
// name, or every command, every path of that access, every host. Parts of other
// kinds are not covered by it; see CoversPath and CoversCommand for allows that
// cover a call together.
func (p *Pattern) MatchAllow(c *plan.Call, r *Resolved) bool {
	switch p.kind {
	case namePattern:
		return p.allowsName(identify(c, r))
	case hostPattern:
		return p.allowsHosts(r)
	case agentPattern:
		return r.Agent() != "" && r.Agent() == p.agent
	case commandPattern:
		return len(r.Commands()) > 0 && coversAll(len(r.Commands()), func(i int) bool { return p.CoversCommand(r, i) })
	}
	return len(r.Paths) > 0 && coversAll(len(r.Paths), func(i int) bool { return p.CoversPath(r, i) })
}

func coversAll(n int, covers func(int) bool) bool {
	for i := range n {
		if !covers(i) {
			return false
		}
	}
	return true
}

// CoversPath reports whether an allow on the pattern covers r.Paths[i]: Read what
// is only read, Edit what is written or read and written.
func (p *Pattern) CoversPath(r *Resolved, i int) bool {
	u := &r.Paths[i]
	switch {
	case p.kind == readPattern && u.Access&^Read != 0, p.kind == editPattern && u.Access&(Write|Delete) == 0:
		return false
	case p.path == nil:
		return false
	}
	return p.path.Covers(r.Env, u)
}

// CoversCommand reports whether an allow on the pattern covers r.Commands()[i].
func (p *Pattern) CoversCommand(r *Resolved, i int) bool {
	return p.kind == commandPattern && p.command.MatchAllow(r, i)
}

func (p *Pattern) allowsHosts(r *Resolved) bool {
	if r.HostsOpen || len(r.Hosts()) == 0 {
		return false
	}
	for _, h := range r.Hosts() {
		if !hostGlob(p.host, h) {
			return false
		}
	}
	return true
}

// allowsName compares raw identities: whole server and tool, no other spelling.
func (p *Pattern) allowsName(id identity) bool {
	if p.name == "*" || p.name == id.raw && id.server == "" {
		return true
	}
	if id.server == "" {
		return strings.Contains(p.name, "*") && !strings.HasPrefix(p.name, "mcp__") && globText(p.name, id.raw)
	}
	server, tool, ok := p.serverTool()
	if !ok {
		return false
	}
	return id.sure && globText(server, id.server) && globText(tool, id.tool)
}

// serverTool takes an mcp__ pattern apart; a server alone means all its tools.
func (p *Pattern) serverTool() (server, tool string, ok bool) {
	rest, ok := strings.CutPrefix(p.name, "mcp__")
	if !ok {
		return "", "", false
	}
	server, tool, both := strings.Cut(rest, "__")
	if !both || tool == "" {
		tool = "*"
	}
	return server, tool, true
}

// MatchRestrict says whether a deny or ask on the pattern concerns the call: any
// spelling of the name, any command, any path or host that it may touch.
func (p *Pattern) MatchRestrict(c *plan.Call, r *Resolved) Match {
	switch p.kind {
	case namePattern:
		return p.restrictsName(identify(c, r))
	case hostPattern:
		return p.restrictsHosts(r)
	case agentPattern:
		return p.restrictsAgent(r)
	case commandPattern:
		return p.command.MatchRestrict(r)
	}
	best := NoMatch
	for i := range r.Paths {
		best = max(best, p.reaches(r.Env, &r.Paths[i]))
	}
	return best
}

// reaches says whether a use of a path is one that the pattern names.
func (p *Pattern) reaches(env *plan.Env, u *PathUse) Match {
	access := Read | Execute
	if p.kind == editPattern {
		access = Write | Delete
	}
	if u.Access&access == 0 {
		return NoMatch
	}
	return p.path.Reaches(env, u)
}

func (p *Pattern) restrictsHosts(r *Resolved) Match {
	for _, h := range r.Hosts() {
		if hostGlob(p.host, h) {
			return Matches
		}
	}
	if r.HostsOpen && !r.Unknown {
		return MayMatch
	}
	return NoMatch
}

func (p *Pattern) restrictsAgent(r *Resolved) Match {
	switch {
	case r.Agent() != "" && foldName(r.Agent()) == foldName(p.agent):
		return Matches
	case r.Agent() == "" && r.Contract != nil && r.Contract.Spawns != "":
		return MayMatch
	}
	return NoMatch
}

// restrictsName compares what is left of names when everything is dropped that
// clients change: case, separators, the prefix mcp, and the server where the
// pattern names none.
func (p *Pattern) restrictsName(id identity) Match {
	pattern := p.folded
	if p.name == "*" {
		return Matches
	}
	spellings := []string{id.raw, id.full(), id.tool}
	if server, _, ok := p.serverTool(); ok {
		// A server's pattern is compared with server and tool only.
		spellings = spellings[:2]
		if !strings.Contains(p.name[5:], "__") || strings.HasSuffix(p.name, "__") {
			return restrictsServer(server, id)
		}
	}
	for _, s := range append(spellings, id.same...) {
		folded := foldName(s)
		if globText(pattern, folded) || globText(pattern, strings.TrimPrefix(folded, "mcp")) {
			return Matches
		}
	}
	if strings.HasPrefix(id.raw, p.name+"__") {
		// The pattern's tool may be the end of a server's name.
		return MayMatch
	}
	return NoMatch
}

// restrictsServer compares a server's whole name, wherever the raw name may be
// taken apart.
func restrictsServer(server string, id identity) Match {
	want := foldName(server)
	if id.server != "" && globText(want, foldName(id.server)) {
		return Matches
	}
	for _, form := range append(append(serverForms(id.raw), id.raw), id.same...) {
		rest, ok := strings.CutPrefix(form, "mcp__")
		for i := 0; ok && i+1 < len(rest); i++ {
			if rest[i:i+2] == "__" && globText(want, foldName(rest[:i])) {
				return Matches
			}
		}
	}
	return NoMatch
}

// meansStep reports whether the pattern may concern one command of a line: the
// one that it names, that writes or reads the path; all where it can't be told.
func (p *Pattern) meansStep(r *Resolved, i int) bool {
	switch p.kind {
	case commandPattern:
		return p.command.matchOne(r, i) != NoMatch
	case readPattern, editPattern:
		for u := range r.Paths {
			if r.Paths[u].Command == i && p.reaches(r.Env, &r.Paths[u]) != NoMatch {
				return true
			}
		}
		return false
	}
	return true
}
