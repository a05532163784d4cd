package origin

import (
	"slices"
	"strings"

	"github.com/planlint/planlint/internal/fields"
)

// named raises a record that the user calls by one of its reference fields.
func (a *analysis) named(rec *record) {
	for l := rec.from; l < rec.end; l++ {
		leaf := &a.leaves[l]
		if !leaf.ref || leaf.kind == Text && !nameShaped(a.text(l)) {
			continue
		}
		s, how := a.spoken(a.text(l))
		if s == Plain {
			a.bears(rec, a.text(l))
		}
		if s <= Plain {
			a.domainBears(a.text(l))
		}
		rec.sender = rec.sender || s >= Plain && strings.Contains(a.text(l), "@")
		if s > rec.standing {
			rec.standing = s
			rec.chain = a.pointed(0, how, int(leaf.call), l)
			rec.byTitle = s == Plain && !strings.Contains(a.text(l), "@")
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
		for _, first := range p.places[words[0].Hash] {
			at := int(first)
			if at+len(words) > len(p.words) || !same(p.words[at:at+len(words)], words) {
				continue
			}
			start, end := int(p.words[at].Start), int(p.words[at+len(words)-1].End)
			if fields.KindOf(bare) != fields.NoAtom || inQuotes(p.text, start, end) {
				return Strong, "the user named it"
			}
			best = Plain
		}
	}
	if best == None && (a.namesPerson(bare) || a.namesDomain(bare) || a.topical(bare)) {
		best = Plain
	}
	if best == Plain {
		return Plain, "the user's words name it"
	}
	return None, ""
}

// fit raises the records of a list that the user's words fit, where they name none
// of them: the one whose title has a telling word of his ("the bill" is the mail
// "Bill for Momo") counts as named; several of that kind are found, and so is the
// one that shares most of his words.
func (a *analysis) fit(i int) {
	at := a.recordsOf[i]
	sender, plain := false, false
	for id := at.first; id < at.end; id++ {
		rec := &a.records[id]
		plain = plain || rec.standing >= Plain
		sender = sender || rec.sender
	}
	if sender {
		a.preferSenders(at)
	}
	var titled []int32
	for id := at.first; id < at.end; id++ {
		if rec := &a.records[id]; rec.standing < Plain && !rec.tainted && a.titled(rec) {
			titled = append(titled, id)
		}
	}
	if len(titled) > 1 {
		if documents := a.documentsOf(titled); len(documents) == 1 {
			titled = documents
		}
	}
	switch {
	case len(titled) == 1 && !plain:
		a.records[titled[0]].standing, a.records[titled[0]].fits = Plain, true
		a.records[titled[0]].chain = a.pointed(0, "it is the only one of its list that the user's words fit", i, -1)
	case len(titled) > 0:
		for _, id := range titled {
			a.found(id, i, "the user's words fit its title")
		}
	case !plain:
		if best := a.closest(at); best >= 0 {
			a.found(best, i, "of its list it shares most words with the user's")
		}
	}
}

// documentsOf returns the records whose title says that they are what the user asks
// for: of the mails about the plumber, the one titled "Invoice" is his bill.
func (a *analysis) documentsOf(records []int32) (some []int32) {
	for _, id := range records {
		if slices.ContainsFunc(a.titleWords(&a.records[id]), func(word string) bool {
			return a.request.documents[documents[word]]
		}) {
			some = append(some, id)
		}
	}
	return some
}

// titleWords returns the words of a record's title in lower case.
func (a *analysis) titleWords(rec *record) (words []string) {
	for l := rec.from; l < rec.end; l++ {
		if leaf, text := &a.leaves[l], a.text(l); leaf.ref && leaf.call == rec.call && nameShaped(text) {
			fields.Words(text, func(w fields.Word) bool {
				words = append(words, strings.ToLower(text[w.Start:w.End]))
				return true
			})
		}
	}
	return words
}

// documents are words for what people are sent, and which of them mean the same.
var documents = func() map[string]string {
	of := map[string]string{"invoice": "bill", "invoices": "bill", "bills": "bill", "quotation": "quote", "forms": "form"}
	for word := range wordSet("bill receipt newsletter contract offer quote reminder invitation ticket form letter agenda minutes report statement checklist itinerary") {
		of[word] = word
	}
	return of
}()

func (a *analysis) found(id int32, call int, how string) {
	if rec := &a.records[id]; rec.standing < Found {
		rec.standing, rec.chain, rec.loose = Found, a.pointed(0, how, call, -1), true
	}
}

// preferSenders lets titles count for less where the user names a sender in the same
// sentence, and not as who gets something: "the key that Carla mailed" is not in a
// mail of somebody else's about the key.
func (a *analysis) preferSenders(at stretch) {
	var names []uint64
	nameless := false
	for id := at.first; id < at.end; id++ {
		if rec := &a.records[id]; rec.sender {
			by := a.sentBy(rec)
			names, nameless = append(names, by...), nameless || len(by) == 0
		}
	}
	slices.Sort(names)
	near := a.saidNear(slices.Compact(names))
	for id := at.first; id < at.end; id++ {
		if rec := &a.records[id]; rec.byTitle && !rec.sender && rec.standing == Plain && (nameless || intersects(a.saidOf(rec, true), near)) {
			rec.standing = Found
		}
	}
}

// saidNear returns the stems of the words that the user says in one sentence with one
// of the names.
func (a *analysis) saidNear(names []uint64) map[string]bool {
	near := map[string]bool{}
	for t := range a.prompt {
		p := &a.prompt[t]
		first, named := 0, false
		for i, w := range p.words {
			_, isName := slices.BinarySearch(names, w.Hash)
			named = named || isName && !p.receives(i)
			if i+1 < len(p.words) && !endOfSentence(p.text[w.End:p.words[i+1].Start]) {
				continue
			}
			for ; named && first <= i; first++ {
				near[stemOf(p.text[p.words[first].Start:p.words[first].End])] = true
			}
			first, named = i+1, false
		}
	}
	return near
}

func intersects(a, b map[string]bool) bool {
	for k := range a {
		if b[k] {
			return true
		}
	}
	return false
}

// sentBy returns the words by which the user calls the sender of a record, none if he
// named it in another way.
func (a *analysis) sentBy(rec *record) (names []uint64) {
	for l := rec.from; l < rec.end; l++ {
		if leaf := &a.leaves[l]; leaf.ref && leaf.kind != Text {
			address := strings.ToLower(fields.Bare(a.text(l)))
			if local, _, ok := strings.Cut(address, "@"); ok {
				names = append(append(names, a.saidNames(local)...), a.saidNames(domainLabel(address))...)
			}
		}
	}
	return names
}

// endOfSentence reports whether what stands between two words ends a sentence.
func endOfSentence(between string) bool {
	i := strings.IndexAny(between, ".?!;\n")
	return i >= 0 && (i+1 < len(between) || between[i] == '\n')
}

// receives reports whether somebody is named as who gets something: "forward it to
// Robin, robin@corp.example".
func (p *promptText) receives(i int) bool {
	if i > 1 && p.words[i-1].Hash == p.words[i].Hash {
		i--
	}
	return i > 0 && giving[strings.ToLower(p.text[p.words[i-1].Start:p.words[i-1].End])]
}

// giving stand before who gets something.
var giving = wordSet("to tell let inform invite notify ask with")

// leastShared is how many words a text has to share with the user's to be what he
// means.
const leastShared = 2

// closest returns the one record of a list whose text shares most words with the
// user's, -1 where there are several or it shares too few.
func (a *analysis) closest(at stretch) int32 {
	best, most, several := int32(-1), leastShared-1, false
	for id := at.first; id < at.end; id++ {
		rec := &a.records[id]
		if rec.tainted || !rec.text || rec.only {
			continue
		}
		switch n := len(a.saidOf(rec, false)); {
		case n > most:
			best, most, several = id, n, false
		case n == most:
			several = true
		}
	}
	if several {
		return -1
	}
	return best
}

// saidOf returns the stems of the telling words of the user's that a record's text
// has, or its title.
func (a *analysis) saidOf(rec *record, title bool) map[string]bool {
	seen := map[string]bool{}
	for l := rec.from; l < rec.end; l++ {
		if leaf := &a.leaves[l]; leaf.kind != Text && !leaf.ref || title && !leaf.ref || leaf.open || leaf.call != rec.call {
			continue
		}
		text := a.text(l)
		text = text[:min(len(text), maxList)]
		fields.Words(text, func(w fields.Word) bool {
			word := strings.ToLower(text[w.Start:w.End])
			if w.Len() < 4 || w.Digits() || commonWords[word] {
				return true
			}
			if stem := stemOf(word); a.stems[stem] {
				seen[stem] = true
			}
			return true
		})
	}
	return seen
}

// titled reports whether a telling word of a record's title is the user's.
func (a *analysis) titled(rec *record) bool {
	for l := rec.from; l < rec.end; l++ {
		leaf, text := &a.leaves[l], a.text(l)
		if !leaf.ref || leaf.call != rec.call || !nameShaped(text) || strings.Contains(text, "@") {
			continue
		}
		said := false
		fields.Words(text, func(w fields.Word) bool {
			word := text[w.Start:w.End]
			said = w.Len() >= 4 && !w.Digits() && !commonWords[strings.ToLower(word)] && a.saysStem(w.Hash, word)
			return !said
		})
		if said {
			return true
		}
	}
	return false
}

// topical reports whether most of the telling words of a title are the user's, or
// one is what he says that a record is about.
func (a *analysis) topical(title string) bool {
	if strings.Contains(title, "@") {
		return false // the words of an address say nothing of what it writes about
	}
	telling, said, topic := 0, 0, false
	fields.Words(title, func(w fields.Word) bool {
		if w.Len() < 3 || w.Digits() || commonWords[strings.ToLower(title[w.Start:w.End])] {
			return true
		}
		telling++
		topic = topic || a.isTopic(w.Hash)
		if a.saysStem(w.Hash, title[w.Start:w.End]) {
			said++
		}
		return true
	})
	return topic || said > 0 && 3*said >= 2*telling && (said > 1 || telling == 1)
}

// says reports whether a word is the user's; capital: as a name.
func (a *analysis) says(hash uint64, capital bool) bool {
	for t := range a.prompt {
		if capital && slices.Contains(a.prompt[t].owners, hash) {
			return true
		}
		p := &a.prompt[t]
		for _, at := range p.places[hash] {
			if !capital || p.words[at].Capital() {
				return true
			}
		}
	}
	return false
}

// saysName reports whether a word is a name that the user says.
func (a *analysis) saysName(w *fields.Word, word string) bool {
	if w.Len() < 3 {
		return w.Len() == 2 && a.saysAcronym(w.Hash)
	}
	if a.says(w.Hash, true) {
		return true
	}
	word = strings.ToLower(word)
	return len(word) >= 4 && !commonWords[word] && a.saysSmall(w.Hash) && !vocabularyOnce().asks(word) && !vocabularyOnce().knows(word)
}

// saysAcronym reports whether the user says a word in capital letters: "HR" for
// hr@corp.example.
func (a *analysis) saysAcronym(hash uint64) bool {
	for t := range a.prompt {
		p := &a.prompt[t]
		for _, at := range p.places[hash] {
			if word := p.text[p.words[at].Start:p.words[at].End]; word == strings.ToUpper(word) {
				return true
			}
		}
	}
	return false
}

// saysSmall reports whether a word is in a text of the user's who writes names small.
func (a *analysis) saysSmall(hash uint64) bool {
	for t := range a.prompt {
		p := &a.prompt[t]
		if p.small && len(p.places[hash]) > 0 {
			return true
		}
	}
	return false
}

// saysStem reports whether a word is the user's, in whatever form: "invited" for
// "the invitation".
func (a *analysis) saysStem(hash uint64, word string) bool {
	if a.says(hash, false) {
		return true
	}
	return a.stems[stemOf(word)]
}

// endings are those of English word forms, longer ones first.
var endings = [...]string{"ations", "ation", "ings", "ments", "ing", "ment", "ions", "ies", "ion", "ers", "er", "ed", "es", "s", "e", "y"}

// stemOf returns a word in lower case without its ending.
func stemOf(word string) string {
	word = strings.ToLower(word)
	for _, e := range endings {
		if stem, ok := strings.CutSuffix(word, e); ok && len(stem) >= 4 {
			return stem
		}
	}
	return word
}

// topicWords is how many words behind "about" say what a record is about.
const topicWords = 4

// topicsOf returns the telling words right behind "about" and the like.
func topicsOf(text string, words []fields.Word) (topics []uint64) {
	left := 0
	for i := range words {
		switch word := strings.ToLower(text[words[i].Start:words[i].End]); {
		case word == "about" || word == "regarding" || word == "concerning" || word == "titled" || word == "called" || word == "named":
			left = topicWords
		case left > 0:
			left--
			if len(word) >= 4 && !commonWords[word] {
				topics = append(topics, words[i].Hash)
			}
		}
	}
	return topics
}

// isTopic reports whether a word is what the user says that a record is about.
func (a *analysis) isTopic(hash uint64) bool {
	for t := range a.prompt {
		if slices.Contains(a.prompt[t].topics, hash) {
			return true
		}
	}
	return false
}

// commonWords say nothing of what a record is about.
var commonWords = map[string]bool{"your": true, "this": true, "that": true, "with": true, "from": true, "have": true, "will": true,
	"please": true, "about": true, "dear": true, "hello": true, "important": true, "urgent": true, "message": true, "email": true,
	"mail": true, "file": true, "document": true, "notice": true, "update": true, "information": true, "request": true, "user": true,
	"the": true, "and": true, "for": true, "you": true, "our": true, "are": true, "was": true, "has": true, "new": true, "not": true,
	"all": true, "can": true, "any": true, "out": true, "one": true, "two": true, "now": true, "get": true, "how": true, "who": true,
	"why": true, "its": true, "his": true, "her": true, "off": true, "per": true, "via": true, "fwd": true,
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
func (a *analysis) quoted(x phrase) bool {
	for t := range a.prompt {
		p := &a.prompt[t]
		for at := x.in(p.words, 0); at >= 0; at = x.in(p.words, at+1) {
			if inQuotes(p.text, int(p.words[at].Start), int(p.words[at+int(x.words)-1].End)) {
				return true
			}
		}
	}
	return false
}
