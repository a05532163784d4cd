package rules

import (
	"errors"

	"github.com/planlint/planlint/gate"
)

var errNoConditions = errors.New("no conditions are compiled in")

// answer is what the rules say of one unit.
type answer struct {
	decision gate.Decision
	// by is the rule that decided, nil where none matched.
	by *compiled
	// restricts: only rules of layers that may but tighten matched.
	restricts bool
	// may: the deny concerns the unit only perhaps, so it asks.
	may bool
	// waivers are the allows that count: their waivers add up.
	waivers [maxWaivers]*compiled
	n       int
}

// maxWaivers is how many equally specific allows may add up their accepts; more
// are left out, which is the stricter side.
const maxWaivers = 4

func (a *answer) matched() bool { return a.by != nil }

func (a *answer) addWaiver(c *compiled) {
	if a.n < maxWaivers {
		a.waivers[a.n] = c
		a.n++
	}
}

// resolve returns what rules and permissions together say of a unit: where
// both match, the stricter counts.
func (t *Table) resolve(s *subject, u unit, list []candidate) answer {
	if len(list) == 0 {
		return answer{}
	}
	var rules, perms, limitRules, limitPerms answer
	for i := range list {
		c := &list[i]
		sure := matchUnit(s, u, c)
		if sure == reachNo {
			continue
		}
		said := c.rule.Decision
		may := said == gate.Deny && sure == reachMay
		if may {
			said = gate.Ask
		}
		switch {
		case c.rule.Restrict && c.rule.Permission:
			limitPerms.takeStricter(c.rule, said, may)
		case c.rule.Restrict:
			limitRules.take(t.settings.Resolution, c.rule, said, may)
		case c.rule.Permission:
			perms.takeStricter(c.rule, said, may)
		default:
			rules.take(t.settings.Resolution, c.rule, said, may)
		}
	}
	return tighten(stricter(rules, perms), stricter(limitRules, limitPerms))
}

// tighten joins what layers without trust say: it counts only where it is
// stricter, and lifts nothing.
func tighten(a, limits answer) answer {
	switch {
	case limits.by == nil || a.by != nil && a.decision <= limits.decision:
		return a
	case a.by == nil:
		limits.restricts = true
	}
	return limits
}

func matchUnit(s *subject, u unit, c *candidate) reach {
	sure := reachNo
	if c.rule.Decision != gate.Allow {
		sure = c.rule.reaches(s, u)
	} else if c.rule.covers(s, u) {
		sure = reachYes
	}
	if sure == reachNo || !c.conditionHolds(s) {
		return reachNo
	}
	return sure
}

// take resolves among rules by the table's way.
func (a *answer) take(way Resolution, c *compiled, said gate.Decision, may bool) {
	if a.by == nil {
		a.set(c, said, may)
		return
	}
	if way == DenyOverrides && denial(said, may) != denial(a.decision, a.may) {
		if denial(said, may) > denial(a.decision, a.may) {
			a.set(c, said, may)
		}
		return
	}
	d := c.key.compare(a.by.key)
	switch {
	case d > 0, d == 0 && said < a.decision:
		a.set(c, said, may)
	case d == 0 && said == a.decision && said == gate.Allow:
		a.addWaiver(c)
	}
}

// denial ranks denies for deny-overrides: a sure one, one that may concern the
// call, none.
func denial(said gate.Decision, may bool) int {
	switch {
	case said == gate.Deny:
		return 2
	case may:
		return 1
	}
	return 0
}

// takeStricter resolves among permissions: deny before ask before allow,
// however exact they are.
func (a *answer) takeStricter(c *compiled, said gate.Decision, may bool) {
	switch {
	case a.by == nil || said < a.decision:
		a.set(c, said, may)
	case said == gate.Allow && a.decision == gate.Allow:
		a.addWaiver(c)
	}
}

func (a *answer) set(c *compiled, said gate.Decision, may bool) {
	*a = answer{decision: said, by: c, may: may}
	if said == gate.Allow {
		a.addWaiver(c)
	}
}

// stricter joins what rules and permissions say. Where both allow, either may
// waive: a permission is no restriction of a rule.
func stricter(rules, perms answer) answer {
	switch {
	case perms.by == nil:
		return rules
	case rules.by == nil || perms.decision < rules.decision:
		return perms
	case perms.decision == rules.decision && perms.decision == gate.Allow:
		for _, w := range perms.waivers[:perms.n] {
			rules.addWaiver(w)
		}
	}
	return rules
}
