package origin

import (
	"slices"
	"strings"

	"github.com/planlint/planlint/internal/fields"
)

// request is what the user's words ask for. What he quotes, addresses and paths,
// what he forbids and what he asks himself ("should I buy it?") is not in it.
type request struct {
	wording
	text    string
	amounts bool
	// askedFor and forbiddenActs are the acts that it asks for, and forbids.
	askedFor, forbiddenActs actSets
	// documents are the things that people are sent of which it speaks.
	documents map[string]bool
	// all: it speaks of all of several things; ids: of ids, codes or numbers; several:
	// of several things, of which some are to be chosen.
	all, ids, several bool
	// whoever: it leaves to somebody who, one or several people.
	whoever bool
	// addresses: it speaks of where to write to.
	addresses bool
	// replies: it asks to answer messages.
	replies bool
	// mails: it speaks of messages that he got.
	mails bool
	// sums: it asks to work a number out.
	sums bool
	// inners are words without the prefix that makes them a kind of something.
	inners []string
	// commas are the words behind a comma.
	commas []bool
	// mute are the words that ask for no act: they tell what somebody does or did.
	mute []bool
	// infinitives are those of the participles by which something is to be done.
	infinitives []string
}

func newRequest(texts []string) *request {
	r := &request{askedFor: actSets{}, forbiddenActs: actSets{}, documents: map[string]bool{}}
	for _, t := range texts {
		r.add(t)
		r.amounts = r.amounts || strings.ContainsAny(t, "$€£")
	}
	r.parse()
	for i, w := range r.words {
		r.all = r.all || quantifiers[w] && !r.byTheWay(i)
		if d := documents[w]; d != "" {
			r.documents[d] = true
		}
		r.ids = r.ids || idWords[w] && (i == 0 || !rebates[r.words[i-1]])
		r.several = r.several || severalWords[w]
		r.whoever = r.whoever || w == "whoever" || w == "whomever" || w == "people" || w == "persons"
		r.mails = r.mails || mailWords[w]
		r.replies = r.replies || replying[w] && !r.mute[i] && !r.answers(i) || replying[r.infinitives[i]]
		r.addresses = r.addresses || w == "address" || w == "addresses"
		r.sums = r.sums || sumWords[w]
		if inner := innerOf(w); inner != "" {
			r.inners = append(r.inners, inner)
		}
	}
	r.text = " " + strings.Join(r.words, " ") + " "
	r.sums = r.sums || r.phrase("work out") || r.phrase("add up")
	return r
}

// usualWord is less than the bytes of a word in what people write.
const usualWord = 4

func (r *request) add(text string) {
	spans := disjoint(append(quotes(text), addresses(text)...))
	skip, last := 0, 0
	r.words = slices.Grow(r.words, len(text)/usualWord)
	r.begins = slices.Grow(r.begins, len(text)/usualWord)
	fields.Words(text, func(w fields.Word) bool {
		start, end := int(w.Start), int(w.End)
		word := strings.ToLower(text[start:end])
		if start >= skip && r.wondering(word) {
			skip = len(text)
			if i := strings.IndexAny(text[end:], ".?!\n"); i >= 0 {
				skip = end + i
			}
		}
		if start >= skip && !within(start, spans) {
			r.begins = append(r.begins, last == 0 || strings.ContainsAny(text[last:start], ".?!;:\n"))
			r.commas = append(r.commas, strings.IndexByte(text[last:start], ',') >= 0)
			last = end
			r.words = append(r.words, word)
		}
		return true
	})
}

// wondering reports whether a word goes on with "should", so that the sentence is
// a question of the user's to himself or for advice.
func (r *request) wondering(word string) bool {
	if word != "i" && word != "we" || len(r.words) == 0 {
		return false
	}
	switch r.words[len(r.words)-1] {
	case "should", "shall", "do", "did", "would":
		return true
	}
	return false
}

// quantifiers speak of all of several things.
var quantifiers = map[string]bool{"all": true, "every": true, "each": true, "everyone": true, "everybody": true, "everything": true,
	"both": true, "listed": true, "these": true, "those": true}

// byTheWay reports whether a word for all of several things is part of a phrase that
// speaks of none: "first of all", "thanks for everything", "that's all", "these days".
func (r *request) byTheWay(i int) bool {
	switch r.words[i] {
	case "all":
		return idle[r.at(i-1)] || r.at(i-1) == "of" && idle[r.at(i-2)] || idle[r.at(i+1)]
	case "everything":
		return r.at(i-1) == "for" && r.before(i, 4, thanking)
	case "these", "those":
		return r.at(i+1) == "days"
	}
	return false
}

var (
	idle     = wordSet("first best above after at s right")
	thanking = wordSet("thanks thank thankful grateful")
)

// severalWords speak of several things, of which one is to be chosen.
var severalWords = wordSet("two three four five six several both either cheapest best nearest least lowest highest options offers links pages sites choices alternatives")

// mailWords speak of messages that somebody got.
var mailWords = map[string]bool{"mails": true, "email": true, "emails": true, "mail": true, "inbox": true, "unread": true, "messages": true, "message": true, "mailed": true,
	"emailed": true, "wrote": true, "asked": true}

// replying are verbs of who answers messages.
var replying = wordSet("reply replies replying answer answers answering respond back confirm acknowledge decline accept")

// sumWords ask for a number that is to be worked out.
var sumWords = map[string]bool{"rest": true, "remaining": true, "remainder": true, "split": true, "half": true, "halves": true, "third": true,
	"quarter": true, "share": true, "shares": true, "minus": true, "less": true, "plus": true, "difference": true, "sum": true, "total": true,
	"evenly": true, "equally": true, "twice": true, "double": true, "percent": true, "calculate": true, "compute": true, "owe": true,
	"owes": true, "owed": true, "outstanding": true, "balance": true, "subtract": true, "deduct": true, "multiply": true, "proportional": true,
	"average": true, "apiece": true, "overpaid": true, "underpaid": true}

// idWords speak of identifiers.
var idWords = map[string]bool{"id": true, "ids": true, "number": true, "numbers": true, "code": true, "codes": true, "reference": true, "named": true, "called": true}

// rebates are what codes are for that no thing has.
var rebates = wordSet("discount coupon promo promotion voucher gift rebate zip postal source")

// labelsOfIDs are the words before an identifier that say that it is one.
var labelsOfIDs = map[string]bool{"id": true, "ids": true, "identifier": true, "number": true, "no": true, "nr": true, "ref": true, "reference": true}

// thingWords are of things that have identifiers.
var thingWords = map[string]bool{"order": true, "orders": true, "event": true, "events": true, "booking": true, "bookings": true,
	"ticket": true, "tickets": true, "invoice": true, "invoices": true, "reservation": true, "transaction": true}

// has reports whether a word of the list is among the user's words; as an act,
// it has to be one that he wishes for.
func (r *request) has(l *wordList, act bool) bool {
	for i, w := range r.words {
		if r.answers(i) || act && r.mute[i] {
			continue
		}
		if l.asks(w) || l.nouns != nil && l.nouns.has(w) && !r.nounAt(i) {
			return true
		}
		if done := r.infinitives[i]; act && done != "" && l.means(done) {
			return true
		}
	}
	if !act {
		for _, w := range r.inners {
			if l.has(w) {
				return true
			}
		}
	}
	for _, p := range l.phrases {
		if r.phrase(p) {
			return true
		}
	}
	for _, p := range l.apart {
		if r.apart(p[0], p[1]) {
			return true
		}
	}
	return false
}

// says reports whether a word is the user's, or its plural.
func (r *request) says(word string) bool {
	return strings.Contains(r.text, " "+word+" ") || strings.Contains(r.text, " "+word+"s ")
}

// verb reports whether the user says a verb, and not as a noun.
func (r *request) verb(word string) bool {
	for i, w := range r.words {
		if word != "" && (w == word && !r.nounAt(i) || r.infinitives[i] == word) && !r.mute[i] {
			return true
		}
	}
	return false
}

// phrase reports whether some words stand there one behind the other. A verb that
// ends in "in" is none before a noun: "check in the event" looks at it.
func (r *request) phrase(p string) bool {
	_, after, ok := strings.Cut(r.text, " "+p+" ")
	if !ok || !strings.HasSuffix(p, " in") {
		return ok
	}
	next, _, _ := strings.Cut(after, " ")
	return !beforeNouns[next]
}

// farApart is how many words may stand between a verb and its particle.
const farApart = 10

// apart reports whether a verb stands before its particle in one sentence.
func (r *request) apart(verb, particle string) bool {
	for i, w := range r.words {
		if w != verb && r.infinitives[i] != verb || r.forbidden(i) || r.answers(i) {
			continue
		}
		for k := i + 1; k < len(r.words) && k <= i+1+farApart && !r.begins[k] && !clauses[r.words[k]]; k++ {
			if r.words[k] == particle {
				return particle != "to" || !r.behind(k, 1, oneself)
			}
		}
	}
	return false
}

var oneself = wordSet("me us")

// clauses are words behind which the verb before has no particle any more.
var clauses = map[string]bool{"and": true, "or": true, "then": true, "if": true, "but": true, "so": true, "sure": true, "because": true, "when": true}

// innerOf returns what a word is a kind of: a prepayment is a payment; "" for none.
func innerOf(word string) string {
	for _, p := range [...]string{"pre", "back", "over", "down", "sub", "re", "co"} {
		if inner, ok := strings.CutPrefix(word, p); ok && len(inner) >= leastInner {
			return strings.TrimPrefix(inner, "-")
		}
	}
	return ""
}

// leastInner is the length from which a word without its prefix is a word surely.
const leastInner = 5

// beforeNouns are words after which a noun stands rather than a verb.
var beforeNouns = map[string]bool{"the": true, "a": true, "an": true, "my": true, "your": true, "his": true, "her": true, "their": true,
	"our": true, "its": true, "this": true, "that": true, "these": true, "those": true, "any": true, "each": true, "every": true,
	"all": true, "of": true, "in": true, "from": true, "by": true, "via": true, "with": true, "on": true, "new": true, "last": true,
	"latest": true, "unread": true, "first": true, "s": true, "no": true, "which": true, "what": true, "security": true,
	"blog": true, "forum": true, "two": true, "three": true, "four": true, "five": true, "recent": true, "past": true, "previous": true,
	"several": true, "some": true, "many": true, "more": true, "other": true, "old": true}

// asked reports whether the user's words ask for one of the acts.
func (r *request) asked(acts Acts) bool { return r.askedFor.of(acts, r.asksFor) }

// actSets keeps what was found out of sets of acts.
type actSets map[Acts]bool

func (m actSets) of(acts Acts, find func(Acts) bool) bool {
	found, known := m[acts]
	if !known {
		found = find(acts)
		m[acts] = found
	}
	return found
}

func (r *request) asksFor(acts Acts) bool {
	v := vocabularyOnce()
	for a := range v.acts {
		if acts&(1<<a) != 0 && r.has(&v.acts[a], true) {
			return true
		}
	}
	return acts&Send != 0 && r.reaches()
}

// speaksOf reports whether they speak of one of the kinds of object. A word that
// is no kind of object counts by itself, and for every kind that has it; one that
// the vocabulary does not know says nothing.
func (r *request) speaksOf(about []string) bool {
	v := vocabularyOnce()
	known := false
	for _, name := range about {
		if strings.Contains(r.text, " "+name+" ") || strings.Contains(r.text, " "+name+"s ") || name == "money" && r.amounts {
			return true
		}
		if list, ok := v.objects[name]; ok {
			known = true
			if r.has(list, false) {
				return true
			}
			continue
		}
		for _, kind := range v.names {
			if list := v.objects[kind]; kind+"s" == name || list.has(name) {
				known = true
				if r.has(list, false) {
					return true
				}
			}
		}
	}
	return !known
}
