package shell

import "strings"

// tar packs, unpacks or lists, by its mode letter.
func tar(r *runner) {
	if r.p.name != "tar" && r.p.name != "bsdtar" && r.p.name != "gtar" {
		return
	}
	file := Word{Text: "-", Known: true, Pos: r.c.pos, End: r.c.end}
	for _, h := range r.u.hits {
		if (h.name == "-f" || h.name == "--file") && h.has {
			file = h.val
		}
	}
	remote := strings.Contains(file.Text, ":") && !strings.HasPrefix(file.Text, "/") && !strings.HasPrefix(file.Text, ".")
	if remote {
		r.object(Send, file.Text, sliceWord(file, hostOf(file.Text)))
	}
	base := r.base
	switch {
	case r.hasOption("-c|-r|-u|--create|--append|--update"):
		r.pack(file, base)
	case r.hasOption("-x|--extract|--get"):
		r.base = ""
		r.file("read", file, -1)
		r.base = base
		if r.hasOption("-O|--to-stdout") {
			return
		}
		dir := Word{Text: ".", Known: !strings.Contains(base, Hole), Pos: r.c.pos, End: r.c.end}
		r.file("unpack", dir, -1)
		if r.hasOption("-P|--absolute-names") { // names in the archive say where to
			r.base = ""
			r.file("unpack", Word{Text: "/", Known: true, Pos: r.c.pos, End: r.c.end}, -1)
			r.base = base
		}
	case r.hasOption("-t|--list|-d|--diff|--compare"):
		r.base = ""
		r.file("read", file, -1)
	case len(r.u.operands) > 0 || len(r.u.hits) > 0:
		r.rw = true
	}
}

// patch says that what a patch holds becomes code of the workspace, in files that
// the patch itself names: one from outside is code from outside.
func patch(r *runner) {
	if r.st.Dry {
		return
	}
	e := Effect{Kind: Exec, Source: "patch", Detail: "patch", Known: true, Class: ClassReversible, Pos: r.c.pos, End: r.c.end}
	for _, read := range r.st.Effects {
		if read.Kind == Read {
			e.From.Files = append(e.From.Files, read.Target)
		}
	}
	if e.From.Stdin = r.c.stdin.Kind != Inherited && r.c.stdin.Kind != FromNull; e.From.Stdin && r.c.stdin.Kind == FromFile {
		e.From.Files = append(e.From.Files, r.c.stdin.Word.Text)
	}
	if e.From.IsZero() {
		return
	}
	r.add(e)
}

func (r *runner) pack(file Word, base string) {
	var srcs []string
	for _, at := range r.u.operands {
		r.file("readr", r.u.words[at], at)
		srcs = append(srcs, r.w.path(r.u.words[at], base))
	}
	if stdStream(file, "write") {
		return
	}
	r.base = ""
	r.file("write", file, -1)
	last := &r.st.Effects[len(r.st.Effects)-1]
	last.Kind = Archive
	if r.hasOption("-r|-u|--append|--update") {
		last.Kind = Append
	}
	last.From = Origin{Files: srcs}
}
