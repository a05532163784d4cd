package tool

// The diagnostics of this package.
const (
	// NoteUnknownTool: nothing describes the tool. Once per name.
	NoteUnknownTool = "PL9010"
	// NoteCommand: a command line, or a part of one, could not be analysed.
	NoteCommand = "PL9011"
	// NoteWritePath: a written path is not known. Closing.
	NoteWritePath = "PL9012"
	// NoteReadPath: a path that is read is not known.
	NoteReadPath = "PL9013"
	// NotePatch: the text of a patch does not follow its format. Closing.
	NotePatch = "PL9014"
	// NoteCondition: a condition of a contract could not be decided, so the
	// stricter side was taken.
	NoteCondition = "PL9015"
	// NoteCap: something was too large and was treated as unknown.
	NoteCap = "PL9016"
)
