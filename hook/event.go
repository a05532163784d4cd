package hook

import (
	"github.com/planlint/planlint/internal/session"
	"github.com/planlint/planlint/plan"
)

// Kind says what an event is about.
type Kind uint8

// The kinds of event.
const (
	// Unknown: nothing that the adapter knows. Where it names a tool the call is
	// denied.
	Unknown Kind = iota
	// Ignored: known, and of no interest.
	Ignored
	// Before: calls are proposed; the client waits for the answer.
	Before
	// After: it is known what became of a call.
	After
	// Prompt: the user wrote something.
	Prompt
)

// Event is a client's event in the form that all clients share.
type Event struct {
	Kind Kind
	// Name is the client's own.
	Name    string
	Session string
	// Agent is the client's id of the sub-agent, "" for the main one.
	Agent, ParentAgent string
	Cwd                string
	// Transcript is the client's record of the session, "" for none.
	Transcript string
	// Mode is the client's permission mode.
	Mode string
	// Calls are the proposed calls of one turn, or the call that ended.
	Calls []plan.Call
	// CanAsk: on this event and in this mode the client enforces an ask.
	CanAsk bool
	// Outcome, Output and Cut tell what became of the call.
	Outcome plan.Outcome
	Output  *plan.Value
	Cut     bool
	// Starts is the sub-agent that the call started, if the client says so.
	Starts string
	Prompt string
	// Problem says what could not be made out of the event.
	Problem string
}

// get follows a chain of keys; nil where there is nothing.
func get(v *plan.Value, keys ...string) *plan.Value {
	for _, k := range keys {
		if v == nil {
			return nil
		}
		v = v.Get(k)
	}
	return v
}

// str returns the string at a chain of keys.
func str(v *plan.Value, keys ...string) string {
	if v = get(v, keys...); v != nil && v.Kind == plan.String {
		return v.Text
	}
	return ""
}

// present returns a value that is there and not null.
func present(v *plan.Value) *plan.Value {
	if v == nil || v.Kind == plan.Null {
		return nil
	}
	return v
}

// call makes a call of an event's members. Arguments that are JSON in a string
// are read; others that are no object stay as one text.
func call(id, tool string, args *plan.Value) plan.Call {
	c := plan.Call{ID: id, Tool: tool}
	args = present(args)
	if args == nil {
		c.Args = plan.Value{Kind: plan.Object}
		return c
	}
	c.Args = *args
	if args.Kind == plan.String {
		if v, err := session.Value(args.Text); err == nil && v.Kind == plan.Object {
			c.Args = v
		}
	}
	c.RawArgs = c.Args.Kind != plan.Object
	return c
}

// outcomeOf is Ran, or Failed where the client says so.
func outcomeOf(failed bool) plan.Outcome {
	if failed {
		return plan.Failed
	}
	return plan.Ran
}

// checked notes what an event that needs an answer lacks.
func (e *Event) checked() Event {
	switch {
	case e.Kind == Unknown || e.Kind == Ignored:
	case e.Session == "":
		e.Problem = "the client's event names no session"
	case (e.Kind == Before || e.Kind == After) && (len(e.Calls) == 0 || e.Calls[0].Tool == ""):
		e.Problem = "the client's event names no tool"
	}
	return *e
}
