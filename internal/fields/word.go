package fields

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Word is a maximal run of letters and digits: its place in the text and the
// hash of its folded form.
type Word struct {
	Hash       uint64
	Start, End int
	// Digits: nothing but digits; Capital: it starts with a capital letter.
	Digits, Capital bool
}

const (
	hashStart = 14695981039346656037 // FNV-1a
	hashPrime = 1099511628211
)

// Words calls visit for each word of a text, in order, until it returns false.
// Case is folded; compatibility forms of letters and digits (full-width ones) are
// the letters themselves; invisible characters belong to no word and end none.
func Words(text string, visit func(Word) bool) {
	for at := 0; at < len(text); {
		c := text[at]
		if c < utf8.RuneSelf && wordBytes[c] == 0 {
			at++
			continue
		}
		w, next := word(text, at)
		if w.End > w.Start && !visit(w) {
			return
		}
		at = next
	}
}

// wordBytes maps a byte of a word to its folded form, others to 0.
var wordBytes = func() (t [256]byte) {
	for c := range t {
		switch {
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9':
			t[c] = byte(c)
		case 'A' <= c && c <= 'Z':
			t[c] = byte(c) | 0x20
		}
	}
	return t
}()

func word(text string, at int) (w Word, next int) {
	w = Word{Hash: hashStart, Start: at, Digits: true}
	w.Capital = 'A' <= text[at] && text[at] <= 'Z'
	for at < len(text) {
		c := text[at]
		if c < utf8.RuneSelf {
			f := wordBytes[c]
			if f == 0 {
				break
			}
			w.Hash = (w.Hash ^ uint64(f)) * hashPrime
			w.Digits = w.Digits && f <= '9'
			at++
			w.End = at
			continue
		}
		r, n := utf8.DecodeRuneInString(text[at:])
		f, kind := foldRune(r)
		if kind == between {
			break
		}
		at += n
		if kind == invisible {
			continue
		}
		if w.End == 0 {
			w.Capital = unicode.IsUpper(r)
		}
		w.Digits = w.Digits && '0' <= f && f <= '9'
		var buf [4]byte
		for _, b := range buf[:utf8.EncodeRune(buf[:], f)] {
			w.Hash = (w.Hash ^ uint64(b)) * hashPrime
		}
		w.End = at
	}
	if w.End == 0 {
		_, n := utf8.DecodeRuneInString(text[w.Start:])
		return Word{}, max(at, w.Start+n)
	}
	return w, at
}

const (
	inWord = iota
	invisible
	between
)

// foldRune returns what a character beyond ASCII counts as.
func foldRune(r rune) (folded rune, kind int) {
	switch {
	case 0xFF01 <= r && r <= 0xFF5E:
		r -= 0xFEE0 // full-width forms
		if r < utf8.RuneSelf && wordBytes[byte(r)] == 0 {
			return r, between
		}
		return rune(wordBytes[byte(r)]), inWord
	case r == 0xAD, 0x200B <= r && r <= 0x200F, r == 0x2060, r == 0xFEFF, 0xFE00 <= r && r <= 0xFE0F, 0xE0000 <= r && r <= 0xE01FF:
		return r, invisible
	case unicode.IsLetter(r), unicode.IsDigit(r), unicode.IsMark(r), r == utf8.RuneError:
		return unicode.ToLower(r), inWord
	}
	return r, between
}

// WordHash returns the hash of a single word.
func WordHash(s string) uint64 {
	h := uint64(0)
	Words(s, func(w Word) bool { h = w.Hash; return false })
	return h
}

// AppendWords appends the words of a text.
func AppendWords(to []Word, text string) []Word {
	for at := 0; at < len(text); {
		c := text[at]
		f := wordBytes[c]
		if f == 0 && c < utf8.RuneSelf {
			at++
			continue
		}
		// The common case, a word of ASCII, written out for speed.
		h, start, digits := uint64(hashStart), at, true
		for f != 0 {
			h = (h ^ uint64(f)) * hashPrime
			digits = digits && f <= '9'
			if at++; at == len(text) {
				break
			}
			c = text[at]
			f = wordBytes[c]
		}
		if at < len(text) && c >= utf8.RuneSelf {
			w, next := word(text, start)
			if w.End > w.Start {
				to = append(to, w)
			}
			at = next
			continue
		}
		to = append(to, Word{Hash: h, Start: start, End: at, Digits: digits, Capital: text[start] <= 'Z' && text[start] >= 'A'})
	}
	return to
}

// Bare returns an address without its scheme and www, and without what sentences
// put behind it.
func Bare(s string) string {
	s = strings.TrimSpace(s)
	for _, p := range []string{"https://", "http://", "ftp://", "file://", "mailto:", "www."} {
		if len(s) >= len(p) && strings.EqualFold(s[:len(p)], p) {
			s = s[len(p):]
		}
	}
	return strings.TrimRight(s, "/.,;:!?)]}>\"'`")
}
