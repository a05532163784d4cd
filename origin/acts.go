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
	Refund
	// Amend gives what the user has of his own a new value; Change is wider.
	Amend
)

var actNames = [...]string{"pay", "book", "grant", "revoke", "secret", "publish", "send", "destroy", "change", "create", "read", "fetch", "refund", "amend"}

// Gated are the acts that others see or that cannot simply be put back.
const Gated = Pay | Book | Grant | Revoke | ActSecret | Publish | Send | Destroy | Refund

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

// wordList are the words of one name: whole ones, beginnings, pairs, and verbs
// that are taken apart ("take the key off").
type wordList struct {
	words    map[string]bool
	prefixes []string
	phrases  []string
	apart    [][2]string
	// nouns are words, and beginnings, that are nouns as well; asking those that
	// count in what people ask for, and not in the names of tools.
	nouns, asking *wordList
}

var vocabularyOnce = sync.OnceValue(func() *vocabulary {
	v := &vocabulary{objects: map[string]*wordList{}}
	for _, line := range strings.Split(actsText, "\n") {
		head, words, ok := strings.Cut(line, ":")
		kind, name, named := strings.Cut(head, " ")
		if !ok || !named || kind == "#" {
			continue
		}
		if kind == "object" {
			if v.objects[name] == nil {
				v.objects[name] = &wordList{words: map[string]bool{}}
				v.names = append(v.names, name)
			}
			v.objects[name].read(words)
			continue
		}
		for i, n := range actNames {
			if n == name {
				v.acts[i].read(words)
			}
		}
	}
	sort.Strings(v.names)
	return v
})

// read adds the words of one line.
func (l *wordList) read(text string) {
	if l.words == nil {
		l.words = map[string]bool{}
	}
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		if text[0] == '"' {
			phrase, rest, _ := strings.Cut(text[1:], `"`)
			if verb, particle, parted := strings.Cut(phrase, " .. "); parted {
				l.apart = append(l.apart, [2]string{verb, particle})
			} else {
				l.phrases = append(l.phrases, phrase)
			}
			text = rest
			continue
		}
		word, rest, _ := strings.Cut(text, " ")
		text = rest
		ask, isAsk := strings.CutPrefix(word, "+")
		noun, isNoun := strings.CutPrefix(ask, "~")
		switch {
		case isNoun:
			into(&l.nouns, noun)
		case isAsk:
			into(&l.asking, ask)
		default:
			l.add(word)
		}
	}
}

// into adds a word to a list that may not exist yet.
func into(l **wordList, word string) {
	if *l == nil {
		*l = &wordList{words: map[string]bool{}}
	}
	(*l).add(word)
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

// asks reports whether people ask with a word.
func (l *wordList) asks(word string) bool {
	return l.has(word) || l.asking != nil && l.asking.has(word)
}

// means reports whether a word is in the list, as a noun too.
func (l *wordList) means(word string) bool {
	return l.asks(word) || l.nouns != nil && l.nouns.has(word)
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

// verbOf returns the verb that is all of a tool's name, but for the name of the
// service in front: "star" of git_star; "" for others.
func verbOf(name string) string {
	words := nameWords(name)
	if n := len(words); n == 1 || n == 2 && vocabularyOnce().actsOf(words[0]) == 0 {
		if verb := words[n-1]; vocabularyOnce().actsOf(verb) != 0 {
			return verb
		}
	}
	return ""
}

// speaks reports whether a text has a word for one of the acts, of whatever form.
func (v *vocabulary) speaks(text string, acts Acts) (found bool) {
	fields.Words(text, func(w fields.Word) bool {
		word := strings.ToLower(text[w.Start:w.End])
		for a := range v.acts {
			l := &v.acts[a]
			if acts&(1<<a) != 0 && l.means(word) {
				found = true
			}
		}
		return !found
	})
	if found {
		return true
	}
	text = strings.ToLower(text)
	for a := range v.acts {
		for _, p := range v.acts[a].phrases {
			found = found || acts&(1<<a) != 0 && strings.Contains(text, p)
		}
		for _, p := range v.acts[a].apart {
			found = found || acts&(1<<a) != 0 && strings.Contains(text, p[0]+" ") && strings.Contains(text, " "+p[1])
		}
	}
	return found
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

// asks reports whether people ask for some act with a word.
func (v *vocabulary) asks(word string) bool {
	for a := range v.acts {
		if v.acts[a].means(word) {
			return true
		}
	}
	return false
}

// knows reports whether a word stands for some act or kind of object.
func (v *vocabulary) knows(word string) bool {
	if v.actsOf(word) != 0 {
		return true
	}
	for _, name := range v.names {
		if v.objects[name].has(word) {
			return true
		}
	}
	return false
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
