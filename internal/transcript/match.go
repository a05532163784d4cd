package transcript

import (
	"fmt"
	"slices"
	"strings"

	"github.com/planlint/planlint/plan"
)

// callKey names a queue of unanswered calls: those of an agent with an id, or
// (ordered) all of an agent, each also by tool.
type callKey struct {
	agent, id, tool string
	ordered         bool
}

// queue holds unanswered calls, grouped by turn. Calls answered by way of
// another queue are stepped over, so that each costs its place once.
type queue []turnCalls

type turnCalls struct {
	turn  int
	calls []int
}

func (q *queue) push(turn, index int) {
	if n := len(*q); n > 0 && (*q)[n-1].turn == turn {
		(*q)[n-1].calls = append((*q)[n-1].calls, index)
		return
	}
	*q = append(*q, turnCalls{turn, []int{index}})
}

// pop returns the first open call of the latest turn that has one and is not
// before the given turn; -1 for none.
func (q *queue) pop(answered []bool, notBefore int) int {
	for q != nil && len(*q) > 0 {
		last := &(*q)[len(*q)-1]
		if last.turn < notBefore {
			return -1
		}
		for len(last.calls) > 0 {
			index := last.calls[0]
			last.calls = last.calls[1:]
			if !answered[index] {
				return index
			}
		}
		*q = (*q)[:len(*q)-1]
	}
	return -1
}

// opened files an unanswered call.
func (b *Builder) opened(e Event, turn, index int) {
	keys := []callKey{{e.Agent, e.ID, "", false}, {e.Agent, "", "", true}, {e.Agent, "", e.Tool, true}, {e.Agent, "", e.Tool, false}}
	if e.ID != "" || e.Tool == "" {
		keys = keys[:3]
	}
	for _, key := range keys {
		q := b.open[key]
		if q == nil {
			q = &queue{}
			b.open[key] = q
		}
		q.push(turn, index)
	}
}

// match finds the call that a result answers: the nearest earlier unanswered
// one of that id, and within one turn the first of them. What is left goes by
// order: to the calls without an id, and if the result has none either, to any
// open call of the agent's last turn, by tool where one fits.
func (b *Builder) match(e Event) int {
	if e.ID != "" {
		for _, agent := range []string{e.Agent, ""} {
			if i := b.open[callKey{agent, e.ID, "", false}].pop(b.answered, 0); i >= 0 {
				return i
			}
		}
	}
	for _, tool := range []string{e.Tool, ""} {
		if i := b.open[callKey{e.Agent, "", tool, false}].pop(b.answered, 0); i >= 0 {
			return i
		}
	}
	if e.ID != "" {
		return -1
	}
	turn := b.agents.state(e.Agent).turn
	for _, tool := range []string{e.Tool, ""} {
		if i := b.open[callKey{e.Agent, "", tool, true}].pop(b.answered, turn); i >= 0 {
			return i
		}
	}
	return -1
}

func (b *Builder) result(e Event) {
	index := b.match(e)
	if index < 0 {
		b.orphan(e)
		return
	}
	c := &b.plan.Calls[index]
	b.answered[index] = true
	if e.ByText && (c.Server != "" || strings.HasPrefix(c.Tool, "mcp__")) {
		e.Outcome = plan.Failed
	}
	c.Outcome, c.OutputPos = e.Outcome, e.Pos
	if len(e.Labels) > 0 {
		c.Extend().OutputLabels = append(c.OutputLabels(), e.Labels...)
	}
	b.agents.state(e.Agent).idle = false
	switch {
	case e.NoOutput:
		if !e.Outcome.DidNotRun() {
			b.note(NoteNoOutput, index, e.Pos, fmt.Sprintf("the output of %q is not recorded", c.Tool), "")
		}
		return
	case e.Cut:
		c.OutputState = plan.OutputTruncated
		b.note(NoteCut, index, e.Value.Pos, fmt.Sprintf("the output of %q is not whole", c.Tool), "")
	default:
		c.OutputState = plan.OutputRecorded
	}
	c.Output = e.Value
	if e.Value.Pos.Known() {
		c.OutputPos = e.Value.Pos
	}
	if e.Outcome.DidNotRun() && e.Value.Text != "" {
		// A refused call is no source, but what was said of it was read.
		b.text(Event{Agent: e.Agent, TextKind: plan.TextHook, Value: e.Value, Origin: "refusal of " + c.ID, Pos: e.Pos})
	}
}

// orphan keeps a result without a call as a text of its own. A second result
// that says the same as the first adds nothing.
func (b *Builder) orphan(e Event) {
	for i := len(b.rawIDs) - 1; e.ID != "" && i >= 0 && i >= len(b.rawIDs)-lookBack; i-- {
		if b.rawIDs[i] == e.ID && b.plan.Calls[i].Output.Text == e.Value.Text {
			return
		}
	}
	b.note(NoteOrphan, -1, e.Pos, fmt.Sprintf("result of a call %q that is not in the record", e.ID), "it is kept as untrusted text")
	b.text(Event{Agent: e.Agent, TextKind: plan.TextOrphanResult, Value: e.Value, Origin: e.ID, Pos: e.Pos})
}

// lookBack is how far back a repeated result is recognised as such; one that
// comes later is kept as an orphan, so nothing is lost.
const lookBack = 64

// abort marks the agent's open calls of its last turn as never run.
func (b *Builder) abort(e Event) {
	state := b.agents.state(e.Agent)
	state.idle = false
	for _, i := range state.calls {
		if !b.answered[i] {
			b.answered[i], b.plan.Calls[i].Outcome = true, plan.Blocked
		}
	}
	state.calls = nil
}

// unanswered says what became of the calls without a result: those of an
// agent's last turn, if nothing came after, none of them has one and nobody
// has had the agent's answer, are what it proposes; the others are unknown and
// noted.
func (b *Builder) unanswered() {
	done := func(i int) bool { return b.answered[i] }
	for i, s := range b.agents.list {
		starter := b.plan.Agents[i].SpawnedBy
		if !s.idle || slices.ContainsFunc(s.calls, done) || starter >= 0 && done(starter) {
			continue
		}
		for _, i := range s.calls {
			b.plan.Calls[i].Outcome = plan.Planned
		}
	}
	for i := range b.plan.Calls {
		if c := &b.plan.Calls[i]; !b.answered[i] && c.Outcome == plan.Unknown {
			b.note(NoteNoOutput, i, c.Pos, fmt.Sprintf("no result of %q is recorded; it counts as run", c.Tool), "")
		}
	}
}
