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
	case r.hasOption("-t|--list|-d|--diff|--compare"):
		r.base = ""
		r.file("read", file, -1)
	case len(r.u.operands) > 0 || len(r.u.hits) > 0:
		r.rw = true
	}
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
