package rules

import "github.com/planlint/planlint/gate"

// Match is one rule that matches a call.
type Match struct {
	Rule Rule
	// Decided: for some unit of the call it was this rule that counted.
	Decided bool
	// May: it concerns the call only perhaps, since what the call reaches is not
	// known.
	May bool
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
		sure := reachNo
		for _, u := range s.units {
			sure = max(sure, matchUnit(s, u, &list[i]))
		}
		if sure != reachNo {
			out = append(out, Match{Rule: list[i].rule.Rule, Decided: decided[list[i].rule], May: sure == reachMay})
		}
	}
	return out
}
