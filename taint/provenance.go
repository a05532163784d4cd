package taint

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"sort"

	"github.com/planlint/planlint/plan"
)

// NoteProvenanceCap is the id of the note that value matching met a cap.
const NoteProvenanceCap = "PL9040"

// Caps of value matching. Where one is met, edges of value precision may be
// missing from there on, and a note says so; references, cells and context are
// not affected.
const (
	// maxNeedles bounds the distinctive runs of words in arguments.
	maxNeedles = 1 << 22
	// maxOccurrences bounds how often all of them are found in outputs.
	maxOccurrences = 1 << 23
)

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
// The distinctive runs of words of all arguments (see grams) are hashed first;
// then each output is read once, word by word, with a rolling hash for runs of up
// to six words, and what meets a known hash is kept as an occurrence. So memory
// goes with the arguments, not with the outputs, and time with the bytes of both.
type provenance struct {
	plan    *plan.Plan
	sched   *schedule
	facts   []Facts
	key     []byte
	needles needleTable
	// whole are the short outputs, by hash, that are looked for inside arguments.
	whole map[uint64]bool
	// lengths has bit n set if some needle has n words.
	lengths uint8
	// runs are the lengths above one.
	runs    []runLength
	origins []origin
	occs    []occurrence
	leaves  []leaf
	user    userWords
	notes   []plan.Note
	// hidden are the hashes of what arguments hold in some encoding, those of call i
	// from hiddenFrom[i] to hiddenFrom[i+1]: decoding is done once.
	hidden     []uint64
	hiddenFrom []int32
	// ofCall and ofText are the origins of outputs and texts, -1 for none.
	ofCall, ofText []int32
	slots          slotMatcher
}

// origin is an output or a text that values may come from. time is twice the
// call that a text stands before, one more for a call's output: an argument of a
// turn that starts with call f has those up to time 2f.
type origin struct {
	call, text int32
	time       int32
	user       bool
	// occs are those of the origin in provenance.occs: first and end.
	first, end int32
}

// leaf is one string or number of an output.
type leaf struct {
	path plan.Path
}

// occurrence says that a needle stands in an origin; next is one more than the
// number of the needle's next occurrence.
type occurrence struct {
	needle, origin, leaf, next int32
}

func newProvenance(p *plan.Plan, facts []Facts, s *schedule, o options) *provenance {
	v := &provenance{plan: p, facts: facts, sched: s, key: o.key, user: userWords{}}
	if v.list() == 0 {
		return v // the user's words alone are nothing to match with
	}
	v.shortOutputs()
	v.collect()
	if v.needles.used > 0 {
		v.scan()
	}
	return v
}

// list finds the origins in the order of time, and the user's words. It returns
// how many are something else than those.
func (v *provenance) list() (others int) {
	v.ofCall, v.ofText = filledInt(len(v.plan.Calls)), filledInt(len(v.plan.Texts))
	for i := range v.plan.Texts {
		t := &v.plan.Texts[i]
		user := t.Kind == plan.TextUser
		time := 2 * int32(min(max(v.sched.textTime(v.plan, i), 0), len(v.plan.Calls)))
		if user {
			v.user.add(t.Text, time)
		}
		if user || textSource(t.Kind) || t.Kind == plan.TextSummary || t.Kind == plan.TextSubagentPrompt {
			v.origins = append(v.origins, origin{call: -1, text: int32(i), time: time, user: user})
			if !user {
				others++
			}
		}
	}
	for i := range v.plan.Calls {
		c := &v.plan.Calls[i]
		if c.HasOutput() && !c.Outcome.DidNotRun() {
			v.origins = append(v.origins, origin{call: int32(i), text: -1, time: 2*v.sched.done(int32(i)) + 1})
			others++
		}
	}
	sort.SliceStable(v.origins, func(i, j int) bool { return v.origins[i].time < v.origins[j].time })
	for k := range v.origins {
		if o := &v.origins[k]; o.text >= 0 {
			v.ofText[o.text] = int32(k)
		} else {
			v.ofCall[o.call] = int32(k)
		}
	}
	return others
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

// match is the evidence that an argument's value stands in an output.
type match struct {
	text, encoding string
	leaf           *leaf
	key            []byte
}

func (m *match) describe(ev *Evidence) {
	ev.Length, ev.Decoding = len(m.text), m.encoding
	if m.leaf != nil {
		ev.Source = m.leaf.path.String()
	}
	if len(m.key) > 0 && len(m.text) >= minDigest {
		mac := hmac.New(sha256.New, m.key)
		mac.Write([]byte(m.text))
		ev.Digest = hex.EncodeToString(mac.Sum(nil))[:8]
	}
}
