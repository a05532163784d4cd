package origin

import (
	"fmt"
	"strings"

	"github.com/planlint/planlint/internal/fields"
)

// Describe says a reason in sentences. Values of the plan are not in them, but
// field names are, which may come from an output.
func (c *Call) Describe(r Reason) []string {
	lines := []string{r.Why}
	if r.Part < 0 {
		return lines
	}
	p := &c.Parts[r.Part]
	line := fmt.Sprintf("argument %s: from %s", p.Argument, strings.Join(p.From.Names(), ", "))
	if p.Atom != 0 {
		line += fmt.Sprintf(" (%s)", p.Atom)
	}
	if p.Source().Call >= 0 || p.Source().Text > 0 {
		line += fmt.Sprintf("; stands in %s, standing %s", p.Source(), p.Standing)
	}
	if lacks := p.Lacks(); lacks != "" {
		line += "; the pointing lacks: " + lacks
	}
	lines = append(lines, line)
	for _, step := range p.Chain() {
		if step.Call < 0 {
			lines = append(lines, "pointed at: "+step.How)
			continue
		}
		lines = append(lines, fmt.Sprintf("pointed at: %s (call %d)", step.How, step.Call+1))
	}
	return lines
}

// String names a place: "call 3 [0].body".
func (p Place) String() string {
	switch {
	case p.Text > 0:
		return fmt.Sprintf("text %d", p.Text)
	case p.Call < 0:
		return "the user's words"
	}
	return strings.TrimSpace(fmt.Sprintf("call %d %s", p.Call+1, p.Field))
}

// Settled reports whether the analysis looked at an argument and found that no
// third-party text decided it without the user's cover.
func (c *Call) Settled(slot int) bool {
	if c.Signals()&Delegated != 0 {
		return true // asked about as that
	}
	seen := false
	for k := range c.Parts {
		p := &c.Parts[k]
		if int(p.Slot) != slot {
			continue
		}
		seen = true
		if p.From == FromText && !p.Endorsed {
			return false
		}
	}
	return seen
}

// Within returns where in a text the value stands that the part is about: all of
// it, or the one atom inside of that kind and length; ok is false where there are
// several, or none.
func (p *Part) Within(text string) (start, end int, ok bool) {
	if !p.Inside {
		return 0, len(text), len(text) == int(p.Length)
	}
	found := 0
	fields.Atoms(text, func(at fields.Atom) {
		if at.Kind == p.Atom && len(fields.Bare(text[at.Start:at.End])) == int(p.Length) {
			start, end = at.Start, at.End
			found++
		}
	})
	return start, end, found == 1
}
