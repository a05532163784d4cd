package fields

import (
	"strings"
	"unicode/utf8"
)

// maxDisguised is the length up to which a text is looked at as a whole.
const maxDisguised = 1 << 16

// leastSpaced is how many single characters in a row are spaced out.
const leastSpaced = 8

// disguises appends what a text holds in letters moved by 13, written backwards, or
// spaced out. To keep it cheap and telling they are tried only where the text
// looks like it: tokens with digits or signs, prose whose letters are unusual.
func (d *Decoder) disguises(text string, looks *looks) {
	if len(text) < 8 || len(text) > maxDisguised {
		return
	}
	// One more may stand before the first separator, one behind the last.
	if looks.spaced >= leastSpaced-3 {
		if t, ok := unspaced(text); ok {
			d.add(View{t, spacedOut, 0, len(text)})
		}
	}
	// The letters are more usual moved by 13.
	if looks.turned > 2*looks.usual {
		d.add(View{d.rot13(text), rotated, 0, len(text)})
	}
	if looks.backwards >= 2 {
		d.add(View{d.reversed(text), backwards, 0, len(text)})
	}
	if looks.telling {
		d.tokens(text)
		d.accounts(text)
	}
}

func (d *Decoder) add(v View) {
	if len(d.views) < maxViews {
		d.views = append(d.views, v)
	}
}

// maxTokens is how many tokens of a text are turned and moved.
const maxTokens = 16

// tokens turns and moves tokens that look like keys or addresses.
func (d *Decoder) tokens(text string) {
	tokens := 0
	for at := 0; at < len(text) && tokens < maxTokens; at++ {
		start, telling := at, false
		for at < len(text) && tokenByte(text[at]) {
			telling = telling || digit(text[at]) || text[at] == '@'
			at++
		}
		if n := at - start; telling && n >= 10 && n <= 512 {
			tokens++
			d.add(View{d.rot13(text[start:at]), rotated, start, at})
			d.add(View{d.reversed(text[start:at]), backwards, start, at})
		}
	}
}

// turnedWord returns the number of a usual word that was written backwards, 0
// for none.
func turnedWord(w string) int {
	if len(w) < 2 || len(w) > 4 {
		return 0
	}
	var low [4]byte
	for i := 0; i < len(w); i++ {
		low[i] = w[i]
		if 'A' <= w[i] && w[i] <= 'Z' {
			low[i] |= 0x20
		}
	}
	switch string(low[:len(w)]) {
	case "eht":
		return 1
	case "dna":
		return 2
	case "fo":
		return 3
	case "ot":
		return 4
	case "ruoy":
		return 5
	case "si":
		return 6
	case "rof":
		return 7
	case "htiw":
		return 8
	}
	return 0
}

// rot13Byte is, per byte, the letter that it is moved to.
var rot13Byte = func() (t [256]byte) {
	for i := range t {
		c := byte(i)
		if low := c | 0x20; 'a' <= low && low <= 'z' {
			c = c&0x20 | 0x40 | (1 + (c&0x1f+12)%26)
		}
		t[i] = c
	}
	return t
}()

func (d *Decoder) rot13(s string) string {
	from := d.begin(len(s))
	var piece [256]byte
	for at := 0; at < len(s); {
		n := min(len(s)-at, len(piece))
		for i := range n {
			piece[i] = rot13Byte[s[at+i]]
		}
		d.room.Write(piece[:n])
		at += n
	}
	return d.room.String()[from:]
}

// reversed turns the characters of a text, not its bytes.
func (d *Decoder) reversed(s string) string {
	from := d.begin(len(s))
	var piece [256]byte
	n := 0
	for end := len(s); end > 0; {
		if n+utf8.UTFMax > len(piece) {
			d.room.Write(piece[:n])
			n = 0
		}
		if c := s[end-1]; c < utf8.RuneSelf {
			piece[n] = c
			n++
			end--
			continue
		}
		_, size := utf8.DecodeLastRuneInString(s[:end])
		n += copy(piece[n:], s[end-size:end])
		end -= size
	}
	d.room.Write(piece[:n])
	return d.room.String()[from:]
}

// begin makes room for n bytes and returns where they will stand.
func (d *Decoder) begin(n int) int {
	const piece = 4 << 10
	if d.room.Cap()-d.room.Len() < n {
		d.room = strings.Builder{}
		d.room.Grow(max(n, piece))
	}
	return d.room.Len()
}

// unspaced joins runs of single characters with one separator between them.
func unspaced(text string) (string, bool) {
	var b strings.Builder
	kept, found := 0, false // text[kept:at] is still to be copied
	for at := 0; at < len(text); {
		n := at
		if at+1 < len(text) && separates(text[at+1]) {
			sep := text[at+1]
			for n+2 < len(text) && text[n] != ' ' && text[n+1] == sep && text[n+2] != ' ' {
				n += 2
			}
		}
		if (n-at)/2+1 < leastSpaced || n+1 < len(text) && tokenByte(text[n+1]) && text[n+1] != text[at+1] {
			at++
			continue
		}
		b.WriteString(text[kept:at])
		for i := at; i <= n; i += 2 {
			b.WriteByte(text[i])
		}
		found = true
		at = n + 1
		kept = at
	}
	if !found {
		return "", false
	}
	b.WriteString(text[kept:])
	return b.String(), true
}

func separates(c byte) bool {
	switch c {
	case ' ', '-', '.', ',', '_', '|':
		return true
	}
	return false
}
