package shell

import (
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// field is a word under construction.
type field struct {
	buf     []byte
	val     value
	started bool
	quoted  bool
}

// expander turns a syntax word into fields as the shell would: tilde, parameters, substitutions, splitting, quote removal.
type expander struct {
	w      *walker
	fields []field
	cur    field
	split  bool // unquoted results are split at white space
}

// expand gives the words that one syntax word becomes.
func (w *walker) expand(dst []Word, word *syntax.Word) []Word {
	pos, end := w.span(word.Pos(), word.End())
	if text, ok := plain(word); ok {
		return append(dst, Word{Text: text, Known: true, Pos: pos, End: end})
	}
	for _, alt := range w.braces(word) {
		ex := expander{w: w, split: true}
		ex.parts(alt.Parts, false, true)
		ex.flush()
		for _, f := range ex.fields {
			dst = append(dst, makeWord(f, pos, end))
		}
	}
	return dst
}

// expandOne gives a single value, without splitting: assignments, redirects, case words.
func (w *walker) expandOne(word *syntax.Word) Word {
	if word == nil {
		return Word{Known: true}
	}
	pos, end := w.span(word.Pos(), word.End())
	if text, ok := plain(word); ok {
		return Word{Text: text, Known: true, Pos: pos, End: end}
	}
	ex := expander{w: w}
	ex.cur.started = true
	ex.parts(word.Parts, false, true)
	ex.flush()
	return makeWord(ex.fields[0], pos, end)
}

// text gives the value of a here-document body: expansions, no tilde, no quotes.
func (w *walker) heredoc(word *syntax.Word, literal bool) Word {
	if word == nil {
		return Word{Known: true}
	}
	pos, end := w.span(word.Pos(), word.End())
	ex := expander{w: w}
	ex.cur.started = true
	if literal {
		for _, p := range word.Parts {
			if lit, ok := p.(*syntax.Lit); ok {
				ex.cur.buf = append(ex.cur.buf, lit.Value...)
			}
		}
	} else {
		ex.parts(word.Parts, true, false)
	}
	ex.flush()
	return makeWord(ex.fields[0], pos, end)
}

func makeWord(f field, pos, end int) Word {
	text := string(f.buf)
	return Word{
		Text: text, Known: !strings.Contains(text, Hole), Glob: f.val.glob, Quoted: f.quoted,
		Steps: f.val.steps, Vars: f.val.vars, Fifo: f.val.fifo, Pos: pos, End: end,
	}
}

func (wd Word) value() value {
	return value{text: wd.Text, glob: wd.Glob, fifo: wd.Fifo, steps: wd.Steps, vars: wd.Vars}
}

// plain is the fast path: one literal without anything that expands.
func plain(word *syntax.Word) (string, bool) {
	if len(word.Parts) != 1 {
		return "", false
	}
	switch p := word.Parts[0].(type) {
	case *syntax.Lit:
		if strings.ContainsAny(p.Value, "\\*?[{~$`\x00") {
			return "", false
		}
		return p.Value, true
	case *syntax.SglQuoted:
		if !p.Dollar {
			return p.Value, true
		}
	}
	return "", false
}

// cleanText keeps hostile text from looking like a Hole.
func cleanText(s string) string { return strings.ReplaceAll(s, Hole, "\uFFFD") }

// braces expands {a,b} and {1..3}; more than MaxUnroll words are a limit.
func (w *walker) braces(word *syntax.Word) []*syntax.Word {
	open := 0
	for _, p := range word.Parts {
		if lit, ok := p.(*syntax.Lit); ok {
			open += strings.Count(lit.Value, "{")
		}
	}
	switch {
	case open == 0:
		return []*syntax.Word{word}
	case open > MaxUnroll || w.spent:
		w.unknown(UnknownLimit, "brace expansion", word.Pos(), word.End())
		w.out.Broken, w.cut = true, true
		return []*syntax.Word{{Parts: []syntax.WordPart{&syntax.Lit{ValuePos: word.Pos(), ValueEnd: word.End(), Value: Hole}}}}
	}
	cp := *word
	cp.Parts = slices.Clone(word.Parts)
	syntax.SplitBraces(&cp)
	out, ok := unbrace(&cp, MaxUnroll)
	if !ok {
		w.unknown(UnknownLimit, "brace expansion", word.Pos(), word.End())
		w.out.Broken = true
	}
	return out
}

func unbrace(word *syntax.Word, limit int) ([]*syntax.Word, bool) {
	for i, p := range word.Parts {
		br, ok := p.(*syntax.BraceExp)
		if !ok {
			continue
		}
		var out []*syntax.Word
		for _, elem := range braceElems(br, limit+1) {
			next := &syntax.Word{}
			next.Parts = append(next.Parts, word.Parts[:i]...)
			next.Parts = append(next.Parts, elem...)
			next.Parts = append(next.Parts, word.Parts[i+1:]...)
			rest, ok := unbrace(next, limit-len(out))
			out = append(out, rest...)
			if !ok || len(out) > limit {
				return out, false
			}
		}
		return out, true
	}
	return []*syntax.Word{word}, true
}

func braceElems(br *syntax.BraceExp, limit int) [][]syntax.WordPart {
	var out [][]syntax.WordPart
	if !br.Sequence {
		for _, e := range br.Elems {
			out = append(out, e.Parts)
		}
		return out
	}
	from, to := br.Elems[0].Lit(), br.Elems[1].Lit()
	a, err1 := strconv.Atoi(from)
	b, err2 := strconv.Atoi(to)
	if err1 != nil || err2 != nil {
		if len(from) != 1 || len(to) != 1 {
			return [][]syntax.WordPart{{&syntax.Lit{Value: from}}}
		}
		a, b = int(from[0]), int(to[0])
	}
	step := 1
	if len(br.Elems) > 2 {
		if n, err := strconv.Atoi(br.Elems[2].Lit()); err == nil && n != 0 {
			step = max(n, -n)
		}
	}
	if step < 0 || a > b {
		step = -max(step, 1)
	}
	for i, n := a, 0; n < limit && (step > 0 && i <= b || step < 0 && i >= b); i, n = i+step, n+1 {
		text := strconv.Itoa(i)
		if err1 != nil || err2 != nil {
			text = string(rune(i))
		}
		out = append(out, []syntax.WordPart{&syntax.Lit{Value: text}})
	}
	return out
}

// wordCost is what a word counts towards MaxMade beside its text.
const wordCost = 64

func (ex *expander) flush() {
	if (ex.cur.started || len(ex.cur.buf) > 0) && (ex.w.charge(wordCost) || len(ex.fields) == 0) {
		ex.fields = append(ex.fields, ex.cur)
	}
	ex.cur = field{}
}

func (ex *expander) add(s string) {
	ex.cur.started = true
	if len(ex.cur.buf)+len(s) > MaxText || !ex.w.charge(len(s)) {
		s = Hole
	}
	ex.cur.buf = append(ex.cur.buf, s...)
}

func (ex *expander) from(v value) {
	ex.cur.started = true
	ex.cur.val.glob = ex.cur.val.glob || v.glob
	ex.cur.val.fifo = ex.cur.val.fifo || v.fifo
	ex.cur.val.steps = union(ex.w, ex.cur.val.steps, v.steps)
	ex.cur.val.vars = union(ex.w, ex.cur.val.vars, v.vars)
}

// union appends what is new, so that x=$x$x doesn't double where x comes from.
// More than MaxFan sources are a limit.
func union[T comparable](w *walker, dst, src []T) []T {
	if len(dst) == 0 && len(src) <= MaxFan {
		return slices.Clip(src)
	}
	for _, s := range src {
		if slices.Contains(dst, s) {
			continue
		}
		if len(dst) >= MaxFan {
			w.limit("number of sources of one value")
			return dst
		}
		dst = append(dst, s)
	}
	return dst
}

// insert adds a value; unquoted text is split at white space.
func (ex *expander) insert(v value, quoted bool) {
	if len(v.text) > wordCost && !ex.w.charge(len(v.text)) { // before the text is looked through
		v.text = Hole
	}
	if quoted || !ex.split || !strings.ContainsAny(v.text, " \t\n") {
		if !quoted && v.text == "" && len(v.steps) == 0 {
			return
		}
		if !quoted && strings.ContainsAny(v.text, "*?[") {
			v.glob = true
		}
		if quoted && !strings.Contains(v.text, "*") {
			v.glob = false
		}
		ex.from(v)
		ex.add(v.text)
		return
	}
	if strings.ContainsAny(v.text[:1], " \t\n") {
		ex.flush()
	}
	for i, f := range strings.Fields(v.text) {
		if i > 0 {
			ex.flush()
		}
		ex.insert(value{text: f, steps: v.steps, vars: v.vars}, false)
	}
	if strings.ContainsAny(v.text[len(v.text)-1:], " \t\n") {
		ex.flush()
	}
}

func (ex *expander) parts(parts []syntax.WordPart, quoted, first bool) {
	for i, p := range parts {
		switch p := p.(type) {
		case *syntax.Lit:
			ex.lit(p.Value, quoted, first && i == 0)
		case *syntax.SglQuoted:
			ex.cur.started, ex.cur.quoted = true, true
			if p.Dollar {
				ex.add(ansiC(p.Value))
			} else {
				ex.add(p.Value)
			}
		case *syntax.DblQuoted:
			ex.cur.quoted = true
			if !onlyList(p) {
				ex.cur.started = true
			}
			ex.parts(p.Parts, true, false)
		case *syntax.ParamExp:
			ex.param(p, quoted)
		case *syntax.CmdSubst:
			ex.insert(ex.w.substitute(p.Stmts), quoted)
		case *syntax.ProcSubst:
			ex.insert(ex.w.procSubst(p), true)
		case *syntax.ArithmExp:
			ex.insert(numberValue(ex.w.arithm(p.X)), true)
		case *syntax.ExtGlob:
			ex.from(value{glob: true})
			ex.add("*")
		default:
			ex.add(Hole)
		}
	}
}

// onlyList is true for "${a[@]}" and "$@", which may give no word at all.
func onlyList(p *syntax.DblQuoted) bool {
	if len(p.Parts) != 1 {
		return false
	}
	pe, ok := p.Parts[0].(*syntax.ParamExp)
	return ok && isList(pe)
}

func isList(pe *syntax.ParamExp) bool {
	if pe.Param != nil && pe.Param.Value == "@" {
		return true
	}
	return pe.Param != nil && indexAll(pe.Index)
}

func indexAll(x syntax.ArithmExpr) bool {
	wd, ok := x.(*syntax.Word)
	return ok && (wd.Lit() == "@" || wd.Lit() == "*")
}

// lit adds literal text: escapes removed, globs noted, tilde expanded.
func (ex *expander) lit(s string, quoted, first bool) {
	ex.cur.started = true
	if first && strings.HasPrefix(s, "~") {
		head, tail, _ := strings.Cut(s, "/")
		if strings.IndexByte(s, '/') >= 0 {
			tail = "/" + tail
		}
		ex.add(ex.w.tilde(head[1:]))
		s = tail
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == 0:
			continue
		case c == '\\' && i+1 < len(s):
			i++
			if s[i] == '\n' {
				continue
			}
			if quoted && !strings.ContainsRune("$`\"\\", rune(s[i])) {
				ex.cur.buf = append(ex.cur.buf, '\\')
			}
			ex.cur.buf = append(ex.cur.buf, s[i])
			continue
		case !quoted && (c == '*' || c == '?' || c == '[' && strings.IndexByte(s[i:], ']') > 1):
			ex.cur.val.glob = true
		}
		ex.cur.buf = append(ex.cur.buf, c)
	}
}

func (w *walker) tilde(user string) string {
	switch {
	case user == "" || user == w.env.User && user != "":
		if v, ok := w.sc.lookup("HOME"); ok && user == "" && v.own {
			return v.val.text
		}
		if w.env.Home != "" && !w.remote {
			return w.env.Home
		}
		return "~"
	case user == "+":
		return orHole(w.sc.cwd)
	case user == "root":
		return "/root"
	}
	return "~" + user
}

func orHole(s string) string {
	if s == "" {
		return Hole
	}
	return s
}

// ansiC decodes $'...'.
func ansiC(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 >= len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		switch c := s[i]; c {
		case 'n':
			b.WriteByte('\n')
		case 't':
			b.WriteByte('\t')
		case 'r':
			b.WriteByte('\r')
		case 'a', 'b', 'f', 'v':
			b.WriteByte(' ')
		case 'e', 'E':
			b.WriteByte(27)
		case 'x':
			i += decode(&b, s[i+1:], 16, 2)
		case 'u':
			i += decode(&b, s[i+1:], 16, 4)
		case 'U':
			i += decode(&b, s[i+1:], 16, 8)
		case '0', '1', '2', '3', '4', '5', '6', '7':
			i += decode(&b, s[i:], 8, 3) - 1
		default:
			b.WriteByte(c)
		}
	}
	return cleanText(b.String())
}

func decode(b *strings.Builder, s string, base, most int) int {
	n := 0
	for n < most && n < len(s) {
		if _, err := strconv.ParseUint(s[n:n+1], base, 8); err != nil {
			break
		}
		n++
	}
	if v, err := strconv.ParseUint(s[:n], base, 32); err == nil && v != 0 {
		if v < 0x80 {
			b.WriteByte(byte(v))
		} else {
			b.WriteRune(rune(v))
		}
	}
	return n
}
