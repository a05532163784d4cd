package origin

import (
	"slices"
	"strconv"
	"strings"

	"github.com/planlint/planlint/internal/fields"
	"github.com/planlint/planlint/plan"
)

// maxParts bounds the parts that are looked for a call; what is beyond is not
// asked about by itself, and a value that long is content.
const maxParts = 256

// shortContent is up to how many words a content is looked for as a whole.
const shortContent = 24

// collect makes the parts of every call and adds their phrases to the index.
func (a *analysis) collect(r *Report) {
	for i := range a.plan.Calls {
		f, out := &a.facts[i], &r.Calls[i]
		out.Parts = a.parts[:0]
		for s := range f.Slots {
			if s >= len(f.Roles) || f.Roles[s] == Other || f.Slots[s].Known {
				continue
			}
			for _, v := range f.Slots[s].Values {
				if f.Roles[s] == Content {
					a.addRuns(i, v)
				}
				a.values(out, s, f.Roles[s], v)
			}
		}
		for k := range out.Parts {
			out.Parts[k].Argument = f.Slots[out.Parts[k].Slot].Name
		}
		a.parts = out.Parts
		out.Parts = slices.Clone(out.Parts)
	}
}

func (a *analysis) values(out *Call, slot int, role Role, v *plan.Value) {
	switch v.Kind {
	case plan.String:
		if len(v.Refs()) == 0 {
			a.value(out, slot, role, v.Text)
		}
	case plan.Number:
		a.number(out, slot, role, v.Text)
	}
	for i := range v.Items {
		a.values(out, slot, role, &v.Items[i])
	}
}

func (a *analysis) value(out *Call, slot int, role Role, text string) {
	text = strings.TrimSpace(text)
	if role != Amount && role != When {
		defer a.decoded(out, slot, text)
	}
	bare := fields.Bare(text)
	kind := fields.KindOf(strings.Trim(text, "<>\"'` "))
	a.words = fields.AppendWords(a.words[:0], bare)
	switch {
	case len(a.words) == 0:
		return
	case role == Amount:
		a.number(out, slot, role, text)
	case role == When:
		a.dates(out, slot, text)
	case role == Content && len(a.words) > shortContent:
		a.atoms(out, slot, text)
	case role == Content && kind == fields.NoAtom && common(a.words):
		// A common word or two say nothing of where they came from.
	default:
		a.part(out, Part{Slot: slot, Atom: kind, Length: len(bare), phrase: a.index.add(a.words)}, bare)
		if kind == fields.NoAtom && strings.ContainsAny(text, "@./") || role == Content {
			a.atoms(out, slot, text)
		}
	}
}

// common reports whether a content is one or two words without a capital letter
// or a digit.
func common(words []fields.Word) bool {
	if len(words) > 2 {
		return false
	}
	for i := range words {
		if words[i].Capital || words[i].Digits || words[i].End-words[i].Start > 12 {
			return false
		}
	}
	return true
}

// decoded adds what a text holds in an encoding or disguise: a short one as a
// whole, a longer one by the addresses in it.
func (a *analysis) decoded(out *Call, slot int, text string) {
	for _, v := range fields.Views(text) {
		bare := fields.Bare(v.Text)
		a.words = fields.AppendWords(a.words[:0], bare)
		first := len(out.Parts)
		if n := len(a.words); n > 0 && n <= shortContent {
			a.part(out, Part{Slot: slot, Atom: fields.KindOf(bare), Length: len(bare), phrase: a.index.add(a.words)}, bare)
		}
		a.atoms(out, slot, v.Text)
		for k := first; k < len(out.Parts); k++ {
			out.Parts[k].Decoding, out.Parts[k].Inside = v.Encoding, true
		}
	}
}

func (a *analysis) part(out *Call, p Part, text string) {
	if len(out.Parts) < maxParts {
		p.leaf, p.host = -1, -1
		if h := fields.HostOf(text); h != "" && (p.Atom == fields.URL || p.Atom == fields.Address) {
			p.hostName = h
			p.host = a.index.add(fields.AppendWords(nil, h))
		}
		out.Parts = append(out.Parts, p)
	}
}

// atoms adds what a longer text names: addresses, web addresses, accounts.
func (a *analysis) atoms(out *Call, slot int, text string) {
	fields.Atoms(text, func(at fields.Atom) {
		if at.Kind == fields.ID {
			return
		}
		bare := fields.Bare(text[at.Start:at.End])
		a.words = fields.AppendWords(a.words[:0], bare)
		if len(a.words) > 0 && len(bare) < len(fields.Bare(text)) {
			a.part(out, Part{Slot: slot, Atom: at.Kind, Inside: true, Length: len(bare), phrase: a.index.add(a.words)}, bare)
		}
	})
}

func (a *analysis) number(out *Call, slot int, role Role, text string) {
	v, err := strconv.ParseFloat(strings.Trim(text, "$€£ "), 64)
	if err != nil {
		return
	}
	if role != Amount {
		// An id that is written as a number: 7.0 is the 7 of the record.
		a.words = fields.AppendWords(a.words[:0], strconv.FormatFloat(v, 'f', -1, 64))
		a.part(out, Part{Slot: slot, Length: len(text), phrase: a.index.add(a.words)}, "")
		return
	}
	a.part(out, Part{Slot: slot, Length: len(text), phrase: a.index.addValue(a.index.numbers, fields.NumberHash(v))}, "")
}

func (a *analysis) dates(out *Call, slot int, text string) {
	seen := map[fields.Date]bool{}
	fields.Dates(text, func(d fields.Date) {
		if !seen[d] {
			seen[d] = true
			a.part(out, Part{Slot: slot, Length: len(text), phrase: a.index.addValue(a.index.dates, d.Hash())}, "")
		}
	})
}

// scan looks for all phrases in all leaves.
func (a *analysis) scan() {
	for i := range a.leaves {
		a.index.scan(int32(i), a.leaves[i].text)
	}
}
