package shell

import "strings"

// hit is an option that stands in a command.
type hit struct {
	name string // full spelling
	val  Word
	has  bool // val is there
	fx   string
	at   int // index of the word that holds its value, or of the option
}

// usage is a command taken apart by its table entry.
type usage struct {
	recs     []record // program first, innermost subcommand last
	words    []Word   // after the command word
	hits     []hit
	operands []int  // indexes into words
	strange  []int  // options that no entry lists
	sub      string // subcommand path: "remote add"
	subMiss  bool   // the entry has subcommands and this is none of them
	dashes   bool   // an unknown word might be an option
	rest     int    // index of the first word after options ended for good
}

// parseArgs splits words into options and operands. An entry whose operands
// begin with a command stops at the first operand that belongs to that command.
func parseArgs(rec record, words []Word) usage {
	u := usage{recs: []record{rec}, words: words, rest: -1}
	limit := stopAfter(rec)
	noMore, ended := false, false
	for i := 0; i < len(words); i++ {
		wd := words[i]
		text := wd.Text
		if noMore || len(text) < 2 || text[0] != '-' {
			if strings.HasPrefix(text, Hole) && !noMore {
				u.dashes = true
			}
			if !ended && u.operand(i, &limit) {
				u.rest = i
				noMore, ended = true, true
			}
			continue
		}
		if text == "--" {
			u.rest = i + 1
			noMore = true
			u.endSubs()
			continue
		}
		n := len(u.hits)
		i = u.option(i)
		if len(u.hits) > n && strings.Contains(u.hits[len(u.hits)-1].fx, "stop") {
			u.rest, noMore, ended = i+1, true, true
		}
	}
	u.endSubs()
	return u
}

func (u *usage) top() record { return u.recs[len(u.recs)-1] }

// stopAfter says how many operands come before the inner command, -1 if there is none.
func stopAfter(r record) int {
	n := 0
	for role := range strings.FieldsSeq(r.args) {
		switch role {
		case "cmd...", "sh...", "script", "code", "exec", "tail...":
			return n
		}
		if !strings.HasSuffix(role, "?") {
			n++
		}
	}
	return -1
}

// operand files an operand or a subcommand; true if options end here.
func (u *usage) operand(i int, limit *int) bool {
	wd := u.words[i]
	if len(u.operands) == 0 && u.top().has("sub") && !u.subMiss {
		if s, ok := u.top().sub(wd.Text); ok && wd.Known {
			u.recs = append(u.recs, s)
			u.sub = strings.TrimPrefix(u.sub+" "+wd.Text, " ")
			*limit = stopAfter(s)
			return false
		}
		u.subMiss = !u.top().has("free")
	}
	if u.top().has("assigns") && isAssign(wd.Text) && len(u.operands) == 0 {
		u.hits = append(u.hits, hit{name: "NAME=", val: wd, has: true, fx: "setenv", at: i})
		return false
	}
	u.operands = append(u.operands, i)
	if *limit >= 0 && len(u.operands) > *limit {
		return true
	}
	return false
}

func (u *usage) endSubs() {
	if len(u.operands) == 0 && u.top().has("sub") && !u.top().has("free") && !u.top().has("nosub") && u.sub == "" && len(u.hits) == 0 {
		u.subMiss = true
	}
}

func isAssign(s string) bool {
	i := strings.IndexByte(s, '=')
	if i < 1 || !varName(s) {
		return false
	}
	for j := 0; j < i; j++ {
		c := s[j]
		if c != '_' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') {
			return false
		}
	}
	return true
}

// find looks an option up from the innermost entry outwards.
func (u *usage) find(name string) (option, bool) {
	for i := len(u.recs) - 1; i >= 0; i-- {
		if o, ok := u.recs[i].findOption(name); ok {
			return o, true
		}
	}
	return option{}, false
}

// option reads the option at word i and returns the index of its last word.
func (u *usage) option(i int) int {
	wd := u.words[i]
	text := wd.Text
	single := text[1] != '-'
	name, val, eq := cutValue(text)
	o, ok := u.find(name)
	if !ok && u.prefixed(i) {
		return i
	}
	if single && !u.recs[0].has("onedash") && !(ok && len(name) > 2) {
		return u.cluster(i)
	}
	if !ok && single && len(text) > 2 {
		if _, isLetter := u.find(text[:2]); isLetter {
			return u.cluster(i)
		}
	}
	if !ok && !single {
		name, o, ok = u.abbrev(name)
	}
	if !ok {
		if name == "--help" || name == "--version" {
			u.hits = append(u.hits, hit{name: name, fx: "help", at: i})
			return i
		}
		u.strange = append(u.strange, i)
		return i
	}
	h := hit{name: name, fx: o.fx, at: i}
	switch {
	case eq:
		h.val, h.has = sliceWord(wd, val), true
	case o.takes == '=' && i+1 < len(u.words):
		i++
		h.val, h.has, h.at = u.words[i], true, i
	}
	u.hits = append(u.hits, h)
	return i
}

// prefixed reads -DNAME and the like, where the entry lists "-D*".
func (u *usage) prefixed(i int) bool {
	for k := len(u.recs) - 1; k >= 0; k-- {
		if name, o, ok := u.recs[k].findPrefix(u.words[i].Text); ok {
			u.hits = append(u.hits, hit{name: name, val: sliceWord(u.words[i], u.words[i].Text[len(name):]), has: true, fx: o.fx, at: i})
			return true
		}
	}
	return false
}

func (u *usage) abbrev(name string) (string, option, bool) {
	for i := len(u.recs) - 1; i >= 0; i-- {
		if full, n := u.recs[i].abbreviation(name); n == 1 {
			o, ok := u.recs[i].findOption(full)
			return full, o, ok
		} else if n > 1 {
			return name, option{}, false
		}
	}
	return name, option{}, false
}

func cutValue(text string) (name, val string, ok bool) { return strings.Cut(text, "=") }

// sliceWord is the part of a word after its option name.
func sliceWord(wd Word, text string) Word {
	wd.Text = text
	wd.Known = !strings.Contains(text, Hole)
	return wd
}

// maxCluster bounds the letters of one word; more are an unknown option.
const maxCluster = 64

// cluster reads -abc, -n5 and -5.
func (u *usage) cluster(i int) int {
	wd := u.words[i]
	text := wd.Text
	if '0' <= text[1] && text[1] <= '9' {
		if o, ok := u.find("-#"); ok {
			u.hits = append(u.hits, hit{name: "-#", fx: o.fx, at: i})
			return i
		}
	}
	for j := 1; j < len(text); j++ {
		name := "-" + text[j:j+1]
		o, ok := u.find(name)
		if !ok || j > maxCluster {
			u.strange = append(u.strange, i)
			return i
		}
		h := hit{name: name, fx: o.fx, at: i}
		rest := text[j+1:]
		switch {
		case o.takes != 0 && rest != "":
			h.val, h.has = sliceWord(wd, strings.TrimPrefix(rest, "=")), true
			j = len(text)
		case o.takes == '=' && i+1 < len(u.words):
			h.val, h.has, h.at = u.words[i+1], true, i+1
			u.hits = append(u.hits, h)
			return i + 1
		}
		u.hits = append(u.hits, h)
	}
	return i
}
