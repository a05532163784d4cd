package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// redirect applies redirects left to right to the command.
func (w *walker) redirect(c *cmd, list []*syntax.Redirect) {
	if len(list) > MaxWords {
		list = list[:MaxWords]
		w.tooMany("number of redirects of a command")
	}
	for _, r := range list {
		w.redirectOne(c, r)
		for fd := number(r); len(c.fds) < len(c.redirs); {
			c.fds = append(c.fds, fd)
		}
	}
}

func (w *walker) redirectOne(c *cmd, r *syntax.Redirect) {
	fd := number(r)
	switch r.Op {
	case syntax.Hdoc, syntax.DashHdoc:
		body := w.heredoc(r.Hdoc, quotedWord(r.Word))
		if fd <= 0 {
			c.stdin = Input{Kind: FromText, Word: body}
		}
		return
	case syntax.WordHdoc:
		body := w.expandOne(r.Word)
		body.Text += "\n"
		c.stdin = Input{Kind: FromText, Word: body}
		return
	}
	wd := w.expandOne(r.Word)
	switch r.Op {
	case syntax.RdrIn:
		w.redirIn(c, wd, fd)
	case syntax.RdrInOut:
		w.redirIn(c, wd, fd)
		w.redirOut(c, wd, max(fd, 0), Append)
	case syntax.DplIn:
		if t, ok := w.sc.fd(atoi(wd.Text)); ok && fd <= 0 {
			c.stdin = t.in
		}
	case syntax.DplOut:
		w.dupOut(c, wd, fd)
	case syntax.AppOut:
		w.redirOut(c, wd, fd, Append)
	case syntax.RdrAll:
		w.redirOut(c, wd, -1, Write)
	case syntax.AppAll:
		w.redirOut(c, wd, -1, Append)
	default: // > >| and zsh's forms
		w.redirOut(c, wd, fd, Write)
	}
}

// number is the descriptor that a redirect names, -1 if it has none or a variable.
func number(r *syntax.Redirect) int {
	if r.N == nil {
		return -1
	}
	return atoi(r.N.Value)
}

// quotedWord reports whether a here-document's delimiter is quoted, so that its body is literal.
func quotedWord(word *syntax.Word) bool {
	if word == nil {
		return false
	}
	for _, p := range word.Parts {
		switch p := p.(type) {
		case *syntax.SglQuoted, *syntax.DblQuoted:
			return true
		case *syntax.Lit:
			if strings.IndexByte(p.Value, '\\') >= 0 {
				return true
			}
		}
	}
	return false
}

// dupOut is >&1, >&-, 2>&1 and bash's >&file.
func (w *walker) dupOut(c *cmd, wd Word, fd int) {
	text := strings.TrimSuffix(wd.Text, "-")
	n := atoi(text)
	switch {
	case wd.Text == "-":
		if fd == 1 || fd < 0 {
			c.stdout = []Output{{Kind: ToNull}}
		}
	case n < 0 && wd.Known:
		w.redirOut(c, wd, fd, Write)
	case n < 0:
		w.redirOut(c, wd, fd, Write)
	case n > 2:
		if t, ok := w.sc.fd(n); ok {
			if fd == 1 || fd < 0 {
				c.stdout = []Output{t.out}
			}
			if t.out.Kind == ToNet {
				c.redirs = append(c.redirs, Effect{Kind: Send, Target: t.out.Name, Known: true, Sink: SinkExternal, Class: ClassPublic, Pos: wd.Pos, End: wd.End})
			} else if t.out.Kind == ToFile {
				c.redirs = append(c.redirs, w.fileEffect(Append, wd, t.out.Name))
			}
		}
	case n == 2 && (fd == 1 || fd < 0):
		c.stdout = nil
	}
}

func (w *walker) fileEffect(kind Kind, wd Word, p string) Effect {
	return Effect{Kind: kind, Target: p, Real: w.realIfOther(p), Known: !strings.Contains(p, Hole), Class: ClassReversible, Pos: wd.Pos, End: wd.End}
}

func (w *walker) redirIn(c *cmd, wd Word, fd int) {
	if host, ok := devNet(wd.Text); ok {
		c.redirs = append(c.redirs, Effect{Kind: Fetch, Target: host, Known: wd.Known, Sink: SinkExternal, Class: ClassReversible, Labels: []string{"untrusted"}, Pos: wd.Pos, End: wd.End, From: Origin{None: true}})
		if fd <= 0 {
			c.stdin = Input{Kind: FromNet, Word: wd}
		}
		return
	}
	if fd > 0 {
		p := w.path(wd, "")
		c.redirs = append(c.redirs, w.fileEffect(Read, wd, p))
		return
	}
	if wd.Fifo {
		c.stdin = Input{Kind: FromPipe, Steps: wd.Steps}
		return
	}
	if wd.Text == "/dev/null" {
		c.stdin = Input{Kind: FromNull}
		return
	}
	p := w.path(wd, "")
	e := w.fileEffect(Read, wd, p)
	e.Glob = wd.Glob
	c.redirs = append(c.redirs, e)
	wd.Text = p
	c.stdin = Input{Kind: FromFile, Word: wd}
	if !e.Known {
		c.unknowns = append(c.unknowns, Unknown{Kind: UnknownRead, Text: show(p), Pos: wd.Pos, End: wd.End})
	}
}

// redirOut sends descriptor fd (-1: stdout, or both) to a file.
func (w *walker) redirOut(c *cmd, wd Word, fd int, kind Kind) {
	isStdout := fd == 1 || fd < 0
	switch {
	case wd.Fifo:
		return // the >( ) steps take it as their input
	case wd.Text == "/dev/null":
		if isStdout {
			c.stdout = []Output{{Kind: ToNull}}
		}
		return
	case harmlessDevice(wd.Text):
		return
	}
	if host, ok := devNet(wd.Text); ok {
		if isStdout {
			c.stdout = []Output{{Kind: ToNet, Name: host}}
		}
		c.redirs = append(c.redirs, Effect{Kind: Send, Target: host, Known: wd.Known, Sink: SinkExternal, Class: publicUnlessLocal(host), Pos: wd.Pos, End: wd.End})
		return
	}
	p := w.path(wd, "")
	e := w.fileEffect(kind, wd, p)
	e.Glob, e.Class = wd.Glob, w.writeClass(e)
	c.redirs = append(c.redirs, e)
	if !e.Known || !wd.Known {
		e.Known = false
		c.redirs[len(c.redirs)-1].Known = false
		c.unknowns = append(c.unknowns, Unknown{Kind: UnknownWrite, Text: show(p), Pos: wd.Pos, End: wd.End})
	}
	if isStdout {
		c.stdout = []Output{{Kind: ToFile, Name: p}}
	}
}

func harmlessDevice(p string) bool {
	switch p {
	case "/dev/stdout", "/dev/stderr", "/dev/tty", "/dev/fd/1", "/dev/fd/2", "/dev/zero", "/dev/full":
		return true
	}
	return false
}

// devNet recognises bash's /dev/tcp/HOST/PORT.
func devNet(p string) (string, bool) {
	for _, pre := range [...]string{"/dev/tcp/", "/dev/udp/"} {
		if rest, ok := strings.CutPrefix(p, pre); ok {
			host, _, _ := strings.Cut(rest, "/")
			return host, true
		}
	}
	return "", false
}

// zshClobber reads "> ! file" and ">! file", which bash takes as a file named "!".
func (w *walker) zshClobber(c *cmd) {
	for i := range c.redirs {
		e := &c.redirs[i]
		if (e.Kind == Write || e.Kind == Append) && (e.Target == "!" || strings.HasSuffix(e.Target, "/!")) && len(c.words) > 1 {
			wd := c.words[len(c.words)-1]
			extra := w.fileEffect(e.Kind, wd, w.path(wd, ""))
			extra.Maybe = true
			c.redirs = append(c.redirs, extra)
			return
		}
	}
}

// groupRedirects applies the redirects of a compound command: a bare step opens
// the files, the commands inside then append to them.
func (w *walker) groupRedirects(s *syntax.Stmt) {
	pos, end := w.span(s.Pos(), s.End())
	c := &cmd{pos: pos, end: end, stdin: w.sc.stdin, stdout: w.sc.stdout}
	w.redirect(c, s.Redirs)
	w.sc.stdin, w.sc.stdout = c.stdin, c.stdout
	w.groupBare(c)
}

// groupBare adds the bare step for the redirects of something that makes several steps.
func (w *walker) groupBare(c *cmd) {
	if len(c.redirs) == 0 && len(c.unknowns) == 0 {
		return
	}
	bare := *c
	bare.stdout, bare.stdin = []Output{{Kind: ToNull}}, Input{Kind: FromNull}
	outer, assigns := w.outer, w.assigns
	w.outer, w.assigns = nil, nil
	w.push(&bare, Step{Known: true, Builtin: true, RO: true, Class: ClassReversible})
	w.outer, w.assigns = outer, assigns
	c.redirs, c.unknowns = nil, nil
	// What the commands inside send to those files flows there.
	w.sc.stdin, w.sc.stdout = c.stdin, c.stdout
}

func atoi(s string) int {
	if s == "" || len(s) > 4 {
		return -1
	}
	n := 0
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return -1
		}
		n = n*10 + int(s[i]-'0')
	}
	return n
}
