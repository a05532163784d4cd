package origin

import (
	"maps"
	"slices"
	"strings"

	"github.com/planlint/planlint/internal/fields"
)

// wording is the words of a text in small letters, and which of them begin a sentence.
type wording struct {
	words  []string
	begins []bool
}

// at returns a word, "" beyond the ends.
func (w *wording) at(i int) string {
	if i < 0 || i >= len(w.words) {
		return ""
	}
	return w.words[i]
}

// next returns the word behind a place in the same sentence, "" for none.
func (w *wording) next(i int) string {
	if i+1 >= len(w.words) || w.begins[i+1] {
		return ""
	}
	return w.words[i+1]
}

// back goes back from a place over up to n words of the same sentence, until one is
// found or ends the search.
func (w *wording) back(i, n int, look func(k int) (found, end bool)) bool {
	for k := i - 1; k >= 0 && k >= i-n && !w.begins[k+1]; k-- {
		if found, end := look(k); found || end {
			return found
		}
	}
	return false
}

// before and behind report whether one of the words is among the n before or behind a
// place, in the same sentence.
func (w *wording) before(i, n int, words map[string]bool) bool {
	return w.back(i, n, func(k int) (found, end bool) { return words[w.words[k]], false })
}

func (w *wording) behind(i, n int, words map[string]bool) bool {
	for k := i + 1; k < len(w.words) && k <= i+n && !w.begins[k]; k++ {
		if words[w.words[k]] {
			return true
		}
	}
	return false
}

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}

// verbSet returns the usual forms of regular verbs.
func verbSet(verbs string) map[string]bool {
	set := wordSet(verbs)
	for _, v := range strings.Fields(verbs) {
		stem := strings.TrimSuffix(v, "e")
		set[v+"s"], set[stem+"ed"] = true, true
	}
	return set
}

func union(sets ...map[string]bool) map[string]bool {
	all := map[string]bool{}
	for _, s := range sets {
		maps.Copy(all, s)
	}
	return all
}

// quotes returns the spans of a text that quotation marks enclose on one line.
func quotes(text string) (spans [][2]int) {
	open := -1
	var mark byte
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c == '\n' {
			open = -1
		}
		if c != '"' && c != '\'' && c != '`' {
			continue
		}
		before, after := i > 0 && letter(text[i-1]), i+1 < len(text) && letter(text[i+1])
		switch {
		case open < 0 && !before:
			open, mark = i, c
		case open >= 0 && c == mark && !(c == '\'' && before && after):
			spans = append(spans, [2]int{open, i + 1})
			open = -1
		}
	}
	return spans
}

func letter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' }

// addresses returns the spans of the addresses and paths in a text.
func addresses(text string) (spans [][2]int) {
	fields.Atoms(text, func(at fields.Atom) {
		switch at.Kind {
		case fields.Address, fields.URL, fields.File:
			spans = append(spans, [2]int{at.Start, at.End})
		}
	})
	return spans
}

// disjoint sorts spans and joins those that overlap.
func disjoint(spans [][2]int) [][2]int {
	slices.SortFunc(spans, func(a, b [2]int) int { return a[0] - b[0] })
	n := 0
	for _, s := range spans {
		if n > 0 && s[0] < spans[n-1][1] {
			spans[n-1][1] = max(spans[n-1][1], s[1])
			continue
		}
		spans[n] = s
		n++
	}
	return spans[:n]
}

// within reports whether a place is in one of some disjoint spans.
func within(at int, spans [][2]int) bool {
	i, found := slices.BinarySearchFunc(spans, at, func(s [2]int, at int) int { return s[0] - at })
	return found || i > 0 && at < spans[i-1][1]
}
