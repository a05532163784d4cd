package transcript

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// text reads a string. The common one without escapes is not copied.
func (d *Decoder) text() (string, error) {
	start := d.pos + 1
	end, escaped := d.stringEnd(start)
	if end < 0 {
		d.pos = len(d.src)
		return "", d.fail("the text ends inside a string")
	}
	raw := d.src[start:end]
	d.pos = end + 1
	if !utf8.ValidString(raw) {
		d.irregular |= BadUTF8
	}
	d.countLines(raw, start)
	if !escaped {
		return raw, nil
	}
	s, ok := d.unescape(raw)
	if !ok {
		return "", d.fail("invalid escape in a string")
	}
	return s, nil
}

// countLines keeps positions right where a string holds raw line ends, which
// strict JSON forbids.
func (d *Decoder) countLines(raw string, start int) {
	if strings.IndexByte(raw, '\n') >= 0 {
		last := strings.LastIndexByte(raw, '\n')
		d.line += int32(strings.Count(raw, "\n"))
		d.lineStart = start + last + 1
	}
}

// stringEnd returns the offset of the closing quote of a string whose content
// starts at i, -1 if there is none.
func (d *Decoder) stringEnd(i int) (end int, escaped bool) {
	for {
		quote := strings.IndexByte(d.src[i:], '"')
		if quote < 0 {
			return -1, escaped
		}
		slash := strings.IndexByte(d.src[i:i+quote], '\\')
		if slash < 0 {
			return i + quote, escaped
		}
		escaped = true
		// Escapes come in crowds (\n in code): walk until the quote is behind.
		for stop := i + quote; ; {
			i += slash + 2
			if i > stop {
				break
			}
			if slash = strings.IndexByte(d.src[i:stop], '\\'); slash < 0 {
				return stop, true
			}
		}
		if i > len(d.src) {
			return -1, true
		}
	}
}

const shortEscapes = "\"\\/bfnrt"

var shortValues = [...]byte{'"', '\\', '/', '\b', '\f', '\n', '\r', '\t'}

func (d *Decoder) unescape(raw string) (string, bool) {
	buf := make([]byte, 0, len(raw))
	for {
		slash := strings.IndexByte(raw, '\\')
		if slash < 0 {
			return string(append(buf, raw...)), true
		}
		buf = append(buf, raw[:slash]...)
		if slash+1 >= len(raw) {
			return "", false
		}
		if c := raw[slash+1]; c != 'u' {
			i := strings.IndexByte(shortEscapes, c)
			if i < 0 {
				return "", false
			}
			buf, raw = append(buf, shortValues[i]), raw[slash+2:]
			continue
		}
		r, n, ok := d.unicode(raw[slash:])
		if !ok {
			return "", false
		}
		buf, raw = utf8.AppendRune(buf, r), raw[slash+n:]
	}
}

// unicode reads \uXXXX, with its second half where it is a surrogate.
func (d *Decoder) unicode(s string) (r rune, n int, ok bool) {
	high, ok := hex4(s)
	if !ok || !utf16.IsSurrogate(high) {
		return high, 6, ok
	}
	if low, ok := hex4(s[6:]); ok {
		if r := utf16.DecodeRune(high, low); r != utf8.RuneError {
			return r, 12, true
		}
	}
	d.irregular |= LoneSurrogate
	return utf8.RuneError, 6, true
}

func hex4(s string) (rune, bool) {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return 0, false
	}
	v, err := strconv.ParseUint(s[2:6], 16, 32)
	return rune(v), err == nil && s[2] != '+' && s[2] != '_'
}

// skip steps over one value without building it. It only balances brackets,
// so that it needs no stack and any depth is fine.
func (d *Decoder) skip() error {
	for depth := 0; d.pos < len(d.src); {
		switch c := d.src[d.pos]; c {
		case '"':
			start := d.pos + 1
			end, _ := d.stringEnd(start)
			if end < 0 {
				d.pos = len(d.src)
				return d.fail("the text ends inside a string")
			}
			d.countLines(d.src[start:end], start)
			d.pos = end + 1
		case '{', '[':
			depth++
			d.pos++
		case '}', ']':
			if depth == 0 {
				return d.fail("expected a value")
			}
			depth--
			d.pos++
		case ',', ':', ' ', '\t', '\r', '\n':
			if depth == 0 {
				return d.fail("expected a value")
			}
			if c == '\n' {
				d.line++
				d.lineStart = d.pos + 1
			}
			d.pos++
			continue
		default:
			if !isLiteral(c) {
				return d.fail("unexpected character " + strconv.QuoteRune(rune(c)))
			}
			for d.pos < len(d.src) && isLiteral(d.src[d.pos]) {
				d.pos++
			}
		}
		if depth == 0 {
			return nil
		}
	}
	return d.fail("the text ends inside a value")
}
