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
func (a *analysis) collect() {
	calls := len(a.plan.Calls)
	a.parts = slices.Grow(a.parts, a.asked())
	a.partsOf = slices.Grow(a.partsOf, calls)
	a.hidden.Reserve(calls)
	a.runs.Reserve(calls)
	a.rare = append(a.rare, rare{})
	for i := range a.plan.Calls {
		f := &a.facts[i]
		a.partsOf = append(a.partsOf, stretch{first: int32(len(a.parts))})
		a.hidden.Begin()
		a.runs.Begin()
		for s := range f.Slots {
			if !f.asks(s) {
				continue
			}
			role := f.role(s)
			for _, v := range f.values(s) {
				if role == Content && a.private {
					a.addRuns(v.Text)
				}
				a.values(i, s, role, v)
			}
		}
		a.partsOf[i].end = int32(len(a.parts))
	}
}

// asked is how many slots are asked about; most have one part.
func (a *analysis) asked() int {
	n := 0
	for i := range a.facts {
		for s := range a.facts[i].Slots {
			if a.facts[i].asks(s) {
				n++
			}
		}
	}
	return n
}

func (a *analysis) values(call, slot int, role Role, v *plan.Value) {
	switch v.Kind {
	case plan.String:
		if len(v.Refs()) == 0 {
			a.value(call, slot, role, v.Text)
		}
	case plan.Number:
		a.number(call, slot, role, v.Text)
	}
	for i := range v.Items {
		if role == Object && i < len(v.Keys) && kindKeys[v.Keys[i]] {
			continue
		}
		a.values(call, slot, role, &v.Items[i])
	}
}

// kindKeys are those of an object's fields that say of what kind it is.
var kindKeys = map[string]bool{"type": true, "kind": true, "format": true, "encoding": true, "mime_type": true}

func (a *analysis) value(call, slot int, role Role, text string) {
	text = strings.TrimSpace(text)
	if hides(role) {
		a.hide(text)
	}
	bare := fields.Bare(text)
	a.words = fields.AppendWords(a.words[:0], bare)
	if len(a.words) == 0 {
		return
	}
	switch role {
	case Amount:
		a.number(call, slot, role, text)
		return
	case When:
		a.dates(call, slot, text)
		return
	}
	if role == Content && len(a.words) > shortContent {
		a.atoms(call, slot, text)
		return
	}
	kind := fields.KindOf(unquoted(text))
	if role == Content && kind == fields.NoAtom && common(a.words) {
		return // a common word or two say nothing of where they came from
	}
	a.part(call, part{slot: int32(slot), atom: kind, length: int32(len(bare))}.of(a.add(a.words)), bare)
	if kind == fields.NoAtom && strings.ContainsAny(text, "@./") || role == Content {
		a.atoms(call, slot, text)
	}
}

// unquoted returns a text without the marks that enclose an address.
func unquoted(text string) string {
	for text != "" && encloses(text[0]) {
		text = text[1:]
	}
	for text != "" && encloses(text[len(text)-1]) {
		text = text[:len(text)-1]
	}
	return text
}

func encloses(c byte) bool {
	return c == ' ' || c == '<' || c == '>' || c == '"' || c == '\'' || c == '`'
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
	for _, v := range a.corpus.Decoder.Views(text) {
		bare := fields.Bare(v.Text)
		a.words = fields.AppendWords(a.words[:0], bare)
		whole := len(a.words) > 0 && len(a.words) <= shortContent
		if whole {
			a.hidden.Add(a.add(a.words).run)
			if oneToken(v.Text) {
				continue // what it names is itself
			}
		}
		fields.Atoms(v.Text, func(at fields.Atom) {
			atom := fields.Bare(v.Text[at.Start:at.End])
			if at.Kind == fields.ID || whole && len(atom) == len(bare) {
				return
			}
			a.words = fields.AppendWords(a.words[:0], atom)
			a.hidden.Add(a.add(a.words).run)
		})
	}
}

// oneToken reports whether a text is surely one token, as most turned ones are.
func oneToken(text string) bool {
	for i := 0; i < len(text); i++ {
		if !tokenBytes[text[i]] {
			return false
		}
	}
	return text != "" && (text[0] == '/' || letter(text[0]))
}

// tokenBytes are those that end no token.
var tokenBytes = func() (t [256]bool) {
	for c := range t {
		t[c] = letter(byte(c)) || strings.IndexByte("./-_+@:?=&%#~$", byte(c)) >= 0
	}
	return t
}()

// reveal makes the parts of what a call's arguments hide, if any of it was found.
func (a *analysis) reveal(i int) {
	found := false
	for _, h := range a.hidden.Of(i) {
		found = found || a.corpus.Of(h) != nil
	}
	if !found {
		return
	}
	f, at := &a.facts[i], a.partsOf[i]
	a.partsOf[i].first = int32(len(a.parts)) // behind all others, since they grow
	a.parts = append(a.parts, a.parts[at.first:at.end]...)
	for s := range f.Slots {
		if !f.asks(s) || !hides(f.role(s)) {
			continue
		}
		for _, v := range f.values(s) {
			v.Walk(func(_ plan.Path, x *plan.Value) bool {
				if x.Kind == plan.String && len(x.Refs()) == 0 {
					a.decoded(i, s, strings.TrimSpace(x.Text))
				}
				return true
			})
		}
	}
	a.partsOf[i].end = int32(len(a.parts))
}

// decoded makes the parts of what a text holds in an encoding or disguise.
func (a *analysis) decoded(call, slot int, text string) {
	for _, v := range a.corpus.Decoder.Views(text) {
		bare := fields.Bare(v.Text)
		a.words = fields.AppendWords(a.words[:0], bare)
		first := len(a.parts)
		if n := len(a.words); n > 0 && n <= shortContent {
			a.part(call, part{slot: int32(slot), atom: fields.KindOf(bare), length: int32(len(bare))}.of(a.add(a.words)), bare)
		}
		a.atoms(call, slot, v.Text)
		for k := first; k < len(a.parts); k++ {
			a.parts[k].inside = true
			a.rarity(&a.parts[k]).decoding = v.Encoding
		}
	}
}

// part keeps a part of the call that is collected.
func (a *analysis) part(call int, p part, text string) {
	if len(a.parts)-int(a.partsOf[call].first) >= maxParts {
		return
	}
	p.leaf = -1
	if p.atom == fields.URL || p.atom == fields.Address {
		if host := fields.HostOf(text); host != "" {
			a.words = fields.AppendWords(a.words[:0], host)
			*a.rarity(&p) = rare{host: host, hostRun: a.add(a.words).run}
		}
	}
	a.parts = append(a.parts, p)
}

// atoms adds what a longer text names: addresses, web addresses, accounts.
func (a *analysis) atoms(call, slot int, text string) {
	whole := len(fields.Bare(text))
	fields.Atoms(text, func(at fields.Atom) {
		if at.Kind == fields.ID {
			return
		}
		bare := fields.Bare(text[at.Start:at.End])
		a.words = fields.AppendWords(a.words[:0], bare)
		if len(a.words) > 0 && len(bare) < whole {
			a.part(call, part{slot: int32(slot), atom: at.Kind, inside: true, length: int32(len(bare))}.of(a.add(a.words)), bare)
		}
	})
}

func (a *analysis) number(call, slot int, role Role, text string) {
	v, err := strconv.ParseFloat(strings.Trim(text, "$€£ "), 64)
	if err != nil {
		return
	}
	p := part{slot: int32(slot), length: int32(len(text))}
	if role == Amount {
		p.run = a.corpus.AddNumber(v)
	} else {
		a.words = fields.AppendWords(a.words[:0], numeral(v))
		p = p.of(a.add(a.words))
	}
	a.part(call, p, "")
}

func (a *analysis) dates(call, slot int, text string) {
	seen := map[fields.Date]bool{}
	fields.Dates(text, func(d fields.Date) {
		if !seen[d] {
			seen[d] = true
			a.part(call, part{slot: int32(slot), length: int32(len(text)), run: a.corpus.AddDate(d)}, "")
		}
	})
}

// numeral writes a number that is an id: 7.0 is the 7 of the record.
func numeral(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
