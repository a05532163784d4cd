package tool

import (
	"github.com/planlint/planlint/internal/content"
	"github.com/planlint/planlint/internal/fields"
)

// Clean reports whether a scanner recognises nothing in an argument's text,
// plainly or encoded, so that content gives it no label.
func Clean(s *content.Scanner, text string) bool {
	if len(text) < minContent {
		return true
	}
	if len(s.Scan(text)) > 0 {
		return false
	}
	for _, view := range fields.Views(text) {
		if len(s.Scan(view.Text)) > 0 {
			return false
		}
	}
	return true
}
