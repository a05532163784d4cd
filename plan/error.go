package plan

import (
	"fmt"
	"sort"
	"strings"
)

// Error is something that is wrong with a plan, with its place and, where one
// is known, a way out. Every reader of plans reports its errors as these.
type Error struct {
	Pos     Position
	Message string
	// Hint is a second line: the nearest spelling, what is allowed. May be empty.
	Hint string
}

// Error returns the message with its place and without the file's name.
func (e Error) Error() string {
	if !e.Pos.Known() {
		return e.Message
	}
	return fmt.Sprintf("%d:%d: %s", e.Pos.Line, e.Pos.Column, e.Message)
}

// In returns the whole text of an error in the file of that name:
// "file:line:column: message", and "hint: ..." on a second line if there is one.
func (e Error) In(file string) string {
	var b strings.Builder
	b.WriteString(file)
	b.WriteByte(':')
	if e.Pos.Known() {
		fmt.Fprintf(&b, "%d:%d:", e.Pos.Line, e.Pos.Column)
	}
	b.WriteByte(' ')
	b.WriteString(e.Message)
	if e.Hint != "" {
		b.WriteString("\nhint: ")
		b.WriteString(e.Hint)
	}
	return b.String()
}

// MaxErrors is how many errors of one file are reported one by one.
const MaxErrors = 50

// MaxMessage is the length in bytes after which a message is cut: what it quotes
// from the file can be of any length.
const MaxMessage = 600

// SortErrors puts errors in the order of the file, those without a place first,
// drops exact repetitions, and replaces what is over MaxErrors by a count.
func SortErrors(errs []Error) []Error {
	sort.SliceStable(errs, func(i, j int) bool { return errs[i].before(errs[j]) })
	kept := errs[:0]
	for _, e := range errs {
		e.Message, e.Hint = cut(e.Message), cut(e.Hint)
		if n := len(kept); n == 0 || e != kept[n-1] {
			kept = append(kept, e)
		}
	}
	if more := len(kept) - MaxErrors; more > 0 {
		last := kept[MaxErrors].Pos
		kept = append(kept[:MaxErrors:MaxErrors], Error{Pos: last, Message: fmt.Sprintf("and %d more errors", more)})
	}
	return kept
}

func cut(s string) string {
	if len(s) <= MaxMessage {
		return s
	}
	return strings.ToValidUTF8(s[:MaxMessage], "") + "..."
}

func (e Error) before(o Error) bool {
	if e.Pos.Line != o.Pos.Line {
		return e.Pos.Line < o.Pos.Line
	}
	if e.Pos.Column != o.Pos.Column {
		return e.Pos.Column < o.Pos.Column
	}
	return e.Message < o.Message
}
