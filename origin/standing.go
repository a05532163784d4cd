package origin

import (
	"strings"

	"github.com/planlint/planlint/internal/fields"
	"github.com/planlint/planlint/internal/match"
)

// stand decides, call by call, how the user points at each record, and where the
// parts of each call come from.
func (a *analysis) stand(r *Report) {
	for i := range a.plan.Calls {
		out := &r.Calls[i]
		a.reveal(i, out)
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
	a.find(i, p, p.phrase.run)
	if p.From == 0 && p.host.run != 0 {
		a.find(i, p, p.host.run)
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

func (a *analysis) find(i int, p *Part, phrase match.Run) {
	a.hits(phrase, func(h int32, l *leaf) bool {
		if !a.available(l.call, i) || l.call >= 0 && a.echoes(l, h) {
			return true
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
		return true
	})
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
func (a *analysis) echoes(l *leaf, at int32) bool {
	if a.facts[l.call].Effect != Writes || l.kind == Text {
		return false
	}
	text := a.text(at)
	for s := range a.facts[l.call].Slots {
		for _, v := range a.facts[l.call].Slots[s].Values {
			if v.Text != "" && strings.EqualFold(strings.TrimSpace(v.Text), strings.TrimSpace(text)) {
				return true
			}
			for k := range v.Items {
				if strings.EqualFold(v.Items[k].Text, text) {
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
	// exact: it names one thing, and does not look for things; whole: by the address
	// of all of the output.
	exact, whole bool
	// folder: it is one of the files of a folder that he named.
	folder  bool
	chain   []Pointer
	tainted bool
}

// point gives the records of a call's output their standing.
func (a *analysis) point(i int, out *Call) {
	by := a.pointingOf(i, out)
	if by.standing > None && a.facts[i].Effect == Fetches {
		for k := range out.Parts {
			a.visited[out.Parts[k].phrase.run] = true
		}
	}
	a.fill(i, out, by)
	for id := a.recordsOf[i].first; id < a.recordsOf[i].end; id++ {
		rec := &a.records[id]
		rec.tainted = by.tainted
		rec.standing, rec.chain, rec.folder = by.standing, by.chain, by.folder
		if !by.whole && !(by.exact && rec.only) {
			rec.standing = min(rec.standing, Found)
		}
		a.named(rec)
		if rec.parent >= 0 && a.records[rec.parent].standing > rec.standing {
			rec.standing, rec.chain = a.records[rec.parent].standing, a.records[rec.parent].chain
		}
	}
	if a.facts[i].Effect == Reads {
		a.fit(i)
	}
}

func (a *analysis) pointingOf(i int, out *Call) pointing {
	var by pointing
	whole := false // a file or page is one thing, however many records it holds
	f := &a.facts[i]
	for k := range out.Parts {
		p := &out.Parts[k]
		role := f.Roles[p.Slot]
		if role != Target && role != Object && role != Selector || p.Inside {
			continue
		}
		exact := role != Selector
		whole = whole || role == Target
		switch {
		case p.From&FromUser != 0:
			s := Plain
			if p.Atom != fields.NoAtom || a.quoted(p.phrase) {
				s = Strong
			}
			by.raise(s, exact, Pointer{How: "the user's words say where it is", Call: i})
		case a.below(i, f, p):
			by.raise(Strong, exact, Pointer{How: "it lies below what the user named", Call: i})
			by.folder = p.Atom == fields.File && !a.namesFile(a.textOf(i, f, p))
		case a.fills(p, a.textOf(i, f, p), &by, i):
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
	by.whole = by.exact && whole
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
// only one of its kind, or a row that the user named.
func (a *analysis) lends(i int, p *Part) bool {
	l := &a.leaves[p.leaf]
	if l.record < 0 || l.open || a.records[l.record].standing == None {
		return false
	}
	if a.facts[l.call].Effect == Fetches && p.Atom == fields.URL {
		host := a.hostOfCall(int(l.call))
		return host != "" && (p.hostName == host || strings.Contains(host, ".") && strings.HasSuffix(p.hostName, "."+host))
	}
	return a.onlyOne(l.record, p.Atom) || a.rowLends(p)
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
		text := a.text(l)
		fields.Atoms(text, func(at fields.Atom) {
			if at.Kind != kind || kind == fields.ID && isReference(text[:at.Start]) {
				return
			}
			bare := fields.Bare(text[at.Start:at.End])
			many = many || seen != "" && !strings.EqualFold(seen, bare)
			seen = bare
		})
	}
	return !many
}
