// Package spell finds the allowed word that a misspelt one was meant to be.
//
// In: a word that was written and the words that are allowed. Out: the nearest
// allowed word, or none. The distance is Damerau-Levenshtein in its restricted
// form (optimal string alignment, Boytsov 2011): insertions, deletions,
// substitutions and swaps of neighbours each cost one. Letter case and the
// choice of '-', '_', '.' or ' ' cost nothing.
//
// Guaranteed: the result is an element of the list; on a tie the first one in
// the list; the cost is bounded, since long words are never compared.
package spell

import (
	"fmt"
	"strings"
)

// MaxWord is the longest word, in bytes, for which a neighbour is sought.
const MaxWord = 64

// maxListed is how many allowed words Hint names.
const maxListed = 40

// Nearest returns the allowed word that is most like word, or "" if none is
// near: at most a third of the letters may differ, one at least, three at most.
func Nearest(word string, allowed []string) string {
	if word == "" || len(word) > MaxWord {
		return ""
	}
	folded := fold(word)
	best, bestDistance := "", cutoff(folded)+1
	for _, candidate := range allowed {
		if len(candidate) > MaxWord || candidate == "" {
			continue
		}
		other := fold(candidate)
		// As many edits as the shorter word has letters would rewrite all of it.
		limit := min(bestDistance-1, max(len(other)-1, 0))
		if string(folded) == string(other) {
			limit = 0
		}
		if d := distance(folded, other, limit); d <= limit {
			best, bestDistance = candidate, d
		}
		if bestDistance == 0 {
			break
		}
	}
	return best
}

// Hint returns what an error's hint says of a word that is not allowed: the
// nearest spelling, if there is one, and the list of what is allowed.
func Hint(word string, allowed []string) string {
	var b strings.Builder
	if near := Nearest(word, allowed); near != "" {
		fmt.Fprintf(&b, "did you mean %q? ", near)
	}
	if len(allowed) == 0 {
		return strings.TrimSuffix(b.String(), " ")
	}
	listed := allowed[:min(len(allowed), maxListed)]
	b.WriteString("one of ")
	b.WriteString(strings.Join(listed, ", "))
	if more := len(allowed) - len(listed); more > 0 {
		fmt.Fprintf(&b, " and %d more", more)
	}
	return b.String()
}

func cutoff(word []rune) int { return min(max(len(word)/3, 1), 3) }

func fold(word string) []rune {
	return []rune(strings.Map(func(r rune) rune {
		switch r {
		case '-', '.', ' ':
			return '_'
		}
		return r
	}, strings.ToLower(word)))
}

// distance returns the number of edits between a and b, or limit+1 where it is
// greater than limit. It keeps the last three rows of the usual table.
func distance(a, b []rune, limit int) int {
	if len(a)-len(b) > limit || len(b)-len(a) > limit {
		return limit + 1
	}
	row := func() []int { return make([]int, len(b)+1) }
	before, previous, current := row(), row(), row()
	for j := range previous {
		previous[j] = j
	}
	for i := 1; i <= len(a); i++ {
		current[0] = i
		least := i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			d := min(previous[j]+1, current[j-1]+1, previous[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, before[j-2]+1)
			}
			current[j] = d
			least = min(least, d)
		}
		if least > limit {
			return limit + 1
		}
		before, previous, current = previous, current, before
	}
	return previous[len(b)]
}
