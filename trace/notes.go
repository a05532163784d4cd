package trace

import (
	"fmt"
	"strings"

	"github.com/planlint/planlint/internal/transcript"
	"github.com/planlint/planlint/plan"
)

// The diagnostics of the readers.
const (
	// NoteUnreadable: a record or line that could not be read, or only in part.
	NoteUnreadable = transcript.NoteUnreadable
	// NoteNoOutput: a call without a recorded result.
	NoteNoOutput = transcript.NoteNoOutput
	// NoteCut: an output that is not whole.
	NoteCut = transcript.NoteCut
	// NoteRawArgs: arguments that could not be parsed.
	NoteRawArgs = transcript.NoteRawArgs
	// NoteUnknownType: records of a type that the reader doesn't know.
	NoteUnknownType = transcript.NoteUnknownType
	// NoteOrphan: a result whose call is not in the record.
	NoteOrphan = transcript.NoteOrphan
	// NoteReusedID: an id that names more than one call.
	NoteReusedID = transcript.NoteReusedID
	// NoteNoUserWords: nothing is positively the user's own words.
	NoteNoUserWords = transcript.NoteNoUserWords
)

// Lost says that records of a plan could not be read, with the place of the first
// one: what they hold was not checked. It is empty where all were read.
func Lost(p *plan.Plan) []plan.Error {
	if p.Lost == 0 {
		return nil
	}
	e := plan.Error{Message: fmt.Sprintf("%d records could not be read, so what they hold was not checked", p.Lost)}
	first := "; the first: "
	if p.Lost == 1 {
		e.Message, first = "1 record could not be read, so what it holds was not checked", ": "
	}
	if notes := transcript.Unread(p); len(notes) > 0 {
		e.Pos, e.Hint = notes[0].Pos, notes[0].Hint
		e.Message += first + strings.TrimPrefix(notes[0].Message, "record not readable: ")
	}
	if e.Hint == "" {
		e.Hint = "planlint check -v shows each (PL9001)"
	}
	return []plan.Error{e}
}
