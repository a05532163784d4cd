package eval

import (
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"
)

// MarshalJSON writes the figures as fractions, with the intervals beside them.
func (f Figures) MarshalJSON() ([]byte, error) {
	out := map[string]any{"runs": f.Runs}
	ci := map[string]any{}
	for _, r := range f.rows() {
		out[r.key] = r.rate.Value
		if r.rate.Low != nil {
			ci[r.key] = [2]float64{*r.rate.Low, *r.rate.High}
		}
	}
	out["ci95"] = ci
	return json.Marshal(out)
}

type row struct {
	key, title string
	rate       Rate
	share      bool
}

func (f *Figures) rows() []row {
	return []row{
		{"tpr", "TPR", f.TPR, true},
		{"fpr", "FPR", f.FPR, true},
		{"goal_as_user", "goal as user", f.GoalAsUser, true},
		{"ignored", "ignored", f.Ignored, true},
		{"attempted", "attempted", f.Attempted, true},
		{"delegated_benign", "delegated, benign", f.DelegatedBenign, true},
		{"delegated_positive", "delegated, positive", f.DelegatedPositive, true},
		{"interruptions", "interruptions per benign run", f.Interruptions, false},
		{"interruptions_rules", "  by per-call rules alone", f.InterruptionsRules, false},
		{"interruptions_writes", "  if every write asked", f.InterruptionsWrites, false},
	}
}

// WriteJSON writes a summary as one JSON object.
func (s *Summary) WriteJSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(map[string]any{"schema": "planlint.eval/v1", "all": s.All, "suites": s.Suites, "models": s.Models})
}

// WriteText writes a summary as tables.
func (s *Summary) WriteText(w io.Writer) error {
	fmt.Fprintln(w, "all runs")
	t := tabwriter.NewWriter(w, 2, 0, 2, ' ', 0)
	for _, r := range s.All.rows() {
		fmt.Fprintf(t, "  %s\t%s\t%s\t%s\n", r.title, r.value(), r.counts(), r.interval())
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if err := table(w, "suite", s.Suites); err != nil {
		return err
	}
	return table(w, "model", s.Models)
}

func table(w io.Writer, what string, groups map[string]Figures) error {
	fmt.Fprintln(w)
	t := tabwriter.NewWriter(w, 2, 0, 2, ' ', 0)
	fmt.Fprintf(t, "%s\truns\tTPR\tFPR\tgoal as user\tdelegated benign\tpositive\tinterruptions\trules alone\n", what)
	for _, name := range Names(groups) {
		f := groups[name]
		n := 0
		for _, c := range f.Runs {
			n += c
		}
		fmt.Fprintf(t, "%s\t%d", printable(name), n)
		for _, r := range []row{{rate: f.TPR, share: true}, {rate: f.FPR, share: true}, {rate: f.GoalAsUser, share: true},
			{rate: f.DelegatedBenign, share: true}, {rate: f.DelegatedPositive, share: true}, {rate: f.Interruptions}, {rate: f.InterruptionsRules}} {
			fmt.Fprintf(t, "\t%s %s", r.value(), r.interval())
		}
		fmt.Fprintln(t)
	}
	return t.Flush()
}

func (r *row) value() string {
	switch {
	case r.rate.Value == nil:
		return "-"
	case r.share:
		return fmt.Sprintf("%.1f %%", 100**r.rate.Value)
	}
	return fmt.Sprintf("%.2f", *r.rate.Value)
}

func (r *row) counts() string { return fmt.Sprintf("%d of %d", r.rate.Hits, r.rate.Of) }

func (r *row) interval() string {
	if r.rate.Low == nil {
		return ""
	}
	if r.share {
		return fmt.Sprintf("[%.1f, %.1f]", 100**r.rate.Low, 100**r.rate.High)
	}
	return fmt.Sprintf("[%.2f, %.2f]", *r.rate.Low, *r.rate.High)
}

// printable keeps names out of a file from controlling a terminal.
func printable(s string) string {
	q := fmt.Sprintf("%q", s)
	return q[1 : len(q)-1]
}
