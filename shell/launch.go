package shell

import "strings"

// editorWord is a file that an editor opens, or its +COMMAND. A line number and a
// search only say where to begin. use is what it does to the file, else edit.
func (r *runner) editorWord(wd Word, at int, use string) {
	text, plus := strings.CutPrefix(wd.Text, "+")
	switch {
	case !plus:
		if use == "" {
			use = "edit"
		}
		r.file(use, wd, at)
		return
	case wd.Known && (strings.Trim(text, "0123456789,:") == "" || text[0] == '/' || text[0] == '?'):
		return
	}
	r.code(wd, "editor")
	if text, ok := strings.CutPrefix(text, "!"); ok && wd.Known {
		r.w.inner(text, "editor command")
	}
}

// eachText is one of several texts that a program hands to shells of their own.
func (r *runner) eachText(wd Word, at int) {
	for _, manager := range [...]string{"npm:", "pnpm:", "yarn:", "bun:", "node:"} {
		if script, ok := strings.CutPrefix(wd.Text, manager); ok {
			script, _, _ = strings.Cut(script, " ")
			r.task(sliceWord(wd, script), "package.json")
			return
		}
	}
	r.shell([]Word{wd}, at)
	r.done = false
}

// writeOut is the template of curl -w, which may name files for what it prints:
// %output{FILE}, and %output{>>FILE} to append.
func (r *runner) writeOut(wd Word, at int) {
	text, file := wd.Text, ""
	if name, ok := strings.CutPrefix(text, "@"); ok {
		r.file("read", sliceWord(wd, name), at)
		return
	}
	for n := 0; n < MaxFan; n++ {
		var ok bool
		if _, text, ok = strings.Cut(text, "%output{"); !ok {
			return
		}
		file, text, _ = strings.Cut(text, "}")
		if more, ok := strings.CutPrefix(file, ">>"); ok {
			r.file("append", sliceWord(wd, more), at)
		} else {
			r.file("write", sliceWord(wd, file), at)
		}
	}
	r.w.limit("number of files of a template")
}

// nixFlake tells code of the project (.#app) from a package that is fetched and run.
func nixFlake(r *runner) {
	if len(r.u.operands) == 0 {
		return
	}
	wd := r.u.words[r.u.operands[0]]
	if strings.HasPrefix(wd.Text, ".") || strings.HasPrefix(wd.Text, "/") || strings.HasPrefix(wd.Text, "#") || strings.HasPrefix(wd.Text, "path:") {
		return
	}
	if r.u.sub != "run" && !strings.Contains(wd.Text, ":") {
		return // a tool of a registry, as by any package manager
	}
	r.add(Effect{Kind: Install, Target: wd.Text, Detail: "nix", Known: wd.Known, Sink: SinkExec, Class: ClassPermanent, Pos: wd.Pos, End: wd.End})
}

// offer is a server of files that others may fetch: all of the folder leaves, unless only
// this machine can reach it.
func (r *runner) offer() {
	for _, name := range [...]string{"-b", "--bind", "-S", "--server"} {
		if at := r.option(name, name); at >= 0 {
			if host := hostOf(r.optionValue(at).Text); host != "0.0.0.0" && loopback(host) {
				return
			}
		}
	}
	dir := r.w.path(Word{Text: ".", Known: true}, r.base)
	r.add(Effect{Kind: Read, Target: dir, Recursive: true, Known: !strings.Contains(dir, Hole), Class: ClassReversible, Pos: r.c.pos, End: r.c.end})
	r.add(Effect{Kind: Send, Target: "network", Known: true, From: Origin{Files: []string{dir}}, Class: ClassPublic, Pos: r.c.pos, End: r.c.end})
}
