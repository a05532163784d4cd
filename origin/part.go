package origin

import (
	"fmt"

	"github.com/planlint/planlint/internal/fields"
	"github.com/planlint/planlint/internal/match"
	"github.com/planlint/planlint/plan"
)

// part is a Part while it is looked for.
type part struct {
	// run and words are its phrase.
	run match.Run
	// A length of 2 GB or more wraps: the value is then not found in its argument
	// again, which only points less narrowly and endorses less.
	slot, length int32
	// leaf is where it stands, -1 for nowhere.
	leaf int32
	// rare is the index of what few parts have, 0 for none of it.
	rare     int32
	words    uint8 // at most match.MaxWords
	atom     fields.AtomKind
	from     Set
	standing Standing
	inside   bool
	endorsed bool
	// solid: it stands in a field that no third party's text lies beside, or in a
	// record that the user pointed at.
	solid bool
	// pieced: of an address that was put together only the host stands somewhere.
	pieced bool
}

// rare is what few parts have.
type rare struct {
	// host is that of an address: who made one up out of pieces has its host from
	// somewhere.
	host    string
	hostRun match.Run
	// lacks and decoding are those of Basis.
	lacks, decoding string
}

func (a *analysis) rareOf(p *part) *rare { return &a.rare[p.rare] }

// rarity returns what is rare of a part, for writing.
func (a *analysis) rarity(p *part) *rare {
	if p.rare == 0 {
		p.rare = int32(len(a.rare))
		a.rare = append(a.rare, rare{})
	}
	return &a.rare[p.rare]
}

// of gives a part its phrase.
func (p part) of(x phrase) part {
	p.run, p.words = x.run, uint8(x.words)
	return p
}

func (p *part) phrase() phrase { return phrase{p.run, int32(p.words)} }

// textOnly: found in third-party text and nowhere else.
func (p *part) textOnly() bool { return p.from == FromText }

// partsIn are the parts of a call, good until others are made.
func (a *analysis) partsIn(i int) []part { return a.parts[a.partsOf[i].first:a.partsOf[i].end] }

// tell writes the report; only here is worked out what is shown of a part.
func (a *analysis) tell() {
	n := 0
	for _, at := range a.partsOf {
		n += int(at.end - at.first)
	}
	room := make([]Part, n)
	chains := map[chain][]Pointer{}
	for i := range a.report.Calls {
		parts, slots := a.partsIn(i), a.facts[i].Slots
		out := room[:len(parts):len(parts)]
		room = room[len(parts):]
		for k := range parts {
			p := &parts[k]
			out[k] = Part{Argument: slots[p.slot].Name, Basis: a.basis(p, chains), Slot: p.slot, Length: p.length, Atom: p.atom,
				Inside: p.inside, From: p.from, Standing: p.standing, Endorsed: p.endorsed}
		}
		a.report.Calls[i].Parts = out
	}
	if a.capped {
		a.report.Notes = append(a.report.Notes, plan.Note{ID: NoteCap, Call: -1,
			Message: fmt.Sprintf("a value stands in more than %d fields: further ones were not looked at", maxHits)})
	}
}

// basis returns what more is known of a part, nil for nothing. Parts share chains.
func (a *analysis) basis(p *part, chains map[chain][]Pointer) *Basis {
	rare := a.rareOf(p)
	if p.leaf < 0 && rare.decoding == "" {
		return nil
	}
	b := &Basis{Source: Place{Call: -1}, Lacks: rare.lacks, Decoding: rare.decoding}
	if p.leaf < 0 {
		return b
	}
	b.Source = a.place(p.leaf)
	if p.standing == None {
		return b
	}
	c := a.records[a.leaves[p.leaf].record].chain
	if chains[c] == nil {
		chains[c] = a.pointers(c)
	}
	b.Chain = chains[c]
	return b
}
