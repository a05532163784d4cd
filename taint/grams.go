package taint

import (
	"strings"

	"github.com/planlint/planlint/internal/fields"
	"github.com/planlint/planlint/internal/match"
)

// What counts as distinctive, so that finding it elsewhere says something. All
// numbers are bytes of letters and digits, or words.
const (
	// minMixed is the length of a word with letters and digits, minDigits of one
	// of digits only, minWord of any.
	minMixed  = 8
	minDigits = 9
	minWord   = 20
	// minWhole is the length of a string that is matched as a whole.
	minWhole = 12
	// gram is how many words make a run; minRun their length, minJoined where
	// they are parts of one address or path.
	gram      = match.Gram
	minRun    = 24
	minJoined = 12
)

// distinctive reports whether a single word says something.
func distinctive(w *fields.Word) bool {
	switch n := w.Len(); {
	case w.Mixed():
		return n >= minMixed
	case w.Digits():
		return n >= minDigits
	default:
		return n >= minWord
	}
}

// grams calls visit for all distinctive runs of words in a text, from and to
// being indexes in words: single words, the parts of an address or path, the
// whole text, and every six words in a row.
func grams(text string, words []fields.Word, visit func(h match.Run, from, to int)) {
	if len(words) == 0 {
		return
	}
	emit := func(from, to int) { visit(match.Hash(words[from:to]), from, to) }
	for i := 0; i < len(words); {
		end := joined(text, words, i)
		runGrams(text, words, i, end, emit)
		i = end
	}
	if n := len(words); 2 <= n && n <= gram && int(words[n-1].End-words[0].Start) >= minWhole {
		emit(0, n)
	}
	size := 0
	match.Windows(words, func(h match.Run, i int) {
		if i == 0 {
			for k := range gram {
				size += words[k].Len()
			}
		} else {
			size += words[i+gram-1].Len() - words[i-1].Len()
		}
		if size >= minRun {
			visit(h, i, i+gram)
		}
	})
}

// The signs that join words to one thing: any, those before the @ of a mail
// address, and those behind it.
const (
	joinAny byte = 1 << iota
	joinLocal
	joinHost
)

var joins = func() (t [256]byte) {
	for i, signs := range []string{"._-@/:=+~%?&#", "._-+", ".-"} {
		for _, c := range []byte(signs) {
			t[c] |= 1 << i
		}
	}
	return t
}()

// gapIs reports whether nothing but signs of a kind stands before word i.
func gapIs(text string, words []fields.Word, i int, kind byte) bool {
	for at := words[i-1].End; at < words[i].Start; at++ {
		if joins[text[at]]&kind == 0 {
			return false
		}
	}
	return true
}

// joined returns the end of the words from i on that stand together like the
// parts of an address, a path or a key.
func joined(text string, words []fields.Word, i int) int {
	for i++; i < len(words); i++ {
		if gap := words[i].Start - words[i-1].End; gap == 0 || gap > 3 || !gapIs(text, words, i, joinAny) {
			break
		}
	}
	return i
}

// runGrams emits what is distinctive in words that stand together.
func runGrams(text string, words []fields.Word, from, to int, emit func(from, to int)) {
	for i := from; i < to; i++ {
		if distinctive(&words[i]) {
			emit(i, i+1)
		}
	}
	n := to - from
	if n < 2 {
		return
	}
	run := text[words[from].Start:words[to-1].End]
	address := strings.IndexByte(run, '@') >= 0
	switch {
	case n <= gram && (address || len(run) >= minJoined && strings.IndexByte(run, '/') >= 0):
		emit(from, to)
	case n > gram:
		for i := from; i+gram <= to; i++ {
			if size := int(words[i+gram-1].End - words[i].Start); size >= minJoined && size < minRun {
				emit(i, i+gram)
			}
		}
	}
	if address {
		mailGrams(text, words, from, to, emit)
	}
}

// mailGrams emits the mail addresses inside of words that stand together.
func mailGrams(text string, words []fields.Word, from, to int, emit func(from, to int)) {
	for at := from + 1; at < to; at++ {
		if text[words[at-1].End:words[at].Start] != "@" {
			continue
		}
		lo, hi := at-1, at+1
		for lo > from && gapIs(text, words, lo, joinLocal) && hi-lo < gram {
			lo--
		}
		for hi < to && gapIs(text, words, hi, joinHost) && hi-lo < gram {
			hi++
		}
		if lo != from || hi != to {
			emit(lo, hi)
		}
	}
}
