// Package planyaml reads planlint's own plan format, written as YAML or JSON.
//
// In: the bytes of one file. Out: a plan.Plan that has passed plan.Validate, or
// everything that is wrong with the file, sorted by place. docs/plan-format.md
// describes the format; Schema is the same as data.
//
// The file is first read into a tree of nodes with positions: JSON by package
// jsontext (RFC 8259, strict), everything else by yaml.v3. A file whose first
// character is '{' is tried as JSON first, since YAML reads most JSON, but not
// all of it ("\/", surrogate pairs, keys over 1024 bytes) and ten times slower.
// The calls of a JSON file are decoded one by one, so that a long plan needs no
// tree of its whole. Then tables of fields drive the decoder (schema.go).
//
// Guaranteed: strict (unknown and duplicate fields, wrong types, aliases,
// anchors, tags, merge keys, several documents are errors), every value has a
// position, cost linear in the input, memory bounded by the constants below, no
// panic. Limits: a reference inside a YAML scalar of several lines has the right
// position only where it stands verbatim in the file.
package planyaml

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/planlint/planlint/internal/spell"
	"github.com/planlint/planlint/plan"
)

// The bounds of a file. What is over them is an error.
const (
	// MaxBytes is the size of a file unless Options say otherwise.
	MaxBytes = 512 << 20
	// MaxYAML is the size of a YAML file: yaml.v3 needs up to 150 bytes of
	// memory for one byte of text. JSON has no bound of its own.
	MaxYAML = 16 << 20
	// MaxValues is how many values a file may hold.
	MaxValues = 1 << 24
)

// Format is the name that plans read by this package have as their Format.
const Format = "planlint"

// Options change how a file is read. The zero value is the default.
type Options struct {
	// MaxBytes is the greatest size of a file; 0 is the constant MaxBytes.
	MaxBytes int64
}

// Parse reads a plan; name is the path that it came from, "-" for standard
// input, and decides nothing but the plan's Source. With errors the plan is nil.
func Parse(src []byte, name string) (*plan.Plan, []plan.Error) {
	return Options{}.Parse(src, name)
}

// Read is Parse for a reader.
func Read(r io.Reader, name string) (*plan.Plan, []plan.Error) {
	return Options{}.Read(r, name)
}

// Read reads all of r, but never more than one byte over the limit.
func (o Options) Read(r io.Reader, name string) (*plan.Plan, []plan.Error) {
	src, err := io.ReadAll(io.LimitReader(r, o.limit()+1))
	if err != nil {
		return nil, []plan.Error{{Message: "can't be read: " + err.Error()}}
	}
	return o.Parse(src, name)
}

func (o Options) limit() int64 {
	if o.MaxBytes <= 0 {
		return MaxBytes
	}
	return min(o.MaxBytes, 1<<31-2) // positions are int32
}

// Parse is the function Parse with options.
func (o Options) Parse(src []byte, name string) (*plan.Plan, []plan.Error) {
	src = bytes.TrimPrefix(src, []byte("\xef\xbb\xbf"))
	if err := o.check(src); err != nil {
		return nil, []plan.Error{*err}
	}
	d := parse(src)
	if !d.broken {
		d.finish()
	}
	if len(d.errs) > 0 {
		return nil, plan.SortErrors(d.errs)
	}
	d.plan.Source, d.plan.Format = name, Format
	return d.plan, nil
}

// check finds what makes a file unreadable as a whole.
func (o Options) check(src []byte) *plan.Error {
	at := newLines(src)
	switch {
	case int64(len(src)) > o.limit():
		return &plan.Error{Message: fmt.Sprintf("over the limit of %d bytes", o.limit())}
	case len(bytes.TrimSpace(src)) == 0:
		return &plan.Error{Message: "empty file", Hint: "a plan has at least version and calls"}
	}
	if i := bytes.IndexByte(src, 0); i >= 0 {
		return &plan.Error{Pos: at.position(i, 1), Message: "a NUL byte; this is no text file"}
	}
	if i := invalidUTF8(src); i >= 0 {
		return &plan.Error{Pos: at.position(i, 1), Message: fmt.Sprintf("invalid UTF-8: byte 0x%02x", src[i])}
	}
	return nil
}

func invalidUTF8(src []byte) int {
	if utf8.Valid(src) {
		return -1
	}
	for i := 0; i < len(src); {
		r, size := utf8.DecodeRune(src[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}

// parse reads JSON, or YAML if it is none.
func parse(src []byte) *decoder {
	d := newDecoder(src)
	start := bytes.TrimLeft(src, " \t\r\n")
	if start[0] != '{' && start[0] != '[' {
		d.parseYAML()
		return d
	}
	if err := d.parseJSON(); err == nil {
		return d
	} else if jsonLike(start) {
		d.errs = append(d.errs, *err)
		d.broken = true
		return d
	}
	d = newDecoder(src)
	d.parseYAML()
	return d
}

// jsonLike tells JSON with a mistake in it from a YAML flow mapping.
func jsonLike(src []byte) bool {
	next := bytes.TrimLeft(src[1:], " \t\r\n")
	return len(next) == 0 || strings.IndexByte(`"}{[]`, next[0]) >= 0
}

// finish resolves names and validates; it runs once all of the file is there.
func (d *decoder) finish() {
	if len(d.plan.Calls) == 0 {
		d.plan.Calls = nil // one form of nothing, so that equal plans are equal
	}
	d.resolve()
	d.errs = append(d.errs, plan.ValidateAt(d.plan, plan.Places{
		ID:      func(i int) plan.Position { return d.idPos[i] },
		After:   d.afterPos,
		Nearest: spell.Nearest,
	})...)
}
