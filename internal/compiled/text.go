package compiled

import "github.com/planlint/planlint/tool"

// Text is one scalar of a policy with the place where it was written. It prints
// as a plain JSON string: places are kept by what a message is about as a whole
// (Tool.Pos, Rule.Pos).
type Text struct {
	S  string
	At tool.Origin
}

// T returns a text without a place.
func T(s string) Text { return Text{S: s} }

// IsZero reports whether the text is empty, for omitzero.
func (t Text) IsZero() bool { return t.S == "" }

// MarshalText writes the text.
func (t Text) MarshalText() ([]byte, error) { return []byte(t.S), nil }

// UnmarshalText reads the text.
func (t *Text) UnmarshalText(b []byte) error {
	t.S = string(b)
	return nil
}

// Strings returns the texts without their places, nil for none.
func Strings(list []Text) []string {
	if len(list) == 0 {
		return nil
	}
	out := make([]string, len(list))
	for i, t := range list {
		out[i] = t.S
	}
	return out
}

// Entry is one key of a mapping with its value.
type Entry[V any] struct {
	Key   Text `json:"key"`
	Value V    `json:"value"`
}

// Entries is a mapping in the order of the file.
type Entries[V any] []Entry[V]

// Get returns the value under a key, nil if there is none.
func (e Entries[V]) Get(key string) *V {
	for i := range e {
		if e[i].Key.S == key {
			return &e[i].Value
		}
	}
	return nil
}
