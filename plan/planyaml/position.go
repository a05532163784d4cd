package planyaml

import (
	"bytes"
	"unicode/utf8"

	"github.com/planlint/planlint/plan"
)

// within returns the places of parts of a scalar's decoded text, which come in
// order and don't overlap. Where the scalar stands on one line they are exact;
// otherwise a part is looked for as it stands, and failing that its place is the
// scalar's.
type within struct {
	d   *decoder
	n   *node
	raw int // offset in the file that corresponds to
	dec int // this offset in the decoded text
}

func (d *decoder) within(n *node) *within {
	start := int(n.start)
	if n.style == doubleQuoted || n.style == singleQuoted {
		start++
	}
	return &within{d: d, n: n, raw: start}
}

// part returns the place of text[start:end].
func (w *within) part(start, end int) plan.Position {
	if w.n.style == block {
		return w.search(w.n.text[start:end])
	}
	w.advance(start)
	at := w.raw
	w.advance(end)
	return w.d.lines.position(at, w.raw-at)
}

// advance moves on to an offset of the decoded text.
func (w *within) advance(to int) {
	if w.n.style == plain {
		w.raw, w.dec = w.raw+to-w.dec, to
		return
	}
	for w.dec < to && w.raw < int(w.n.end)-1 {
		raw, decoded := 1, 1
		switch c := w.d.src[w.raw]; {
		case c == '\'' && w.n.style == singleQuoted:
			raw = 2
		case c == '\\' && w.n.style == doubleQuoted:
			raw, decoded = escapeWidth(w.d.src[w.raw:w.n.end])
		}
		w.raw += raw
		w.dec += decoded
	}
}

// escapeWidth returns the length of the escape that b begins with, and of what
// it stands for, in JSON or in YAML.
func escapeWidth(b []byte) (raw, decoded int) {
	if len(b) < 2 {
		return 1, 1
	}
	digits := 0
	switch b[1] {
	case 'x':
		digits = 2
	case 'u':
		digits = 4
	case 'U':
		digits = 8
	case 'N', '_': // U+0085, U+00A0
		return 2, 2
	case 'L', 'P': // U+2028, U+2029
		return 2, 3
	default:
		return 2, 1
	}
	if len(b) < 2+digits {
		return len(b), 1
	}
	r := parseHex(b[2 : 2+digits])
	if 0xd800 <= r && r < 0xdc00 && len(b) >= 12 {
		return 12, 4 // JSON's pair of surrogates
	}
	return 2 + digits, max(utf8.RuneLen(r), 1)
}

func parseHex(b []byte) rune {
	var r rune
	for _, c := range b {
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c && c <= 'f':
			c -= 'a' - 10
		case 'A' <= c && c <= 'F':
			c -= 'A' - 10
		}
		r = r<<4 | rune(c&15)
	}
	return r
}

// search finds a reference as it stands in a scalar of several lines. One after
// an odd number of dollars is an escaped one and not it.
func (w *within) search(text string) plan.Position {
	for w.raw < int(w.n.end) {
		i := bytes.Index(w.d.src[w.raw:w.n.end], []byte(text))
		if i < 0 {
			w.raw = int(w.n.end) // once lost, don't search again: the cost must stay linear
			break
		}
		at := w.raw + i
		w.raw = at + len(text)
		dollars := 0
		for k := at - 1; k >= int(w.n.start) && w.d.src[k] == '$'; k-- {
			dollars++
		}
		if dollars%2 == 0 {
			return w.d.lines.position(at, len(text))
		}
	}
	return w.n.pos
}
