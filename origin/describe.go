package origin

import (
	"fmt"
	"strings"
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
	if p.Source.Call >= 0 {
		line += fmt.Sprintf("; stands in %s, standing %s", p.Source, p.Standing)
	}
	lines = append(lines, line)
	for _, step := range p.Chain {
		lines = append(lines, fmt.Sprintf("pointed at: %s (call %d)", step.How, step.Call+1))
	}
	return lines
}

// String names a place: "call 3 [0].body".
func (p Place) String() string {
	if p.Call < 0 {
		return "the user's words"
	}
	return strings.TrimSpace(fmt.Sprintf("call %d %s", p.Call+1, p.Field))
}

// Settled reports whether the analysis looked at an argument and found that no
// third-party text decided it without the user's cover.
func (c *Call) Settled(slot int) bool {
	seen := false
	for k := range c.Parts {
		p := &c.Parts[k]
		if p.Slot != slot {
			continue
		}
		seen = true
		if p.From == FromText && !p.Endorsed {
			return false
		}
	}
	return seen
}
