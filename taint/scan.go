package taint

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/planlint/planlint/plan"
)

// maxParsed is the size up to which an output that is JSON text is read field by
// field; in a longer one a value is taken to stand in every field.
const maxParsed = 16 << 20

// shortOutputs notes outputs of a few words, which are looked for as a whole
// inside longer arguments.
func (v *provenance) shortOutputs() {
	v.whole = map[uint64]bool{}
	for k := range v.origins {
		call := v.origins[k].call
		if call < 0 {
			continue
		}
		if out := &v.plan.Calls[call].Output; out.Kind == plan.String {
			v.short(out.Text)
		} else {
			out.Walk(func(_ plan.Path, x *plan.Value) bool {
				if x.Kind == plan.String {
					v.short(x.Text)
				}
				return true
			})
		}
	}
}

func (v *provenance) short(text string) {
	if len(text) > 16*minWord {
		return
	}
	if text = strings.TrimSpace(text); len(text) < minWhole {
		return
	}
	words := appendWords(v.slots.words[:0], text, nil)
	v.slots.words = words
	if n := len(words); 1 < n && n < gram || n == 1 && wholeWord(&words[0]) {
		v.whole[hashOf(words)] = true
	}
}

// wholeWord reports whether a word that is a whole output says something: not
// "successfully", but "correctHorseBattery".
func wholeWord(w *word) bool {
	return w.size() >= minWhole && w.flags&hasUpper != 0 || distinctive(w)
}

// collect hashes the distinctive runs of all arguments that an origin may stand
// before.
func (v *provenance) collect() {
	m := &v.slots
	m.v = v
	v.hiddenFrom = make([]int32, len(v.plan.Calls)+1)
	first := v.origins[0].time
	for i := range v.plan.Calls {
		v.hiddenFrom[i+1] = int32(len(v.hidden))
		if v.has(i) < first {
			continue
		}
		for s := range v.facts[i].Slots {
			for _, x := range v.facts[i].Slots[s].Values {
				m.texts(x, func(t *argText) {
					m.grams(t, func(h uint64, from, to int) {
						if t.outer != nil {
							v.hidden = append(v.hidden, h)
						}
						if v.needles.used >= maxNeedles {
							v.capped("arguments", maxNeedles)
							return
						}
						v.needles.add(h)
						v.lengths |= 1 << (to - from)
					})
				})
			}
		}
		v.hiddenFrom[i+1] = int32(len(v.hidden))
	}
	if v.needles.used > 0 {
		v.needles.seal()
	}
	for n := 2; n <= gram; n++ {
		if v.lengths&(1<<n) != 0 {
			v.runs = append(v.runs, runLength{n: n, power: gramPower[n]})
		}
	}
}

// scan reads every origin once and keeps what it holds of the arguments.
func (v *provenance) scan() {
	last := int32(-1)
	for i := range v.plan.Calls {
		last = max(last, v.has(i))
	}
	for k := range v.origins {
		o := &v.origins[k]
		o.first = int32(len(v.occs))
		switch {
		case o.time > last:
		case o.call < 0:
			v.scanText(k, v.plan.Texts[o.text].Text, nil)
		default:
			v.scanOutput(k, &v.plan.Calls[o.call])
		}
		o.end = int32(len(v.occs))
	}
}

func (v *provenance) scanOutput(k int, c *plan.Call) {
	if c.Output.Kind == plan.String && len(v.facts[c.Index].Fields) > 0 && v.scanJSON(k, c.Output.Text) {
		return
	}
	if c.Output.Kind == plan.String {
		v.scanText(k, c.Output.Text, nil)
		return
	}
	c.Output.Walk(func(p plan.Path, x *plan.Value) bool {
		if x.Kind == plan.String || x.Kind == plan.Number {
			v.scanText(k, x.Text, p)
		}
		for i, key := range x.Keys {
			v.scanText(k, key, append(p, plan.Step{Key: x.Keys[i]}))
		}
		return true
	})
}

// scanText reads one text word by word, with the hashes of the last words in a
// row kept rolling. It is nextWord once more, written out for speed.
func (v *provenance) scanText(k int, s string, path plan.Path) {
	var last [8]uint64 // a ring of the last words' hashes
	var sums [8]uint64
	leafID, n, single := int32(-1), 0, v.lengths&2 != 0
	filter, shift, runs := v.needles.filter, v.needles.shift&63, v.runs
	for at := 0; at < len(s); at++ {
		c := byteClass[s[at]]
		if c == 0 {
			if s[at] == '\\' {
				at += escape(s[at:])
			}
			continue
		}
		h, start := uint64(hashStart), at
		for {
			h = (h ^ uint64(c&0xff)) * hashPrime
			if at++; at == len(s) {
				break
			}
			if c = byteClass[s[at]]; c == 0 {
				at-- // looked at again, it may be a backslash
				break
			}
		}
		for r := range runs {
			run := &runs[r]
			// Before n words are read the ring holds zeros, as if of no words.
			sum := sums[run.n&7]*gramPrime + h - last[(n-run.n)&7]*run.power
			sums[run.n&7] = sum
			g := gramHash(sum, run.n)
			if bits := filterBits(g); filter[g>>shift]&bits == bits && n >= run.n-1 {
				v.meet(k, g, path, &leafID)
			}
		}
		if single && at-start >= minMixed-1 {
			g := gramHash(h, 1)
			if bits := filterBits(g); filter[g>>shift]&bits == bits {
				v.meet(k, g, path, &leafID)
			}
		}
		last[n&7] = h
		n++
	}
}

// runLength is a number of words that some needle has, and gramPrime to it.
type runLength struct {
	n     int
	power uint64
}

// meet keeps an occurrence if the hash is a needle's. An output that only gives
// back its own call's arguments is no origin.
func (v *provenance) meet(k int, h uint64, path plan.Path, leafID *int32) {
	t := &v.needles
	at := t.slot(h)
	if at < 0 {
		return
	}
	if t.refs[at] > 0 && v.known(&t.found[t.refs[at]-1], int32(k)) {
		return
	}
	if v.slots.echoes(v.origins[k].call, h) {
		return
	}
	if len(v.occs) >= maxOccurrences {
		v.capped("outputs", maxOccurrences)
		return
	}
	if t.refs[at] == 0 {
		t.found = append(t.found, needle{})
		t.refs[at] = int32(len(t.found))
	}
	if o := &v.origins[k]; o.user {
		t.found[t.refs[at]-1].user = o.time + 1
		return
	}
	if *leafID < 0 {
		*leafID = int32(len(v.leaves))
		v.leaves = append(v.leaves, leaf{path: path.Clone()})
	}
	v.occur(t.refs[at]-1, int32(k), *leafID)
}

// known reports whether a needle was found in an origin before. Of the user's
// words the first that hold it count.
func (v *provenance) known(n *needle, origin int32) bool {
	if v.origins[origin].user {
		return n.user > 0
	}
	return n.tail > 0 && v.occs[n.tail-1].origin == origin
}

func (v *provenance) occur(id, origin, leaf int32) {
	n := &v.needles.found[id]
	v.occs = append(v.occs, occurrence{needle: id, origin: origin, leaf: leaf})
	if n.tail > 0 {
		v.occs[n.tail-1].next = int32(len(v.occs))
	} else {
		n.head = int32(len(v.occs))
	}
	n.tail = int32(len(v.occs))
	n.count++
}

// scanJSON reads an output that is JSON text field by field; it reports false,
// having done nothing, if it is none.
func (v *provenance) scanJSON(k int, s string) bool {
	text := strings.TrimSpace(s)
	if text == "" || text[0] != '{' && text[0] != '[' || len(text) > maxParsed {
		return false
	}
	if !jsontext.Value(text).IsValid(jsontext.AllowDuplicateNames(true)) {
		return false
	}
	dec := jsontext.NewDecoder(strings.NewReader(text), jsontext.AllowDuplicateNames(true))
	var p plan.Path
	v.scanValue(k, dec, p)
	return true
}

func (v *provenance) scanValue(k int, dec *jsontext.Decoder, p plan.Path) {
	tok, err := dec.ReadToken()
	if err != nil {
		return
	}
	switch tok.Kind() {
	case '"', '0':
		v.scanText(k, tok.String(), p)
	case '{':
		for dec.PeekKind() == '"' {
			key, _ := dec.ReadToken()
			at := append(p, plan.Step{Key: key.String()})
			v.scanText(k, at[len(at)-1].Key, at)
			v.scanValue(k, dec, at)
		}
		_, _ = dec.ReadToken()
	case '[':
		for i := 0; dec.PeekKind() != ']' && dec.PeekKind() != 0; i++ {
			v.scanValue(k, dec, append(p, plan.Step{Index: i, IsIndex: true}))
		}
		_, _ = dec.ReadToken()
	}
}
