package shell

import (
	"path"
	"strings"
)

// scriptFile is a file that an interpreter runs.
func (r *runner) scriptFile(wd Word, at int) {
	if wd.Text == "-" || wd.Text == "/dev/stdin" {
		r.stdinCode()
		return
	}
	if wd.Fifo {
		r.add(Effect{Kind: Exec, Target: wd.Text, Source: "pipe", Detail: r.p.name, Class: ClassReversible, From: Origin{Args: r.args(at)}, Pos: wd.Pos, End: wd.End})
		r.unknown(UnknownCode, wd)
		return
	}
	if strings.Contains(wd.Text, "://") {
		r.contact("url", wd, at)
		r.add(Effect{Kind: Exec, Target: wd.Text, Source: "net", Known: wd.Known, Class: ClassReversible, Pos: wd.Pos, End: wd.End})
		r.unknown(UnknownCode, wd)
		return
	}
	p := r.w.path(wd, r.base)
	known := wd.Known && !wd.Glob && !strings.Contains(p, Hole)
	r.add(Effect{Kind: Exec, Target: p, Real: r.w.realIfOther(p), Source: "file", Detail: r.p.name, Known: known, Class: scriptClass(p), From: Origin{Files: []string{p}}, Pos: wd.Pos, End: wd.End})
	if rec, ok := lookup(path.Base(p)); ok && rec.has("local") && at >= 0 && at+1 < len(r.u.words) { // manage.py migrate
		last := &r.st.Effects[len(r.st.Effects)-1]
		last.Class = strictest(last.Class, scriptClass(r.u.words[at+1].Text))
	}
	text, written := r.w.fileText(p)
	switch {
	case !known:
		r.unknown(UnknownScript, wd)
	case written:
		r.writtenScript(text, wd, r.u.words[min(max(at+1, 0), len(r.u.words)):])
	case !r.w.ownScript(p):
		r.unknown(UnknownScript, wd)
	}
}

// ownScript reports whether a file that the plan did not write is the user's
// own code: in the workspace, or a start file in the home directory.
func (w *walker) ownScript(p string) bool {
	if w.inRoot(p) {
		return true
	}
	for _, home := range [...]string{w.env.Home, "~"} {
		if rest, ok := strings.CutPrefix(p, home+"/."); ok && home != "" && !strings.HasPrefix(rest, ".") {
			return true
		}
	}
	return false
}

// writtenScript judges a script that this line or an earlier call wrote as its content.
func (r *runner) writtenScript(text string, wd Word, args []Word) {
	if text == Hole || !shellText(r.p.name, text) {
		r.unknown(UnknownScript, Word{Text: text, Pos: wd.Pos, End: wd.End})
		return
	}
	r.w.asScript(text, args, r.c)
}

// asScript walks a script's text in a subshell with args as its parameters.
func (w *walker) asScript(text string, args []Word, c *cmd) {
	saved := w.sc
	w.sc.params, w.sc.hasParams = nil, true
	for _, a := range args {
		w.sc.params = append(w.sc.params, a.value())
	}
	w.sc.stdin, w.sc.stdout = c.stdin, c.stdout
	w.inner(text, "script")
	w.sc = saved
}

// shellText reports whether a script is shell, by interpreter or first line.
func shellText(interp, text string) bool {
	if line, ok := strings.CutPrefix(text, "#!"); ok {
		line, _, _ = strings.Cut(line, "\n")
		return strings.HasSuffix(strings.TrimSpace(line), "sh") || isShell(interp)
	}
	return interp == "" || isShell(interp)
}

func isShell(name string) bool {
	switch name {
	case "sh", "bash", "zsh", "dash", "ksh", "ash", "busybox", "source", ".", "mksh", "rbash", "yash", "fish":
		return true
	}
	return false
}

// fileText gives the content that a file is known to have, Hole if it was written with unknown content.
func (w *walker) fileText(p string) (string, bool) {
	text, ok := w.files[p]
	if !ok {
		if r := w.real(p); r != p {
			text, ok = w.files[r]
		}
	}
	return text, ok
}

// scriptClass is stricter for scripts whose name says that they publish or destroy.
func scriptClass(name string) string {
	rec, ok := lookup("$risky")
	if !ok {
		return ClassReversible
	}
	base := strings.ToLower(path.Base(name))
	for word := range strings.FieldsFuncSeq(base, func(c rune) bool { return strings.ContainsRune("-_.: ", c) }) {
		for glob := range strings.FieldsSeq(rec.args) {
			if matchGlob(glob, word) {
				return ClassPublic
			}
		}
	}
	return ClassReversible
}

// task is a target of a build tool: npm run NAME, make NAME.
func (r *runner) task(wd Word, file string) {
	if own := taskFile(r.p.name); own != "" {
		file = own
	}
	p := r.w.path(Word{Text: file, Known: true}, r.base)
	e := Effect{Kind: Exec, Target: p, Source: "task", Detail: wd.Text, Known: wd.Known, Class: scriptClass(wd.Text), Pos: wd.Pos, End: wd.End, From: Origin{Files: []string{p}}}
	if wd.End == 0 {
		e.Known, e.Pos, e.End = true, r.c.pos, r.c.end
	}
	r.add(e)
	if _, written := r.w.fileText(p); written {
		r.unknown(UnknownScript, Word{Text: file, Pos: e.Pos, End: e.End})
	}
	if !e.Known {
		r.unknown(UnknownScript, wd)
	}
}

// taskFile gives the file that a build tool takes its targets from.
func taskFile(name string) string {
	rec, _ := lookup("$taskfiles")
	for f := range strings.FieldsSeq(rec.args) {
		if tool, file, _ := strings.Cut(f, "="); tool == name {
			return file
		}
	}
	return ""
}

// code is a program text given as an option.
func (r *runner) code(wd Word, lang string) {
	if lang == "" {
		lang = r.p.name
	}
	r.add(Effect{Kind: Exec, Source: "text", Detail: lang, Known: wd.Known, Class: ClassReversible, From: Origin{None: true}, Pos: wd.Pos, End: wd.End})
	r.unknown(UnknownCode, wd)
}

// stdinCode is an interpreter that reads its program from standard input.
func (r *runner) stdinCode() {
	text, ok := r.w.stdinText(r.c.stdin)
	src := "stdin"
	e := Effect{Kind: Exec, Source: src, Detail: r.p.name, Class: ClassReversible, From: Origin{Stdin: true}, Known: ok, Pos: r.c.pos, End: r.c.end}
	r.add(e)
	if ok && isShell(r.p.name) {
		in := *r.c
		in.stdin = Input{Kind: FromNull}
		r.w.asScript(text, nil, &in)
		return
	}
	if r.c.stdin.Kind == FromFile && isShell(r.p.name) {
		if text, written := r.w.fileText(r.c.stdin.Word.Text); written && text != Hole {
			r.w.asScript(text, nil, r.c)
			return
		} else if !written && r.w.ownScript(r.c.stdin.Word.Text) {
			return
		}
	}
	r.unknown(UnknownCode, Word{Text: show(text), Pos: r.c.pos, End: r.c.end})
}

// stdinText is what a command reads, if the line itself says it.
func (w *walker) stdinText(in Input) (string, bool) {
	switch in.Kind {
	case FromText:
		return in.Word.Text, in.Word.Known
	case FromFile:
		text, ok := w.fileText(in.Word.Text)
		return text, ok && text != Hole
	case FromPipe:
		var b strings.Builder
		for _, i := range in.Steps {
			if !w.info[i].textOK || w.out.Steps[i].Conditional && len(in.Steps) > 1 || !w.charge(len(w.info[i].text)) {
				return "", false
			}
			b.WriteString(w.info[i].text)
		}
		return b.String(), len(in.Steps) > 0 && b.Len() < MaxText
	}
	return "", false
}

// shell is text that the program hands to a shell: its steps take the place of the program's own.
func (r *runner) shell(words []Word, at int) {
	var b strings.Builder
	for i, wd := range words {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(wd.Text)
	}
	n := len(r.w.out.Steps)
	r.enter(at, func() {
		saved := r.w.sc
		r.w.sc.stdin, r.w.sc.stdout = r.c.stdin, r.c.stdout
		r.w.groupBare(r.c)
		r.w.sc.hasParams = false
		r.w.inner(b.String(), r.p.name)
		r.w.sc = saved
	})
	r.done = len(r.w.out.Steps) > n
}

// enter walks body as wrapped by this command.
func (r *runner) enter(at int, body func()) {
	w := r.w
	r.network()
	r.hosts = nil
	own := r.u.words
	if at >= 0 {
		own = own[:min(at, len(own))]
	}
	outer, extra, class, remote, host, labels := w.outer, w.extra, w.extraClass, w.remote, w.host, w.extraLabels
	secrets := w.extraSecrets
	w.extraSecrets = append(secrets[:len(secrets):len(secrets)], r.st.secrets...)
	w.outer = append(outer[:len(outer):len(outer)], Wrapper{Name: r.p.name, Program: r.p.word, Args: own})
	w.extra = append(extra[:len(extra):len(extra)], r.st.Effects...)
	w.extraLabels = append(labels[:len(labels):len(labels)], r.st.Labels...)
	w.extraClass = strictest(class, strictest(r.st.Class, r.cls))
	if r.top().has("remote") {
		w.remote, w.host = true, r.remoteName()
	}
	for _, u := range r.unk {
		w.unknownAt(u.Kind, u.Text, u.Pos, u.End)
	}
	body()
	w.outer, w.extra, w.extraClass, w.remote, w.host, w.extraLabels = outer, extra, class, remote, host, labels
	w.extraSecrets = secrets
}

func (r *runner) remoteName() string {
	if len(r.u.operands) == 0 {
		return Hole
	}
	return show(r.u.words[r.u.operands[0]].Text)
}

// peel runs the command that a wrapper's operands hold.
func (r *runner) peel() bool {
	words := r.u.words[r.inner:]
	if len(words) == 0 {
		return false
	}
	c := *r.c
	c.words = append([]Word(nil), words...)
	if c.noFunc = true; r.top().handler == "xargs" || r.eachFound {
		c.words = r.xargsWords(c.words)
		c.stdin = Input{Kind: FromNull}
	}
	r.enter(r.inner, func() {
		if strings.Contains(r.top().flags, " later ") {
			cond := r.w.sc.cond
			r.w.sc.cond = true
			defer func() { r.w.sc.cond = cond }()
		}
		r.w.run(&c)
	})
	return true
}

// tail joins what follows "--" as the inner command: docker exec, kubectl exec, npm exec.
func (r *runner) tail() {
	if r.u.rest >= 0 && r.u.rest < len(r.u.words) && r.inner < 0 {
		r.inner = r.u.rest
		for i, at := range r.u.operands {
			if at >= r.u.rest {
				r.u.operands = r.u.operands[:i]
				break
			}
		}
	}
}

// runLocal runs a file by its path.
func (w *walker) runLocal(c *cmd, p program) {
	args := c.words[1:]
	st := Step{Name: p.name, Program: p.word, Local: true, Args: args, Class: scriptClass(p.path)}
	e := Effect{Kind: Exec, Target: p.path, Source: "file", Sink: SinkExec, Known: !strings.Contains(p.path, Hole), Class: st.Class, From: Origin{Files: []string{p.path}}, Pos: c.words[0].Pos, End: c.words[0].End}
	st.Effects = append(st.Effects, e)
	text, written := w.fileText(p.path)
	if written && text != Hole && shellText("", text) {
		outer := w.outer
		w.outer = append(outer[:len(outer):len(outer)], Wrapper{Name: p.name, Program: p.word, Args: args})
		w.asScript(text, args, c)
		w.outer = outer
		w.push(c, st)
		return
	}
	k := w.push(c, st)
	if written || !w.inRoot(p.path) || !e.Known {
		w.addUnknown(Unknown{Kind: UnknownScript, Step: k, Text: show(p.word), Pos: e.Pos, End: e.End})
	}
}
