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
// value matching. The words of acts are English, and the commonest of German, French and
// Spanish: for a wish in other words every gated act is Unasked.
package origin

import (
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
	// Call is the index of the call, -1 for what stands in no call's output.
	Call int
	// Text is one more than the index of the plan's text, 0 for the user's words.
	Text  int
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

// Part is one value of an argument, or an atom inside it. There are more parts
// than calls, so that what few of them have is apart.
type Part struct {
	// Argument is the name of the slot.
	Argument string
	// Basis is nil for a part that stands in no output and was not decoded.
	Basis *Basis
	// Slot is the index in the facts' slots, Length the value's length in bytes. The
	// value itself is not kept.
	Slot, Length int32
	// Atom says what the value names by its form.
	Atom fields.AtomKind
	// Inside: it is an atom inside longer content.
	Inside bool
	From   Set
	// Standing is that of the record it stands in.
	Standing Standing
	// Endorsed: the user's pointing covers the value.
	Endorsed bool
}

// Basis says more of a part: the methods of the same names read it.
type Basis struct {
	// Source is where the part stands; third-party text comes first.
	Source Place
	// Chain is how the user points there.
	Chain []Pointer
	// Lacks is what that pointing lacks to cover it, half a sentence; empty where it
	// does, or where the record has no standing.
	Lacks string
	// Decoding names how the value was encoded, empty if it was not.
	Decoding string
}

// Source returns Basis.Source, a place in no call if there is none.
func (p *Part) Source() Place {
	if p.Basis == nil {
		return Place{Call: -1}
	}
	return p.Basis.Source
}

// Chain returns Basis.Chain, nil if there is none.
func (p *Part) Chain() []Pointer {
	if p.Basis == nil {
		return nil
	}
	return p.Basis.Chain
}

// Lacks returns Basis.Lacks, "" if there is none.
func (p *Part) Lacks() string {
	if p.Basis == nil {
		return ""
	}
	return p.Basis.Lacks
}

// Decoding returns Basis.Decoding, "" if there is none.
func (p *Part) Decoding() string {
	if p.Basis == nil {
		return ""
	}
	return p.Basis.Decoding
}

// Report is what the analysis says of a plan.
type Report struct {
	Calls []Call
	Notes []plan.Note
}

// Call is what it says of one call.
type Call struct {
	Parts []Part
	// Raised is nil where nothing raised a signal.
	Raised *Raised
}

// Raised are the signals of a call: the methods of the same names read it.
type Raised struct {
	Signals Signals
	// Reasons say what raised each signal, in the order of the signals.
	Reasons []Reason
}

// Signals returns Raised.Signals, none if there are none.
func (c *Call) Signals() Signals {
	if c.Raised == nil {
		return 0
	}
	return c.Raised.Signals
}

// Reasons returns Raised.Reasons, nil if there are none.
func (c *Call) Reasons() []Reason {
	if c.Raised == nil {
		return nil
	}
	return c.Raised.Reasons
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
	return New(p, func(call int) Facts { return facts[call] }, match.New(p)).Report()
}

// Analysis is an analysis that has said what it looks for.
type Analysis struct{ state *analysis }

// New begins an analysis: it adds what it looks for to a corpus. Report ends it.
func New(p *plan.Plan, facts func(call int) Facts, c *match.Corpus) *Analysis {
	a := newAnalysis(p, facts, c)
	if a.acting {
		a.collect()
	}
	return &Analysis{a}
}

// Report says where the arguments came from. It reads the corpus if nobody has. It
// is to be called once.
func (x *Analysis) Report() *Report {
	a := x.state
	x.state = nil
	r := a.report
	if a.acting {
		if !a.corpus.Done() {
			a.corpus.ReadAll()
		}
		a.hear()
		a.read()
		a.stand()
		for i := range a.plan.Calls {
			a.judge(i)
		}
		a.tell()
	}
	a.end()
	return r
}
