// Package content recognises secrets in text, whatever tool the text came from:
// keys, tokens, private keys, addresses with a password, high-entropy values
// beside a telling name, canary values that a user lists; personal data as an
// option.
//
// In: a text. Out: matches with byte offsets and the name of what was found.
// Values are never copied into a match.
//
// One pass looks up each three bytes of the text, case folded, in a table; only
// where they start a pattern's literal is the literal compared, and only where
// that stands is a regular expression tried, on a bounded window. Cost is linear
// in the text. patterns.yaml says which literals, and whose documentation each
// entry was written from.
//
// Limits: what has no fixed prefix and no telling name beside it is not
// recognised; a window that ends inside a value cuts it.
package content

import (
	"sort"
	"strings"
)

// Kind says what was found.
type Kind uint8

// The kinds of content.
const (
	// Credential is a key, token or password.
	Credential Kind = iota
	// Personal is data about a person.
	Personal
	// Canary is a value that the user listed.
	Canary
)

// Match is one thing that was found at text[Start:End].
type Match struct {
	Kind Kind
	// ID names the pattern: "github-token".
	ID         string
	Start, End int
	// Verified: the format's own checksum is right.
	Verified bool
}

// Options choose what a Scanner looks for beside credentials.
type Options struct {
	// Personal turns on mail addresses, phone numbers, IBANs, payment cards and
	// national ids.
	Personal bool
	// Canaries are values whose mere presence counts; those shorter than
	// minCanary are ignored.
	Canaries []string
}

// minCanary is the length of the shortest canary in bytes.
const minCanary = 6

// Scanner finds content. It is immutable and safe for concurrent use.
type Scanner struct {
	patterns []pattern
	table    *table
	personal bool
}

// NewScanner returns a scanner for credentials and what the options add.
func NewScanner(o Options) *Scanner {
	s := &Scanner{patterns: builtin(), personal: o.Personal}
	for _, c := range o.Canaries {
		if len(c) >= minCanary {
			s.patterns = append(s.patterns, pattern{id: "canary", kind: Canary, literals: []string{c}, before: anyBefore})
		}
	}
	s.table = newTable(s.patterns)
	return s
}

// Scan returns what it finds in a text, by ascending start; matches of one kind
// do not overlap.
func (s *Scanner) Scan(text string) (found []Match) {
	s.table.each(text, func(p *pattern, at, literal int) {
		if m, ok := p.match(text, at, literal); ok {
			found = append(found, m)
		}
	})
	if s.personal {
		found = personal(text, found)
	}
	if len(found) == 0 {
		return nil
	}
	return tidy(found)
}

// MayTurn reports whether something may be found in a text, or in a part of it, when
// its letters are moved by 13 or when it is written backwards.
func (s *Scanner) MayTurn(text string) bool { return s.personal || s.table.mayTurn(text) }

// Has reports whether the scanner finds anything of the kind.
func (s *Scanner) Has(text string, kind Kind) bool {
	for _, m := range s.Scan(text) {
		if m.Kind == kind {
			return true
		}
	}
	return false
}

// tidy sorts, and keeps of overlapping matches of one kind the longest.
func tidy(found []Match) []Match {
	sort.SliceStable(found, func(i, j int) bool {
		a, b := &found[i], &found[j]
		if a.Start != b.Start {
			return a.Start < b.Start
		}
		return a.End > b.End
	})
	kept := found[:0]
	for _, m := range found {
		if n := len(kept); n > 0 && kept[n-1].Kind == m.Kind && m.Start < kept[n-1].End {
			if m.End-m.Start > kept[n-1].End-kept[n-1].Start {
				kept[n-1] = m
			}
			continue
		}
		kept = append(kept, m)
	}
	return kept
}

// placeholders are what examples and redactions have in place of a value.
var placeholders = []string{
	"example", "redact", "xxxx", "****", "....", "placeholder", "changeme", "change_me", "change-me",
	"your_", "your-", "yourkey", "dummy", "sample", "insert", "todo", "<", "${", "{{", "%(", "process.env", "os.environ", "getenv", "secrets.", "vault:", "0000000000",
}

// isPlaceholder reports whether a value stands for one that was taken out.
func isPlaceholder(value string) bool {
	folded := strings.ToLower(value)
	for _, p := range placeholders {
		if strings.Contains(folded, p) {
			return true
		}
	}
	return strings.Count(value, value[:1]) == len(value)
}
