package shell

import (
	"encoding/base64"
	"path"
	"strings"
)

// argumentHandler names the code for programs whose arguments are no plain
// options and operands. It runs before the arguments are taken apart and
// reports whether it made the steps itself.
func argumentHandler(name string) func(*runner) bool {
	switch name {
	case "find":
		return find
	case "oldstyle": // tar xzf, ps aux, ar: letters without a dash
		return func(r *runner) bool { r.c.words = oldStyle(r.c.words); r.u.words = r.c.words[1:]; return false }
	case "ps":
		return oldPS
	case "test":
		return testCommand
	case "dd":
		return dd
	}
	return nil
}

// effectHandler names the code for effects that a line of the table can't say.
func effectHandler(name string) func(*runner) {
	switch name {
	case "sed":
		return sed
	case "awk":
		return awk
	case "oldstyle":
		return tar
	case "ps":
		return psEnvironment
	case "tftp":
		return tftp
	case "patch":
		return patch
	case "copy":
		return copyFiles
	case "link":
		return link
	case "interp":
		return interp
	case "echo", "printf", "cat", "pwd", "mktemp", "base64", "basename", "dirname":
		return func(r *runner) { output(r, name) }
	case "gitconfig":
		return gitConfig
	case "gitpush":
		return gitPush
	case "gitremote":
		return gitRemote
	case "gitcheckout":
		return gitCheckout
	case "gitpaths":
		return gitPaths
	case "gitclone":
		return gitClone
	case "ghclone":
		return ghClone
	case "checkout":
		return checkout
	case "source":
		return source
	case "module":
		return module
	case "npx":
		return npx
	case "windows":
		return windowsText
	case "sshkeygen":
		return sshKeygen
	case "socat":
		return socat
	case "verbs":
		return verbs
	case "sql":
		return sqlClient
	case "nixflake":
		return nixFlake
	}
	return nil
}

func oldStyle(words []Word) []Word {
	if len(words) < 2 || words[1].Text == "" || words[1].Text[0] == '-' || strings.ContainsAny(words[1].Text, "./=") {
		return words
	}
	out := append([]Word(nil), words...)
	out[1].Text = "-" + out[1].Text
	return out
}

// oldPS notes whether ps gets its letters in the old style, where e shows the
// environment of processes; in the new style -e means all of them.
func oldPS(r *runner) bool {
	for _, wd := range r.u.words {
		if wd.Text != "" && wd.Text[0] != '-' && strings.Trim(wd.Text, "abcdefghijklmnopqrstuvwxyzSTX") == "" {
			r.oldStyle = r.oldStyle || strings.Contains(wd.Text, "e")
		}
	}
	r.c.words = oldStyle(r.c.words)
	r.u.words = r.c.words[1:]
	return false
}

func psEnvironment(r *runner) {
	if r.oldStyle {
		r.standing("env-read")
	}
}

// testCommand is test and [: operators are no options, and nothing is read but what a stat gives.
func testCommand(r *runner) bool {
	r.st = Step{Name: r.p.name, Program: r.p.word, Args: r.u.words, Known: true, Builtin: true, RO: true, Class: ClassReversible}
	r.w.push(r.c, r.st)
	return true
}

// dd reads if= and writes of=.
func dd(r *runner) bool {
	r.st = Step{Name: "dd", Program: r.p.word, Args: r.u.words, Known: true}
	r.u.recs = []record{{key: "dd"}}
	for i, wd := range r.u.words {
		k, v, _ := strings.Cut(wd.Text, "=")
		switch k {
		case "if":
			r.file("read", sliceWord(wd, v), i)
		case "of":
			r.file("write", sliceWord(wd, v), i)
		}
	}
	r.finish()
	return true
}

// copyFiles is cp, mv, install, rsync between local paths: sources, then a destination or -t DIR.
func copyFiles(r *runner) {
	dest, srcs := -1, r.u.operands
	var destWord Word
	for _, h := range r.u.hits {
		if h.name == "-t" || h.name == "--target-directory" {
			destWord, dest = h.val, h.at
			destWord.Text += "/"
		}
	}
	if dest < 0 {
		if len(srcs) < 2 {
			r.rw = true
			return
		}
		dest = srcs[len(srcs)-1]
		destWord, srcs = r.u.words[dest], srcs[:len(srcs)-1]
	}
	kind := Copy
	if r.p.name == "mv" || r.hasOption("--remove-source-files") {
		kind = Move
	}
	for _, at := range srcs {
		src := r.u.words[at]
		role := "read"
		if kind == Move || r.hasOption("-r|-R|-a|--recursive|--archive") {
			role = "readr"
		}
		r.file(role, src, at)
		from := r.w.path(src, r.base)
		if r.copiesContents(src) {
			r.copyContents(kind, from, destWord)
		} else {
			r.copyOne(kind, from, r.w.path(destWord, r.base), destWord, len(srcs) > 1)
		}
		if kind == Move {
			r.add(Effect{Kind: Delete, Target: from, Known: !strings.Contains(from, Hole), Glob: src.Glob, Recursive: true, Class: ClassReversible, Pos: src.Pos, End: src.End})
			if strings.Contains(from, Hole) {
				r.unknown(UnknownWrite, src)
			}
		}
	}
	if strings.Contains(r.w.path(destWord, r.base), Hole) {
		r.unknown(UnknownWrite, destWord)
	}
}

// sshKeygen reads the file that -f names where it only shows or converts, else
// it makes that key and the public one beside it.
func sshKeygen(r *runner) {
	shows := r.hasOption("-l|-y|-B|-F|-Q|-c|-L|-e|-i|-r")
	for _, h := range r.u.hits {
		if h.name != "-f" || !h.has {
			continue
		}
		if shows {
			r.file("read", h.val, h.at)
			continue
		}
		r.file("write", h.val, h.at)
		pub := h.val
		pub.Text += ".pub"
		r.file("write", pub, h.at)
	}
}

// link is ln: the new name becomes the target's content.
func link(r *runner) {
	ops := r.u.operands
	if len(ops) == 0 {
		return
	}
	dest := Word{Text: ".", Known: true}
	srcs := ops
	if at := r.option("-t", "--target-directory"); at >= 0 {
		dest = r.optionValue(at)
		dest.Text = strings.TrimSuffix(dest.Text, "/") + "/"
	} else if len(ops) > 1 {
		dest, srcs = r.u.words[ops[len(ops)-1]], ops[:len(ops)-1]
	}
	detail := "hard"
	if r.hasOption("-s|--symbolic") {
		detail = "symbolic"
	}
	for _, at := range srcs {
		src := r.u.words[at]
		to := r.w.path(dest, r.base)
		base := r.base
		if detail == "symbolic" && !strings.HasPrefix(src.Text, "/") {
			base = path.Dir(to)
		}
		from := r.w.path(src, base)
		if strings.HasSuffix(dest.Text, "/") || dest.Text == "." || len(srcs) > 1 {
			to = path.Join(to, path.Base(from))
		}
		e := Effect{Kind: Link, Source: from, Target: to, Detail: detail, Known: !strings.Contains(to+from, Hole), Pos: dest.Pos, End: dest.End}
		if !e.Known {
			r.unknown(UnknownWrite, dest)
		}
		e.Class = r.w.writeClass(e)
		r.add(e)
	}
}

// interp is an interpreter without a script: it reads its program from standard input.
func interp(r *runner) {
	if len(r.u.operands) > 0 || r.modName != "" {
		return
	}
	for _, e := range r.st.Effects {
		if e.Kind == Exec {
			return
		}
	}
	if r.hasOption("-v|-V|--version|-h|--help|-version") {
		return
	}
	n := len(r.w.out.Steps)
	if r.c.stdin.Kind == FromText && len(r.c.redirs) > 0 {
		r.w.groupBare(r.c)
	}
	r.stdinCode()
	if len(r.w.out.Steps) > n && isShell(r.p.name) && len(r.unk) == 0 {
		// The steps of the text follow; the shell itself stays as the step that runs them.
		r.st.Class = ClassReversible
	}
}

// source reads a file into this shell.
func source(r *runner) {
	if len(r.u.operands) == 0 {
		return
	}
	at := r.u.operands[0]
	wd := r.u.words[at]
	r.file("read", wd, at)
	n := len(r.w.out.Steps)
	if wd.Fifo || !wd.Known {
		r.scriptFile(wd, at)
	} else if text, ok := r.w.fileText(r.w.path(wd, r.base)); ok && text != Hole {
		r.w.inner(text, "sourced file")
	} else {
		r.scriptFile(wd, at)
	}
	if len(r.w.out.Steps) == n {
		r.w.sc.sourced = append(r.w.sc.sourced[:len(r.w.sc.sourced):len(r.w.sc.sourced)], n)
	}
}

// module is python -m NAME: the module's own entry if the table has one.
func module(r *runner) {
	if r.modName == "" {
		interp(r)
		return
	}
	name := r.modName
	if strings.Contains(name, Hole) {
		r.unknown(UnknownCode, Word{Text: name})
		return
	}
	rest := r.u.words[min(max(r.u.rest, 0), len(r.u.words)):]
	rec, ok := lookup("python-m " + name)
	if !ok {
		if rec, ok = lookup(name); ok && !rec.has("python") {
			ok = false
		}
	}
	if !ok { // a package of the workspace, or installed: code like any script of the project
		r.add(Effect{Kind: Exec, Target: name, Source: "module", Detail: r.p.name, Known: true, Class: scriptClass(name), Pos: r.c.pos, End: r.c.end})
		return
	}
	c := *r.c
	c.words = append([]Word{{Text: name, Known: true, Pos: r.c.pos, End: r.c.end}}, rest...)
	c.noFunc = true
	at := max(r.u.rest, 0)
	if at > 0 && at <= len(r.u.words) && r.u.words[at-1].Text == name {
		at-- // the module is the inner command's word, not python's
	}
	r.enter(at, func() { r.w.runKnown(&c, program{name: name, word: name}, rec) })
	r.done = true
}

// npx runs a package's program: one that the table knows is judged as that,
// another is code from the registry.
func npx(r *runner) {
	if r.inner < 0 {
		return
	}
	wd := r.u.words[r.inner]
	name := wd.Text
	if i := strings.LastIndexByte(name, '@'); i > 0 {
		name = name[:i]
	}
	name = path.Base(name)
	if _, ok := lookup(name); ok && wd.Known && !outsideRegistry(wd.Text) {
		r.u.words = append([]Word(nil), r.u.words...)
		r.u.words[r.inner].Text = name
		return
	}
	r.add(Effect{Kind: Install, Target: wd.Text, Detail: r.p.name, Known: wd.Known, Sink: SinkExec, Class: ClassPermanent, Pos: wd.Pos, End: wd.End})
}

// output sets what the command prints, where the line itself says it.
func output(r *runner, name string) {
	var args []string
	for _, at := range r.u.operands {
		wd := r.u.words[at]
		if !wd.Known || wd.Glob {
			return
		}
		args = append(args, wd.Text)
	}
	switch name {
	case "echo":
		r.text, r.textOK = strings.Join(args, " ")+"\n", len(r.u.strange) == 0 && !r.hasOption("-e")
		if r.hasOption("-n") {
			r.text = strings.TrimSuffix(r.text, "\n")
		}
	case "printf":
		if len(args) == 1 && !strings.Contains(args[0], "%") {
			r.text, r.textOK = ansiC(args[0]), true
		} else if len(args) == 2 && (args[0] == "%s" || args[0] == `%s\n`) {
			r.text, r.textOK = args[1]+strings.TrimPrefix(ansiC(args[0]), "%s"), true
		}
	case "cat":
		r.catText(args)
	case "pwd":
		r.text, r.textOK = r.w.sc.cwd+"\n", r.w.sc.cwd != "" && r.w.sc.cwd != "."
	case "mktemp":
		r.mktemp(args)
	case "base64":
		r.decode64()
	case "basename":
		if len(args) == 1 {
			r.text, r.textOK = path.Base(args[0]), true
		}
		r.token = true
	case "dirname":
		if len(args) == 1 {
			r.text, r.textOK = path.Dir(args[0]), true
		}
	}
}

func (r *runner) catText(args []string) {
	if len(args) == 0 {
		r.text, r.textOK = r.w.stdinText(r.c.stdin)
		return
	}
	var b strings.Builder
	for _, a := range args {
		text, ok := r.w.fileText(r.w.path(Word{Text: a, Known: true}, r.base))
		if a == "-" {
			text, ok = r.w.stdinText(r.c.stdin)
		}
		if !ok || text == Hole || b.Len() > MaxText || !r.w.charge(len(text)) {
			return
		}
		b.WriteString(text)
	}
	r.text, r.textOK = b.String(), true
}

// mktemp makes a new file; its name stands for whatever it will be called.
func (r *runner) mktemp(args []string) {
	r.w.temps++
	p := "/tmp/tmp." + itoa(r.w.temps)
	if len(args) == 1 && strings.Contains(args[0], "X") && !r.hasOption("-t|-p|--tmpdir") {
		p = r.w.abs(strings.TrimRight(args[0], "X") + itoa(r.w.temps))
	}
	r.text, r.textOK = p+"\n", true
	e := r.w.fileEffect(Create, Word{Pos: r.c.pos, End: r.c.end}, p)
	r.add(e)
}

func (r *runner) decode64() {
	if !r.hasOption("-d|-D|--decode") || len(r.u.operands) > 0 {
		return
	}
	text, ok := r.w.stdinText(r.c.stdin)
	if !ok {
		return
	}
	out, err := base64.StdEncoding.DecodeString(strings.TrimSpace(text))
	if err == nil {
		r.text, r.textOK = cleanText(string(out)), true
	}
}

// outText hands what is known of the output to the step.
func (c *cmd) outText(r *runner) {
	c.text, c.textOK, c.lists, c.token = r.text, r.textOK, r.lists, r.token || r.top().has("token")
	if r.namesOnly || r.top().has("names") && len(c.lists) == 0 {
		c.lists = r.printed()
	}
	if r.top().has("filter") && len(c.lists) == 0 {
		if root, ok := r.w.listRoot(c.stdin); ok {
			c.lists = []string{root}
		}
	}
	if !r.top().has("names") && !r.top().has("filter") && !r.namesOnly {
		c.lists = nil
	}
}

// printed lists the directories that the paths a command prints are below.
func (r *runner) printed() []string {
	base := r.base
	if base == "" {
		base = r.w.cwd()
	}
	out := []string{base}
	for _, e := range r.st.Effects {
		if e.Kind == Read && !e.Maybe {
			out = append(out, e.Target)
		}
	}
	return out
}
