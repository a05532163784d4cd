package content

import (
	"regexp"
	"strings"
	"sync"
)

// personalPattern is one kind of personal data.
type personalPattern struct {
	id    string
	text  string
	valid func(string) bool
}

// personalPatterns: formats with a checksum are verified, so that an order
// number is no card. Sources: RFC 5321, E.164, ISO 13616, ISO/IEC 7812-1, the
// US Social Security Administration, HMRC (NINO), Spain's DNI.
var personalPatterns = []personalPattern{
	{"mail-address", `[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,4}`, nil},
	{"phone", `\+[1-9][0-9](?:[ ()./-]?[0-9]){6,12}\b`, nil},
	{"iban", `\b[A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?\b`, iban},
	{"payment-card", `\b[2-6](?:[ -]?[0-9]){12,18}\b`, card},
	{"us-ssn", `\b[0-9]{3}-[0-9]{2}-[0-9]{4}\b`, socialSecurity},
	{"uk-nino", `\b[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?[0-9]{2} ?[0-9]{2} ?[0-9]{2} ?[A-D]\b`, nil},
	{"es-dni", `\b[0-9]{8}[A-Z]\b`, dni},
}

var personalRegexps = sync.OnceValue(func() []*regexp.Regexp {
	out := make([]*regexp.Regexp, len(personalPatterns))
	for i, p := range personalPatterns {
		out[i] = regexp.MustCompile(p.text)
	}
	return out
})

func personal(text string, found []Match) []Match {
	for i, re := range personalRegexps() {
		p := &personalPatterns[i]
		for _, loc := range re.FindAllStringIndex(text, -1) {
			if p.valid == nil || p.valid(text[loc[0]:loc[1]]) {
				found = append(found, Match{Kind: Personal, ID: p.id, Start: loc[0], End: loc[1], Verified: p.valid != nil})
			}
		}
	}
	return found
}

func compact(s string) string { return strings.NewReplacer(" ", "", "-", "").Replace(s) }

func iban(s string) bool {
	s = compact(s)
	return len(s) >= 15 && len(s) <= 34 && mod97(s)
}

func card(s string) bool {
	s = compact(s)
	return len(s) >= 13 && len(s) <= 19 && luhn(s)
}

func socialSecurity(s string) bool {
	return s[:3] != "000" && s[:3] != "666" && s[0] != '9' && s[4:6] != "00" && s[7:] != "0000"
}

func dni(s string) bool {
	n := 0
	for _, c := range []byte(s[:8]) {
		n = n*10 + int(c-'0')
	}
	return "TRWAGMYFPDXBNJZSQVHLCKE"[n%23] == s[8]
}
