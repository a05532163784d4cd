package origin

import (
	"strings"

	"github.com/planlint/planlint/internal/fields"
)

// searched reports whether a web address to be fetched is one that a search of the
// web listed: results are there to be chosen from, and a fetch hands nobody
// anything but its address.
func (j *judgement) searched(p *part) bool {
	if j.f.Effect != Fetches || p.atom != fields.URL || p.leaf < 0 || j.leaves[p.leaf].call < 0 {
		return false
	}
	by := &j.facts[j.leaves[p.leaf].call]
	return by.Effect == Fetches && by.has(Selector) && !by.has(Target)
}

// endorse decides whether the user's pointing covers a value.
func (j *judgement) endorse(p *part) {
	if !p.textOnly() {
		return
	}
	if j.spokenOf(p) || j.made(p) || j.searched(p) {
		p.endorsed = true
		return
	}
	if p.standing == None {
		return
	}
	lacks := j.lacks(p)
	if p.endorsed = lacks == ""; !p.endorsed {
		j.rarity(p).lacks = lacks
	}
}

// endorseForms covers an account number in the form in which an answer of the
// service gives it back, if it is covered in the form of the record that it is from.
// Of an argument with several values it is not known which one a part is of.
func (j *judgement) endorseForms() {
	for k := range j.parts {
		q := &j.parts[k]
		if values := j.f.values(int(q.slot)); len(values) != 1 || len(values[0].Items) > 0 {
			continue
		}
		if !q.endorsed || q.atom != fields.Account || !fields.IsAccountForm(j.rareOf(q).decoding) {
			continue
		}
		for m := range j.parts {
			if p := &j.parts[m]; p.slot == q.slot && !p.inside && p.atom == fields.Account && p.textOnly() && j.rareOf(p).decoding == "" {
				p.endorsed = true
			}
		}
	}
}

// lacks says what the user's pointing lacks to cover a value, "" if nothing.
func (j *judgement) lacks(p *part) string {
	switch {
	case j.f.Effect == Fetches:
		return j.fetchLacks(p)
	case p.atom == fields.URL && j.rivalled(p):
		return "others that he pointed at as well hold another such value"
	case p.atom == fields.URL && (j.below(j.i, j.f, p) || j.visited[p.run] && (j.wanted() || j.request.speaksOf(web) || p.standing >= Plain && j.ofSender(p) && j.request.asked(changing))):
		return "" // a form on a page that the user named, or was led to
	case p.standing < Plain:
		return "a search or a place that he named is too little for that"
	case p.atom == fields.NoAtom && j.role(p) != Secret && (j.role(p) == Content || !j.rowLends(p) && !j.labelled(p)):
		return "the value is no address, account or file by its form"
	case p.atom != fields.NoAtom && j.userGave(p.atom) && !j.calledFor(p) && !j.calledByName(p):
		return "he gave such a value himself"
	case p.atom == fields.ID && j.role(p) == Object && !j.request.ids:
		return "no service listed a thing of that id"
	case j.records[j.leaves[p.leaf].record].folder && p.atom == fields.Address:
		return "he named the folder, and not who is to get it"
	case j.rivalled(p) || j.outranked(p):
		return "others that he pointed at as well hold another such value"
	case j.ambiguous(&j.records[j.leaves[p.leaf].record]):
		return "two senders bear the name by which he pointed at it"
	case j.records[j.leaves[p.leaf].record].fits && j.furtherReceiver(p):
		return "the call has receivers that he named or pointed at more clearly"
	case !j.wanted():
		return "he did not ask for such an act"
	case j.f.Acts&Amend != 0 && !j.speaksOfSlot(p):
		return "he did not speak of that part of his own"
	case j.dictated(p) && !j.calledFor(p):
		return "the text spells out more of the call than this"
	case !j.amountAgrees(p):
		return "the amount is neither his nor that record's"
	case !j.objectAgrees(p):
		return "what the call acts on is not his choice"
	case !j.lends(j.i, p) && !j.leftTo(p) && !j.calledByName(p) && !j.calledFor(p) && !j.labelledOnly(p):
		return "that record holds more than one such value, or strangers may add to it"
	}
	return ""
}

// changing are the acts that do more than look.
const changing = Gated | Change | Create | Amend

// furtherReceiver reports whether another argument than a receiver's, like that for
// copies, has one that is the user's choice and in another record.
func (j *judgement) furtherReceiver(p *part) bool {
	for k := range j.parts {
		q := &j.parts[k]
		if j.role(q) == Target && q.slot != p.slot && q.atom == p.atom && !q.inside &&
			(q.from&FromUser != 0 || q.standing >= Plain && j.leaves[q.leaf].record != j.leaves[p.leaf].record) {
			return true
		}
	}
	return false
}

// leftTo reports whether the user left it to the sender of a mail who is meant, or
// means all whom that mail names:
// "invite whoever Kim suggests" are all of whom Kim's mail names.
func (j *judgement) leftTo(p *part) bool {
	l := &j.leaves[p.leaf]
	return (j.request.whoever || j.request.all) && p.atom == fields.Address && !l.open && j.records[l.record].sender
}

// web is the kind of object that links and pages are.
var web = []string{"web"}

// fetchLacks says what lacks for fetching an address out of a record. What the
// call would keep, the user asked for if he spoke of a page or a link.
func (j *judgement) fetchLacks(p *part) string {
	switch {
	case p.pieced && strings.ContainsAny(j.textOf(j.i, j.f, p), "?="):
		return "what was added to the address does not stand there"
	case j.calledFile(p):
		return ""
	case !j.lends(j.i, p) && !j.offered(p):
		return "that record lends no such address"
	case j.f.Acts&ActFetch != 0 && p.atom == fields.URL && !j.fromPage(p) &&
		!j.delegates && !j.below(j.i, j.f, p) && !j.request.speaksOf(web):
		return "he spoke of no page or link"
	}
	return ""
}

// offered reports whether a web address is one of several in a mail of somebody whom
// the user named, and he speaks of several things to choose from.
func (j *judgement) offered(p *part) bool {
	l := &j.leaves[p.leaf]
	return j.request.several && p.atom == fields.URL && !l.open && j.records[l.record].sender && j.records[l.record].standing >= Plain
}

// fromPage reports whether a value stands on a page that was fetched.
func (j *judgement) fromPage(p *part) bool {
	call := j.leaves[p.leaf].call
	return call >= 0 && j.facts[call].Effect == Fetches
}

// calledByName reports whether an address is the only one in its text that is made
// of a name that the user says: "Rolf" is rolf@mail.example among the drivers.
func (j *judgement) calledByName(p *part) bool {
	l, text := &j.leaves[p.leaf], j.text(p.leaf)
	if p.atom != fields.Address || l.open || len(text) > maxList {
		return false
	}
	own, named, others := j.textOf(j.i, j.f, p), false, false
	fields.Atoms(text, func(at fields.Atom) {
		if at.Kind != fields.Address {
			return
		}
		switch other := fields.Bare(text[at.Start:at.End]); {
		case !j.namesPerson(other):
		case strings.EqualFold(other, fields.Bare(own)):
			named = true
		default:
			others = true
		}
	})
	return named && !others
}

// speaksOfSlot reports whether the user speaks of the part of his own that an
// argument stands for, as of his phone number, or of all of it.
func (j *judgement) speaksOfSlot(p *part) bool {
	for _, word := range nameWords(j.f.Slots[p.slot].Name) {
		if len(word) >= 4 && word != "number" && j.request.says(word) || word == "email" && j.request.says("mail") {
			return true
		}
	}
	return j.request.says("account") || j.request.says("profile") || j.request.says("details") || j.request.says("data") || j.request.says("info") || j.request.says("information")
}

// wanted reports whether the user's words ask for the act and speak of its
// object: pointing at a record covers what he asked of it, and nothing else.
// The verb that is all of the tool's name says enough: "star all of them".
func (j *judgement) wanted() bool {
	return j.request.asked(j.f.Acts) && j.speaksOfIt() || j.request.verb(verbOf(j.plan.Calls[j.i].Tool))
}

// speaksOfIt reports whether the user's words speak of what the call acts on. The
// verbs of some acts say enough; those of others ("give", "add", "save") do not.
func (j *judgement) speaksOfIt() bool {
	return j.f.Acts&^(Destroy|Send|Book) == 0 || j.request.speaksOf(j.f.About) || j.namesTarget()
}

// dictated reports whether the record spells out more of the call than one value.
// A bill does: payee, amount, date and reference belong together.
func (j *judgement) dictated(value *part) bool {
	if j.f.Acts&Pay != 0 {
		return false
	}
	slots := map[int32]bool{}
	for k := range j.parts {
		p := &j.parts[k]
		if p.textOnly() && !p.inside && p.slot != value.slot && j.leaves[p.leaf].record == j.leaves[value.leaf].record {
			slots[p.slot] = true
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

// amountAgrees reports whether the call's amounts are the user's, or worked out
// where he asks for that (such a number stands nowhere), or stand in the payee's
// record or another that his words fit: the bill names the account, and the mail
// about it the sum.
func (j *judgement) amountAgrees(payee *part) bool {
	for k := range j.parts {
		p := &j.parts[k]
		if j.role(p) != Amount || p.from&FromUser != 0 || p.from == 0 && j.request.sums {
			continue // his, or worked out as he asked
		}
		same := false
		j.hits(p.run, func(_ int32, l *leaf) bool {
			same = l.record >= 0 && j.available(l.call, j.i) && (l.record == j.leaves[payee.leaf].record || j.records[l.record].standing > None && !l.open)
			return !same
		})
		if !same {
			return false
		}
	}
	return true
}

// objectAgrees reports whether the thing that the call changes is the user's
// choice too: pointing at a bill endorses its payee for paying it, and not for
// the payee of another order.
func (j *judgement) objectAgrees(payee *part) bool {
	for k := range j.parts {
		p := &j.parts[k]
		if j.role(p) != Object || p == payee || p.from&FromUser != 0 || p.leaf < 0 {
			continue
		}
		if at, by := j.leaves[p.leaf].record, j.leaves[payee.leaf].record; at != by &&
			(p.standing == None || p.standing == Found && at >= 0 && j.ledFrom(at, by) && j.namedSuch(at, by)) {
			return false
		}
	}
	return true
}

// ledFrom reports whether an address out of one record led to another.
func (j *judgement) ledFrom(rec, by int32) bool {
	c := j.records[rec].chain
	return c > 0 && j.steps[c-1].via >= 0 && j.leaves[j.steps[c-1].via].record == by
}

// namedSuch reports whether the user named another thing that has the same kind of
// name: who says which file is to be shared does not let a text say another.
func (j *judgement) namedSuch(rec, by int32) bool {
	key := j.nameKey(rec)
	for id := range j.records {
		if r := &j.records[id]; key != "" && int32(id) != rec && int32(id) != by && r.standing >= Plain && int(r.call) < j.i && j.nameKey(int32(id)) == key {
			return true
		}
	}
	return false
}

// nameKey is the key of the field by which people name a record, "" for none.
func (j *judgement) nameKey(rec int32) string {
	for l := j.records[rec].from; l < j.records[rec].end; l++ {
		if j.leaves[l].ref && j.leaves[l].record == rec {
			return j.corpus.Doc.Nodes[j.corpus.Doc.Leaves[l].Node].Key
		}
	}
	return ""
}
