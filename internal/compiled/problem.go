package compiled

import (
	"fmt"
	"strings"

	"github.com/planlint/planlint/internal/spell"
	"github.com/planlint/planlint/tool"
)

// Problem is something that is wrong with a policy.
type Problem struct {
	// ID is set for what is ignored rather than refused (PL9020 and on).
	ID string
	At tool.Origin
	// Length is the length in bytes of what is meant, 0 if unknown.
	Length  int
	Message string
	Hint    string
	// Entry is set for a problem of a whole entry (a tool, a rule, a source) that
	// may follow from another problem in it.
	Entry tool.Origin
}

// Error returns file:line:column: message, then the hint on a line of its own.
func (p Problem) Error() string {
	s := p.Message
	if p.At.Line > 0 {
		s = fmt.Sprintf("%s:%d:%d: %s", p.At.File, p.At.Line, p.At.Column, s)
	} else if p.At.File != "" {
		s = p.At.File + ": " + s
	}
	if p.Hint != "" {
		s += "\nhint: " + p.Hint
	}
	return s
}

// OneOf is the hint for a word that is not among the allowed ones.
func OneOf(word string, allowed []string) string {
	list := "one of " + strings.Join(allowed, ", ")
	if near := spell.Nearest(word, allowed); near != "" {
		return fmt.Sprintf("did you mean %q? %s", near, list)
	}
	return list
}

// Nearest is the hint for a name out of many: the nearest one, or nothing.
func Nearest(word string, known []string) string {
	if near := spell.Nearest(word, known); near != "" {
		return fmt.Sprintf("did you mean %q?", near)
	}
	return ""
}

// Problems is an error made of several.
type Problems []Problem

// Error joins the problems, one a line.
func (p Problems) Error() string {
	lines := make([]string, len(p))
	for i, one := range p {
		lines[i] = one.Error()
	}
	return strings.Join(lines, "\n")
}
