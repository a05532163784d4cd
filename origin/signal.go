package origin

import (
	"github.com/planlint/planlint/internal/fields"
	"github.com/planlint/planlint/plan"
	"slices"
)

// Signals is a set of patterns in the origins of a call's arguments.
type Signals uint16

// The signals.
const (
	// TargetFromText: a target, object or secret stands only in third-party text,
	// and the user's pointing does not cover it.
	TargetFromText Signals = 1 << iota
	// ManyFromOne: two or more arguments come from one text that the user did not
	// point at.
	ManyFromOne
	// Stranger: a record's sensitive content goes to someone who is neither in the
	// record nor in the user's words.
	Stranger
	// Unasked: an act that the user's words never asked for.
	Unasked
	// LinkFromText: content carries an address out of text that nobody pointed at.
	LinkFromText
	// Delegated: the user hands the choice of acts to a text, and this call is one
	// of them.
	Delegated
	// Endorsed: a value stands only in third-party text, and the user's pointing
	// covers it.
	Endorsed
)

var signalNames = [...]string{"target", "several", "stranger", "unasked", "link", "delegated", "endorsed"}

// SignalNames lists the names that rules may give.
func SignalNames() []string { return append([]string(nil), signalNames[:]...) }

// ParseSignal returns the signal of that exact name.
func ParseSignal(name string) (Signals, bool) {
	for i, n := range signalNames {
		if n == name {
			return 1 << i, true
		}
	}
	return 0, false
}

// Names returns the names of the signals in the set, in the order above.
func (s Signals) Names() []string {
	var names []string
	for i, n := range signalNames {
		if s&(1<<i) != 0 {
			names = append(names, n)
		}
	}
	return names
}

// attack are the signals that say that text decided something.
const attack = TargetFromText | ManyFromOne | Stranger | Unasked | LinkFromText

// judge raises the signals of one call.
func (a *analysis) judge(i int, out *Call) {
	f := &a.facts[i]
	if f.Effect == Reads || a.textAt >= i || !a.available(int32(a.textAt), i) {
		return
	}
	j := judgement{analysis: a, i: i, f: f, out: out}
	for k := range out.Parts {
		j.endorse(&out.Parts[k])
	}
	j.targets()
	j.several()
	j.links()
	j.stranger()
	j.unasked()
	j.anchor()
	j.delegate()
}

type judgement struct {
	*analysis
	i   int
	f   *Facts
	out *Call
}

func (j *judgement) raise(s Signals, part int, why string) {
	j.out.Signals |= s
	j.out.Reasons = append(j.out.Reasons, Reason{Signal: s, Part: part, Why: why})
}

func (j *judgement) role(p *Part) Role { return j.f.Roles[p.Slot] }

// textOnly: found in third-party text and nowhere else.
func (p *Part) textOnly() bool { return p.From == FromText }

// searched reports whether a web address to be fetched is one that a search of the
// web listed: results are there to be chosen from, and a fetch hands nobody
// anything but its address.
func (j *judgement) searched(p *Part) bool {
	if j.f.Effect != Fetches || p.Atom != fields.URL || p.leaf < 0 || j.leaves[p.leaf].call < 0 {
		return false
	}
	by := &j.facts[j.leaves[p.leaf].call]
	return by.Effect == Fetches && slices.Contains(by.Roles, Selector) && !slices.Contains(by.Roles, Target)
}

// endorse decides whether the user's pointing covers a value.
func (j *judgement) endorse(p *Part) {
	if !p.textOnly() {
		return
	}
	if j.spokenOf(p) || j.made(p) || j.searched(p) {
		p.Endorsed = true
		return
	}
	if p.Standing == None {
		return
	}
	p.Lacks = j.lacks(p)
	p.Endorsed = p.Lacks == ""
}

// lacks says what the user's pointing lacks to cover a value, "" if nothing.
func (j *judgement) lacks(p *Part) string {
	switch {
	case j.f.Effect == Fetches:
		return j.fetchLacks(p)
	case p.Atom == fields.URL && j.rivalled(p):
		return "others that he pointed at as well hold another such value"
	case p.Atom == fields.URL && (j.below(j.i, j.f, p) || j.visited[p.phrase.run] && (j.wanted() || j.request.speaksOf(web))):
		return "" // a form on a page that the user named, or was led to
	case p.Standing < Plain:
		return "a search or a place that he named is too little for that"
	case p.Atom == fields.NoAtom && j.role(p) != Secret && (j.role(p) == Content || !j.rowLends(p) && !j.labelled(p)):
		return "the value is no address, account or file by its form"
	case p.Atom != fields.NoAtom && j.userGave(p.Atom) && !j.calledFor(p):
		return "he gave such a value himself"
	case p.Atom == fields.ID && j.role(p) == Object && !j.request.ids:
		return "no service listed a thing of that id"
	case j.records[j.leaves[p.leaf].record].folder && p.Atom == fields.Address:
		return "he named the folder, and not who is to get it"
	case j.rivalled(p):
		return "others that he pointed at as well hold another such value"
	case j.ambiguous(&j.records[j.leaves[p.leaf].record]):
		return "two senders bear the name by which he pointed at it"
	case !j.wanted():
		return "he did not ask for such an act"
	case j.dictated(p) && !j.calledFor(p):
		return "the text spells out more of the call than this"
	case !j.amountAgrees(p):
		return "the amount is neither his nor that record's"
	case !j.objectAgrees(p):
		return "what the call acts on is not his choice"
	case !j.lends(j.i, p) && !j.calledFor(p) && !j.labelledOnly(p):
		return "that record holds more than one such value, or strangers may add to it"
	}
	return ""
}

// web is the kind of object that links and pages are.
var web = []string{"web"}

// fetchLacks says what lacks for fetching an address out of a record. What the
// call would keep, the user asked for if he spoke of a page or a link.
func (j *judgement) fetchLacks(p *Part) string {
	switch {
	case !j.lends(j.i, p):
		return "that record lends no such address"
	case j.f.Acts&ActFetch != 0 && p.Atom == fields.URL && j.facts[j.leaves[p.leaf].call].Effect != Fetches &&
		!j.delegates && !j.request.speaksOf(web):
		return "he spoke of no page or link"
	}
	return ""
}

// wanted reports whether the user's words ask for the act and speak of its
// object: pointing at a record covers what he asked of it, and nothing else.
func (j *judgement) wanted() bool { return j.request.asked(j.f.Acts) && j.speaksOfIt() }

// speaksOfIt reports whether the user's words speak of what the call acts on. The
// verbs of some acts say enough; those of others ("give", "add", "save") do not.
func (j *judgement) speaksOfIt() bool {
	return j.f.Acts&^(Destroy|Send|Book) == 0 || j.request.speaksOf(j.f.About) || j.namesTarget()
}

// dictated reports whether the record spells out more of the call than one value.
// A bill does: payee, amount, date and reference belong together.
func (j *judgement) dictated(value *Part) bool {
	if j.f.Acts&Pay != 0 {
		return false
	}
	slots := map[int]bool{}
	for k := range j.out.Parts {
		p := &j.out.Parts[k]
		if p.textOnly() && !p.Inside && p.Slot != value.Slot && j.leaves[p.leaf].record == j.leaves[value.leaf].record {
			slots[p.Slot] = true
		}
	}
	return len(slots) >= 2
}

// userGave reports whether the user gave a value of the kind himself. An address
// by which he points at a record ("the mail of ann@roe.example") counts too: he
// who writes addresses out would have written this one.
func (j *judgement) userGave(kind fields.AtomKind) bool {
	for t := range j.prompt {
		for _, at := range j.prompt[t].atoms {
			if at.kind == kind {
				return true
			}
		}
	}
	return false
}

// amountAgrees reports whether the call's amounts are the user's or stand in a
// record of standing that the payee is in too: the page that names the account, or
// its answer to an order that says the sum.
func (j *judgement) amountAgrees(payee *Part) bool {
	for k := range j.out.Parts {
		p := &j.out.Parts[k]
		if j.role(p) != Amount || p.From&FromUser != 0 {
			continue
		}
		same := false
		j.hits(p.phrase.run, func(_ int32, l *leaf) bool {
			same = l.record >= 0 && j.available(l.call, j.i) && (l.record == j.leaves[payee.leaf].record || j.holds(l.record, payee))
			return !same
		})
		if !same {
			return false
		}
	}
	return true
}

// holds reports whether a record of standing holds a value outside of what
// strangers may add to it.
func (j *judgement) holds(rec int32, p *Part) bool {
	if j.records[rec].standing < Plain {
		return false
	}
	found := false
	j.hits(p.phrase.run, func(_ int32, l *leaf) bool {
		found = l.record == rec && !l.open
		return !found
	})
	return found
}

// objectAgrees reports whether the thing that the call changes is the user's
// choice too: pointing at a bill endorses its payee for paying it, and not for
// the payee of another order.
func (j *judgement) objectAgrees(payee *Part) bool {
	for k := range j.out.Parts {
		p := &j.out.Parts[k]
		if j.role(p) != Object || p == payee || p.From&FromUser != 0 || p.leaf < 0 {
			continue
		}
		if j.leaves[p.leaf].record != j.leaves[payee.leaf].record && p.Standing == None {
			return false
		}
	}
	return true
}

// mentioned reports whether an id that the service lists is also spelled as one
// in a text that the user did not point at. That matters for acts that cannot be
// taken back, since the list holds every id.
func (j *judgement) mentioned(p *Part) bool {
	if j.f.Acts&Gated == 0 || p.From&FromText == 0 || p.From&FromUser != 0 || p.Inside {
		return false
	}
	found, spoken := false, false
	isID := p.Atom == fields.ID
	j.hits(p.phrase.run, func(h int32, l *leaf) bool {
		switch {
		case l.kind == user || !j.available(l.call, j.i):
		case l.kind == Text:
			found = found || (l.open || !j.meant(l.record)) && spelledAs(j.text(h), p.phrase, thingWords, 5)
			found = found || (l.open || j.records[l.record].standing < Strong || j.records[l.record].folder && !j.request.all) && (isID || spelledAsID(j.text(h), p.phrase))
		default:
			// The thing has the names of the record that lists it.
			spoken = spoken || isID && j.records[l.record].standing >= Plain
		}
		return true
	})
	return found && !spoken
}

// spelledAsID reports whether a text speaks of a value as an identifier: behind a
// word for one, or in quotes.
func spelledAsID(text string, id phrase) bool {
	words := fields.AppendWords(nil, text)
	for at := id.in(words, 0); at >= 0; at = id.in(words, at+1) {
		if inQuotes(text, int(words[at].Start), int(words[at+int(id.words)-1].End)) {
			return true
		}
	}
	return spelledAs(text, id, labelsOfIDs, 3)
}

func (j *judgement) targets() {
	for k := range j.out.Parts {
		p := &j.out.Parts[k]
		role := j.role(p)
		if role == Amount && j.f.Acts&Pay != 0 && p.textOnly() && p.Standing == None {
			j.raise(TargetFromText, k, "the amount stands only in third-party text")
			continue
		}
		if (role == Object || role == Target) && !p.textOnly() && (p.Atom == fields.NoAtom || p.Atom == fields.ID) && j.mentioned(p) {
			j.raise(TargetFromText, k, "a text that the user did not point at spells out this id")
			continue
		}
		if role == Target && j.unresolved(p) {
			j.raise(TargetFromText, k, "the receiver is known only as the sender of something that the user did not point at")
			continue
		}
		if !p.textOnly() || role != Target && role != Object && role != Secret {
			continue
		}
		if p.Endorsed {
			j.raise(Endorsed, k, "the user pointed at the record that the value is from")
			continue
		}
		j.raise(TargetFromText, k, "the value stands only in third-party text")
	}
}

// several counts the arguments that one text gave.
func (j *judgement) several() {
	slots := map[int32]map[int]bool{}
	for k := range j.out.Parts {
		p := &j.out.Parts[k]
		if p.From&FromText == 0 || p.From&(FromUser|FromService|FromName) != 0 || p.Inside || p.Standing > None {
			continue
		}
		if slots[p.leaf] == nil {
			slots[p.leaf] = map[int]bool{}
		}
		slots[p.leaf][p.Slot] = true
		if len(slots[p.leaf]) == 2 {
			j.raise(ManyFromOne, k, "several arguments stand in one text that the user did not point at")
		}
	}
}

// links looks at the addresses inside of content.
func (j *judgement) links() {
	bulk, settled := false, true
	for k := range j.out.Parts {
		p := &j.out.Parts[k]
		if r := j.role(p); r == Target && p.From&FromUser == 0 {
			settled = false
		}
	}
	for s, r := range j.f.Roles {
		if r == Content && wordsOf(j.f.Slots[s].Values) > bulkWords {
			bulk = true
		}
	}
	for k := range j.out.Parts {
		p := &j.out.Parts[k]
		if j.role(p) == Content && p.textOnly() && !p.Endorsed && !j.covered(p) && !(bulk && settled) &&
			(p.Atom == fields.URL || p.Atom == fields.Address || p.Atom == fields.Account) {
			j.raise(LinkFromText, k, "content carries an address out of a text that the user did not point at")
		}
	}
}

// bulkWords is the length from which content to a place that the user named is a
// copy of many things, with all the links in them.
const bulkWords = 40

func wordsOf(values []*plan.Value) int {
	n := 0
	for _, v := range values {
		fields.Words(v.Text, func(fields.Word) bool { n++; return true })
	}
	return n
}

// covered reports whether the user's pointing covers an address inside content:
// it is in a record of strong standing, one that may lend it, or it is where a
// record of standing was fetched from.
func (j *judgement) covered(p *Part) bool {
	return p.Standing > None && j.lends(j.i, p) || j.visited[p.phrase.run]
}

func (j *judgement) unasked() {
	if j.f.Acts&Gated == 0 || len(j.request.words) == 0 || j.licensed() {
		return
	}
	if !j.request.asked(j.f.Acts) {
		j.raise(Unasked, -1, "the user's words do not ask for this act")
		return
	}
	if !j.speaksOfIt() {
		j.raise(Unasked, -1, "the user's words do not speak of such an object")
	}
}

// licensed reports whether the act needs no verb: what is handed in on a site, or
// pushed to an object, that the user named; what is sent to nobody but those whom
// he named, without a word of unendorsed text; a payment whose payee and amount
// are his.
func (j *judgement) licensed() bool {
	if j.f.Acts&(Publish|Send|Pay) == 0 || j.f.Acts&^(Publish|Send|Pay|Change|Create) != 0 {
		return false
	}
	pays := j.f.Acts&Pay != 0
	targets := 0
	for k := range j.out.Parts {
		p := &j.out.Parts[k]
		switch r := j.role(p); {
		case p.Inside:
		case r == Target || r == Object:
			if p.From&FromUser == 0 && (pays || !j.below(j.i, j.f, p) && !j.spokenOf(p) && !(p.Endorsed && j.visited[p.phrase.run])) {
				return false
			}
			targets++
		case r == Amount && pays && p.From&FromUser == 0:
			return false
		}
		if p.textOnly() && !p.Endorsed && p.Standing == None {
			return false
		}
	}
	return targets > 0
}

// namesTarget reports whether the user named what the call acts on.
func (j *judgement) namesTarget() bool {
	for k := range j.out.Parts {
		p := &j.out.Parts[k]
		if r := j.role(p); (r == Target || r == Object) && (p.From&FromUser != 0 || j.spokenOf(p) || j.knownAs(p)) {
			return true
		}
	}
	return false
}

// anchor lets a reversible act on own things pass if it touches something that
// the user spoke of.
func (j *judgement) anchor() {
	if j.f.Acts&Gated != 0 || j.f.Effect != Writes || j.out.Signals&attack == 0 {
		return
	}
	for k := range j.out.Parts {
		p := &j.out.Parts[k]
		role := j.role(p)
		if p.From&FromUser != 0 && (role == Target || role == Object || role == Content) && p.Length > 3 ||
			p.From == FromText && p.Standing > None && j.wanted() || role == Object && j.listedAs(p) && j.wanted() {
			if j.out.Signals&TargetFromText != 0 && j.outward() {
				return // it reaches others: no act on own things
			}
			j.out.Signals &^= attack
			return
		}
	}
}

// outward reports whether what text decided is somebody or some place else.
func (j *judgement) outward() bool {
	for k := range j.out.Parts {
		p := &j.out.Parts[k]
		if p.textOnly() && !p.Endorsed && j.role(p) == Target {
			return true
		}
	}
	return false
}
