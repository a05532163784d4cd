package origin

import (
	"strings"

	"github.com/planlint/planlint/internal/fields"
)

// stand decides, call by call, how the user points at each record, and where the
// parts of each call come from.
func (a *analysis) stand(r *Report) {
	for i := range a.plan.Calls {
		out := &r.Calls[i]
		found := out.Parts[:0]
		for k := range out.Parts {
			p := &out.Parts[k]
			if a.locate(i, p); p.From != 0 || p.Decoding == "" {
				found = append(found, *p) // a decoding that nothing holds is none
			}
		}
		out.Parts = found
		a.point(i, out)
	}
}

// locate finds where a part stands, as far as it was there before the call. Of
// several places, third-party text with the best standing is shown. An address
// that stands nowhere has the origin of its host.
func (a *analysis) locate(i int, p *Part) {
	a.find(i, p, p.phrase)
	if p.From == 0 && p.host >= 0 {
		a.find(i, p, p.host)
		if p.From != FromText {
			p.From, p.leaf = 0, -1
		}
	}
	p.Source = Place{Call: -1}
	if p.leaf < 0 {
		return
	}
	p.Source = a.place(p.leaf)
	if rec := a.leaves[p.leaf].record; rec >= 0 && !a.leaves[p.leaf].open {
		p.Standing, p.Chain = a.records[rec].standing, a.records[rec].chain
	}
}

func (a *analysis) find(i int, p *Part, phrase int32) {
	for _, h := range a.index.hits(phrase) {
		l := &a.leaves[h]
		if !a.available(l.call, i) || l.call >= 0 && a.echoes(l) {
			continue
		}
		kind := l.kind
		if kind != user && l.record >= 0 && a.records[l.record].tainted {
			kind = Text
		}
		switch kind {
		case user:
			p.From |= FromUser
		case Service:
			p.From |= FromService
		case Name:
			p.From |= FromName
		case Text:
			p.From |= FromText
		}
		if kind == Service || kind == Name {
			rec := &a.records[l.record]
			p.solid = p.solid || !rec.text || rec.standing > None
		}
		a.consider(p, h, kind)
	}
	typed := p.Atom == fields.Address || p.Atom == fields.Account || p.Atom == fields.URL
	if typed && p.From&FromText != 0 && p.From&FromUser == 0 && !p.solid {
		// A sender field of an inbox is no address book.
		p.From = FromText
	}
}

// consider keeps the leaf that says most of a part.
func (a *analysis) consider(p *Part, h int32, kind FieldKind) {
	if kind == user || p.leaf >= 0 && a.rank(h) <= a.rank(p.leaf) {
		return
	}
	p.leaf = h
}

func (a *analysis) rank(h int32) int {
	l := &a.leaves[h]
	n := 0
	if l.record >= 0 {
		n = int(a.records[l.record].standing)
		if l.open {
			n = 0
		}
	}
	if l.kind == Text {
		n += 4
	}
	return n
}

// echoes reports whether a leaf only gives back an argument of its own call.
func (a *analysis) echoes(l *leaf) bool {
	if a.facts[l.call].Effect != Writes || l.kind == Text {
		return false
	}
	for s := range a.facts[l.call].Slots {
		for _, v := range a.facts[l.call].Slots[s].Values {
			if v.Text != "" && strings.EqualFold(strings.TrimSpace(v.Text), strings.TrimSpace(l.text)) {
				return true
			}
			for k := range v.Items {
				if strings.EqualFold(v.Items[k].Text, l.text) {
					return true
				}
			}
		}
	}
	return false
}

// pointing is how a call's arguments point at what it returns.
type pointing struct {
	standing Standing
	exact    bool
	chain    []Pointer
	tainted  bool
}

// point gives the records of a call's output their standing.
func (a *analysis) point(i int, out *Call) {
	by := a.pointingOf(i, out)
	if by.standing > None && a.facts[i].Effect == Fetches {
		for k := range out.Parts {
			a.visited[out.Parts[k].phrase] = true
		}
	}
	for id := a.firstRecord[i]; id < a.firstRecord[i+1]; id++ {
		rec := &a.records[id]
		rec.tainted = by.tainted
		rec.standing, rec.chain = by.standing, by.chain
		if !(by.exact && rec.only) {
			rec.standing = min(rec.standing, Found)
		}
		a.named(rec)
		if rec.parent >= 0 && a.records[rec.parent].standing > rec.standing {
			rec.standing, rec.chain = a.records[rec.parent].standing, a.records[rec.parent].chain
		}
	}
}

func (a *analysis) pointingOf(i int, out *Call) pointing {
	var by pointing
	f := &a.facts[i]
	for k := range out.Parts {
		p := &out.Parts[k]
		role := f.Roles[p.Slot]
		if role != Target && role != Object && role != Selector || p.Inside {
			continue
		}
		exact := role != Selector
		switch {
		case p.From&FromUser != 0:
			s := Plain
			if p.Atom != fields.NoAtom || a.quoted(p.phrase) {
				s = Strong
			}
			by.raise(s, exact, Pointer{How: "the user's words say where it is", Call: i})
		case a.below(i, f, p):
			by.raise(Strong, exact, Pointer{How: "it lies below what the user named", Call: i})
		case p.leaf >= 0 && p.From&^FromText != 0 && a.leaves[p.leaf].record >= 0:
			// Listed by the service: the thing has the standing of its record.
			by.lend(a, p, i, exact)
		case p.From == FromText && a.lends(i, p):
			by.lend(a, p, i, exact)
		case p.From == FromText && a.delegates && p.Standing == Strong:
			by.raise(Found, exact, Pointer{How: "the text that the user handed the choice to says so", Call: i, Via: p.Source})
		case p.From == FromText && p.Standing == None:
			by.tainted = true
		}
	}
	return by
}

func (b *pointing) raise(s Standing, exact bool, p Pointer) {
	if s > b.standing || s == b.standing && exact && !b.exact {
		b.standing, b.exact, b.chain = s, exact, []Pointer{p}
	}
}

// lend makes a call's output stand as the record that its argument came from.
func (b *pointing) lend(a *analysis, p *Part, i int, exact bool) {
	rec := &a.records[a.leaves[p.leaf].record]
	if rec.standing > b.standing {
		chain := append(append([]Pointer(nil), rec.chain...), Pointer{How: "an address out of that record leads to it", Call: i, Via: a.place(p.leaf)})
		b.standing, b.exact, b.chain = rec.standing, exact, chain
	}
}

// below reports whether an address lies on the host, or a path below the folder,
// that the user named.
func (a *analysis) below(i int, f *Facts, p *Part) bool {
	value := a.textOf(i, f, p)
	host := fields.HostOf(value)
	for t := range a.prompt {
		if a.prompt[t].before > i {
			continue
		}
		for _, at := range a.prompt[t].atoms {
			switch {
			case at.kind == fields.URL && p.Atom == fields.URL:
				if host != "" && host == fields.HostOf(at.text) {
					return true
				}
			case at.kind == fields.File && len(at.text) > 1 && strings.HasPrefix(value, strings.TrimSuffix(at.text, "/")+"/"):
				return true
			}
		}
	}
	return false
}

// textOf returns the text of a part that is a whole value of its slot.
func (a *analysis) textOf(i int, f *Facts, p *Part) string {
	for _, v := range f.Slots[p.Slot].Values {
		if v.Text != "" && len(fields.Bare(v.Text)) == p.Length {
			return v.Text
		}
		for k := range v.Items {
			if len(fields.Bare(v.Items[k].Text)) == p.Length {
				return v.Items[k].Text
			}
		}
	}
	return ""
}

// lends reports whether the record that an address stands in may lend it: pages
// lend addresses of their own host only, other records an address that is the
// only one of its kind.
func (a *analysis) lends(i int, p *Part) bool {
	l := &a.leaves[p.leaf]
	if l.record < 0 || l.open || a.records[l.record].standing == None {
		return false
	}
	if a.facts[l.call].Effect == Fetches && p.Atom == fields.URL {
		return p.hostName != "" && p.hostName == a.hostOfCall(int(l.call))
	}
	return a.onlyOne(l.record, p.Atom)
}

func (a *analysis) hostOfCall(i int) string {
	f := &a.facts[i]
	for s, role := range f.Roles {
		if role != Target {
			continue
		}
		for _, v := range f.Slots[s].Values {
			if h := fields.HostOf(v.Text); h != "" {
				return h
			}
		}
	}
	return ""
}

// onlyOne reports whether the text of a record holds one atom of a kind at most.
func (a *analysis) onlyOne(rec int32, kind fields.AtomKind) bool {
	seen := ""
	many := false
	for l := a.records[rec].from; l < a.records[rec].end; l++ {
		if a.leaves[l].record != rec || a.leaves[l].kind != Text {
			continue
		}
		text := a.leaves[l].text
		fields.Atoms(text, func(at fields.Atom) {
			if at.Kind != kind {
				return
			}
			bare := fields.Bare(text[at.Start:at.End])
			many = many || seen != "" && !strings.EqualFold(seen, bare)
			seen = bare
		})
	}
	return !many
}

// named raises a record that the user calls by one of its reference fields.
func (a *analysis) named(rec *record) {
	for l := rec.from; l < rec.end; l++ {
		leaf := &a.leaves[l]
		if !leaf.ref || leaf.kind == Text && !nameShaped(leaf.text) {
			continue
		}
		s, how := a.spoken(leaf.text)
		if s > rec.standing {
			rec.standing = s
			rec.chain = []Pointer{{How: how, Call: int(leaf.call), Via: a.place(l)}}
		}
	}
}

// spoken says how the user's words name a value.
func (a *analysis) spoken(text string) (Standing, string) {
	bare := fields.Bare(text)
	words := fields.AppendWords(a.words[:0], bare)
	a.words = words
	if len(words) == 0 || len(bare) < 3 {
		return None, ""
	}
	best := None
	for t := range a.prompt {
		p := &a.prompt[t]
		for at := 0; at+len(words) <= len(p.words); at++ {
			if !same(p.words[at:at+len(words)], words) {
				continue
			}
			start, end := p.words[at].Start, p.words[at+len(words)-1].End
			if fields.KindOf(bare) != fields.NoAtom || inQuotes(p.text, start, end) {
				return Strong, "the user named it"
			}
			best = Plain
		}
	}
	if best == None && (a.namesPerson(bare) || a.topical(bare)) {
		best = Plain
	}
	if best == Plain {
		return Plain, "the user's words name it"
	}
	return None, ""
}

// namesPerson reports whether the user's words hold the name that an address is
// made of: "Kim Lee" for kim.lee@corp.example.
func (a *analysis) namesPerson(address string) bool {
	local, _, ok := strings.Cut(address, "@")
	if !ok {
		return false
	}
	named := 0
	fields.Words(local, func(w fields.Word) bool {
		if w.End-w.Start >= 3 && !w.Digits && a.says(w.Hash, true) {
			named++
		}
		return true
	})
	return named > 0
}

// topical reports whether most of the telling words of a title are the user's.
func (a *analysis) topical(title string) bool {
	telling, said := 0, 0
	fields.Words(title, func(w fields.Word) bool {
		if w.End-w.Start < 4 || w.Digits || commonWords[strings.ToLower(title[w.Start:w.End])] {
			return true
		}
		telling++
		if a.says(w.Hash, false) {
			said++
		}
		return true
	})
	return said > 0 && 3*said >= 2*telling && (said > 1 || telling == 1)
}

// says reports whether a word is the user's; capital: as a name.
func (a *analysis) says(hash uint64, capital bool) bool {
	for t := range a.prompt {
		for i := range a.prompt[t].words {
			if w := &a.prompt[t].words[i]; w.Hash == hash && (!capital || w.Capital) {
				return true
			}
		}
	}
	return false
}

// commonWords say nothing of what a record is about.
var commonWords = map[string]bool{"your": true, "this": true, "that": true, "with": true, "from": true, "have": true, "will": true,
	"please": true, "about": true, "dear": true, "hello": true, "important": true, "urgent": true, "message": true, "email": true,
	"mail": true, "file": true, "document": true, "notice": true, "update": true, "information": true, "request": true, "user": true,
	"docx": true, "xlsx": true, "news": true, "welcome": true, "thank": true, "thanks": true}

func same(a, b []fields.Word) bool {
	for i := range b {
		if a[i].Hash != b[i].Hash {
			return false
		}
	}
	return true
}

// inQuotes reports whether quotes enclose a part of a text.
func inQuotes(text string, start, end int) bool {
	before := strings.TrimRight(text[:start], " /")
	after := strings.TrimLeft(text[end:], " /.,!?")
	return hasQuote(before, true) && hasQuote(after, false)
}

func hasQuote(s string, last bool) bool {
	for _, q := range []string{`"`, "'", "`", "“", "”", "‘", "’", "«", "»"} {
		if last && strings.HasSuffix(s, q) || !last && strings.HasPrefix(s, q) {
			return true
		}
	}
	return false
}

// quoted reports whether the user put a phrase in quotes.
func (a *analysis) quoted(id int32) bool {
	if id < 0 {
		return false
	}
	want := a.index.phrases[id].words
	if len(want) == 0 {
		return false
	}
	for t := range a.prompt {
		p := &a.prompt[t]
		for at := 0; at+len(want) <= len(p.words); at++ {
			match := true
			for k, w := range want {
				if p.words[at+k].Hash != w {
					match = false
					break
				}
			}
			if match && inQuotes(p.text, p.words[at].Start, p.words[at+len(want)-1].End) {
				return true
			}
		}
	}
	return false
}
