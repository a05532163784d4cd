package session

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/taint"
)

// minMasked is the length of the shortest word that is masked. Shorter ones
// would have too few digests to keep apart what the user said from what he
// didn't.
const minMasked = 4

// masker replaces words by keyed digests: SHA-256 over a key of fixed length and
// the word in lower case, cut to the word's length and spelt with the kinds of
// characters that the word has. So the same word, in any case, has the same
// digest, and what makes a word distinctive stays.
type masker struct {
	key   []byte
	cache map[string]string
}

func newMasker(key []byte) *masker { return &masker{key: key, cache: map[string]string{}} }

// word returns the digest of one word.
func (m *masker) word(w string) string {
	lower := strings.ToLower(w)
	masked, ok := m.cache[lower]
	if !ok {
		masked = m.digest(lower)
		m.cache[lower] = masked
	}
	if lower != w { // a capital stays one, somewhere
		masked = masked[:len(masked)-1] + strings.ToUpper(masked[len(masked)-1:])
	}
	return masked
}

const (
	maskLetters = "abcdefghijklmnopqrstuvwxyz"
	maskDigits  = "0123456789"
)

func (m *masker) digest(lower string) string {
	letters, digits := false, false
	for i := 0; i < len(lower); i++ {
		if '0' <= lower[i] && lower[i] <= '9' {
			digits = true
		} else {
			letters = true
		}
	}
	alphabet := maskLetters
	switch {
	case letters && digits:
		alphabet = maskLetters + maskDigits
	case digits:
		alphabet = maskDigits
	}
	out := make([]byte, 0, len(lower))
	sum := sha256.Sum256(append(append([]byte(nil), m.key...), lower...))
	for i := 0; len(out) < len(lower); i++ {
		if i == len(sum) {
			sum, i = sha256.Sum256(append(append([]byte(nil), m.key...), sum[:]...)), 0
		}
		out = append(out, alphabet[int(sum[i])%len(alphabet)])
	}
	if letters && digits { // both kinds stay, and a letter is last to be raised
		out[0] = maskDigits[int(out[0])%10]
		out[len(out)-1] = maskLetters[int(out[len(out)-1])%26]
	}
	return string(out)
}

// text masks every word of a text.
func (m *masker) text(s string) string {
	return replaceWords(s, func(w string) string {
		if len(w) < minMasked {
			return w
		}
		return m.word(w)
	})
}

// distinctive masks what may be a key or a token and leaves ordinary words: what
// the user asks for must stay readable.
func (m *masker) distinctive(s string) string {
	return replaceWords(s, func(w string) string {
		if !taint.Distinctive(w) {
			return w
		}
		return m.word(w)
	})
}

func (m *masker) value(v plan.Value) plan.Value { return mapText(v, m.text) }

// Dotted returns a masked value for people: dots where a word was masked, since what
// stands there looks like a key and is none.
func Dotted(v plan.Value) plan.Value {
	return mapText(v, func(s string) string { return replaceWords(s, func(string) string { return "····" }) })
}

// mark is a keyed digest of texts, to know them again by.
func (m *masker) mark(parts ...string) string {
	h := sha256.New()
	h.Write(m.key)
	for _, p := range parts {
		fmt.Fprintf(h, "%d:%s", len(p), p)
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}

// replaceWords returns a text with each word replaced.
func replaceWords(s string, replace func(string) string) string {
	var b strings.Builder
	last := 0
	taint.Words(s, func(start, end int) {
		if w := s[start:end]; end-start >= minMasked {
			if r := replace(w); r != w {
				b.WriteString(s[last:start])
				b.WriteString(r)
				last = end
			}
		}
	})
	if last == 0 {
		return s
	}
	b.WriteString(s[last:])
	return b.String()
}

// maxNested is how often what was decoded is decoded again, as in matching.
const maxNested = 2

// eachMention calls visit for every word of a value's texts, keys and what they
// hold in some encoding.
func eachMention(v *plan.Value, visit func(word string)) {
	var text func(s string, depth int)
	text = func(s string, depth int) {
		taint.Words(s, func(start, end int) { visit(s[start:end]) })
		if depth < maxNested {
			taint.Decodings(s, func(_, _ int, decoded string) { text(decoded, depth+1) })
		}
	}
	v.Walk(func(_ plan.Path, x *plan.Value) bool {
		text(x.Text, 0)
		for _, key := range x.Keys {
			text(key, 0)
		}
		return true
	})
}

// secrets knows the words of labelled outputs, to find them in arguments.
type secrets struct {
	mask  *masker
	words map[string]bool
	pairs map[[2]string]bool
}

// learn takes the words of a masked output.
func (s *secrets) learn(v *plan.Value) {
	v.Walk(func(_ plan.Path, x *plan.Value) bool {
		last := ""
		taint.Words(x.Text, func(start, end int) {
			w := strings.ToLower(x.Text[start:end])
			if s.words[w] = true; last != "" {
				s.pairs[[2]string{last, w}] = true
			}
			last = w
		})
		return true
	})
}

// hide masks, in an argument of a call that labelled data may reach: words that
// stand side by side in a labelled output too, distinctive words of such an
// output or outside of paths, and the whole of an encoding that holds one.
// Paths stay readable, since they name cells.
func (s *secrets) hide(text string) string {
	type part struct {
		start, end int
		with       string
	}
	var parts []part
	taint.Decodings(text, func(start, end int, decoded string) {
		if hidden := s.hideWords(decoded); hidden != decoded && s.holdsKnown(decoded) {
			parts = append(parts, part{start, end, flat(hidden)})
		}
	})
	if len(parts) == 0 {
		return s.hideWords(text)
	}
	var b strings.Builder
	last := 0
	for _, p := range parts {
		if p.start < last {
			continue
		}
		b.WriteString(s.hideWords(text[last:p.start]) + p.with)
		last = p.end
	}
	return b.String() + s.hideWords(text[last:])
}

func (s *secrets) hideWords(text string) string {
	type at struct{ start, end int }
	var words []at
	taint.Words(text, func(start, end int) { words = append(words, at{start, end}) })
	masked := make([]string, len(words))
	hide := make([]bool, len(words))
	for i, w := range words {
		masked[i] = strings.ToLower(s.mask.text(text[w.start:w.end]))
		hide[i] = taint.Distinctive(text[w.start:w.end]) && (s.words[masked[i]] || !inPath(text, w.start))
		if i > 0 && s.pairs[[2]string{masked[i-1], masked[i]}] {
			hide[i-1], hide[i] = true, true
		}
	}
	var b strings.Builder
	last := 0
	for i, w := range words {
		if hide[i] {
			b.WriteString(text[last:w.start] + s.mask.text(text[w.start:w.end]))
			last = w.end
		}
	}
	return b.String() + text[last:]
}

// holdsKnown reports whether a text holds a distinctive word of a labelled
// output, or two of its words side by side.
func (s *secrets) holdsKnown(text string) bool {
	last, holds := "", false
	taint.Words(text, func(start, end int) {
		w := strings.ToLower(s.mask.text(text[start:end]))
		holds = holds || s.words[w] && taint.Distinctive(text[start:end]) || last != "" && s.pairs[[2]string{last, w}]
		last = w
	})
	return holds
}

// inPath reports whether a slash stands before a word in its piece of a line.
func inPath(text string, at int) bool {
	start := strings.LastIndexAny(text[:at], " \t\n'\"=?&;|<>(),") + 1
	return strings.IndexByte(text[start:at], '/') >= 0
}

// flat makes one shell word of a text.
func flat(s string) string {
	b := []byte(s)
	for i, c := range b {
		letter := 'a' <= c|0x20 && c|0x20 <= 'z' || c >= 0x80
		if !letter && (c < '0' || c > '9') {
			b[i] = '.'
		}
	}
	return string(b)
}
