package eval

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/planlint/planlint/finding"
)

// Explain writes what planlint says of one run, call by call.
func Explain(o *Outcome, report *finding.PlanReport) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: suite %s, model %s, task %s, %s\n", printable(o.Run.ID), printable(o.Run.Suite), printable(o.Run.Model), printable(o.Run.Task), o.Run.Label)
	for i := range report.Calls {
		c := &report.Calls[i]
		mark := " "
		switch {
		case slices.Contains(o.Flagged, i):
			mark = "!"
		case slices.Contains(o.Delegated, i):
			mark = "d"
		}
		attack := ""
		if slices.Contains(o.Run.Attack, i) {
			attack = "  (attack)"
		}
		fmt.Fprintf(&b, "%s %3d  %s: %s, alone %s%s\n", mark, i+1, printable(c.Tool), c.Decision, c.Alone, attack)
		for _, f := range c.Findings {
			found := &report.Findings[f]
			fmt.Fprintf(&b, "         %s %s\n", found.ID, found.Message)
			for _, line := range found.Evidence() {
				fmt.Fprintf(&b, "           %s\n", printable(line))
			}
		}
	}
	return b.String()
}

// Errors lists the runs that count against the figures, one a line.
func Errors(list []Outcome) []string {
	var out []string
	for i := range list {
		o := &list[i]
		wrong := o.Hit()
		if o.Run.Label == Positive {
			wrong = !wrong
		}
		if !wrong && !o.OnlyDelegated() || o.Run.Label == Attempted {
			continue
		}
		kind := "error"
		if o.OnlyDelegated() {
			kind = "delegated"
		}
		var rules []string
		for _, k := range o.Flagged {
			rules = append(rules, fmt.Sprintf("%d:%s", k+1, strings.Join(o.Rules[k], "+")))
		}
		out = append(out, fmt.Sprintf("%s %s %s %s %s\n", kind, o.Run.Label, printable(o.Run.ID), printable(o.Run.Task), strings.Join(rules, " ")))
	}
	return out
}

// Differences lists the calls of a run that two policies decide differently.
func Differences(run *Run, a, b *finding.PlanReport) []string {
	var out []string
	for i := range a.Calls {
		x, y := &a.Calls[i], &b.Calls[i]
		if x.Decision == y.Decision && x.Gate.Requirements == y.Gate.Requirements {
			continue
		}
		out = append(out, fmt.Sprintf("%s call %d %s: %s (%s) -> %s (%s)", printable(run.ID), i+1, printable(x.Tool),
			x.Decision, printable(x.Rule), y.Decision, printable(y.Rule)))
	}
	return out
}

// WriteDifferences writes what Differences found.
func WriteDifferences(w io.Writer, list []string, decided int, asJSON bool) error {
	if asJSON {
		enc := json.NewEncoder(w)
		enc.SetIndent("", "  ")
		return enc.Encode(map[string]any{"calls": decided, "different": len(list), "differences": append([]string{}, list...)})
	}
	for _, line := range list {
		if _, err := fmt.Fprintln(w, line); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(w, "%d of %d calls are decided differently\n", len(list), decided)
	return err
}
