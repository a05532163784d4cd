package tool

import (
	"maps"

	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/shell"
)

// Bounds on the file contents that are kept so that running a file is judged as
// what was written into it. What is not kept is run as unknown, which asks.
const (
	maxKeptFile  = 64 << 10
	maxKeptFiles = 4 << 20
)

// shellSession is what one agent's command calls leave for the next. The files,
// links and copies are the machine's, and shared by all agents.
type shellSession struct {
	cwd       string
	vars      map[string]string
	functions map[string]string
	aliases   map[string]string
	exported  []string
	ready     bool
}

// machine is what the calls so far did to files that shape later commands.
type machine struct {
	files, links, copies, remotes, clones map[string]string
	head                                  string
	kept                                  int
}

// session returns the environment of the next command line of the call's agent.
func (k *call) session() shell.Env {
	env := &k.plan.Env
	if k.machine == nil {
		k.machine = &machine{files: map[string]string{}, copies: map[string]string{}, head: env.Head,
			links: maps.Clone(k.places.absLinks), remotes: maps.Clone(env.Remotes)}
		if k.machine.links == nil {
			k.machine.links = map[string]string{}
		}
		if k.machine.remotes == nil {
			k.machine.remotes = map[string]string{}
		}
		k.sessions = map[string]*shellSession{}
	}
	s := k.sessions[k.c.AgentName()]
	if s == nil {
		s = &shellSession{cwd: env.Cwd, vars: maps.Clone(env.Vars)}
		k.sessions[k.c.AgentName()] = s
	}
	m := k.machine
	return shell.Env{
		Cwd: s.cwd, Root: env.Cwd, Home: env.Home, User: env.User, Vars: s.vars, Exported: s.exported,
		Functions: s.functions, Aliases: s.aliases, Links: m.links, Files: m.files, Copies: m.copies, Clones: m.clones,
		FoldCase: env.CaseInsensitive, Head: m.head, Remotes: m.remotes,
	}
}

// remember keeps what a line changed for later ones; a call that did not run
// changed nothing, and of one that failed only the losses are believed.
func (k *call) remember(s *shell.Script) {
	if k.c.Outcome.DidNotRun() {
		return
	}
	m, after := k.machine, &s.After
	for _, path := range after.Gone {
		m.drop(path)
	}
	failed := k.c.Outcome == plan.Failed
	for path, text := range after.Files {
		if m.drop(path); !failed {
			m.keep(path, text)
		}
	}
	if !failed {
		maps.Copy(m.links, after.Links)
		k.places.learn(after.Links)
		maps.Copy(m.copies, after.Copies)
		m.clones = laid(m.clones, after.Clones)
		maps.Copy(m.remotes, after.Remotes)
		if after.Head != "" {
			m.head = after.Head
		}
	}
	if k.plan.Env.PersistentShell {
		k.sessions[k.c.AgentName()].follow(after, failed)
	}
}

// follow carries over what a persistent shell keeps.
func (s *shellSession) follow(after *shell.After, failed bool) {
	if failed {
		if after.Cwd != s.cwd {
			s.cwd = ""
		}
		return
	}
	s.cwd = after.Cwd
	s.vars = laid(s.vars, after.Vars)
	s.functions = laid(s.functions, after.Functions)
	s.aliases = laid(s.aliases, after.Aliases)
	s.exported = unique(append(s.exported[:len(s.exported):len(s.exported)], after.Exported...))
}

func laid(base, over map[string]string) map[string]string {
	if len(over) == 0 {
		return base
	}
	if base == nil {
		base = make(map[string]string, len(over))
	}
	maps.Copy(base, over)
	return base
}

func (m *machine) drop(path string) {
	if old, ok := m.files[path]; ok {
		m.kept -= len(old)
		delete(m.files, path)
	}
}

func (m *machine) keep(path, text string) {
	if len(text) > maxKeptFile || m.kept+len(text) > maxKeptFiles {
		return
	}
	m.kept += len(text)
	m.files[path] = text
}

// written keeps what a tool that is no command wrote into a file, where that is
// one known text; any other change makes the content unknown.
func (k *call) written() {
	if k.c.Outcome.DidNotRun() || k.machine == nil && !k.runs {
		return
	}
	for i := range k.r.Paths {
		u := &k.r.Paths[i]
		if u.Access&(Write|Delete) == 0 {
			continue
		}
		k.session()
		path := u.Path
		if len(u.Links) > 0 {
			path = u.Links[len(u.Links)-1]
		}
		if manifest(path) && KeepsScripts(k.c, k.r, path) {
			continue
		}
		k.machine.drop(path)
		switch text, ok := k.onlyContent(); {
		case ok && u.Access&Write != 0 && !u.Append && u.Known && !k.uncertain():
			k.machine.keep(path, text)
		case u.Access&Write != 0 && u.Known && !u.Glob && !u.Tree:
			// What stands there now is not known, and running it is neither.
			k.machine.keep(path, shell.Hole)
		}
	}
}

// onlyContent returns the text of the only argument that is content.
func (k *call) onlyContent() (text string, ok bool) {
	for _, i := range k.e.with[Content] {
		if k.slotOf[i] < 0 {
			continue
		}
		texts, known := k.argTexts(i)
		if ok || !known || len(texts) != 1 {
			return "", false
		}
		text, ok = texts[0], true
	}
	return text, ok
}
