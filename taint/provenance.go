package taint

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/planlint/planlint/internal/fields"
	"github.com/planlint/planlint/internal/match"
	"github.com/planlint/planlint/internal/reuse"
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
	corpus *match.Corpus
	// alone: nobody else has the corpus.
	alone bool
	// whole are the short outputs, which are looked for inside arguments.
	whole match.Set
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
	// own are the runs in the arguments of each call, hidden those in what they hold
	// in some encoding: nothing is cut into words again, or decoded again, of which
	// nothing was found.
	own, hidden match.ByCall
	// echo are the runs of call echoOf, sorted.
	echo   []match.Run
	echoOf int32
	// chains are, by the number of what was found, the nodes that join its sources.
	chains map[int32][]chainNode
	slots  slotMatcher
}

// chainNode joins the sources of one value up to one of them.
type chainNode struct {
	source, time int32
	node         uint32
}

// start looks for the values of a plan's arguments in what came before.
func (v *provenance) start(p *plan.Plan, facts []*Facts, s *schedule, o options) {
	v.plan, v.facts, v.sched, v.corpus = p, facts, s, o.corpus
	v.slots.v, v.slots.call, v.echoOf = v, -1, -1
	if v.alone = v.corpus == nil; v.alone {
		v.corpus = match.New(p)
	}
	order, others := v.list()
	if others == 0 {
		v.times = v.times[:0]
		return // the user's words alone are nothing to match with
	}
	v.shortOutputs(order)
	v.collect()
	v.corpus.Echo = v.echoes
	v.corpus.Read(order)
	v.corpus.Echo = nil
	if v.corpus.Capped {
		v.capped("outputs", match.MaxOccurrences)
	}
}

// rest leaves nothing but room for the next plan.
func (v *provenance) rest() {
	if v.alone {
		v.corpus.Release()
	}
	user := v.user
	if len(user) > reuse.Max {
		user = nil
	}
	clear(user)
	v.slots.rest()
	*v = provenance{times: reuse.Plain(v.times), ofCall: reuse.Plain(v.ofCall), ofText: reuse.Plain(v.ofText), user: user,
		own: v.own.Empty(), hidden: v.hidden.Empty(), echo: reuse.Plain(v.echo), slots: v.slots}
}

// list finds the sources in the order of time, and the user's words. It returns
// how many are something else than those.
func (v *provenance) list() (order []match.Source, others int) {
	v.ofCall, v.ofText = filledInt(v.ofCall, len(v.plan.Calls)), filledInt(v.ofText, len(v.plan.Texts))
	order = slices.Grow(v.corpus.Sources[:0], len(v.plan.Calls)+len(v.plan.Texts))
	for i := range v.plan.Texts {
		t := &v.plan.Texts[i]
		user := t.Kind == plan.TextUser
		if user {
			v.user = v.user.add(t.Text, v.timeOf(&match.Source{Call: -1, Text: int32(i)}))
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
	v.times = slices.Grow(v.times[:0], len(order))
	for k := range order {
		v.times = append(v.times, v.timeOf(&order[k]))
	}
	if !slices.IsSorted(v.times) {
		sort.Stable(byTime{order, v.times})
	}
	for k := range order {
		if o := &order[k]; o.Text >= 0 {
			v.ofText[o.Text] = int32(k)
		} else {
			v.ofCall[o.Call] = int32(k)
		}
	}
	return order, others
}

// byTime sorts sources and their times.
type byTime struct {
	order []match.Source
	times []int32
}

func (b byTime) Len() int           { return len(b.times) }
func (b byTime) Less(i, j int) bool { return b.times[i] < b.times[j] }
func (b byTime) Swap(i, j int) {
	b.order[i], b.order[j] = b.order[j], b.order[i]
	b.times[i], b.times[j] = b.times[j], b.times[i]
}

func (v *provenance) timeOf(s *match.Source) int32 {
	if s.Call >= 0 {
		return 2*v.sched.done(s.Call) + 1
	}
	return 2 * int32(min(max(v.sched.textTime(v.plan, int(s.Text)), 0), len(v.plan.Calls)))
}

// filledInt returns n times -1, in the memory of a list if it is enough.
func filledInt(room []int32, n int) []int32 {
	s := slices.Grow(room[:0], n)[:n]
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
}

func (v *provenance) short(text string) {
	if len(text) > 16*minWord {
		return
	}
	if text = strings.TrimSpace(text); len(text) < minWhole {
		return
	}
	var room [gram]fields.Word
	words, _ := fields.FillWords(room[:0], text, 0)
	if n := len(words); 1 < n && n < gram || n == 1 && wholeWord(&words[0]) {
		v.whole.Add(words)
	}
}

// wholeWord reports whether a word that is a whole output says something though it
// is not distinctive: not "successfully", but "correctHorseBattery".
func wholeWord(w *fields.Word) bool { return w.Len() >= minWhole && w.Upper() && !distinctive(w) }

// collect adds the distinctive runs of all arguments that a source may stand
// before.
func (v *provenance) collect() {
	first := v.times[0]
	for i := range v.plan.Calls {
		v.own.Begin()
		v.hidden.Begin()
		look := v.has(i) >= first
		if look || v.ofCall[i] >= 0 {
			slots := v.facts[i].Slots
			for s := range slots {
				if len(slots[s].Parts()) > 0 {
					continue // the same value as another slot's
				}
				for _, x := range slots[s].Values() {
					v.collectValue(x, look)
				}
			}
		}
	}
}

// collectValue notes the runs in a value; look says that they are looked for.
func (v *provenance) collectValue(x *plan.Value, look bool) {
	if x.Kind == plan.String || x.Kind == plan.Number {
		v.collectText(&v.own, x.Text, x.Refs(), look)
		for _, d := range v.slots.views(x.Text) {
			v.collectText(&v.hidden, d.Text, nil, look)
		}
	}
	for i := range x.Items {
		if i < len(x.Keys) {
			v.collectText(&v.own, x.Keys[i], nil, look)
		}
		v.collectValue(&x.Items[i], look)
	}
}

func (v *provenance) collectText(to *match.ByCall, text string, refs []plan.Ref, look bool) {
	words, runs := v.slots.cut(text, refs)
	for _, r := range runs {
		to.Add(r.hash)
		switch {
		case !look:
		case v.corpus.Len() >= maxRuns:
			v.capped("arguments", maxRuns)
		default:
			v.corpus.AddRun(r.hash, words, int(r.from), int(r.to))
		}
	}
}

// echoes reports whether a run of words stands in a call's own arguments.
func (v *provenance) echoes(call int32, h match.Run) bool {
	if v.echoOf != call {
		v.echo = append(append(v.echo[:0], v.own.Of(int(call))...), v.hidden.Of(int(call))...)
		slices.Sort(v.echo)
		v.echoOf = call
	}
	_, found := slices.BinarySearch(v.echo, h)
	return found
}

// reaches reports whether one of some runs stands in a source, up to a time, that
// is neither the user's nor an echo.
func (v *provenance) reaches(runs []match.Run, limit int32) bool {
	for _, h := range runs {
		f := v.corpus.Of(h)
		if f != nil && f.FirstOther > 0 && v.times[v.corpus.Occurrences[f.FirstOther-1].Source] <= limit {
			return true
		}
	}
	return false
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
type matched struct{ text, encoding, source string }

func (m *matched) describe(ev *Evidence, key []byte) {
	ev.Length, ev.Decoding, ev.Source = len(m.text), m.encoding, m.source
	if len(key) > 0 && len(m.text) >= minDigest {
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte(m.text))
		ev.Digest = hex.EncodeToString(mac.Sum(nil))[:8]
	}
}
