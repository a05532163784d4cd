package shell

import (
	"path"
	"slices"
	"strings"
)

// contact is an operand that names a host: a URL that is fetched, a host that is looked up.
func (r *runner) contact(role string, wd Word, at int) {
	if role == "resolve" && strings.HasPrefix(wd.Text, "+") {
		return // an option of dig
	}
	if rest, ok := strings.CutPrefix(wd.Text, "file://"); ok {
		r.file("read", Word{Text: rest, Known: wd.Known, Pos: wd.Pos, End: wd.End}, at)
		return
	}
	if len(wd.Text) > 9 && strings.EqualFold(wd.Text[:9], "telnet://") {
		role = "send" // what comes from standard input goes there
	}
	host := hostOf(wd.Text)
	e := Effect{Kind: contactKind(role), Target: host, Detail: wd.Text, Known: host != "" && !strings.Contains(host, Hole) && !wd.Glob, Pos: wd.Pos, End: wd.End}
	e.From = Origin{Args: r.args(at)}
	if role == "url" && !loopback(host) {
		e.Labels = []string{"untrusted"}
	}
	if e.Kind == Send {
		e.From.Stdin, e.Class = true, publicUnlessLocal(host)
	}
	if loopback(host) {
		e.Sink = SinkInternal
	}
	if !e.Known {
		r.unknown(UnknownHost, wd)
	}
	r.hosts = append(r.hosts, e)
}

func contactKind(role string) Kind {
	switch role {
	case "resolve":
		return Resolve
	case "send":
		return Send
	}
	return Fetch
}

func (r *runner) args(at int) []int {
	if at < 0 {
		return nil
	}
	return []int{at}
}

// hostOf takes the host out of a URL, user@host:path or host:port.
func hostOf(s string) string {
	if i := strings.Index(s, "://"); i >= 0 {
		s = s[i+3:]
	}
	if i := strings.IndexAny(s, "/?#\\"); i >= 0 {
		s = s[:i]
	}
	if i := strings.LastIndexByte(s, '@'); i >= 0 {
		s = s[i+1:]
	}
	if strings.HasPrefix(s, "[") {
		s, _, _ = strings.Cut(s[1:], "]")
		return s
	}
	if strings.Count(s, ":") == 1 {
		s, _, _ = strings.Cut(s, ":")
	}
	return strings.ToLower(s)
}

// network turns the hosts and the data that options gave into effects: a plain
// request is a Fetch, data or a writing method makes a Send.
func (r *runner) network() {
	sends := !r.data.IsZero()
	writes := r.verb != "" && r.verb != "GET" && r.verb != "HEAD" && r.verb != "OPTIONS"
	for _, h := range r.hosts {
		h.From.Args = append(h.From.Args, r.along...)
		if (sends || writes) && h.Kind == Fetch {
			s := h
			s.Kind, s.Class, s.Labels = Send, publicUnlessLocal(h.Target), nil
			s.From = r.data
			s.From.Args = append(slices.Clone(r.data.Args), h.From.Args...)
			if s.From.IsZero() {
				s.From.None = true
			}
			r.add(s)
		}
		r.add(h)
	}
}

// sendData is curl's -d: text, @file or @-.
func (r *runner) sendData(wd Word, at int, atFile bool) {
	if name, ok := strings.CutPrefix(wd.Text, "@"); ok && atFile {
		r.sendFile(sliceWord(wd, name), at)
		return
	}
	if _, name, ok := strings.Cut(wd.Text, "@"); ok && atFile && strings.HasSuffix(wd.Text[:len(wd.Text)-len(name)-1], "=") && r.p.name != "curl" {
		r.sendFile(sliceWord(wd, name), at)
		return
	}
	r.data.Args = append(r.data.Args, at)
}

// sendForm is curl's -F name=@file, name=<file, name=text.
func (r *runner) sendForm(wd Word, at int) {
	_, val, _ := strings.Cut(wd.Text, "=")
	if len(val) > 0 && (val[0] == '@' || val[0] == '<') {
		val, _, _ = strings.Cut(val[1:], ";")
		r.sendFile(sliceWord(wd, val), at)
		return
	}
	r.data.Args = append(r.data.Args, at)
}

// sendFile is a file, or standard input, whose content is sent.
func (r *runner) sendFile(wd Word, at int) {
	if wd.Text == "-" || wd.Text == "." && r.p.name == "curl" {
		r.data.Stdin = true
		return
	}
	if wd.Fifo {
		r.data.Args = append(r.data.Args, at)
		return
	}
	r.file("read", wd, at)
	r.data.Files = append(r.data.Files, r.w.path(wd, r.base))
}

// remoteFile is an operand of scp or rsync: host:path or a local path.
func (r *runner) remoteFile(wd Word, at int, use string) {
	if _, rest, ok := strings.Cut(wd.Text, "://"); ok { // rsync://HOST/MODULE, scp://HOST/FILE
		host, file, _ := strings.Cut(rest, "/")
		wd.Text = hostOf(host) + ":/" + file
	}
	host, p, remote := strings.Cut(wd.Text, ":")
	if !remote || strings.Contains(host, "/") {
		if use == "write" {
			r.copyTo(wd)
		} else {
			r.file("readr", wd, at)
			r.data.Files = append(r.data.Files, r.w.path(wd, r.base))
		}
		return
	}
	host = hostOf(host)
	e := Effect{Target: host, Detail: strings.TrimPrefix(p, ":"), Known: !strings.Contains(host, Hole), Pos: wd.Pos, End: wd.End}
	if use == "write" {
		e.Kind, e.From = Send, Origin{Files: r.data.Files, None: len(r.data.Files) == 0}
	} else {
		e.Kind, e.Labels = Fetch, []string{"untrusted"}
		e.From = Origin{Args: r.args(at)}
	}
	if !e.Known {
		r.unknown(UnknownHost, wd)
	}
	r.add(e)
	r.data = Origin{}
}

// copyTo is the local destination of a copy: the file, or a directory that gets the sources' names.
func (r *runner) copyTo(wd Word) {
	dest := r.w.path(wd, r.base)
	srcs := r.data.Files
	r.data = Origin{}
	if len(srcs) == 0 {
		r.file("writer", wd, -1)
		return
	}
	for _, s := range srcs {
		if r.contentsOf(s) {
			r.copyContents(Copy, s, wd)
			continue
		}
		r.copyOne(Copy, s, dest, wd, len(srcs) > 1)
	}
}

// contentsOf reports whether an operand names a path so that its contents are copied.
func (r *runner) contentsOf(p string) bool {
	for _, at := range r.u.operands {
		if word := r.u.words[at]; r.copiesContents(word) && r.w.path(word, r.base) == p {
			return true
		}
	}
	return false
}

// copyOne adds the effects of source going to dest; a dest that may be a
// directory gets a second, possible target below it.
func (r *runner) copyOne(kind Kind, src, dest string, wd Word, isDir bool) {
	below := path.Join(dest, path.Base(src))
	if strings.Contains(dest, Hole) {
		below = dest
	}
	e := Effect{Kind: kind, Source: src, Target: dest, Known: wd.Known && !strings.Contains(dest, Hole), Pos: wd.Pos, End: wd.End}
	e.Recursive = r.hasOption("-r|-R|-a|--recursive|--archive") || kind == Move
	e.From = Origin{Files: []string{src}}
	e.Class = r.w.writeClass(Effect{Target: dest})
	if strings.HasSuffix(wd.Text, "/") || wd.Text == "." || wd.Text == ".." || isDir {
		e.Target = below
		e.Glob = strings.ContainsAny(path.Base(src), "*?[")
	}
	e.Real = r.w.realIfOther(e.Target)
	r.add(e)
	if e.Target == dest && !strings.Contains(strings.TrimPrefix(path.Base(dest), "."), ".") && !strings.Contains(dest, Hole) {
		e.Target, e.Maybe = below, true
		e.Real = r.w.realIfOther(below)
		r.add(e)
	}
}

// copiesContents reports whether a source stands for what a directory holds and
// not for the directory: DIR/. of cp, DIR/ of rsync.
func (r *runner) copiesContents(src Word) bool {
	if r.p.name == "rsync" && strings.HasSuffix(src.Text, "/") {
		return true
	}
	return src.Text == "." || strings.HasSuffix(src.Text, "/.")
}

// copyContents is a copy of a directory's contents into a directory.
func (r *runner) copyContents(kind Kind, src string, wd Word) {
	dest := r.w.path(wd, r.base)
	e := Effect{Kind: kind, Source: src, Target: dest, Known: wd.Known && !strings.Contains(dest, Hole), Recursive: true, Pos: wd.Pos, End: wd.End}
	e.From = Origin{Files: []string{src}}
	e.Class = r.w.writeClass(Effect{Target: dest})
	e.Real = r.w.realIfOther(dest)
	r.add(e)
}

// mount is docker's -v SOURCE:TARGET[:ro] or --mount type=bind,source=...
func (r *runner) mount(wd Word) {
	src, rest, _ := strings.Cut(wd.Text, ":")
	ro := strings.HasSuffix(rest, ":ro") || strings.HasSuffix(rest, ",ro") || strings.Contains(wd.Text, "readonly")
	if strings.Contains(wd.Text, "type=") {
		src = ""
		for f := range strings.SplitSeq(wd.Text, ",") {
			if k, v, _ := strings.Cut(f, "="); k == "source" || k == "src" {
				src = v
			}
		}
	}
	if !strings.HasPrefix(src, "/") && !strings.HasPrefix(src, ".") && !strings.HasPrefix(src, "~") && !strings.HasPrefix(src, Hole) {
		return // a named volume
	}
	dir := sliceWord(wd, src)
	made := r.fileEffectOf("readr", dir, -1)
	if made == nil {
		return // /dev/null
	}
	e := *made
	if e.Maybe = true; !ro {
		e.Kind, e.Class = Write, r.w.writeClass(e)
		if !r.w.inRoot(e.Target) {
			e.Class = ClassPermanent
		}
		r.add(e)
	}
}
