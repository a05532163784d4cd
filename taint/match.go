package taint

import (
	"github.com/planlint/planlint/internal/fields"
	"github.com/planlint/planlint/internal/match"
	"github.com/planlint/planlint/internal/reuse"
	"github.com/planlint/planlint/plan"
)

// minHidden is the length from which a text may hold another in an encoding.
const minHidden = 16

// argText is one text of an argument: a string, a number, a key, or what one of
// them holds in some encoding. start and end are where that stands in outer.
type argText struct {
	text     string
	refs     []plan.Ref
	value    *plan.Value
	encoding string
	// outer is the text of the value; start and end, for a decoded text, the
	// part of it that was decoded.
	outer      *argText
	start, end int
	key        bool
}

// span returns where a part of a text stands in the value's own text.
func (t *argText) span(start, end int) (int, int) {
	if t.outer != nil {
		return t.start, t.end
	}
	return start, end
}

// slotMatcher matches the arguments of one call after the other. Its scratch is
// reused.
type slotMatcher struct {
	v *provenance
	// words and runs are those of the text that was cut last.
	words   []fields.Word
	wordsOf string
	runs    []piece
	// root is the text that is matched, hidden one that it holds.
	root, hidden argText
	// call is the one that is matched; reached says that something of it was found in
	// a source that it may have it from, encoded that something that it encodes was.
	call             int
	reached, encoded bool
	// slot is the one that is matched. Per slot: what was found so far, the covered
	// spans of the current value.
	slot   *Slot
	found  []foundIn
	chains []chainHit
	// at is, by source, one more than its place in found.
	at      []int32
	covered []span
	inner   []span // the same in a decoded text
	// open says which slots of a call of which something was found have words that
	// are not accounted for.
	open []bool
}

// rest leaves nothing but room for the next plan.
func (m *slotMatcher) rest() {
	*m = slotMatcher{words: reuse.Plain(m.words), runs: reuse.Plain(m.runs), found: reuse.Cleared(m.found), chains: reuse.Cleared(m.chains),
		at: m.at, covered: reuse.Plain(m.covered), inner: reuse.Plain(m.inner), open: reuse.Plain(m.open)}
	if len(m.at) > reuse.Max {
		m.at = nil
	}
}

// span is a part of a text, in bytes.
type span struct{ at, n uint32 }

// foundIn is what a slot has from one source: the longest run.
type foundIn struct {
	source, leaf int32
	// mask are the fields that hold something of it.
	mask     fieldMask
	value    *plan.Value
	text     string
	encoding string
	// start and end are the run that is growing.
	start, end int
	// words: everything found also stands in the user's words.
	words bool
}

// chainHit is a value that more sources hold than get an edge each.
type chainHit struct {
	found int32
	hit   foundIn
}

// hides reports whether a text is long enough to hold another in an encoding.
func hides(text string) bool {
	return len(text) >= minHidden || len(text) > 3 && text[0] == '%'
}

// views returns what a text holds in some encoding, good until the next.
func (m *slotMatcher) views(text string) []fields.View {
	if !hides(text) {
		return nil
	}
	return m.v.corpus.Decoder.Views(text)
}

// plain is the text of a value, keyed that of one of its keys. They are good until
// the next.
func (m *slotMatcher) plain(x *plan.Value) *argText {
	m.root = argText{text: x.Text, refs: x.Refs(), value: x}
	return &m.root
}

func (m *slotMatcher) keyed(x *plan.Value, i int) *argText {
	m.root = argText{text: x.Keys[i], value: &x.Items[i], key: true}
	return &m.root
}

// cut returns the words of an argument's text, its distinctive runs, and those that
// are some output as a whole; all are good until the next.
func (m *slotMatcher) cut(text string, refs []plan.Ref) ([]fields.Word, []piece) {
	words := m.read(text, refs)
	m.runs = grams(m.runs[:0], text, words)
	if m.v.whole.Len() > 0 {
		m.v.whole.In(words, func(h match.Run, from, to int) {
			m.runs = append(m.runs, piece{hash: h, from: int32(from), to: int32(to)})
		})
	}
	return words, m.runs
}

// read returns the words of a text outside of its references, good until the next.
func (m *slotMatcher) read(text string, refs []plan.Ref) []fields.Word {
	if len(refs) > 0 || m.wordsOf != text || text == "" {
		m.words, m.wordsOf = appendWords(m.words[:0], text, refs), ""
		if len(refs) == 0 {
			m.wordsOf = text
		}
	}
	return m.words
}

// slotEdges adds the edges into a slot from the sources that hold its values. Where
// something of the call was found it finds out whether all of the slot's words are
// accounted for.
func (v *provenance) slotEdges(b *builder, call, slot int, id uint32) {
	m, limit := &v.slots, v.has(call)
	if m.call != call {
		m.call = call
		m.encoded = v.reaches(v.hidden.Of(call), limit)
		m.reached = m.encoded || v.reaches(v.own.Of(call), limit)
		m.open = m.open[:0]
	}
	if !m.reached {
		return
	}
	m.found, m.chains = m.found[:0], m.chains[:0]
	m.slot = &v.facts[call].Slots[slot]
	open := false
	for _, x := range m.slot.Values() {
		open = m.match(x, limit) || open
	}
	m.open = append(m.open, open)
	for i := range m.found {
		m.edge(b, &m.found[i], id)
	}
	for i := range m.chains {
		m.chainEdge(b, &m.chains[i], limit, id)
	}
}

// match looks for the texts of a value in the sources up to a time, and reports
// whether some of its words are not accounted for.
func (m *slotMatcher) match(x *plan.Value, limit int32) (open bool) {
	if refs := x.Refs(); len(refs) == 1 && refs[0].Whole {
		return false
	}
	switch x.Kind {
	case plan.UnknownValue:
		return !filledByOthers(x)
	case plan.String, plan.Number:
		m.covered = m.covered[:0]
		m.value(x, limit)
		open = m.unaccounted(x.Text, x.Refs(), m.covered, limit)
	}
	for i := range x.Items {
		if i < len(x.Keys) {
			m.text(m.keyed(x, i), limit)
		}
		open = m.match(&x.Items[i], limit) || open
	}
	return open
}

// filledByOthers reports whether a value that is not known yet comes from a
// person, or from code that reads only what the plan says.
func filledByOthers(x *plan.Value) bool {
	if x.Ext == nil || x.Ext.Unknown == nil {
		return false
	}
	u := x.Ext.Unknown
	return u.By == "person" || u.By == "code" && len(u.From) > 0
}

func (m *slotMatcher) value(x *plan.Value, limit int32) {
	t := m.plain(x)
	m.text(t, limit)
	if !m.encoded {
		return
	}
	for _, d := range m.views(x.Text) {
		m.hidden = argText{text: d.Text, value: x, encoding: d.Encoding, outer: t, start: d.Start, end: d.End}
		m.text(&m.hidden, limit)
	}
}

// text matches one text and notes which parts of the value's text it covers: for
// a decoded text the part that encodes it, if all of it is accounted for.
func (m *slotMatcher) text(t *argText, limit int32) {
	covered := &m.covered
	if t.outer != nil || t.key {
		m.inner = m.inner[:0]
		covered = &m.inner
	}
	words, runs := m.cut(t.text, t.refs)
	for _, r := range runs {
		f := m.v.corpus.Of(r.hash)
		if f == nil {
			continue
		}
		start, end := int(words[r.from].Start), int(words[r.to-1].End)
		if at, to := t.span(start, end); !m.slot.touches(at, to) {
			continue
		}
		if m.from(f, t, start, end, limit) {
			*covered = append(*covered, span{at: uint32(start), n: uint32(end - start)})
		}
	}
	if t.outer != nil && len(m.inner) > 0 && !m.unaccounted(t.text, nil, m.inner, limit) {
		m.covered = append(m.covered, span{at: uint32(t.start), n: uint32(t.end - t.start)})
	}
}

// from notes where a run of words comes from and reports whether it comes from
// anywhere but the user's words.
func (m *slotMatcher) from(found *match.Found, t *argText, start, end int, limit int32) (some bool) {
	v, all := m.v, m.v.corpus.Occurrences
	others, last := 0, int32(-1)
	for at := found.FirstOther; at > 0 && others <= directOrigins; at = all[at-1].NextOther {
		o := &all[at-1]
		if v.times[o.Source] > limit {
			break
		}
		if o.Source != last {
			last = o.Source
			others++
		}
	}
	if others == 0 {
		return false
	}
	f := foundIn{value: t.value, text: t.text[start:end], encoding: t.encoding, start: start, end: end,
		words: found.User > 0 && v.times[all[found.User-1].Source] <= limit}
	if others > directOrigins {
		m.chains = append(m.chains, chainHit{found: all[found.First-1].Found, hit: f})
		return true
	}
	for at := found.FirstOther; at > 0 && v.times[all[at-1].Source] <= limit; {
		f.source, f.leaf = all[at-1].Source, all[at-1].Leaf
		f.mask, at = v.maskAt(at)
		m.note(t.text, f)
	}
	return true
}

// maskAt returns the fields that hold a run in the source of one of its
// occurrences, and its first occurrence in another source.
func (v *provenance) maskAt(at int32) (m fieldMask, next int32) {
	all := v.corpus.Occurrences
	for source := all[at-1].Source; at > 0 && all[at-1].Source == source; at = all[at-1].NextOther {
		if m != allFields {
			m |= v.mask(source, all[at-1].Leaf)
		}
	}
	return m, at
}

// note keeps the longest run of words that a slot has from a source; runs that
// overlap are one.
func (m *slotMatcher) note(text string, f foundIn) {
	if len(m.at) < len(m.v.times) {
		m.at = make([]int32, len(m.v.times))
	}
	k := m.at[f.source]
	if k == 0 {
		m.found = append(m.found, f)
		m.at[f.source] = int32(len(m.found))
		return
	}
	old := &m.found[k-1]
	words, mask := old.words && f.words, old.mask|f.mask
	if old.value == f.value && old.encoding == f.encoding && f.start <= old.end && old.start <= f.start {
		f.start, f.end = old.start, max(old.end, f.end)
		f.text, f.leaf = text[f.start:f.end], old.leaf
	}
	if len(f.text) > len(old.text) {
		*old = f
	}
	old.words, old.mask = words, mask
}

// edge leads from a source to the slot. Where all that was found also stands in
// the user's words, it is trusted; who may see it does not change.
func (m *slotMatcher) edge(b *builder, f *foundIn, id uint32) {
	v := m.v
	m.at[f.source] = 0
	d := detail{value: f.value, match: &matched{text: f.text, encoding: f.encoding, source: v.corpus.Path(f.leaf).String()}}
	if f.words {
		d.removed = b.universe.integrity
	}
	v.fromSource(b, f.source, f.mask, id, newMeta(Value, ByMatch, b.detail(d)))
}

// fromSource leads from an output's fields, or from a text, to a node.
func (v *provenance) fromSource(b *builder, source int32, mask fieldMask, id uint32, m meta) {
	if s := &v.corpus.Sources[source]; s.Call < 0 {
		b.connect(b.texts[s.Text], id, m)
	} else {
		b.fromFields(int(s.Call), mask, id, m)
	}
}

// chainEdge leads from the newest node, at the time, of the chain of a value's
// sources to the slot.
func (m *slotMatcher) chainEdge(b *builder, hit *chainHit, limit int32, id uint32) {
	chain := m.v.chains[hit.found]
	for k := len(chain) - 1; k >= 0; k-- {
		if chain[k].time > limit {
			continue // of a call beside this one's turn
		}
		d := detail{value: hit.hit.value, match: &matched{text: hit.hit.text, encoding: hit.hit.encoding}}
		if hit.hit.words {
			d.removed = b.universe.integrity
		}
		b.edge(chain[k].node, id, Value, ByMatch, b.detail(d))
		return
	}
}

// joinSource lengthens the chains of the values that an output or text holds,
// once its node is there.
func (v *provenance) joinSource(b *builder, i int, text bool) {
	of := v.ofCall
	if text {
		of = v.ofText
	}
	if len(v.times) == 0 || of[i] < 0 {
		return
	}
	s := &v.corpus.Sources[of[i]]
	if s.User {
		return
	}
	for at := s.FirstFound; at < s.EndFound; at++ {
		o := &v.corpus.Occurrences[at]
		if o.Echo || v.corpus.Found[o.Found].Sources <= directOrigins {
			continue
		}
		chain := v.chains[o.Found]
		if n := len(chain); n > 0 && chain[n-1].source == of[i] {
			continue // another field of the same source
		}
		id := b.node(nodeValue, i, 0, 0)
		if n := len(chain); n > 0 {
			b.edge(chain[n-1].node, id, Value, ByPass, 0)
		}
		d := b.detail(detail{match: &matched{source: v.corpus.Path(o.Leaf).String()}})
		mask, _ := v.maskAt(at + 1)
		v.fromSource(b, of[i], mask, id, newMeta(Value, ByMatch, d))
		if v.chains == nil {
			v.chains = map[int32][]chainNode{}
		}
		v.chains[o.Found] = append(chain, chainNode{source: of[i], time: v.times[of[i]], node: id})
	}
}
