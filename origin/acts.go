package origin

import (
	_ "embed"
	"sort"
	"strings"
	"sync"

	"github.com/planlint/planlint/internal/fields"
)

// Acts is a set of kinds of action.
type Acts uint16

// The kinds of action.
const (
	Pay Acts = 1 << iota
	Book
	Grant
	Revoke
	ActSecret
	Publish
	Send
	Destroy
	Change
	Create
	ActRead
	ActFetch
)

var actNames = [...]string{"pay", "book", "grant", "revoke", "secret", "publish", "send", "destroy", "change", "create", "read", "fetch"}

// Gated are the acts that others see or that cannot simply be put back.
const Gated = Pay | Book | Grant | Revoke | ActSecret | Publish | Send | Destroy

// ActNames lists the names that contracts may give.
func ActNames() []string { return append([]string(nil), actNames[:]...) }

// ParseAct returns the act of that exact name.
func ParseAct(name string) (Acts, bool) {
	for i, n := range actNames {
		if n == name {
			return 1 << i, true
		}
	}
	return 0, false
}

// Names returns the names of the acts in the set, in the order above.
func (a Acts) Names() []string {
	var names []string
	for i, n := range actNames {
		if a&(1<<i) != 0 {
			names = append(names, n)
		}
	}
	return names
}

//go:embed acts.txt
var actsText string

// vocabulary is acts.txt, ready to ask.
type vocabulary struct {
	acts    [len(actNames)]wordList
	objects map[string]*wordList
	names   []string
}

// wordList are the words of one line: whole ones, beginnings, and pairs.
type wordList struct {
	words    map[string]bool
	prefixes []string
	phrases  []string
	// nouns are words, and beginnings, that are nouns as well.
	nouns *wordList
}

var vocabularyOnce = sync.OnceValue(func() *vocabulary {
	v := &vocabulary{objects: map[string]*wordList{}}
	for _, line := range strings.Split(actsText, "\n") {
		head, words, ok := strings.Cut(line, ":")
		kind, name, named := strings.Cut(head, " ")
		if !ok || !named || kind == "#" {
			continue
		}
		list := newWordList(words)
		if kind == "object" {
			v.objects[name] = &list
			v.names = append(v.names, name)
			continue
		}
		for i, n := range actNames {
			if n == name {
				v.acts[i] = list
			}
		}
	}
	sort.Strings(v.names)
	return v
})

func newWordList(text string) wordList {
	l := wordList{words: map[string]bool{}}
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		if text[0] == '"' {
			phrase, rest, _ := strings.Cut(text[1:], `"`)
			l.phrases = append(l.phrases, phrase)
			text = rest
			continue
		}
		word, rest, _ := strings.Cut(text, " ")
		if noun, ok := strings.CutPrefix(word, "~"); ok {
			if l.nouns == nil {
				l.nouns = &wordList{words: map[string]bool{}}
			}
			l.nouns.add(noun)
			text = rest
			continue
		}
		l.add(word)
		text = rest
	}
	return l
}

func (l *wordList) add(word string) {
	if p, ok := strings.CutSuffix(word, "*"); ok {
		l.prefixes = append(l.prefixes, p)
		return
	}
	l.words[word] = true
}
func (l *wordList) has(word string) bool {
	if l.words[word] {
		return true
	}
	for _, p := range l.prefixes {
		if strings.HasPrefix(word, p) {
			return true
		}
	}
	return false
}

// ActsOfName returns what a tool's name says that it does, and to what kind of
// object: send_money pays money. It is how a contract that declares neither is
// read.
func ActsOfName(name string) (acts Acts, about []string) {
	v := vocabularyOnce()
	for i, word := range nameWords(name) {
		if acts == 0 {
			if acts = v.actsOf(word); acts != 0 {
				continue
			}
		}
		if i > 0 {
			about = append(about, word)
		}
	}
	return acts, about
}

// actsOf returns the acts that a word stands for: the one of that name, else all
// that have the word.
func (v *vocabulary) actsOf(word string) (acts Acts) {
	if act, ok := ParseAct(word); ok {
		return act
	}
	for a := range v.acts {
		if v.acts[a].has(word) || v.acts[a].nouns != nil && v.acts[a].nouns.has(word) {
			acts |= 1 << a
		}
	}
	return acts
}

// nameWords splits a tool's name: send_money, sendMoney, mcp__bank__send-money.
func nameWords(name string) []string {
	if i := strings.LastIndex(name, "__"); i >= 0 {
		name = name[i+2:]
	}
	var b strings.Builder
	for i := 0; i < len(name); i++ {
		c := name[i]
		if 'A' <= c && c <= 'Z' && i > 0 && 'a' <= name[i-1] && name[i-1] <= 'z' {
			b.WriteByte(' ')
		}
		if c == '_' || c == '-' || c == '.' || c == '/' {
			c = ' '
		}
		b.WriteByte(c)
	}
	return strings.Fields(strings.ToLower(b.String()))
}

// request is what the user's words ask for.
type request struct {
	words   []string
	text    string
	amounts bool
}

func newRequest(texts []string) *request {
	r := &request{}
	for _, t := range texts {
		fields.Words(t, func(w fields.Word) bool {
			r.words = append(r.words, strings.ToLower(t[w.Start:w.End]))
			return true
		})
		r.amounts = r.amounts || strings.ContainsAny(t, "$€£")
	}
	r.text = " " + strings.Join(r.words, " ") + " "
	return r
}

// has reports whether a word of the list is among the user's words.
func (r *request) has(l *wordList) bool {
	for i, w := range r.words {
		if answering[w] && i+1 < len(r.words) && (r.words[i+1] == "me" || r.words[i+1] == "us") {
			continue // "tell me" asks for an answer and for no act
		}
		if l.has(w) || l.nouns != nil && l.nouns.has(w) && (i == 0 || !beforeNouns[r.words[i-1]]) {
			return true
		}
	}
	for _, p := range l.phrases {
		if strings.Contains(r.text, " "+p+" ") {
			return true
		}
	}
	return false
}

// answering are verbs that with "me" ask for an answer.
var answering = map[string]bool{"tell": true, "give": true, "show": true, "let": true, "inform": true, "send": true, "mail": true, "email": true,
	"message": true, "text": true, "write": true, "remind": true, "read": true, "report": true, "answer": true, "say": true, "notify": true}

// beforeNouns are words after which a noun stands rather than a verb.
var beforeNouns = map[string]bool{"the": true, "a": true, "an": true, "my": true, "your": true, "his": true, "her": true, "their": true,
	"our": true, "its": true, "this": true, "that": true, "these": true, "those": true, "any": true, "each": true, "every": true,
	"all": true, "of": true, "in": true, "from": true, "by": true, "via": true, "with": true, "on": true, "new": true, "last": true,
	"latest": true, "unread": true, "first": true, "s": true, "no": true, "which": true, "what": true, "security": true}

// asked reports whether the user's words ask for one of the acts.
func (r *request) asked(acts Acts) bool {
	v := vocabularyOnce()
	for a := range v.acts {
		if acts&(1<<a) != 0 && r.has(&v.acts[a]) {
			return true
		}
	}
	return false
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
			if r.has(list) {
				return true
			}
			continue
		}
		for _, kind := range v.names {
			if list := v.objects[kind]; kind+"s" == name || list.has(name) {
				known = true
				if r.has(list) {
					return true
				}
			}
		}
	}
	return !known
}
