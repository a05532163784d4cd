// Package transcript reads what agent clients write down of their own sessions,
// and the message lists of model APIs, and turns it into events: a call, its result, a text that entered the
// context, a sub-agent's start.
//
// In: records, one JSON value each, as lines of a growing file (Feeder) or as
// parts of a document. Out: Events, in file order, and by way of a Builder the
// plan.Plan that they make up. Package trace wraps both for whole files; a hook
// feeds the lines that are new.
//
// What was learned from real files is built in: a call's id is no key, so a
// result belongs to the nearest earlier unanswered call of that id and then
// goes by order (match.go); file order counts and not the parent links; one
// message of the model is one turn however many lines it takes; role "user" is
// no person, so words are the user's on positive evidence only; copies of a
// record are dropped by its uuid when they say the same.
//
// Guaranteed: no panic on any input, cost linear in its size, nothing dropped
// silently: what is not understood becomes a PL9xxx note, and the text of an
// unreadable line stays in the context as a text of unknown origin. Limits:
// side files (outputs that a client moved out of the transcript, sub-agents'
// own files) are not opened; dead branches of a rewound session are read, since
// their calls did happen.
package transcript

import "github.com/planlint/planlint/plan"

// Kind says what an Event is.
type Kind uint8

// The kinds of event.
const (
	// Call: the model asked for a tool: Agent, Turn, ID, Tool, Value.
	Call Kind = iota
	// Result: what came back: Agent, ID, Tool where known, Value, Outcome.
	Result
	// Text: something entered Agent's context: TextKind, Value.Text, Origin.
	Text
	// Note: something that could not be read: ID (PL9xxx), Message, Hint.
	Note
	// Spawn: the call ID started the sub-agent Agent.
	Spawn
	// Session: ID and Cwd where known.
	Session
	// Stray: a record, block or part whose type (Message) is not known.
	Stray
	// Aborted: the turn was broken off: calls without a result did not run.
	Aborted
)

// Event is one thing that happened in a session.
type Event struct {
	Kind Kind
	// Agent is the client's key of the agent, "" for the main one.
	Agent string
	// Turn is the message that a call is part of. Calls of one agent with the
	// same key in a row were fixed together; "" is a turn of its own.
	Turn string
	ID   string
	Tool string
	// Server is set where the client keeps it apart from the tool's name.
	Server string
	// Caller is the program that made a call, if it was not the model.
	Caller string
	// Value holds a call's arguments, a result's output or a text.
	Value plan.Value
	// RawArgs: Value is the arguments' text, which could not be parsed.
	RawArgs bool
	// Outcome of a result; Cut: the output is not whole; NoOutput: the client
	// says what became of the call and not what came back.
	Outcome       plan.Outcome
	Cut, NoOutput bool
	// Labels are what the result's own meta data adds to it (ifc.go).
	Labels []string
	// ByText: only the output's words say that the call did not run, which an
	// outside server could have written itself.
	ByText        bool
	TextKind      plan.TextKind
	Origin        string
	Cwd           string
	Message, Hint string
	Pos           plan.Position
	// Lost: a whole record could not be read.
	Lost bool
}

// Emit takes one event.
type Emit func(Event)

// Record is one record of a transcript.
type Record struct {
	// Value is the record as far as the client's Shape wants it; Raw is the
	// text of its line, "" where it is a part of a larger document.
	Value plan.Value
	Raw   string
}

// Client reads the records of one client's transcript, in file order. It may
// keep state between records.
type Client interface {
	// Shape names the members that Record looks at.
	Shape() Shape
	// Record emits the events of one record.
	Record(r *Record, emit Emit)
	// Close emits what was held back until the end.
	Close(emit Emit)
}
