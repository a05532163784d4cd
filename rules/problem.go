package rules

import (
	"fmt"

	"github.com/planlint/planlint/tool"
)

// Problem is an error of one rule or of the settings.
type Problem struct {
	// Pos is the rule's own position; zero for settings.
	Pos tool.Origin
	// Field is the rule's key that is wrong: "path", "accepts"; empty for the
	// whole rule.
	Field   string
	Message string
	Hint    string
}

// Error writes file:line:col: message.
func (p Problem) Error() string {
	if p.Pos.File == "" {
		return p.Message
	}
	return fmt.Sprintf("%s:%d:%d: %s", p.Pos.File, p.Pos.Line, p.Pos.Column, p.Message)
}
