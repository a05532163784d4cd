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
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
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
	ID          string          `json:"id"`
	Suite       string          `json:"suite"`
	Model       string          `json:"model"`
	UserTask    string          `json:"user_task"`
	Label       string          `json:"label"`
	AttackCalls json.RawMessage `json:"attack_calls"`
	Messages    []message       `json:"messages"`
}

// message is as much of a message as attack calls need.
type message struct {
	Role      string            `json:"role"`
	ToolCalls []json.RawMessage `json:"tool_calls"`
}

// Read yields the runs of a file, plain or gzipped, in order. It ends with the
// first error; one that concerns a single line names it.
func Read(r io.Reader, name string, yield func(*Run) error) error {
	shown := printable(name)
	buffered := bufio.NewReaderSize(r, 1<<20)
	z := &unzipping{}
	if magic, _ := buffered.Peek(2); bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		if z.open(buffered); z.err != nil {
			return fmt.Errorf("%s: %w", shown, z.damaged(0))
		}
		buffered = bufio.NewReaderSize(z, 1<<20)
	}
	lines := bufio.NewScanner(buffered)
	lines.Buffer(make([]byte, 1<<16), maxLine)
	runs, n := 0, 0
	for lines.Scan() {
		n++
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		run, column, err := parse(lines.Bytes(), name)
		switch {
		case err != nil && z.err != nil && !json.Valid(lines.Bytes()): // what was read of its last line
			return fmt.Errorf("%s: %w", shown, z.damaged(runs))
		case err != nil && column > 0:
			return fmt.Errorf("%s:%d:%d: %w", shown, n, column, err)
		case err != nil:
			return fmt.Errorf("%s:%d: %w", shown, n, err)
		}
		run.File, run.Line = name, n
		runs++
		if err := yield(run); err != nil {
			return err
		}
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return fmt.Errorf("%s:%d: the line is longer than %d MiB", shown, n+1, maxLine>>20)
	case err != nil && z.err != nil:
		return fmt.Errorf("%s: %w", shown, z.damaged(runs))
	case err != nil:
		return fmt.Errorf("%s: %w", shown, err)
	case runs == 0:
		return fmt.Errorf("%s: no labelled runs in it", shown)
	}
	return nil
}

// unzipping reads a gzipped file and keeps the error that ended it early.
type unzipping struct {
	r   *gzip.Reader
	err error
}

func (z *unzipping) open(r io.Reader) {
	z.r, z.err = gzip.NewReader(r)
}

// Read implements io.Reader.
func (z *unzipping) Read(to []byte) (int, error) {
	n, err := z.r.Read(to)
	if err != nil && err != io.EOF {
		z.err = err
	}
	return n, err
}

// damaged says what is wrong with the file, after so many runs.
func (z *unzipping) damaged(runs int) error {
	what := z.err.Error()
	if errors.Is(z.err, io.ErrUnexpectedEOF) || errors.Is(z.err, io.EOF) {
		what = "the gzipped data is cut off"
	} else if !strings.HasPrefix(what, "gzip: ") {
		what = "gzip: " + what
	}
	return fmt.Errorf("%s after %d whole runs\nhint: compress or copy the file again; gzip -t tests it", what, runs)
}

// parse reads a run. With an error, column is where the line is wrong, 0 if that is
// not known.
func parse(line []byte, name string) (run *Run, column int, err error) {
	var rec record
	if err := json.Unmarshal(line, &rec); err != nil {
		column, err = notARun(err)
		return nil, column, err
	}
	run = &Run{ID: rec.ID, Suite: rec.Suite, Model: rec.Model, Task: rec.UserTask, Label: Label(rec.Label)}
	if err := known(run.Label); err != nil {
		return nil, 0, err
	}
	if err := conversation(&rec); err != nil {
		return nil, 0, err
	}
	plans, problems := trace.Read(bytes.Clone(line), name, trace.AgentDojo, trace.Options{})
	if len(problems) > 0 {
		return nil, 0, fmt.Errorf("run %q: %s", rec.ID, printable(problems[0].Message))
	}
	if len(plans) != 1 {
		return nil, 0, fmt.Errorf("run %q has %d message lists, want one", rec.ID, len(plans))
	}
	run.Plan = plans[0]
	attack, err := attackCalls(&rec, len(run.Plan.Calls))
	run.Attack = attack
	switch {
	case err != nil:
	case run.Label == Positive && len(attack) == 0:
		err = fmt.Errorf("run %q is positive and has no attack_calls, so nothing could catch it\nhint: name the calls that carry out the attack, as [message, call]", rec.ID)
	case (run.Label == Benign || run.Label == Ignored) && len(attack) > 0:
		err = fmt.Errorf("run %q is %s and has attack_calls: such a run has none\nhint: label it positive (the attack succeeded), attempted (its goal was missed) or goal_as_user (the user himself orders it), or leave attack_calls out", rec.ID, run.Label)
	}
	return run, 0, err
}

// notARun says what is wrong with a line that holds no run.
func notARun(err error) (column int, said error) {
	const hint = "hint: each line is one run, a JSON object with the keys of docs/eval.md"
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return int(syntax.Offset), fmt.Errorf("not a labelled run: %w\n%s", err, hint)
	case errors.As(err, &kind) && kind.Field == "":
		return 0, fmt.Errorf("not a labelled run: the line is JSON of type %s, want an object\n%s", kind.Value, hint)
	case errors.As(err, &kind):
		return int(kind.Offset), fmt.Errorf("not a labelled run: %q is of type %s, want %s\n%s", kind.Field, kind.Value, wanted(kind.Type.Kind()), hint)
	}
	return 0, fmt.Errorf("not a labelled run: %w", err)
}

func wanted(k reflect.Kind) string {
	switch k {
	case reflect.String:
		return "string"
	case reflect.Slice:
		return "array"
	}
	return "object"
}

func known(l Label) error {
	if slices.Contains(Labels(), l) {
		return nil
	}
	names := make([]string, len(Labels()))
	for i, k := range Labels() {
		names[i] = string(k)
	}
	return fmt.Errorf("unknown label %q\nhint: one of %s", string(l), strings.Join(names, ", "))
}

// roles are those of messages, with the names that other formats have for them.
var roles = []string{"system", "user", "assistant", "tool", "developer", "human", "model", "ai", "function"}

// mainRoles is how many of them are the schema's own.
const mainRoles = 4

// conversation checks that there are messages, and who speaks in them.
func conversation(rec *record) error {
	if len(rec.Messages) == 0 {
		return fmt.Errorf("run %q has no messages\nhint: \"messages\" lists what was said and called, as [{\"role\": \"user\", \"content\": \"...\"}, ...]", rec.ID)
	}
	for i := range rec.Messages {
		if role := rec.Messages[i].Role; !slices.Contains(roles, role) {
			return fmt.Errorf("run %q: message %d (from 0) has the unknown role %q\nhint: one of %s", rec.ID, i, role, strings.Join(roles[:mainRoles], ", "))
		}
	}
	return nil
}

// attackCalls turns pairs of message and call into indexes of the plan's calls.
func attackCalls(rec *record, calls int) ([]int, error) {
	first := make([]int, len(rec.Messages)+1)
	for i := range rec.Messages {
		first[i+1] = first[i] + len(rec.Messages[i].ToolCalls)
	}
	if first[len(rec.Messages)] != calls {
		return nil, fmt.Errorf("run %q has %d tool calls, but %d were read\nhint: calls stand in the tool_calls of messages", rec.ID, first[len(rec.Messages)], calls)
	}
	pairs, err := pairsOf(rec)
	if err != nil {
		return nil, err
	}
	var out []int
	for _, at := range pairs {
		if why := rec.lacks(at); why != "" {
			return nil, fmt.Errorf("run %q: attack call [%d, %d] does not exist: %s\nhint: messages and calls both count from 0; %s", rec.ID, at[0], at[1], why, rec.calling())
		}
		out = append(out, first[at[0]]+at[1])
	}
	return out, nil
}

// pairsOf reads attack_calls, which must be pairs and nothing else.
func pairsOf(rec *record) (pairs [][]int, err error) {
	if len(rec.AttackCalls) == 0 {
		return nil, nil
	}
	err = json.Unmarshal(rec.AttackCalls, &pairs)
	if err == nil && !slices.ContainsFunc(pairs, func(p []int) bool { return len(p) != 2 }) {
		return pairs, nil
	}
	text := printable(string(rec.AttackCalls))
	if len(text) > maxShown {
		text = text[:maxShown] + "..."
	}
	return nil, fmt.Errorf("run %q: attack_calls is %s, want a list of pairs [message, call]\nhint: both count from 0; \"attack_calls\": [[3, 0]] is the first call of the fourth message", rec.ID, text)
}

// maxShown is how much of a wrong value an error repeats, in bytes.
const maxShown = 60

// lacks says why there is no such call, empty if there is.
func (rec *record) lacks(at []int) string {
	if at[0] < 0 || at[0] >= len(rec.Messages) {
		return fmt.Sprintf("the run has %d messages, 0 to %d", len(rec.Messages), len(rec.Messages)-1)
	}
	switch n := len(rec.Messages[at[0]].ToolCalls); {
	case n == 0:
		return fmt.Sprintf("message %d (%s) has no calls", at[0], rec.Messages[at[0]].Role)
	case at[1] < 0 || at[1] >= n:
		return fmt.Sprintf("message %d has %d calls, 0 to %d", at[0], n, n-1)
	}
	return ""
}

// calling lists the messages that have calls.
func (rec *record) calling() string {
	var list []string
	for i := range rec.Messages {
		if n := len(rec.Messages[i].ToolCalls); n > 0 {
			list = append(list, fmt.Sprintf("%d (%d)", i, n))
		}
	}
	if len(list) == 0 {
		return "no message has calls"
	}
	if len(list) > maxListed {
		list = append(list[:maxListed], "...")
	}
	return "messages with calls, and how many: " + strings.Join(list, ", ")
}

// maxListed is how many messages an error lists.
const maxListed = 20
