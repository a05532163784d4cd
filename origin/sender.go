package origin

import (
	"slices"
	"strings"

	"github.com/planlint/planlint/internal/fields"
)

// namesPerson reports whether the user's words hold the name that an address is
// made of: "Kim Lee" for kim.lee@corp.example.
func (a *analysis) namesPerson(address string) bool {
	local, _, ok := strings.Cut(address, "@")
	if !ok {
		return false
	}
	said := a.saidNames(local)
	return len(said) > 0 && !a.spelledOther(address, said)
}

// spelledOther reports whether the user wrote out another address with all of the
// names: "Kim (kim@corp.example)" is not kim@other.example.
func (a *analysis) spelledOther(address string, names []uint64) bool {
	for t := range a.prompt {
		for _, at := range a.prompt[t].atoms {
			local, _, ok := strings.Cut(at.text, "@")
			if at.kind != fields.Address || !ok || strings.EqualFold(at.text, fields.Bare(address)) {
				continue
			}
			words := fields.AppendWords(nil, local)
			if !slices.ContainsFunc(names, func(name uint64) bool {
				return !slices.ContainsFunc(words, func(w fields.Word) bool { return w.Hash == name })
			}) {
				return true
			}
		}
	}
	return false
}

// saidNames returns the words of an address's local part that the user says as
// names.
func (a *analysis) saidNames(local string) (said []uint64) {
	fields.Words(local, func(w fields.Word) bool {
		if (w.Len() >= 3 || w.Len() == len(local)) && !w.Digits() && a.saysName(&w, local[w.Start:w.End]) {
			said = append(said, w.Hash)
		}
		return true
	})
	return said
}

// bearer is who is called by a word of the user's: an address, of which he says
// so many words; several addresses of that many are none.
type bearer struct {
	address string
	words   int
	several bool
	// domain: only the domain of the address has the word.
	domain bool
}

// bears keeps that a record's sender is called by names of the user's.
func (a *analysis) bears(rec *record, address string) {
	address = strings.ToLower(fields.Bare(address))
	local, _, ok := strings.Cut(address, "@")
	if !ok {
		return
	}
	said := a.saidNames(local)
	if len(said) > 0 {
		a.senders = append(a.senders, address)
		rec.bearer = int32(len(a.senders))
	}
	for _, h := range said {
		switch b := a.bearers[h]; {
		case len(said) > b.words || b.domain && address != b.address && domainOf(address) == domainOf(b.address):
			a.bearers[h] = bearer{address: address, words: len(said)}
		case len(said) == b.words && address != b.address:
			b.several = true
			a.bearers[h] = b
		}
	}
}

// domainBears keeps that a sender's domain has names of the user's: "Roe" may be
// ann@roe-bakery.example as well as roe@mail.example. Addresses of one domain are
// no two in that.
func (a *analysis) domainBears(address string) {
	address = strings.ToLower(fields.Bare(address))
	label := domainLabel(address)
	if !strings.Contains(label, "-") {
		return
	}
	for _, h := range a.saidNames(label) {
		switch b := a.bearers[h]; {
		case b.words == 0:
			a.bearers[h] = bearer{address: address, words: 1, domain: true}
		case b.words == 1 && domainOf(b.address) != domainOf(address):
			b.several = true
			a.bearers[h] = b
		}
	}
}

func domainOf(address string) string { return address[strings.LastIndexByte(address, '@')+1:] }

// domainLabel is what a mail address's domain is called before its last part, "" if
// it has no such.
func domainLabel(address string) string {
	_, domain, _ := strings.Cut(address, "@")
	labels := strings.Split(domain, ".")
	if len(labels) < 2 {
		return ""
	}
	return labels[len(labels)-2]
}

// namesDomain reports whether the domain of an address is a name that the user
// says: "Leaf & Cup" for hello@leafandcup.example. One word more in it and it is
// another's.
func (a *analysis) namesDomain(address string) bool {
	label := domainLabel(strings.ToLower(address))
	if len(label) < 5 || commonWords[label] || mailProviders[label] {
		return false
	}
	label = strings.ReplaceAll(label, "-", "")
	for t := range a.prompt {
		if a.prompt[t].names()[label] {
			return true
		}
	}
	return false
}

// namesHost reports whether a name that the user says is a word of what a web
// address's host is called.
func (a *analysis) namesHost(address string) bool {
	labels := strings.Split(fields.HostOf(address), ".")
	return len(labels) >= 2 && len(a.saidNames(labels[len(labels)-2])) > 0
}

// unresolved reports whether a receiver stands only where senders of texts are
// named, that the user neither pointed at nor names, or several bear the name. A
// sender field of an inbox is no address book, but who speaks of his mails may have
// them answered.
func (j *judgement) unresolved(p *part) bool {
	if p.atom != fields.Address || p.inside || j.f.Acts&(Send|Grant|Pay) == 0 || p.from&(FromUser|FromText) != 0 || p.leaf < 0 {
		return false
	}
	l := &j.leaves[p.leaf]
	if l.record < 0 || !j.records[l.record].text {
		return false
	}
	answers := j.f.Acts&(Grant|Pay) == 0 && j.request.mails && (j.request.replies || !j.userGave(fields.Address))
	known := p.solid || j.request.all || answers || j.namesPerson(j.textOf(j.i, j.f, p))
	return !known || j.ambiguous(&j.records[l.record])
}

// mailProviders give addresses to anybody, so that their name names nobody.
var mailProviders = map[string]bool{"gmail": true, "outlook": true, "hotmail": true, "yahoo": true, "icloud": true, "protonmail": true, "proton": true}

// joinedNames are up to how many words a name is taken to have.
const joinedNames = 3

// joined returns the names that a text says, each written as one word; never nil.
func joined(text string, words []fields.Word) map[string]bool {
	names := map[string]bool{}
	for i := range words {
		if !words[i].Capital() {
			continue
		}
		name := ""
		for k := i; k < len(words) && k < i+joinedNames; k++ {
			if k > i && strings.Contains(text[words[k-1].End:words[k].Start], "&") {
				name += "and"
			}
			name += strings.ToLower(text[words[k].Start:words[k].End])
			names[name] = true
		}
	}
	return names
}

// ambiguous reports whether the name by which the user calls a record's sender is
// that of other senders too: who is meant is then theirs to say who write.
func (a *analysis) ambiguous(rec *record) bool {
	if rec.bearer == 0 {
		return false
	}
	address := a.senders[rec.bearer-1]
	local, _, _ := strings.Cut(address, "@")
	for _, h := range a.saidNames(local) {
		if b := a.bearers[h]; !b.several && b.address == address {
			return false
		}
	}
	return true
}
