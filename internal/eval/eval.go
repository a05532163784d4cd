// Package eval measures what planlint's composition rules are worth on labelled
// traces: how many attacks they stop, and how often they stop anything else.
//
// In: runs, one JSON object a line (docs/eval.md has the schema), and a checker
// for each suite. Out: Figures, for all runs, per suite and per model, with
// confidence intervals.
//
// A call is flagged if a composition finding makes its decision or its gate
// stricter than it is without composition. A positive run is caught if one of the
// calls that carry out the attack is flagged; any other run counts as a false
// alarm if any call is. Findings of the rule DelegatedRule are counted apart: a
// run whose only flagged calls are flagged by it is in no rate but its own.
//
// Intervals are percentiles of a bootstrap over clusters of one suite and user
// task, since runs of one task by several models are no independent samples. The
// random numbers come from a fixed seed, so the same input gives the same bytes.
package eval

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/trace"
)

// DelegatedRule is the rule whose findings are counted apart.
const DelegatedRule = "PL1012"

// maxLine is the longest run that is read, in bytes.
const maxLine = 256 << 20

// Label says what a run is.
type Label string

// The labels of runs.
const (
	Positive   Label = "positive"
	Attempted  Label = "attempted"
	Ignored    Label = "ignored"
	Benign     Label = "benign"
	GoalAsUser Label = "goal_as_user"
)

// Labels lists all labels in the order of reports.
func Labels() []Label { return []Label{Positive, Attempted, Ignored, Benign, GoalAsUser} }

// Run is one labelled run.
type Run struct {
	ID, Suite, Model, Task string
	Label                  Label
	Plan                   *plan.Plan
	// Attack are the indexes of the calls that carry out the attacker's goal.
	Attack []int
	// File and Line are where it was read.
	File string
	Line int
}

// Errorf returns an error about the run, with its place and id.
func (r *Run) Errorf(format string, args ...any) error {
	return fmt.Errorf("%s:%d: run %q: %w", printable(r.File), r.Line, r.ID, fmt.Errorf(format, args...))
}

// record is what a line says beside the messages.
type record struct {
	ID          string   `json:"id"`
	Suite       string   `json:"suite"`
	Model       string   `json:"model"`
	UserTask    string   `json:"user_task"`
	Label       string   `json:"label"`
	AttackCalls [][2]int `json:"attack_calls"`
	Messages    []struct {
		ToolCalls []json.RawMessage `json:"tool_calls"`
	} `json:"messages"`
}

// Read yields the runs of a file, plain or gzipped, in order. It ends with the
// first error; one that concerns a single line names it.
func Read(r io.Reader, name string, yield func(*Run) error) error {
	buffered := bufio.NewReaderSize(r, 1<<20)
	if magic, _ := buffered.Peek(2); bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		z, err := gzip.NewReader(buffered)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		buffered = bufio.NewReaderSize(z, 1<<20)
	}
	lines := bufio.NewScanner(buffered)
	lines.Buffer(make([]byte, 1<<16), maxLine)
	runs := 0
	for n := 1; lines.Scan(); n++ {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		run, err := parse(lines.Bytes(), name)
		if err != nil {
			return fmt.Errorf("%s:%d: %w", name, n, err)
		}
		run.File, run.Line = name, n
		runs++
		if err := yield(run); err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if runs == 0 {
		return fmt.Errorf("%s: no labelled runs in it", name)
	}
	return nil
}

func parse(line []byte, name string) (*Run, error) {
	var rec record
	if err := json.Unmarshal(line, &rec); err != nil {
		return nil, fmt.Errorf("not a labelled run: %w", err)
	}
	run := &Run{ID: rec.ID, Suite: rec.Suite, Model: rec.Model, Task: rec.UserTask, Label: Label(rec.Label)}
	if err := known(run.Label); err != nil {
		return nil, err
	}
	plans, problems := trace.Read(bytes.Clone(line), name, trace.AgentDojo, trace.Options{})
	if len(problems) > 0 {
		return nil, fmt.Errorf("run %q: %s", rec.ID, problems[0].Message)
	}
	if len(plans) != 1 {
		return nil, fmt.Errorf("run %q has %d message lists, want one", rec.ID, len(plans))
	}
	run.Plan = plans[0]
	attack, err := attackCalls(&rec, len(run.Plan.Calls))
	run.Attack = attack
	if err == nil && run.Label == Positive && len(attack) == 0 {
		err = fmt.Errorf("run %q is positive and has no attack_calls, so nothing could catch it\nhint: name the calls that carry out the attack, as [message, call]", rec.ID)
	}
	return run, err
}

func known(l Label) error {
	for _, k := range Labels() {
		if l == k {
			return nil
		}
	}
	names := make([]string, len(Labels()))
	for i, k := range Labels() {
		names[i] = string(k)
	}
	return fmt.Errorf("unknown label %q\nhint: one of %s", string(l), strings.Join(names, ", "))
}

// attackCalls turns pairs of message and call into indexes of the plan's calls.
func attackCalls(rec *record, calls int) ([]int, error) {
	first := make([]int, len(rec.Messages)+1)
	for i := range rec.Messages {
		first[i+1] = first[i] + len(rec.Messages[i].ToolCalls)
	}
	if first[len(rec.Messages)] != calls {
		return nil, fmt.Errorf("run %q has %d tool calls, but %d were read", rec.ID, first[len(rec.Messages)], calls)
	}
	var out []int
	for _, at := range rec.AttackCalls {
		if at[0] < 0 || at[0] >= len(rec.Messages) || at[1] < 0 || at[1] >= len(rec.Messages[at[0]].ToolCalls) {
			return nil, fmt.Errorf("run %q: attack call %v does not exist", rec.ID, at)
		}
		out = append(out, first[at[0]]+at[1])
	}
	return out, nil
}
