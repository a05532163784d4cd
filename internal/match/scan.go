package match

import (
	"sort"

	"github.com/planlint/planlint/internal/fields"
)

// scan reads one source: by themselves the leaves whose words are not those of
// the text, then each segment as a whole.
func (c *Corpus) scan(source int32, segment int) {
	s := &c.Sources[source]
	for l := s.First; l < s.End; l++ {
		leaf := &c.Doc.Leaves[l]
		if leaf.Decoded || leaf.Segment < 0 || !c.Doc.Segments[leaf.Segment].Ordered {
			c.text(leaf.Text, func(h Run, _, _ int32) { c.meet(source, l, h, false) })
		}
		if (c.numbers || c.dates) && hasDigit(leaf.Text) {
			c.values(source, l, leaf.Text)
		}
	}
	for k := segment; k < len(c.Doc.Segments); k++ {
		c.segment(source, int32(k))
	}
}

// span is where a leaf stands in its segment; leaf is -1 for a string that is a
// segment of its own.
type span struct{ at, to, leaf int32 }

func (c *Corpus) segment(source, k int32) {
	s := &c.Doc.Segments[k]
	if s.End == s.First+1 && len(c.Doc.Leaves[s.First].Text) == len(s.Text) {
		c.text(s.Text, func(h Run, _, _ int32) { c.meet(source, s.First, h, false) })
		return
	}
	ready := false
	c.text(s.Text, func(h Run, start, end int32) {
		if !ready {
			c.lay(k)
			ready = true
		}
		c.place(source, k, h, start, end)
	})
}

// lay lists the spans of a segment.
func (c *Corpus) lay(k int32) {
	c.spans = c.spans[:0]
	s := &c.Doc.Segments[k]
	for l := s.First; l < s.End; {
		leaf := &c.Doc.Leaves[l]
		if leaf.Segment == k {
			c.spans = append(c.spans, span{at: leaf.At, to: leaf.To, leaf: l})
			l++
			continue
		}
		inner := leaf.Segment
		for c.Doc.Segments[inner].Outer != k {
			inner = c.Doc.Segments[inner].Outer
		}
		in := &c.Doc.Segments[inner]
		c.spans = append(c.spans, span{at: in.At, to: in.To, leaf: -1})
		l = in.End
	}
}

// place notes a run in the fields that it stands in. A run that lies in none, as
// between a key and a value, belongs to the field behind it, or to the last.
func (c *Corpus) place(source, k int32, h Run, start, end int32) {
	s := &c.Doc.Segments[k]
	if !s.Ordered {
		if c.whole(source, h) {
			return
		}
		for l := s.First; l < s.End && l < s.First+maxInSource; l++ {
			c.meet(source, l, h, true)
		}
		return
	}
	first := sort.Search(len(c.spans), func(i int) bool { return c.spans[i].to > start })
	if first == len(c.spans) && s.End > s.First {
		c.meet(source, s.End-1, h, true)
	}
	for i := first; i < len(c.spans); i++ {
		sp := &c.spans[i]
		if sp.at >= end && i > first {
			return
		}
		if sp.leaf < 0 {
			if sp.at <= start && end <= sp.to {
				return // its own segment has it
			}
			continue
		}
		inside := sp.at <= start && end <= sp.to
		// What was read by itself (the cells of a row share its place) holds the run
		// already, if it does so as a whole.
		if decoded := c.Doc.Leaves[sp.leaf].Decoded; !decoded || !inside || !c.whole(source, h) {
			c.meet(source, sp.leaf, h, decoded || !inside)
		}
		if sp.at >= end {
			return
		}
	}
}

// whole reports whether some field of a source is known to hold a run.
func (c *Corpus) whole(source int32, h Run) bool {
	k := c.found.find(h)
	if k < 0 || c.Found[k].Last == 0 {
		return false
	}
	last := &c.Occurrences[c.Found[k].Last-1]
	return last.Source == source && !last.Part
}

// text reads a text for the runs of the index, long ones included.
func (c *Corpus) text(text string, visit visitor) {
	long := visit
	if len(c.longer) > 0 {
		long = func(h Run, start, end int32) {
			visit(h, start, end)
			c.extend(text, h, start, visit)
		}
	}
	c.reader.text(text, long)
}

// extend visits the longer runs that begin with one of Gram words.
func (c *Corpus) extend(text string, begin Run, start int32, visit visitor) {
	if !c.begins.has(begin) {
		return
	}
	lengths := c.longer[begin]
	if lengths == 0 {
		return
	}
	var room [MaxWords]fields.Word
	words, _ := fields.FillWords(room[:0], text[start:], 0)
	sum := uint64(0)
	for i := range words {
		if sum = sum*prime + words[i].Hash; lengths&(1<<(i+1)) == 0 {
			continue
		}
		if h := finish(sum, i+1); c.has(h, 0) {
			visit(h, start, start+words[i].End)
		}
	}
}

func hasDigit(text string) bool {
	for i := 0; i < len(text); i++ {
		if text[i]-'0' < 10 {
			return true
		}
	}
	return false
}

// values finds numbers and dates.
func (c *Corpus) values(source, leaf int32, text string) {
	if c.numbers {
		fields.Numbers(text, func(n fields.Numeral) {
			if h := Run(fields.NumberHash(n.Value)); c.has(h, 0) {
				c.meet(source, leaf, h, false)
			}
		})
	}
	if c.dates {
		fields.Dates(text, func(d fields.Date) {
			if h := Run(d.Hash()); c.has(h, 0) {
				c.meet(source, leaf, h, false)
			}
		})
	}
}
