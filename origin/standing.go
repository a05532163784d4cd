package origin

import (
	"slices"
	"strings"

	"github.com/planlint/planlint/internal/fields"
	"github.com/planlint/planlint/internal/match"
)

// stand decides, call by call, how the user points at each record, and where the
// parts of each call come from.
func (a *analysis) stand() {
	for i := range a.plan.Calls {
		a.reveal(i)
		parts, n := a.partsIn(i), 0
		for k := range parts {
			p := &parts[k]
			if a.locate(i, p); p.from == 0 && a.rareOf(p).decoding != "" {
				continue // a decoding that nothing holds is none
			}
			if n < k {
				parts[n] = *p
			}
			n++
		}
		a.partsOf[i].end = a.partsOf[i].first + int32(n)
		a.point(i)
	}
}

// locate finds where a part stands, as far as it was there before the call. Of
// several places, third-party text with the best standing is shown. An address
// that stands nowhere has the origin of its host.
func (a *analysis) locate(i int, p *part) {
	a.find(i, p, p.run)
	if host := a.rareOf(p).hostRun; p.from == 0 && host != 0 {
		a.find(i, p, host)
		p.pieced = true
		if p.from != FromText {
			p.from, p.leaf = 0, -1
		}
	}
	if p.leaf < 0 {
		return
	}
	if at := &a.leaves[p.leaf]; at.record >= 0 && !at.open {
		p.standing = a.records[at.record].standing
	}
}

func (a *analysis) find(i int, p *part, phrase match.Run) {
	a.hits(phrase, func(h int32, l *leaf) bool {
		if !a.available(l.call, i) || l.call >= 0 && a.echoes(l, h) {
			return true
		}
		kind := l.kind
		if kind != user && l.record >= 0 && (a.records[l.record].tainted || kind != Text && a.confirms(l.call, phrase)) {
			kind = Text
		}
		switch kind {
		case user:
			p.from |= FromUser
		case Service:
			p.from |= FromService
		case Name:
			p.from |= FromName
		case Text:
			p.from |= FromText
		}
		if kind == Service || kind == Name {
			rec := &a.records[l.record]
			p.solid = p.solid || !rec.text || rec.standing > None && !rec.fits && !rec.loose
		}
		a.consider(p, h, kind)
		return true
	})
	typed := p.atom == fields.Address || p.atom == fields.Account || p.atom == fields.URL
	if typed && p.from&FromText != 0 && p.from&FromUser == 0 && !p.solid {
		// A sender field of an inbox is no address book.
		p.from = FromText
	}
}

// confirms reports whether a call was made with a value that only text spells
// which the user did not point at: what it returns of that name is the text's.
func (a *analysis) confirms(call int32, value match.Run) bool {
	if a.facts[call].Effect == Writes {
		return false
	}
	parts := a.partsIn(int(call))
	for k := range parts {
		if p := &parts[k]; p.run == value && p.textOnly() && p.standing < Plain {
			return true
		}
	}
	return false
}

// consider keeps the leaf that says most of a part.
func (a *analysis) consider(p *part, h int32, kind FieldKind) {
	if kind == user || p.leaf >= 0 && !a.saysMore(p, h) {
		return
	}
	p.leaf = h
}

// saysMore reports whether a leaf says more of a part than the one that it has. A
// thing is listed where a field is its id, and not where the id stands in a date.
func (a *analysis) saysMore(p *part, h int32) bool {
	if a.leaves[h].kind != Text && a.leaves[p.leaf].kind != Text {
		if whole := a.isWhole(p, h); whole != a.isWhole(p, p.leaf) {
			return whole
		}
	}
	return a.rank(h) > a.rank(p.leaf)
}

func (a *analysis) isWhole(p *part, h int32) bool {
	return len(fields.Bare(a.text(h))) == int(p.length)
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
		for _, v := range a.facts[l.call].values(s) {
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
	chain   chain
	tainted bool
}

// point gives the records of a call's output their standing.
func (a *analysis) point(i int) {
	parts := a.partsIn(i)
	by := a.pointingOf(i, parts)
	if by.standing > None && a.facts[i].Effect == Fetches {
		for k := range parts {
			a.visited[parts[k].run] = true
		}
	}
	a.fill(i, &by)
	for id := a.recordsOf[i].first; id < a.recordsOf[i].end; id++ {
		rec := &a.records[id]
		rec.tainted = by.tainted
		rec.standing, rec.chain, rec.folder = by.standing, by.chain, by.folder
		if !by.whole && !(by.exact && rec.only) {
			rec.standing = min(rec.standing, Found)
		}
		a.named(rec)
		a.inherit(rec)
	}
	if a.facts[i].Effect == Reads {
		a.fit(i)
		for id := a.recordsOf[i].first; id < a.recordsOf[i].end; id++ {
			a.inherit(&a.records[id])
		}
	}
}

// inherit gives a record the standing of the one around it.
func (a *analysis) inherit(rec *record) {
	if rec.parent < 0 {
		return
	}
	if around := &a.records[rec.parent]; around.standing > rec.standing {
		rec.standing, rec.chain, rec.loose = around.standing, around.chain, around.loose
	}
}

func (a *analysis) pointingOf(i int, parts []part) pointing {
	var by pointing
	whole := false // a file or page is one thing, however many records it holds
	f := &a.facts[i]
	for k := range parts {
		p := &parts[k]
		role := f.role(int(p.slot))
		if role != Target && role != Object && role != Selector || p.inside {
			continue
		}
		exact := role != Selector
		whole = whole || role == Target
		switch {
		case p.from&FromUser != 0:
			s := Plain
			if p.atom != fields.NoAtom || a.quoted(p.phrase()) {
				s = Strong
			}
			by.raise(a, s, exact, "the user's words say where it is", i, -1)
		case a.below(i, f, p):
			by.raise(a, Strong, exact, "it lies below what the user named", i, -1)
			by.folder = p.atom == fields.File && !a.namesFile(a.textOf(i, f, p))
		case p.from == 0 && p.atom == fields.URL && a.namesHost(a.textOf(i, f, p)):
			by.raise(a, Plain, exact, "its host bears a name that the user says, and no text says it", i, -1)
		case a.fills(p, &by, i):
		case p.leaf >= 0 && p.from&^FromText != 0 && a.leaves[p.leaf].record >= 0:
			// Listed by the service: the thing has the standing of its record.
			by.lend(a, p, i, exact)
			if by.standing == None && p.from&FromText == 0 && exact && a.asksFor(i) {
				by.raise(a, Found, exact, "the user asked for such things", i, -1)
			}
		case p.from == FromText && a.lends(i, p):
			by.lend(a, p, i, exact)
		case p.from == FromText && a.delegates && p.standing >= Plain:
			by.raise(a, Found, exact, "the text that the user handed the choice to says so", i, p.leaf)
		case p.from == FromText && p.standing == None:
			by.tainted = true
		}
	}
	by.whole = by.exact && whole
	return by
}

// asksFor reports whether the user speaks of what a reading tool is named for: the
// invoices of get_invoice.
func (a *analysis) asksFor(i int) bool {
	_, about := ActsOfName(a.plan.Calls[i].Tool)
	for _, thing := range about {
		if len(thing) >= 4 && !commonWords[thing] && (slices.Contains(a.request.words, thing) || slices.Contains(a.request.words, thing+"s")) {
			return true
		}
	}
	return false
}

func (b *pointing) raise(a *analysis, s Standing, exact bool, how string, call int, via int32) {
	if s > b.standing || s == b.standing && exact && !b.exact {
		b.standing, b.exact, b.chain = s, exact, a.pointed(0, how, call, via)
	}
}

// lend makes a call's output stand as the record that its argument came from.
func (b *pointing) lend(a *analysis, p *part, i int, exact bool) {
	rec := &a.records[a.leaves[p.leaf].record]
	if rec.standing > b.standing {
		b.standing, b.exact = rec.standing, exact
		b.chain = a.pointed(rec.chain, "an address out of that record leads to it", i, p.leaf)
	}
}

// below reports whether an address lies on the host, or a path below the folder,
// that the user named.
func (a *analysis) below(i int, f *Facts, p *part) bool {
	if !a.places {
		return false
	}
	value := a.textOf(i, f, p)
	for t := range a.prompt {
		from := &a.prompt[t]
		if from.before > i {
			continue
		}
		if p.atom == fields.URL && len(from.hosts) > 0 {
			for n := 0; n <= maxOwner; n++ {
				if owner := ownerOf(value, n); owner != "" && from.hosts[owner] {
					return true
				}
			}
		}
		for _, at := range from.atoms {
			if at.kind == fields.File && len(at.text) > 1 && liesBelow(value, at.text) {
				return true
			}
		}
	}
	return false
}

func liesBelow(path, folder string) bool {
	rest, ok := strings.CutPrefix(path, strings.TrimSuffix(folder, "/"))
	return ok && rest != "" && rest[0] == '/'
}

// textOf returns the text of a part that is a whole value of its slot.
func (a *analysis) textOf(i int, f *Facts, p *part) string {
	for _, v := range f.values(int(p.slot)) {
		if isPartOf(p, v.Text) {
			return v.Text
		}
		for k := range v.Items {
			if isPartOf(p, v.Items[k].Text) {
				return v.Items[k].Text
			}
		}
	}
	return ""
}

// isPartOf reports whether a part is all of a text.
func isPartOf(p *part, text string) bool {
	bare := fields.Bare(text)
	if text == "" || len(bare) != int(p.length) {
		return false
	}
	var room [16]fields.Word
	words := fields.AppendWords(room[:0], bare)
	return p.run == 0 || int(p.words) != len(words) || match.Hash(words) == p.run
}
