package tool

import (
	"slices"
	"strings"

	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/shell"
	"github.com/planlint/planlint/taint"
)

// lowering turns the steps of one script into taint steps. base is the number of
// the call's steps before: 0 is the contract's own.
type lowering struct {
	*call
	script *shell.Script
	slot   int // of the command argument
	base   int
	first  int // of the script's commands in r.Commands
	flows  []shell.Flow
	// words are the slots of words that leave, by their text.
	words map[string]int
}

// lower adds the steps of a script; line is its text, empty where parts of it are
// not known.
func (k *call) lower(s *shell.Script, slot int, line string) {
	l := &lowering{call: k, script: s, slot: slot, base: 1 + len(k.lowered), first: len(k.r.Commands()) - len(s.Steps)}
	l.flows = s.Flows()
	k.moreSlots()
	for i := range l.flows {
		k.lowered = append(k.lowered, l.step(i, &l.flows[i]))
	}
	l.runs(line)
	k.keepSlots()
}

func (l *lowering) step(i int, f *shell.Flow) taint.Step {
	st := &l.script.Steps[i]
	out := taint.Step{Name: st.Name}
	if st.Guess {
		return out
	}
	l.wholesale = passesOn(l.script, i)
	l.effects(i, st, &out)
	ops := make([]taint.Operand, len(f.Reads))
	typed := false
	for r := range f.Reads {
		op, ok := l.operand(st, &f.Reads[r], &out)
		ops[r] = op
		own := op == fromSlot(l.slot)
		if ok && !(own && typed) {
			out.Reads = append(out.Reads, op)
		}
		typed = typed || own
	}
	for w := range f.Writes {
		l.write(st, &f.Writes[w], &out)
	}
	l.page(f, &out)
	l.git(st, &out)
	for s := range f.Sends {
		out.Sinks = join(out.Sinks, l.send(&f.Sends[s], f, ops, out.Reads))
	}
	if !st.Known && !st.Builtin && !st.Bare() {
		out.Extend().Adds = append(out.Adds(), l.reg.sources(taint.Of(taint.Untrusted), nil, "nothing describes "+st.Name)...)
		sink := taint.Sink{Kinds: taint.SinkExec | taint.SinkExternal, UnknownTool: true}
		if len(out.Reads) == 0 {
			sink.From = []taint.Operand{l.nothing()} // else its own output would reach it
		}
		out.Sinks = append(out.Sinks, sink)
	}
	return out
}

// join adds a sink, to one that differs only in what leaves by it.
func join(sinks []taint.Sink, s taint.Sink) []taint.Sink {
	for i := range sinks {
		old := &sinks[i]
		if old.Kinds == s.Kinds && old.UnknownTool == s.UnknownTool && old.Audience.Equal(s.Audience) {
			for _, op := range s.From {
				if !slices.ContainsFunc(old.From, func(o taint.Operand) bool { return same(o, op) }) {
					old.From = append(old.From, op)
				}
			}
			old.Decides = append(old.Decides, s.Decides...)
			slices.Sort(old.Decides)
			old.Decides = slices.Compact(old.Decides)
			return sinks
		}
	}
	return append(sinks, s)
}

func same(a, b taint.Operand) bool {
	return a.Kind == b.Kind && a.Index == b.Index && a.Cell.Is(b.Cell)
}

// operand lowers one read; ok is false where it adds labels or nothing at all.
// Words of the line are read as the line; send tells those that leave apart.
func (l *lowering) operand(st *shell.Step, r *shell.FlowRead, out *taint.Step) (taint.Operand, bool) {
	switch r.Kind {
	case shell.ReadFile:
		u := flowUse(r.Path, r.Real, r.Known, r.Glob, r.Recursive)
		u.Access = Read
		cell := l.fileCell(&u)
		if more := l.labels(r.Labels, "what "+st.Name+" reads"); len(more) > 0 {
			cell = &taint.Cell{Name: cell.Name, Tree: cell.Tree, Sources: append(slices.Clip(cell.Sources), more...)}
		}
		return fromCell(cell), true
	case shell.ReadStep:
		return taint.Operand{Kind: taint.FromStep, Index: int32(l.base + r.Step)}, true
	case shell.ReadArg, shell.ReadText:
		return fromSlot(l.slot), true
	case shell.ReadEnv:
		return fromCell(&taint.Cell{Name: "env:" + r.Path, Tree: r.Path == "", Sources: l.labels(r.Labels, "the environment")}), true
	case shell.ReadRemote, shell.ReadSource:
		out.Extend().Adds = append(out.Adds(), l.labels(r.Labels, "what "+st.Name+" returns")...)
	}
	return taint.Operand{Index: -1}, false
}

// word returns a slot of its own for a word of the line that leaves, so that
// what the user said can account for it alone and not only for the whole line.
func (l *lowering) word(text string) taint.Operand {
	slot, ok := l.words[text]
	if !ok {
		role := Content
		if host, _ := HostOf(text); host != "" {
			role = URL
		}
		slot = l.newWord(text, role)
		l.put(&plan.Value{Kind: plan.String, Text: text, Pos: l.given[l.slot].Values()[0].Pos}, slot)
		l.given[slot].Known = strings.HasPrefix(text, "-") && modeWord(strings.TrimLeft(text, "-"))
	}
	return fromSlot(slot)
}

func (l *lowering) newWord(key string, role Role) int {
	if l.words == nil {
		l.words = make(map[string]int)
	}
	slot := l.newSlot(l.given[l.slot].Name, role)
	l.words[key] = slot
	return slot
}

// typed adds the words that a step upstream of a sink puts into the pipe: what
// echo and printf say, and here-documents.
func (l *lowering) typed(step int, from []taint.Operand, seen map[int]bool) []taint.Operand {
	if seen[step] {
		return from
	}
	seen[step] = true
	for _, r := range l.flows[step].Reads {
		name := l.script.Steps[step].Name
		switch {
		case r.Kind == shell.ReadStep:
			from = l.typed(r.Step, from, seen)
		case r.Kind == shell.ReadText, r.Kind == shell.ReadArg && (name == "echo" || name == "printf"):
			from = append(from, l.word(r.Text))
		}
	}
	return from
}

// labels turns label names of the program table into sources; a name that the
// policy's universe lacks counts as untrusted, never as nothing.
func (l *lowering) labels(names []string, why string) (out []taint.Source) {
	var set taint.Set
	for _, n := range names {
		s, ok := l.reg.config.Universe.Lookup(n)
		if !ok {
			s = taint.Of(taint.Untrusted)
		}
		set |= s
	}
	if set == 0 {
		return nil
	}
	return l.reg.sources(set, nil, why)
}

func flowUse(path, real string, known, glob, tree bool) PathUse {
	u := PathUse{Path: path, Known: known, Glob: glob, Tree: tree}
	if real != "" && real != path {
		u.Links = []string{real}
	}
	if known && !glob {
		u.spell()
	}
	return u
}

func (l *lowering) write(st *shell.Step, w *shell.FlowWrite, out *taint.Step) {
	if w.Path == "" {
		if len(st.Stdout) == 0 && !copiesOnly(st) {
			out.Writes = append(out.Writes, taint.Write{ToOutput: true})
		}
		return
	}
	u := flowUse(w.Path, w.Real, w.Known, w.Glob, w.Recursive)
	sure := !w.Maybe && w.Known && !w.Glob && !l.uncertain()
	mode := taint.Append
	switch {
	case w.Mode == shell.Remove && !sure, w.Mode == shell.Partly && len(w.From) == 0:
		return
	case w.Mode == shell.Remove:
		mode = taint.Delete
	case w.Mode == shell.Overwrite && sure:
		mode = taint.Overwrite
	}
	out.Writes = append(out.Writes, taint.Write{Cell: l.fileCell(&u), Mode: mode})
}

var sinkKinds = map[string]taint.SinkKind{
	shell.SinkInternal: taint.SinkInternal, shell.SinkExternal: taint.SinkExternal,
	shell.SinkPublic: taint.SinkPublic | taint.SinkExternal, // what a command publishes leaves the machine
	shell.SinkExec:   taint.SinkExec, shell.SinkAuthority: taint.SinkAuthority,
}

func (l *lowering) send(s *shell.FlowSend, f *shell.Flow, ops, reads []taint.Operand) taint.Sink {
	kind, ok := sinkKinds[s.Sink]
	if !ok {
		kind = taint.SinkExternal
	}
	sink := taint.Sink{Kinds: kind, Audience: l.sentTo(s)}
	if s.Sink == shell.SinkInternal {
		// A port of this machine may hand on what it gets: labelled values and
		// files count, what was only in the context doesn't.
		sink.Kinds |= taint.SinkExternal
		sink.UnknownTool = true
	}
	asks := s.Kind == shell.Query && !strings.Contains(l.script.Steps[f.Step].Sub, "search")
	if asks || s.Kind == shell.Resolve && s.Audience == "" {
		// It asks a service that the user set up, by names of things there.
		sink.UnknownTool = true
	}
	if s.Kind == shell.Push {
		l.push(s, f, reads, &sink)
		return sink
	}
	if s.Clone != "" {
		sink.From = append(sink.From, fromCell(cloneCell(s.Clone)))
	}
	seen := map[int]bool{}
	for _, r := range s.From {
		read := &f.Reads[r]
		switch read.Kind {
		case shell.ReadArg, shell.ReadText:
			if kind == taint.SinkExec {
				// What is run stays here; who wrote it is asked of the whole line.
				sink.From = append(sink.From, ops[r])
				continue
			}
			op := l.word(read.Text)
			sink.From = append(sink.From, op)
			if roleOf(&l.given[op.Index]) == URL {
				sink.Decides = append(sink.Decides, int(op.Index))
			}
			continue
		case shell.ReadStep:
			sink.From = l.typed(read.Step, sink.From, seen)
		}
		if ops[r].Kind != taint.FromSlot {
			sink.From = append(sink.From, ops[r])
		}
	}
	if kind != taint.SinkExec && l.fromCommand(sink.From) {
		// The line itself holds references, so they leave with its words.
		sink.From = append(sink.From, fromSlot(l.slot))
	}
	if len(sink.From) == 0 {
		// Nothing of the step's own data leaves; without operands it would be all.
		sink.From = []taint.Operand{l.nothing()}
	}
	return sink
}

// push is the sink of a git push: what was committed leaves, the remote decides
// where to, and the words of the line stay here.
func (l *lowering) push(s *shell.FlowSend, f *shell.Flow, reads []taint.Operand, sink *taint.Sink) {
	sink.From = l.gitOperands(reads)
	if _, known := l.machine.remotes[s.Audience]; known {
		return
	}
	for _, r := range f.Reads {
		if r.Kind == shell.ReadArg && r.Text == s.Audience {
			sink.Decides = []int{int(l.word(r.Text).Index)}
			return
		}
	}
}

// fromCommand reports whether words of a line with references are among the
// operands.
func (l *lowering) fromCommand(from []taint.Operand) bool {
	words := slices.ContainsFunc(from, func(o taint.Operand) bool { return o.Kind == taint.FromSlot })
	return words && slices.ContainsFunc(l.given[l.slot].Values(), hasRefs)
}

func hasRefs(v *plan.Value) bool {
	return len(v.Refs()) > 0 || v.Kind == plan.UnknownValue ||
		slices.ContainsFunc(v.Items, func(i plan.Value) bool { return hasRefs(&i) })
}

// nothing returns a slot without values.
func (l *lowering) nothing() taint.Operand {
	const key = Hole + "nothing"
	slot, ok := l.words[key]
	if !ok {
		slot = l.newWord(key, RoleNone)
		l.given[slot].Known = true
	}
	return fromSlot(slot)
}

// sentTo returns who sees what is sent: a host, a remote's repository.
func (l *lowering) sentTo(s *shell.FlowSend) taint.Audience {
	switch {
	case s.Kind == shell.Push:
		return taint.AudienceOf(l.reg.groups.audience([]string{l.remote(s.Audience, s.Known)})...)
	case s.Sink == shell.SinkExec || !s.Known || s.Audience == "" || s.Kind == shell.Publish || s.Sink == shell.SinkPublic:
		return taint.Audience{}
	}
	host, plain := CleanHost(cutPort(s.Audience))
	if !plain {
		return taint.Audience{}
	}
	return taint.AudienceOf(l.reg.groups.audience([]string{host})...)
}

// remote names a git remote's audience: "git:origin" where the policy declares
// that, else its repository, "github:acme/site".
func (l *lowering) remote(name string, known bool) string {
	if !known || name == "" {
		return "everyone"
	}
	if len(l.reg.groups.members[principal("git:"+name)]) > 0 {
		return "git:" + name
	}
	url := name
	if !strings.ContainsAny(name, ":/") {
		url = l.machine.remotes[name]
	}
	if repo := repository(url); repo != "" {
		return repo
	}
	return "git:" + name
}

// repository turns a git address into a principal, "" where it is none.
func repository(url string) string {
	host, path := gitHost(url), ""
	if _, rest, ok := strings.Cut(url, "://"); ok {
		_, path, _ = strings.Cut(rest, "/")
	} else {
		_, path, _ = strings.Cut(url, ":")
	}
	path = strings.TrimSuffix(strings.Trim(path, "/"), ".git")
	if host == "" || path == "" {
		return ""
	}
	return strings.TrimSuffix(host, ".com") + ":" + path
}

// gitHost returns the host of a git address, host:path included, "" where there
// is none or it can be read in two ways.
func gitHost(url string) string {
	if host, ok := HostOf(url); ok {
		return host
	}
	user, _, ok := strings.Cut(url, ":")
	if !ok || strings.ContainsAny(user, "/ ") || strings.Contains(url, "://") {
		return ""
	}
	host, plain := CleanHost(user[strings.LastIndexByte(user, '@')+1:])
	if !plain {
		return ""
	}
	return host
}
