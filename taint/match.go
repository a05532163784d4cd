package taint

import (
	"github.com/planlint/planlint/internal/fields"
	"github.com/planlint/planlint/plan"
)

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

// slotMatcher matches the arguments of one call after the other. Its scratch is
// reused.
type slotMatcher struct {
	v     *provenance
	words []word
	// room holds the text that is visited and those that it is decoded from, views
	// what they hold, by depth.
	room  [1 + maxDecodings]argText
	views [maxDecodings][]fields.View
	// echo are the needles in the arguments of the call echoOf.
	echo   map[uint64]bool
	echoOf int32
	// per slot: what was found so far, the covered spans of the current value,
	// and whether all of the slots' words are accounted for.
	found  []foundIn
	chains []chainHit
	// at is, by origin, one more than its place in found.
	at      []int32
	covered []span
	inner   []span // the same in a decoded text
	open    []bool
	openOf  int
	// encoded: what some argument of the call encodes was found somewhere.
	encoded bool
}

// foundIn is what a slot has from one origin: the longest run.
type foundIn struct {
	origin, leaf int32
	value        *plan.Value
	text         string
	encoding     string
	// start and end are the run that is growing.
	start, end int
	// words: everything found also stands in the user's words.
	words bool
}

// chainHit is a value that more origins hold than get an edge each.
type chainHit struct {
	needle *needle
	found  foundIn
}

// texts visits the texts of a value and everything below it.
func (m *slotMatcher) texts(x *plan.Value, visit func(*argText)) {
	if x.Kind == plan.String || x.Kind == plan.Number {
		t := m.root(x)
		visit(t)
		if encodes(x.Text) {
			m.decoded(t, 0, visit)
		}
	}
	for i := range x.Items {
		if i < len(x.Keys) {
			visit(m.keyed(x, i))
		}
		m.texts(&x.Items[i], visit)
	}
}

// encodes reports whether a text is long enough to hold another in an encoding.
func encodes(text string) bool {
	return len(text) >= minEncoded || len(text) > 3 && text[0] == '%'
}

// hides reports whether something that the arguments of a call encode was found
// in an origin.
func (m *slotMatcher) hides(call int) bool {
	v := m.v
	if v.hiddenFrom == nil {
		return false
	}
	for _, h := range v.hidden[v.hiddenFrom[call]:v.hiddenFrom[call+1]] {
		if v.needles.get(h) != nil {
			return true
		}
	}
	return false
}

// decoded visits what a text holds in some encoding, and what that holds.
func (m *slotMatcher) decoded(outer *argText, depth int, visit func(*argText)) {
	m.views[depth] = decodings(m.views[depth][:0], outer.text)
	for _, d := range m.views[depth] {
		if d.Encoding == outer.encoding && (d.Encoding == "rot13" || d.Encoding == "reversed") {
			continue // twice is not at all
		}
		t := &m.room[depth+1]
		*t = argText{text: d.Text, value: outer.value, encoding: d.Encoding, outer: outer, start: d.Start, end: d.End}
		if outer.outer != nil { // deeper: the span in the value's own text
			t.outer, t.start, t.end = outer.outer, outer.start, outer.end
			t.encoding = outer.encoding + "+" + d.Encoding
		}
		visit(t)
		if depth+1 < maxDecodings {
			m.decoded(t, depth+1, visit)
		}
	}
}

// root is the text of a value, keyed that of one of its keys. They are good until
// the next.
func (m *slotMatcher) root(x *plan.Value) *argText {
	m.room[0] = argText{text: x.Text, refs: x.Refs(), value: x}
	return &m.room[0]
}

func (m *slotMatcher) keyed(x *plan.Value, i int) *argText {
	m.room[0] = argText{text: x.Keys[i], value: &x.Items[i], key: true}
	return &m.room[0]
}

// grams calls emit for the distinctive runs of an argument's text, and for those
// that are some output as a whole.
func (m *slotMatcher) grams(t *argText, emit func(h uint64, from, to int)) {
	m.words = appendWords(m.words[:0], t.text, t.refs)
	words := m.words
	grams(t.text, words, func(from, to int) { emit(hashOf(words[from:to]), from, to) })
	if len(m.v.whole) == 0 {
		return
	}
	for i := range words {
		for n := 1; n < gram && i+n <= len(words); n++ {
			if h := hashOf(words[i : i+n]); m.v.whole[h] {
				emit(h, i, i+n)
			}
		}
	}
}

// echoes reports whether a run of words stands in a call's own arguments.
func (m *slotMatcher) echoes(call int32, h uint64) bool {
	if call < 0 {
		return false
	}
	if m.echo == nil || m.echoOf != call {
		if m.echo == nil {
			m.echo = map[uint64]bool{}
		}
		clear(m.echo)
		m.echoOf = call
		for s := range m.v.facts[call].Slots {
			for _, x := range m.v.facts[call].Slots[s].Values {
				m.texts(x, func(t *argText) {
					m.grams(t, func(h uint64, _, _ int) { m.echo[h] = true })
				})
			}
		}
	}
	return m.echo[h]
}

// slotEdges adds the edges into a slot from the origins that hold its values,
// and finds out whether all of its words are accounted for.
func (v *provenance) slotEdges(b *builder, call, slot int, id uint32) {
	m := &v.slots
	m.v = v
	if m.openOf != call || slot == 0 {
		m.open, m.openOf = append(m.open[:0], make([]bool, len(v.facts[call].Slots))...), call
		m.encoded = m.hides(call)
	}
	m.found, m.chains = m.found[:0], m.chains[:0]
	limit := v.has(call)
	for _, x := range v.facts[call].Slots[slot].Values {
		m.open[slot] = m.match(x, limit) || m.open[slot]
	}
	for i := range m.found {
		m.edge(b, &m.found[i], id)
	}
	for i := range m.chains {
		m.chainEdge(b, &m.chains[i], limit, id)
	}
}

// match looks for the texts of a value in the origins up to a time, and reports
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
		if len(m.v.needles.found) > 0 {
			m.value(x, limit)
		}
		open = m.unaccounted(x.Text, x.Refs(), m.covered, limit)
	}
	for i := range x.Items {
		if i < len(x.Keys) && len(m.v.needles.found) > 0 {
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
	t := m.root(x)
	m.text(t, limit)
	if m.encoded && encodes(x.Text) {
		m.decoded(t, 0, func(t *argText) { m.text(t, limit) })
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
	m.grams(t, func(h uint64, from, to int) {
		n := m.v.needles.get(h)
		if n == nil {
			return
		}
		start, end := int(m.words[from].start), int(m.words[to-1].end)
		if m.from(n, t, start, end, limit) {
			*covered = append(*covered, span{at: uint32(start), n: uint32(end - start)})
		}
	})
	if t.outer != nil && len(m.inner) > 0 && !m.unaccounted(t.text, nil, m.inner, limit) {
		m.covered = append(m.covered, span{at: uint32(t.start), n: uint32(t.end - t.start)})
	}
}

// from notes where a run of words comes from and reports whether it comes from
// anywhere but the user's words.
func (m *slotMatcher) from(n *needle, t *argText, start, end int, limit int32) (some bool) {
	v := m.v
	others := 0
	for o := n.head; o > 0 && others <= directOrigins; o = v.occs[o-1].next {
		if v.origins[v.occs[o-1].origin].time > limit {
			break
		}
		others++
	}
	if others == 0 {
		return false
	}
	f := foundIn{value: t.value, text: t.text[start:end], encoding: t.encoding, start: start, end: end,
		words: n.user > 0 && n.user-1 <= limit}
	if others > directOrigins {
		m.chains = append(m.chains, chainHit{needle: n, found: f})
		return true
	}
	for o := n.head; others > 0; o = v.occs[o-1].next {
		f.origin, f.leaf = v.occs[o-1].origin, v.occs[o-1].leaf
		m.note(t.text, f)
		others--
	}
	return true
}

// note keeps the longest run of words that a slot has from an origin; runs that
// overlap are one.
func (m *slotMatcher) note(text string, f foundIn) {
	if m.at == nil {
		m.at = make([]int32, len(m.v.origins))
	}
	k := m.at[f.origin]
	if k == 0 {
		m.found = append(m.found, f)
		m.at[f.origin] = int32(len(m.found))
		return
	}
	old := &m.found[k-1]
	words := old.words && f.words
	if old.value == f.value && old.encoding == f.encoding && f.start <= old.end && old.start <= f.start {
		f.start, f.end = old.start, max(old.end, f.end)
		f.text, f.leaf = text[f.start:f.end], old.leaf
	}
	if len(f.text) > len(old.text) {
		*old = f
	}
	old.words = words
}

// edge leads from an origin to the slot. Where all that was found also stands in
// the user's words, it is trusted; who may see it does not change.
func (m *slotMatcher) edge(b *builder, f *foundIn, id uint32) {
	v := m.v
	m.at[f.origin] = 0
	d := detail{value: f.value, match: &match{text: f.text, encoding: f.encoding, leaf: &v.leaves[f.leaf], key: v.key}}
	if f.words {
		d.removed = b.universe.integrity
	}
	v.fromOrigin(b, f.origin, f.leaf, id, newMeta(Value, ByMatch, b.detail(d)))
}

// fromOrigin leads from an output's part, or from a text, to a node.
func (v *provenance) fromOrigin(b *builder, origin, leaf int32, id uint32, m meta) {
	o := &v.origins[origin]
	if o.call < 0 {
		b.connect(b.texts[o.text], id, m)
		return
	}
	b.fromOutput(int(o.call), v.leaves[leaf].path, id, m)
}

// chainEdge leads from the newest node, at the time, of the chain of a value's
// origins to the slot.
func (m *slotMatcher) chainEdge(b *builder, hit *chainHit, limit int32, id uint32) {
	chain := hit.needle.chain
	for k := len(chain) - 1; k >= 0; k-- {
		if chain[k].time > limit {
			continue // of a call beside this one's turn
		}
		d := detail{value: hit.found.value, match: &match{text: hit.found.text, encoding: hit.found.encoding, key: m.v.key}}
		if hit.found.words {
			d.removed = b.universe.integrity
		}
		b.edge(chain[k].node, id, Value, ByMatch, b.detail(d))
		return
	}
}

// joinOrigins lengthens the chains of the values that an output or text holds,
// once its node is there.
func (v *provenance) joinOrigins(b *builder, i int, text bool) {
	k := v.ofCall
	if text {
		k = v.ofText
	}
	if k[i] < 0 {
		return
	}
	o := &v.origins[k[i]]
	for at := o.first; at < o.end; at++ {
		oc := &v.occs[at]
		n := &v.needles.found[oc.needle]
		if n.count <= directOrigins {
			continue
		}
		id := b.node(nodeValue, i, 0, 0)
		if len(n.chain) > 0 {
			b.edge(n.chain[len(n.chain)-1].node, id, Value, ByPass, 0)
		}
		d := b.detail(detail{match: &match{leaf: &v.leaves[oc.leaf]}})
		v.fromOrigin(b, k[i], oc.leaf, id, newMeta(Value, ByMatch, d))
		n.chain = append(n.chain, chainNode{time: o.time, node: id})
	}
}
