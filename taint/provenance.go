package taint

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"sort"
	"strings"

	"github.com/planlint/planlint/internal/fields"
	"github.com/planlint/planlint/internal/match"
	"github.com/planlint/planlint/plan"
)

// NoteProvenanceCap is the id of the note that value matching met a cap.
const NoteProvenanceCap = "PL9040"

// maxRuns bounds the distinctive runs of words in arguments that are looked for.
// Where it is met, edges of value precision may be missing from there on, and a
// note says so; references, cells and context are not affected.
const maxRuns = 1 << 22

// directOrigins is up to how many outputs an argument's value leads to each;
// beyond, the outputs that hold one value form a chain of nodes of their own.
const directOrigins = 4

// minDigest is the length below which evidence has no digest: short values
// could be guessed from it.
const minDigest = 12

// provenance finds where the values of arguments stand in earlier outputs and
// texts. It is the seam to value matching: the builder asks for the edges into a
// slot, whether a slot is accounted for, and tells when an output's node is made.
//
// The distinctive runs of words of all arguments (see grams) are added to a
// corpus, which then reads each output once (internal/match).
type provenance struct {
	plan   *plan.Plan
	sched  *schedule
	facts  []*Facts
	key    []byte
	corpus *match.Corpus
	// whole are the short outputs, which are looked for inside arguments.
	whole match.Index
	// times are those of the corpus' sources, in order. A time is twice the call that
	// a text stands before, one more for a call's output: an argument of a turn that
	// starts with call f has the sources up to time 2f.
	times []int32
	// ofCall and ofText are the sources of outputs and texts, -1 for none.
	ofCall, ofText []int32
	// masks are the contract's fields that each leaf lies in, once asked for.
	masks []fieldMask
	user  userWords
	notes []plan.Note
	// hidden are the hashes of what arguments hold in some encoding, those of call i
	// from hiddenFrom[i] to hiddenFrom[i+1]: decoding is done once.
	hidden     []match.Run
	hiddenFrom []int32
	// chains are, by the number of what was found, the nodes that join its sources.
	chains map[int32][]chainNode
	slots  slotMatcher
}

// chainNode joins the sources of one value up to one of them.
type chainNode struct {
	source, time int32
	node         uint32
}

func newProvenance(p *plan.Plan, facts []*Facts, s *schedule, o options) *provenance {
	v := &provenance{plan: p, facts: facts, sched: s, key: o.key, corpus: o.corpus, user: userWords{}}
	v.slots.v = v
	if v.corpus == nil {
		v.corpus = match.New(p)
	}
	order, others := v.list()
	if others == 0 {
		v.times = nil
		return v // the user's words alone are nothing to match with
	}
	v.shortOutputs(order)
	v.collect()
	v.corpus.Echo = v.slots.echoes
	v.corpus.Read(order)
	v.corpus.Echo = nil
	if v.corpus.Capped {
		v.capped("outputs", match.MaxOccurrences)
	}
	return v
}

// list finds the sources in the order of time, and the user's words. It returns
// how many are something else than those.
func (v *provenance) list() (order []match.Source, others int) {
	v.ofCall, v.ofText = filledInt(len(v.plan.Calls)), filledInt(len(v.plan.Texts))
	order = make([]match.Source, 0, len(v.plan.Calls)+len(v.plan.Texts))
	for i := range v.plan.Texts {
		t := &v.plan.Texts[i]
		user := t.Kind == plan.TextUser
		if user {
			v.user.add(t.Text, v.timeOf(&match.Source{Call: -1, Text: int32(i)}))
		}
		if user || textSource(t.Kind) || t.Kind == plan.TextSummary || t.Kind == plan.TextSubagentPrompt {
			order = append(order, match.Source{Call: -1, Text: int32(i), User: user})
			if !user {
				others++
			}
		}
	}
	for i := range v.plan.Calls {
		c := &v.plan.Calls[i]
		if c.HasOutput() && !c.Outcome.DidNotRun() {
			order = append(order, match.Source{Call: int32(i), Text: -1})
			others++
		}
	}
	sort.SliceStable(order, func(i, j int) bool { return v.timeOf(&order[i]) < v.timeOf(&order[j]) })
	v.times = make([]int32, len(order))
	for k := range order {
		o := &order[k]
		v.times[k] = v.timeOf(o)
		if o.Text >= 0 {
			v.ofText[o.Text] = int32(k)
		} else {
			v.ofCall[o.Call] = int32(k)
		}
	}
	return order, others
}

func (v *provenance) timeOf(s *match.Source) int32 {
	if s.Call >= 0 {
		return 2*v.sched.done(s.Call) + 1
	}
	return 2 * int32(min(max(v.sched.textTime(v.plan, int(s.Text)), 0), len(v.plan.Calls)))
}

func filledInt(n int) []int32 {
	s := make([]int32, n)
	for i := range s {
		s[i] = -1
	}
	return s
}

// has returns the latest time that an argument of a call can have a value from.
func (v *provenance) has(call int) int32 { return 2 * v.sched.turns[v.sched.of[call]].first }

func (v *provenance) capped(what string, limit int) {
	for i := range v.notes {
		if v.notes[i].Hint == what {
			return
		}
	}
	v.notes = append(v.notes, plan.Note{ID: NoteProvenanceCap, Call: -1, Hint: what,
		Message: fmt.Sprintf("value matching stopped at %d: flows after that have context precision at most", limit)})
}

// shortOutputs notes outputs of a few words, which are looked for as a whole
// inside longer arguments.
func (v *provenance) shortOutputs(order []match.Source) {
	for k := range order {
		if order[k].Call < 0 {
			continue
		}
		if out := &v.plan.Calls[order[k].Call].Output; out.Kind == plan.String {
			v.short(out.Text)
		} else {
			out.Walk(func(_ plan.Path, x *plan.Value) bool {
				if x.Kind == plan.String {
					v.short(x.Text)
				}
				return true
			})
		}
	}
	if v.whole.Len() > 0 {
		v.whole.Seal()
	}
}

func (v *provenance) short(text string) {
	if len(text) > 16*minWord {
		return
	}
	if text = strings.TrimSpace(text); len(text) < minWhole {
		return
	}
	words := v.slots.read(text, nil)
	if n := len(words); 1 < n && n < gram || n == 1 && wholeWord(&words[0]) {
		v.whole.Add(words)
	}
}

// wholeWord reports whether a word that is a whole output says something: not
// "successfully", but "correctHorseBattery".
func wholeWord(w *fields.Word) bool {
	return w.Len() >= minWhole && w.Upper() || distinctive(w)
}

// collect adds the distinctive runs of all arguments that a source may stand
// before.
func (v *provenance) collect() {
	m := &v.slots
	v.hiddenFrom = make([]int32, len(v.plan.Calls)+1)
	emit := func(t *argText) {
		m.grams(t, func(h match.Run, from, to int) {
			if t.outer != nil {
				v.hidden = append(v.hidden, h)
			}
			if v.corpus.Len() >= maxRuns {
				v.capped("arguments", maxRuns)
				return
			}
			v.corpus.AddRun(h, m.words[from:to])
		})
	}
	first := v.times[0]
	for i := range v.plan.Calls {
		v.hiddenFrom[i+1] = int32(len(v.hidden))
		if v.has(i) < first {
			continue
		}
		for s := range v.facts[i].Slots {
			if len(v.facts[i].Slots[s].Parts) > 0 {
				continue // the same value as another slot's
			}
			for _, x := range v.facts[i].Slots[s].Values {
				m.texts(x, true, emit)
			}
		}
		v.hiddenFrom[i+1] = int32(len(v.hidden))
	}
}

// fieldMask is a set of the fields of a call's contract; the last bit stands for
// all from that one on.
type fieldMask uint64

const (
	allFields fieldMask = 1<<63 - 1
	lastField           = 62
	// asked marks a mask that was worked out.
	asked fieldMask = 1 << 63
)

func (m fieldMask) has(k int) bool { return m&(1<<min(k, lastField)) != 0 }

// pathMask returns the fields that a path overlaps, nil all of them.
func pathMask(of []Field, path plan.Path) (m fieldMask) {
	if len(path) == 0 {
		return allFields
	}
	for k := range of {
		if path.Overlaps(of[k].Path) {
			m |= 1 << min(k, lastField)
		}
	}
	return m
}

// mask returns the fields of its call's contract that a leaf lies in. Where an
// output is no JSON, so that its form is a guess, a leaf that lies in none of
// them lies in all.
func (v *provenance) mask(source, leaf int32) fieldMask {
	s := &v.corpus.Sources[source]
	if s.Call < 0 || len(v.facts[s.Call].Fields()) == 0 {
		return allFields
	}
	if v.masks == nil {
		v.masks = make([]fieldMask, len(v.corpus.Doc.Leaves))
	}
	if v.masks[leaf] == 0 {
		m := pathMask(v.facts[s.Call].Fields(), v.corpus.Path(leaf))
		if m == 0 && s.Format != fields.JSON && s.Format != fields.Python {
			m = allFields
		}
		v.masks[leaf] = m | asked
	}
	return v.masks[leaf] &^ asked
}

// matched is the evidence that an argument's value stands in an output.
type matched struct {
	text, encoding, source string
	key                    []byte
}

func (m *matched) describe(ev *Evidence) {
	ev.Length, ev.Decoding, ev.Source = len(m.text), m.encoding, m.source
	if len(m.key) > 0 && len(m.text) >= minDigest {
		mac := hmac.New(sha256.New, m.key)
		mac.Write([]byte(m.text))
		ev.Digest = hex.EncodeToString(mac.Sum(nil))[:8]
	}
}
