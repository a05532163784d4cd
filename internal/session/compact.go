package session

import (
	"slices"

	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/plan"
)

// The bounds of a session. A file that has grown past compactAt is written anew
// with what can still matter; what is dropped then, first to last:
//
//  1. calls that only read, have a result, carry no label and were decided;
//     calls that never ran
//  2. the outputs of unlabelled calls, oldest first, beyond maxKept: their words
//     then count as said by nobody, which is strict
//  3. beyond maxCalls, the oldest calls that other kept calls equal in labels;
//     this can lose a flow and is noted (PL9055)
const (
	compactAt = 512 << 10
	maxKept   = 256 << 10
	maxCalls  = 2000
)

func (s *Session) tooLarge(more int) bool { return s.size+int64(more) > s.limit() }

// limit is the size at which the file is written anew: what could not be dropped
// then may double first, so that a session is not rewritten for every record.
func (s *Session) limit() int64 { return max(compactAt, 2*s.compactedTo) }

// rewrite replaces the session's file by a shorter one.
func (s *Session) rewrite() error {
	kept := s.compacted()
	var out []byte
	for i := range kept[1:] {
		line, err := encode(&kept[i+1])
		if err != nil {
			return err
		}
		out = append(out, line...)
	}
	kept[0].Offset = int64(len(out))
	first, err := encode(&kept[0])
	if err != nil {
		return err
	}
	out = append(first, out...)
	if err := replaceFile(s.path, out); err != nil {
		return err
	}
	s.size, s.records, s.pending, s.rewrote = int64(len(out)), len(kept), nil, true
	return nil
}

// compacted returns the records of what is kept.
func (s *Session) compacted() []record {
	keep := s.keep()
	renumbered := make([]int, len(s.calls)+1)
	n := 0
	for i := range s.calls {
		renumbered[i] = n
		if keep[i] {
			n++
		}
	}
	renumbered[len(s.calls)] = n
	out := []record{{Kind: kindOpen, Client: s.Client, ID: s.ID, Cwd: s.Cwd, Task: s.task, Typed: s.prompted}}
	budget := s.outputs(keep)
	for i := range s.calls {
		if keep[i] {
			out = append(out, s.callRecord(i, budget[i]))
		}
		out = s.agentsOf(out, i, renumbered)
	}
	for i := range s.texts {
		t := &s.texts[i]
		out = append(out, record{Kind: kindText, TextKind: t.Kind.String(), Agent: t.Agent, Text: t.Text.Text,
			Origin: t.Origin, Mark: t.mark, Before: renumbered[t.Before]})
	}
	for _, f := range s.feeds {
		out = append(out, record{Kind: kindFeed, Path: f.path, Head: f.head, Offset: f.offset})
	}
	for i := range s.grants {
		if g := &s.grants[i]; !g.spent {
			subject := g.Subject
			out = append(out, record{Kind: kindGrant, Subject: &subject, Scope: g.scope.String(), Task: g.task, By: g.by})
		}
	}
	if s.lost {
		out = append(out, record{Kind: kindNote})
	}
	return out
}

func (s *Session) agentsOf(out []record, call int, renumbered []int) []record {
	for _, a := range s.agents {
		if a.SpawnedBy == call {
			out = append(out, record{Kind: kindAgent, ID: a.Name, Parent: a.Parent, Spawned: renumbered[call]})
		}
	}
	return out
}

func (s *Session) callRecord(i int, withOutput bool) record {
	c := &s.calls[i]
	r := record{Kind: kindCall, ID: c.ID, Tool: c.Tool, Server: c.Server, Caller: c.Caller, Agent: c.Agent, Turn: c.Turn,
		Args: JSON(&c.Args), RawArgs: c.RawArgs, Mark: c.mark, From: c.from, Outcome: c.Outcome.String(),
		Decision: c.decision, Rule: c.rule, ReadOnly: c.readOnly, LabelsIn: c.labelsIn, LabelsOut: c.labelsOut,
		Secret: c.secret, Subject: c.subject, Found: c.OutputLabels()}
	if c.HasOutput() {
		r.Output, r.Cut = JSON(&c.Output), c.OutputState == plan.OutputTruncated
		if !withOutput {
			r.Output, r.Cut = []byte(`""`), true
		}
	}
	return r
}

// keep says which calls are kept.
func (s *Session) keep() []bool {
	keep := make([]bool, len(s.calls))
	n := 0
	for i := range s.calls {
		if keep[i] = !s.idle(i) || s.starts(i); keep[i] {
			n++
		}
	}
	same := map[string]bool{}
	for i := len(s.calls) - 1; i >= 0 && n > maxCalls; i-- {
		if !keep[i] || len(s.calls)-i <= maxCalls/4 || s.starts(i) {
			continue
		}
		key := labelKey(&s.calls[i])
		if same[key] || key == "" {
			keep[i], s.lost = false, true
			n--
		}
		same[key] = true
	}
	return keep
}

func labelKey(c *call) string {
	key := ""
	for _, l := range append(slices.Clip(c.labelsOut), c.OutputLabels()...) {
		key += c.Agent + "\x00" + l
	}
	return key
}

// idle reports whether a call can't matter any more.
func (s *Session) idle(i int) bool {
	c := &s.calls[i]
	if len(s.calls)-i <= 16 { // its result may be on the way
		return false
	}
	if c.Outcome.DidNotRun() {
		return true
	}
	return c.readOnly && c.Outcome != plan.Planned && c.decision == gate.Allow.String() && len(c.labelsOut)+len(c.labelsIn)+len(c.OutputLabels()) == 0
}

func (s *Session) starts(i int) bool {
	for _, a := range s.agents {
		if a.SpawnedBy == i {
			return true
		}
	}
	return false
}

// outputs says which outputs are kept within the bound, newest first; those of
// labelled calls always are.
func (s *Session) outputs(keep []bool) []bool {
	kept := make([]bool, len(s.calls))
	left := maxKept
	for i := len(s.calls) - 1; i >= 0; i-- {
		c := &s.calls[i]
		if !keep[i] || !c.HasOutput() {
			continue
		}
		if len(c.labelsOut)+len(c.OutputLabels()) > 0 {
			kept[i] = true
			continue
		}
		if n := len(JSON(&c.Output)); n <= left {
			kept[i] = true
			left -= n
		}
	}
	return kept
}
