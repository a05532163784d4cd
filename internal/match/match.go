// Package match finds where the words of a plan's arguments stand in its outputs
// and texts, in one pass over them.
//
// In: the outputs and texts of a plan, and the runs of words, numbers and dates
// that somebody looks for (Index). Out: for every run the places where it stands:
// source and field.
//
// Who looks for something adds it to Index first; then each output is taken apart
// into fields (internal/fields) and read once, word by word, with rolling hashes
// of up to Gram words; what meets a known hash is kept. So memory goes with what
// is looked for and found, and time with the bytes.
//
// A run that stands across fields (a copied line of a table, a piece of JSON) is
// found too, as a part of each of them.
//
// Limits: a run is known by a hash of 64 bits. At most MaxOccurrences places are
// kept, and at most maxInSource of one run in one source; Capped says so.
package match

import (
	"slices"
	"sync"

	"github.com/planlint/planlint/internal/fields"
	"github.com/planlint/planlint/plan"
)

// The bounds of what is kept.
const (
	MaxOccurrences = 1 << 23
	// maxInSource is how many fields of one source are kept a run.
	maxInSource = 64
)

// Source is an output or a text.
type Source struct {
	// Call and Text are indexes in the plan, one of them -1.
	Call, Text int32
	// User: it is text of the user's.
	User bool
	// Leaves are Doc.Leaves[First:End], Occurrences [FirstFound:EndFound].
	First, End           int32
	FirstFound, EndFound int32
	// Format says how it was read.
	Format fields.Format
}

// Occurrence says that a run stands in a field of a source.
type Occurrence struct {
	// Found is the number of the run, Leaf that of the leaf.
	Found, Source, Leaf int32
	// Next is one more than the number of the run's next occurrence, NextOther of
	// the next that is neither the user's nor an echo.
	Next, NextOther int32
	// Part: it stands there only in part, the rest of it beside.
	Part bool
	// Echo: it stands in the arguments of the source's own call too.
	Echo bool
}

// Found is what was found of one run.
type Found struct {
	// First and Last are one more than the number of an occurrence, FirstOther and
	// LastOther of one that is neither the user's nor an echo. User is that of the
	// first in the user's words; only that one is kept.
	First, Last, FirstOther, LastOther, User int32
	// Sources is how many sources the other occurrences are in.
	Sources int32
	// inSource is how many occurrences the last source has.
	inSource int32
}

// Corpus is the sources of one plan and what was found in them.
type Corpus struct {
	Index
	plan *plan.Plan
	// Echo reports whether a run stands in a call's own arguments; nil if nobody
	// asks.
	Echo func(call int32, h Run) bool
	// Decoder decodes arguments for all who look for something.
	Decoder fields.Decoder
	// Doc holds all sources, taken apart.
	Doc         fields.Document
	Sources     []Source
	Occurrences []Occurrence
	Found       []Found
	// Capped: a bound was met, so that some places are not known.
	Capped bool
	read   bool
	// found numbers the runs that were found; they are few of those that were looked
	// for, and met says which.
	found  table
	met    bits
	reader *reader
	spans  []span
}

// released are corpora whose memory the next ones use.
var released = sync.Pool{New: func() any { return new(Corpus) }}

// maxReleased is up to how many leaves, occurrences and runs a corpus may have had
// whose memory is kept.
const maxReleased = 1 << 14

// New returns the corpus of a plan; nothing is read yet.
func New(p *plan.Plan) *Corpus {
	c := released.Get().(*Corpus)
	c.plan = p
	return c
}

// Release gives the corpus' memory to one that comes later. Neither the corpus nor
// what it returned may be used any more; of the plan's texts nothing stays.
func (c *Corpus) Release() {
	if cap(c.Doc.Leaves)+cap(c.Occurrences)+c.Len() > maxReleased {
		return
	}
	c.Index.clear()
	c.Doc.Reset()
	c.Decoder.Forget()
	c.found.clear()
	*c = Corpus{Index: c.Index, Decoder: c.Decoder, Doc: c.Doc, Sources: c.Sources[:0], Occurrences: c.Occurrences[:0],
		Found: c.Found[:0], found: c.found, met: c.met, reader: c.reader, spans: c.spans[:0]}
	released.Put(c)
}

// Done reports whether the sources were read.
func (c *Corpus) Done() bool { return c.read }

// ReadAll reads the user's words, what others wrote and all outputs in the order of the
// plan, for who looks for something without a graph.
func (c *Corpus) ReadAll() {
	var order []Source
	next := 0
	texts := func(before int) {
		for ; next < len(c.plan.Texts) && c.plan.Texts[next].Before <= before; next++ {
			switch kind := c.plan.Texts[next].Kind; kind {
			case plan.TextSystem, plan.TextModel:
			default:
				order = append(order, Source{Call: -1, Text: int32(next), User: kind == plan.TextUser})
			}
		}
	}
	for i := range c.plan.Calls {
		texts(i)
		if call := &c.plan.Calls[i]; call.HasOutput() && !call.Outcome.DidNotRun() {
			order = append(order, Source{Call: int32(i), Text: -1})
		}
	}
	texts(int(^uint(0) >> 1))
	c.Read(order)
}

// Read takes the sources apart and finds in them what was added to the index.
func (c *Corpus) Read(order []Source) {
	c.read, c.Sources = true, order
	c.seal()
	if c.reader == nil {
		c.reader = &reader{Index: &c.Index}
	}
	c.Doc.Reserve(len(order))
	for k := range c.Sources {
		s := &c.Sources[k]
		first := len(c.Doc.Segments)
		root := c.add(s)
		s.First, s.End, s.Format = root.First, root.End, root.Format
		s.FirstFound = int32(len(c.Occurrences))
		if c.Len() > 0 {
			c.scan(int32(k), first)
		}
		s.EndFound = int32(len(c.Occurrences))
	}
	c.settle()
}

// settle forgets what was found and is none of the index: the sets of bits that the
// texts were read with say yes too often.
func (c *Corpus) settle() {
	c.met.reset(len(c.Found))
	for _, h := range c.found.keys {
		if h != 0 {
			c.met.add(h)
		}
	}
	asked := make([]bool, len(c.Found))
	for _, keys := range c.keys {
		for _, h := range keys {
			if !c.met.has(h) {
				continue
			}
			if k := c.found.find(h); k >= 0 {
				asked[k] = true
			}
		}
	}
	for k := range c.Found {
		if !asked[k] {
			c.Found[k] = Found{}
		}
	}
	if c.Len() > maxReleased { // too large to be kept, and only reading needs it
		c.Index, c.reader, c.Doc.Segments = Index{size: c.size}, nil, nil
	}
}

func (c *Corpus) add(s *Source) fields.Root {
	if s.Call < 0 {
		return c.Doc.AddText(c.plan.Texts[s.Text].Text)
	}
	if out := &c.plan.Calls[s.Call].Output; out.Kind == plan.String {
		return c.Doc.Add(out.Text)
	}
	c.Doc.Start()
	c.addValue(&c.plan.Calls[s.Call].Output, -1, "", -1)
	return c.Doc.Finish()
}

func (c *Corpus) addValue(v *plan.Value, parent int32, key string, index int) {
	node := c.Doc.AddNode(parent, key, index, v.Kind == plan.Object)
	if parent >= 0 && index < 0 {
		c.Doc.AddLeaf(fields.Key, key, node)
	}
	switch v.Kind {
	case plan.String:
		c.Doc.AddLeaf(fields.String, v.Text, node)
	case plan.Number:
		c.Doc.AddLeaf(fields.Number, v.Text, node)
	}
	for i := range v.Items {
		if v.Kind == plan.Object {
			c.addValue(&v.Items[i], node, v.Keys[i], -1)
		} else {
			c.addValue(&v.Items[i], node, "", i)
		}
	}
}

// Of returns what was found of a run, nil if nothing was.
func (c *Corpus) Of(h Run) *Found {
	if !c.read || !c.met.has(h) {
		return nil
	}
	if k := c.found.find(h); k >= 0 && c.Found[k].First > 0 {
		return &c.Found[k]
	}
	return nil
}

// Leaves calls visit for the fields that hold a run as a whole, in the order of
// the sources, until it returns false.
func (c *Corpus) Leaves(h Run, visit func(leaf int32) bool) {
	f := c.Of(h)
	if f == nil {
		return
	}
	for at := f.First; at > 0; at = c.Occurrences[at-1].Next {
		if o := &c.Occurrences[at-1]; !o.Part && !visit(o.Leaf) {
			return
		}
	}
}

// Path returns the path of a leaf in its source.
func (c *Corpus) Path(leaf int32) plan.Path { return PathOf(&c.Doc, leaf) }

// PathOf returns the path of a document's leaf in the text that it is from.
func PathOf(d *fields.Document, leaf int32) plan.Path {
	var path plan.Path
	for node := d.Leaves[leaf].Node; node >= 0; node = d.Nodes[node].Parent {
		switch n := &d.Nodes[node]; {
		case n.Index >= 0:
			path = append(path, plan.Step{Index: int(n.Index), IsIndex: true})
		case n.Key != "":
			path = append(path, plan.Step{Key: n.Key})
		}
	}
	slices.Reverse(path)
	return path
}

// meet keeps an occurrence.
func (c *Corpus) meet(source, leaf int32, h Run, part bool) {
	o := Occurrence{Found: c.found.number(h), Source: source, Leaf: leaf, Part: part}
	if int(o.Found) == len(c.Found) {
		c.Found = append(c.Found, Found{})
	}
	f, s := &c.Found[o.Found], &c.Sources[source]
	switch again := f.Last > 0 && c.Occurrences[f.Last-1].Source == source; {
	case s.User && f.User > 0:
		return
	case !again:
		f.inSource = 0
		o.Echo = s.Call >= 0 && c.Echo != nil && c.Echo(s.Call, h)
		if !s.User && !o.Echo {
			f.Sources++
		}
	case c.Occurrences[f.Last-1].Leaf == leaf:
		last := &c.Occurrences[f.Last-1]
		last.Part = last.Part && part
		return
	case f.inSource >= maxInSource:
		c.Capped = c.Capped || !part
		return
	default:
		o.Echo = c.Occurrences[f.Last-1].Echo
	}
	c.keep(f, o, s.User)
}

// keep appends an occurrence to its run's.
func (c *Corpus) keep(f *Found, o Occurrence, user bool) {
	if len(c.Occurrences) >= MaxOccurrences {
		c.Capped = true
		return
	}
	c.Occurrences = append(c.Occurrences, o)
	n := int32(len(c.Occurrences))
	f.inSource++
	if f.Last > 0 {
		c.Occurrences[f.Last-1].Next = n
	} else {
		f.First = n
	}
	f.Last = n
	switch {
	case user:
		f.User = n
	case o.Echo:
	case f.LastOther > 0:
		c.Occurrences[f.LastOther-1].NextOther = n
		f.LastOther = n
	default:
		f.FirstOther, f.LastOther = n, n
	}
}
