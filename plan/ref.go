package plan

import (
	"strconv"
	"strings"
)

// Ref is a reference from a value to an earlier call's output, or to an input
// or loop item of the plan.
type Ref struct {
	// Name is the id that was written: a call's, an input's or an item's.
	Name string
	// Call is the index of the call, -1 where Name is an input or an item.
	Call int
	// Path leads from the output to the part that is meant.
	Path Path
	// Start and End are byte offsets into the value's Text.
	Start, End int
	// Whole: the value is the reference and nothing else, and keeps its type.
	Whole bool
	// Via names a transform (jq, format, ...) that joins its inputs; empty: none.
	Via string
	// Output says that the word output was written after the name, as it must be
	// for a call. Where Name is an input or an item, Validate takes the word for
	// the first step of Path and clears it.
	Output bool
	Pos    Position
}

// Step is one step of a Path: a key, an index, or every item (Wild).
type Step struct {
	Key     string
	Index   int
	IsIndex bool
	Wild    bool
}

// Path leads from a value to a part of it.
type Path []Step

// String writes the path as references have it: items[0].id, ["a key"], [*].
func (p Path) String() string {
	var b strings.Builder
	for i, s := range p {
		switch {
		case s.Wild:
			b.WriteString("[*]")
		case s.IsIndex:
			b.WriteString("[" + strconv.Itoa(s.Index) + "]")
		case isName(s.Key):
			if i > 0 {
				b.WriteByte('.')
			}
			b.WriteString(s.Key)
		default:
			b.WriteString("[" + strconv.Quote(s.Key) + "]")
		}
	}
	return b.String()
}

// Overlaps reports whether one path is a prefix of the other, an index matching
// Wild: the parts they lead to have something in common.
func (p Path) Overlaps(o Path) bool {
	for i := 0; i < min(len(p), len(o)); i++ {
		if !p[i].matches(o[i]) {
			return false
		}
	}
	return true
}

// HasPrefix reports whether what p leads to is o's part or inside it.
func (p Path) HasPrefix(o Path) bool { return len(p) >= len(o) && p.Overlaps(o) }

// matches also lets the index 3 stand for the key "3": a JSON Pointer doesn't say
// which one it means.
func (s Step) matches(o Step) bool {
	if s.Wild || o.Wild {
		return s.Wild && o.Wild || s.IsIndex || o.IsIndex
	}
	if s.IsIndex != o.IsIndex {
		return s.name() == o.name()
	}
	return s == o
}

func (s Step) name() string {
	if s.IsIndex {
		return strconv.Itoa(s.Index)
	}
	return s.Key
}

// Clone returns a copy that stays valid.
func (p Path) Clone() Path { return append(Path(nil), p...) }

func isName(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		letter := c == '_' || c == '-' && i > 0 || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}

// String writes the reference as ParseRefs reads it: ${id.output.path}.
func (r *Ref) String() string { return "${" + r.target() + "}" }

// target writes the reference without its braces, in the one form that digests
// and printed plans use.
func (r *Ref) target() string {
	name := r.Name
	if !isBare(name) {
		name = strconv.Quote(name)
	}
	path := r.Path
	if r.Call >= 0 || r.Output {
		name += ".output"
	} else if len(path) > 0 && path[0].Key == "output" && !path[0].IsIndex && !path[0].Wild {
		// The field output of an input: the same text, read back as the same path.
		name, path = name+".output", path[1:]
	}
	if len(path) == 0 {
		return name
	}
	if isName(path[0].Key) && !path[0].IsIndex && !path[0].Wild {
		name += "."
	}
	return name + path.String()
}

func isBare(s string) bool {
	for i := 0; i < len(s); i++ {
		if !isNameByte(s[i]) {
			return false
		}
	}
	return s != ""
}
