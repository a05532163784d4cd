package tool

import (
	"hash/maphash"

	"github.com/planlint/planlint/taint"
)

// scratch is memory that resolving one plan leaves for the next. Nothing of what
// was resolved lies in it.
type scratch struct {
	tools []*entry // by call
	// first are the first tools: of few, a list is the quicker map.
	first []knownTool
	files fileTable
	alike alikeTable
	clean cleanTexts
	// audiences are those of one name, spelled the texts of one address.
	audiences [maxAudiences]namedAudience
	spelled   [maxAudiences]spelledOut
	// candidates is what sources finds, the rest what one call has while it is
	// resolved: see call.
	candidates []int32
	slotOf     []int
	said       []argText
	texts      []string
	slots      []taint.Slot
	uses       []PathUse
	reads      []taint.Operand
	writes     []taint.Write
	leaks      []taint.Sink
	outgoing   []taint.Operand
	decides    []int
	lowered    []taint.Step
	seed       maphash.Seed
}

func newScratch() *scratch { return &scratch{seed: maphash.MakeSeed()} }

// placeOf mixes a text to where tables keep what belongs to it. It differs from run
// to run, and changes nothing but what is remembered.
func (s *scratch) placeOf(text string) int { return int(uint32(maphash.String(s.seed, text)) >> 1) }

// maxSpare is how long a list may be that is left for the next plan.
const maxSpare = 1 << 12

// forget drops what is the plan's, since its texts may be secret.
func (s *scratch) forget() {
	*s = scratch{
		tools: wiped(s.tools), first: wiped(s.first), files: fileTable{wiped(s.files.facts)}, alike: wiped(s.alike),
		candidates: wiped(s.candidates), slotOf: wiped(s.slotOf), said: wiped(s.said), texts: wiped(s.texts),
		slots: wiped(s.slots), uses: wiped(s.uses), reads: wiped(s.reads), writes: wiped(s.writes), leaks: wiped(s.leaks),
		outgoing: wiped(s.outgoing), decides: wiped(s.decides), lowered: wiped(s.lowered), seed: s.seed,
	}
}

// wiped empties a list; the memory of a long one is not kept.
func wiped[T any](list []T) []T {
	if cap(list) > maxSpare {
		return nil
	}
	clear(list[:cap(list)])
	return list[:0]
}

// room returns n zero values, in memory that was wiped.
func room[T any](spare []T, n int) []T {
	if n > cap(spare) {
		return make([]T, n)
	}
	return spare[:n]
}
