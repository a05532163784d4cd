package rules

import "github.com/planlint/planlint/gate"

// Match is one rule that matches a call.
type Match struct {
	Rule Rule
	// Decided: for some unit of the call it was this rule that counted.
	Decided bool
}

// Matches returns the rules that match a call, in the table's order. It serves
// policy tests and coverage: a rule that never matches says nothing, and one
// that matches and never decides is shadowed by others.
func (t *Table) Matches(in *Input) []Match {
	if in == nil || in.Call == nil || in.Resolved == nil {
		return nil
	}
	var buf buffers
	s := &buf.subject
	s.fill(in, &buf, nil)
	list := t.candidates(s, nil)
	decided := make(map[*compiled]bool)
	for _, u := range s.units {
		a := t.resolve(s, u, list)
		if a.by != nil {
			decided[a.by] = true
		}
		if a.decision == gate.Allow {
			for _, w := range a.waivers[:a.n] {
				decided[w] = true
			}
		}
	}
	var out []Match
	for i := range list {
		for _, u := range s.units {
			if matchUnit(s, u, &list[i]) != reachNo {
				out = append(out, Match{Rule: list[i].rule.Rule, Decided: decided[list[i].rule]})
				break
			}
		}
	}
	return out
}
