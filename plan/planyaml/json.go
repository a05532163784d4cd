package planyaml

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/planlint/planlint/plan"
)

// jsonReader reads JSON tokens into nodes.
type jsonReader struct {
	*decoder
	dec *jsontext.Decoder
	// The items and keys of the mappings and lists that are open, innermost last;
	// at its end each takes its own out into an arena.
	openItems []node
	openKeys  []key
	items     arena[node]
	keys      arena[key]
}

// maxExpected is for how many calls room is made before they are read.
const maxExpected = 1 << 20

// parseJSON reads the whole file. The error is one of syntax, after which
// nothing can be read; what is wrong with the plan is in d.errs.
func (d *decoder) parseJSON() *plan.Error {
	r := &jsonReader{decoder: d, dec: jsontext.NewDecoder(bytes.NewBuffer(d.src), jsontext.AllowDuplicateNames(true))}
	d.plan.Calls = make([]plan.Call, 0, min(bytes.Count(d.src, []byte(`"tool"`)), maxExpected))
	top, err := r.value(0, false)
	if errors.Is(err, errStop) {
		d.broken = true
		return nil
	}
	if err != nil {
		return r.syntax(err)
	}
	next := r.tokenStart()
	if _, err := r.dec.ReadToken(); !errors.Is(err, io.EOF) {
		if err != nil {
			return r.syntax(err)
		}
		return &plan.Error{Pos: d.lines.position(next, 0), Message: "more than one JSON value in the file", Hint: "one file holds one plan"}
	}
	d.top(&top)
	return nil
}

// syntax makes an error of jsontext one of ours.
func (r *jsonReader) syntax(err error) *plan.Error {
	var syntactic *jsontext.SyntacticError
	offset, message := len(r.src), err.Error()
	if errors.As(err, &syntactic) {
		offset, message = int(syntactic.ByteOffset), syntactic.Err.Error()
		if errors.Is(err, io.ErrUnexpectedEOF) {
			message = "unexpected end of the file"
		}
	} else if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		message = "unexpected end of the file"
	}
	return &plan.Error{Pos: r.lines.position(min(offset, len(r.src)), 0), Message: "not valid JSON: " + strings.TrimPrefix(message, "jsontext: ")}
}

// tokenStart is the offset of the token that is read next.
func (r *jsonReader) tokenStart() int {
	i := int(r.dec.InputOffset())
	for i < len(r.src) && strings.IndexByte(" \t\r\n,:", r.src[i]) >= 0 {
		i++
	}
	return i
}

// value reads one value. Where streamed is set it is the list of calls, whose
// items go to the decoder at once and are not kept.
func (r *jsonReader) value(depth int, streamed bool) (node, error) {
	start := r.tokenStart()
	if depth > maxTree {
		r.deeper(start)
		return node{start: int32(start), pos: r.lines.position(start, 0)}, r.dec.SkipValue()
	}
	if !r.spend(start) {
		return node{}, errStop
	}
	token, err := r.dec.ReadToken()
	if err != nil {
		return node{}, err
	}
	n := node{start: int32(start), pos: r.lines.position(start, 0)}
	switch token.Kind() {
	case '{':
		n.kind = plan.Object
		return n, r.members(&n, depth)
	case '[':
		n.kind = plan.List
		return n, r.elements(&n, depth, streamed)
	case '"':
		n.kind, n.style, n.text = plan.String, doubleQuoted, token.String()
	case '0':
		n.kind, n.text = plan.Number, token.String()
	case 't', 'f':
		n.kind, n.text = plan.Bool, token.String()
	}
	n.end = int32(r.dec.InputOffset())
	n.pos.Length = n.end - n.start
	return n, nil
}

func (r *jsonReader) members(n *node, depth int) error {
	firstItem, firstKey := len(r.openItems), len(r.openKeys)
	for r.dec.PeekKind() != '}' {
		start := r.tokenStart()
		name, err := r.dec.ReadToken()
		if err != nil {
			return err
		}
		k := key{text: name.String(), pos: r.lines.position(start, int(r.dec.InputOffset())-start)}
		item, err := r.value(depth+1, depth == 0 && k.text == "calls")
		if err != nil {
			return err
		}
		r.openKeys, r.openItems = append(r.openKeys, k), append(r.openItems, item)
	}
	n.keys, r.openKeys = r.keys.take(r.openKeys, firstKey)
	n.items, r.openItems = r.items.take(r.openItems, firstItem)
	_, err := r.dec.ReadToken()
	if err == nil {
		r.checkKeys(n.keys)
	}
	return err
}

func (r *jsonReader) elements(n *node, depth int, streamed bool) error {
	first := len(r.openItems)
	if streamed { // with arenas of its own, which can be reset
		r.items, r.keys = arena[node]{}, arena[key]{}
	}
	for r.dec.PeekKind() != ']' {
		item, err := r.value(depth+1, false)
		if err != nil {
			return err
		}
		if streamed {
			r.call(&item)
			r.items.reset() // nothing of a call's tree is kept
			r.keys.reset()
		} else {
			r.openItems = append(r.openItems, item)
		}
	}
	n.items, r.openItems = r.items.take(r.openItems, first)
	_, err := r.dec.ReadToken()
	return err
}

// errStop ends the reading of a file for which an error has been reported.
var errStop = errors.New("too many values")

// spend counts the values of a file.
func (d *decoder) spend(offset int) bool {
	d.values++
	if d.values == MaxValues+1 {
		d.fail(d.lines.position(offset, 0), "", "more than %d values in one file", MaxValues)
	}
	return d.values <= MaxValues
}

// deeper reports once that the file is nested too deep.
func (d *decoder) deeper(offset int) {
	if d.deep {
		return
	}
	d.deep = true
	d.fail(d.lines.position(offset, 0), "", "nested deeper than %d levels", plan.MaxDepth)
}

// checkKeys reports keys that stand twice in one mapping.
func (d *decoder) checkKeys(keys []key) {
	duplicates(keys, func(first, again key) {
		d.fail(again.pos, "", "key %q stands twice in one mapping, first at %d:%d", again.text, first.pos.Line, first.pos.Column)
	})
}

func (d *decoder) fail(pos plan.Position, hint, format string, args ...any) {
	if len(d.errs) < maxKept {
		d.errs = append(d.errs, plan.Error{Pos: pos, Message: fmt.Sprintf(format, args...), Hint: hint})
	}
}
