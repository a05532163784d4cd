package shell

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// builtinHandler gives the code for the shell's own commands that change the
// shell; true from it means that the step is made. What else they do is in the table.
func builtinHandler(name string) func(*walker, *cmd) bool {
	switch name {
	case "cd", "pushd", "popd", "chdir":
		return (*walker).cd
	case "export", "declare", "typeset", "local", "readonly":
		return (*walker).declareWords
	case "unset":
		return (*walker).unset
	case "alias", "unalias":
		return (*walker).aliases
	case "eval":
		return (*walker).eval
	case "trap":
		return (*walker).trap
	case "read", "mapfile", "readarray":
		return (*walker).read
	case "exec":
		return (*walker).exec
	case "exit", "return", "break", "continue", "logout":
		return (*walker).leave
	case "set":
		return (*walker).setOptions
	case "printf":
		return (*walker).printfVar
	case "shift":
		return (*walker).shift
	}
	return nil
}

// builtin pushes the step of a builtin; its only effect may be to show variables.
func (w *walker) builtin(c *cmd) int {
	return w.push(c, Step{Name: c.words[0].Text, Program: c.words[0].Text, Args: c.words[1:], Known: true, Builtin: true, RO: true, Class: ClassReversible, Effects: shown(c)})
}

// shown gives what set, declare -p, export and their like print: all variables
// with their values, or those that they name.
func shown(c *cmd) []Effect {
	names := c.words[1:]
	switch c.words[0].Text {
	case "set":
		if len(names) > 0 {
			return nil
		}
	case "export", "declare", "typeset", "readonly":
		print := len(names) == 0
		for len(names) > 0 && len(names[0].Text) > 1 && strings.IndexByte("-+", names[0].Text[0]) >= 0 {
			if strings.ContainsAny(names[0].Text, "fF") {
				return nil // functions
			}
			print = print || strings.Contains(names[0].Text, "p") || len(names) == 1
			names = names[1:]
		}
		if !print {
			return nil
		}
	default:
		return nil
	}
	read := Effect{Kind: EnvRead, Known: true, Labels: []string{"secret"}, Class: ClassReversible, Pos: c.pos, End: c.end}
	if len(names) == 0 {
		return []Effect{read}
	}
	list := make([]Effect, 0, len(names))
	for _, wd := range names {
		if read.Target, read.Known = wd.Text, wd.Known; !isAssign(wd.Text) {
			list = append(list, read)
		}
	}
	return list
}

func (w *walker) cd(c *cmd) bool {
	w.builtin(c)
	var dest *Word
	for i := range c.words[1:] {
		wd := &c.words[i+1]
		if wd.Text == "--" || len(wd.Text) > 1 && wd.Text[0] == '-' || strings.HasPrefix(wd.Text, "+") {
			continue
		}
		dest = wd
		break
	}
	old := w.sc.cwd
	switch {
	case c.words[0].Text == "popd", dest != nil && dest.Text == "-":
		w.sc.cwd = ""
		if v, ok := w.sc.lookup("OLDPWD"); ok && v.val.text != Hole {
			w.sc.cwd = v.val.text
		}
	case dest == nil:
		w.sc.cwd = w.tilde("")
	default:
		p := w.path(*dest, "")
		if strings.Contains(p, Hole) || dest.Glob {
			p = ""
		}
		w.sc.cwd = p
	}
	w.assign("OLDPWD", value{text: orHole(old)})
	return true
}

// decl is the parsed form of export, declare, local, readonly.
func (w *walker) decl(s *syntax.Stmt, d *syntax.DeclClause) {
	pos, end := w.span(s.Pos(), s.End())
	c := &cmd{pos: pos, end: end, stdin: w.sc.stdin, stdout: w.sc.stdout}
	name := d.Variant.Value
	npos, nend := w.span(d.Variant.Pos(), d.Variant.End())
	c.words = append(c.words, Word{Text: name, Known: true, Pos: npos, End: nend})
	oldPos, oldEnd := w.pos, w.end
	w.pos, w.end = pos, end
	defer func() { w.pos, w.end = oldPos, oldEnd }()
	export := name == "export"
	for _, a := range d.Args {
		if a.Name == nil {
			wd := w.expandOne(a.Value)
			c.words = append(c.words, wd)
			export = export || strings.HasPrefix(wd.Text, "-") && strings.Contains(wd.Text, "x")
			continue
		}
		text := a.Name.Value
		for _, set := range w.assignments([]*syntax.Assign{a}) {
			if !a.Naked {
				w.assign(set.Name, set.Value.value())
				text += "=" + set.Value.Text
			}
			wd := set.Value
			wd.Text, wd.Known = text, !strings.Contains(text, Hole)
			wd.Pos, wd.End = w.span(a.Pos(), a.End())
			c.words = append(c.words, wd)
		}
		if export {
			w.export(a.Name.Value)
		}
	}
	w.redirect(c, s.Redirs)
	w.builtin(c)
}

// export marks a variable as inherited by programs.
func (w *walker) export(name string) {
	v, ok := w.sc.lookup(name)
	if !ok {
		return
	}
	v.exported = true
	w.set(v)
}

// declareWords is the same for words that the parser did not see as a declaration.
func (w *walker) declareWords(c *cmd) bool {
	w.builtin(c)
	for _, wd := range c.words[1:] {
		if !isAssign(wd.Text) {
			continue
		}
		name, val, _ := strings.Cut(wd.Text, "=")
		v := wd.value()
		v.text = val
		w.assign(name, v)
		w.export(name)
	}
	return true
}

func (w *walker) unset(c *cmd) bool {
	w.builtin(c)
	for _, wd := range c.words[1:] {
		if varName(wd.Text) {
			w.set(variable{name: wd.Text, unset: true})
			w.sc.funcs = w.sc.funcs.with(wd.Text, function{name: wd.Text})
		}
	}
	return true
}

func (w *walker) aliases(c *cmd) bool {
	w.builtin(c)
	for _, wd := range c.words[1:] {
		name, text, ok := strings.Cut(wd.Text, "=")
		if c.words[0].Text == "unalias" {
			w.sc.aliases = w.sc.aliases.with(name, variable{name: name, unset: true})
		} else if ok {
			w.sc.aliases = w.sc.aliases.with(name, variable{name: name, val: value{text: text}})
		}
	}
	return true
}

// eval runs its words in this shell.
func (w *walker) eval(c *cmd) bool {
	r := &runner{w: w, c: c, p: program{name: "eval", word: "eval"}, inner: -1, shellAt: -1}
	r.u = usage{recs: []record{{}}, words: c.words[1:], rest: -1}
	var b strings.Builder
	for _, wd := range r.u.words {
		b.WriteString(wd.Text)
		b.WriteByte(' ')
	}
	if strings.TrimSpace(b.String()) == "" {
		w.builtin(c)
		return true
	}
	n := len(w.out.Steps)
	saved := w.outer
	w.outer = append(saved[:len(saved):len(saved)], Wrapper{Name: "eval", Program: "eval"})
	w.sc.stdin, w.sc.stdout = c.stdin, c.stdout
	w.groupBare(c)
	w.inner(b.String(), "eval")
	w.outer = saved
	if len(w.out.Steps) == n || strings.Contains(b.String(), Hole) {
		k := w.push(c, Step{Name: "eval", Program: "eval", Args: c.words[1:], Known: true, Builtin: true,
			Effects: []Effect{{Kind: Exec, Source: "text", Detail: "shell", Sink: SinkExec, Class: ClassReversible, Pos: c.pos, End: c.end}}})
		w.addUnknown(Unknown{Kind: UnknownCode, Step: k, Text: show(b.String()), Pos: c.pos, End: c.end})
	}
	return true
}

// trap runs its text later, perhaps.
func (w *walker) trap(c *cmd) bool {
	w.builtin(c)
	for _, wd := range c.words[1:] {
		if strings.HasPrefix(wd.Text, "-") && len(wd.Text) > 1 {
			continue
		}
		if wd.Text == "-" || wd.Text == "" {
			break
		}
		saved, outer := w.sc, w.outer
		w.outer = append(outer[:len(outer):len(outer)], Wrapper{Name: "trap", Program: "trap"})
		w.sc.cond = true
		w.inner(wd.Text, "trap")
		w.sc, w.outer = saved, outer
		break
	}
	return true
}

// read puts its input into variables.
func (w *walker) read(c *cmd) bool {
	k := w.builtin(c)
	st := &w.out.Steps[k]
	v := value{text: Hole, steps: append(append([]int(nil), st.Stdin.Steps...), st.Stdin.Word.Steps...)}
	v.steps = append(v.steps, k)
	st.Stdout = []Output{{Kind: ToVar}}
	if root, ok := w.listRoot(st.Stdin); ok {
		v.text, v.glob = root+"/**", true
	}
	array := c.words[0].Text != "read"
	names := 0
	for i := 1; i < len(c.words); i++ {
		t := c.words[i].Text
		if strings.HasPrefix(t, "-") {
			if array && strings.HasSuffix(t, "C") && i+1 < len(c.words) {
				w.inner(c.words[i+1].Text, c.words[0].Text)
			}
			if last := t[len(t)-1]; strings.IndexByte("dnNptui", last) >= 0 && c.words[0].Text == "read" || array && strings.IndexByte("dnOsucC", last) >= 0 {
				i++
			}
			array = array || t[len(t)-1] == 'a'
			continue
		}
		names++
		set := variable{name: t, val: v}
		if array {
			set.list = []value{v}
		}
		w.set(set)
	}
	if names == 0 {
		w.set(variable{name: map[bool]string{true: "MAPFILE", false: "REPLY"}[array], val: v})
	}
	return true
}

// listRoot gives the directory that all paths in the input are below, if the input is such a list.
func (w *walker) listRoot(in Input) (string, bool) {
	if in.Kind != FromPipe || len(in.Steps) != 1 {
		return "", false
	}
	lists := w.info[in.Steps[0]].lists
	if len(lists) == 0 {
		return "", false
	}
	root := lists[0]
	for _, l := range lists[1:] {
		for root != l && !strings.HasPrefix(l, root+"/") && root != "/" && root != "." {
			root = path.Dir(root)
		}
	}
	return strings.TrimSuffix(root, "/"), !strings.Contains(root, Hole)
}

// exec replaces the shell, or changes its descriptors if it has no command.
func (w *walker) exec(c *cmd) bool {
	words := c.words[1:]
	for len(words) > 0 && strings.HasPrefix(words[0].Text, "-") {
		if strings.HasSuffix(words[0].Text, "a") && len(words) > 1 {
			words = words[1:]
		}
		words = words[1:]
	}
	if len(words) == 0 {
		w.execFds(c)
		return true
	}
	outer := w.outer
	w.outer = append(outer[:len(outer):len(outer)], Wrapper{Name: "exec", Program: "exec"})
	inner := *c
	inner.words, inner.noFunc = words, true
	w.run(&inner)
	w.outer = outer
	w.sc.loose, w.sc.cond = true, true
	return true
}

// execFds opens descriptors for the commands that follow.
func (w *walker) execFds(c *cmd) {
	w.sc.stdin, w.sc.stdout = c.stdin, c.stdout
	fds := slices.Clone(w.sc.fds)
	for i, e := range c.redirs {
		t := target{fd: c.fds[i]}
		switch e.Kind {
		case Send, Fetch:
			t.out = Output{Kind: ToNet, Name: e.Target}
			t.in = Input{Kind: FromNet, Word: Word{Text: e.Target, Known: e.Known}}
		case Read:
			t.in = Input{Kind: FromFile, Word: Word{Text: e.Target, Known: e.Known}}
		default:
			t.out = Output{Kind: ToFile, Name: e.Target}
		}
		if len(fds) >= MaxFan {
			w.limit("number of open descriptors")
			break
		}
		if fds = append(fds, t); e.Kind == Fetch && i > 0 && c.fds[i-1] == t.fd { // 3<>: one descriptor
			fds = fds[:len(fds)-1]
		}
	}
	w.sc.fds = fds
	w.builtin(c)
}

// leave is exit, return, break, continue: what follows may not run.
func (w *walker) leave(c *cmd) bool {
	w.builtin(c)
	w.sc.loose, w.sc.cond = true, true
	return true
}

func (w *walker) setOptions(c *cmd) bool {
	w.builtin(c)
	for i, wd := range c.words[1:] {
		if wd.Text == "--" {
			w.sc.params, w.sc.hasParams = nil, true
			for _, a := range c.words[i+2:] {
				w.sc.params = append(w.sc.params, a.value())
			}
			return true
		}
		if strings.HasPrefix(wd.Text, "-") && strings.Contains(wd.Text, "e") || wd.Text == "errexit" || strings.HasPrefix(wd.Text, "-") && strings.Contains(wd.Text, "n") || wd.Text == "noexec" || strings.Contains(wd.Text, "u") {
			w.sc.loose, w.sc.cond = true, true
		}
	}
	return true
}

// printfVar is printf -v NAME; other printfs are in the table.
func (w *walker) printfVar(c *cmd) bool {
	if len(c.words) < 4 || c.words[1].Text != "-v" {
		return false
	}
	k := w.builtin(c)
	w.set(variable{name: c.words[2].Text, val: value{text: Hole, steps: []int{k}}})
	return true
}

func (w *walker) shift(c *cmd) bool {
	w.builtin(c)
	if n := len(c.words); w.sc.hasParams && n == 1 && len(w.sc.params) > 0 {
		w.sc.params = w.sc.params[1:]
	} else if n > 1 {
		w.sc.hasParams = false
	}
	return true
}
