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

// collect makes the parts of every call and makes their phrases be looked for.
func (a *analysis) collect(r *Report) {
	for i := range a.plan.Calls {
		f, out := &a.facts[i], &r.Calls[i]
		out.Parts = a.room()
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
		a.keep(i, out, 0)
		a.hiddenFrom[i+1] = int32(len(a.hidden))
	}
}

// room is where the parts of a call are made: what is left of a piece of memory
// for those of many calls.
func (a *analysis) room() []Part {
	const piece = 128
	if cap(a.parts)-len(a.parts) < 8 {
		a.parts = make([]Part, 0, min(piece, 4*len(a.plan.Calls)+8))
	}
	return a.parts[len(a.parts):]
}

// keep ends the making of a call's parts, from one on.
func (a *analysis) keep(i int, out *Call, from int) {
	for k := from; k < len(out.Parts); k++ {
		out.Parts[k].Argument = a.facts[i].Slots[out.Parts[k].Slot].Name
	}
	if n := len(out.Parts); n <= cap(a.parts)-len(a.parts) {
		a.parts = a.parts[:len(a.parts)+n]
	}
	out.Parts = slices.Clip(out.Parts)
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
	if hides(role) {
		a.hide(text)
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
		a.part(out, Part{Slot: slot, Atom: kind, Length: len(bare), phrase: a.add(a.words)}, bare)
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
		if words[i].Capital() || words[i].Digits() || words[i].Len() > 12 {
			return false
		}
	}
	return true
}

// hides reports whether arguments of a role are looked at for what they encode.
func hides(r Role) bool { return r != Amount && r != When }

// hide looks for what a text holds in an encoding or disguise: a short one as a
// whole, a longer one by the addresses in it.
func (a *analysis) hide(text string) {
	for _, v := range a.decoder.Views(text) {
		a.words = fields.AppendWords(a.words[:0], fields.Bare(v.Text))
		if n := len(a.words); n > 0 && n <= shortContent {
			a.hidden = append(a.hidden, a.add(a.words).run)
		}
		fields.Atoms(v.Text, func(at fields.Atom) {
			if at.Kind != fields.ID {
				a.words = fields.AppendWords(a.words[:0], fields.Bare(v.Text[at.Start:at.End]))
				a.hidden = append(a.hidden, a.add(a.words).run)
			}
		})
	}
}

// reveal makes the parts of what a call's arguments hide, if any of it was found.
func (a *analysis) reveal(i int, out *Call) {
	found := false
	for _, h := range a.hidden[a.hiddenFrom[i]:a.hiddenFrom[i+1]] {
		found = found || a.corpus.Of(h) != nil
	}
	if !found {
		return
	}
	f, from := &a.facts[i], len(out.Parts)
	for s := range f.Slots {
		if s >= len(f.Roles) || f.Roles[s] == Other || f.Slots[s].Known || !hides(f.Roles[s]) {
			continue
		}
		for _, v := range f.Slots[s].Values {
			v.Walk(func(_ plan.Path, x *plan.Value) bool {
				if x.Kind == plan.String && len(x.Refs()) == 0 {
					a.decoded(out, s, strings.TrimSpace(x.Text))
				}
				return true
			})
		}
	}
	a.keep(i, out, from)
}

// decoded makes the parts of what a text holds in an encoding or disguise.
func (a *analysis) decoded(out *Call, slot int, text string) {
	for _, v := range a.decoder.Views(text) {
		bare := fields.Bare(v.Text)
		a.words = fields.AppendWords(a.words[:0], bare)
		first := len(out.Parts)
		if n := len(a.words); n > 0 && n <= shortContent {
			a.part(out, Part{Slot: slot, Atom: fields.KindOf(bare), Length: len(bare), phrase: a.add(a.words)}, bare)
		}
		a.atoms(out, slot, v.Text)
		for k := first; k < len(out.Parts); k++ {
			out.Parts[k].Decoding, out.Parts[k].Inside = v.Encoding, true
		}
	}
}

func (a *analysis) part(out *Call, p Part, text string) {
	if len(out.Parts) < maxParts {
		p.leaf = -1
		if p.Atom == fields.URL || p.Atom == fields.Address {
			if h := fields.HostOf(text); h != "" {
				p.hostName = h
				a.words = fields.AppendWords(a.words[:0], h)
				p.host = a.add(a.words)
			}
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
			a.part(out, Part{Slot: slot, Atom: at.Kind, Inside: true, Length: len(bare), phrase: a.add(a.words)}, bare)
		}
	})
}

func (a *analysis) number(out *Call, slot int, role Role, text string) {
	v, err := strconv.ParseFloat(strings.Trim(text, "$€£ "), 64)
	if err != nil {
		return
	}
	if role != Amount {
		a.words = fields.AppendWords(a.words[:0], numeral(v))
		a.part(out, Part{Slot: slot, Length: len(text), phrase: a.add(a.words)}, "")
		return
	}
	a.part(out, Part{Slot: slot, Length: len(text), phrase: phrase{run: a.corpus.AddNumber(v)}}, "")
}

func (a *analysis) dates(out *Call, slot int, text string) {
	seen := map[fields.Date]bool{}
	fields.Dates(text, func(d fields.Date) {
		if !seen[d] {
			seen[d] = true
			a.part(out, Part{Slot: slot, Length: len(text), phrase: phrase{run: a.corpus.AddDate(d)}}, "")
		}
	})
}

// numeral writes a number that is an id: 7.0 is the 7 of the record.
func numeral(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
