package session

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/planlint/planlint/internal/transcript"
	"github.com/planlint/planlint/plan"
)

// Value reads one JSON value, as events hold them. Where a key stands twice the
// last one counts, as it does for the clients.
func Value(text string) (plan.Value, error) { return transcript.Unplaced(text) }

func value(raw json.RawMessage) (plan.Value, error) {
	v, err := Value(string(raw))
	if err != nil {
		return v, fmt.Errorf("%w: %v", ErrDamaged, err)
	}
	return v, nil
}

// JSON writes a value.
func JSON(v *plan.Value) json.RawMessage { return appendJSON(nil, v) }

func appendJSON(b []byte, v *plan.Value) []byte {
	switch v.Kind {
	case plan.Bool, plan.Number:
		if json.Valid([]byte(v.Text)) {
			return append(b, v.Text...)
		}
		return appendString(b, v.Text)
	case plan.String:
		return appendString(b, v.Text)
	case plan.List:
		b = append(b, '[')
		for i := range v.Items {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendJSON(b, &v.Items[i])
		}
		return append(b, ']')
	case plan.Object:
		b = append(b, '{')
		for i := range v.Items {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(appendString(b, v.Keys[i]), ':')
			b = appendJSON(b, &v.Items[i])
		}
		return append(b, '}')
	}
	return append(b, "null"...)
}

func appendString(b []byte, s string) []byte {
	if plain(s) {
		return append(append(append(b, '"'), s...), '"')
	}
	data, err := json.Marshal(s)
	if err != nil {
		return append(b, `""`...)
	}
	return append(b, data...)
}

// plain reports whether a text stands in JSON as it is.
func plain(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < ' ' || c >= 0x7f || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' {
			return false
		}
	}
	return true
}

// mapText returns a copy of a value with each string and number replaced.
func mapText(v plan.Value, replace func(string) string) plan.Value {
	switch v.Kind {
	case plan.Number:
		v.Kind = plan.String // a masked number is none
		fallthrough
	case plan.String:
		v.Text = replace(v.Text)
	}
	if len(v.Items) > 0 {
		items := make([]plan.Value, len(v.Items))
		for i := range v.Items {
			items[i] = mapText(v.Items[i], replace)
		}
		v.Items = items
	}
	return v
}

// structured reads an output that is JSON text, so that its fields keep their
// names when their values are masked.
func structured(v plan.Value) plan.Value {
	if v.Kind != plan.String {
		return v
	}
	t := strings.TrimSpace(v.Text)
	if t == "" || t[0] != '{' && t[0] != '[' {
		return v
	}
	if read, err := Value(t); err == nil && json.Valid([]byte(t)) {
		return read
	}
	return v
}

// cut shortens the strings of a value so that together they have at most a
// number of bytes.
func cut(v plan.Value, limit int) (plan.Value, bool) {
	left, short := limit, false
	out := mapStrings(v, func(s string) string {
		if len(s) > left {
			s, short = s[:left], true
		}
		left -= len(s)
		return s
	})
	return out, short
}

// mapStrings is mapText that leaves numbers alone.
func mapStrings(v plan.Value, replace func(string) string) plan.Value {
	if v.Kind == plan.String {
		v.Text = replace(v.Text)
	}
	if len(v.Items) > 0 {
		items := make([]plan.Value, len(v.Items))
		for i := range v.Items {
			items[i] = mapStrings(v.Items[i], replace)
		}
		v.Items = items
	}
	return v
}
