package origin

import (
	"slices"
	"strings"

	"github.com/planlint/planlint/internal/fields"
	"github.com/planlint/planlint/internal/match"
	"github.com/planlint/planlint/internal/reuse"
	"github.com/planlint/planlint/plan"
)

// leaf is what is known of one field of an output, or a text of the user's: the
// leaf of the same number in the corpus.
type leaf struct {
	call   int32 // -1 for the user's words
	record int32
	kind   FieldKind
	open   bool
	ref    bool
	// private: it is for the user's eyes.
	private bool
}

// record is one thing that an output describes.
type record struct {
	call   int32
	parent int32
	// from and end are its leaves.
	from, end int32
	chain     chain
	// bearer is one more than the number of the address of who is called by a name
	// that the user says.
	bearer   int32
	standing Standing
	// tainted: it was found by a search that unendorsed text worded.
	tainted bool
	// text: third-party text lies in it.
	text bool
	// only: the output is this one record.
	only bool
	// folder: the user named the folder that it lies in, and not it.
	folder bool
	// sender: the user names who sent it; byTitle: his words are those of its title.
	sender, byTitle bool
	// loose: his words only fit it; fits: they fit it, and no other of its list.
	loose, fits bool
}

// read says what the contracts do of the fields of all sources.
func (a *analysis) read() {
	a.leaves = reuse.Zeros(a.leaves, len(a.corpus.Doc.Leaves))
	a.recordsOf = reuse.Zeros(a.recordsOf, len(a.plan.Calls))
	a.records = slices.Grow(a.records, len(a.corpus.Sources))
	a.numbers = reuse.Zeros(a.numbers, len(a.corpus.Doc.Nodes))
	a.textAt, a.textBefore = len(a.plan.Calls), len(a.plan.Calls)
	for k := range a.corpus.Sources {
		s := &a.corpus.Sources[k]
		for l := s.First; l < s.End; l++ {
			a.leaves[l] = leaf{call: s.Call, record: -1, kind: none}
			if s.User {
				a.leaves[l].kind = user
			}
		}
		switch {
		case s.Call >= 0:
			a.output(int(s.Call), s)
		case !s.User:
			a.outside(s)
		}
	}
}

// outside makes one record of a text that came into the context beside the calls,
// and that others may have written: what the user pasted or attached, a result whose
// call is not known, what a server says of its tools. What the user pasted he stands
// behind as behind a file that he names.
func (a *analysis) outside(s *match.Source) {
	t := &a.plan.Texts[s.Text]
	rec := record{call: outsideCall(s.Text), parent: -1, from: s.First, end: s.End, text: true, only: true}
	switch t.Kind {
	case plan.TextPasted:
		rec.standing, rec.chain = Strong, a.pointed(0, "the user pasted it", -1, -1)
	case plan.TextAttachment:
		rec.standing, rec.chain = Plain, a.pointed(0, "it is attached to the user's words", -1, -1)
	case plan.TextUnknown, plan.TextOrphanResult, plan.TextToolDescription:
	default:
		return
	}
	for l := s.First; l < s.End; l++ {
		if at := &a.corpus.Doc.Leaves[l]; at.Kind == fields.Null || at.Kind == fields.Bool || at.Kind == fields.Key && !dataKeys(&a.corpus.Doc, at.Node) {
			continue
		}
		a.leaves[l] = leaf{call: rec.call, record: int32(len(a.records)), kind: Text}
	}
	a.records = append(a.records, rec)
	if t.Kind != plan.TextToolDescription {
		a.textBefore = min(a.textBefore, t.Before)
	}
}

// outsideCall stands for the call of what came beside the calls.
func outsideCall(text int32) int32 { return -2 - text }

// textOfCall is the text that outsideCall stands for.
func textOfCall(call int32) int32 { return -2 - call }

// output groups the fields of one call's output by record.
func (a *analysis) output(i int, s *match.Source) {
	doc, f := &a.corpus.Doc, &a.facts[i]
	first := int32(len(a.records))
	for l := s.First; l < s.End; l++ {
		at := &doc.Leaves[l]
		if at.Kind == fields.Null || at.Kind == fields.Bool || strings.TrimSpace(at.Text) == "" {
			continue
		}
		id := a.record(int32(i), l, at.Node)
		x, ok := fieldOf(f, doc, at)
		if !ok {
			continue
		}
		x.call, x.record = int32(i), id
		// What went wrong is said in a few words; a page that says so is a page.
		if x.kind == Text && a.textAt > i && (a.plan.Calls[i].Outcome != plan.Failed || !nameShaped(at.Text) || a.facts[i].Effect == Fetches) {
			a.textAt = i
		}
		a.leaves[l] = x
		a.records[id].end = l + 1
		a.records[id].text = a.records[id].text || x.kind == Text
	}
	a.recordsOf[i] = stretch{first, int32(len(a.records))}
	a.markOnly(first)
}

// record returns the number of the record that a node belongs to.
func (a *analysis) record(call, leaf, node int32) int32 {
	return a.recordAt(call, leaf, a.corpus.Doc.Record(node))
}

// recordAt returns the number of a record. The records above it are numbered
// before it, so that it can take their standing.
func (a *analysis) recordAt(call, leaf, rec int32) int32 {
	if n := a.numbers[rec]; n > 0 {
		return n - 1
	}
	parent := int32(-1)
	if up := a.corpus.Doc.Nodes[rec].Parent; up >= 0 {
		if n := a.numbers[a.corpus.Doc.Record(up)]; n > 0 {
			parent = n - 1
		} else if above, ok := a.corpus.Doc.Above(rec); ok {
			parent = a.recordAt(call, leaf, above)
		}
	}
	a.records = append(a.records, record{call: call, parent: parent, from: leaf, end: leaf})
	n := int32(len(a.records))
	a.numbers[rec] = n
	return n - 1
}

// markOnly marks the record that is the whole of its output: the one with fields
// of its own that lies below no other such.
func (a *analysis) markOnly(first int32) {
	only, n := int32(-1), 0
	for id := first; id < int32(len(a.records)); id++ {
		if a.records[id].end == a.records[id].from {
			continue
		}
		top := true
		for up := a.records[id].parent; up >= 0; up = a.records[up].parent {
			top = top && a.records[up].end == a.records[up].from
		}
		if top {
			only = id
			n++
		}
	}
	if n == 1 {
		a.records[only].only = true
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
	best, texts := -1, false
	for i := range f.Fields {
		x := &f.Fields[i]
		texts = texts || x.Kind == Text && len(x.Path) > 0
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
	// Beside fields that are text by the contract, one that it does not name counts as
	// the service's own only as long as it looks so.
	if (out.kind == Name || out.kind == Service && best == 0 && texts) && l.Kind != fields.Number && (!nameShaped(l.Text) || says(l.Text)) {
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

// says reports whether a short text says something of an address or account: "mail it
// to kim@corp.example" is no name.
func says(text string) bool {
	found := false
	fields.Atoms(text, func(at fields.Atom) {
		if at.Kind == fields.Address || at.Kind == fields.URL || at.Kind == fields.Account {
			others := 0
			fields.Words(text[:at.Start], func(fields.Word) bool { others++; return true })
			fields.Words(text[at.End:], func(fields.Word) bool { others++; return true })
			named := at.Start > 0 && text[at.Start-1] == '<' && strings.HasPrefix(text[at.End:], ">") // Ann Roe <ann@corp.example>
			found = found || others >= 4 || others >= 2 && at.Kind != fields.URL && !named
		}
	})
	return found
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

// text returns the text of a leaf.
func (a *analysis) text(l int32) string { return a.corpus.Doc.Leaves[l].Text }

// maxHits is how many leaves are looked at a value; more say nothing new, since a
// value of so many places is common. A note says that the cap was met.
const maxHits = 256

// hits visits the leaves that hold a run, until visit returns false.
func (a *analysis) hits(h match.Run, visit func(l int32, leaf *leaf) bool) {
	if h == 0 {
		return
	}
	n := 0
	a.corpus.Leaves(h, func(l int32) bool {
		if n++; n > maxHits {
			a.capped = true
			return false
		}
		leaf := &a.leaves[l]
		return leaf.kind == none || visit(l, leaf)
	})
}

// phrase is a run of words of an argument, or a number or date, which has none.
type phrase struct {
	run   match.Run
	words int32
}

// in returns where the phrase stands in words, from a position on; -1 for nowhere.
func (p phrase) in(words []fields.Word, from int) int {
	return match.Find(words, p.run, int(p.words), from)
}

// add makes a phrase be looked for. Once the corpus was read it only names it.
func (a *analysis) add(words []fields.Word) phrase {
	words = words[:min(len(words), match.MaxWords)]
	switch {
	case len(words) == 0:
		return phrase{}
	case a.corpus.Done():
		return phrase{match.Hash(words), int32(len(words))}
	}
	return phrase{a.corpus.Add(words), int32(len(words))}
}

// available reports whether the output of call j could be in the context when
// the arguments of call i were fixed.
func (a *analysis) available(j int32, i int) bool {
	switch {
	case j == -1:
		return true
	case j < -1:
		return a.plan.Texts[textOfCall(j)].Before <= i
	}
	c, d := &a.plan.Calls[j], &a.plan.Calls[i]
	return int(j) < i && !(c.Turn == d.Turn && c.AgentName() == d.AgentName())
}
