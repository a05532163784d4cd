package fields

import (
	"math/bits"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Word is a maximal run of letters and digits: its place in the text and the
// hash of its folded form.
type Word struct {
	Hash       uint64
	Start, End int32
	flags      uint8
}

const (
	hasLetter = 1 << iota
	hasDigit
	hasUpper
	// capital: the first character is a capital letter.
	capital
)

// Len is the word's length in bytes.
func (w *Word) Len() int { return int(w.End - w.Start) }

// Digits reports whether a word is nothing but digits.
func (w *Word) Digits() bool { return w.flags&(hasLetter|hasDigit) == hasDigit }

// Mixed reports whether a word has both letters and digits.
func (w *Word) Mixed() bool { return w.flags&(hasLetter|hasDigit) == hasLetter|hasDigit }

// Capital reports whether a word starts with a capital letter.
func (w *Word) Capital() bool { return w.flags&capital != 0 }

// Upper reports whether a word has a capital letter anywhere.
func (w *Word) Upper() bool { return w.flags&hasUpper != 0 }

// wordBytes is, per byte, its folded form in the low half (0 for what is in no
// word, and for what is beyond ASCII) and flags in the high half.
var wordBytes = func() (t [256]uint16) {
	for c := range t {
		switch {
		case 'a' <= c && c <= 'z':
			t[c] = uint16(c) | hasLetter<<8
		case 'A' <= c && c <= 'Z':
			t[c] = uint16(c|0x20) | (hasLetter|hasUpper)<<8
		case '0' <= c && c <= '9':
			t[c] = uint16(c) | hasDigit<<8
		}
	}
	return t
}()

const (
	hashStart = 0xcbf29ce484222325
	hashPrime = 0x9e3779b97f4a7c15
)

// wordHash hashes the folded bytes of a word, eight at a time.
type wordHash struct {
	sum, pending uint64
	n            uint
}

func (h *wordHash) add(c byte) {
	if h.n == 8 {
		h.sum = mix(h.sum ^ h.pending)
		h.pending, h.n = 0, 0
	}
	h.pending |= uint64(c) << (8 * h.n)
	h.n++
}

func (h *wordHash) done() uint64 { return mix(h.sum ^ h.pending) }

func mix(h uint64) uint64 {
	h *= hashPrime
	return h ^ h>>29
}

// Words calls visit for each word of a text, in order, until it returns false.
// Case is folded; compatibility forms of letters and digits (full-width ones) are
// the letters themselves; invisible characters belong to no word and end none.
// What follows a backslash as in JSON's escapes belongs to no word, so that
// escaped and plain text have the same words.
func Words(text string, visit func(Word) bool) {
	var buf [1]Word
	for at := 0; at < len(text); {
		var words []Word
		if words, at = FillWords(buf[:0], text, at); len(words) > 0 && !visit(words[0]) {
			return
		}
	}
}

// AppendWords appends the words of a text.
func AppendWords(to []Word, text string) []Word {
	for at := 0; at < len(text); {
		if len(to) == cap(to) {
			to = append(to, Word{})[:len(to)] // make room
		}
		to, at = FillWords(to, text, at)
	}
	return to
}

// FillWords appends the words of a text from a position on for as long as there
// is room, and returns where to go on.
func FillWords(to []Word, text string, at int) ([]Word, int) {
	for at < len(text) && len(to) < cap(to) {
		if to, at = fillASCII(to, text, at); at == len(text) || len(to) == cap(to) {
			break
		}
		if text[at] == '\\' {
			at++
			at += escape(text[at:])
		} else {
			to, at = appendWord(to, text, at)
		}
	}
	return to, at
}

// Bytes in parallel, eight in a number, the first one lowest: what is true of a byte
// stands in its highest bit. (Lamport 1975; Mycroft's tests for ranges.) Sums of
// numbers below 128 don't run over into the next byte.
const (
	ones  = 0x0101010101010101
	highs = 0x80 * ones
	lower = 0x20 * ones // what tells small letters from capitals; all digits have it
)

// fillASCII is FillWords up to a word with characters beyond ASCII, or a backslash.
func fillASCII(to []Word, text string, at int) ([]Word, int) {
	for at < len(text) && len(to) < cap(to) {
		start, sum := at, uint64(hashStart)
		var letters, digits, capitals, out, stops uint64
		for {
			var raw uint64
			if at+8 <= len(text) {
				s := text[at : at+8]
				raw = uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
					uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
			} else {
				for i := len(text) - 1; i >= at; i-- {
					raw = raw<<8 | uint64(text[i])
				}
			}
			low, folded := raw&^highs, raw&^highs|lower
			letter := (folded + (0x80-'a')*ones) &^ (folded + (0x7f-'z')*ones)
			digit := (low + (0x80-'0')*ones) &^ (low + (0x7f-'9')*ones)
			in := (letter | digit) &^ raw & highs
			out = in ^ highs
			word := (out&-out)>>7 - 1 // the bytes before the first one that is out
			stops = (in | raw | raw<<1) & highs &^ word
			letters |= letter & word
			digits |= digit & word
			capitals |= letter &^ (raw << 2) & word
			if word != 0 {
				sum = mix(sum ^ folded&word)
			}
			if out != 0 {
				break
			}
			at += 8
		}
		end := at + bits.TrailingZeros64(out)/8
		if end < len(text) && text[end] >= utf8.RuneSelf {
			return to, start
		}
		at += bits.TrailingZeros64(stops) / 8
		if end == start {
			if at == start {
				if text[at] == '\\' {
					return to, at
				}
				at++
			}
			continue
		}
		w := Word{Hash: sum, Start: int32(start), End: int32(end)}
		if letters&highs != 0 {
			w.flags |= hasLetter
		}
		if digits&highs != 0 {
			w.flags |= hasDigit
		}
		if capitals&highs != 0 {
			w.flags |= hasUpper
			if c := text[start]; 'A' <= c && c <= 'Z' {
				w.flags |= capital
			}
		}
		to = append(to, w)
	}
	return to, min(at, len(text))
}

// appendWord appends the word that begins at a place, if one does, with characters
// beyond ASCII, and returns where to go on.
func appendWord(to []Word, text string, at int) ([]Word, int) {
	w, next := word(text, at)
	if w.End > w.Start {
		to = append(to, w)
	}
	return to, next
}

// escape returns how many bytes behind a backslash belong to its escape.
func escape(s string) int {
	if s == "" {
		return 0
	}
	switch s[0] {
	case 'n', 't', 'r', 'b', 'f':
		return 1
	case 'u':
		if len(s) >= 5 && hexDigits(s[1:5]) {
			return 5
		}
	}
	return 0
}

// word reads a word with characters beyond ASCII.
func word(text string, at int) (w Word, next int) {
	h := wordHash{sum: hashStart}
	start, end := at, 0
	for at < len(text) {
		c := text[at]
		if c < utf8.RuneSelf {
			f := wordBytes[c]
			if f == 0 {
				break
			}
			if end == 0 && 'A' <= c && c <= 'Z' {
				w.flags |= capital
			}
			h.add(byte(f))
			w.flags |= uint8(f >> 8)
			at++
			end = at
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
		if f != r && unicode.IsUpper(r) {
			if w.flags |= hasUpper; end == 0 {
				w.flags |= capital
			}
		}
		if '0' <= f && f <= '9' {
			w.flags |= hasDigit
		} else {
			w.flags |= hasLetter
		}
		var buf [4]byte
		for _, b := range buf[:utf8.EncodeRune(buf[:], f)] {
			h.add(b)
		}
		end = at
	}
	if end == 0 {
		_, n := utf8.DecodeRuneInString(text[start:])
		return Word{}, max(at, start+n)
	}
	w.Hash, w.Start, w.End = h.done(), int32(start), int32(end)
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
	case 0x4E00 <= r && r <= 0x9FFF, 0xAC00 <= r && r <= 0xD7A3, 0x3041 <= r && r <= 0x3096, 0x30A1 <= r && r <= 0x30FA:
		return r, inWord // most of Chinese, Korean and Japanese: letters without case
	case 0xFF01 <= r && r <= 0xFF5E:
		r -= 0xFEE0 // full-width forms
		if r < utf8.RuneSelf && wordBytes[byte(r)] == 0 {
			return r, between
		}
		return rune(wordBytes[byte(r)] & 0xff), inWord
	case r == 0xAD, 0x200B <= r && r <= 0x200F, r == 0x2060, r == 0xFEFF, 0xFE00 <= r && r <= 0xFE0F, 0xE0000 <= r && r <= 0xE01FF:
		return r, invisible
	case unicode.IsLetter(r), unicode.IsDigit(r), unicode.IsMark(r), r == utf8.RuneError:
		return unicode.ToLower(r), inWord
	}
	return r, between
}

// Signs counts the characters beyond ASCII that belong to no word or can't be seen.
func Signs(text string) (n int) {
	for at := 0; at < len(text); {
		if text[at] < utf8.RuneSelf {
			at++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[at:])
		if _, kind := foldRune(r); kind != inWord {
			n++
		}
		at += size
	}
	return n
}

// WordHash returns the hash of a single word.
func WordHash(s string) uint64 {
	h := uint64(0)
	Words(s, func(w Word) bool { h = w.Hash; return false })
	return h
}

// addressPrefixes stand before an address without being a part of it.
var addressPrefixes = [...]string{"https://", "http://", "ftp://", "file://", "mailto:", "www."}

// Bare returns an address without its scheme and www, and without what sentences
// put behind it.
func Bare(s string) string {
	s = strings.TrimSpace(s)
	for _, p := range addressPrefixes {
		if len(s) >= len(p) && s[0]|0x20 == p[0] && strings.EqualFold(s[:len(p)], p) {
			s = s[len(p):]
		}
	}
	for len(s) > 0 && sentenceEnd[s[len(s)-1]] {
		s = s[:len(s)-1]
	}
	return s
}

var sentenceEnd = byteSet("/.,;:!?)]}>\"'`")

// byteSet is a set of bytes.
func byteSet(chars string) (t [256]bool) {
	for _, c := range []byte(chars) {
		t[c] = true
	}
	return t
}
