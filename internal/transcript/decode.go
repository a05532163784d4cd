package transcript

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/planlint/planlint/plan"
)

// Shape says which members of a record are wanted, so that the many large ones
// that no reader looks at are stepped over and not built. A nil shape wants
// everything. Lists are transparent: a shape applies to each item.
type Shape map[string]Shape

// Irregular says what a record held that strict JSON would not have. Such a
// record is still read; the reader notes it.
type Irregular uint8

// The irregularities.
const (
	// DuplicateKey: an object names a key twice; the last one is read, as the
	// clients themselves do, so it comes first; the others stay in the value.
	DuplicateKey Irregular = 1 << iota
	// BadUTF8: a string holds bytes that are no UTF-8; they are kept.
	BadUTF8
	// LoneSurrogate: an escape names half a character; it reads as U+FFFD.
	LoneSurrogate
	// TooDeep: a part is nested deeper than plan.MaxDepth; it is kept as the
	// text that stands there.
	TooDeep
	// OddLiteral: a bare word or number that JSON does not have (NaN), kept as
	// text.
	OddLiteral
)

var irregularNames = []string{
	"a key stands twice", "invalid UTF-8", "half a surrogate pair",
	"nesting too deep", "a literal that is no JSON",
}

// String lists the irregularities, comma separated.
func (i Irregular) String() string {
	var parts []string
	for bit, name := range irregularNames {
		if i&(1<<bit) != 0 {
			parts = append(parts, name)
		}
	}
	return strings.Join(parts, ", ")
}

// SyntaxError is what makes a record unreadable; Pos is where.
type SyntaxError struct {
	Pos plan.Position
	Msg string
}

// Error returns the message with its place.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%d:%d: %s", e.Pos.Line, e.Pos.Column, e.Msg)
}

// errEmpty: nothing but space is left.
var errEmpty = errors.New("no value")

// Decoder reads JSON values from text and keeps the position of each. Strings
// without escapes share the text's memory.
type Decoder struct {
	src       string
	pos       int
	line      int32
	lineStart int
	irregular Irregular
	stack     []plan.Value
	keys      []string
}

// NewDecoder returns a decoder over src, whose first byte stands in column 1 of
// the given line.
func NewDecoder(src string, line int32) *Decoder {
	d := &Decoder{}
	d.Reset(src, line)
	return d
}

// Reset makes the decoder read src from its start.
func (d *Decoder) Reset(src string, line int32) {
	d.src, d.pos, d.line, d.lineStart, d.irregular = src, 0, line, 0, 0
	d.stack, d.keys = d.stack[:0], d.keys[:0]
}

// Irregular returns what was odd since Reset.
func (d *Decoder) Irregular() Irregular { return d.irregular }

// More reports whether anything but space is left.
func (d *Decoder) More() bool {
	d.space()
	return d.pos < len(d.src)
}

// Next reads the next value, as far as want asks for it. Where it breaks off,
// what was read of it comes with the error.
func (d *Decoder) Next(want Shape) (plan.Value, error) {
	d.space()
	if d.pos >= len(d.src) {
		return plan.Value{}, errEmpty
	}
	return d.value(0, want)
}

// Skip steps over the next value without building it.
func (d *Decoder) Skip() error {
	d.space()
	if d.pos >= len(d.src) {
		return errEmpty
	}
	return d.skip()
}

// One reads the only value of the text.
func (d *Decoder) One(want Shape) (plan.Value, error) {
	v, err := d.Next(want)
	if err == nil && d.More() {
		err = d.fail("something follows the value")
	}
	return v, err
}

func (d *Decoder) here(start int) plan.Position {
	return plan.Position{Line: d.line, Column: int32(start - d.lineStart + 1)}
}

func (d *Decoder) fail(msg string) error { return &SyntaxError{d.here(d.pos), msg} }

func (d *Decoder) space() {
	for d.pos < len(d.src) {
		switch d.src[d.pos] {
		case ' ', '\t', '\r':
			d.pos++
		case '\n':
			d.pos++
			d.line++
			d.lineStart = d.pos
		default:
			return
		}
	}
}

func (d *Decoder) value(depth int, want Shape) (plan.Value, error) {
	start, pos := d.pos, d.here(d.pos)
	var v plan.Value
	var err error
	switch c := d.src[d.pos]; {
	case c == '"':
		v.Kind = plan.String
		v.Text, err = d.text()
	case (c == '{' || c == '[') && depth >= plan.MaxDepth:
		d.irregular |= TooDeep
		err = d.skip()
		v = plan.Value{Kind: plan.String, Text: d.src[start:d.pos]}
	case c == '{':
		v, err = d.object(depth, want)
	case c == '[':
		v, err = d.list(depth, want)
	default:
		v, err = d.literal()
	}
	pos.Length = int32(d.pos - start)
	v.Pos = pos
	return v, err
}

func (d *Decoder) list(depth int, want Shape) (plan.Value, error) {
	v := plan.Value{Kind: plan.List}
	base := len(d.stack)
	d.pos++
	for first := true; ; first = false {
		done, err := d.separator(']', first)
		if err != nil || done {
			v.Items = d.popItems(base)
			return v, err
		}
		item, err := d.value(depth+1, want)
		d.stack = append(d.stack, item)
		if err != nil {
			v.Items = d.popItems(base)
			return v, err
		}
	}
}

func (d *Decoder) object(depth int, want Shape) (plan.Value, error) {
	v := plan.Value{Kind: plan.Object}
	base, keys := len(d.stack), len(d.keys)
	d.pos++
	for first := true; ; first = false {
		done, err := d.separator('}', first)
		if err == nil && !done {
			err = d.member(depth, want)
		}
		if err != nil || done {
			v.Items, v.Keys = d.popItems(base), d.popKeys(keys)
			d.lastFirst(&v)
			return v, err
		}
	}
}

// member reads one "key": value and pushes both if they are wanted.
func (d *Decoder) member(depth int, want Shape) error {
	if d.src[d.pos] != '"' {
		return d.fail("expected a key in quotes")
	}
	key, err := d.text()
	if err != nil {
		return err
	}
	d.space()
	if d.pos >= len(d.src) || d.src[d.pos] != ':' {
		return d.fail("expected ':' after a key")
	}
	d.pos++
	d.space()
	if d.pos >= len(d.src) {
		return d.fail("the value is missing")
	}
	below, wanted := want[key]
	if want != nil && !wanted {
		return d.skip()
	}
	item, err := d.value(depth+1, below)
	d.stack, d.keys = append(d.stack, item), append(d.keys, key)
	return err
}

// separator steps over what stands before the next item, and over the closing
// bracket; done says that it was the latter.
func (d *Decoder) separator(closing byte, first bool) (done bool, err error) {
	d.space()
	if d.pos >= len(d.src) {
		return false, d.fail("the text ends inside a value")
	}
	if d.src[d.pos] == closing {
		d.pos++
		return true, nil
	}
	if first {
		return false, nil
	}
	if d.src[d.pos] != ',' {
		return false, d.fail("expected ',' or '" + string(closing) + "'")
	}
	d.pos++
	d.space()
	if d.pos >= len(d.src) {
		return false, d.fail("the text ends inside a value")
	}
	return false, nil
}

func (d *Decoder) popItems(base int) []plan.Value {
	if len(d.stack) == base {
		return nil
	}
	items := make([]plan.Value, len(d.stack)-base)
	copy(items, d.stack[base:])
	d.stack = d.stack[:base]
	return items
}

func (d *Decoder) popKeys(base int) []string {
	if len(d.keys) == base {
		return nil
	}
	keys := make([]string, len(d.keys)-base)
	copy(keys, d.keys[base:])
	d.keys = d.keys[:base]
	return keys
}

// lastFirst puts the last of the members that share a key in the first one's
// place: that is what the clients' own parsers read, and what Get returns. The
// others stay in the value.
func (d *Decoder) lastFirst(v *plan.Value) {
	if len(v.Keys) < 2 || !hasDuplicate(v.Keys) {
		return
	}
	d.irregular |= DuplicateKey
	first := make(map[string]int, len(v.Keys))
	for i, k := range v.Keys {
		if at, ok := first[k]; ok {
			v.Items[at], v.Items[i] = v.Items[i], v.Items[at]
		} else {
			first[k] = i
		}
	}
}

// hasDuplicate compares pairs in small objects and uses a set in large ones.
func hasDuplicate(keys []string) bool {
	if len(keys) > 24 {
		seen := make(map[string]bool, len(keys))
		for _, k := range keys {
			if seen[k] {
				return true
			}
			seen[k] = true
		}
		return false
	}
	for i := range keys {
		for _, k := range keys[:i] {
			if k == keys[i] {
				return true
			}
		}
	}
	return false
}

func (d *Decoder) literal() (plan.Value, error) {
	start := d.pos
	for d.pos < len(d.src) && isLiteral(d.src[d.pos]) {
		d.pos++
	}
	word := d.src[start:d.pos]
	switch word {
	case "":
		return plan.Value{}, d.fail("unexpected character " + strconv.QuoteRune(rune(d.src[d.pos])))
	case "null":
		return plan.Value{}, nil
	case "true", "false":
		return plan.Value{Kind: plan.Bool, Text: word}, nil
	}
	if plan.IsNumber(word) {
		return plan.Value{Kind: plan.Number, Text: word}, nil
	}
	if word == "NaN" || word == "Infinity" || word == "-Infinity" {
		d.irregular |= OddLiteral
		return plan.Value{Kind: plan.String, Text: word}, nil
	}
	d.pos = start
	return plan.Value{}, d.fail("unexpected word")
}

func isLiteral(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '-' || c == '+' || c == '.'
}
