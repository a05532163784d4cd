package transcript

import (
	"strings"

	"github.com/planlint/planlint/plan"
)

// member returns the member of that name; nil if v is no object or has none.
// Where a key stood twice the decoder has put the one that counts first.
func member(v *plan.Value, key string) *plan.Value {
	if v == nil {
		return nil
	}
	return v.Get(key)
}

// at follows a chain of keys.
func at(v *plan.Value, keys ...string) *plan.Value {
	for _, k := range keys {
		v = member(v, k)
	}
	return v
}

// str returns the string at a chain of keys, "" where there is none.
func str(v *plan.Value, keys ...string) string {
	if v = at(v, keys...); v != nil && v.Kind == plan.String {
		return v.Text
	}
	return ""
}

// flag reports whether true stands at a chain of keys.
func flag(v *plan.Value, keys ...string) bool {
	v = at(v, keys...)
	return v != nil && v.Kind == plan.Bool && v.Text == "true"
}

// present reports whether v is there and not null.
func present(v *plan.Value) bool { return v != nil && v.Kind != plan.Null }

// items returns a list's items, none for anything else.
func items(v *plan.Value) []plan.Value {
	if v == nil || v.Kind != plan.List {
		return nil
	}
	return v.Items
}

// leaves joins all strings below v, in file order, one a line: the words of a
// structure whose form does not matter.
func leaves(v *plan.Value) string {
	if v == nil {
		return ""
	}
	if v.Kind == plan.String {
		return v.Text
	}
	var b strings.Builder
	v.Walk(func(_ plan.Path, v *plan.Value) bool {
		if v.Kind == plan.String && v.Text != "" {
			if b.Len() > 0 {
				b.WriteByte('\n')
			}
			b.WriteString(v.Text)
		}
		return true
	})
	return b.String()
}

// oneText makes v a String value that stands where v stands.
func oneText(v *plan.Value, text string) plan.Value {
	return plan.Value{Kind: plan.String, Text: text, Pos: v.Pos}
}

// Member returns the member of that name, nil if there is none.
func Member(v *plan.Value, key string) *plan.Value { return member(v, key) }

// Str returns the string at a chain of keys, "" where there is none.
func Str(v *plan.Value, keys ...string) string { return str(v, keys...) }

// Items returns a list's items, none for anything else.
func Items(v *plan.Value) []plan.Value { return items(v) }

// Leaves joins all strings below v, one a line.
func Leaves(v *plan.Value) string { return leaves(v) }

// Unplaced reads a JSON value that stands in no file of its own: its parts
// have no positions.
func Unplaced(text string) (plan.Value, error) {
	v, err := NewDecoder(text, 1).One(nil)
	place(&v, plan.Position{})
	return v, err
}
