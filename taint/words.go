package taint

import (
	"github.com/planlint/planlint/internal/fields"
	"github.com/planlint/planlint/plan"
)

// appendWords appends the words of a text that lie outside of its references.
func appendWords(to []fields.Word, s string, refs []plan.Ref) []fields.Word {
	if len(refs) == 0 {
		return fields.AppendWords(to, s)
	}
	for at, room := 0, [1]fields.Word{}; at < len(s); {
		var words []fields.Word
		if words, at = fields.FillWords(room[:0], s, at); len(words) == 0 {
			continue
		}
		w := words[0]
		for len(refs) > 0 && refs[0].End <= int(w.Start) {
			refs = refs[1:]
		}
		if len(refs) > 0 && refs[0].Start < int(w.End) {
			at = max(at, refs[0].End) // a word that touches a reference is part of it
			continue
		}
		to = append(to, w)
	}
	return to
}

// userWords are the words of the user, each with the time since when.
type userWords map[uint64]int32

// add returns the words with those of another text.
func (u userWords) add(text string, time int32) userWords {
	if u == nil {
		u = userWords{}
	}
	fields.Words(text, func(w fields.Word) bool {
		if old, have := u[w.Hash]; !have || time < old {
			u[w.Hash] = time
		}
		return true
	})
	return u
}

// said reports whether the user had used a word by a time.
func (u userWords) said(w *fields.Word, time int32) bool {
	since, ok := u[w.Hash]
	return ok && since <= time
}
