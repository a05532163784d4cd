package origin

import (
	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/taint"
)

// Role says what an argument is for, as far as its origin matters.
type Role uint8

// The roles.
const (
	// Other arguments are not asked about.
	Other Role = iota
	// Target is where or to whom: a recipient, an address, a path.
	Target
	// Object is the existing thing that is changed, removed or shown.
	Object
	// Secret is a password or key that the call sets or hands on.
	Secret
	// Amount is how much.
	Amount
	// When is a date or time.
	When
	// Content is text that the call passes on.
	Content
	// Selector says what is looked for.
	Selector
)

// Effect says what a call does to the world.
type Effect uint8

// The effects.
const (
	// Reads changes nothing and sends nothing.
	Reads Effect = iota
	// Fetches changes nothing, but its address leaves the machine.
	Fetches
	// Writes changes or sends something.
	Writes
)

// FieldKind says who wrote a field of an output.
type FieldKind uint8

// The kinds of field.
const (
	// Name is a short value that others may have chosen: a sender, a title.
	Name FieldKind = iota
	// Service is made by the service: an id, a date, a status.
	Service
	// Text is what third parties wrote.
	Text
	// user are the user's own words; never a field of an output.
	user
	// none is what is no data.
	none
)

var fieldNames = [...]string{"name", "service", "text", "user", ""}

// String returns the kind's name.
func (k FieldKind) String() string { return fieldNames[k] }

// Field is what a contract says of a part of an output.
type Field struct {
	Path plan.Path
	Kind FieldKind
	// Open: strangers may add to it (comments, reviews), so that pointing at the
	// record does not endorse it.
	Open bool
	// Private: it is for the user's eyes, so that passing it on to somebody outside
	// of its record is asked about.
	Private bool
	// Reference: people name the record by it (sender, title, file name).
	Reference bool
}

// Facts are what the analysis needs to know of one call. The tool package lowers
// a contract to them.
type Facts struct {
	Slots []taint.Slot
	// Roles are those of the slots, by their Tag.
	Roles *Roles
	// Tool is what calls of one tool have in common; never nil.
	*Tool
	Effect Effect
	// Unknown: nothing describes the tool, so that its output is text.
	Unknown bool
}

// Roles says what role slots of each tag have.
type Roles [256]Role

// Tool is what a contract says of every call of a tool.
type Tool struct {
	// About are the kinds of object that it is about: "money".
	About []string
	// Fields describe the output. Where there are none, the contract does not say
	// who wrote it, and it counts as the user's own system's.
	Fields []Field
	Acts   Acts
}

func (f *Facts) role(slot int) Role { return f.Roles[f.Slots[slot].Tag] }

// asks reports whether a slot is asked about.
func (f *Facts) asks(slot int) bool { return f.role(slot) != Other && !f.Slots[slot].Known }

// has reports whether some slot has a role.
func (f *Facts) has(role Role) bool {
	for s := range f.Slots {
		if f.role(s) == role {
			return true
		}
	}
	return false
}

func (f *Facts) values(slot int) []*plan.Value { return f.Slots[slot].Values() }
