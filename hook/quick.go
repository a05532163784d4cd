package hook

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"time"
	"strconv"

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
}

// quick answers a proposed call by the session's head alone, and reports whether
// it did. It only ever allows.
func (h *Hook) quick(ctx context.Context, s *session.Session, head *session.Head, e *Event) (Output, bool) {
	decider, able := h.Decider.(Quick)
	if !able || head == nil || e.Kind != Before || len(e.Calls) != 1 || e.Agent != "" && e.Agent != plan.MainAgent {
		return Output{}, false
	}
	c := e.Calls[0]
	source := session.Source{Path: e.Transcript, Client: h.Client.Name, Typed: true}
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
	key := memoKey(p)
	m, facts, ok := head.Recall(key)
	if !ok {
		if m, facts, ok = decider.Alone(ctx, p, head.Facts); !ok || ctx.Err() != nil {
			return Output{}, false
		}
		m.Key = key
		head.Remember(m)
	}
	Lap("recall")
	ok, err := s.Append(head, c, session.Verdict{Decision: gate.Allow, Rule: m.Rule, ReadOnly: m.ReadOnly}, facts)
	Lap("append")
	if err != nil {
		return h.stateFailed(e, err), true
	}
	if !ok {
		return Output{}, false
	}
	return h.Client.encode(e, []Answer{{Decision: gate.Allow, Rule: m.Rule, Call: c.ID}}), true
}

// memoKey is a digest of all of a call, and of where it runs; the policy and what
// the session leaves are the head's.
func memoKey(p *plan.Plan) string {
	c, env := &p.Calls[0], &p.Env
	h := sha256.New()
	for _, part := range []string{c.Tool, c.Server, c.Caller, env.Cwd, env.Home, env.User, strconv.FormatBool(env.PersistentShell),
		strconv.FormatBool(c.RawArgs), string(session.JSON(&c.Args))} {
		fmt.Fprintf(h, "%d:%s", len(part), part)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// Fast answers an event where that needs neither a deadline nor the session's
// record, and reports whether it did: it starts no goroutine, waits for no lock,
// and writes nothing where it does not answer.
var T0 = time.Now()
func Lap(n string) { if os.Getenv("LAP") != "" { d := time.Since(T0).Microseconds(); fmt.Fprint(os.Stderr, n, " ", d, " "); T0 = time.Now() } }

func (h *Hook) Fast(event []byte, stdout, stderr io.Writer) (code int, ok bool) {
	Lap("start")
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
	if e.Kind != Before || e.Problem != "" {
		return 0, false
	}
	now, cancel := context.WithCancel(context.Background())
	cancel()
	s, head, err := h.Store.OpenHead(now, h.Client.Name, e.Session)
	if err != nil {
		return 0, false
	}
	defer s.Close()
	Lap("openhead")
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
