package planlint

import (
	"fmt"
	"sync"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/planlint/planlint/finding"
	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/internal/reuse"
	"github.com/planlint/planlint/origin"
	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/taint"
	"github.com/planlint/planlint/tool"
)

// noteRuleError is the diagnostic of a condition that could not be evaluated;
// it is closing: the call at least asks.
const noteRuleError = "PL9030"

// composed is what the composition rules say of one plan.
type composed struct {
	findings []finding.Finding
	notes    []plan.Note
	origins  *origin.Report
}

// composition is one run of all composition rules over one plan. Bit masks
// decide first; a condition is evaluated only where they hold. Its memory is kept
// for the next plan, and nothing in a report points there.
type composition struct {
	policy  *Policy
	plan    *plan.Plan
	calls   []tool.Resolved
	labels  *taint.Labels
	subject tool.Subject
	notes   []plan.Note
	// found are the findings as the rules come; path is room for the calls that
	// they escalate.
	found []finding.Finding
	path  []int
	// names are those of sets of labels; words are the current rule's.
	names few[taint.Set, []string]
	words words
	// order and kept are room for sorting.
	order, kept []int32
}

// words are what a rule says in other words than its own, empty where it was not
// needed yet.
type words struct {
	inContext string
	blind     *finding.Rule
}

var compositions = sync.Pool{New: func() any { return new(composition) }}

func (c *Checker) compose(p *plan.Plan, calls []tool.Resolved, labels *taint.Labels, origins *origin.Report) composed {
	run := compositions.Get().(*composition)
	run.policy, run.plan, run.calls, run.labels = &c.policy, p, calls, labels
	run.subject = tool.Subject{Plan: p, Calls: calls, Labels: labels, Universe: c.policy.Universe, Origins: origins}
	run.notes = append(run.notes, origins.Notes...)
	flows := labels.FlowsWhere(run.wanted)
	for i := range c.policy.Compose {
		rule := &c.policy.Compose[i]
		run.words = words{}
		switch rule.On {
		case finding.OnFlow:
			run.onFlows(rule, flows)
		case finding.OnCall:
			run.onCalls(rule)
		case finding.OnPlan:
			run.onPlan(rule)
		}
	}
	out := composed{findings: run.findings(len(flows)), notes: run.notes, origins: origins}
	run.end()
	return out
}

// end gives the memory back, without what stood there.
func (r *composition) end() {
	*r = composition{found: reuse.Cleared(r.found), path: reuse.Cleared(r.path), order: reuse.Cleared(r.order), kept: reuse.Cleared(r.kept)}
	compositions.Put(r)
}

// onFlows makes at most one finding per sink call: the best witness that the
// rule speaks of, with a count of the others.
func (r *composition) onFlows(rule *finding.Rule, flows []taint.Flow) {
	for start := 0; start < len(flows); {
		end := start + 1
		for end < len(flows) && flows[end].Sink.Call == flows[start].Sink.Call {
			end++
		}
		r.onFlowsOf(rule, flows[start:end])
		start = end
	}
}

func (r *composition) onFlowsOf(rule *finding.Rule, flows []taint.Flow) {
	var best *taint.Flow
	for i := range flows {
		f := &flows[i]
		if !r.possible(rule, f) || best != nil && !better(f, best) {
			continue
		}
		r.subject.Call, r.subject.Flow = f.Sink.Call, f
		if !r.excepted(rule, f) && r.holds(rule, rule.When, f.Sink.Call) {
			best = f
		}
	}
	if best != nil {
		r.add(rule, best.Sink.Call, best)
	}
}

// wanted reports whether some rule could speak of a flow whose path is not known
// yet, so that no path is looked for in vain.
func (r *composition) wanted(f *taint.Flow) bool {
	for i := range r.policy.Compose {
		if rule := &r.policy.Compose[i]; rule.On == finding.OnFlow && r.speaksOf(rule, f) {
			return true
		}
	}
	return false
}

// speaksOf is the part of the rule's necessary condition that needs no path.
func (r *composition) speaksOf(rule *finding.Rule, f *taint.Flow) bool {
	if f.Precision < r.leastPrecision(rule) || rule.Sink != 0 && rule.Sink&f.Kinds == 0 {
		return false
	}
	switch {
	case rule.Labels != 0:
		return rule.Labels.Has(f.Label)
	case len(rule.AllLabels) > 0:
		return rule.AllLabels[0].Has(f.Label)
	}
	return true
}

// possible is the rule's necessary condition: masks only.
func (r *composition) possible(rule *finding.Rule, f *taint.Flow) bool {
	if !r.speaksOf(rule, f) || rule.Classes != 0 && rule.Classes&(1<<r.calls[f.Sink.Call].Class) == 0 {
		return false
	}
	if len(rule.AllLabels) == 0 {
		return true
	}
	held := r.labels.Sink(f.Sink.Call, f.Sink.Step, f.SinkIndex, r.leastPrecision(rule))
	for _, any := range rule.AllLabels {
		if !held.Intersects(any) {
			return false
		}
	}
	return true
}

func (r *composition) leastPrecision(rule *finding.Rule) taint.Precision {
	if r.policy.Precision != taint.NoPrecision {
		return r.policy.Precision
	}
	return rule.MinPrecision
}

// better prefers stronger evidence, then the shorter path, then the earlier
// flow, so that the choice never depends on anything else.
func better(a, b *taint.Flow) bool {
	if a.Precision != b.Precision {
		return a.Precision > b.Precision
	}
	return len(a.Hops) < len(b.Hops)
}

func (r *composition) excepted(rule *finding.Rule, f *taint.Flow) bool {
	for i := range rule.Exceptions {
		e := &rule.Exceptions[i]
		if !matchesTool(e.Tool, &r.plan.Calls[f.Sink.Call]) {
			continue
		}
		if e.Source != "" && (f.Source.Call < 0 || !matchesTool(e.Source, &r.plan.Calls[f.Source.Call])) {
			continue
		}
		if e.When == 0 {
			return true
		}
		// An exception that can't be evaluated does not except.
		if ok, err := r.eval(e.When); ok && err == nil {
			return true
		}
	}
	return false
}

func matchesTool(glob string, call *plan.Call) bool {
	if glob == "" || glob == call.Tool {
		return true
	}
	ok, err := doublestar.Match(glob, call.Tool)
	return ok && err == nil
}

// holds reports whether a condition holds; one that can't be evaluated counts
// as holding, with a closing note.
func (r *composition) holds(rule *finding.Rule, cond int32, call int) bool {
	if cond == 0 {
		return true
	}
	ok, err := r.eval(cond)
	if err != nil {
		r.notes = append(r.notes, plan.Note{
			ID: noteRuleError, Call: call, Closing: true,
			Message: fmt.Sprintf("rule %s could not be evaluated and counts as matched: %v", rule.ID, err),
		})
		return true
	}
	return ok
}

func (r *composition) eval(cond int32) (bool, error) {
	if r.policy.Composer == nil {
		return false, fmt.Errorf("no composer for conditions")
	}
	return r.policy.Composer.Holds(tool.Cond(cond), &r.subject)
}

func (r *composition) onCalls(rule *finding.Rule) {
	for i := range r.calls {
		if r.matchesCall(rule, i) {
			r.add(rule, i, nil)
		}
	}
}

func (r *composition) matchesCall(rule *finding.Rule, i int) bool {
	call := &r.calls[i]
	if rule.Classes != 0 && rule.Classes&(1<<call.Class) == 0 {
		return false
	}
	if rule.Sink != 0 && rule.Sink&call.SinkKinds() == 0 {
		return false
	}
	if rule.Origin != 0 && rule.Origin&r.subject.Origins.Calls[i].Signals() == 0 {
		return false
	}
	held := r.labels.In(i, r.leastPrecision(rule))
	if rule.Labels != 0 && !held.Intersects(rule.Labels) {
		return false
	}
	for _, any := range rule.AllLabels {
		if !held.Intersects(any) {
			return false
		}
	}
	r.subject.Call, r.subject.Flow = i, nil
	return r.holds(rule, rule.When, i)
}

// onPlan asks once, if some call has one of the rule's classes and sinks; what
// it finds is about the plan as a whole.
func (r *composition) onPlan(rule *finding.Rule) {
	possible := false
	for i := range r.calls {
		call := &r.calls[i]
		possible = possible || (rule.Classes == 0 || rule.Classes&(1<<call.Class) != 0) &&
			(rule.Sink == 0 || rule.Sink&call.SinkKinds() != 0)
	}
	if !possible {
		return
	}
	r.subject.Call, r.subject.Flow = -1, nil
	if r.holds(rule, rule.When, -1) {
		r.add(rule, -1, nil)
	}
}

func (r *composition) add(rule *finding.Rule, call int, flow *taint.Flow) {
	if call >= 0 && r.plan.Calls[call].Copied {
		return // it was said where the call first stands
	}
	f := finding.Finding{
		Rule: rule, Call: call, Flow: flow,
		Message:  r.message(rule, flow),
		Position: r.position(call, flow),
		Gate:     r.gate(rule, call, flow),
	}
	if r.undescribed(rule, flow) {
		f.Rule = r.words.ofBlind(rule)
	}
	if flow != nil {
		f.Precision = flow.Precision
		f.Labels = r.labelNames(flow.Labels)
	}
	if rule.Origin != 0 && call >= 0 {
		from := r.subject.Origins.Calls[call]
		f.Origin = &from // not the whole report
		if at, ok := r.decided(rule, &from, call); ok {
			f.Position.Position = at
		}
	}
	f.Escalates = r.escalates(rule, call, flow)
	r.found = append(r.found, f)
}

// ofBlind is a rule in the words for a tool that nothing describes.
func (w *words) ofBlind(rule *finding.Rule) *finding.Rule {
	if w.blind == nil {
		own := *rule
		own.Why = "what the tool does with it is not known, so it counts as if it were executed"
		own.Instead = "describe the tool under tools: in the policy, or keep the untrusted text out of its arguments"
		w.blind = &own
	}
	return w.blind
}

func (r *composition) labelNames(set taint.Set) []string {
	names, ok := r.names.get(&set)
	if !ok {
		names = r.policy.Universe.Names(set)
		r.names.put(&set, names)
	}
	return names
}

// escalates returns the calls that the finding makes stricter: the sink call,
// and of its witness path what has not run yet, so that a person decides before
// the secret is read. A denied sink never runs, so its path needs no question.
func (r *composition) escalates(rule *finding.Rule, call int, flow *taint.Flow) []int {
	if call < 0 || rule.Gate == finding.GateNone && rule.Decision != gate.Deny {
		return nil
	}
	first := len(r.path)
	if flow == nil || rule.SinkOnly || rule.Decision == gate.Deny || !r.passesPlanned(flow) {
		r.path = append(r.path, call)
		return r.path[first:]
	}
	for _, i := range flow.Calls() {
		if i == call || r.plan.Calls[i].Outcome == plan.Planned {
			r.path = append(r.path, i)
		}
	}
	return r.path[first:]
}

// passesPlanned reports whether some call on a flow's path has not run yet.
func (r *composition) passesPlanned(f *taint.Flow) bool {
	planned := func(p *taint.Place) bool { return p.Call >= 0 && r.plan.Calls[p.Call].Outcome == plan.Planned }
	if planned(&f.Source) || planned(&f.Sink) {
		return true
	}
	for i := range f.Hops {
		if planned(&f.Hops[i].From) || planned(&f.Hops[i].To) {
			return true
		}
	}
	return false
}

// gate returns what the finding adds to the calls it escalates.
func (r *composition) gate(rule *finding.Rule, call int, flow *taint.Flow) gate.Requirements {
	gates := &r.policy.Gates
	switch rule.Gate {
	case finding.GateNone:
		return gate.Requirements{}
	case finding.GateApproval:
		return gate.Requirements{Approvals: 1}
	case finding.GateClass:
		return gates.For(r.strictestClass(call, flow))
	}
	if flow != nil && flow.Precision <= taint.Context {
		return gates.For(gate.IrreversiblePublic)
	}
	return gates.Strictest
}

func (r *composition) strictestClass(call int, flow *taint.Flow) gate.Class {
	if call < 0 {
		return gate.ReversibleInternal
	}
	class := r.calls[call].Class
	if flow != nil {
		for _, i := range flow.Calls() {
			class = max(class, r.calls[i].Class)
		}
	}
	return class
}

// message is the rule's title with what a reader can't see in the path: that it
// is known by context only, and which git remote it goes to.
func (r *composition) message(rule *finding.Rule, flow *taint.Flow) string {
	switch {
	case flow == nil:
		return rule.Title
	case r.undescribed(rule, flow):
		return "untrusted content reaches a tool that nothing describes"
	case flow.Precision == taint.Context:
		if r.words.inContext == "" {
			r.words.inContext = rule.Title + " (it was in the agent's context)"
		}
		return r.words.inContext
	}
	if remote := r.calls[flow.Sink.Call].PushedTo(flow.Sink.Step); remote != "" {
		return fmt.Sprintf("%s (git remote %q)", rule.Title, remote)
	}
	return rule.Title
}

// undescribed reports whether a built-in rule on what is executed speaks only since
// nothing describes the sink's tool.
func (r *composition) undescribed(rule *finding.Rule, flow *taint.Flow) bool {
	return flow != nil && rule.Builtin && rule.Sink == taint.SinkExec && r.calls[flow.Sink.Call].Contract == nil
}

// position points at the evidence of the last hop that has one, else at the
// call.
func (r *composition) position(call int, flow *taint.Flow) finding.Position {
	pos := finding.Position{File: r.plan.Source}
	if flow != nil {
		for i := len(flow.Hops) - 1; i >= 0; i-- {
			if at := flow.Hops[i].Evidence.Pos; at.Known() && flow.Hops[i].To.Call == flow.Sink.Call {
				pos.Position = at
				return pos
			}
		}
	}
	if call >= 0 {
		pos.Position = r.plan.Calls[call].Pos
	} else if len(r.plan.Calls) > 0 {
		pos.Position = r.plan.Calls[len(r.plan.Calls)-1].Pos
	}
	return pos
}

// decided returns where the argument stands that raised the rule's signal.
func (r *composition) decided(rule *finding.Rule, from *origin.Call, call int) (plan.Position, bool) {
	for _, reason := range from.Reasons() {
		if reason.Signal&rule.Origin == 0 || reason.Part < 0 {
			continue
		}
		part := &from.Parts[reason.Part]
		for _, v := range r.calls[call].Facts.Slots[part.Slot].Values() {
			if at := placeOf(part, v); at.Known() {
				return at, true
			}
		}
	}
	return plan.Position{}, false
}

// placeOf is where a part stands in a value, as narrow as it is known.
func placeOf(part *origin.Part, v *plan.Value) plan.Position {
	at, found := v.Pos, false
	v.Walk(func(_ plan.Path, leaf *plan.Value) bool {
		start, end, ok := part.Within(leaf.Text)
		if found || !ok || !leaf.Pos.Known() {
			return !found
		}
		at, found = leaf.Pos, true
		// Only text that stands in the file as it is, with quotes or without, has
		// the same offsets there.
		if extra := int(at.Length) - len(leaf.Text); extra == 0 || extra == 2 {
			at.Column += int32(start + extra/2)
			at.Length = int32(end - start)
		}
		return !found
	})
	return at
}
