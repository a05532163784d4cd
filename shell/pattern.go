package shell

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Pattern is a command pattern of a rule: "git push:*" or "git push *" (these
// words, then anything), "git push" (exactly these words), "git * main" (any
// words in the middle). A star inside a word matches any text within that word. A
// word with blanks stands in quotes: cp a.txt 'my file.txt'.
type Pattern struct {
	text   string
	words  []string
	prefix bool // anything may follow
}

// ErrEmptyPattern is a pattern without a word; it would match nothing or everything.
var ErrEmptyPattern = errors.New("empty command pattern")

// CompilePattern reads a pattern.
func CompilePattern(text string) (Pattern, error) {
	p := Pattern{text: text}
	body := strings.TrimSpace(text)
	switch {
	case strings.HasSuffix(body, ":*"):
		body, p.prefix = strings.TrimSuffix(body, ":*"), true
	case strings.HasSuffix(body, " *"):
		body, p.prefix = strings.TrimSuffix(body, " *"), true
	case body == "*":
		body, p.prefix = "", true
	}
	p.words = patternWords(body)
	if len(p.words) == 0 && body == "" && strings.TrimSpace(text) != "*" {
		return Pattern{}, fmt.Errorf("%q: %w", text, ErrEmptyPattern)
	}
	return p, nil
}

// patternWords are the words that a pattern compares: its fields without quotes.
func patternWords(s string) []string {
	out := PatternFields(s)
	for i, f := range out {
		out[i] = Unquote(f)
	}
	return out
}

// PatternFields splits the text of a pattern at white space. What begins with a
// quote ends with the next such quote before white space, so that 'my file.txt'
// is one field, and keeps both; where none follows, the quote is a character like
// any other.
func PatternFields(s string) (fields []string) {
	open := "'\"" // quotes that may still be closed
	for s = strings.TrimSpace(s); s != ""; s = strings.TrimSpace(s) {
		n := 0
		if strings.IndexByte(open, s[0]) >= 0 {
			if n = quotedLen(s); n == 0 {
				open = strings.ReplaceAll(open, s[:1], "")
			}
		}
		if n == 0 {
			if n = strings.IndexFunc(s, unicode.IsSpace); n < 0 {
				n = len(s)
			}
		}
		fields, s = append(fields, s[:n]), s[n:]
	}
	return fields
}

// quotedLen is how long the quoted field is that a text begins with, 0 where no
// quote like its first byte ends one.
func quotedLen(s string) int {
	for at := 1; ; {
		i := strings.IndexByte(s[at:], s[0])
		if i < 0 {
			return 0
		}
		at += i + 1
		if next, _ := utf8.DecodeRuneInString(s[at:]); at == len(s) || unicode.IsSpace(next) {
			return at
		}
	}
}

// Unquote takes the quotes off a field.
func Unquote(f string) string {
	if len(f) > 1 && (f[0] == '\'' || f[0] == '"') && f[len(f)-1] == f[0] {
		return f[1 : len(f)-1]
	}
	return f
}

// String is the pattern as it was written.
func (p Pattern) String() string { return p.text }

// Match is how a restricting pattern fits.
type Match int

// The results. MayMatch means that the denied command stands where it may be
// run: in the arguments of an unknown program, in the code of an interpreter.
const (
	NoMatch Match = iota
	MayMatch
	Matches
)

func (m Match) String() string {
	return [...]string{"no match", "may match", "matches"}[m]
}

// Patterns are the allow patterns of a policy.
type Patterns []Pattern

// Allow reports whether the patterns cover the step: its own words, and each
// wrapper that does more than run it; index is the pattern that covers the
// command. A bare step (redirects only) is covered. Effects on files are not:
// redirect targets need an allow of their own.
func (ps Patterns) Allow(st Step) (index int, ok bool) {
	if st.Bare() {
		return -1, true
	}
	for i, p := range ps {
		if p.MatchAllow(st) {
			return i, true
		}
	}
	for i, p := range ps {
		if p.allowWords(st, stepWords(st)) && ps.outerCovered(st) {
			return i, true
		}
	}
	return -1, false
}

func (ps Patterns) outerCovered(st Step) bool {
	for _, o := range st.Outer {
		if transparent(o) {
			continue
		}
		words := append([]string{o.Program}, texts(o.Args)...)
		if !slices.ContainsFunc(ps, func(p Pattern) bool { return p.matchWords(words) }) {
			return false
		}
	}
	return true
}

// MatchAllow reports whether this one pattern covers the step. The command word
// must be written as in the pattern (./cat is not cat), no variable that loads
// code may be set, and wrappers that do more than run the command must stand in the pattern.
func (p Pattern) MatchAllow(st Step) bool {
	if st.Bare() {
		return true
	}
	inner := stepWords(st)
	if !slices.ContainsFunc(st.Outer, func(o Wrapper) bool { return !transparent(o) }) && p.allowWords(st, inner) {
		return true
	}
	for i := len(st.Outer) - 1; i >= 0; i-- {
		o := st.Outer[i]
		inner = append(append([]string{o.Program}, texts(o.Args)...), inner...)
		if len(p.words) <= len(o.Args)+1 {
			continue // the pattern must reach into what is run
		}
		if !slices.ContainsFunc(st.Outer[:i], func(o Wrapper) bool { return !transparent(o) }) && p.allowWords(st, inner) {
			return true
		}
	}
	return false
}

// transparent wrappers only run their command here and now, as the same user.
func transparent(o Wrapper) bool {
	if strings.Contains(o.Program, "/") {
		return false
	}
	switch o.Name {
	case "eval", "exec", "trap", "find", "command", "builtin":
		return true
	}
	if isShell(o.Name) {
		for _, a := range o.Args {
			if !strings.HasPrefix(a.Text, "-") {
				return false
			}
		}
		return true
	}
	rec, ok := lookup(o.Name)
	return ok && rec.has("transparent")
}

func stepWords(st Step) []string {
	return append([]string{st.Program}, texts(st.Args)...)
}

func texts(words []Word) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = w.Text
	}
	return out
}

func (p Pattern) allowWords(st Step, words []string) bool {
	if st.Guess || st.Program == "" || loadsCode(st) {
		return false
	}
	return p.matchWords(words)
}

// loadsCode reports whether the step runs code that the program's name does not
// stand for: by a variable, or by an option of a program that is no interpreter.
func loadsCode(st Step) bool {
	for _, a := range st.Assigns {
		rec, loads := variableRecord(a.Name)
		if (loads || strings.HasPrefix(a.Name, "GIT_")) && !pagerOnly(a.Value.Text) && !(rec.has("plain") && !strings.ContainsAny(a.Value.Text, "/=!")) {
			return true
		}
	}
	rec, _ := lookup(st.Name)
	interpreter := rec.handler == "interp" || rec.handler == "module"
	for _, e := range st.Effects {
		switch {
		case e.Kind == Load && strings.HasPrefix(e.Detail, "variable "):
			return true
		case e.Kind == Load && st.Name == "curl":
			return true
		case e.Kind == Exec && (e.Source == "option" || e.Source == "text") && !interpreter:
			return true
		}
	}
	return false
}

// matchWords matches all words in order.
func (p Pattern) matchWords(words []string) bool {
	return matchSequence(p.words, words, p.prefix)
}

// matchSequence matches pattern words, where "*" stands for one or more words.
// The last word of a prefix pattern may end at a slash inside a word.
func matchSequence(pat, words []string, prefix bool) bool {
	for i, pw := range pat {
		if pw == "*" {
			for skip := i + 1; skip <= len(words); skip++ {
				if matchSequence(pat[i+1:], words[skip:], prefix) {
					return true
				}
			}
			return false
		}
		if i >= len(words) {
			return false
		}
		last := prefix && i == len(pat)-1
		if !matchWord(pw, words[i], last) {
			return false
		}
	}
	return prefix || len(pat) == len(words)
}

func matchWord(pat, word string, prefix bool) bool {
	if matchGlob(pat, word) && !strings.Contains(word, Hole) {
		return true
	}
	if !prefix || !strings.Contains(word, "/") {
		return false
	}
	if !strings.HasSuffix(pat, "/") {
		pat += "/"
	}
	clean := word
	if strings.Contains(word, "..") {
		if strings.Contains(word, "://") {
			return false
		}
		clean = path.Clean(word)
	}
	return matchGlob(pat+"*", clean)
}

// plainName drops characters that don't show, so that they can't hide a name from a deny pattern.
func plainName(s string) string {
	if strings.IndexFunc(s, hidden) < 0 {
		return s
	}
	return strings.Map(func(r rune) rune {
		if hidden(r) {
			return -1
		}
		return r
	}, s)
}

func hidden(r rune) bool {
	return r > 127 && (unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Mn, r) || r == '\u00a0')
}
