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

// piece is a run of words of a text, from and to being indexes of the words.
type piece struct {
	hash     match.Run
	from, to int32
}

// pieces gathers the runs of words in a text.
type pieces struct {
	list  []piece
	text  string
	words []fields.Word
}

func (r *pieces) add(from, to int) {
	r.list = append(r.list, piece{hash: match.Hash(r.words[from:to]), from: int32(from), to: int32(to)})
}

// grams appends all distinctive runs of words in a text: single words, the parts
// of an address or path, the whole text, and every six words in a row.
func grams(to []piece, text string, words []fields.Word) []piece {
	n := len(words)
	if n == 0 {
		return to
	}
	r := pieces{list: to, text: text, words: words}
	for i := 0; i < n; {
		end := joined(text, words, i)
		r.joined(i, end)
		i = end
	}
	if 2 <= n && n <= gram && int(words[n-1].End-words[0].Start) >= minWhole {
		r.add(0, n)
	}
	if n >= gram {
		r.windows()
	}
	return r.list
}

// windows adds every six words in a row that are long enough.
func (r *pieces) windows() {
	size := 0
	for k := range gram - 1 {
		size += r.words[k].Len()
	}
	match.Windows(r.words, func(h match.Run, i int) {
		if size += r.words[i+gram-1].Len(); size >= minRun {
			r.list = append(r.list, piece{hash: h, from: int32(i), to: int32(i + gram)})
		}
		size -= r.words[i].Len()
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

// joined adds what is distinctive in words that stand together.
func (r *pieces) joined(from, to int) {
	for i := from; i < to; i++ {
		if distinctive(&r.words[i]) {
			r.add(i, i+1)
		}
	}
	n := to - from
	if n < 2 {
		return
	}
	all := r.text[r.words[from].Start:r.words[to-1].End]
	address := strings.IndexByte(all, '@') >= 0
	switch {
	case n <= gram && (address || len(all) >= minJoined && strings.IndexByte(all, '/') >= 0):
		r.add(from, to)
	case n > gram:
		for i := from; i+gram <= to; i++ {
			if size := int(r.words[i+gram-1].End - r.words[i].Start); size >= minJoined && size < minRun {
				r.add(i, i+gram)
			}
		}
	}
	if address {
		r.mail(from, to)
	}
}

// mail adds the mail addresses inside of words that stand together.
func (r *pieces) mail(from, to int) {
	text, words := r.text, r.words
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
			r.add(lo, hi)
		}
	}
}
