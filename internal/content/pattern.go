package content

import (
	_ "embed"
	"encoding/json"
	"math"
	"regexp"
	"strings"
	"sync"
)

//go:generate go run ./internal/gen

//go:embed patterns.json
var flattened []byte

// pattern is one entry of patterns.yaml, ready to match.
type pattern struct {
	id       string
	kind     Kind
	literals []string
	fold     bool
	around   bool
	before   before
	re       *lazyRegexp
	value    int
	entropy  bool
	check    string
}

type before uint8

const (
	// wordBefore: no letter or digit stands before the literal.
	wordBefore before = iota
	anyBefore
)

// The window that an `around` expression sees: bytes before and after the
// literal's start.
const (
	windowBefore = 64
	windowAfter  = 192
	// windowFollow is what an expression after a literal sees; private keys are
	// the longest.
	windowFollow = 8192
)

// lazyRegexp is compiled when its literal is first found.
type lazyRegexp struct {
	once sync.Once
	text string
	re   *regexp.Regexp
}

func (l *lazyRegexp) get() *regexp.Regexp {
	l.once.Do(func() { l.re = regexp.MustCompile(l.text) })
	return l.re
}

// flat is one entry as patterns.json has it.
type flat struct {
	ID       string   `json:"id"`
	Literals []string `json:"literals"`
	Match    string   `json:"match"`
	Fold     bool     `json:"fold,omitempty"`
	Around   bool     `json:"around,omitempty"`
	Before   string   `json:"before,omitempty"`
	Value    int      `json:"value,omitempty"`
	Entropy  bool     `json:"entropy,omitempty"`
	Check    string   `json:"check,omitempty"`
}

// builtin returns the patterns of patterns.yaml. The embedded file is written by
// go generate and held to the source by a test.
func builtin() []pattern {
	var entries []flat
	if err := json.Unmarshal(flattened, &entries); err != nil {
		panic("content: the embedded patterns are broken: " + err.Error())
	}
	patterns := make([]pattern, len(entries))
	for i, e := range entries {
		p := pattern{id: e.ID, literals: e.Literals, fold: e.Fold, around: e.Around, value: e.Value, entropy: e.Entropy, check: e.Check}
		if e.Before == "any" {
			p.before = anyBefore
		}
		text := e.Match
		if !p.around {
			text = `\A(?:` + text + `)`
		}
		p.re = &lazyRegexp{text: text}
		patterns[i] = p
	}
	return patterns
}

// match tries the pattern at a literal that stands at text[start:end].
func (p *pattern) match(text string, start, end int) (Match, bool) {
	if p.before == wordBefore && start > 0 && wordByte(text[start-1]) {
		return Match{}, false
	}
	from, to, ok := start, end, true
	switch {
	case p.re == nil:
	case p.around:
		from, to, ok = p.matchAround(text, start, end)
	case p.fold && !assigned(text, end) || p.literals[0] == "://" && !userinfo(text, end):
		return Match{}, false
	default:
		window := text[end:min(len(text), end+windowFollow)]
		loc := p.re.get().FindStringSubmatchIndex(window)
		if ok = loc != nil; ok {
			to = end + loc[1]
		}
		if ok && p.value > 0 {
			from, to = end+loc[2*p.value], end+loc[2*p.value+1]
		}
	}
	if !ok || p.kind == Credential && isPlaceholder(text[from:to]) {
		return Match{}, false
	}
	m := Match{Kind: p.kind, ID: p.id, Start: from, End: to}
	if p.entropy && !random(text[from:to]) {
		return m, false
	}
	return p.checked(m, text)
}

func (p *pattern) matchAround(text string, start, end int) (from, to int, ok bool) {
	base := max(0, start-windowBefore)
	window := text[base:min(len(text), start+windowAfter)]
	for _, loc := range p.re.get().FindAllStringSubmatchIndex(window, -1) {
		if base+loc[0] <= start && end <= base+loc[1] {
			return base + loc[2*p.value], base + loc[2*p.value+1], true
		}
	}
	return 0, 0, false
}

// assigned is a cheap necessary condition: after a telling name and what may
// still belong to it there is an assignment.
func assigned(text string, end int) bool {
	for i := end; i < min(len(text), end+32); i++ {
		c := text[i]
		if c == '=' || c == ':' {
			return true
		}
		if !wordByte(c) && c != '_' && c != '-' && c != '"' && c != '\'' && c != ']' && c != ' ' {
			return false
		}
	}
	return false
}

// userinfo is a cheap necessary condition: an @ before the host ends.
func userinfo(text string, end int) bool {
	for i := end; i < min(len(text), end+200); i++ {
		switch text[i] {
		case '@':
			return true
		case '/', ' ', '\n', '"', '\'', '<', '>':
			return false
		}
	}
	return false
}

func (p *pattern) checked(m Match, text string) (Match, bool) {
	switch p.check {
	case "crc32-base62":
		m.Verified = githubChecksum(text[m.Start:m.End])
	case "jwt-header":
		m.Verified = jwtHeader(text[m.Start:m.End])
		return m, m.Verified
	case "mixed-case":
		return m, mixedCase(text[m.Start:m.End])
	}
	return m, true
}

// mixedCase reports whether a value has capital letters, small ones and digits, as
// hashes in hexadecimal do not.
func mixedCase(value string) bool {
	return strings.ContainsAny(value, "0123456789") && value != strings.ToLower(value) && value != strings.ToUpper(value)
}

// minEntropy is the entropy in bits a character that a random value has at
// least; English words have about 2.5 at such lengths.
const minEntropy = 3.0

// random reports whether a value looks generated: letters and digits mixed, and
// no date, number or word.
func random(value string) bool {
	letters, digits, turns := 0, 0, 0
	for i := 0; i < len(value); i++ {
		switch c := value[i]; {
		case '0' <= c && c <= '9':
			digits++
		case 'a' <= c|0x20 && c|0x20 <= 'z':
			letters++
			if i > 0 && (c^value[i-1])&0x20 != 0 {
				turns++
			}
		}
	}
	// A word in camel case changes its case seldom, a random value all the time.
	mixed := digits >= 2 || turns >= len(value)/3
	if letters < 3 || !mixed || letters+digits < len(value)*3/4 || dateLike(value) {
		return false
	}
	return entropy(value) >= minEntropy
}

func dateLike(value string) bool {
	return len(value) >= 10 && value[4] == '-' && value[7] == '-' && strings.Trim(value[:4], "0123456789") == ""
}

// entropy is Shannon's, in bits a byte.
func entropy(value string) float64 {
	var count [256]int
	for i := 0; i < len(value); i++ {
		count[value[i]]++
	}
	sum := 0.0
	for _, n := range count {
		if n > 0 {
			f := float64(n) / float64(len(value))
			sum -= f * math.Log2(f)
		}
	}
	return sum
}

func wordByte(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}
