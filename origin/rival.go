package origin

import (
	"strings"

	"github.com/planlint/planlint/internal/fields"
)

// rivalry is a kind of value in one call's output.
type rivalry struct {
	call int32
	kind fields.AtomKind
}

// several stands for more than one value.
const several = "\x00"

// rivalled reports whether several records of one list, to which the user's words
// point by their titles, hold different values of the kind: then none of them is his choice,
// unless he speaks of all.
func (j *judgement) rivalled(p *part) bool {
	l := &j.leaves[p.leaf]
	if rec := &j.records[l.record]; j.request.all || p.atom == fields.NoAtom || !rec.byTitle || rec.sender || l.call < 0 {
		return false
	}
	return !j.only(rivalry{l.call, p.atom})
}

// outranked reports whether a payee stands in a record that only fits the user's
// words, while one that he spelled out, as the file of the bill, holds another.
func (j *judgement) outranked(p *part) bool {
	l := &j.leaves[p.leaf]
	if rec := &j.records[l.record]; p.atom != fields.Account || j.f.Acts&Pay == 0 || rec.sender || rec.standing >= Strong {
		return false
	}
	for id := range j.records {
		r := &j.records[id]
		if r.standing < Strong || r.call == l.call || !j.available(r.call, j.i) {
			continue
		}
		if other := j.firstAtom(int32(id), fields.Account); other != "" && !j.holds(int32(id), p) {
			return true
		}
	}
	return false
}

// holds reports whether a record holds a value.
func (j *judgement) holds(rec int32, p *part) bool {
	found := false
	j.hits(p.run, func(_ int32, l *leaf) bool {
		found = l.record == rec
		return !found
	})
	return found
}

// meant reports whether the user's words point at a record, and at no other of its
// list as well that is somebody else's.
func (j *judgement) meant(rec int32) bool {
	r := &j.records[rec]
	if r.standing < Plain {
		return false
	}
	if !r.byTitle || r.sender {
		return true
	}
	return j.only(rivalry{r.call, fields.NoAtom})
}

// only reports whether what the user pointed at of an output holds one value of a
// kind at most.
func (j *judgement) only(key rivalry) bool {
	value, ok := j.rivals[key]
	if !ok {
		value = j.valueOf(key)
		j.rivals[key] = value
	}
	return value != several
}

// spelledAs reports whether a text has one of some words close before a value.
func (a *analysis) spelledAs(l int32, id phrase, before map[string]bool, near int) bool {
	text, words := a.text(l), a.wordsOf(l)
	for at := id.in(words, 0); at >= 0; at = id.in(words, at+1) {
		for k := max(0, at-near); k < at; k++ {
			if before[strings.ToLower(text[words[k].Start:words[k].End])] {
				return true
			}
		}
	}
	return false
}

// wordsOf returns the words of a leaf, which are kept until another leaf is asked for.
func (a *analysis) wordsOf(l int32) []fields.Word {
	if a.cut != l+1 {
		a.cut, a.cutWords = l+1, fields.AppendWords(a.cutWords[:0], a.text(l))
	}
	return a.cutWords
}

// valueOf returns the one value of a kind that the records of standing of an output
// hold, or several: where one record holds several, that is no rivalry.
func (a *analysis) valueOf(key rivalry) string {
	one := ""
	at := a.recordsOf[key.call]
	for id := at.first; id < at.end; id++ {
		rec := &a.records[id]
		if rec.standing < Plain && !rec.loose {
			continue
		}
		switch v := a.firstAtom(id, key.kind); {
		case v == "":
		case one == "":
			one = v
		case !strings.EqualFold(one, v):
			return several
		}
	}
	return one
}

// firstAtom returns the first atom of a kind in a record's text, the sender for none.
func (a *analysis) firstAtom(id int32, kind fields.AtomKind) (found string) {
	rec := &a.records[id]
	for l := rec.from; l < rec.end && found == ""; l++ {
		text := a.text(l)
		if kind == fields.NoAtom && a.leaves[l].ref && strings.Contains(text, "@") {
			return fields.Bare(text)
		}
		if a.leaves[l].record != id || a.leaves[l].kind != Text {
			continue
		}
		fields.Atoms(text, func(at fields.Atom) {
			if at.Kind == kind && found == "" {
				found = fields.Bare(text[at.Start:at.End])
			}
		})
	}
	return found
}
