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
			start, end := int(p.words[at].Start), int(p.words[at+len(words)-1].End)
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
		if w.Len() >= 3 && !w.Digits() && a.says(w.Hash, true) {
			named++
		}
		return true
	})
	return named > 0
}

// topical reports whether most of the telling words of a title are the user's, or
// one is what he says that a record is about.
func (a *analysis) topical(title string) bool {
	telling, said, topic := 0, 0, false
	fields.Words(title, func(w fields.Word) bool {
		if w.Len() < 4 || w.Digits() || commonWords[strings.ToLower(title[w.Start:w.End])] {
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
		for i := range a.prompt[t].words {
			if w := &a.prompt[t].words[i]; w.Hash == hash && (!capital || w.Capital()) {
				return true
			}
		}
	}
	return false
}

// saysStem reports whether a word is the user's, in the singular or the plural.
func (a *analysis) saysStem(hash uint64, word string) bool {
	if a.says(hash, false) {
		return true
	}
	other := word + "s"
	if last := len(word) - 1; word[last]|0x20 == 's' {
		other = word[:last]
	}
	found := false
	fields.Words(other, func(w fields.Word) bool {
		found = a.says(w.Hash, false)
		return false
	})
	return found
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
