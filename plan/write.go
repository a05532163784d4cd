package plan

import (
	"hash"
	"sort"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// writer writes a plan in the native format as JSON. The canonical form, which is
// only ever hashed, sorts keys by UTF-16 code units and normalises numbers
// (RFC 8785); it writes a byte that is no UTF-8 as \x41, which no JSON has, so
// that two texts never share a form. The printed form keeps the order of keys.
type writer struct {
	b         []byte
	canonical bool
	sink      hash.Hash // where flush sends b, if there is one
	plan      *Plan
	turns     []int            // the turns that are not worth saying, see callFields
	spawns    map[int][]string // call -> the agents that it starts
}

func newWriter(p *Plan) *writer {
	w := &writer{plan: p, turns: DefaultTurns(p.Calls), spawns: map[int][]string{}}
	for i := range p.Calls {
		if p.Calls[i].Turn != w.turns[i] {
			w.turns = nil
			break
		}
	}
	for _, a := range p.Agents {
		if a.SpawnedBy >= 0 {
			w.spawns[a.SpawnedBy] = append(w.spawns[a.SpawnedBy], a.Name)
		}
	}
	return w
}

// flushAt is how many bytes are kept before they go to the sink.
const flushAt = 1 << 16

func (w *writer) flush(least int) {
	if w.sink != nil && len(w.b) > least {
		w.sink.Write(w.b)
		w.b = w.b[:0]
	}
}

func (w *writer) raw(s string) { w.b = append(w.b, s...) }

func (w *writer) bool(v bool) bool {
	if v {
		w.raw("true")
	}
	return v
}

// field is one field of an object of the native format. write returns false
// where the field is to be left out.
type field[T any] struct {
	name  string
	write func(w *writer, p *Plan, x *T) bool
}

func sorted[T any](fields []field[T]) []field[T] {
	out := append([]field[T](nil), fields...)
	sort.Slice(out, func(i, j int) bool { return out[i].name < out[j].name })
	return out
}

func writeObject[T any](w *writer, p *Plan, x *T, fields []field[T]) {
	w.raw("{")
	first := true
	for _, f := range fields {
		start := len(w.b)
		if !first {
			w.raw(",")
		}
		w.string(f.name)
		w.raw(":")
		if !f.write(w, p, x) {
			w.b = w.b[:start]
			continue
		}
		first = false
	}
	w.raw("}")
}

func (w *writer) list(n int, item func(i int)) bool {
	w.raw("[")
	for i := range n {
		if i > 0 {
			w.raw(",")
		}
		item(i)
	}
	w.raw("]")
	return n > 0
}

func (w *writer) strings(list []string) bool {
	return w.list(len(list), func(i int) { w.string(list[i]) })
}

// text writes a string unless it is empty.
func (w *writer) text(s string) bool {
	w.string(s)
	return s != ""
}

func (w *writer) stringMap(m map[string]string) bool {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Slice(keys, func(i, j int) bool { return lessUTF16(keys[i], keys[j]) })
	w.raw("{")
	for i, k := range keys {
		if i > 0 {
			w.raw(",")
		}
		w.string(k)
		w.raw(":")
		w.string(m[k])
	}
	w.raw("}")
	return len(m) > 0
}

// value writes a value of the arguments, where "${" is a reference, or with
// literal set one of an output, where it is text.
func (w *writer) value(v *Value, literal bool) {
	switch v.Kind {
	case Null:
		w.raw("null")
	case Bool:
		w.raw(map[bool]string{true: "true", false: "false"}[v.Text == "true"])
	case Number:
		w.number(v.Text)
	case String:
		w.template(v, literal)
	case List:
		w.list(len(v.Items), func(i int) { w.value(&v.Items[i], literal) })
	case Object:
		w.object(v, literal)
	default:
		w.unknown(v)
	}
}

func (w *writer) number(text string) {
	switch {
	case !IsNumber(text):
		w.string(text)
	case w.canonical:
		w.raw(canonicalNumber(text))
	default:
		w.raw(text)
	}
}

func (w *writer) object(v *Value, literal bool) {
	n := min(len(v.Keys), len(v.Items))
	place := func(i int) int { return i }
	if w.canonical && n > 1 {
		order := make([]int, n)
		for i := range order {
			order[i] = i
		}
		sort.SliceStable(order, func(i, j int) bool { return lessUTF16(v.Keys[order[i]], v.Keys[order[j]]) })
		place = func(i int) int { return order[i] }
	}
	w.raw("{")
	for k := range n {
		if k > 0 {
			w.raw(",")
		}
		i := place(k)
		key := v.Keys[i]
		if !literal && strings.HasPrefix(key, "$") && IsEscapedKey("$"+key) {
			key = "$" + key
		}
		w.string(key)
		w.raw(":")
		w.value(&v.Items[i], literal)
	}
	w.raw("}")
}

// The keys that make an object of the arguments something else than an object.
const (
	RefKey     = "$ref"
	UnknownKey = "$unknown"
)

// IsEscapedKey reports whether a key of an argument's object stands for the same
// key with one dollar less: $$ref for $ref, $$$unknown for $$unknown.
func IsEscapedKey(key string) bool {
	name := strings.TrimLeft(key, "$")
	return len(key)-len(name) >= 2 && (name == "ref" || name == "unknown")
}

// template writes a string with its references.
func (w *writer) template(v *Value, literal bool) {
	refs := v.Refs()
	switch {
	case literal:
		w.string(v.Text)
	case len(refs) > 0 && refs[0].Via != "":
		w.transform(refs)
	case len(refs) == 0:
		w.string(escape(v.Text, false))
	default:
		w.string(w.templateText(v))
	}
}

func (w *writer) templateText(v *Value) string {
	refs := v.Refs()
	var b strings.Builder
	at := 0
	for i := range refs {
		start := max(min(refs[i].Start, len(v.Text)), at)
		b.WriteString(escape(v.Text[at:start], true))
		at = max(min(refs[i].End, len(v.Text)), start)
		b.WriteString(w.reference(&refs[i], v.Text[start:at]))
	}
	b.WriteString(escape(v.Text[at:], false))
	return b.String()
}

// reference keeps the spelling that was written, if it means the same; the
// canonical form has one spelling.
func (w *writer) reference(ref *Ref, written string) string {
	if !w.canonical {
		again, err := ParseRefs(written)
		if err == nil && len(again) == 1 && again[0].Whole && again[0].target() == ref.target() {
			return written
		}
	}
	return ref.String()
}

func (w *writer) transform(refs []Ref) {
	w.raw(`{"` + RefKey + `":`)
	if len(refs) == 1 {
		w.string(refs[0].target())
	} else {
		w.list(len(refs), func(i int) { w.string(refs[i].target()) })
	}
	w.raw(`,"via":`)
	w.string(refs[0].Via)
	w.raw("}")
}

// string writes a JSON string with the escapes of RFC 8785.
func (w *writer) string(s string) {
	const hex = "0123456789abcdef"
	w.b = append(w.b, '"')
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRuneInString(s[i:])
			if r != utf8.RuneError || size != 1 {
				i += size
				continue
			}
		} else if c >= ' ' && c != '"' && c != '\\' {
			i++
			continue
		}
		w.b = append(w.b, s[start:i]...)
		switch {
		case c >= utf8.RuneSelf && w.canonical:
			w.b = append(w.b, '\\', 'x', hex[c>>4], hex[c&15])
		case c >= utf8.RuneSelf:
			w.raw("\ufffd")
		case c == '"' || c == '\\':
			w.b = append(w.b, '\\', c)
		case strings.IndexByte("\b\t\n\f\r", c) >= 0:
			w.b = append(w.b, '\\', "btn?fr"[c-'\b'])
		default:
			w.b = append(w.b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
		i++
		start = i
	}
	w.b = append(w.b, s[start:]...)
	w.b = append(w.b, '"')
}

// lessUTF16 is the order of keys of RFC 8785.
func lessUTF16(a, b string) bool {
	for a != "" && b != "" {
		ra, na := utf8.DecodeRuneInString(a)
		rb, nb := utf8.DecodeRuneInString(b)
		if ra != rb || ra == utf8.RuneError {
			if ua, ub := firstUnit(ra), firstUnit(rb); ua != ub {
				return ua < ub
			}
			return a < b
		}
		a, b = a[na:], b[nb:]
	}
	return len(a) < len(b)
}

func firstUnit(r rune) rune {
	if r >= 0x10000 {
		high, _ := utf16.EncodeRune(r)
		return high
	}
	return r
}
