package origin

import (
	"slices"
	"strings"

	"github.com/planlint/planlint/internal/fields"
	"github.com/planlint/planlint/plan"
)

// leaf is one field of an output, or a text of the user's.
type leaf struct {
	call   int32 // -1 for the user's words
	record int32
	kind   FieldKind
	open   bool
	ref    bool
	// private: it is for the user's eyes.
	private bool
	doc     int32 // number of the leaf in its document
	text    string
}

// record is one thing that an output describes.
type record struct {
	call   int32
	parent int32
	// from and end are its leaves.
	from, end int32
	standing  Standing
	chain     []Pointer
	// tainted: it was found by a search that unendorsed text worded.
	tainted bool
	// text: third-party text lies in it.
	text bool
	// only: the output is this one record.
	only bool
}

// analysis is the state of one Analyze.
type analysis struct {
	plan  *plan.Plan
	facts []Facts
	index *index
	docs  []*fields.Document
	// leaves of call i are leaves[first[i]:first[i+1]], records likewise.
	leaves      []leaf
	first       []int32
	records     []record
	firstRecord []int32
	request     *request
	prompt      []promptText
	// textAt is the first call whose output holds third-party text, or len.
	textAt int
	// delegates: the user hands the choice of acts to a text.
	delegates bool
	// private: some contract has private fields; runs are then those of the content
	// of each call.
	private bool
	runs    [][]int32
	// visited are the addresses that were fetched with the user's cover.
	visited map[int32]bool
	words   []fields.Word
	// parts are those of the call that is collected.
	parts []Part
}

// promptText is one text of the user's with its words.
type promptText struct {
	text   string
	before int
	words  []fields.Word
	atoms  []promptAtom
}

type promptAtom struct {
	kind  fields.AtomKind
	text  string
	words []fields.Word
}

func newAnalysis(p *plan.Plan, facts []Facts) *analysis {
	private := false
	for i := range facts {
		for k := range facts[i].Fields {
			private = private || facts[i].Fields[k].Private
		}
	}
	return &analysis{plan: p, facts: facts, private: private, runs: make([][]int32, len(p.Calls)), index: newIndex(), visited: map[int32]bool{}}
}

// acting reports whether there is anything to ask about.
func (a *analysis) acting() bool {
	for i := range a.facts {
		if a.facts[i].Effect != Reads {
			return true
		}
	}
	return false
}

// read takes the outputs and the user's words apart.
func (a *analysis) read() {
	var texts []string
	for i := range a.plan.Texts {
		t := &a.plan.Texts[i]
		if t.Kind != plan.TextUser {
			continue
		}
		a.leaves = append(a.leaves, leaf{call: -1, record: -1, kind: user, text: t.Text})
		a.prompt = append(a.prompt, newPrompt(t))
		texts = append(texts, t.Text)
	}
	a.request = newRequest(texts)
	a.delegates = delegates(texts)
	a.textAt = len(a.plan.Calls)
	a.docs = make([]*fields.Document, len(a.plan.Calls))
	for i := range a.plan.Calls {
		a.first = append(a.first, int32(len(a.leaves)))
		a.firstRecord = append(a.firstRecord, int32(len(a.records)))
		a.output(i)
	}
	a.first = append(a.first, int32(len(a.leaves)))
	a.firstRecord = append(a.firstRecord, int32(len(a.records)))
}

func newPrompt(t *plan.Text) promptText {
	p := promptText{text: t.Text, before: t.Before, words: fields.AppendWords(nil, t.Text)}
	fields.Atoms(t.Text, func(at fields.Atom) {
		text := fields.Bare(t.Text[at.Start:at.End])
		p.atoms = append(p.atoms, promptAtom{kind: at.Kind, text: text, words: fields.AppendWords(nil, text)})
	})
	return p
}

// output reads one call's output: a leaf for each field, grouped by record.
func (a *analysis) output(i int) {
	c := &a.plan.Calls[i]
	if !c.HasOutput() || c.Outcome.DidNotRun() {
		return
	}
	doc := documentOf(&c.Output)
	a.docs[i] = doc
	f := &a.facts[i]
	base := int32(len(a.records))
	numbers := map[int32]int32{}
	a.leaves = slices.Grow(a.leaves, len(doc.Leaves))
	for k := range doc.Leaves {
		l := &doc.Leaves[k]
		if l.Kind == fields.Null || l.Kind == fields.Bool || strings.TrimSpace(l.Text) == "" {
			continue
		}
		rec := doc.Record(l.Node)
		id, ok := numbers[rec]
		if !ok {
			id = int32(len(a.records))
			numbers[rec] = id
			a.records = append(a.records, record{call: int32(i), parent: -1, from: int32(len(a.leaves)), end: int32(len(a.leaves))})
			if up := doc.Nodes[rec].Parent; up >= 0 {
				if pid, ok := numbers[doc.Record(up)]; ok {
					a.records[id].parent = pid
				}
			}
		}
		x, ok := fieldOf(f, doc, l)
		if !ok {
			continue
		}
		x.call, x.record, x.doc, x.text = int32(i), id, int32(k), l.Text
		if x.kind == Text && a.textAt > i && c.Outcome != plan.Failed {
			a.textAt = i
		}
		a.leaves = append(a.leaves, x)
		a.records[id].end = int32(len(a.leaves))
		a.records[id].text = a.records[id].text || x.kind == Text
	}
	if n := int32(len(a.records)) - base; n == 1 {
		a.records[base].only = true
	}
}

// documentOf takes an output apart that is text, or walks one that is a value.
func documentOf(v *plan.Value) *fields.Document {
	if v.Kind == plan.String {
		return fields.Parse(v.Text)
	}
	d := &fields.Document{Format: fields.JSON}
	addValue(d, v, -1, "", -1)
	return d
}

func addValue(d *fields.Document, v *plan.Value, parent int32, key string, index int) {
	node := int32(len(d.Nodes))
	d.Nodes = append(d.Nodes, fields.Node{Parent: parent, Key: key, Index: int32(index), Object: v.Kind == plan.Object})
	switch v.Kind {
	case plan.String:
		sub := fields.Parse(v.Text)
		if sub.Format == fields.JSON || sub.Format == fields.Python {
			d.Graft(sub, node)
			return
		}
		d.Leaves = append(d.Leaves, fields.Leaf{Kind: fields.String, Text: v.Text, Node: node})
	case plan.Number:
		d.Leaves = append(d.Leaves, fields.Leaf{Kind: fields.Number, Text: v.Text, Node: node})
	}
	for i := range v.Items {
		if v.Kind == plan.Object {
			kid := int32(len(d.Nodes))
			d.Leaves = append(d.Leaves, fields.Leaf{Kind: fields.Key, Text: v.Keys[i], Node: kid})
			addValue(d, &v.Items[i], node, v.Keys[i], -1)
		} else {
			addValue(d, &v.Items[i], node, "", i)
		}
	}
}

// The shape of a name: what is longer or has line breaks is text, whatever the
// contract hoped for.
const (
	maxNameBytes = 80
	maxNameWords = 10
)

// fieldOf returns what the contract says of a leaf: the longest path wins. A
// contract that says nothing of its output, of a tool that is described, has the
// user's own system answer; a tool that nothing describes prints anything. ok is
// false for what is no data: the keys that programs chose.
func fieldOf(f *Facts, d *fields.Document, l *fields.Leaf) (leaf, bool) {
	if f.Unknown {
		return leaf{kind: Text}, true
	}
	if len(f.Fields) == 0 {
		return leaf{kind: Service}, true
	}
	var out leaf
	best := -1
	for i := range f.Fields {
		x := &f.Fields[i]
		n := len(x.Path)
		if n < best || !leadsTo(d, l.Node, x.Path) {
			continue
		}
		if n > best {
			best, out = n, leaf{}
			out.kind = x.Kind
		}
		if x.Kind == Text {
			out.kind = Text
		}
		out.open, out.ref, out.private = out.open || x.Open, out.ref || x.Reference, out.private || x.Private
	}
	if l.Kind == fields.Key {
		if !dataKeys(d, l.Node) {
			return out, false
		}
		out.kind, out.open = Name, false
	}
	if out.kind == Name && l.Kind != fields.Number && !nameShaped(l.Text) {
		out.kind = Text
	}
	return out, true
}

// dataKeys reports whether an object's keys are data: it maps names to things.
// Keys that programs chose are identifiers.
func dataKeys(d *fields.Document, node int32) bool {
	key := d.Nodes[node].Key
	for i := 0; i < len(key); i++ {
		if c := key[i]; !(c == '_' || 'a' <= c && c <= 'z' || '0' <= c && c <= '9' && i > 0) {
			return true
		}
	}
	return false
}

func nameShaped(text string) bool {
	if len(text) > maxNameBytes || strings.ContainsAny(text, "\n\r") {
		return false
	}
	n := 0
	fields.Words(text, func(fields.Word) bool { n++; return true })
	return n <= maxNameWords
}

// leadsTo reports whether a path leads to a node or above it; a wildcard stands
// for any key or index.
func leadsTo(d *fields.Document, node int32, path plan.Path) bool {
	depth := d.Depth(node)
	if depth < len(path) {
		return false
	}
	for ; depth > len(path); depth-- {
		node = up(d, node)
	}
	for i := len(path) - 1; i >= 0; i-- {
		n, s := stepOf(d, node), path[i]
		if !s.Wild && (s.IsIndex != (n.Index >= 0) || s.IsIndex && int(n.Index) != s.Index || !s.IsIndex && n.Key != s.Key) {
			return false
		}
		node = up(d, node)
	}
	return true
}

// stepOf returns the nearest node at or above one that is a step of a path.
func stepOf(d *fields.Document, node int32) *fields.Node {
	for d.Nodes[node].Key == "" && d.Nodes[node].Index < 0 && d.Nodes[node].Parent >= 0 {
		node = d.Nodes[node].Parent
	}
	return &d.Nodes[node]
}

func up(d *fields.Document, node int32) int32 {
	for d.Nodes[node].Key == "" && d.Nodes[node].Index < 0 && d.Nodes[node].Parent >= 0 {
		node = d.Nodes[node].Parent
	}
	return max(d.Nodes[node].Parent, 0)
}

// place returns where a leaf stands.
func (a *analysis) place(l int32) Place {
	leaf := &a.leaves[l]
	if leaf.call < 0 {
		return Place{Call: -1}
	}
	doc := a.docs[leaf.call]
	at := &doc.Leaves[leaf.doc]
	return Place{Call: int(leaf.call), Field: pathOf(doc, at.Node), Start: int(at.Start), End: int(at.End)}
}

// pathOf writes a node's path as references have it.
func pathOf(d *fields.Document, node int32) string {
	var path plan.Path
	for ; node >= 0; node = d.Nodes[node].Parent {
		switch n := &d.Nodes[node]; {
		case n.Index >= 0:
			path = append(path, plan.Step{Index: int(n.Index), IsIndex: true})
		case n.Key != "":
			path = append(path, plan.Step{Key: n.Key})
		}
	}
	for i, j := 0, len(path)-1; i < j; i, j = i+1, j-1 {
		path[i], path[j] = path[j], path[i]
	}
	return path.String()
}

// available reports whether the output of call j could be in the context when
// the arguments of call i were fixed.
func (a *analysis) available(j int32, i int) bool {
	if j < 0 {
		return true
	}
	c, d := &a.plan.Calls[j], &a.plan.Calls[i]
	return int(j) < i && !(c.Turn == d.Turn && c.AgentName() == d.AgentName())
}
