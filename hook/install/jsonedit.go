package install

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// document is a JSON text that is changed in place: what is not touched keeps
// every byte.
type document struct{ text []byte }

// span is a value's place in a text.
type span struct{ start, end int }

// node is one value with what lies directly below it.
type node struct {
	span
	object, list bool
	keys         []string
	items        []span
	// keyAt are the places where an object's keys start.
	keyAt []int
}

// parseDocument checks that a text is one JSON object. Comments are not JSON,
// and nothing is changed in such a file.
func parseDocument(text []byte) (*document, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		return &document{text: []byte("{}\n")}, nil
	}
	var any map[string]json.RawMessage
	if err := json.Unmarshal(text, &any); err != nil {
		return nil, fmt.Errorf("not plain JSON (%v)", err)
	}
	return &document{text: text}, nil
}

var errShape = errors.New("it does not have the form that its documentation gives")

// at returns the node at a path of keys; ok is false where there is none.
func (d *document) at(path ...string) (n node, ok bool) {
	n, err := d.node(span{0, len(d.text)})
	if err != nil {
		return n, false
	}
	for _, key := range path {
		found := false
		for i := len(n.keys) - 1; i >= 0 && !found; i-- { // the last of a key counts
			if n.keys[i] == key {
				n, err = d.node(n.items[i])
				found = err == nil
			}
		}
		if !found {
			return n, false
		}
	}
	return n, true
}

// node reads one level of the value in a span.
func (d *document) node(in span) (node, error) {
	dec := json.NewDecoder(bytes.NewReader(d.text[in.start:in.end]))
	tok, err := dec.Token()
	if err != nil {
		return node{}, err
	}
	n := node{}
	delim, _ := tok.(json.Delim)
	n.end = in.start + int(dec.InputOffset())
	n.start = n.end - 1
	n.object, n.list = delim == '{', delim == '['
	if !n.object && !n.list {
		n.start = in.start
		return n, nil
	}
	for dec.More() {
		if n.object {
			key, err := dec.Token()
			if err != nil {
				return n, err
			}
			end := in.start + int(dec.InputOffset())
			name, _ := key.(string)
			n.keys = append(n.keys, name)
			n.keyAt = append(n.keyAt, d.back(end, '"'))
		}
		var raw json.RawMessage
		if err := dec.Decode(&raw); err != nil {
			return n, err
		}
		end := in.start + int(dec.InputOffset())
		n.items = append(n.items, span{end - len(raw), end})
	}
	if _, err := dec.Token(); err != nil {
		return n, err
	}
	n.end = in.start + int(dec.InputOffset())
	return n, nil
}

// back returns where the string that ends at an offset starts.
func (d *document) back(end int, quote byte) int {
	for at := end - 2; at >= 0; at-- {
		if d.text[at] != quote {
			continue
		}
		slashes := 0
		for k := at - 1; k >= 0 && d.text[k] == '\\'; k-- {
			slashes++
		}
		if slashes%2 == 0 {
			return at
		}
	}
	return end
}

// ensure makes an empty container at a path where there is none; kind is "{}" or
// "[]". What stands there of another kind is an error.
func (d *document) ensure(kind string, path ...string) error {
	n, ok := d.at(path...)
	if ok {
		if n.object != (kind == "{}") || n.list != (kind == "[]") {
			return fmt.Errorf("%s: %w", strings.Join(path, "."), errShape)
		}
		return nil
	}
	parent, ok := d.at(path[:len(path)-1]...)
	if !ok || !parent.object {
		return fmt.Errorf("%s: %w", strings.Join(path, "."), errShape)
	}
	key, _ := json.Marshal(path[len(path)-1])
	d.insert(parent, string(key)+": "+kind)
	return nil
}

// appendTo adds an element to a list.
func (d *document) appendTo(element any, path ...string) error {
	n, ok := d.at(path...)
	if !ok || !n.list {
		return fmt.Errorf("%s: %w", strings.Join(path, "."), errShape)
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // a command is easier to read with its > and &
	if err := enc.Encode(element); err != nil {
		return err
	}
	d.insert(n, strings.TrimSpace(b.String()))
	return nil
}

// insert puts a member or element behind a container's last one, on a line of
// its own where the others have one.
func (d *document) insert(n node, text string) {
	if len(n.items) == 0 {
		indent := d.indentOf(n.start)
		inner := "\n" + indent + "  "
		d.splice(n.start+1, n.end-1, inner+reindent(text, indent+"  ")+"\n"+indent)
		return
	}
	first := n.items[0].start
	if n.object {
		first = n.keyAt[0]
	}
	gap := string(d.text[n.start+1 : first])
	indent := ""
	if i := strings.LastIndexByte(gap, '\n'); i >= 0 {
		indent = gap[i+1:]
		gap = gap[i:]
	} else if gap == "" {
		gap = " "
	}
	last := n.items[len(n.items)-1].end
	d.splice(last, last, ","+gap+reindent(text, indent))
}

// reindent leaves an element on one line: hooks are short, and a diff of one
// line an entry is easy to read.
func reindent(text, _ string) string { return text }

// indentOf is the indentation of the line that holds an offset.
func (d *document) indentOf(at int) string {
	line := d.text[bytes.LastIndexByte(d.text[:at], '\n')+1 : at]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

func (d *document) splice(start, end int, text string) {
	d.text = append(append(append([]byte(nil), d.text[:start]...), text...), d.text[end:]...)
}

// removeFrom removes the elements of a list, or the members of an object, for
// which gone says so; it returns how many.
func (d *document) removeFrom(gone func(key string, value []byte) bool, path ...string) int {
	removed := 0
	for {
		n, ok := d.at(path...)
		if !ok {
			return removed
		}
		hit := -1
		for i, s := range n.items {
			key := ""
			if n.object {
				key = n.keys[i]
			}
			if gone(key, d.text[s.start:s.end]) {
				hit = i
				break
			}
		}
		if hit < 0 {
			return removed
		}
		d.cut(n, hit)
		removed++
	}
}

// cut takes one item out, with the comma that goes with it.
func (d *document) cut(n node, i int) {
	start, end := n.items[i].start, n.items[i].end
	if n.object {
		start = n.keyAt[i]
	}
	switch {
	case i > 0:
		start = n.items[i-1].end
	case len(n.items) > 1:
		end = n.items[1].start
		if n.object {
			end = n.keyAt[1]
		}
	default:
		start, end = n.start+1, n.end-1
	}
	d.splice(start, end, "")
}
