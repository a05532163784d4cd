package planyaml

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"gopkg.in/yaml.v3"

	"github.com/planlint/planlint/plan"
)

// yamlReader turns yaml.v3's nodes into ours.
type yamlReader struct {
	*decoder
	marks *yamlMarks
	// previous is the scalar before the one being read; its text can't reach
	// further than where the next node begins.
	previous *node
}

// parseYAML reads the whole file; what is wrong is in d.errs.
func (d *decoder) parseYAML() {
	if len(d.src) > MaxYAML {
		d.broken = true
		d.fail(plan.Position{}, "write it as JSON, which is read as it comes", "YAML of %d bytes, over the limit of %d", len(d.src), MaxYAML)
		return
	}
	decoder := yaml.NewDecoder(bytes.NewReader(d.src))
	document, err := decodeYAML(decoder)
	if err != nil || document == nil {
		d.yamlError(err)
		return
	}
	r := &yamlReader{decoder: d, marks: newYAMLMarks(d.src)}
	var top node
	r.node(document, &top, 0)
	if next, err := decodeYAML(decoder); next != nil {
		d.fail(r.markOf(next), "one file holds one plan", "a second YAML document in the file")
	} else if err != nil {
		d.yamlError(err)
	}
	if d.values > MaxValues {
		d.broken = true
		return
	}
	d.top(&top)
}

// decodeYAML returns the next document's root, nil at the end. yaml.v3 has
// panicked on hostile input before (CVE-2022-28948); that must not end planlint.
func decodeYAML(decoder *yaml.Decoder) (root *yaml.Node, err error) {
	defer func() {
		if p := recover(); p != nil {
			root, err = nil, fmt.Errorf("yaml: the parser failed: %v", p)
		}
	}()
	var document yaml.Node
	if err := decoder.Decode(&document); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, nil
		}
		return nil, err
	}
	if len(document.Content) == 0 {
		return nil, nil
	}
	return document.Content[0], nil
}

var yamlLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^yaml: (?:line (\d+): )?`) })

// yamlError reports a syntax error; yaml.v3 knows only its line, and not always.
func (d *decoder) yamlError(err error) {
	d.broken = true
	if err == nil {
		d.fail(plan.Position{}, "a plan has at least version and calls", "empty file")
		return
	}
	text := err.Error()
	found := yamlLine().FindStringSubmatch(text)
	pos := plan.Position{Line: 1, Column: 1}
	if found != nil {
		text = text[len(found[0]):]
		if line, err := strconv.Atoi(found[1]); err == nil {
			pos.Line = int32(line)
		}
	}
	hint := ""
	if strings.Contains(text, "cannot start any token") || strings.Contains(text, "tab character") {
		hint = "YAML is indented with spaces, not tabs"
	}
	if at, ok := d.bareReference(pos); ok {
		pos, hint = at, "quote a value that holds a reference: \"${call.output}\""
	}
	d.fail(pos, hint, "not valid YAML: %s", text)
}

// unquoted is a reference that YAML takes for a flow mapping: ${...} as a value, or
// after other text, without quotes around it.
var unquoted = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[^"'#]*?[:\[{,]\s+[^"'#]*(\$\{)`) })

// bareReference looks for a reference without quotes on the line of a syntax error
// and on the next: yaml.v3 counts from 0 where its parser gave up.
func (d *decoder) bareReference(pos plan.Position) (plan.Position, bool) {
	lines := bytes.SplitN(d.src, []byte("\n"), int(pos.Line)+2)
	for n := int(pos.Line) - 1; n <= int(pos.Line) && n < len(lines); n++ {
		if at := unquoted().FindSubmatchIndex(lines[n]); at != nil {
			return plan.Position{Line: int32(n + 1), Column: int32(at[2] + 1), Length: 2}, true
		}
	}
	return pos, false
}

func (r *yamlReader) markOf(y *yaml.Node) plan.Position {
	return r.lines.position(r.marks.at(y.Line, y.Column), 0)
}

// node reads y into n, which must stay where it is.
func (r *yamlReader) node(y *yaml.Node, n *node, depth int) {
	start := r.marks.at(y.Line, y.Column)
	n.start, n.end = int32(start), int32(len(r.src))
	n.pos = r.lines.position(start, 0)
	if r.previous != nil {
		r.previous.end = min(r.previous.end, n.start)
		r.previous = nil
	}
	if depth > maxTree {
		r.deeper(start)
		return
	}
	if !r.spend(start) {
		return
	}
	r.refuse(y, n.pos)
	switch y.Kind {
	case yaml.MappingNode:
		n.kind = plan.Object
		r.mapping(y, n, depth)
	case yaml.SequenceNode:
		n.kind = plan.List
		n.items = make([]node, len(y.Content))
		for i, item := range y.Content {
			r.node(item, &n.items[i], depth+1)
		}
	case yaml.ScalarNode:
		r.scalar(y, n)
	}
}

// refuse reports what YAML can do and a plan must not: all of it makes a file
// mean something else than it looks like.
func (r *yamlReader) refuse(y *yaml.Node, pos plan.Position) {
	switch {
	case y.Kind == yaml.AliasNode:
		r.fail(pos, "write the value out", "YAML alias %q is not allowed in a plan", "*"+y.Value)
	case y.Anchor != "":
		r.fail(pos, "", "YAML anchor %q is not allowed in a plan", "&"+y.Anchor)
	case y.Style&yaml.TaggedStyle != 0:
		r.fail(pos, "quote the value to make it a string", "YAML tag %q is not allowed in a plan", y.Tag)
	}
}

func (r *yamlReader) mapping(y *yaml.Node, n *node, depth int) {
	count := len(y.Content) / 2
	if depth == maxTree && count > 0 {
		r.deeper(r.marks.at(y.Content[0].Line, y.Content[0].Column))
		n.kind = plan.Null
		return
	}
	n.keys, n.items = make([]key, 0, count), make([]node, count)
	for i := range count {
		name := y.Content[2*i]
		var at node
		r.node(name, &at, depth+1)
		r.previous = nil
		switch {
		case name.Kind != yaml.ScalarNode:
			r.fail(at.pos, "", "a key must be a string, not %s", at.kindName())
		case name.Tag == "!!merge":
			r.fail(at.pos, `quote it to have a key of that name`, "YAML merge key << is not allowed in a plan")
		case at.kind != plan.String:
			r.fail(at.pos, "write "+strconv.Quote(name.Value), "a key must be a string, not %s", at.kindName())
		}
		n.keys = append(n.keys, key{text: name.Value, pos: at.pos})
		r.node(y.Content[2*i+1], &n.items[i], depth+1)
	}
	r.checkKeys(n.keys)
}

func (r *yamlReader) scalar(y *yaml.Node, n *node) {
	n.text = y.Value
	n.style, n.end = r.extent(y, int(n.start))
	if n.style != block {
		n.pos.Length = n.end - n.start
	} else {
		r.previous = n
	}
	switch y.Tag {
	case "!!null":
		n.kind, n.text = plan.Null, ""
	case "!!bool":
		n.kind, n.text = plan.Bool, strings.ToLower(y.Value)
	case "!!int", "!!float":
		n.kind = plan.Number
		r.number(n)
	default:
		n.kind = plan.String
	}
}

// extent tells how a scalar is written and where it ends, if on one line.
func (r *yamlReader) extent(y *yaml.Node, start int) (style, int32) {
	rest := r.src[start:]
	switch {
	case y.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		return block, int32(len(r.src))
	case y.Style&yaml.DoubleQuotedStyle != 0 && bytes.HasPrefix(rest, []byte(`"`)):
		if end := closing(rest, '"'); end > 0 {
			return doubleQuoted, int32(start + end)
		}
	case y.Style&yaml.SingleQuotedStyle != 0 && bytes.HasPrefix(rest, []byte(`'`)):
		if end := closing(rest, '\''); end > 0 {
			return singleQuoted, int32(start + end)
		}
	case bytes.HasPrefix(rest, []byte(y.Value)):
		return plain, int32(start + len(y.Value))
	}
	return block, int32(len(r.src))
}

// closing returns the length of a quoted scalar that ends on its line, else 0.
func closing(b []byte, quote byte) int {
	for i := 1; i < len(b); i++ {
		switch {
		case b[i] == '\n' || b[i] == '\r':
			return 0
		case b[i] == '\\' && quote == '"':
			i++
			if i < len(b) && (b[i] == '\n' || b[i] == '\r') {
				return 0
			}
		case b[i] == quote && quote == '\'' && i+1 < len(b) && b[i+1] == quote:
			i++
		case b[i] == quote:
			return i + 1
		}
	}
	return 0
}

// maxDigits bounds the conversion of YAML's own number forms.
const maxDigits = 1024

// number keeps what JSON has, translates 0x1f, 0o17, 0b11, 1_000, +1 and .5, and
// refuses what has no value in JSON or two meanings in YAML.
func (r *yamlReader) number(n *node) {
	if plan.IsNumber(n.text) {
		return
	}
	text := strings.TrimPrefix(strings.ReplaceAll(n.text, "_", ""), "+")
	digits := strings.TrimPrefix(text, "-")
	switch {
	case len(text) > maxDigits:
	case len(digits) > 1 && digits[0] == '0' && '0' <= digits[1] && digits[1] <= '9':
		r.fail(n.pos, "quote it, or write it without the zero (octal: 0o17)", "%s has a leading zero and may be meant as octal", n.text)
		return
	case strings.HasPrefix(digits, "0") && len(digits) > 2 && strings.IndexByte("xXoObB", digits[1]) >= 0:
		if value, ok := new(big.Int).SetString(text, 0); ok {
			n.text = value.String()
			return
		}
	case strings.HasPrefix(digits, "."):
		text = strings.Replace(text, ".", "0.", 1)
	}
	text = strings.Replace(text, ".e", "e", 1)
	text = strings.TrimSuffix(text, ".")
	if plan.IsNumber(text) {
		n.text = text
		return
	}
	r.fail(n.pos, "quote it to make it a string", "%s is not a number that JSON has", n.text)
}
