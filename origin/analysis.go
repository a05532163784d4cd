package origin

import (
	"slices"
	"sync"

	"github.com/planlint/planlint/internal/fields"
	"github.com/planlint/planlint/internal/match"
	"github.com/planlint/planlint/internal/reuse"
	"github.com/planlint/planlint/plan"
)

// analysis is the state of one Analyze. What it says goes into report, which holds
// nothing of the rest: that is memory for the next analysis.
type analysis struct {
	plan   *plan.Plan
	corpus *match.Corpus
	report *Report
	// acting: there is something to ask about.
	acting bool
	// private: some contract has private fields.
	private bool
	// places: the user names places, by address or path.
	places bool
	// delegates: the user hands the choice of acts to a text.
	delegates bool
	// capped: some value stands in more fields than are looked at.
	capped bool
	// textAt is the first call whose output holds third-party text, or len.
	textAt int
	// textBefore is the first call before which such text came beside the calls, or len.
	textBefore int
	// elsewhere are the plan's texts in small letters, nil until they are asked for.
	elsewhere []string
	// cutWords are those of the leaf before cut.
	cut       int32
	cutWords  []fields.Word
	request   *request
	overheard []overheard
	prompt    []promptText
	// filled are the places that calls put things of standing in.
	filled []place
	memory
}

// memory are the lists and tables of an analysis.
type memory struct {
	facts []Facts
	// parts of call i are parts[partsOf[i].first:partsOf[i].end].
	parts   []part
	partsOf []stretch
	// rare is what few parts have; the first is what most have.
	rare []rare
	// runs are those of the content of each call, where some field is private; hidden
	// is what each holds in an encoding or disguise, of which parts are made only if it
	// was found.
	runs, hidden match.ByCall
	leaves       []leaf
	// records of call i are records[recordsOf[i].first:recordsOf[i].end]; numbers is one
	// more than the number of a node's record.
	records   []record
	recordsOf []stretch
	numbers   []int32
	// steps are those of chains, senders the addresses of bearers.
	steps   []step
	senders []string
	reasons []Reason
	words   []fields.Word
	// visited are the addresses that were fetched with the user's cover.
	visited map[match.Run]bool
	// stems are those of the user's words.
	stems map[string]bool
	// rivals are the values of a kind in what the user pointed at of an output.
	rivals map[rivalry]string
	// only are the kinds of which a record holds one at most.
	only map[kindIn]bool
	// bearers say who is called by a word of the user's.
	bearers map[uint64]bearer
}

type stretch struct{ first, end int32 }

// ended has analyses that ended, for their memory.
var ended = sync.Pool{New: func() any {
	return &analysis{memory: memory{visited: map[match.Run]bool{}, stems: map[string]bool{},
		rivals: map[rivalry]string{}, only: map[kindIn]bool{}, bearers: map[uint64]bearer{}}}
}}

func newAnalysis(p *plan.Plan, lower func(call int) Facts, c *match.Corpus) *analysis {
	a := ended.Get().(*analysis)
	a.plan, a.corpus, a.report = p, c, &Report{Calls: make([]Call, len(p.Calls))}
	a.facts = slices.Grow(a.facts, len(p.Calls))
	for i := range p.Calls {
		a.facts = append(a.facts, lower(i))
		f := &a.facts[i]
		a.acting = a.acting || f.Effect != Reads
		for k := range f.Fields {
			a.private = a.private || f.Fields[k].Private
		}
	}
	return a
}

// end gives the memory back. Texts of the plan do not stay in it.
func (a *analysis) end() {
	m := &a.memory
	m.facts = reuse.Cleared(m.facts)
	m.parts = reuse.Cleared(m.parts)
	m.partsOf = reuse.Cleared(m.partsOf)
	m.rare = reuse.Cleared(m.rare)
	m.runs, m.hidden = m.runs.Empty(), m.hidden.Empty()
	m.recordsOf = reuse.Cleared(m.recordsOf)
	m.leaves = reuse.Cleared(m.leaves)
	m.records = reuse.Cleared(m.records)
	m.numbers = reuse.Cleared(m.numbers)
	m.steps = reuse.Cleared(m.steps)
	m.senders = reuse.Cleared(m.senders)
	m.reasons = reuse.Cleared(m.reasons)
	m.words = reuse.Cleared(m.words)
	m.visited = reuse.Table(m.visited)
	m.stems = reuse.Table(m.stems)
	m.rivals, m.only = reuse.Table(m.rivals), reuse.Table(m.only)
	m.bearers = reuse.Table(m.bearers)
	*a = analysis{memory: *m}
	ended.Put(a)
}
