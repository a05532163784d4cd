package fields

import (
	"strings"
)

// AtomKind says what an atom names.
type AtomKind uint8

// The kinds of atom.
const (
	// NoAtom is text that names nothing by its form.
	NoAtom AtomKind = iota
	// Address is a mail address.
	Address
	// URL is a web address, with or without a scheme.
	URL
	// Account is an account number: an IBAN or its like, a long number.
	Account
	// File is a path or a file's name.
	File
	// ID is an identifier of letters and digits.
	ID
)

var atomNames = [...]string{"", "address", "url", "account", "file", "id"}

// String returns the kind's name, empty for none.
func (k AtomKind) String() string { return atomNames[k] }

// Atom is a part of a text that names something.
type Atom struct {
	Kind       AtomKind
	Start, End int
}

// Atoms calls visit for every atom of a text in order. Numbers and dates are not
// among them: they are compared by value (number.go).
func Atoms(text string, visit func(Atom)) {
	for at := 0; at < len(text); {
		for at < len(text) && !tokenByte(text[at]) {
			at++
		}
		from, telling := at, false
		for at < len(text) && tokenByte(text[at]) {
			telling = telling || atomBytes[text[at]]
			at++
		}
		if !telling {
			continue
		}
		start, end := from, at
		for start < end && atomLead[text[start]] {
			start++
		}
		for end > start && atomTail[text[end-1]] {
			end--
		}
		if end-start < 3 {
			continue
		}
		k := KindOf(text[start:end])
		if k == URL && end < len(text) && text[end] == '(' && !strings.Contains(text[start:end], "/") {
			continue // os.path.join(a, b) is code
		}
		if k != NoAtom {
			visit(Atom{Kind: k, Start: start, End: end})
		}
	}
}

// atomLead and atomTail are what belongs to the sentence that an atom stands in.
var (
	atomLead = byteSet(".-:,'=#?&~")
	atomTail = byteSet("./-:,;!?='&")
)

// atomBytes are those of which every atom has one.
var atomBytes = byteSet("0123456789@./:")

func tokenByte(c byte) bool { return tokenBytes[c] }

var tokenBytes = func() (t [256]bool) {
	for c := range t {
		t[c] = bareByte(byte(c)) || c >= 0x80 || strings.IndexByte("@/:?=&%#~$", byte(c)) >= 0
	}
	return t
}()

// KindOf says what a single token names by its form.
func KindOf(s string) AtomKind {
	if len(s) < 3 || len(s) > 2048 || hasSpace(s) && !isGrouped(s) && !isAccount(s) {
		return NoAtom
	}
	switch {
	case isAddress(s):
		return Address
	case strings.Contains(s, "://"), hasFold(s, "www."):
		return URL
	case isAccount(s):
		return Account
	}
	if host, path, _ := strings.Cut(s, "/"); isHost(host) {
		if path != "" || !IsFileName(host) {
			return URL
		}
	}
	switch {
	case s[0] == '/' || strings.HasPrefix(s, "~/") || strings.HasPrefix(s, "./") || IsFileName(s):
		return File
	case isID(s):
		return ID
	}
	return NoAtom
}

func hasSpace(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c == ' ' || c == '\t' || c == '\n' {
			return true
		}
	}
	return false
}

func hasFold(s, prefix string) bool {
	return len(s) > len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}

func isAddress(s string) bool {
	if hasFold(s, "mailto:") {
		s = s[len("mailto:"):]
	}
	local, host, ok := strings.Cut(s, "@")
	return ok && local != "" && !strings.ContainsAny(local, "/:@") && isHost(host)
}

// isHost reports whether a text is a host of two labels or more, the last of
// lower-case letters.
func isHost(s string) bool {
	s, _, _ = strings.Cut(s, ":")
	i := strings.LastIndexByte(s, '.')
	if i <= 0 || len(s)-i < 3 || len(s)-i > 24 {
		return false
	}
	for _, c := range []byte(s[i+1:]) {
		if c < 'a' || c > 'z' {
			return false
		}
	}
	for _, c := range []byte(s[:i]) {
		if !bareByte(c) || c == '+' {
			return false
		}
	}
	for _, c := range []byte(s[:i]) {
		if !digit(c) && c != '.' && c != '-' && c != '+' {
			return true
		}
	}
	return false
}

// isAccount reports whether a token is an account number: two letters, two
// digits and ten or more letters and digits (ISO 13616), or eight digits or more
// with nothing but single separators between.
func isAccount(s string) bool {
	if len(s) >= minAccount && upper(s[0]) && upper(s[1]) && digit(s[2]) && digit(s[3]) {
		end, _ := accountEnd(s, 0)
		return end == len(s)
	}
	return isGrouped(s)
}

// isGrouped: groups of digits that are no date.
func isGrouped(s string) bool {
	digits, groups := 0, 1
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case digit(c):
			digits++
		case (c == '-' || c == ' ') && i > 0 && digit(s[i-1]):
			groups++
		case c == '+' && i == 0:
		default:
			return false
		}
	}
	return digits >= 9 && digits <= 24 && !(groups == 3 && digits == 8)
}

func upper(c byte) bool { return 'A' <= c && c <= 'Z' }
func digit(c byte) bool { return '0' <= c && c <= '9' }

// fileExtensions are those by which a name without a slash is taken for a file's.
const fileExtensions = " txt md pdf doc docx xls xlsx ppt pptx csv tsv json jsonl yaml yml xml html htm log ini conf cfg toml env " +
	"png jpg jpeg gif svg webp mp3 mp4 mov avi zip tar gz tgz rar py js ts go rs java c h cpp sh rb php sql db bak tmp key pem crt exe bin iso "

// IsFileName reports whether a name ends like a file's.
func IsFileName(s string) bool {
	i := strings.LastIndexByte(s, '.')
	if i <= 0 || len(s)-i > 6 || i+1 == len(s) {
		return false
	}
	ext := strings.ToLower(s[i+1:])
	return strings.Contains(fileExtensions, " "+ext+" ")
}

// isID reports whether a token mixes letters and digits as identifiers do.
func isID(s string) bool {
	letters, digits := 0, 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case digit(c):
			digits++
		case 'a' <= c|0x20 && c|0x20 <= 'z':
			letters++
		case c != '-' && c != '_':
			return false
		}
	}
	return len(s) >= 6 && letters >= 1 && digits >= 2
}

// HostOf returns the host of a web or mail address, folded, without www; empty
// for none. As in browsers, a backslash is a slash, and slashes before the host are
// skipped (WHATWG URL).
func HostOf(s string) string {
	s = strings.TrimLeft(strings.ReplaceAll(Bare(s), `\`, "/"), "/")
	if i := strings.IndexAny(s, "/?#"); i >= 0 {
		s = s[:i] // an @ behind it is no user's
	}
	s = s[strings.LastIndexByte(s, '@')+1:]
	if i := strings.IndexByte(s, ':'); i >= 0 {
		s = s[:i]
	}
	if s = strings.ToLower(s); !isHost(s) {
		return ""
	}
	return s
}
