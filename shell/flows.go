package shell

import (
	"slices"
	"strings"
)

// Flows lowers the steps to reads, writes and sends.
func (s Script) Flows() []Flow {
	out := make([]Flow, len(s.Steps))
	for i := range s.Steps {
		f := flowOf(i, &s.Steps[i])
		out[i] = f.flow
	}
	return out
}

// lowering builds the flow of one step.
type lowering struct {
	flow  Flow
	st    *Step
	stdin []int // reads that are standard input
	file  map[string][]int
	args  map[int][]int
	env   []int
	all   []int
}

func flowOf(i int, st *Step) *lowering {
	l := &lowering{st: st, flow: Flow{Step: i, Class: st.Class, Maybe: st.Conditional, RO: st.RO}}
	if st.Guess {
		return l
	}
	l.input()
	l.arguments()
	l.effectReads()
	if len(st.Labels) > 0 {
		l.read(FlowRead{Kind: ReadSource, Path: st.Name, Known: true, Labels: st.Labels})
	}
	l.outputs()
	return l
}

func (l *lowering) read(r FlowRead) int {
	l.flow.Reads = append(l.flow.Reads, r)
	n := len(l.flow.Reads) - 1
	l.all = append(l.all, n)
	return n
}

func (l *lowering) input() {
	in := l.st.Stdin
	for _, k := range in.Steps {
		l.stdin = append(l.stdin, l.read(FlowRead{Kind: ReadStep, Step: k, Known: true}))
	}
	switch in.Kind {
	case FromText:
		l.stdin = append(l.stdin, l.read(FlowRead{Kind: ReadText, Text: show(in.Word.Text), Known: in.Word.Known}))
		l.stdin = append(l.stdin, l.word(in.Word)...)
	case FromNet:
		l.stdin = append(l.stdin, l.read(FlowRead{Kind: ReadRemote, Path: in.Word.Text, Known: in.Word.Known, Labels: []string{"untrusted"}}))
	case FromFile:
		l.stdin = append(l.stdin, l.read(FlowRead{Kind: ReadFile, Path: in.Word.Text, Known: !strings.Contains(in.Word.Text, Hole)}))
	case Inherited:
		if !l.st.Builtin {
			break
		}
	}
}

// word gives the reads that stand in a word: outputs of steps and environment variables.
func (l *lowering) word(wd Word) []int {
	var out []int
	for _, k := range wd.Steps {
		out = append(out, l.read(FlowRead{Kind: ReadStep, Step: k, Known: true}))
	}
	for _, v := range wd.Vars {
		out = append(out, l.variable(v))
	}
	return out
}

// variable is the value of an environment variable that stands in a word; a name
// that tells of a secret makes it one.
func (l *lowering) variable(name string) int {
	r := FlowRead{Kind: ReadEnv, Path: name, Known: true}
	if secretName(name) && !l.keepsKeys() {
		r.Labels = []string{"secret"}
	}
	return l.read(r)
}

// keepsKeys reports whether what its words hold neither leaves by a step nor is
// printed: a test, an export, and a program that is run, which takes keys to use them.
func (l *lowering) keepsKeys() bool {
	if l.st.Builtin {
		return l.st.Name != "echo" && l.st.Name != "printf"
	}
	runs := false
	for _, e := range l.st.Effects {
		switch e.Sink {
		case "", SinkExec:
			runs = runs || e.Kind == Exec
		default:
			return false
		}
	}
	return runs
}

// secretName reports whether a variable is named like a password or a token.
func secretName(name string) bool {
	return name == strings.ToUpper(name) && (listed("$passwords", name) || strings.HasSuffix(name, "_KEY") && !strings.Contains(name, "PUBLIC") && !strings.Contains(name, "CACHE"))
}

// arguments are part of what a step may pass on: the text itself and what stands in it.
func (l *lowering) arguments() {
	l.args = map[int][]int{}
	for i, a := range l.st.Args {
		n := l.read(FlowRead{Kind: ReadArg, Arg: i, Text: show(a.Text), Known: a.Known})
		l.args[i] = append([]int{n}, l.word(a)...)
	}
	for _, a := range l.st.Assigns {
		l.word(a.Value)
	}
	for _, o := range l.st.Outer {
		for _, a := range o.Args {
			l.word(a)
		}
	}
}

func (l *lowering) effectReads() {
	l.file = map[string][]int{}
	for _, e := range l.st.Effects {
		switch e.Kind {
		case Read, Load:
			if e.Detail == "names" || strings.HasPrefix(e.Detail, "variable ") {
				continue // names of files, not their content
			}
			l.fileRead(e, e.Target)
		case Exec:
			if e.Source == "file" || e.Source == "task" {
				l.fileRead(e, e.Target)
			}
		case Copy, Move, Link, Archive, Unpack:
			if e.Source != "" && len(l.file[e.Source]) == 0 {
				src := e
				src.Real, src.Known = "", !strings.Contains(e.Source, Hole)
				l.fileRead(src, e.Source)
			}
		case Fetch, Query, Pull:
			l.read(FlowRead{Kind: ReadRemote, Path: e.Target, Known: e.Known, Labels: e.Labels})
		case EnvRead:
			l.env = append(l.env, l.read(FlowRead{Kind: ReadEnv, Path: e.Target, Known: true, Labels: e.Labels}))
		case Secret:
			l.read(FlowRead{Kind: ReadSource, Path: e.Target, Known: true, Labels: e.Labels})
		}
	}
}

func (l *lowering) fileRead(e Effect, p string) {
	for _, k := range l.file[p] { // cat a a a
		if r := l.flow.Reads[k]; r.Real == e.Real && r.Glob == e.Glob && r.Recursive == e.Recursive && slices.Equal(r.Labels, e.Labels) {
			return
		}
	}
	n := l.read(FlowRead{Kind: ReadFile, Path: p, Real: e.Real, Known: !strings.Contains(p, Hole), Glob: e.Glob, Recursive: e.Recursive, Labels: e.Labels})
	l.file[p] = append(l.file[p], n)
}

// from maps an effect's origin to reads.
func (l *lowering) from(o Origin) []int {
	if o.None {
		return nil
	}
	if o.IsZero() {
		return l.all
	}
	var out []int
	if o.Stdin {
		out = append(out, l.stdin...)
	}
	for _, f := range o.Files {
		out = append(out, l.file[f]...)
	}
	for _, a := range o.Args {
		out = append(out, l.args[a]...)
	}
	if o.Env {
		out = append(out, l.env...)
	}
	return slices.Compact(slices.Sorted(slices.Values(out)))
}

func (l *lowering) outputs() {
	for _, e := range l.st.Effects {
		switch e.Kind {
		case Write, Copy, Move, Archive, Unpack:
			l.write(e, Overwrite)
		case Append:
			l.write(e, Extend)
		case Edit, Create, Chmod:
			l.write(e, Partly)
		case Link:
			l.write(e, Partly)
		case Delete:
			e.From = Origin{None: true}
			l.write(e, Remove)
		}
		if e.Sink != "" {
			l.flow.Sends = append(l.flow.Sends, FlowSend{Kind: e.Kind, Sink: e.Sink, Audience: e.Target, Detail: e.Detail, Known: e.Known, Class: e.Class, Clone: runsFrom(e), From: l.from(e.From)})
		}
	}
	l.flow.Writes = append(l.flow.Writes, FlowWrite{Mode: Extend, Known: true, From: l.all})
}

// runsFrom is the clone that a run file comes from.
func runsFrom(e Effect) string {
	if e.Kind != Exec {
		return ""
	}
	return e.Clone
}

func (l *lowering) write(e Effect, mode WriteMode) {
	if e.Detail == "pipe" {
		return
	}
	l.flow.Writes = append(l.flow.Writes, FlowWrite{
		Path: e.Target, Real: e.Real, Known: e.Known, Glob: e.Glob, Recursive: e.Recursive,
		Mode: mode, Maybe: e.Maybe || l.st.Conditional, From: l.from(e.From),
	})
}
