package fields

import (
	"slices"
	"strings"
)

// yaml reads block YAML as dumpers print it: mappings, sequences, plain and
// quoted scalars over several lines, literal and folded blocks, flow values on
// one line. Tags, anchors, comments and documents are not read: what has them is
// no dumped output, and falls back to text.
type yaml struct {
	*builder
	lines []line
	at    int
}

// line is one line: the byte where it starts, its indent, its text without it.
type line struct {
	text          string
	start, indent int
}

func readYAML(b *builder, root int32) bool {
	p := &yaml{builder: b}
	if !yamlStart(b.text) {
		return false
	}
	p.split()
	p.blank()
	if p.at == len(p.lines) || !p.block(p.lines[p.at].indent, root, 0) {
		return false
	}
	p.blank()
	return p.at == len(p.lines)
}

// yamlStart is a cheap necessary condition on the first line.
func yamlStart(text string) bool {
	head := strings.TrimLeft(text, " \r\n")
	end := strings.IndexByte(head, '\n')
	if end < 0 {
		end = len(head)
	}
	first := head[:end]
	if strings.HasPrefix(first, "- ") || first == "-" {
		return true
	}
	_, _, ok := cutKey(first)
	return ok && end < len(head)
}

func (p *yaml) split() {
	n := strings.Count(p.text, "\n") + 1
	p.lines = make([]line, 0, n)
	p.doc.Leaves = slices.Grow(p.doc.Leaves, n)
	p.doc.Nodes = slices.Grow(p.doc.Nodes, n)
	for at := 0; at < len(p.text); {
		end := strings.IndexByte(p.text[at:], '\n')
		if end < 0 {
			end = len(p.text) - at
		}
		text := strings.TrimSuffix(p.text[at:at+end], "\r")
		body := strings.TrimLeft(text, " ")
		p.lines = append(p.lines, line{start: at, indent: len(text) - len(body), text: body})
		at += end + 1
	}
}

func (p *yaml) blank() {
	for p.at < len(p.lines) && p.lines[p.at].text == "" {
		p.at++
	}
}

// block reads the lines at one indent as a sequence or a mapping.
func (p *yaml) block(indent int, node int32, depth int) bool {
	if depth > MaxDepth {
		p.full = true
		return false
	}
	seq := isItem(p.lines[p.at].text)
	if !seq {
		p.object(node)
	}
	for i := 0; ; i++ {
		p.blank()
		if p.at == len(p.lines) || p.lines[p.at].indent < indent {
			return true
		}
		l := p.lines[p.at]
		if l.indent != indent {
			return false
		}
		if isItem(l.text) != seq {
			return seq // a sequence at the indent of its key ends at the next key
		}
		var ok bool
		if seq {
			ok = p.item(indent, p.node(node, "", i), depth)
		} else {
			ok = p.pair(indent, node, depth)
		}
		if !ok {
			return false
		}
	}
}

func isItem(text string) bool { return text == "-" || strings.HasPrefix(text, "- ") }

// item reads what follows a dash: a scalar, or a block whose first line stands
// behind the dash.
func (p *yaml) item(indent int, node int32, depth int) bool {
	l := &p.lines[p.at]
	rest := strings.TrimLeft(l.text[1:], " ")
	if rest == "" {
		p.at++
		return p.below(indent, node, depth)
	}
	inner := indent + len(l.text) - len(rest)
	if _, _, ok := cutKey(rest); ok || isItem(rest) {
		l.indent, l.text = inner, rest
		return p.block(inner, node, depth+1)
	}
	return p.scalar(rest, l.start+l.indent+len(l.text)-len(rest), indent, node)
}

// below reads a nested block, or null where nothing is deeper.
func (p *yaml) below(indent int, node int32, depth int) bool {
	p.blank()
	if p.at == len(p.lines) {
		return true
	}
	next := &p.lines[p.at]
	if next.indent > indent {
		if _, _, ok := cutKey(next.text); ok || isItem(next.text) {
			return p.block(next.indent, node, depth+1)
		}
		return p.scalar(next.text, next.start+next.indent, indent, node)
	}
	if next.indent == indent && isItem(next.text) && p.doc.Nodes[node].Key != "" {
		return p.block(indent, node, depth+1)
	}
	return true
}

func (p *yaml) pair(indent int, node int32, depth int) bool {
	l := p.lines[p.at]
	key, rest, ok := cutKey(l.text)
	if !ok {
		return false
	}
	kid := p.node(node, key, -1)
	start := l.start + l.indent
	p.key(key, start, start+len(key), kid)
	if rest == "" {
		p.at++
		return p.below(indent, kid, depth)
	}
	return p.scalar(rest, start+len(strings.TrimRight(l.text, " "))-len(rest), indent, kid)
}

// cutKey splits "key: value"; quoted keys lose their quotes.
func cutKey(text string) (key, rest string, ok bool) {
	if text == "" {
		return "", "", false
	}
	if q := text[0]; q == '\'' || q == '"' {
		p := &jsonish{builder: &builder{}, s: text}
		k, ok := p.quoted()
		if !ok || p.at >= len(text) || text[p.at] != ':' {
			return "", "", false
		}
		key, rest = k, text[p.at+1:]
	} else {
		if strings.IndexByte("-?[]{}#&*!|>%@`,", q) >= 0 && (len(text) < 2 || text[1] == ' ' || q != '-') {
			return "", "", false
		}
		i := strings.Index(text, ": ")
		if i < 0 && strings.HasSuffix(text, ":") {
			i = len(text) - 1
		}
		if i <= 0 || i > maxKey || strings.ContainsAny(text[:i], "<>{}\"") {
			return "", "", false
		}
		key, rest = text[:i], text[i+1:]
	}
	if rest != "" && rest[0] != ' ' {
		return "", "", false
	}
	return key, strings.Trim(rest, " "), true
}

// maxKey is the longest key that is believed to be one.
const maxKey = 128

// scalar reads a value that starts in the current line and may go on in deeper
// ones. at is where it starts in the source.
func (p *yaml) scalar(first string, at, indent int, node int32) bool {
	switch first[0] {
	case '|', '>':
		return p.literal(first, indent, node)
	case '\'', '"':
		return p.quotedScalar(first[0], at, indent, node)
	case '{', '[':
		return p.flow(first, at, node)
	case '&', '*', '!', '%', '@', '`':
		return false
	}
	p.at++
	var more []string
	for blanks := 0; p.at < len(p.lines); p.at++ {
		l := &p.lines[p.at]
		if l.text == "" {
			blanks++
			continue
		}
		if l.indent <= indent {
			break
		}
		if blanks > 0 {
			more = append(more, strings.Repeat("\n", blanks))
		} else {
			more = append(more, " ")
		}
		more, blanks = append(more, strings.TrimRight(l.text, " ")), 0
	}
	end := at + len(first)
	if len(more) > 0 {
		first += strings.Join(more, "")
		if p.at < len(p.lines) {
			end = p.lines[p.at].start
		} else {
			end = len(p.text)
		}
	}
	kind := String
	if len(first) <= 32 {
		if k, ok := wordKind(first); ok {
			kind = k
		}
	}
	p.leaf(kind, first, at, end, node)
	return true
}

// flow reads a value in brackets; one that goes over lines ends where its
// brackets do.
func (p *yaml) flow(first string, at int, node int32) bool {
	j := &jsonish{builder: p.builder, s: p.text, at: at}
	if !j.value(node, 0) {
		return false
	}
	return p.resume(j.at)
}

// resume goes on after the line in which a value ended; nothing may follow it.
func (p *yaml) resume(end int) bool {
	for p.at++; p.at < len(p.lines) && p.lines[p.at].start <= end; p.at++ {
		if p.lines[p.at].start == end {
			break
		}
	}
	stop := len(p.text)
	if p.at < len(p.lines) {
		stop = p.lines[p.at].start
	}
	return strings.TrimSpace(p.text[min(end, stop):stop]) == ""
}

// quotedScalar reads a quoted scalar with YAML's folding: a line break is a
// space, blank lines are breaks.
func (p *yaml) quotedScalar(quote byte, at, indent int, node int32) bool {
	s, i := p.text, at+1
	if end := plainEnd(s[i:], quote); end >= 0 {
		p.leaf(String, s[i:i+end], i, i+end, node)
		return p.resume(i + end + 1)
	}
	var b strings.Builder
	for i < len(s) {
		switch c := s[i]; {
		case c == quote && quote == '\'' && i+1 < len(s) && s[i+1] == '\'':
			b.WriteByte('\'')
			i += 2
		case c == quote:
			p.leaf(String, b.String(), at+1, i, node)
			return p.resume(i + 1)
		case c == '\\' && quote == '"' && i+1 < len(s) && s[i+1] == '\n':
			i += 2
			for i < len(s) && s[i] == ' ' {
				i++
			}
		case c == '\\' && quote == '"':
			i += unescape(&b, s[i:])
		case c == '\n':
			i = foldBreak(&b, s, i)
		default:
			next := i + 1
			for next < len(s) && s[next] != quote && s[next] != '\\' && s[next] != '\n' {
				next++
			}
			b.WriteString(s[i:next])
			i = next
		}
	}
	return false
}

// plainEnd returns the length of a quoted text in which nothing is folded or
// escaped, -1 if something is.
func plainEnd(s string, quote byte) int {
	end := strings.IndexByte(s, quote)
	if end < 0 || strings.IndexByte(s[:end], '\n') >= 0 || quote == '"' && strings.IndexByte(s[:end], '\\') >= 0 {
		return -1
	}
	if quote == '\'' && end+1 < len(s) && s[end+1] == '\'' {
		return -1
	}
	return end
}

// foldBreak writes what a line break and the blank lines after it stand for, and
// returns where the text goes on.
func foldBreak(b *strings.Builder, s string, i int) int {
	breaks := 0
	for i < len(s) && (s[i] == '\n' || s[i] == ' ' || s[i] == '\r' || s[i] == '\t') {
		if s[i] == '\n' {
			breaks++
		}
		i++
	}
	if breaks == 1 {
		b.WriteByte(' ')
	}
	for ; breaks > 1; breaks-- {
		b.WriteByte('\n')
	}
	return i
}

// literal reads a | or > block.
func (p *yaml) literal(head string, indent int, node int32) bool {
	if strings.Trim(head, "|>+-0123456789") != "" {
		return false
	}
	p.at++
	from := p.at
	inner := -1
	for ; p.at < len(p.lines); p.at++ {
		l := &p.lines[p.at]
		if l.text == "" {
			continue
		}
		if inner < 0 {
			inner = l.indent
		}
		if l.indent <= indent || l.indent < inner {
			break
		}
	}
	var b strings.Builder
	for i := from; i < p.at; i++ {
		l := &p.lines[i]
		if l.text != "" {
			b.WriteString(strings.Repeat(" ", max(0, l.indent-inner)))
			b.WriteString(l.text)
		}
		b.WriteByte('\n')
	}
	start, end := len(p.text), len(p.text)
	if from < len(p.lines) {
		start = p.lines[from].start
	}
	if p.at < len(p.lines) {
		end = p.lines[p.at].start
	}
	p.leaf(String, strings.TrimRight(b.String(), "\n"), min(start, end), end, node)
	return true
}
