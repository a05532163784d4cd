// Package origin says where the values of a plan's arguments came from, and
// whether third-party text decided something that it should not.
//
// In: a plan with its recorded outputs and, per call, Facts that the tool package
// lowers from a contract. Out: a Report: per call and argument slot the parts
// that were looked for, where each was found (the user's words, a field that the
// service or others filled, third-party text), how the user pointed at that
// record, by which chain, and whether that endorses the value; and Signals, the
// patterns that composition rules speak of. There is no policy in it and no
// score.
//
// # How
//
// Outputs are taken apart into fields (internal/fields), and each field is text
// of third parties, a name or made by the service, as the contract says; a name
// that is long or has line breaks is text. The values of all arguments are phrases
// of folded words, numbers by value, dates by month and day; every output is read
// once against an index of them, so cost is linear in the bytes of both.
//
// A record has standing if the user named it: spelled its address or path (strong),
// quoted its sender, title or name (strong), used those words (plain), worded the
// search that found it (plain), or if it was reached by an address out of a record
// of standing (a chain). Pages lend only addresses of their own host; mails and
// files lend an address only if it is the only one of its kind. Where his words fit
// several records of a list, or several senders bear the name that he says, none of
// them is his choice.
//
// A value is unendorsed if it stands in third-party text only, and that text's
// record has no standing that covers it.
//
// # Limits
//
// Where the user hands the choice of acts to a text, wanted and injected acts have
// one origin: that is the signal Delegated, not an attack. Paraphrase escapes
// value matching. The words of acts are English; for other languages the signal
// Unasked stays silent.
package origin

import (
	"fmt"

	"github.com/planlint/planlint/internal/fields"
	"github.com/planlint/planlint/internal/match"
	"github.com/planlint/planlint/plan"
)

// Set is a set of origins.
type Set uint8

// The origins of a value. The zero Set: nothing that was recorded holds it, so
// that the model made it, or it is a common word.
const (
	FromUser Set = 1 << iota
	FromService
	FromName
	FromText
)

var setNames = [...]string{"user", "service", "name", "text"}

// Names returns the origins' names; {"model"} for none.
func (s Set) Names() []string {
	if s == 0 {
		return []string{"model"}
	}
	var names []string
	for i, n := range setNames {
		if s&(1<<i) != 0 {
			names = append(names, n)
		}
	}
	return names
}

// All returns the names of all origins that a value can stand in.
func (Set) All() []string { return append([]string(nil), setNames[:]...) }

// Standing says how the user pointed at a record.
type Standing uint8

// The standings, weakest first.
const (
	None Standing = iota
	// Found: by a search that he worded, or in a place that he named.
	Found
	// Plain: in plain words.
	Plain
	// Strong: by address, path or quoted name.
	Strong
)

var standingNames = [...]string{"none", "found", "plain", "strong"}

// Standings lists the names, weakest first.
func Standings() []string { return append([]string(nil), standingNames[:]...) }

// String returns the standing's name.
func (s Standing) String() string { return standingNames[s] }

// Place is a field of a call's output.
type Place struct {
	// Call is the index of the call, -1 for the user's words.
	Call  int
	Field string
	// Start and End are the bytes of the output that the field stands in.
	Start, End int
}

// Pointer is one step of the chain by which the user points at a record.
type Pointer struct {
	// How is half a sentence: "its address is in the user's words".
	How string
	// Call is the call whose output the record is in.
	Call int
	// Via is the field that led on to it, if one did.
	Via Place
}

// Part is one value of an argument, or an atom inside it.
type Part struct {
	// Slot is the index in the facts' slots.
	Slot int
	// Argument is that slot's name.
	Argument string
	// Atom says what the value names by its form.
	Atom fields.AtomKind
	// Inside: it is an atom inside longer content.
	Inside bool
	From   Set
	// Source is where it stands; third-party text comes first.
	Source Place
	// Standing is that of the record it stands in, Chain how.
	Standing Standing
	Chain    []Pointer
	// Endorsed: the user's pointing covers the value.
	Endorsed bool
	// Lacks is what that pointing lacks to cover it, half a sentence; empty where it
	// does, or where the record has no standing.
	Lacks string
	// Decoding names how the value was encoded, empty if it was not.
	Decoding string
	// Length is the value's length in bytes. The value itself is not kept.
	Length int

	phrase phrase
	// host is the phrase of an address's host, none for others: who made an address up
	// out of pieces has its host from somewhere.
	host     phrase
	hostName string
	leaf     int32
	// solid: it stands in a field that no third party's text lies beside, or in a
	// record that the user pointed at.
	solid bool
}

// Report is what the analysis says of a plan.
type Report struct {
	Calls []Call
	Notes []plan.Note
}

// Call is what it says of one call.
type Call struct {
	Signals Signals
	Parts   []Part
	// Reasons say what raised each signal, in the order of the signals.
	Reasons []Reason
}

// Reason is one signal with what raised it.
type Reason struct {
	Signal Signals
	// Part is the index of the part, -1 where the call as a whole did.
	Part int
	// Why is a sentence for people, without values of the plan.
	Why string
}

// NoteCap is the id of the note that a cap of the analysis was met.
const NoteCap = "PL9042"

// Analyze says where the arguments of a plan came from; facts[i] belongs to
// p.Calls[i].
func Analyze(p *plan.Plan, facts []Facts) *Report {
	return New(p, facts, match.New(p)).Report()
}

// Analysis is an analysis that has said what it looks for.
type Analysis struct {
	state  *analysis
	report *Report
}

// New begins an analysis: it adds what it looks for to a corpus. Report ends it.
func New(p *plan.Plan, facts []Facts, c *match.Corpus) *Analysis {
	a := newAnalysis(p, facts, c)
	r := &Report{Calls: make([]Call, len(p.Calls))}
	if a.acting() {
		a.collect(r)
	}
	return &Analysis{a, r}
}

// Report says where the arguments came from. It reads the corpus if nobody has.
func (x *Analysis) Report() *Report {
	a, r := x.state, x.report
	if !a.acting() {
		return r
	}
	if !a.corpus.Done() {
		a.corpus.ReadAll()
	}
	a.hear()
	a.read()
	a.stand(r)
	a.calls = r.Calls
	for i := range a.plan.Calls {
		a.judge(i, &r.Calls[i])
	}
	if a.capped {
		r.Notes = append(r.Notes, plan.Note{ID: NoteCap, Call: -1,
			Message: fmt.Sprintf("a value stands in more than %d fields: further ones were not looked at", maxHits)})
	}
	return r
}
