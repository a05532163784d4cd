package shell

import "strings"

// sed reads its operands, or changes them in place; its script may write and run.
func sed(r *runner) {
	ops := r.u.operands
	if !r.hasOption("-e|-f|--expression|--file") && len(ops) > 0 {
		r.sedScript(r.u.words[ops[0]])
		ops = ops[1:]
	}
	for _, h := range r.u.hits {
		if h.name == "-e" || h.name == "--expression" {
			r.sedScript(h.val)
		}
	}
	role := "read"
	if r.hasOption("-i|--in-place|-I") {
		role = "edit"
	}
	for _, at := range ops {
		if role == "edit" && r.u.words[at].Text == "" {
			continue // BSD: sed -i ''
		}
		r.file(role, r.u.words[at], at)
	}
}

// sedScript looks for the commands w, r, e and the flags w and e of s.
func (r *runner) sedScript(wd Word) {
	if !wd.Known {
		if unknownSed(wd.Text) {
			r.unknown(UnknownCode, wd)
		}
		return
	}
	s := sedScanner{text: wd.Text}
	for s.next() {
		switch s.cmd {
		case 'e':
			r.add(Effect{Kind: Exec, Source: "text", Detail: "shell", Class: ClassReversible, Pos: wd.Pos, End: wd.End})
			r.unknown(UnknownCode, wd)
		case 'w':
			r.file("write", sliceWord(wd, s.arg), -1)
		case 'r':
			r.file("read", sliceWord(wd, s.arg), -1)
		case '?':
			r.rw = true
		}
	}
}

// unknownSed tells a script whose unknown part may be a command from one where
// it stands inside an s command or an address.
func unknownSed(text string) bool {
	if i := strings.Index(text, Hole); i > 1 {
		head := strings.TrimLeft(text[:i], "0123456789,$ ")
		return !(len(head) > 1 && (head[0] == 's' || head[0] == '/') && !strings.HasSuffix(text, Hole))
	}
	// "${n},${m}p"
	return !strings.HasSuffix(text, "p") && !strings.HasSuffix(text, "d") && !strings.HasSuffix(text, "q")
}

// sedScanner splits a sed script into commands. What it can't make out is '?'.
type sedScanner struct {
	text string
	at   int
	cmd  byte
	arg  string
	more byte // a flag of s still to be reported
}

func (s *sedScanner) next() bool {
	if s.more != 0 {
		s.cmd, s.more = s.more, 0
		return true
	}
	for s.skipSpace(); s.at < len(s.text); s.skipSpace() {
		s.address()
		s.skipSpace()
		if s.at >= len(s.text) {
			return false
		}
		c := s.text[s.at]
		s.at++
		if s.command(c) {
			return true
		}
	}
	return false
}

func (s *sedScanner) skipSpace() {
	for s.at < len(s.text) && strings.IndexByte(" \t\n;{}", s.text[s.at]) >= 0 {
		s.at++
	}
}

// address skips 1,5 $ /re/ \cREc ~ + ! and commas.
func (s *sedScanner) address() {
	for s.at < len(s.text) {
		switch c := s.text[s.at]; {
		case c == '/':
			s.at++
			s.delimited('/')
		case c == '\\' && s.at+1 < len(s.text):
			d := s.text[s.at+1]
			s.at += 2
			s.delimited(d)
		case strings.IndexByte("0123456789,$~+! IM", c) >= 0:
			s.at++
		default:
			return
		}
	}
}

// delimited skips to after the next unescaped d.
func (s *sedScanner) delimited(d byte) bool {
	class := false
	for ; s.at < len(s.text); s.at++ {
		switch c := s.text[s.at]; {
		case c == '\\':
			s.at++
		case c == '[' && !class:
			class = true
		case c == ']':
			class = false
		case c == d:
			s.at++
			return true
		}
	}
	return false
}

func (s *sedScanner) command(c byte) bool {
	switch c {
	case 'w', 'W', 'r', 'R':
		s.cmd, s.arg = c|0x20, s.line()
		return true
	case 'e':
		s.cmd, s.arg = 'e', s.line()
		return true
	case 's', 'y':
		return s.substitute(c)
	case 'a', 'i', 'c', ':', 'b', 't', 'T':
		if c == 'b' || c == 't' || c == 'T' || c == ':' {
			s.word()
		} else {
			s.line()
		}
	case '#':
		s.line()
	case 'p', 'P', 'd', 'D', 'n', 'N', 'g', 'G', 'h', 'H', 'x', 'q', 'Q', 'l', '=', 'z', 'F':
	default:
		s.cmd = '?'
		s.at = len(s.text)
		return true
	}
	return false
}

func (s *sedScanner) substitute(c byte) bool {
	if s.at >= len(s.text) {
		s.cmd = '?'
		return true
	}
	d := s.text[s.at]
	s.at++
	if !s.delimited(d) {
		s.cmd = '?'
		return true
	}
	for ; s.at < len(s.text); s.at++ { // the replacement has no brackets
		if s.text[s.at] == '\\' {
			s.at++
		} else if s.text[s.at] == d {
			break
		}
	}
	s.at++
	for c == 's' && s.at < len(s.text) && strings.IndexByte(" \n;}", s.text[s.at]) < 0 {
		f := s.text[s.at]
		s.at++
		switch f {
		case 'w':
			s.cmd, s.arg = 'w', s.line()
			return true
		case 'e':
			s.more = 'e'
		}
	}
	if s.more != 0 {
		s.cmd, s.more = s.more, 0
		return true
	}
	return false
}

func (s *sedScanner) line() string {
	rest := s.text[min(s.at, len(s.text)):]
	line, _, _ := strings.Cut(rest, "\n")
	s.at += len(line)
	return strings.TrimSpace(line)
}

func (s *sedScanner) word() {
	for s.at < len(s.text) && strings.IndexByte("\n;}", s.text[s.at]) < 0 {
		s.at++
	}
}

// awk reads its operands; its program may write, read, run and see the environment.
func awk(r *runner) {
	ops := r.u.operands
	if !r.hasOption("-f|--file") && len(ops) > 0 {
		r.awkProgram(r.u.words[ops[0]])
		ops = ops[1:]
	}
	role := "read"
	for _, h := range r.u.hits {
		if (h.name == "-i" || h.name == "--include") && h.val.Text == "inplace" {
			role = "edit"
		}
	}
	for _, at := range ops {
		if !isAssign(r.u.words[at].Text) {
			r.file(role, r.u.words[at], at)
		}
	}
}

func (r *runner) awkProgram(wd Word) {
	prog := stripAwk(wd.Text)
	if strings.Contains(wd.Text, "ENVIRON") {
		r.add(Effect{Kind: EnvRead, Known: true, Labels: []string{"secret"}, Pos: wd.Pos, End: wd.End})
	}
	if strings.Contains(prog, "system") || hasPipe(prog) || strings.Contains(prog, "@load") || !wd.Known && strings.Contains(prog, Hole) {
		r.add(Effect{Kind: Exec, Source: "text", Detail: "awk", Class: ClassReversible, Pos: wd.Pos, End: wd.End})
		r.unknown(UnknownCode, wd)
	}
	if strings.Contains(prog, "getline") && strings.Contains(prog, "<") {
		r.rw = true
	}
	if printsToFile(prog) {
		r.add(Effect{Kind: Write, Target: Hole, Class: ClassReversible, Pos: wd.Pos, End: wd.End})
		r.unknown(UnknownWrite, wd)
	}
}

// stripAwk empties strings, regexps and comments of an awk program; a quote
// stays where a string was.
func stripAwk(s string) string {
	var b strings.Builder
	prev := byte(0)
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '"' || c == '/' && strings.IndexByte("~(,!&|{;\n\x01", orByte(prev, 1)) >= 0:
			b.WriteByte('"')
			for i++; i < len(s) && s[i] != c; i++ {
				if s[i] == '\\' {
					i++
				}
			}
		case c == '#':
			for i < len(s) && s[i] != '\n' {
				i++
			}
		default:
			b.WriteByte(c)
		}
		if c != ' ' {
			prev = c
		}
	}
	return b.String()
}

func orByte(c, def byte) byte {
	if c == 0 {
		return def
	}
	return c
}

// hasPipe finds a | that is no ||.
func hasPipe(prog string) bool {
	for i := 0; i < len(prog); i++ {
		if prog[i] != '|' {
			continue
		}
		if i+1 < len(prog) && prog[i+1] == '|' {
			i++
			continue
		}
		return true
	}
	return false
}

// printsToFile finds a > after print in one statement and outside parentheses.
func printsToFile(prog string) bool {
	for _, stmt := range strings.FieldsFunc(prog, func(c rune) bool { return strings.ContainsRune(";{}\n", c) }) {
		i := strings.Index(stmt, "print")
		if i < 0 {
			continue
		}
		depth := 0
		for _, c := range stmt[i:] {
			switch c {
			case '(':
				depth++
			case ')':
				depth--
			case '>':
				if depth == 0 {
					return true
				}
			}
		}
	}
	return false
}
