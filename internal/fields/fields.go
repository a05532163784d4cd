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

import "strings"

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
	// Node is its place.
	Node int32
	Kind Kind
}

// Document is a text taken apart. It is immutable once parsed.
type Document struct {
	Format Format
	Nodes  []Node
	Leaves []Leaf
	// Cut: a bound was met, and the whole text is one leaf.
	Cut bool
}

// Parse takes a text apart.
func Parse(text string) *Document {
	d := &Document{}
	if len(text) > MaxText {
		d.Cut = true
		d.Nodes = []Node{{Parent: -1, Index: -1}}
		d.Leaves = []Leaf{{Kind: Prose, Text: text, End: MaxText}}
		return d
	}
	d.parse(text, 0, -1, 0)
	return d
}

// parse reads a text into the tree below a parent.
func (d *Document) parse(text string, base int, parent int32, nested int) {
	readers, n := readersFor(text)
	for _, r := range readers[:n] {
		b := builder{doc: d, text: text, base: base, nested: nested, nodes: len(d.Nodes), leaves: len(d.Leaves)}
		root := b.node(parent, "", -1)
		if r.read(&b, root) && !b.full {
			if nested == 0 {
				d.Format = r.format
				if b.python {
					d.Format = Python
				}
			}
			return
		}
		d.Cut = d.Cut || b.full && nested == 0
		b.undo()
	}
	b := builder{doc: d, text: text, base: base}
	root := b.node(parent, "", -1)
	if text != "" {
		b.leaf(Prose, text, 0, len(text), root)
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

// builder adds nodes and leaves of one reader.
type builder struct {
	doc    *Document
	text   string
	base   int
	nested int
	// nodes and leaves are how many there were before, for undo.
	nodes, leaves int
	full, python  bool
}

func (b *builder) undo() {
	b.doc.Nodes = b.doc.Nodes[:b.nodes]
	b.doc.Leaves = b.doc.Leaves[:b.leaves]
}

func (b *builder) node(parent int32, key string, index int) int32 {
	b.doc.Nodes = append(b.doc.Nodes, Node{Parent: parent, Key: key, Index: int32(index)})
	return int32(len(b.doc.Nodes) - 1)
}

func (b *builder) object(node int32) { b.doc.Nodes[node].Object = true }

// leaf adds a leaf; a text that holds a document of its own is taken apart too.
func (b *builder) leaf(kind Kind, text string, start, end int, node int32) {
	if len(b.doc.Leaves) >= MaxLeaves {
		b.full = true
		return
	}
	if kind == String && b.nested < maxNested && holdsDocument(text) {
		sub := &Document{Nodes: b.doc.Nodes, Leaves: b.doc.Leaves}
		before := len(sub.Leaves)
		sub.parse(text, 0, node, b.nested+1)
		b.doc.Nodes, b.doc.Leaves = sub.Nodes, sub.Leaves
		for i := before; i < len(sub.Leaves); i++ {
			sub.Leaves[i].Start, sub.Leaves[i].End = int32(b.base+start), int32(b.base+end)
		}
		return
	}
	b.doc.Leaves = append(b.doc.Leaves, Leaf{Kind: kind, Text: text, Start: int32(b.base + start), End: int32(b.base + end), Node: node})
}

// key adds the leaf of a key that is data.
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
	for node > 0 && !d.Nodes[node].Object {
		node = d.Nodes[node].Parent
	}
	return max(node, 0)
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

// Graft hangs the tree of another document below a node.
func (d *Document) Graft(sub *Document, node int32) {
	base := int32(len(d.Nodes))
	for _, n := range sub.Nodes {
		if n.Parent < 0 {
			n.Parent = node
		} else {
			n.Parent += base
		}
		d.Nodes = append(d.Nodes, n)
	}
	for _, l := range sub.Leaves {
		l.Node += base
		d.Leaves = append(d.Leaves, l)
	}
}
