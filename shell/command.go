package shell

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// cmd is a simple command on its way to becoming a step.
type cmd struct {
	words      []Word
	redirs     []Effect // of its redirects
	unknowns   []Unknown
	stdin      Input
	stdout     []Output
	fdOut      []Output // where stderr and other descriptors go, for data that leaves there
	fds        []int    // the descriptor of each of redirs, -1 if not given
	pos, end   int
	background bool
	noFunc     bool   // command, builtin, wrappers: functions and aliases don't apply
	text       string // its output, if textOK
	textOK     bool
	lists      []string
	token      bool
	aliasDone  string
	aliases    int // expansions so far, since two aliases may name each other
}

// simple walks one simple command: assignments, words, redirects, then the run.
func (w *walker) simple(s *syntax.Stmt, call *syntax.CallExpr) {
	pos, end := w.span(s.Pos(), s.End())
	c := &cmd{pos: pos, end: end, stdin: w.sc.stdin, stdout: w.sc.stdout, background: s.Background}
	oldPos, oldEnd := w.pos, w.end
	w.pos, w.end = pos, end
	defer func() { w.pos, w.end = oldPos, oldEnd }()
	first := len(w.out.Steps)
	c.words = make([]Word, 0, len(call.Args)+1)
	for _, a := range call.Args {
		c.words = w.expand(c.words, a)
		if len(c.words) > MaxWords {
			c.words = c.words[:MaxWords]
			w.tooMany("number of words of a command")
			break
		}
	}
	assigns := w.assignments(call.Assigns)
	w.redirect(c, s.Redirs)
	w.zshClobber(c)
	if len(c.words) == 0 {
		w.bare(c, assigns, first)
		return
	}
	keep := len(w.assigns)
	w.assigns = append(slices.Clip(w.assigns), assigns...)
	w.run(c)
	w.assigns = w.assigns[:keep]
}

// bare is a command without a command word: assignments take effect in the
// shell, redirects make a step of their own.
func (w *walker) bare(c *cmd, assigns []Assign, first int) {
	for _, a := range assigns {
		w.assign(a.Name, a.Value.value())
	}
	if len(c.redirs) == 0 && len(c.unknowns) == 0 {
		for _, a := range assigns {
			for _, i := range a.Value.Steps {
				if i >= first {
					w.toVar(i, a.Name)
				}
			}
		}
		return
	}
	w.push(c, Step{Known: true, Builtin: true, RO: true, Class: ClassReversible})
}

// toVar notes that a step's output went into a variable.
func (w *walker) toVar(step int, name string) {
	for j := range w.out.Steps[step].Stdout {
		if o := &w.out.Steps[step].Stdout[j]; o.Kind == ToArg && o.To == 0 {
			o.Kind, o.Name = ToVar, name
		}
	}
}

func (w *walker) assignments(list []*syntax.Assign) []Assign {
	var out []Assign
	for _, a := range list {
		if a.Name == nil {
			continue
		}
		if a.Index != nil {
			w.arithm(a.Index)
		}
		if a.Array != nil {
			w.array(a)
			continue
		}
		wd := w.expandOne(a.Value)
		if a.Append || a.Index != nil {
			old, _ := w.sc.lookup(a.Name.Value)
			if a.Index != nil || old.list != nil {
				w.set(variable{name: a.Name.Value, val: wd.value(), list: append(slices.Clip(old.list), wd.value())})
				continue
			}
			wd.Text = old.val.text + wd.Text
			wd.Steps = union(w, slices.Clone(old.val.steps), wd.Steps)
			wd.Known = !strings.Contains(wd.Text, Hole)
		}
		if len(wd.Text) > MaxText {
			wd.Text, wd.Known = Hole, false
		}
		out = append(out, Assign{Name: a.Name.Value, Value: wd})
	}
	return out
}

func (w *walker) array(a *syntax.Assign) {
	list := []value{}
	if old, ok := w.sc.lookup(a.Name.Value); ok && a.Append {
		list = append(list, old.list...)
	}
	for _, e := range a.Array.Elems {
		if e.Index != nil {
			w.arithm(e.Index)
		}
		if e.Value == nil {
			continue
		}
		for _, wd := range w.expand(nil, e.Value) {
			list = append(list, wd.value())
		}
	}
	if len(list) > MaxUnroll || !w.charge(len(list)*wordCost) {
		list = []value{{text: Hole, dash: true}}
	}
	w.set(variable{name: a.Name.Value, list: list, val: value{text: Hole}})
}

// assign sets a shell variable.
func (w *walker) assign(name string, v value) {
	if name == "HOME" || name == "PWD" {
		v.glob = false
	}
	w.set(variable{name: name, val: v})
}

// run finds out what the command is and makes its steps.
func (w *walker) run(c *cmd) {
	if w.full() {
		return
	}
	if len(w.outer) > MaxWrap {
		w.tooMany("number of wrappers")
		return
	}
	head := c.words[0]
	if !head.Known || head.Glob || head.Fifo || head.Text == "" {
		w.dynamic(c)
		return
	}
	name := head.Text
	if !c.noFunc {
		if w.runAlias(c, name) {
			return
		}
		if f, ok := w.sc.function(name); ok {
			w.runFunction(c, f)
			return
		}
	}
	p := w.identify(name)
	if p.script {
		w.runLocal(c, p)
		return
	}
	if h := builtinHandler(p.name); h != nil && !p.local {
		if h(w, c) {
			return
		}
	}
	rec, ok := lookup(p.name)
	if !ok {
		w.unknownProgram(c, p)
		return
	}
	w.runKnown(c, p, rec)
}

// program is what a command word names.
type program struct {
	name   string // the table's name
	word   string // as written
	local  bool   // written as a path
	script bool   // a file of the workspace or elsewhere that the table says nothing of
	path   string // absolute, if local
}

// identify resolves a command word: base name, copies made by the line, known tool folders.
func (w *walker) identify(word string) program {
	p := program{name: word, word: word}
	if strings.IndexByte(word, '/') < 0 {
		return p
	}
	p.local = true
	p.name = path.Base(word)
	p.path = w.abs(word)
	if src, ok := w.copies[p.path]; ok {
		p.name = path.Base(src)
		return p
	}
	if w.real(p.path) != p.path {
		p.path = w.real(p.path)
		p.name = path.Base(p.path)
	}
	if _, ok := w.files[p.path]; ok {
		p.script = true
		return p
	}
	p.script = !systemDir(path.Dir(p.path)) && !w.toolDir(p)
	return p
}

// systemDir lists where programs of the system live.
func systemDir(dir string) bool {
	switch dir {
	case "/bin", "/usr/bin", "/usr/local/bin", "/sbin", "/usr/sbin", "/usr/local/sbin", "/opt/homebrew/bin", "/snap/bin", "/usr/games", "/opt/local/bin":
		return true
	}
	return false
}

// toolDir reports whether a path below the workspace is where a package manager
// puts the programs that the project depends on, or a wrapper that its entry
// calls local (gradlew, mvnw).
func (w *walker) toolDir(p program) bool {
	if !w.inRoot(p.path) {
		return false
	}
	rec, ok := lookup(p.name)
	if !ok {
		return false
	}
	if rec.has("local") {
		return true
	}
	for _, dir := range [...]string{"node_modules/.bin", ".venv/bin", "venv/bin", "env/bin", "vendor/bin", ".tox/py/bin"} {
		if strings.HasSuffix(path.Dir(p.path), dir) {
			return true
		}
	}
	return false
}

func (w *walker) inRoot(p string) bool {
	root := w.env.root()
	if root == "" {
		return !strings.HasPrefix(p, "/") && !strings.HasPrefix(p, "..") && !strings.HasPrefix(p, "~")
	}
	return p == root || strings.HasPrefix(p, strings.TrimSuffix(root, "/")+"/")
}

// runAlias expands an alias. Whether the shell does so depends on how it was
// started, so both the alias and a known program of that name may run.
func (w *walker) runAlias(c *cmd, name string) bool {
	text, ok := w.sc.alias(name)
	if !ok || c.aliasDone == name {
		return false
	}
	if c.aliases++; c.aliases > MaxInner {
		w.limit("nesting of aliases")
		return false
	}
	cond := w.sc.cond
	w.sc.cond = true
	defer func() { w.sc.cond = cond || w.sc.loose }()
	if _, known := lookup(name); known {
		plain := *c
		plain.aliasDone = name
		w.run(&plain)
	} else {
		w.push(c, Step{Name: name, Program: name, Args: c.words[1:], Class: ClassReversible})
	}
	if strings.ContainsAny(text, "'\"$`\\;|&<>()\n") {
		w.inner(text+" "+quoteAll(c.words[1:]), "alias")
		return true
	}
	var words []Word
	for _, f := range strings.Fields(text) {
		words = append(words, Word{Text: f, Known: true, Pos: c.words[0].Pos, End: c.words[0].End})
	}
	if len(words) == 0 {
		return true
	}
	c.aliasDone = name
	c.words = append(words, c.words[1:]...)
	w.run(c)
	return true
}

// quoteAll writes words so that a shell reads them back.
func quoteAll(words []Word) string {
	var b strings.Builder
	for _, wd := range words {
		b.WriteString(" '")
		b.WriteString(strings.ReplaceAll(wd.Text, "'", `'\''`))
		b.WriteByte('\'')
	}
	return b.String()
}

func (w *walker) runFunction(c *cmd, f function) {
	saved := w.sc
	w.sc.stdin, w.sc.stdout = c.stdin, c.stdout
	w.groupBare(c)
	for _, a := range w.assigns {
		w.assign(a.Name, a.Value.value())
	}
	w.call(f, c.words[1:])
	w.sc.stdin, w.sc.stdout = saved.stdin, saved.stdout
	if w.sc.loose && !saved.loose { // return inside the function
		w.sc.loose = saved.loose
		w.sc.cond = saved.cond
	}
}

// dynamic is a command whose word is not constant.
func (w *walker) dynamic(c *cmd) {
	st := Step{Program: c.words[0].Text, Args: c.words[1:]}
	k := w.push(c, st)
	w.addUnknown(Unknown{Kind: UnknownCommand, Step: k, Text: show(c.words[0].Text), Pos: c.words[0].Pos, End: c.words[0].End})
}

// show makes a text with holes readable.
func show(s string) string { return strings.ReplaceAll(s, Hole, "…") }

func (w *walker) unknownProgram(c *cmd, p program) {
	st := Step{Name: p.name, Program: p.word, Local: p.local, Args: c.words[1:]}
	k := w.push(c, st)
	w.addUnknown(Unknown{Kind: UnknownProgram, Step: k, Text: p.name, Pos: c.words[0].Pos, End: c.words[0].End})
}

// push adds a finished step: wrappers, redirect effects, inputs and outputs.
func (w *walker) push(c *cmd, st Step) int {
	k := len(w.out.Steps)
	st.Pos, st.End = c.pos, c.end
	st.Conditional = st.Conditional || w.sc.cond
	st.Background = c.background
	st.Guess = w.guess
	st.Remote = w.host
	st.Outer = slices.Clone(w.outer)
	st.Assigns = slices.Clone(w.assigns)
	st.Stdin, st.Stdout = c.stdin, slices.Clone(c.stdout)
	if len(w.extra) > 0 {
		st.Effects = append(slices.Clone(w.extra), st.Effects...)
	}
	st.Labels = append(st.Labels, w.extraLabels...)
	if len(w.extraSecrets) > 0 {
		st.secrets = append(st.secrets[:len(st.secrets):len(st.secrets)], w.extraSecrets...)
	}
	for _, e := range c.redirs {
		e.Redirect = true
		st.Effects = append(st.Effects, e)
	}
	if st.Known || st.Class != "" || len(st.Effects) > 0 {
		st.Class = strictest(st.Class, w.extraClass)
	}
	w.emptied(&st)
	for _, e := range st.Effects {
		st.RO = st.RO && e.readOnly()
		st.Class = strictest(st.Class, e.Class)
	}
	w.loaders(&st, k)
	w.runsClone(&st)
	w.out.Steps = append(w.out.Steps, st)
	w.info = append(w.info, stepInfo{text: c.text, textOK: c.textOK, lists: c.lists, token: c.token})
	for _, u := range c.unknowns {
		u.Step = k
		w.addUnknown(u)
	}
	w.pickedPast(&st)
	w.consume(st, k)
	w.track(k)
	w.late(k)
	return k
}

// consume notes which steps' output this step takes in.
func (w *walker) consume(st Step, k int) {
	w.consumed(st.Stdin.Steps, k)
	w.consumed(st.Stdin.Word.Steps, k)
	for _, a := range st.Args {
		w.consumed(a.Steps, k)
	}
	for _, a := range st.Assigns {
		w.consumed(a.Value.Steps, k)
	}
	for _, o := range st.Outer {
		for _, a := range o.Args {
			w.consumed(a.Steps, k)
		}
	}
}
