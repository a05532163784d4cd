package hook

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/internal/session"
	"github.com/planlint/planlint/plan"
)

// Quick is a Decider that knows when a call's answer can't depend on what the
// session did before, so that the session's record need not be read for it.
type Quick interface {
	Decider
	// Condense says what a session's calls leave for later ones; ok is false
	// where that can't be told.
	Condense(p *plan.Plan) (f session.Facts, ok bool)
	// Alone decides the only call of a plan. It is ok only where the call is
	// allowed, and would be in every session with these facts; the facts then
	// include the call's.
	Alone(ctx context.Context, p *plan.Plan, f session.Facts) (m session.Memo, after session.Facts, ok bool)
	// Policy identifies the policy of a folder; "" where it can't be.
	Policy(dir string) string
	// Clean reports whether the policy of a folder recognises nothing in a text.
	Clean(dir, text string) bool
}

// quick answers an event by the session's head alone, and reports whether it
// did. It only ever allows.
func (h *Hook) quick(ctx context.Context, s *session.Session, head *session.Head, e *Event) (Output, bool) {
	decider, able := h.Decider.(Quick)
	if !able || head == nil || len(e.Calls) != 1 || e.Agent != "" && e.Agent != plan.MainAgent {
		return Output{}, false
	}
	c := e.Calls[0]
	source := session.Source{Path: e.Transcript, Client: h.Client.Name, Typed: true}
	if e.Kind == After {
		return h.quickResult(s, head, e, decider, source)
	}
	if e.Kind != Before {
		return Output{}, false
	}
	if !s.Fits(head, &c, e.Cwd, source) {
		return Output{}, false
	}
	env := h.planEnv(e)
	if head.Cwd != "" {
		env.Cwd = head.Cwd
	}
	p := &plan.Plan{ID: e.Session, Source: "session " + e.Session, Format: h.Client.Name, Env: env,
		Calls: []plan.Call{c}, Agents: []plan.Agent{{Name: plan.MainAgent, SpawnedBy: -1}}}
	if head.Facts.Policy == "" || decider.Policy(env.Cwd) != head.Facts.Policy {
		return Output{}, false
	}
	m, facts, ok := head.Recall(func(m *session.Memo) bool { return answers(decider, m, p) })
	if !ok {
		if m, facts, ok = decider.Alone(ctx, p, head.Facts); !ok || ctx.Err() != nil {
			return Output{}, false
		}
		m.Key = memoKey(p, m.Free)
		head.Remember(m)
	}
	ok, err := s.Append(head, c, session.Verdict{Decision: gate.Allow, Rule: m.Rule, ReadOnly: m.ReadOnly}, facts)
	if err != nil {
		return h.stateFailed(e, err), true
	}
	if !ok {
		return Output{}, false
	}
	return h.Client.encode(e, []Answer{{Decision: gate.Allow, Rule: m.Rule, Call: c.ID}}), true
}

// quickResult takes what a call returned by the session's head alone: of a call
// that carries no label, in a session without any, and with nothing in it that
// the policy recognises.
func (h *Hook) quickResult(s *session.Session, head *session.Head, e *Event, decider Quick, source session.Source) (Output, bool) {
	id := e.Calls[0].ID
	if e.Outcome != plan.Ran || e.Starts != "" || !s.FitsResult(head, id, source) || decider.Policy(head.Cwd) != head.Facts.Policy ||
		e.Output != nil && !clean(decider, head.Cwd, e.Output) {
		return Output{}, false
	}
	ok, err := s.AppendResult(head, id, e.Output, e.Cut)
	if err != nil {
		return h.stateFailed(e, err), true
	}
	return h.Client.allow(e), ok
}

// clean reports whether nothing is recognised in any text of a value.
func clean(decider Quick, dir string, v *plan.Value) bool {
	ok := true
	v.Walk(func(_ plan.Path, part *plan.Value) bool {
		ok = ok && (part.Kind != plan.String || decider.Clean(dir, part.Text))
		for _, key := range part.Keys {
			ok = ok && decider.Clean(dir, key)
		}
		return ok
	})
	return ok
}

// answers reports whether a remembered answer is that of the plan's call.
func answers(decider Quick, m *session.Memo, p *plan.Plan) bool {
	if m.Key != memoKey(p, m.Free) {
		return false
	}
	for _, name := range m.Free {
		if v := p.Calls[0].Args.Get(name); v == nil || !decider.Clean(p.Env.Cwd, v.Text) {
			return false
		}
	}
	return true
}

// memoKey is a digest of a call without the texts of some arguments, and of
// where it runs; the policy and what the session leaves are the head's.
func memoKey(p *plan.Plan, free []string) string {
	c, env := &p.Calls[0], &p.Env
	args := c.Args
	args.Items = slices.Clone(args.Items)
	for i, name := range args.Keys {
		if slices.Contains(free, name) && args.Items[i].Kind == plan.String {
			args.Items[i] = plan.Value{Kind: plan.Null}
		}
	}
	h := sha256.New()
	for _, part := range []string{c.Tool, c.Server, c.Caller, env.Cwd, env.Home, env.User, strconv.FormatBool(env.PersistentShell),
		strconv.FormatBool(c.RawArgs), strings.Join(free, "\x00"), string(session.JSON(&args))} {
		fmt.Fprintf(h, "%d:%s", len(part), part)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// Fast answers an event where that needs neither a deadline nor the session's
// record, and reports whether it did: it starts no goroutine, waits for no lock,
// and writes nothing where it does not answer.
func (h *Hook) Fast(event []byte, stdout, stderr io.Writer) (code int, ok bool) {
	defer func() {
		if recover() != nil {
			code, ok = 0, false // Run says what is wrong
		}
	}()
	v, err := session.Value(string(event))
	if err != nil || v.Kind != plan.Object {
		return 0, false
	}
	e := h.Client.decode(&v, h)
	if e.Kind == Ignored {
		return h.Client.allow(&e).write(stdout, stderr), true
	}
	if e.Kind != Before && e.Kind != After || e.Problem != "" {
		return 0, false
	}
	now, cancel := context.WithCancel(context.Background())
	cancel()
	s, head, err := h.Store.OpenHead(now, h.Client.Name, e.Session)
	if err != nil {
		return 0, false
	}
	defer s.Close()
	out, ok := h.quick(context.Background(), s, head, &e)
	if !ok {
		return 0, false
	}
	return out.write(stdout, stderr), true
}

// keepHead writes what later calls can be answered by. A session that was not
// committed, or that was written anew, gets none.
func (h *Hook) keepHead(s *session.Session, e *Event) {
	decider, able := h.Decider.(Quick)
	if !able {
		return
	}
	if facts, ok := decider.Condense(s.Plan(h.planEnv(e))); ok {
		s.KeepHead(facts)
	}
}
