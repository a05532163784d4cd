package origin

import (
	"strings"

	"github.com/planlint/planlint/internal/fields"
)

// maxRow is how many words a row of a list has beside the value. What is longer
// is a sentence, and no entry.
const maxRow = 4

// maxList is the size in bytes up to which a text is looked at for its rows and
// for what it calls a value; in a longer one neither endorses anything, so that
// more is asked.
const maxList = 1 << 14

// rowLends reports whether a value is a row of a list that the user pointed at,
// one that he named or one of all ("each of the people in guests.txt"). Who can
// write the list chooses its rows; a sentence in it lends nothing.
func (a *analysis) rowLends(p *part) bool {
	l := &a.leaves[p.leaf]
	if l.kind != Text && l.kind != Name || l.open || l.record < 0 || p.words == 0 || len(a.text(p.leaf)) > maxList || a.records[l.record].standing < Plain {
		return false
	}
	doc := &a.corpus.Doc
	key := fields.AppendWords(nil, doc.Nodes[doc.Leaves[p.leaf].Node].Key)
	for _, line := range strings.Split(a.text(p.leaf), "\n") {
		words := fields.AppendWords(a.words[:0], line)
		a.words = words
		at := p.phrase().in(words, 0)
		if at < 0 {
			continue
		}
		before, after := words[:at], words[at+int(p.words):]
		if len(before)+len(after)+len(key) > maxRow && !isRow(line, words[at:at+int(p.words)]) || p.atom == fields.NoAtom && !numbering(before) && !coded(words[at:at+int(p.words)]) {
			return false
		}
		return a.request.all || a.namesAny(before) || a.namesAny(after) || a.namesAny(key)
	}
	return false
}

// maxCells is how many cells a row may have.
const maxCells = 8

// isRow reports whether a line is cells of few words between commas and the like,
// of which some words are one.
func isRow(line string, words []fields.Word) bool {
	start, end := int(words[0].Start), int(words[len(words)-1].End)
	cells, alone := 0, false
	for at := 0; at <= len(line); cells++ {
		to := len(line)
		if n := strings.IndexAny(line[at:], ",;|\t"); n >= 0 {
			to = at + n
		}
		if wordsIn(line[at:to]) > maxRow && (start < at || to < end) {
			return false
		}
		alone = alone || at <= start && end <= to && wordsIn(line[at:to]) == len(words)
		at = to + 1
	}
	return alone && 2 < cells && cells <= maxCells
}

// coded reports whether an entry is a code of letters and digits: "P-12".
func coded(words []fields.Word) bool {
	letters, digits := false, false
	for i := range words {
		letters, digits = letters || !words[i].Digits(), digits || words[i].Digits()
	}
	return letters && digits && len(words) <= 3
}

// numbering reports whether nothing but numbers stands before an entry.
func numbering(words []fields.Word) bool {
	for i := range words {
		if !words[i].Digits() {
			return false
		}
	}
	return true
}

// namesAny reports whether the user calls one of the words by name.
func (a *analysis) namesAny(words []fields.Word) bool {
	for i := range words {
		if words[i].Len() >= 2 && !words[i].Digits() && a.says(words[i].Hash, true) {
			return true
		}
	}
	return false
}

// calledFor reports whether the record calls a value what the user calls for: in
// the row "teacher: Bo Lind (bo@lind.example)" or "Lawyer: j@ferris.example", where
// the user says "with the teacher" or "to my lawyer". Words that name an act or a
// kind of object ("contact", "account") call for nothing in particular.
func (j *judgement) calledFor(p *part) bool {
	l := &j.leaves[p.leaf]
	if l.kind != Text && l.kind != Name || l.open || p.words == 0 || len(j.text(p.leaf)) > maxList {
		return false
	}
	doc := &j.corpus.Doc
	if key := doc.Nodes[doc.Leaves[p.leaf].Node].Key; wordsIn(j.text(p.leaf)) <= maxRow+int(p.words) && j.saysLabel(key) {
		return true
	}
	for _, line := range strings.Split(j.text(p.leaf), "\n") {
		words := fields.AppendWords(j.words[:0], line)
		j.words = words
		at := p.phrase().in(words, 0)
		if at <= 0 {
			continue
		}
		from := int(words[max(0, at-labelWords)].Start)
		label := strings.TrimSuffix(line[from:words[at].Start], "://")
		end := strings.LastIndexByte(label, ':')
		return end > 0 && j.saysLabel(label[:end])
	}
	return false
}

// calledFile reports whether an address is that of the one file in a record of
// standing that has what the user asks for in its name: "save the brochure" is
// media.example/a5/brochure.txt.
func (j *judgement) calledFile(p *part) bool {
	l := &j.leaves[p.leaf]
	if j.f.Acts&ActFetch == 0 || p.atom != fields.URL || p.inside || p.pieced || l.open || p.standing < Plain || len(j.text(p.leaf)) > maxList {
		return false
	}
	value := j.textOf(j.i, j.f, p)
	if !j.saysFile(value) {
		return false
	}
	text, only := j.text(p.leaf), true
	fields.Atoms(text, func(at fields.Atom) {
		if other := fields.Bare(text[at.Start:at.End]); at.Kind == fields.URL && only {
			only = strings.EqualFold(other, fields.Bare(value)) || !j.saysFile(other)
		}
	})
	return only
}

// saysFile reports whether an address ends in the name of a file with a telling
// word of the user's.
func (j *judgement) saysFile(address string) bool {
	address, _, _ = strings.Cut(address, "?")
	at := strings.LastIndexByte(address, '/')
	name := address[at+1:]
	if at < 0 || !fields.IsFileName(name) || fields.HostOf(address) == strings.ToLower(name) {
		return false
	}
	said := false
	fields.Words(name, func(w fields.Word) bool {
		word := name[w.Start:w.End]
		said = w.Len() >= 4 && !w.Digits() && !commonWords[strings.ToLower(word)] && j.saysStem(w.Hash, word)
		return !said
	})
	return said
}

// saysLabel reports whether the last word of a label is the user's, and one that
// tells things of a kind apart.
func (j *judgement) saysLabel(label string) bool {
	var last fields.Word
	fields.Words(label, func(w fields.Word) bool { last = w; return true })
	word := strings.ToLower(label[last.Start:last.End])
	return len(word) >= 4 && !commonWords[word] && j.says(last.Hash, false) && !vocabularyOnce().knows(word)
}

func wordsIn(text string) int {
	n := 0
	fields.Words(text, func(fields.Word) bool { n++; return true })
	return n
}

// labelWords is how many words before a value may name what it is.
const labelWords = 4

// labelled reports whether the text says, right before the value, that it is
// what the argument asks for: "my user name is".
func (j *judgement) labelled(p *part) bool {
	text := j.text(p.leaf)
	if len(text) > maxList {
		return false
	}
	words := fields.AppendWords(j.words[:0], text)
	j.words = words
	at := p.phrase().in(words, 0)
	if at <= 0 || !copula(text[:words[at].Start]) {
		return false
	}
	before := ""
	for _, w := range words[max(0, at-labelWords):at] {
		before += strings.ToLower(text[w.Start:w.End])
	}
	for _, name := range nameWords(j.f.Slots[p.slot].Name) {
		if len(name) >= 4 && strings.Contains(before, name) || userNames[name] && (strings.Contains(before, "account") || strings.Contains(before, "handle")) {
			return true
		}
	}
	return false
}

// userNames are what arguments for accounts of people are named.
var userNames = map[string]bool{"user": true, "username": true, "login": true, "owner": true, "collaborator": true}

// labelledOnly reports whether a value is the only one of its kind which the text
// says to be what the argument asks for.
func (j *judgement) labelledOnly(p *part) bool {
	l := &j.leaves[p.leaf]
	if l.open || p.atom == fields.NoAtom || !j.labelled(p) {
		return false
	}
	text, n := j.text(p.leaf), 0
	fields.Atoms(text, func(at fields.Atom) {
		if at.Kind == p.atom && copula(text[:at.Start]) {
			n++
		}
	})
	return n == 1
}

// copula reports whether a text ends in "is", a colon or an equals sign.
func copula(text string) bool {
	text = strings.TrimRight(text, " \t\"'`")
	return strings.HasSuffix(text, ":") || strings.HasSuffix(text, "=") || strings.HasSuffix(text, " is")
}

// spokenOf reports whether a path ends in a name that the user spoke of: the
// repository that he calls "site" lies in /work/site.
func (j *judgement) spokenOf(p *part) bool {
	if p.atom != fields.File || p.inside {
		return false
	}
	return j.namesFile(j.textOf(j.i, j.f, p))
}

// namesFile reports whether the user speaks of the last name of a path.
func (a *analysis) namesFile(path string) bool {
	name := lastName(path)
	if len(name) < 3 {
		return false
	}
	s, _ := a.spoken(name)
	return s >= Plain
}

// knownAs reports whether the service lists what a value stands for beside a name
// that the user speaks of: an id takes the names of the record that lists it.
func (j *judgement) knownAs(p *part) bool {
	known := false
	j.hits(p.run, func(_ int32, l *leaf) bool {
		if l.kind != Text && l.kind != user && l.call >= 0 && j.available(l.call, j.i) {
			known = j.saysOf(&j.records[l.record])
		}
		return !known
	})
	return known
}

// saysOf reports whether the user says a telling word of a record's names.
func (j *judgement) saysOf(rec *record) bool {
	for l := rec.from; l < rec.end; l++ {
		if k := j.leaves[l].kind; k == Text || k == none || j.leaves[l].call != rec.call {
			continue
		}
		text, said := j.text(l), false
		fields.Words(text, func(w fields.Word) bool {
			said = w.Len() >= 4 && !w.Digits() && !commonWords[strings.ToLower(text[w.Start:w.End])] && j.says(w.Hash, false)
			return !said
		})
		if said {
			return true
		}
	}
	return false
}
