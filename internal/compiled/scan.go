package compiled

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/planlint/planlint/tool"
)

// scanner reads the JSON that go generate wrote of the built-in policies and
// contracts. It knows their fields by name, copies no text, and takes no memory
// but what the result holds: a process that checks one plan would else spend
// more on encoding/json getting to know the types than on the plan. What it does
// not know (a field that only policies of users have) makes it bad, and the
// caller decodes with encoding/json; a test holds both to the same result.
type scanner struct {
	s   string
	i   int
	bad bool
}

// fromJSON decodes text into v by fields, and by encoding/json where the
// scanner meets what it does not know.
func fromJSON[T any](text string, v *T, fields func(*scanner, *T)) error {
	r := &scanner{s: text}
	if fields(r, v); !r.bad && strings.TrimSpace(r.s[r.i:]) == "" {
		return nil
	}
	*v = *new(T)
	return json.Unmarshal([]byte(text), v)
}

func (r *scanner) fail() { r.bad, r.i = true, len(r.s) }

// take steps over one byte if it is next.
func (r *scanner) take(c byte) bool {
	if r.i < len(r.s) && r.s[r.i] == c {
		r.i++
		return true
	}
	return false
}

// object calls field for each key, which reads the value.
func (r *scanner) object(field func(key string)) {
	if !r.take('{') {
		r.fail()
		return
	}
	for first := true; !r.take('}'); first = false {
		if !first && !r.take(',') {
			r.fail()
		}
		key := r.str()
		if !r.take(':') {
			r.fail()
		}
		if r.bad {
			return
		}
		field(key)
	}
}

// str reads a string; one without escapes is a part of the text.
func (r *scanner) str() string {
	if !r.take('"') {
		r.fail()
		return ""
	}
	start := r.i
	for ; r.i < len(r.s); r.i++ {
		switch r.s[r.i] {
		case '"':
			r.i++
			return r.s[start : r.i-1]
		case '\\':
			return r.escaped(start)
		}
	}
	r.fail()
	return ""
}

func (r *scanner) escaped(start int) (s string) {
	for ; r.i < len(r.s); r.i++ {
		switch r.s[r.i] {
		case '\\':
			r.i++
		case '"':
			r.i++
			if json.Unmarshal([]byte(r.s[start-1:r.i]), &s) != nil {
				r.fail()
			}
			return s
		}
	}
	r.fail()
	return ""
}

// word reads a number, true or false.
func (r *scanner) word() string {
	end := strings.IndexAny(r.s[r.i:], ",]}")
	if end < 0 {
		r.fail()
		return ""
	}
	start := r.i
	r.i += end
	return r.s[start:r.i]
}

func (r *scanner) text(t *Text) { t.S = r.str() }

func (r *scanner) boolean(b *bool) {
	switch r.word() {
	case "true":
		*b = true
	case "false":
		*b = false
	default:
		r.fail()
	}
}

func (r *scanner) integer(n *int) {
	var err error
	if *n, err = strconv.Atoi(r.word()); err != nil {
		r.fail()
	}
}

func (r *scanner) origin(o *tool.Origin) {
	r.object(func(key string) {
		switch key {
		case "File":
			o.File = r.str()
		case "Line":
			r.integer(&o.Line)
		case "Column":
			r.integer(&o.Column)
		default:
			r.fail()
		}
	})
}

func (r *scanner) texts(list *[]Text) { scanList(r, list, (*scanner).text) }

// scanList reads a list into memory of its exact size.
func scanList[T any](r *scanner, list *[]T, item func(*scanner, *T)) {
	if !r.take('[') {
		r.fail()
		return
	}
	out := make([]T, 0, r.items())
	for !r.take(']') && !r.bad {
		if len(out) == cap(out) || len(out) > 0 && !r.take(',') {
			r.fail()
			return
		}
		out = out[:len(out)+1]
		item(r, &out[len(out)-1])
	}
	*list = out
}

// items counts the items of the list that was just entered.
func (r *scanner) items() int {
	n, depth := 1, 0
	for i := r.i; i < len(r.s); i++ {
		switch r.s[i] {
		case '"':
			for i++; i < len(r.s) && r.s[i] != '"'; i++ {
				if r.s[i] == '\\' {
					i++
				}
			}
		case '[', '{':
			depth++
		case ',':
			if depth == 0 {
				n++
			}
		case ']', '}':
			if depth--; depth < 0 {
				return n
			}
		}
	}
	return n
}

func scanEntries[V any](r *scanner, list *Entries[V], value func(*scanner, *V)) {
	scanList(r, (*[]Entry[V])(list), func(r *scanner, e *Entry[V]) {
		r.object(func(key string) {
			switch key {
			case "key":
				r.text(&e.Key)
			case "value":
				value(r, &e.Value)
			default:
				r.fail()
			}
		})
	})
}

// scanNew reads a value that may be absent.
func scanNew[T any](r *scanner, p **T, value func(*scanner, *T)) {
	*p = new(T)
	value(r, *p)
}
