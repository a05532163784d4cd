package tool

import (
	"hash/maphash"

	"github.com/planlint/planlint/internal/reuse"
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

// forget drops what is the plan's, since its texts may be secret.
func (s *scratch) forget() {
	*s = scratch{
		tools: reuse.Cleared(s.tools), first: reuse.Cleared(s.first), files: fileTable{reuse.Cleared(s.files.facts)}, alike: reuse.Cleared(s.alike),
		candidates: reuse.Cleared(s.candidates), slotOf: reuse.Cleared(s.slotOf), said: reuse.Cleared(s.said), texts: reuse.Cleared(s.texts),
		slots: reuse.Cleared(s.slots), uses: reuse.Cleared(s.uses), reads: reuse.Cleared(s.reads), writes: reuse.Cleared(s.writes), leaks: reuse.Cleared(s.leaks),
		outgoing: reuse.Cleared(s.outgoing), decides: reuse.Cleared(s.decides), lowered: reuse.Cleared(s.lowered), seed: s.seed,
	}
}
