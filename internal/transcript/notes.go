package transcript

import (
	"strings"

	"github.com/planlint/planlint/plan"
)

// The diagnostics of the readers. Ids are for ever.
const (
	// NoteUnreadable: a record or line that could not be read, or only in part.
	NoteUnreadable = "PL9001"
	// NoteNoOutput: a call without a recorded result.
	NoteNoOutput = "PL9002"
	// NoteCut: an output that is not whole.
	NoteCut = "PL9003"
	// NoteRawArgs: arguments that could not be parsed; they are read as text.
	NoteRawArgs = "PL9004"
	// NoteUnknownType: records or blocks of a type that the reader doesn't know.
	NoteUnknownType = "PL9005"
	// NoteOrphan: a result whose call is not in the record.
	NoteOrphan = "PL9006"
	// NoteReusedID: an id that names two calls; results went by order.
	NoteReusedID = "PL9007"
	// NoteNoUserWords: nothing in the record is positively the user's own words.
	NoteNoUserWords = "PL9008"
)

// MaxNotes is how many notes of one id a plan holds; the others are counted in
// one more note. What the notes are about is read all the same.
const MaxNotes = 100

// StillRead ends the notes on records that were irregular and could be read.
const StillRead = "; it was read all the same"

// Unread returns the notes of a plan on what could not be read, in order.
func Unread(p *plan.Plan) []plan.Note {
	var out []plan.Note
	for _, n := range p.Notes {
		if n.ID == NoteUnreadable && !strings.HasSuffix(n.Message, StillRead) {
			out = append(out, n)
		}
	}
	return out
}
