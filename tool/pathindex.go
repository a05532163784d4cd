package tool

import (
	"slices"
	"strings"
)

// PathIndex finds, of many path patterns, those that one path may match, in one
// pass over the path: by texts that every path holds which a pattern matches.
// Immutable.
type PathIndex struct {
	// heads has, by two bytes, the number of the list of the texts that begin so;
	// lists[0] is empty.
	heads [1 << 10]uint8
	lists [][]needed
	// always are the patterns that need no text of two bytes.
	always []int32
}

// needed is a text that every path holds which one of the patterns matches.
type needed struct {
	text     string
	patterns []int32
}

// maxHeads is how many lists there are at most; further texts share the last.
const maxHeads = 255

// NewPathIndex indexes patterns, numbered by their place in the list; a nil one
// is left out.
func NewPathIndex(patterns []*PathGlob) *PathIndex {
	x := &PathIndex{lists: make([][]needed, 1)}
	for i, g := range patterns {
		if g == nil {
			continue
		}
		needs := g.made().foldedNeeds
		if slices.ContainsFunc(needs, func(need string) bool { return len(need) < 2 }) {
			x.always = append(x.always, int32(i))
			continue
		}
		for _, need := range needs {
			x.add(need, int32(i))
		}
	}
	return x
}

func (x *PathIndex) add(need string, pattern int32) {
	key := headOf(need[0], need[1])
	if x.heads[key] == 0 {
		if len(x.lists) <= maxHeads {
			x.lists = append(x.lists, nil)
		}
		x.heads[key] = uint8(len(x.lists) - 1)
	}
	at := x.heads[key]
	for i := range x.lists[at] {
		if n := &x.lists[at][i]; n.text == need {
			n.patterns = append(n.patterns, pattern)
			return
		}
	}
	x.lists[at] = append(x.lists[at], needed{need, []int32{pattern}})
}

func headOf(a, b byte) int { return int(a&31)<<5 | int(b&31) }

// Of appends the numbers of the patterns that may match a path, given in lower
// case, ascending and each once. The others match no file of that path; a folder
// or a glob may stand for more than it says, so all patterns count for it.
func (x *PathIndex) Of(low string, out []int32) []int32 {
	first := len(out)
	out = append(out, x.always...)
	for i := 0; i+1 < len(low); i++ {
		list := x.heads[headOf(low[i], low[i+1])]
		if list == 0 {
			continue
		}
		for _, n := range x.lists[list] {
			if strings.HasPrefix(low[i:], n.text) {
				out = append(out, n.patterns...)
			}
		}
	}
	if found := out[first:]; len(found) > 1 {
		slices.Sort(found)
		out = out[:first+len(slices.Compact(found))]
	}
	return out
}
