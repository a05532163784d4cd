package compiled

import "github.com/planlint/planlint/tool"

// Scope says which variables a condition has.
type Scope string

// The scopes, named after where the condition stands.
const (
	ScopeFlow      Scope = "flow"
	ScopeCall      Scope = "call"
	ScopePlan      Scope = "plan"
	ScopeClassWhen Scope = "class_when"
	ScopeOutput    Scope = "output"
	ScopeRule      Scope = "rule"
)

// Condition is the text of a condition and where it stands.
type Condition struct {
	Scope Scope
	Text  string
	// At is where the text starts in the file, inside of quotes.
	At tool.Origin
	// Tool is the contract that it belongs to, if any.
	Tool string
	// Builtin conditions were checked when the packs were flattened.
	Builtin bool
}

// Conditioner numbers conditions and evaluates them later.
type Conditioner interface {
	tool.Conditions
	// Condition returns the condition's number. An error says what is wrong
	// with the text.
	Condition(Condition) (tool.Cond, error)
}

// Named is what a condition of a contract is found by.
type Named struct {
	Scope Scope
	Tool  string
	Text  string
}

// frozen is a Conditioner that answers from what was numbered at load, so that
// a contract can be decoded while plans are checked.
type frozen struct {
	Conditioner
	known map[Named]tool.Cond
}

func (f frozen) Condition(c Condition) (tool.Cond, error) {
	return f.known[Named{c.Scope, c.Tool, c.Text}], nil
}
