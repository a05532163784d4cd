package tool

import (
	"slices"
	"strings"
)

// sourceIndex sorts the policy's sources by what they speak of, and finds those
// over paths that one plain path may match in one pass over it.
type sourceIndex struct {
	// reads are the sources over paths, others the rest; indexes into
	// Config.Sources, ascending.
	reads, others []int32
	// heads has, by two bytes, the number of the list of the texts that begin so;
	// lists[0] is empty.
	heads [1 << 10]uint8
	lists [][]needed
	// always are the sources whose pattern needs no text of two bytes.
	always []int32
}

// needed is a text that every path holds which a source's pattern matches.
type needed struct {
	text   string
	source int32
}

// maxHeads is how many lists there are at most; further texts share the last.
const maxHeads = 255

func newSourceIndex(sources []SourceRule) *sourceIndex {
	x := &sourceIndex{lists: make([][]needed, 1)}
	for i := range sources {
		p, at := sources[i].Pattern, int32(i)
		if p.kind != readPattern {
			x.others = append(x.others, at)
			continue
		}
		x.reads = append(x.reads, at)
		if needs := p.path.made().foldedNeeds; slices.ContainsFunc(needs, func(need string) bool { return len(need) < 2 }) {
			x.always = append(x.always, at)
		} else {
			for _, need := range needs {
				x.add(need, at)
			}
		}
	}
	return x
}

func (x *sourceIndex) add(need string, source int32) {
	key := headOf(need[0], need[1])
	if x.heads[key] == 0 {
		if len(x.lists) <= maxHeads {
			x.lists = append(x.lists, nil)
		}
		x.heads[key] = uint8(len(x.lists) - 1)
	}
	at := x.heads[key]
	x.lists[at] = append(x.lists[at], needed{need, source})
}

func headOf(a, b byte) int { return int(a&31)<<5 | int(b&31) }

// of appends the sources over paths that may match a path in lower case,
// ascending and each once. Those left out match no path that only stands for
// itself.
func (x *sourceIndex) of(low string, out []int32) []int32 {
	out = append(out, x.always...)
	for i := 0; i+1 < len(low); i++ {
		list := x.heads[headOf(low[i], low[i+1])]
		if list == 0 {
			continue
		}
		for _, n := range x.lists[list] {
			if strings.HasPrefix(low[i:], n.text) {
				out = append(out, n.source)
			}
		}
	}
	if len(out) > 1 {
		slices.Sort(out)
		out = slices.Compact(out)
	}
	return out
}
