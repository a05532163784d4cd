// Package fields takes texts apart: the output of a tool into its fields, and a
// text into the atoms that name something (atom.go).
//
// In: a text of unknown format. Out: a Document: the leaves of the text, each
// with its decoded text, the bytes that it stands in and its path; and the tree
// of nodes above them, so that a reader knows which leaves are one record.
//
// Formats are tried from the most to the least telling: JSON and the repr of
// Python's values (one reader, since tools print both), XML and HTML, block YAML
// as dumpers print it, tables of comma- or tab-separated values, key-value lines.
// What none of them reads as a whole is one text leaf: malformed input is never
// dropped, it only loses its structure. Each reader makes one pass, and there are
// five of them, so cost is linear. No reader follows references, tags or anchors.
//
// Limits: more than MaxDepth levels or MaxLeaves leaves make the whole a text
// leaf (Document.Cut says so).
package fields

import (
	"slices"
	"strings"
)

// The bounds of a document; what is beyond is read as one text.
const (
	MaxDepth  = 64
	MaxLeaves = 1 << 20
	// MaxText is the size in bytes up to which a text is taken apart.
	MaxText = 1 << 30
	// maxNested is how deep texts that hold a document are looked into.
	maxNested = 2
)

// Format says how a document was read.
type Format uint8

// The formats.
const (
	Text Format = iota
	JSON
	Python
	YAML
	Markup
	Table
	KeyValue
)

var formatNames = [...]string{"text", "json", "python", "yaml", "markup", "table", "key-value"}

// String returns the format's name.
func (f Format) String() string { return formatNames[f] }

// Kind says what a leaf is.
type Kind uint8

// The kinds of leaf.
const (
	// String is text in a field of its own.
	String Kind = iota
	Number
	Bool
	Null
	// Key is the key of an object that is data too, since it is no identifier:
	// objects are often keyed by names.
	Key
	// Prose is text outside of any field: a text document, text between tags.
	Prose
)

// Node is one container or leaf place in the tree. Node 0 is the root.
type Node struct {
	// Parent is the node above, -1 for the root.
	Parent int32
	// Key is the object key, or empty; Index the list index, or -1.
	Key   string
	Index int32
	// Object: it has keys, so that the leaves below it describe one thing.
	Object bool
}

// Leaf is one piece of data.
type Leaf struct {
	// Text is decoded; Start and End are the bytes of the source it stands in.
	Text       string
	Start, End int32
	// At and To are where it stands in the text of its segment. Several leaves may
	// share a place: the cells of a row.
	At, To int32
	// Segment is the number of the segment, -1 for a leaf that no text holds.
	Segment int32
	// Node is its place.
	Node int32
	Kind Kind
	// Decoded: the words of Text are not those of the segment from At to To.
	Decoded bool
}

// Segment is a text that was taken apart: a source, or a string in one that holds
// a document of its own.
type Segment struct {
	Text string
	// First and End are its leaves, those of the segments in it included.
	First, End int32
	// Outer is the segment that it is a string of, from At to To; -1 for a source.
	Outer, At, To int32
	// Ordered: the leaves come in the order of their places.
	Ordered bool
}

// Document holds texts taken apart, a tree for each. What was added stays as it is.
type Document struct {
	Nodes    []Node
	Leaves   []Leaf
	Segments []Segment
	// Root is the text that was added last.
	Root
	// top is what reads a text that lies in no other.
	top builder
}

// Root is one text of a document.
type Root struct {
	Format Format
	// Cut: a bound was met, and the whole text is one leaf.
	Cut bool
	// Node is the text's node, First and End are its leaves.
	Node, First, End int32
}

// Parse takes one text apart.
func Parse(text string) *Document {
	d := &Document{}
	d.Add(text)
	return d
}

// Add takes a text apart.
func (d *Document) Add(text string) Root {
	d.begin()
	switch {
	case len(text) > MaxText:
		d.Cut = true
		d.whole(text[:MaxText])
	case oneLine(text):
		d.whole(text)
	default:
		d.parse(text, -1, nil)
	}
	d.Root.End = int32(len(d.Leaves))
	return d.Root
}

// AddText adds a text as one leaf.
func (d *Document) AddText(text string) Root {
	d.begin()
	d.whole(text[:min(len(text), MaxText)])
	d.Root.End = int32(len(d.Leaves))
	return d.Root
}

// oneLine reports whether a text is a single line that no reader takes apart.
func oneLine(text string) bool {
	if text == "" || strings.IndexByte(text, '\n') >= 0 || strings.IndexByte(text, '<') >= 0 {
		return false
	}
	switch text[0] {
	case '{', '[', '(', '-', ' ', '\t', '\r', '"', '\'', 0xef:
		return false
	}
	return true
}

// Reserve makes room for texts that are mostly not taken apart.
func (d *Document) Reserve(texts int) {
	d.Nodes = slices.Grow(d.Nodes, texts)
	d.Leaves = slices.Grow(d.Leaves, texts)
	d.Segments = slices.Grow(d.Segments, texts)
}

// Reset empties the document, which keeps its memory but no text.
func (d *Document) Reset() {
	clear(d.Nodes[:cap(d.Nodes)])
	clear(d.Leaves[:cap(d.Leaves)])
	clear(d.Segments[:cap(d.Segments)])
	*d = Document{Nodes: d.Nodes[:0], Leaves: d.Leaves[:0], Segments: d.Segments[:0]}
}

func (d *Document) begin() {
	d.Root = Root{Node: int32(len(d.Nodes)), First: int32(len(d.Leaves))}
}

func (d *Document) whole(text string) {
	segment := d.segment(text, nil)
	d.Leaves = append(d.Leaves, Leaf{Kind: Prose, Text: text, End: int32(len(text)), To: int32(len(text)), Segment: segment,
		Node: d.AddNode(-1, "", -1, false)})
	d.Segments[segment].End = int32(len(d.Leaves))
}

// Start begins a tree of values that are no text; Finish ends it.
func (d *Document) Start() { d.begin(); d.Root.Format = JSON }

// Finish ends a tree that Start began.
func (d *Document) Finish() Root { d.Root.End = int32(len(d.Leaves)); return d.Root }

// AddNode adds a node below a parent, -1 for none; index is -1 for a key.
func (d *Document) AddNode(parent int32, key string, index int, object bool) int32 {
	d.Nodes = append(d.Nodes, Node{Parent: parent, Key: key, Index: int32(index), Object: object})
	return int32(len(d.Nodes) - 1)
}

// AddLeaf adds the value of a node; a string that holds a document is taken apart.
func (d *Document) AddLeaf(kind Kind, text string, node int32) {
	if kind == String && holdsDocument(text) {
		outer := &builder{doc: d, segment: -1}
		d.parse(text, node, &place{builder: outer})
		return
	}
	d.Leaves = append(d.Leaves, Leaf{Kind: kind, Text: text, Node: node, Segment: -1})
}

// place is where a string stands that holds a document.
type place struct {
	*builder
	start, end int
}

// segment adds the segment of a text.
func (d *Document) segment(text string, in *place) int32 {
	s := Segment{Text: text, First: int32(len(d.Leaves)), Outer: -1, Ordered: true}
	if in != nil {
		s.Outer, s.At, s.To = in.segment, int32(in.start), int32(in.end)
	}
	d.Segments = append(d.Segments, s)
	return int32(len(d.Segments) - 1)
}

// parse reads a text into the tree below a parent: one of its own, or the string
// that stands somewhere in another.
func (d *Document) parse(text string, parent int32, in *place) {
	b := &d.top
	if in != nil {
		b = new(builder)
	}
	*b = builder{doc: d, text: text, segment: d.segment(text, in), first: int(d.Root.First), in: in}
	if in != nil {
		b.nested = in.nested + 1
	}
	b.read(parent)
	d.Segments[b.segment].End = int32(len(d.Leaves))
}

// read tries the readers in turn.
func (b *builder) read(parent int32) {
	d := b.doc
	b.nodes, b.leaves, b.segments = len(d.Nodes), len(d.Leaves), len(d.Segments)
	readers, n := readersFor(b.text)
	for _, r := range readers[:n] {
		root := b.node(parent, "", -1)
		b.escapes = r.format == JSON
		if r.read(b, root) && !b.full {
			if len(d.Leaves) == b.leaves { // containers only: their keys are what it says
				b.leaf(Key, b.text, 0, len(b.text), root)
			}
			if b.nested == 0 {
				d.Format = r.format
				if b.python {
					d.Format = Python
				}
			}
			return
		}
		d.Cut = d.Cut || b.full && b.nested == 0
		b.undo()
	}
	root := b.node(parent, "", -1)
	if b.text != "" {
		b.leaf(Prose, b.text, 0, len(b.text), root)
	}
}

type reader struct {
	format Format
	read   func(*builder, int32) bool
}

// readersFor lists the readers that a text's beginning allows.
func readersFor(text string) (list [4]reader, n int) {
	head := strings.TrimLeft(text, " \t\r\n\ufeff")
	if head == "" {
		return list, 0
	}
	switch head[0] {
	case '{', '[', '(':
		return [...]reader{{JSON, readJSON}, {YAML, readYAML}, {Markup, readMixed}, {}}, 3
	case '<':
		return [...]reader{{Markup, readMarkup}, {}, {}, {}}, 1
	}
	return [...]reader{{YAML, readYAML}, {Table, readTable}, {KeyValue, readKeyValue}, {Markup, readMixed}}, 4
}

// builder adds nodes and leaves of one text.
type builder struct {
	doc     *Document
	text    string
	segment int32
	nested  int
	in      *place
	// first is the number of the source's first leaf.
	first int
	// nodes, leaves and segments are how many there were before, for undo.
	nodes, leaves, segments int
	full, python            bool
	// escapes: strings are written with backslashes.
	escapes bool
}

func (b *builder) undo() {
	d := b.doc
	d.Nodes, d.Leaves, d.Segments = d.Nodes[:b.nodes], d.Leaves[:b.leaves], d.Segments[:b.segments]
	d.Segments[b.segment].Ordered = true
	b.full, b.python = false, false
}

func (b *builder) node(parent int32, key string, index int) int32 {
	return b.doc.AddNode(parent, key, index, false)
}

func (b *builder) object(node int32) { b.doc.Nodes[node].Object = true }

// leaf adds a leaf; a text that holds a document of its own is taken apart too.
func (b *builder) leaf(kind Kind, text string, start, end int, node int32) {
	d := b.doc
	if len(d.Leaves)-b.first >= MaxLeaves {
		b.full = true
		return
	}
	if kind == String && b.nested < maxNested && holdsDocument(text) {
		d.parse(text, node, &place{builder: b, start: start, end: end})
		return
	}
	s := &d.Segments[b.segment]
	if n := len(d.Leaves); n > int(s.First) && d.Leaves[n-1].Segment == b.segment && int(d.Leaves[n-1].At) > start {
		s.Ordered = false
	}
	x := Leaf{Kind: kind, Text: text, Node: node, Segment: b.segment, At: int32(start), To: int32(end), Decoded: b.decodes(text, start, end)}
	x.Start, x.End = x.At, x.To
	for in := b.in; in != nil; in = in.in {
		x.Start, x.End = int32(in.start), int32(in.end)
	}
	d.Leaves = append(d.Leaves, x)
}

// decodes reports whether the words of a leaf may differ from those where it
// stands.
func (b *builder) decodes(text string, start, end int) bool {
	at := b.text[start:end]
	return at != text && (!b.escapes || strings.Contains(at, `\u`) || strings.Contains(at, `\x`))
}

// key adds the leaf of a key that is data: no identifier that a program chose.
func (b *builder) key(text string, start, end int, node int32) {
	for i := 0; i < len(text); i++ {
		if c := text[i]; !(c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' && i > 0 || '0' <= c && c <= '9' && i > 0) {
			b.leaf(Key, text, start, end, node)
			return
		}
	}
}

// holdsDocument reports whether a string is worth looking into: servers wrap
// JSON in text.
func holdsDocument(text string) bool {
	if len(text) < 8 {
		return false
	}
	first, last := text[0], text[len(text)-1]
	return first == '{' && last == '}' || first == '[' && last == ']'
}

// Record returns the node of the record that a node belongs to: the nearest
// object, else the root.
func (d *Document) Record(node int32) int32 {
	for !d.Nodes[node].Object && d.Nodes[node].Parent >= 0 {
		node = d.Nodes[node].Parent
	}
	return node
}

// Above returns the object that a record lies in, if it lies in one.
func (d *Document) Above(record int32) (int32, bool) {
	for node := d.Nodes[record].Parent; node >= 0; node = d.Nodes[node].Parent {
		if d.Nodes[node].Object {
			return node, true
		}
	}
	return 0, false
}

// Depth returns how many steps lead to a node.
func (d *Document) Depth(node int32) int {
	n := 0
	for ; node >= 0; node = d.Nodes[node].Parent {
		if d.Nodes[node].Key != "" || d.Nodes[node].Index >= 0 {
			n++
		}
	}
	return n
}
