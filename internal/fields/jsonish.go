package fields

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// jsonish reads JSON and the repr of Python's lists, dicts, tuples and scalars.
type jsonish struct {
	*builder
	s  string
	at int
}

func readJSON(b *builder, root int32) bool {
	p := &jsonish{builder: b, s: b.text}
	p.space()
	if !p.value(root, 0) {
		return false
	}
	p.space()
	return p.at == len(p.s)
}

func (p *jsonish) space() {
	for p.at < len(p.s) {
		switch c := p.s[p.at]; {
		case c == ' ', c == '\n', c == '\t', c == '\r':
			p.at++
		case c == 0xef && strings.HasPrefix(p.s[p.at:], "\ufeff"):
			p.at += 3
		default:
			return
		}
	}
}

func (p *jsonish) value(node int32, depth int) bool {
	if depth > MaxDepth {
		p.full = true
	}
	if p.at >= len(p.s) || p.full {
		return false
	}
	switch c := p.s[p.at]; c {
	case '{':
		return p.dict(node, depth)
	case '[', '(':
		return p.list(node, depth)
	case '"', '\'':
		start := p.at
		text, ok := p.quoted()
		if ok {
			p.leaf(String, text, start+1, p.at-1, node)
		}
		return ok
	}
	return p.bare(node)
}

func (p *jsonish) dict(node int32, depth int) bool {
	p.at++
	p.object(node)
	for {
		p.space()
		if p.eat('}') {
			return true
		}
		start := p.at
		key, ok := p.key()
		if !ok {
			return false
		}
		end := p.at
		p.space()
		if !p.eat(':') {
			return false
		}
		p.space()
		kid := p.node(node, key, -1)
		p.builder.key(key, start, end, kid)
		if !p.value(kid, depth+1) {
			return false
		}
		p.space()
		if !p.eat(',') && !p.peek('}') {
			return false
		}
	}
}

func (p *jsonish) key() (string, bool) {
	if p.at >= len(p.s) {
		return "", false
	}
	if c := p.s[p.at]; c == '"' || c == '\'' {
		return p.quoted()
	}
	start := p.at
	for p.at < len(p.s) && bareByte(p.s[p.at]) {
		p.at++
	}
	return p.s[start:p.at], p.at > start
}

func (p *jsonish) list(node int32, depth int) bool {
	closing := byte(']')
	if p.s[p.at] == '(' {
		closing = ')'
		p.python = true
	}
	p.at++
	for i := 0; ; i++ {
		p.space()
		if p.eat(closing) {
			return true
		}
		if !p.value(p.node(node, "", i), depth+1) {
			return false
		}
		p.space()
		if !p.eat(',') && !p.peek(closing) {
			return false
		}
	}
}

func (p *jsonish) eat(c byte) bool {
	if p.peek(c) {
		p.at++
		return true
	}
	return false
}

func (p *jsonish) peek(c byte) bool { return p.at < len(p.s) && p.s[p.at] == c }

func bareByte(c byte) bool {
	return c == '_' || c == '-' || c == '+' || c == '.' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

// bare reads a number, a word, or a constructor call of Python (datetime.date(...)).
func (p *jsonish) bare(node int32) bool {
	start := p.at
	for p.at < len(p.s) && bareByte(p.s[p.at]) {
		p.at++
	}
	word := p.s[start:p.at]
	if word == "" {
		return false
	}
	if p.peek('(') {
		return p.constructor(node, start)
	}
	if (p.peek('\'') || p.peek('"')) && len(word) <= 2 && strings.Trim(strings.ToLower(word), "bruf") == "" {
		p.python = true
		from := p.at
		text, ok := p.quoted()
		if ok {
			p.leaf(String, text, from+1, p.at-1, node)
		}
		return ok
	}
	kind, ok := wordKind(word)
	if ok {
		p.python = p.python || word == "True" || word == "False" || word == "None"
		p.leaf(kind, word, start, p.at, node)
	}
	return ok
}

// constructor keeps a call such as datetime.datetime(2024, 5, 1) as one leaf.
func (p *jsonish) constructor(node int32, start int) bool {
	depth := 0
	for p.at < len(p.s) {
		switch p.s[p.at] {
		case '(':
			depth++
		case ')':
			depth--
		case '\'', '"':
			if _, ok := p.quoted(); !ok {
				return false
			}
			continue
		}
		p.at++
		if depth == 0 {
			p.python = true
			p.leaf(String, p.s[start:p.at], start, p.at, node)
			return true
		}
	}
	return false
}

func wordKind(word string) (Kind, bool) {
	switch word {
	case "true", "false", "True", "False":
		return Bool, true
	case "null", "None":
		return Null, true
	case "NaN", "nan", "inf", "Infinity", "-Infinity", "-inf":
		return Number, true
	}
	if len(word) > 32 {
		return Null, false
	}
	c := word[0]
	if last := word[len(word)-1]; last > '9' || strings.IndexByte(word, ' ') >= 0 || strings.Count(word, "-") > 2 {
		return Null, false
	}
	if c == '-' || c == '+' || c == '.' || '0' <= c && c <= '9' {
		_, err := strconv.ParseFloat(word, 64)
		return Number, err == nil || strings.Contains(err.Error(), "range")
	}
	return Null, false
}

// quoted reads a string in either kind of quotes, with JSON's and Python's
// escapes. Where nothing is escaped the text is a part of the source.
func (p *jsonish) quoted() (string, bool) {
	quote := p.s[p.at]
	p.python = p.python || quote == '\''
	p.at++
	start := p.at
	for p.at < len(p.s) {
		switch c := p.s[p.at]; c {
		case quote:
			p.at++
			return p.s[start : p.at-1], true
		case '\\':
			return p.escaped(start, quote)
		}
		p.at++
	}
	return "", false
}

func (p *jsonish) escaped(start int, quote byte) (string, bool) {
	var b strings.Builder
	b.WriteString(p.s[start:p.at])
	for p.at < len(p.s) {
		c := p.s[p.at]
		switch c {
		case quote:
			p.at++
			return b.String(), true
		case '\\':
			p.at += unescape(&b, p.s[p.at:])
		default:
			next := p.at + 1
			for next < len(p.s) && p.s[next] != quote && p.s[next] != '\\' {
				next++
			}
			b.WriteString(p.s[p.at:next])
			p.at = next
		}
	}
	return "", false
}

var simpleEscapes = [256]byte{'n': '\n', 't': '\t', 'r': '\r', 'b': '\b', 'f': '\f', 'v': '\v', 'a': 7, 'e': 27,
	'\\': '\\', '\'': '\'', '"': '"', '/': '/', '_': ' ', ' ': ' '}

// unescape writes what an escape at the start of s stands for and returns its
// length; what is no escape stands for itself.
func unescape(b *strings.Builder, s string) int {
	if len(s) < 2 {
		b.WriteByte('\\')
		return 1
	}
	if c := simpleEscapes[s[1]]; c != 0 {
		b.WriteByte(c)
		return 2
	}
	digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[s[1]]
	if digits == 0 || len(s) < 2+digits {
		b.WriteString(s[:2])
		return 2
	}
	v, err := strconv.ParseUint(s[2:2+digits], 16, 32)
	if err != nil {
		b.WriteString(s[:2])
		return 2
	}
	r, n := rune(v), 2+digits
	if utf16.IsSurrogate(r) && len(s) >= n+6 && s[n] == '\\' && s[n+1] == 'u' {
		if low, err := strconv.ParseUint(s[n+2:n+6], 16, 32); err == nil {
			r, n = utf16.DecodeRune(r, rune(low)), n+6
		}
	}
	if !utf8.ValidRune(r) {
		r = utf8.RuneError
	}
	b.WriteRune(r)
	return n
}
