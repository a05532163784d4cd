package fields

import "strings"

// The ways to write an account number that one of its digits in a row has, and one
// in groups has.
const (
	grouped = "grouped"
	joined  = "joined"
)

// IsAccountForm reports whether the encoding of a view is a way to write an account
// number.
func IsAccountForm(encoding string) bool { return encoding == grouped || encoding == joined }

// accounts appends, for each international account number (ISO 13616) in a text, how
// it is written otherwise: in groups of four where it stands in a row, and in a row
// where it stands in groups. People write it one way and programs the other.
func (d *Decoder) accounts(text string) {
	for at, n := 0, 0; at+minAccount <= len(text) && n < maxTokens; at++ {
		if !upper(text[at]) || !upper(text[at+1]) || !digit(text[at+2]) || !digit(text[at+3]) || at > 0 && wordBytes[text[at-1]] != 0 {
			continue
		}
		end, groups := accountEnd(text, at)
		if end < 0 {
			continue
		}
		n++
		if account := text[at:end]; groups == 1 {
			d.add(View{inGroups(account), grouped, at, end})
		} else {
			d.add(View{strings.ReplaceAll(account, " ", ""), joined, at, end})
		}
		at = end - 1
	}
}

// How many letters and digits an account number has.
const (
	minAccount = 14
	maxAccount = 34
)

// accountEnd returns where the account number ends that begins at a place, and how
// many groups it has; -1 if none begins there.
func accountEnd(text string, at int) (end, groups int) {
	signs, digits, group := 0, 0, 0
	for end = at; end < len(text); end++ {
		switch c := text[end]; {
		case c == ' ' && group == 4 && end+1 < len(text) && (digit(text[end+1]) || upper(text[end+1])):
			groups, group = groups+1, 0
			continue
		case digit(c):
			digits++
		case !upper(c):
			return accountOf(text, end, signs, digits, groups+1)
		}
		signs++
		if group++; group > 4 && groups > 0 || signs > maxAccount {
			return -1, 0
		}
	}
	return accountOf(text, end, signs, digits, groups+1)
}

func accountOf(text string, end, signs, digits, groups int) (int, int) {
	if signs < minAccount || digits < 8 || end < len(text) && (wordBytes[text[end]] != 0 || text[end] >= 0x80) {
		return -1, 0
	}
	return end, groups
}

func inGroups(account string) string {
	var b strings.Builder
	for i := 0; i < len(account); i += 4 {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(account[i:min(i+4, len(account))])
	}
	return b.String()
}
