package rules

import (
	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/tool"
)

// candidate is a rule whose tool, server and agent fit the call.
type candidate struct {
	rule *compiled
	// asked, holds and failed are the state of the rule's condition, which is
	// evaluated once and only where the rest fits.
	asked, holds, failed bool
}

// candidates lists the rules that may match, in the table's order.
func (t *Table) candidates(s *subject, buf []candidate) []candidate {
	if t == nil {
		return buf
	}
	for _, i := range t.general { // none of them is in byTool
		if c := &t.rules[i]; c.fits(s) {
			buf = append(buf, candidate{rule: c})
		}
	}
	for _, f := range s.names.folded {
		for _, i := range t.byTool[f] {
			buf = t.addCandidate(s, i, buf)
		}
	}
	return buf
}

func (t *Table) addCandidate(s *subject, i int32, buf []candidate) []candidate {
	c := &t.rules[i]
	if !c.fits(s) {
		return buf
	}
	for j := range buf {
		if buf[j].rule == c {
			return buf
		}
	}
	return append(buf, candidate{rule: c})
}

// fits compares tool, server and agent: raw for allows, folded for the rest.
func (c *compiled) fits(s *subject) bool {
	grant := c.Decision == gate.Allow
	if c.tool.set() && !c.tool.any {
		if grant && !c.tool.grants(s.names.raw) || !grant && !c.tool.restricts(s.names.folded) {
			return false
		}
	}
	if c.server.set() && !c.fitsServer(s, grant) {
		return false
	}
	if c.subagent != "" && !c.fitsSubagent(s, grant) {
		return false
	}
	return !c.agent.set() || c.fitsAgent(s, grant)
}

func (c *compiled) fitsSubagent(s *subject, grant bool) bool {
	if grant {
		return wildcard(c.subagent, s.res.Agent()) && s.res.Agent() != ""
	}
	return wildcard(fold(c.subagent), fold(s.res.Agent()))
}

func (c *compiled) fitsServer(s *subject, grant bool) bool {
	if !grant {
		return c.server.restricts(s.names.servers)
	}
	return s.names.server != "" && c.server.grants([]string{s.names.server})
}

func (c *compiled) fitsAgent(s *subject, grant bool) bool {
	if fitsAgentName(c.agent, s.call.AgentName(), grant) {
		return true
	}
	for _, a := range s.in.AgentPath {
		if fitsAgentName(c.agent, a, grant) {
			return true
		}
	}
	return false
}

func fitsAgentName(p namePattern, name string, grant bool) bool {
	if p.any || name == p.raw || p.glob && wildcard(p.raw, name) {
		return true
	}
	return !grant && wildcard(p.folded, fold(name))
}

// covers reports whether an allow says yes to the unit.
func (c *compiled) covers(s *subject, u unit) bool {
	switch u.kind {
	case commandUnit:
		if c.command == nil {
			return c.path == nil && c.host == nil
		}
		return c.command.covers(s.res, u.index) && c.coversPaths(s, u) && c.coversHosts(s)
	case pathUnit:
		if c.path == nil {
			return c.command == nil && (c.host == nil || c.tool.set() && c.coversHosts(s))
		}
		p := s.pathOf(u)
		return c.command == nil && c.coversPath(s, &p) && c.coversHosts(s)
	case hostUnit:
		if c.host == nil {
			return c.command == nil && (c.path == nil || c.tool.set() && c.coversPaths(s, unit{}))
		}
		return c.command == nil && c.host.covers(s.res.Hosts()[u.index]) && c.coversOpen(s) && c.coversPaths(s, unit{})
	}
	return c.coversWhole(s)
}

// coversWhole is for what can't be told apart: all of it must be named, or the
// rule names only the tool.
func (c *compiled) coversWhole(s *subject) bool {
	if c.command != nil {
		for i := range s.res.Commands() {
			if !c.command.covers(s.res, i) {
				return false
			}
		}
		if len(s.res.Commands()) == 0 {
			return false
		}
	}
	if c.path != nil && len(s.res.Paths) == 0 || c.host != nil && len(s.res.Hosts()) == 0 && !c.host.any() {
		return false
	}
	return c.coversPaths(s, unit{}) && c.coversHosts(s)
}

func (c *compiled) coversPaths(s *subject, u unit) bool {
	if c.path == nil {
		return true
	}
	for i := range s.res.Paths {
		if s.operandOf(u, i) && !c.coversPath(s, &s.res.Paths[i]) {
			return false
		}
	}
	return true
}

// coversPath also wants the access inside the rule's: a grant to write is one to
// read, delete and create, but not to run.
func (c *compiled) coversPath(s *subject, p *tool.PathUse) bool {
	allowed := c.Access
	switch {
	case allowed == 0:
		allowed = tool.Read | tool.Write | tool.Delete | tool.Execute
	case allowed&tool.Write != 0:
		allowed |= tool.Read | tool.Delete
	}
	return p.Access&^allowed == 0 && c.path.covers(p, s.env)
}

func (c *compiled) coversHosts(s *subject) bool {
	if c.host == nil {
		return true
	}
	for _, h := range s.res.Hosts() {
		if !c.host.covers(h) {
			return false
		}
	}
	return c.coversOpen(s) && (len(s.res.Hosts()) > 0 || c.host.any())
}

// coversOpen reports whether the rule also covers hosts that are not known.
func (c *compiled) coversOpen(s *subject) bool { return !s.res.HostsOpen || c.host.any() }

// reaches reports how surely a deny or ask concerns the unit: the weakest of
// what the rule names.
func (c *compiled) reaches(s *subject, u unit) reach {
	sure := reachYes
	if c.command != nil {
		sure = min(sure, c.reachesCommand(s, u))
	}
	if c.path != nil && sure > reachNo {
		sure = min(sure, c.reachesPath(s, u))
	}
	if c.host != nil && sure > reachNo {
		sure = min(sure, c.reachesHost(s, u))
	}
	return sure
}

func (c *compiled) reachesCommand(s *subject, u unit) reach {
	if s.runsText {
		return reachMay
	}
	best := reachNo
	for i := range s.res.Commands() {
		if u.kind == commandUnit && u.index != i {
			continue
		}
		if u.kind == pathUnit && s.res.Paths[u.index].Command != i {
			continue
		}
		best = max(best, c.command.reaches(s.res, i))
	}
	return best
}

func (c *compiled) reachesPath(s *subject, u unit) reach {
	if u.kind == pathUnit {
		p := s.pathOf(u)
		if !touches(c.Access, p.Access) {
			return reachNo
		}
		return c.path.reaches(&p, s.env)
	}
	best := reachNo
	for i := range s.res.Paths {
		p := &s.res.Paths[i]
		if s.operandOf(u, i) && touches(c.Access, p.Access) {
			best = max(best, c.path.reaches(p, s.env))
		}
	}
	return best
}

// touches reports whether a restriction on an access concerns a use: running a
// file reads it, deleting changes it, and 0 is every access.
func touches(rule, use tool.Access) bool {
	if rule == 0 || use == 0 {
		return true
	}
	if rule&tool.Read != 0 {
		rule |= tool.Execute
	}
	if rule&tool.Write != 0 {
		rule |= tool.Delete
	}
	return rule&use != 0
}

func (c *compiled) reachesHost(s *subject, u unit) reach {
	best := reachNo
	if s.res.HostsOpen {
		best = reachMay
	}
	for _, h := range s.res.Hosts() {
		best = max(best, c.host.reaches(h))
	}
	return best
}

// conditionHolds evaluates the rule's condition once. A condition that can't be decided
// counts as the stricter side: it holds for deny and ask, not for allow.
func (c *candidate) conditionHolds(s *subject) bool {
	if c.rule.When == 0 {
		return true
	}
	if !c.asked {
		c.asked = true
		ok, err := false, errNoConditions
		if s.in.Conditions != nil && s.in.Subject != nil {
			ok, err = s.in.Conditions.Holds(c.rule.When, s.in.Subject)
		}
		c.failed = err != nil
		c.holds = ok && err == nil || c.failed && c.rule.Decision != gate.Allow
	}
	return c.holds
}
