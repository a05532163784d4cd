package tool

import (
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// run matches the parts of a path against those of a pattern, all places in the
// pattern at once, so that the cost is their product. at is the number of parts
// of the longest beginning that the pattern matches whole (a folder's contents
// are matched with it), -1 for none; more says that the pattern may match
// something below the path.
func run(pattern, parts []string) (at int, more bool) {
	at = -1
	var room [2][maxSegments + 2]bool // a usual pattern needs no memory of its own
	states, next := room[0][:], room[1][:]
	if len(pattern) < len(states) {
		states, next = states[:len(pattern)+1], next[:len(pattern)+1]
	} else {
		states, next = make([]bool, len(pattern)+1), make([]bool, len(pattern)+1)
	}
	states[0] = true
	skipStars(pattern, states)
	if states[len(pattern)] {
		at = 0
	}
	for i, part := range parts {
		clear(next)
		for j, p := range pattern {
			switch {
			case !states[j]:
			case p == "**":
				next[j] = true
			case matchPart(p, part):
				next[j+1] = true
			}
		}
		skipStars(pattern, next)
		states, next = next, states
		if states[len(pattern)] {
			at = i + 1
		}
	}
	for _, s := range states[:len(pattern)] {
		more = more || s
	}
	return at, more
}

// skipStars lets "**" match nothing.
func skipStars(pattern []string, states []bool) {
	for j, p := range pattern {
		if states[j] && p == "**" {
			states[j+1] = true
		}
	}
}

func matchPart(pattern, part string) bool {
	if !hasMeta(pattern) {
		return pattern == part
	}
	ok, err := doublestar.Match(pattern, part)
	return ok && err == nil
}

func hasMeta(text string) bool { return strings.ContainsAny(text, `*?[\{`) }

// reach says whether a use of a path touches what a pattern matches.
func reach(pattern, parts []string, u *PathUse) Match {
	if u.Glob {
		if meet(pattern, parts, u) {
			return MayMatch
		}
		return NoMatch
	}
	at, more := run(pattern, parts)
	switch {
	case at >= 0:
		return Matches
	case more && u.Tree:
		return MayMatch
	}
	return NoMatch
}

// maxMeet bounds the table of meet; beyond it the answer is yes.
const maxMeet = 1 << 14

// meet reports whether two patterns over paths can match the same path, or one
// below it. The table says it for the ends of both.
func meet(pattern, parts []string, u *PathUse) bool {
	n, m := len(pattern), len(parts)
	if (n+1)*(m+1) > maxMeet {
		return true
	}
	rows := make([][]bool, n+1)
	for i := n; i >= 0; i-- {
		rows[i] = make([]bool, m+1)
		for j := m; j >= 0; j-- {
			rows[i][j] = meetAt(pattern, parts, rows, i, j, u)
		}
	}
	return rows[0][0]
}

func meetAt(pattern, parts []string, rows [][]bool, i, j int, u *PathUse) bool {
	switch {
	case i == len(pattern):
		return true
	case j == len(parts):
		return u.Tree || pattern[i] == "**" && rows[i+1][j]
	case pattern[i] == "**" || parts[j] == "**":
		return rows[i+1][j] || rows[i][j+1] || rows[i+1][j+1]
	}
	return rows[i+1][j+1] && meetParts(pattern[i], parts[j], u)
}

// meetParts reports whether two patterns for one part can match the same name.
// Classes and braces count as anything. A shell's wildcard does not match a
// leading dot.
func meetParts(a, b string, u *PathUse) bool {
	if !hasMeta(b) {
		return matchPart(a, b)
	}
	if u.Command >= 0 && strings.HasPrefix(a, ".") && strings.ContainsRune("*?[", rune(b[0])) {
		return false
	}
	if strings.ContainsAny(a+b, `[{\`) || (len(a)+1)*(len(b)+1) > maxMeet {
		return true
	}
	row := make([]bool, len(b)+1)
	for i := len(a); i >= 0; i-- {
		prev := row
		row = make([]bool, len(b)+1)
		for j := len(b); j >= 0; j-- {
			row[j] = meetBytes(a, b, prev, row, i, j)
		}
	}
	return row[0]
}

// meetBytes says whether a[i:] and b[j:] can match the same text; below is the
// row of i+1, row that of i.
func meetBytes(a, b string, below, row []bool, i, j int) bool {
	switch {
	case i == len(a) && j == len(b):
		return true
	case i < len(a) && a[i] == '*':
		return below[j] || j < len(b) && row[j+1]
	case j < len(b) && b[j] == '*':
		return row[j+1] || i < len(a) && below[j]
	case i == len(a) || j == len(b):
		return false
	}
	return below[j+1] && (a[i] == b[j] || a[i] == '?' || b[j] == '?')
}

// globText matches a text against a pattern of which only * is special.
func globText(pattern, text string) bool {
	parts := strings.Split(pattern, "*")
	if len(parts) == 1 {
		return pattern == text
	}
	if !strings.HasPrefix(text, parts[0]) {
		return false
	}
	text = text[len(parts[0]):]
	last := parts[len(parts)-1]
	for _, p := range parts[1 : len(parts)-1] {
		i := strings.Index(text, p)
		if i < 0 {
			return false
		}
		text = text[i+len(p):]
	}
	return len(text) >= len(last) && strings.HasSuffix(text, last)
}

// EscapePath writes a path so that it matches only itself in a pattern.
func EscapePath(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if strings.IndexByte(`*?[]{}\`, text[i]) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(text[i])
	}
	return b.String()
}
