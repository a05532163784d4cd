package rules

import "strings"

// wildcard matches s whole against a pattern in which * stands for any text
// and ? for one byte; a backslash takes the next byte literally. It is the
// usual loop with one point to go back to, so its cost is at most the product
// of the lengths.
func wildcard(pattern, s string) bool {
	p, i := 0, 0
	star, mark := -1, 0
	for i < len(s) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, mark = p, i
			p++
			continue
		case p < len(pattern) && pattern[p] == '?':
			p++
			i++
			continue
		case p < len(pattern):
			lit, width := pattern[p], 1
			if lit == '\\' && p+1 < len(pattern) {
				lit, width = pattern[p+1], 2
			}
			if lit == s[i] {
				p += width
				i++
				continue
			}
		}
		if star < 0 {
			return false
		}
		mark++
		p, i = star+1, mark
	}
	return strings.Trim(pattern[p:], "*") == ""
}

// hasWildcard reports whether the text holds * or ?.
func hasWildcard(s string) bool { return strings.ContainsAny(s, "*?") }

// literalPrefix is how many bytes stand before the first wildcard.
func literalPrefix(s, wild string) int {
	if i := strings.IndexAny(s, wild); i >= 0 {
		return i
	}
	return len(s)
}
