package origin

import (
	"strings"

	"github.com/planlint/planlint/internal/fields"
)

// sharedHosts are sites on which everybody has pages, and how many parts of a path say
// whose they are.
var sharedHosts = map[string]int{
	"github.com": 1, "gitlab.com": 1, "bitbucket.org": 1, "codeberg.org": 1, "gist.github.com": 1, "raw.githubusercontent.com": 1, "huggingface.co": 1,
	"docs.google.com": 3, "drive.google.com": 3, "sites.google.com": 2, "forms.gle": 1, "dropbox.com": 3, "onedrive.live.com": 1, "notion.so": 1, "notion.site": 1,
	"pastebin.com": 1, "medium.com": 1, "substack.com": 1, "reddit.com": 2, "twitter.com": 1, "x.com": 1, "facebook.com": 1, "linkedin.com": 2,
	"t.me": 1, "discord.com": 3, "trello.com": 2, "bit.ly": 1, "tinyurl.com": 1,
}

// maxOwner is the most parts of a path that say whose a page is.
const maxOwner = 3

// ownerOf returns the host of a web address, and on a host that everybody has pages on
// the first parts of the path, up to n of them, as far as they say whose page it is.
func ownerOf(address string, n int) string {
	host := fields.HostOf(address)
	n = min(n, sharedHosts[host])
	if n == 0 {
		return host
	}
	bare := strings.ReplaceAll(fields.Bare(address), `\`, "/")
	if i := strings.IndexAny(bare, "?#"); i >= 0 {
		bare = bare[:i]
	}
	parts := strings.FieldsFunc(strings.ToLower(bare), func(r rune) bool { return r == '/' })
	return host + "/" + strings.Join(parts[min(1, len(parts)):min(n+1, len(parts))], "/")
}

// lends reports whether the record that an address stands in may lend it. Pages,
// and answers to forms, lend links to their own host. Pages lend mail addresses of
// their host, messages whose sender nobody named those of the sender's domain, and
// both the only other one where the user speaks of an address. Messages lend links to
// the domain of their sender. All lend what stands in a row that the user named, and
// else what is the only one of its kind.
func (a *analysis) lends(i int, p *part) bool {
	l := &a.leaves[p.leaf]
	if l.record < 0 || l.open || a.records[l.record].standing == None {
		return false
	}
	host := a.hostOfCall(int(l.call))
	switch page := host != "" || l.call >= 0 && a.facts[l.call].Effect == Fetches; {
	case page && p.atom == fields.URL:
		return inDomain(a.rareOf(p).host, host) && a.samePlace(int(l.call), i, p)
	case page && p.atom == fields.Address:
		return a.ownAddress(p) || a.rowLends(p) || a.request.addresses && a.onlyOne(l.record, p.atom)
	case p.atom == fields.Address && !a.records[l.record].sender && !a.request.addresses && a.hasSender(l.record):
		return a.ofSender(p) || a.rowLends(p)
	}
	return p.atom == fields.Address && a.ownAddress(p) || p.atom == fields.URL && a.ofSender(p) || a.onlyOne(l.record, p.atom) || a.rowLends(p)
}

// ofSender reports whether a web address lies in the domain that the sender of its
// record writes from.
func (a *analysis) ofSender(p *part) bool {
	host, rec := a.rareOf(p).host, a.leaves[p.leaf].record
	if host == "" || a.records[rec].standing < Plain {
		return false
	}
	for l := a.records[rec].from; l < a.records[rec].end; l++ {
		leaf := &a.leaves[l]
		if leaf.record != rec || !leaf.ref || leaf.kind == Text {
			continue
		}
		if _, domain, _ := strings.Cut(strings.ToLower(fields.Bare(a.text(l))), "@"); inDomain(host, domain) {
			return true
		}
	}
	return false
}

// hasSender reports whether a record is a message.
func (a *analysis) hasSender(rec int32) bool {
	for l := a.records[rec].from; l < a.records[rec].end; l++ {
		if leaf := &a.leaves[l]; leaf.record == rec && leaf.ref && leaf.kind != Text && strings.Contains(a.text(l), "@") {
			return true
		}
	}
	return false
}

// inDomain reports whether a host is a domain, or one below it.
func inDomain(host, domain string) bool {
	return domain != "" && (host == domain || strings.Contains(domain, ".") && strings.HasSuffix(host, "."+domain))
}

// ownAddress reports whether a page, or what it answers to a form, names a mail
// address of its own host, so that who owns the page gets what is sent there.
func (a *analysis) ownAddress(p *part) bool {
	host, own := a.hostOfCall(int(a.leaves[p.leaf].call)), a.rareOf(p).host
	if host == own {
		return own != ""
	}
	_, above, _ := strings.Cut(host, ".")
	return above == own && strings.Contains(own, ".")
}

// samePlace reports whether an address on a page is of the page's owner, where the host
// is everybody's.
func (a *analysis) samePlace(page, i int, p *part) bool {
	address := a.pageOf(page)
	return sharedHosts[fields.HostOf(address)] == 0 || ownerOf(address, maxOwner) == ownerOf(a.textOf(i, &a.facts[i], p), maxOwner)
}

func (a *analysis) hostOfCall(i int) string { return fields.HostOf(a.pageOf(i)) }

// pageOf returns the web address that a call fetches or hands something in at, "" for
// none.
func (a *analysis) pageOf(i int) string {
	if i < 0 {
		return ""
	}
	f := &a.facts[i]
	for s := range f.Slots {
		if f.role(s) != Target {
			continue
		}
		for _, v := range f.values(s) {
			if fields.HostOf(v.Text) != "" {
				return v.Text
			}
		}
	}
	return ""
}

// onlyOne reports whether the text of a record holds one atom of a kind at most.
func (a *analysis) onlyOne(rec int32, kind fields.AtomKind) bool {
	key := kindIn{rec, kind}
	one, known := a.only[key]
	if !known {
		one = a.holdsOne(rec, kind)
		a.only[key] = one
	}
	return one
}

// kindIn is a kind of value in a record.
type kindIn struct {
	record int32
	kind   fields.AtomKind
}

func (a *analysis) holdsOne(rec int32, kind fields.AtomKind) bool {
	seen := ""
	many := false
	for l := a.records[rec].from; l < a.records[rec].end; l++ {
		if a.leaves[l].record != rec || a.leaves[l].kind != Text {
			continue
		}
		text := a.text(l)
		fields.Atoms(text, func(at fields.Atom) {
			if at.Kind != kind || kind == fields.ID && isReference(text[:at.Start]) {
				return
			}
			bare := fields.Bare(text[at.Start:at.End])
			if kind == fields.File {
				bare = lastName(bare) // "a.txt was saved to /tmp/a.txt"
			}
			many = many || seen != "" && !strings.EqualFold(seen, bare)
			seen = bare
		})
	}
	return !many
}
