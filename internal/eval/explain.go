package eval

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

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
		switch {
		case !slices.Contains(o.Run.Attack, i):
		case slices.Contains(o.Denied, i):
			attack = "  (attack, denied by rules alone)"
		default:
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

// List lists the runs that count against the figures, one a line, or all runs.
func List(list []Outcome, all bool) []string {
	var out []string
	for i := range list {
		o := &list[i]
		wrong := o.Hit()
		if o.Run.Label == Positive {
			wrong = !wrong
		}
		kind := "ok"
		switch {
		case o.Run.Label == Attempted:
			kind = "-" // neither right nor wrong
		case o.OnlyDelegated():
			kind = "delegated"
		case wrong:
			kind = "error"
		}
		if !all && (kind == "ok" || kind == "-") {
			continue
		}
		line := []string{kind, string(o.Run.Label), printable(o.Run.ID), printable(o.Run.Task)}
		for _, k := range o.Flagged {
			line = append(line, fmt.Sprintf("%d:%s", k+1, strings.Join(o.Rules[k], "+")))
		}
		if o.DeniedByRules() {
			line = append(line, "(denied by rules alone)")
		}
		out = append(out, strings.Join(line, " ")+"\n")
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

// Comparison is what two policies make of the same runs.
type Comparison struct {
	// Names are the policies, A and B their figures.
	Names [2]string
	A, B  Summary
	// Differences are the calls of Decided that the two decide differently.
	Differences []string
	Decided     int
}

// WriteJSON writes a comparison as one JSON object.
func (c *Comparison) WriteJSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	type side struct {
		Policy string  `json:"policy"`
		All    Figures `json:"all"`
	}
	return enc.Encode(map[string]any{"policies": []side{{c.Names[0], c.A.All}, {c.Names[1], c.B.All}},
		"calls": c.Decided, "different": len(c.Differences), "differences": append([]string{}, c.Differences...)})
}

// WriteText writes the figures of both policies side by side, then each difference.
func (c *Comparison) WriteText(w io.Writer) error {
	for i, name := range c.Names {
		fmt.Fprintf(w, "%d: %s\n", i+1, printable(name))
	}
	fmt.Fprintln(w)
	t := tabwriter.NewWriter(w, 2, 0, 2, ' ', 0)
	fmt.Fprintln(t, "  all runs\t1\t\t2\t")
	rows, others := c.A.All.rows(), c.B.All.rows()
	for i := range rows {
		if x, y := &rows[i], &others[i]; x.rate.Of+y.rate.Of > 0 && (x.key != deniedKey || x.rate.Hits+y.rate.Hits > 0) {
			fmt.Fprintf(t, "  %s\t%s\t%s\t%s\t%s\n", x.title, x.value(), x.counts(), y.value(), y.counts())
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(w)
	for _, line := range c.Differences {
		fmt.Fprintln(w, line)
	}
	_, err := fmt.Fprintf(w, "%d of %d calls are decided differently\n", len(c.Differences), c.Decided)
	return err
}
