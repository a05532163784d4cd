// Package hook stands between an agent client and its tools: it decodes the
// client's event, reviews the proposed call with the session so far, and
// encodes the answer as the client's contract wants it.
//
// In: one event on standard input, as the client writes it. Out: silence where
// the call may run, the client's own prompt where a person is to be asked and
// the client enforces that, and otherwise a refusal in three parts: what, why,
// what can be done instead.
//
// # Guarantees
//
// It never fails open: an event that can't be read, a session that can't be
// read, locked or written, a broken policy, a panic, a signal and the own
// deadline all deny, with a reason that a person can act on. A refusal is one
// JSON object with the fields of every client, the reason on standard error and
// exit code 2, which together block in every client that was measured
// (docs/hooks.md). An allow is silence, so that the client's own rules and
// prompts stay in force.
//
// # Limits
//
// A process that is killed answers nothing; what a client does then is its own
// (install sets its fail-closed switch where it has one). Calls that a client
// runs without any event are seen in its transcript at best.
//
// The package links no YAML, CEL or network: who decides is behind Decider.
package hook

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/planlint/planlint"
	"github.com/planlint/planlint/finding"
	"github.com/planlint/planlint/internal/session"
	"github.com/planlint/planlint/plan"
)

// Decider reviews a session's plan, which ends with the new calls. Its error
// says why nothing could be decided (a policy that can't be loaded) and denies.
type Decider interface {
	Decide(ctx context.Context, p *plan.Plan, s planlint.Situation) (finding.PlanReport, error)
}

// DefaultDeadline is how long a hook takes at most; clients wait ten seconds or
// more before they give up, and most of them run the call then.
const DefaultDeadline = 4 * time.Second

// maxEvent is the largest event that is read, in bytes.
const maxEvent = 64 << 20

// Hook answers the events of one client.
type Hook struct {
	// Client is the adapter, by ByName.
	Client *Client
	// Event is the event's name where the command line gives it.
	Event    string
	Store    *session.Store
	Decider  Decider
	Env      map[string]string
	Deadline time.Duration
}

// Run answers one event and returns the exit code. The context's end is a
// signal to stop, and denies like the deadline.
func (h *Hook) Run(ctx context.Context, stdin io.Reader, stdout, stderr io.Writer) int {
	limit := h.Deadline
	if limit <= 0 {
		limit = DefaultDeadline
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	done := make(chan Output, 1) // so that a late answer waits for nobody
	go func() { done <- h.answer(ctx, stdin) }()
	var out Output
	select {
	case out = <-done:
	case <-ctx.Done():
		out = h.late(done, limit)
	}
	return out.write(stdout, stderr)
}

// grace is how long an answer that is nearly there is waited for once the
// deadline is over: the session's lock and policy loading end with the context,
// with better words than the deadline's.
const grace = 150 * time.Millisecond

func (h *Hook) late(done <-chan Output, limit time.Duration) Output {
	select {
	case out := <-done:
		return out
	case <-time.After(grace):
	}
	return h.Client.deny(&Event{}, fail("planlint did not finish within "+limit.String(),
		"try the call again; if it happens again, see planlint hook doctor and planlint session forget"))
}

// answer reads the event and never panics.
func (h *Hook) answer(ctx context.Context, stdin io.Reader) (out Output) {
	e := &Event{}
	defer func() {
		if cause := recover(); cause != nil {
			out = h.Client.deny(e, fail(fmt.Sprintf("planlint failed: %v", cause),
				"report this to planlint; the call can't be reviewed"))
		}
	}()
	data, err := io.ReadAll(io.LimitReader(stdin, maxEvent+1))
	if err != nil {
		return h.Client.deny(e, fail(fmt.Sprintf("the client's event can't be read: %v", err), "check the hook with planlint hook doctor"))
	}
	if len(data) > maxEvent {
		return h.Client.deny(e, fail(fmt.Sprintf("the client's event is larger than %d MB", maxEvent>>20), "split the call into smaller ones"))
	}
	v, err := session.Value(string(data))
	if err != nil || v.Kind != plan.Object {
		return h.Client.deny(e, fail("the client's event is no JSON object",
			"check the hook's configuration with planlint hook doctor"))
	}
	*e = h.Client.decode(&v, h)
	return h.event(ctx, e)
}

// event answers one decoded event.
func (h *Hook) event(ctx context.Context, e *Event) Output {
	switch {
	case e.Kind == Ignored:
		return h.Client.allow(e)
	case e.Kind == Unknown && len(e.Calls) > 0:
		return h.Client.deny(e, fail(fmt.Sprintf("the event %q is not known, and it names the tool %q", e.Name, e.Calls[0].Tool),
			"update planlint, or take this event out of the hook's configuration"))
	case e.Kind == Unknown:
		out := h.Client.allow(e)
		out.Stderr = fmt.Sprintf("planlint: note: event %q of %s is not known and was ignored\n", printable(e.Name), h.Client.Name)
		return out
	case e.Problem != "":
		return h.unreadable(e)
	}
	s, head, err := h.Store.OpenHead(ctx, h.Client.Name, e.Session)
	if err != nil {
		return h.stateFailed(e, err)
	}
	defer s.Close()
	if out, done := h.quick(ctx, s, head, e); done {
		return out
	}
	if err := s.Load(h.Client.Name, e.Session); err != nil {
		return h.stateFailed(e, err)
	}
	out := h.withSession(ctx, s, e)
	h.keepHead(s, e)
	return out
}

// unreadable is for an event whose calls or session can't be made out.
func (h *Hook) unreadable(e *Event) Output {
	if e.Kind == Before {
		return h.Client.deny(e, fail(e.Problem, "check the client's version with planlint hook doctor"))
	}
	out := h.Client.allow(e)
	out.Stderr = "planlint: note: " + printable(e.Problem) + "\n"
	return out
}

// stateFailed denies a call; any other event only says that it was lost, since
// nothing waits for its answer and what it told of counts as unknown.
func (h *Hook) stateFailed(e *Event, err error) Output {
	reason := fail(fmt.Sprintf("planlint can't use its record of this session: %v", err), stateHint(err, h.Store.Dir(), e.Session))
	if e.Kind == Before {
		return h.Client.deny(e, reason)
	}
	out := h.Client.allow(e)
	out.Stderr = "planlint: note: " + printable(reason.Why) + "\n"
	return out
}

func stateHint(err error, dir, id string) string {
	switch {
	case errors.Is(err, session.ErrLocked):
		return "another planlint holds this session; try the call again"
	case errors.Is(err, session.ErrDamaged):
		return fmt.Sprintf("look at it with planlint session show %s; start anew with planlint session forget %s", printable(id), printable(id))
	case errors.Is(err, session.ErrNoFolder):
		return "set HOME or XDG_STATE_HOME for the client"
	case errors.Is(err, session.ErrBehind):
		return "try the call again: each try gets further"
	}
	return fmt.Sprintf("make %q writable and leave room on its disk, or set XDG_STATE_HOME to a folder that is", dir)
}

// withSession takes an event into the session.
func (h *Hook) withSession(ctx context.Context, s *session.Session, e *Event) Output {
	s.At(e.Cwd)
	err := h.follow(ctx, s, e)
	if errors.Is(err, session.ErrBehind) {
		return h.stateFailed(e, errors.Join(err, s.Commit()))
	}
	note := ""
	if err != nil {
		note = fmt.Sprintf("planlint: note: the transcript was not read: %s\n", printable(err.Error()))
	}
	if s.Torn {
		note += "planlint: note: the last record of this session was cut off and is dropped\n"
	}
	var out Output
	switch e.Kind {
	case Before:
		out = h.before(ctx, s, e)
	default:
		h.after(s, e)
		note += h.learn(ctx, s, e)
		out = h.Client.allow(e)
		if err := s.Commit(); err != nil {
			return h.stateFailed(e, err)
		}
	}
	out.Stderr += note
	return out
}

// follow reads the transcript first, with at most half of the time that is left.
func (h *Hook) follow(ctx context.Context, s *session.Session, e *Event) error {
	if e.Transcript == "" {
		return nil
	}
	if end, ok := ctx.Deadline(); ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Until(end)/2)
		defer cancel()
	}
	return s.Follow(ctx, session.Source{Path: e.Transcript, Client: h.Client.Name, Typed: true})
}

// after takes what an event tells of what has happened.
func (h *Hook) after(s *session.Session, e *Event) {
	switch e.Kind {
	case After:
		for i := range e.Calls {
			c := e.Calls[i]
			c.Agent = s.Agent(e.Agent, e.ParentAgent)
			s.Result(c, e.Outcome, e.Output, e.Cut)
			s.Started(c.ID, e.Starts)
		}
	case Prompt:
		s.Prompt(e.Prompt)
		s.Mentions(e.Prompt)
	}
}

// learn keeps what a review says of outputs that are seen this once. Without it
// they count by their call's contract and context.
func (h *Hook) learn(ctx context.Context, s *session.Session, e *Event) string {
	came := s.Came()
	if len(came) == 0 {
		return ""
	}
	p := s.Plan(h.planEnv(e))
	report, err := h.Decider.Decide(ctx, p, planlint.Situation{})
	if err != nil || len(report.Calls) != len(p.Calls) || ctx.Err() != nil {
		return "planlint: note: what came back was not reviewed\n"
	}
	keepFound(s, came, &report)
	return ""
}

func keepFound(s *session.Session, came []int, report *finding.PlanReport) {
	for _, i := range came {
		labels := report.Calls[i].LabelsOut
		s.Found(i, labels, confidential(labels))
	}
}

// before decides the calls that an event proposes.
func (h *Hook) before(ctx context.Context, s *session.Session, e *Event) Output {
	agent := s.Agent(e.Agent, e.ParentAgent)
	calls := make([]plan.Call, len(e.Calls))
	for i := range e.Calls {
		calls[i] = e.Calls[i]
		calls[i].Agent = agent
	}
	indexes := s.Propose(calls...)
	memory := newMemory(s)
	p := s.Plan(h.planEnv(e))
	report, err := h.Decider.Decide(ctx, p, planlint.Situation{Approvals: memory.ask})
	if err != nil {
		return h.Client.deny(e, fail(fmt.Sprintf("planlint's policy can't be used: %v", err), "correct it; planlint check says where it is wrong"))
	}
	if len(report.Calls) != len(p.Calls) {
		return h.Client.deny(e, fail("planlint did not decide every call of the session", "report this to planlint"))
	}
	keepFound(s, s.Came(), &report)
	answers := h.answers(e, indexes, &report, memory)
	for i, index := range indexes {
		s.Decide(index, verdict(&report, index, &answers[i], memory))
	}
	memory.spend(indexes, &report)
	if err := s.Commit(); err != nil {
		return h.stateFailed(e, err)
	}
	return h.Client.encode(e, answers)
}

// verdict is what the session remembers of a decision.
func verdict(report *finding.PlanReport, index int, a *Answer, m *memory) session.Verdict {
	c := &report.Calls[index]
	v := session.Verdict{Decision: a.Decision, Rule: c.Rule, ReadOnly: c.ReadOnly,
		LabelsIn: c.LabelsIn, LabelsOut: c.LabelsOut, Secret: confidential(c.LabelsIn) || confidential(c.LabelsOut) || confidential(c.LabelsContext)}
	if subject := m.subject(report, c); subject != nil {
		subject.Shown, subject.Rule = a.What, c.Suggest
		if v.Secret { // what may hold a value is not kept in clear
			subject.Shown, subject.Rule = printable(c.Tool), ""
		}
		v.Subject = subject
	}
	return v
}

// confidential reports whether a label is more than an ordinary one.
func confidential(labels []string) bool {
	for _, l := range labels {
		switch l {
		case "public", "internal", "trusted", "untrusted", "source-code":
		default:
			return true
		}
	}
	return false
}

// planEnv is what is known of the machine.
func (h *Hook) planEnv(e *Event) plan.Env {
	return plan.Env{Cwd: e.Cwd, Home: h.Env["HOME"], User: h.Env["USER"], PersistentShell: h.Client.persistentShell}
}
