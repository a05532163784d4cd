package policytest

import (
	"fmt"
	"sort"

	"github.com/planlint/planlint"
	"github.com/planlint/planlint/finding"
	"github.com/planlint/planlint/internal/compiled"
	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/rules"
	"github.com/planlint/planlint/tool"
)

// Coverage says what of a policy some plans reached: which rules matched and
// decided, which composition rules spoke, which conditions were true and false.
// It is a policy.Watcher.
type Coverage struct {
	own     map[string]bool
	rules   map[tool.Origin]*RuleCover
	compose map[string]*RuleCover
	conds   map[tool.Cond]*CondCover
	numbers map[tool.Origin]*CondCover
	order   []*RuleCover
	Plans   int
	Calls   int
}

// RuleCover is one rule of the policy.
type RuleCover struct {
	// Name is how messages call it, What what it says in short.
	Name string      `json:"name"`
	What string      `json:"what"`
	Pos  tool.Origin `json:"-"`
	At   string      `json:"at"`
	// Matched counts the calls that it matched, Decided those it decided. For a
	// composition rule both count its findings.
	Matched int `json:"matched"`
	Decided int `json:"decided"`
	// May counts the calls that it concerns only perhaps, since what they reach is
	// not known; Matched and Decided leave them out.
	May int `json:"may,omitempty"`
	// By counts, for calls that it matched without deciding, what decided.
	By map[string]int `json:"shadowed_by,omitempty"`
}

// CondCover is one condition of the policy.
type CondCover struct {
	Text  string      `json:"text"`
	Pos   tool.Origin `json:"-"`
	At    string      `json:"at"`
	True  int         `json:"true"`
	False int         `json:"false"`
	Errs  int         `json:"errors,omitempty"`
}

func newCoverage(s *Suite) *Coverage {
	return NewCoverage(s.Document, s.Own)
}

// NewCoverage returns a coverage of the rules that a document has from the given
// files; nil: from any file that is not built in.
func NewCoverage(d *compiled.Document, own map[string]bool) *Coverage {
	c := &Coverage{
		own: own, rules: make(map[tool.Origin]*RuleCover), compose: make(map[string]*RuleCover),
		conds: make(map[tool.Cond]*CondCover), numbers: make(map[tool.Origin]*CondCover),
	}
	if d == nil {
		return c
	}
	for i := range d.Rules {
		if r := &d.Rules[i]; !r.Builtin && c.isOwn(r.Pos) {
			c.add(&RuleCover{Name: ruleName(r), What: Describe(r), Pos: r.Pos}, func(rc *RuleCover) { c.rules[r.Pos] = rc })
		}
	}
	for i := range d.Compose {
		if r := &d.Compose[i]; !r.Builtin && c.isOwn(r.Pos) {
			c.add(&RuleCover{Name: r.ID.S, What: r.Title.S, Pos: r.Pos}, func(rc *RuleCover) { c.compose[r.ID.S] = rc })
		}
	}
	return c
}

func (c *Coverage) add(rc *RuleCover, file func(*RuleCover)) {
	rc.At = rc.Pos.String()
	c.order = append(c.order, rc)
	file(rc)
}

func (c *Coverage) isOwn(pos tool.Origin) bool {
	return c.own == nil && pos.File != "" || c.own[pos.File]
}

func ruleName(r *compiled.Rule) string {
	if r.Name.S != "" {
		return r.Name.S
	}
	return fmt.Sprintf("%s:%d", r.Pos.File, r.Pos.Line)
}

// plan is called with each plan that a test checked.
func (c *Coverage) plan(checker *planlint.Checker, t *Test, report *finding.PlanReport) {
	c.Add(checker, t.Plan, report)
}

// Add counts what one plan reached.
func (c *Coverage) Add(checker *planlint.Checker, p *plan.Plan, report *finding.PlanReport) {
	c.Plans++
	c.Calls += len(p.Calls)
	for i, matches := range checker.Matches(p) {
		decider := report.Calls[i].Rule
		for _, m := range matches {
			c.match(&m, decider)
		}
	}
	for i := range report.Findings {
		if rc := c.compose[report.Findings[i].ID]; rc != nil {
			rc.Matched++
			rc.Decided++
		}
	}
}

func (c *Coverage) match(m *rules.Match, decider string) {
	rc := c.rules[m.Rule.Pos]
	if rc == nil {
		return
	}
	if m.May {
		rc.May++
		return
	}
	rc.Matched++
	if m.Decided {
		rc.Decided++
		return
	}
	if rc.By == nil {
		rc.By = make(map[string]int)
	}
	rc.By[decider]++
}

// Numbered implements policy.Watcher. A policy that is built again (another
// mode) numbers its conditions again: the place tells them.
func (c *Coverage) Numbered(n tool.Cond, in compiled.Condition) {
	if in.Builtin || !c.isOwn(in.At) {
		return
	}
	cc := c.numbers[in.At]
	if cc == nil {
		cc = &CondCover{Text: in.Text, Pos: in.At, At: in.At.String()}
		c.numbers[in.At] = cc
	}
	c.conds[n] = cc
}

// Evaluated implements policy.Watcher.
func (c *Coverage) Evaluated(n tool.Cond, holds bool, err error) {
	cc := c.conds[n]
	switch {
	case cc == nil:
	case err != nil:
		cc.Errs++
	case holds:
		cc.True++
	default:
		cc.False++
	}
}

// Rules returns the rules in the order of the policy.
func (c *Coverage) Rules() []*RuleCover { return c.order }

// Conditions returns the conditions in the order of their places.
func (c *Coverage) Conditions() []*CondCover {
	out := make([]*CondCover, 0, len(c.numbers))
	for _, cc := range c.numbers {
		out = append(out, cc)
	}
	sort.Slice(out, func(i, j int) bool { return before(out[i].Pos, out[j].Pos) })
	return out
}

func before(a, b tool.Origin) bool {
	if a.File != b.File {
		return a.File < b.File
	}
	if a.Line != b.Line {
		return a.Line < b.Line
	}
	return a.Column < b.Column
}

// Shadow names what most often decided in the place of a rule, "" for nothing.
func (r *RuleCover) Shadow() string {
	best := ""
	for name, n := range r.By {
		if best == "" || n > r.By[best] || n == r.By[best] && name < best {
			best = name
		}
	}
	return best
}

// Never says in words that the rule matched nothing.
func (r *RuleCover) Never() string {
	if r.May == 0 {
		return "never matched"
	}
	return fmt.Sprintf("never matched for sure (calls that it may concern, since what they reach is not known: %d)", r.May)
}

// Covered reports whether the condition was seen both ways.
func (c *CondCover) Covered() bool { return c.True > 0 && c.False > 0 }

// Describe says in short what a rule says.
func Describe(r *compiled.Rule) string {
	text := r.Decision.S
	for _, f := range []struct{ name, value string }{
		{"tool", r.Tool.S}, {"path", r.Path.S}, {"command", r.Command.S}, {"host", r.Host.S},
		{"server", r.Server.S}, {"agent", r.Agent.S}, {"when", r.When.S},
	} {
		if f.value != "" {
			text += " " + f.name + "=" + f.value
		}
	}
	return text
}
