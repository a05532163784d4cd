package origin

import (
	"github.com/planlint/planlint/internal/fields"
	"github.com/planlint/planlint/plan"
	"slices"
	"strings"
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
func (a *analysis) judge(i int) {
	f := &a.facts[i]
	if f.Effect == Reads || a.textBefore > i && (a.textAt >= i || !a.available(int32(a.textAt), i)) {
		return
	}
	j := judgement{analysis: a, i: i, f: f, parts: a.partsIn(i)}
	a.reasons = a.reasons[:0]
	for k := range j.parts {
		j.endorse(&j.parts[k])
	}
	j.endorseForms()
	j.targets()
	j.several()
	j.links()
	j.stranger()
	j.unasked()
	j.anchor()
	j.delegate()
	if len(j.reasons) > 0 {
		a.report.Calls[i].Raised = &Raised{j.signals, slices.Clone(j.reasons)}
	}
}

type judgement struct {
	*analysis
	i       int
	f       *Facts
	parts   []part
	signals Signals
}

func (j *judgement) raise(s Signals, part int, why string) {
	j.signals |= s
	j.reasons = append(j.reasons, Reason{Signal: s, Part: part, Why: why})
}

func (j *judgement) role(p *part) Role { return j.f.role(int(p.slot)) }

// mentioned reports whether an id that the service lists is also spelled as one
// in a text that the user did not point at. That matters for acts that cannot be
// taken back, since the list holds every id.
func (j *judgement) mentioned(p *part) bool {
	if j.f.Acts&Gated == 0 || p.from&FromText == 0 || p.from&FromUser != 0 || p.inside {
		return false
	}
	found, spoken := false, false
	isID := p.atom == fields.ID
	j.hits(p.run, func(h int32, l *leaf) bool {
		switch {
		case l.kind == user || !j.available(l.call, j.i):
		case l.kind == Text:
			found = found || (l.open || !j.meant(l.record)) && j.spelledAs(h, p.phrase(), thingWords, 5)
			found = found || (l.open || j.records[l.record].standing < Strong || j.records[l.record].folder && !j.request.all) && (isID || j.spelledAsID(h, p.phrase()))
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
func (a *analysis) spelledAsID(l int32, id phrase) bool {
	text, words := a.text(l), a.wordsOf(l)
	for at := id.in(words, 0); at >= 0; at = id.in(words, at+1) {
		if inQuotes(text, int(words[at].Start), int(words[at+int(id.words)-1].End)) {
			return true
		}
	}
	return a.spelledAs(l, id, labelsOfIDs, 3)
}

func (j *judgement) targets() {
	for k := range j.parts {
		p := &j.parts[k]
		role := j.role(p)
		if role == Amount && j.f.Acts&Pay != 0 && p.textOnly() && p.standing == None {
			j.raise(TargetFromText, k, "the amount stands only in third-party text")
			continue
		}
		if (role == Object || role == Target) && !p.textOnly() && (p.atom == fields.NoAtom || p.atom == fields.ID) && j.mentioned(p) {
			j.raise(TargetFromText, k, "a text that the user did not point at spells out this id")
			continue
		}
		if role == Target && j.unresolved(p) {
			j.raise(TargetFromText, k, "the receiver is known only as the sender of something that the user did not point at")
			continue
		}
		if !p.textOnly() || role != Target && role != Object && role != Secret && (role != Content || j.f.Acts&Amend == 0 || p.standing > None) {
			continue
		}
		if p.endorsed {
			j.raise(Endorsed, k, "the user pointed at the record that the value is from")
			continue
		}
		j.raise(TargetFromText, k, "the value stands only in third-party text")
	}
}

// several counts the arguments that one text gave.
func (j *judgement) several() {
	slots := map[int32]map[int32]bool{}
	for k := range j.parts {
		p := &j.parts[k]
		if p.from&FromText == 0 || p.from&(FromUser|FromService|FromName) != 0 || p.inside || p.standing > None || j.repeats(k) {
			continue
		}
		if slots[p.leaf] == nil {
			slots[p.leaf] = map[int32]bool{}
		}
		slots[p.leaf][p.slot] = true
		if len(slots[p.leaf]) == 2 {
			j.raise(ManyFromOne, k, "several arguments stand in one text that the user did not point at")
		}
	}
}

// repeats reports whether an argument before holds the same value: the day on
// which something begins and ends is one thing that a text gave.
func (j *judgement) repeats(k int) bool {
	for i := range k {
		if j.parts[i].run == j.parts[k].run && j.parts[i].leaf == j.parts[k].leaf {
			return true
		}
	}
	return false
}

// links looks at the addresses inside of content.
func (j *judgement) links() {
	for k := range j.parts {
		p := &j.parts[k]
		if j.role(p) != Content || !p.textOnly() || p.endorsed || p.atom != fields.URL && p.atom != fields.Address && p.atom != fields.Account || j.covered(p) || j.rewrites(p) {
			continue
		}
		if j.copies() {
			return
		}
		j.raise(LinkFromText, k, "content carries an address out of a text that the user did not point at")
	}
}

// copies reports whether the call puts a copy of many things where the user named.
func (j *judgement) copies() bool {
	for k := range j.parts {
		if p := &j.parts[k]; j.role(p) == Target && p.from&FromUser == 0 {
			return false
		}
	}
	for s := range j.f.Slots {
		if j.f.role(s) == Content && wordsOf(j.f.values(s)) > bulkWords {
			return true
		}
	}
	return false
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
func (j *judgement) covered(p *part) bool {
	return p.standing > None && j.lends(j.i, p) || j.visited[p.run]
}

// replaced reports whether a file that the call deletes is made again in the same
// turn: that is how agents edit with a tool that overwrites nothing, and what the
// file gets is judged by itself.
func (j *judgement) replaced() bool {
	if j.f.Acts != Destroy {
		return false
	}
	file, c := j.file(j.i), &j.plan.Calls[j.i]
	for k := j.i + 1; file != "" && k < len(j.plan.Calls) && j.plan.Calls[k].Turn == c.Turn; k++ {
		if j.facts[k].Acts&Create != 0 && j.plan.Calls[k].AgentName() == c.AgentName() && j.file(k) == file {
			return true
		}
	}
	return false
}

// file returns the path that a call names first, "" if it names none.
func (a *analysis) file(i int) string {
	f := &a.facts[i]
	for s := range f.Slots {
		if r := f.role(s); r == Content || r == When || r == Amount {
			continue
		}
		for _, v := range f.values(s) {
			if fields.KindOf(v.Text) == fields.File {
				return v.Text
			}
		}
	}
	return ""
}

func (j *judgement) unasked() {
	if j.f.Acts&Gated == 0 || len(j.request.words) == 0 || j.licensed() || j.replaced() {
		return
	}
	if part := j.madeUp(); part >= 0 {
		j.raise(Unasked, part, "whom or where it goes to stands in nothing that was recorded")
		return
	}
	asked := j.request.asked(j.f.Acts)
	another := asked && j.signals&TargetFromText == 0 && j.another()
	if asked && j.speaksOfIt() && !another || !j.texted() {
		return
	}
	if another {
		j.raise(Unasked, -1, "the user named another of these things")
		return
	}
	if !asked {
		j.raise(Unasked, -1, "the user's words do not ask for this act")
		return
	}
	j.raise(Unasked, -1, "the user's words do not speak of such an object")
}

// madeUp returns a receiver that stands nowhere, or a place where he wrote others out,
// -1 for none: the model made it up, or took it from a text that spelt it in another way.
func (j *judgement) madeUp() int {
	for k := range j.parts {
		p := &j.parts[k]
		if j.role(p) != Target || p.from != 0 || p.inside {
			continue
		}
		value := j.textOf(j.i, j.f, p)
		if j.saidElsewhere(value) {
			continue
		}
		if p.atom == fields.Address && !j.namesPerson(value) ||
			p.atom == fields.URL && j.userGave(fields.URL) && !j.below(j.i, j.f, p) && !j.visited[p.run] {
			return k
		}
	}
	return -1
}

// saidElsewhere reports whether a value stands in a text that is no source of values:
// the operator's or the project's instructions, or what the model wrote before the user
// spoke again.
func (j *judgement) saidElsewhere(value string) bool {
	if value = strings.ToLower(fields.Bare(value)); value == "" {
		return false
	}
	if j.elsewhere == nil {
		j.elsewhere = make([]string, len(j.plan.Texts))
		for t := range j.plan.Texts {
			j.elsewhere[t] = strings.ToLower(j.plan.Texts[t].Text)
		}
	}
	spoke := false // the user did, behind this text
	for t := len(j.plan.Texts) - 1; t >= 0; t-- {
		text := &j.plan.Texts[t]
		if text.Before > j.i {
			continue
		}
		switch text.Kind {
		case plan.TextUser:
			spoke = true
			continue
		case plan.TextSystem, plan.TextInstructions:
		default:
			if !spoke {
				continue
			}
		}
		if strings.Contains(j.elsewhere[t], value) {
			return true
		}
	}
	return false
}

// another reports whether the service lists what the call takes away in one list with
// a thing that the user named, and he did not speak of this one.
func (j *judgement) another() bool {
	if j.request.all || j.f.Acts&(Destroy|Revoke|Refund) == 0 {
		return false
	}
	for k := range j.parts {
		p := &j.parts[k]
		if j.role(p) != Object || p.inside || p.from&FromUser != 0 || j.knownAs(p) {
			continue
		}
		another := false
		j.hits(p.run, func(_ int32, l *leaf) bool {
			if l.kind == user || l.kind == Text || l.call < 0 || l.record < 0 || !j.available(l.call, j.i) || j.records[l.record].standing != None {
				return true
			}
			for id := j.recordsOf[l.call].first; id < j.recordsOf[l.call].end && !another; id++ {
				rec := &j.records[id]
				another = id != l.record && rec.standing >= Plain && j.saysOf(rec)
			}
			return !another
		})
		if another {
			return true
		}
	}
	return false
}

// licensed reports whether the act needs no verb: what is handed in on a site, or
// pushed to an object, that the user named; what is sent to nobody but those whom
// he named, without a word of unendorsed text; a payment whose payee and amount
// are his.
func (j *judgement) licensed() bool {
	if j.f.Acts&(Publish|Send|Pay) == 0 || j.f.Acts&^(Publish|Send|Pay|Change|Create) != 0 {
		return false
	}
	if j.request.forbids(j.f.Acts) {
		return false
	}
	pays := j.f.Acts&Pay != 0
	targets := 0
	for k := range j.parts {
		p := &j.parts[k]
		switch r := j.role(p); {
		case p.inside:
		case r == Target || r == Object:
			if p.from&FromUser == 0 && (pays || !j.below(j.i, j.f, p) && !j.spokenOf(p) && !(p.endorsed && j.visited[p.run])) {
				return false
			}
			targets++
		case r == Amount && pays && p.from&FromUser == 0 && p.from&FromText != 0:
			return false
		}
		if p.textOnly() && !p.endorsed && p.standing == None {
			return false
		}
	}
	return targets > 0
}

// namesTarget reports whether the user named what the call acts on.
func (j *judgement) namesTarget() bool {
	for k := range j.parts {
		p := &j.parts[k]
		if r := j.role(p); (r == Target || r == Object) && (p.from&FromUser != 0 || j.spokenOf(p) || j.knownAs(p)) {
			return true
		}
	}
	return false
}

// anchor lets a reversible act on own things pass if it touches something that
// the user spoke of.
func (j *judgement) anchor() {
	if j.f.Acts&Gated != 0 || j.f.Effect != Writes || j.signals&attack == 0 {
		return
	}
	for k := range j.parts {
		p := &j.parts[k]
		role := j.role(p)
		if p.from&FromUser != 0 && (role == Target || role == Object || role == Content) && p.length > 3 ||
			p.from == FromText && p.standing > None && (p.atom != fields.ID || p.endorsed || !j.listed(p)) && j.wanted() || role == Object && j.listedAs(p) && j.wanted() {
			if j.signals&TargetFromText != 0 && j.outward() {
				return // it reaches others: no act on own things
			}
			j.signals &^= attack
			return
		}
	}
}

// listed reports whether a text is in an entry of what a search listed, and in no
// message: it describes a thing, and speaks for no other.
func (j *judgement) listed(p *part) bool {
	l := &j.leaves[p.leaf]
	return l.call >= 0 && j.facts[l.call].has(Selector) && !j.hasSender(l.record)
}

// outward reports whether what text decided is somebody or some place else.
func (j *judgement) outward() bool {
	for k := range j.parts {
		p := &j.parts[k]
		if p.textOnly() && !p.endorsed && j.role(p) == Target {
			return true
		}
	}
	return false
}
