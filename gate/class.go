// Package gate holds the words for risk and approval: the six risk classes,
// the three decisions, and the gates that stand between a call and its effect.
//
// In: a class, requirements that escalations add. Out: a joined Gate and the
// Decision it implies. Joining is or on flags and max on numbers, so it is
// associative, commutative and idempotent, and the zero Gate is its identity.
// The zero Decision is Deny: what was never decided does not run.
package gate

import "fmt"

// Class is the risk class that a tool's contract declares. The zero value is
// ClassUnset, which no contract may have; the others are ordered for ceilings.
type Class uint8

// The six classes, in the order used for ceilings.
const (
	ClassUnset Class = iota
	ReversibleInternal
	Compensating
	TimeWindowUndoable
	IrreversibleInternal
	IrreversiblePublic
	AuthorityModifying
)

var classNames = [...]string{
	"unset", "reversible-internal", "compensating", "time-window-undoable",
	"irreversible-internal", "irreversible-public", "authority-modifying",
}

// Classes lists the six class names in the order of ceilings.
func Classes() []string { return append([]string(nil), classNames[1:]...) }

// ParseClass returns the class of that exact name.
func ParseClass(name string) (Class, error) {
	for c := ReversibleInternal; c <= AuthorityModifying; c++ {
		if classNames[c] == name {
			return c, nil
		}
	}
	return ClassUnset, fmt.Errorf("unknown risk class %q", name)
}

// String returns the class's name as written in contracts.
func (c Class) String() string {
	if int(c) < len(classNames) {
		return classNames[c]
	}
	return classNames[ClassUnset]
}

// MarshalText writes the class's name.
func (c Class) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText reads a class's name; an unknown name is an error.
func (c *Class) UnmarshalText(text []byte) error {
	parsed, err := ParseClass(string(text))
	if err != nil {
		return err
	}
	*c = parsed
	return nil
}
