package trace

import "github.com/planlint/planlint/internal/transcript"

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
