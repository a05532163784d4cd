// Package quick tells when a call's answer can't depend on what its session did
// before, so that a hook need not read the session's record for it.
//
// In: a policy; a session's plan, or the facts that were condensed from it, and
// one new call. Out: those facts; or the call's decision, with the claim that a
// review of the whole session decides the same.
//
// # How
//
// What a session can do to a call is listed, and each item is excluded by the
// call's own facts or by those of the session:
//
//   - it resolves otherwise: command lines that changed the shell, links, copied
//     programs and remotes are replayed before it (Facts.Prelude); files that
//     calls wrote are known by path, and a call that runs or loads one of them is
//     not quick
//   - a flow reaches it: it has no sink that a composition rule speaks of, or
//     nothing in the session carries that rule's labels
//   - a rule on calls speaks of labels: likewise
//   - third parties' text decided its arguments: it reads only, or no output of
//     the session holds such text
//   - an approval is remembered: the call is allowed without one
//
// # Guarantees and limits
//
// Alone only ever says allow. Where anything is not known it says nothing, and
// the session is reviewed as a whole. Calls that carry labels, start agents, or
// belong to a session with secrets in it are never quick. Labels that a quick
// call's output gets from the session are found when its result comes.
package quick

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/planlint/planlint"
	"github.com/planlint/planlint/finding"
	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/internal/session"
	"github.com/planlint/planlint/origin"
	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/shell"
	"github.com/planlint/planlint/taint"
	"github.com/planlint/planlint/tool"
)

// Alone decides the only call of a plan. ok says that it is allowed, and would
// be after any session with these facts; after are the facts with the call.
func Alone(ctx context.Context, policy *planlint.Policy, p *plan.Plan, f session.Facts) (m session.Memo, after session.Facts, ok bool) {
	whole, ok := withPrelude(p, &f)
	if !ok {
		return m, f, false
	}
	report := planlint.New(*policy).Check(ctx, whole)
	last := len(whole.Calls) - 1
	if len(report.Calls) != last+1 {
		return m, f, false
	}
	c := &report.Calls[last]
	if c.Decision != gate.Allow || len(c.Findings)+len(c.LabelsIn)+len(c.LabelsContext)+len(c.LabelsOut) > 0 {
		return m, f, false
	}
	calls := policy.Registry.Resolve(whole)
	r := &calls[last]
	m = session.Memo{Rule: c.Rule, ReadOnly: c.ReadOnly}
	m.Runs, m.Any = runs(r)
	if r.Contract == nil || r.Contract.Spawns != "" || reachable(policy, r, &f) || r.Script() != nil && f.Unsure ||
		m.Any && len(f.Written) > 0 || slices.ContainsFunc(m.Runs, func(x uint64) bool { return slices.Contains(f.Written, x) }) {
		return m, f, false
	}
	after = condense(policy, whole, calls, f.Policy, &f)
	for _, w := range after.Written {
		if !slices.Contains(f.Written, w) {
			m.Writes = append(m.Writes, w)
		}
	}
	if len(f.Labels) == 0 && !f.Text && !after.Text && len(after.Labels) == 0 {
		m.Free = free(ctx, policy, whole, r, c)
	}
	return m, after, true
}

// nasty is a text that is looked at in every way in which the content of an
// argument can matter beside what is recognised in it: as the programs of a
// package manifest, and as a page that calls out when it is shown. It holds the
// argument's name, so that what stands there and what replaces it differ.
const nasty = "\"scripts\": {\"postinstall\": \"sh NAME\"}\n![x](https://evil.example/x) <img src=\"https://evil.example/x\">"

// free returns the arguments of the last call whose text changes nothing, as
// long as nothing is recognised in it: content and selectors of a tool whose
// contract has no conditions. That is tried with a text that would.
func free(ctx context.Context, policy *planlint.Policy, p *plan.Plan, r *tool.Resolved, was *finding.CallReport) []string {
	if r.Script() != nil || conditional(r.Contract) {
		return nil
	}
	last := len(p.Calls) - 1
	args := p.Calls[last].Args
	args.Items = slices.Clone(args.Items)
	var names []string
	for i, name := range args.Keys {
		if args.Items[i].Kind == plan.String && freeRole(r.Contract, name) && !slices.Contains(args.Keys[:i], name) {
			names = append(names, name)
			args.Items[i] = plan.Str(strings.ReplaceAll(nasty, "NAME", name))
		}
	}
	if len(names) == 0 {
		return nil
	}
	tried := *p
	tried.Calls = slices.Clone(p.Calls)
	tried.Calls[last].Args = args
	c := &planlint.New(*policy).Check(ctx, &tried).Calls[last]
	if c.Decision != was.Decision || c.Rule != was.Rule || c.ReadOnly != was.ReadOnly ||
		len(c.Findings)+len(c.LabelsIn)+len(c.LabelsContext)+len(c.LabelsOut) > 0 {
		return nil
	}
	return names
}

// freeRole reports whether an argument is content or a selector and nothing
// else.
func freeRole(c *tool.Contract, name string) bool {
	found := false
	for i := range c.Args {
		a := &c.Args[i]
		if len(a.Path) == 0 || a.Path[0].Key != name {
			continue
		}
		if len(a.Path) > 1 || a.Role != tool.Content && a.Role != tool.Selector {
			return false
		}
		found = true
	}
	return found
}

// conditional reports whether a contract asks for the values of arguments.
func conditional(c *tool.Contract) bool {
	if len(c.ClassWhen)+len(c.Sanitizes)+len(c.Endorses) > 0 {
		return true
	}
	return slices.ContainsFunc(c.Output, func(o tool.OutputLabel) bool { return o.If != 0 }) ||
		slices.ContainsFunc(c.Sinks, func(s tool.SinkDecl) bool { return s.If != 0 })
}

// withPrelude puts the session's command lines before the call.
func withPrelude(p *plan.Plan, f *session.Facts) (*plan.Plan, bool) {
	whole := *p
	whole.Calls = make([]plan.Call, 0, len(f.Prelude)+1)
	for _, line := range f.Prelude {
		args, err := session.Value(string(line.Args))
		if err != nil {
			return nil, false
		}
		c := plan.Call{Tool: line.Tool, Server: line.Server, Args: args, Outcome: plan.Ran, OutputState: plan.OutputAbsent}
		if line.Failed {
			c.Outcome = plan.Failed
		}
		whole.Calls = append(whole.Calls, c)
	}
	whole.Calls = append(whole.Calls, p.Calls...)
	for i := range whole.Calls {
		whole.Calls[i].Index, whole.Calls[i].Turn = i, i
	}
	return &whole, true
}

// reachable reports whether a composition rule could speak of the call, whatever
// labels and texts a session with these facts holds.
func reachable(policy *planlint.Policy, r *tool.Resolved, f *session.Facts) bool {
	kinds, held := r.SinkKinds(), taint.Set(0)
	for _, name := range f.Labels {
		set, ok := policy.Universe.Lookup(name)
		if !ok {
			return true
		}
		held |= set
	}
	for i := range policy.Compose {
		rule := &policy.Compose[i]
		if rule.Classes != 0 && rule.Classes&(1<<r.Class) == 0 || rule.Sink != 0 && rule.Sink&kinds == 0 {
			continue
		}
		switch rule.On {
		case finding.OnFlow:
			if kinds != 0 && mayHold(rule, held) {
				return true
			}
		case finding.OnCall:
			labelled := rule.Labels != 0 || len(rule.AllLabels) > 0
			switch {
			case rule.Origin != 0:
				// Signals are raised on what acts, after a text.
				if r.Effect != origin.Reads && f.Text {
					return true
				}
			case rule.When != 0 || labelled && mayHold(rule, held):
				return true
			}
		}
	}
	return false
}

// mayHold reports whether data with some of the labels has what a rule asks for.
func mayHold(rule *finding.Rule, held taint.Set) bool {
	if held == 0 || rule.Labels != 0 && !rule.Labels.Intersects(held) {
		return false
	}
	for _, any := range rule.AllLabels {
		if !any.Intersects(held) {
			return false
		}
	}
	return true
}

// runs returns digests of the files that a command line runs or loads, whose
// text decides what it does. any: they can't all be named.
func runs(r *tool.Resolved) (files []uint64, any bool) {
	if r.Script() == nil {
		return nil, false // what a tool writes is what it says
	}
	for i := range r.Script().Steps {
		st := &r.Script().Steps[i]
		if st.Local {
			any = any || !path.IsAbs(st.Program)
			files = append(files, session.PathDigest(path.Clean(st.Program)))
		}
		for k := range st.Effects {
			e := &st.Effects[k]
			switch e.Kind {
			case shell.Exec, shell.Load, shell.Copy, shell.Move, shell.Link:
				any = any || !e.Known
				for _, name := range append([]string{e.Target, e.Source, e.Real}, e.From.Files...) {
					if path.IsAbs(name) {
						files = append(files, session.PathDigest(name))
					} else if name != "" && name != "file" && name != "task" {
						any = true
					}
				}
			}
		}
	}
	return files, any
}

// Condense says what a session's calls leave for later ones to be resolved by.
func Condense(policy *planlint.Policy, id string, p *plan.Plan) session.Facts {
	return condense(policy, p, policy.Registry.Resolve(p), id, nil)
}
