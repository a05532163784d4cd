package taint

import "strings"

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
	gram      = 6
	minRun    = 24
	minJoined = 12
)

const gramPrime = 0x9e3779b97f4a7c15

// gramPower[n] is gramPrime to the n.
var gramPower = func() (p [gram + 1]uint64) {
	p[0] = 1
	for n := 1; n <= gram; n++ {
		p[n] = p[n-1] * gramPrime
	}
	return p
}()

// gramHash is the hash of n words from their polynomial; never 0.
func gramHash(sum uint64, n int) uint64 {
	h := (sum + uint64(n)) * 0xbf58476d1ce4e5b9
	return h ^ h>>29 | 1
}

func hashOf(words []word) uint64 {
	sum := uint64(0)
	for i := range words {
		sum = sum*gramPrime + words[i].hash
	}
	return gramHash(sum, len(words))
}

// distinctive reports whether a single word says something.
func distinctive(w *word) bool {
	n := w.size()
	switch {
	case w.flags&(hasLetter|hasDigit) == hasLetter|hasDigit:
		return n >= minMixed
	case w.flags&hasDigit != 0:
		return n >= minDigits
	}
	return n >= minWord
}

// grams calls emit for all distinctive runs of words in a text, from and to
// being indexes in words: single words, the parts of an address or path, the
// whole text, and every six words in a row.
func grams(text string, words []word, emit func(from, to int)) {
	if len(words) == 0 {
		return
	}
	for i := 0; i < len(words); {
		end := joined(text, words, i)
		runGrams(text, words, i, end, emit)
		i = end
	}
	if n := len(words); 2 <= n && n <= gram && int(words[n-1].end-words[0].start) >= minWhole {
		emit(0, n)
	}
	size := 0
	for i := range words {
		size += words[i].size()
		if i >= gram {
			size -= words[i-gram].size()
		}
		if i >= gram-1 && size >= minRun {
			emit(i+1-gram, i+1)
		}
	}
}

// joined returns the end of the words from i on that stand together like the
// parts of an address, a path or a key.
func joined(text string, words []word, i int) int {
	for i++; i < len(words); i++ {
		gap := text[words[i-1].end:words[i].start]
		if len(gap) > 3 || strings.Trim(gap, "._-@/:=+~%?&#") != "" || gap == "" {
			break
		}
	}
	return i
}

// runGrams emits what is distinctive in words that stand together.
func runGrams(text string, words []word, from, to int, emit func(from, to int)) {
	for i := from; i < to; i++ {
		if distinctive(&words[i]) {
			emit(i, i+1)
		}
	}
	n := to - from
	if n < 2 {
		return
	}
	run := text[words[from].start:words[to-1].end]
	address := strings.IndexByte(run, '@') >= 0
	switch {
	case n <= gram && (address || len(run) >= minJoined && strings.IndexByte(run, '/') >= 0):
		emit(from, to)
	case n > gram:
		for i := from; i+gram <= to; i++ {
			if size := int(words[i+gram-1].end - words[i].start); size >= minJoined && size < minRun {
				emit(i, i+gram)
			}
		}
	}
	if address {
		mailGrams(text, words, from, to, emit)
	}
}

// mailGrams emits the mail addresses inside of words that stand together.
func mailGrams(text string, words []word, from, to int, emit func(from, to int)) {
	gap := func(i int) string { return text[words[i-1].end:words[i].start] }
	for at := from + 1; at < to; at++ {
		if gap(at) != "@" {
			continue
		}
		lo, hi := at-1, at+1
		for lo > from && strings.Trim(gap(lo), "._-+") == "" && hi-lo < gram {
			lo--
		}
		for hi < to && strings.Trim(gap(hi), ".-") == "" && hi-lo < gram {
			hi++
		}
		if lo != from || hi != to {
			emit(lo, hi)
		}
	}
}
