package rules

import (
	"fmt"
	"path"
	"strings"
	"sync"

	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/internal/reuse"
	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/tool"
)

// decider works out one decision in the order of design.md section 6.
type decider struct {
	t   *Table
	set Settings
	// usual are the gates where an input gives none.
	usual gate.Table
	buf   buffers
	// room is for more candidates than buf has; it is kept for the next call.
	room []candidate
	// known are the names of tools that were decided before.
	known nameTable
	// flow and words are where suggestions are written.
	flow  flowMap
	words []byte
	// list is room for suggestions, made those of earlier calls, tries room for the
	// candidates of a trial.
	list  []*suggestion
	made  made
	tries []candidate
	one
}

// one is what belongs to one decision.
type one struct {
	in    *Input
	gates *gate.Table
	s     *subject
	// suggested are rules that are tried, beside those of the table; nil where the
	// call itself is decided.
	suggested []*suggestion
	// candidates are the rules that may match, with what their conditions said.
	candidates []candidate
	// answers are the rules' answers, one a unit.
	answers []answer
	need    gate.Requirements
	// reason is the one that is told; rank says how much it explains.
	reason reason
	rank   int
	// open: an escalation that nothing waived, valued: by value or resource.
	open, valued bool
	// closed: a diagnostic closes the call.
	closed bool
	result Result
}

// buffers hold what a usual call needs, so that a decision allocates nothing.
type buffers struct {
	subject    subject
	units      [4]unit
	candidates [8]candidate
	answers    [4]answer
	trial      [4]answer
	names      roomyNames
}

// reason is what a refusal tells.
type reason struct{ rule, why, instead string }

// Decide answers one call. It never panics, is deterministic, and denies what
// it was not told enough about. The order:
//
//  1. shape errors: deny
//  2. the capability ceiling: deny
//  3. mode read-only: what is not read-only is denied
//  4. the class gate, joined with the escalations
//  5. permissions and rules, else unmatched (mode accept-edits: workspace edits run)
//  6. protected paths and closing diagnostics: at least ask
//  7. remembered approvals
//  8. mode auto
//  9. nobody to ask, or mode unattended: ask is deny
//
// Mode observe answers allow and says in WouldBe what the default would have
// answered.
func (t *Table) Decide(in *Input) Result {
	d := t.Decider()
	result := d.Decide(in)
	d.Release()
	return result
}

// Decider answers one call after the other as Table.Decide does, in memory that
// it keeps. It is not safe for concurrent use.
type Decider struct{ decider }

// deciders hold the memory of deciders that were released, and nothing of what they
// decided.
var deciders = sync.Pool{New: func() any { return new(Decider) }}

// Decider returns a decider by the table's rules.
func (t *Table) Decider() *Decider {
	r := deciders.Get().(*Decider)
	r.t, r.set, r.usual = t, t.Settings(), gate.DefaultTable()
	return r
}

// Release gives the decider's memory to one that is made later. Nothing that it
// answered points there; the decider must not be used again.
func (r *Decider) Release() {
	d := &r.decider
	d.t, d.set, d.buf, d.one = nil, Settings{}, buffers{}, one{}
	d.known.forget()
	d.made.forget()
	d.room, d.tries, d.list = reuse.Cleared(d.room), reuse.Cleared(d.tries), reuse.Cleared(d.list)
	d.words, d.flow.b = reuse.Cleared(d.words), reuse.Cleared(d.flow.b)
	deciders.Put(r)
}

// Decide answers one call.
func (r *Decider) Decide(in *Input) Result {
	if in == nil {
		in = &Input{}
	}
	d := &r.decider
	d.one = one{in: in, gates: in.Gates}
	if d.gates == nil {
		d.gates = &d.usual
	}
	d.decide()
	return d.finish()
}

func (d *decider) decide() {
	if why := d.malformed(); why != "" {
		d.deny(reason{ByShape, why, "send the call in the form that the tool's schema asks for"}, "1 shape")
		return
	}
	d.trace("1 shape: in order")
	d.s = &d.buf.subject
	d.s.fill(d.in, &d.buf, &d.known)
	if d.ceiling() || d.readOnlyMode() {
		return
	}
	d.judge()
}

// judge takes the steps from the class gate on.
func (d *decider) judge() {
	if d.rules() || d.protected() {
		return
	}
	d.closing()
	d.ask()
}

// malformed returns what is wrong with the call's shape.
func (d *decider) malformed() string {
	switch {
	case d.in.Malformed != "":
		return d.in.Malformed
	case d.in.Call == nil || d.in.Resolved == nil:
		return "there is no call to decide"
	case d.in.Call.Tool == "" && d.in.Call.Kind == plan.Tool:
		return "the call names no tool"
	}
	return ""
}

func (d *decider) ceiling() bool {
	limit := d.set.Ceiling
	if limit == gate.ClassUnset {
		d.trace("2 ceiling: none")
		return false
	}
	class := d.s.class
	if class == gate.ClassUnset || d.s.unknown {
		class = gate.AuthorityModifying // what nobody described may be anything
	}
	if class <= limit {
		d.trace("2 ceiling: %s is within %s", class, limit)
		return false
	}
	d.deny(reason{ByCeiling, fmt.Sprintf("its class %s is above the ceiling %s", className(d.s.unit(wholeCall, 0)), limit),
		"use a tool of a lower class, or leave this step to the user"}, "2 ceiling")
	return true
}

func (d *decider) readOnlyMode() bool {
	if d.set.Mode != ModeReadOnly {
		d.trace("3 mode: %s", d.set.Mode)
		return false
	}
	if d.s.readOnly {
		d.trace("3 mode: read-only, and so is the call")
		return false
	}
	d.deny(reason{ByMode, "the session is read-only and the call changes something",
		"only read, and describe the change to the user"}, "3 mode")
	return true
}

// rules takes steps 4 and 5 and reports whether the call is denied.
func (d *decider) rules() bool {
	cands, answers := d.candidates, d.buf.answers[:0]
	if d.suggested == nil {
		cands = d.table()
	} else {
		cands, answers = d.tried(cands), d.buf.trial[:0] // the first answers are still needed
	}
	d.candidates, d.answers = cands, answers
	for _, u := range d.s.units {
		d.answers = append(d.answers, d.t.resolve(d.s, u, cands))
	}
	d.ruleErrors(cands)
	if d.escalate() || d.unknownDenied() {
		return true
	}
	for i, u := range d.s.units {
		if d.unit(u, &d.answers[i]) {
			return true
		}
	}
	return false
}

// table lists the table's rules that may match.
func (d *decider) table() []candidate {
	cands := d.room[:0]
	if cands == nil {
		cands = d.buf.candidates[:0]
	}
	if cands = d.t.candidates(d.s, cands); len(cands) > len(d.buf.candidates) {
		d.room = cands // of a large policy
	}
	return cands
}

// tried are the table's rules, whose conditions were asked, and the suggested ones.
func (d *decider) tried(cands []candidate) []candidate {
	d.tries = append(d.tries[:0], cands...)
	for i := range d.suggested {
		if c := &d.suggested[i].rule; c.fits(d.s) {
			d.tries = append(d.tries, candidate{rule: c})
		}
	}
	return d.tries
}

// unit joins what one unit needs and reports whether it is denied.
func (d *decider) unit(u unit, a *answer) bool {
	if !d.waivesClass(u, a) {
		d.need = d.need.Join(d.classGate(u))
		d.classReason(u)
	}
	if !a.matched() {
		return d.unmatched(u)
	}
	if a.restricts && d.unmatched(u) {
		return true // a layer that may only tighten does not lift unmatched: deny
	}
	d.traceUnit(u, a)
	r := ruleReason(a)
	if a.may {
		r = d.mayReason(u, r)
	}
	switch a.decision {
	case gate.Deny:
		d.deny(r, "5 rules")
		return true
	case gate.Ask:
		d.need = d.need.Join(oneApproval)
		d.explain(rankRule, r)
	default:
		d.explain(rankAllow, r)
	}
	return false
}

// unmatched is for a unit that no rule speaks of.
func (d *decider) unmatched(u unit) bool {
	switch {
	case u.readOnly && (u.text || !d.set.AskReads):
		d.traceUnmatched(u, "it only reads")
		d.explain(rankAllow-1, reason{ByReadOnly, "it only reads", ""})
	case d.set.Mode == ModeAcceptEdits && d.workspaceEdit(u):
		d.traceUnmatched(u, "accept-edits takes an edit of the workspace")
		d.explain(rankAllow, reason{ByAcceptEdits, "it edits the workspace, which this mode accepts", ""})
	case d.set.Unmatched == UnmatchedDeny:
		d.deny(reason{ByUnmatched, "no rule matches it, and the policy denies what no rule matches",
			"use a tool that the policy allows"}, "5 rules")
		return true
	case d.set.Unmatched == UnmatchedAsk, d.set.Unmatched == UnmatchedClass && u.class > gate.TimeWindowUndoable:
		d.traceUnmatched(u, "unmatched asks")
		d.need = d.need.Join(oneApproval)
		d.explain(rankUnmatched, reason{ByUnmatched, "no rule matches it", "use a tool that the policy allows, or ask the user"})
	default:
		d.traceUnmatched(u, "unmatched runs it with its class gate")
		d.explain(rankAllow-1, reason{ByUnmatched, "no rule matches it, and its class may run", ""})
	}
	return false
}

// workspaceEdit reports whether the unit reads and writes one known file of the
// working directory that is not protected.
func (d *decider) workspaceEdit(u unit) bool {
	if u.kind != pathUnit || u.unknown || len(d.in.Protected) > 0 {
		return false
	}
	p := &d.in.Resolved.Paths[u.index]
	if !p.Known || p.Guess || p.Glob || p.Tree || p.Access&(tool.Delete|tool.Execute) != 0 {
		return false
	}
	return !p.Guess && !p.Glob && inWorkspace(p, d.s.env)
}

// inWorkspace reports whether the path, and all that it leads to, is below the
// working directory.
func inWorkspace(u *tool.PathUse, env *plan.Env) bool {
	for i := -1; i < len(u.Links); i++ {
		p := u.Path
		if i >= 0 {
			p = u.Links[i]
		}
		inside := env.Cwd != "" && below(p, env.Cwd) ||
			env.Cwd == "" && !path.IsAbs(p) && p != ".." && !strings.HasPrefix(p, "../")
		if !inside {
			return false
		}
	}
	return true
}

func (d *decider) deny(r reason, step string) {
	d.trace("%s: deny by %s", step, r.rule)
	d.result.Decision = gate.Deny
	d.need = gate.Requirements{}
	d.reason = r
}

// finish fills in the result, and turns it into an allow in mode observe. What is
// suggested comes last, since trying it takes the decision's place.
func (d *decider) finish() Result {
	r := d.result
	r.WouldBe, r.WouldGate = r.Decision, d.need
	r.Rule, r.Why, r.Instead = d.reason.rule, d.reason.why, d.reason.instead
	if d.set.Mode == ModeObserve {
		d.trace("observe: answers allow, would have answered %s", r.WouldBe)
		r.Trace = d.result.Trace
		r.Observed, r.Decision = true, gate.Allow
	}
	if r.Decision != gate.Deny {
		if !r.Observed {
			r.Gate.Requirements = d.need
		}
		if d.in.Resolved != nil {
			r.Gate.Obligations = d.in.Resolved.Obligations()
		}
	}
	if d.s != nil && r.WouldBe == gate.Ask && !d.in.NoSuggest {
		r.Suggest = d.suggest()
	}
	return r
}

func (d *decider) traceUnmatched(u unit, what string) {
	if d.explains() {
		d.trace("5 rules: nothing matches %s: %s", d.unitName(u), what)
	}
}

// explains reports whether the steps are told; those of a trial are not.
func (d *decider) explains() bool { return d.in.Explain && d.suggested == nil }

func (d *decider) trace(format string, args ...any) {
	if d.explains() {
		d.result.Trace = append(d.result.Trace, fmt.Sprintf(format, args...))
	}
}
