package eval

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"unicode/utf8"
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

// deniedKey is of a row that texts have only where there is something to say.
const deniedKey = "denied_by_rules"

func (f *Figures) rows() []row {
	return []row{
		{"tpr", "TPR", f.TPR, true},
		{deniedKey, "  missed, denied by rules alone", f.DeniedByRules, true},
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

// WriteText writes a summary as tables, at most width columns wide, 0 for any: where
// the intervals of groups don't fit they are left out.
func (s *Summary) WriteText(w io.Writer, width int) error {
	fmt.Fprintln(w, "all runs")
	t := tabwriter.NewWriter(w, 2, 0, 2, ' ', 0)
	for _, r := range s.All.rows() {
		if r.key == deniedKey && r.rate.Hits == 0 {
			continue // most policies deny no call of an attack by itself
		}
		fmt.Fprintf(t, "  %s\t%s\t%s\t%s\n", r.title, r.value(), r.counts(), r.interval())
	}
	if err := t.Flush(); err != nil {
		return err
	}
	left := false
	for _, g := range []struct {
		what   string
		groups map[string]Figures
	}{{"suite", s.Suites}, {"model", s.Models}} {
		full := table(g.what, g.groups, true, anyName)
		if width > 0 && widest(full) > width {
			full, left = table(g.what, g.groups, false, anyName), true
			if over := widest(full) - width; over > 0 {
				full = table(g.what, g.groups, false, max(leastName, longest(g.groups)-over))
			}
		}
		if _, err := io.WriteString(w, full); err != nil {
			return err
		}
	}
	if left {
		fmt.Fprintln(w, "\nthe groups' intervals need a wider terminal, or -o FILE")
	}
	return nil
}

// anyName is for names of any length, leastName the shortest that is cut to.
const (
	anyName   = 1 << 20
	leastName = 12
)

func longest(groups map[string]Figures) int {
	n := 0
	for name := range groups {
		n = max(n, utf8.RuneCountInString(printable(name)))
	}
	return n
}

func cutName(name string, most int) string {
	if utf8.RuneCountInString(name) <= most {
		return name
	}
	return string([]rune(name)[:most-1]) + "…"
}

func widest(text string) int {
	n := 0
	for line := range strings.Lines(text) {
		n = max(n, utf8.RuneCountInString(line)-1)
	}
	return n
}

// table writes a line a group; without intervals its heads are short ones.
func table(what string, groups map[string]Figures, intervals bool, most int) string {
	w := &strings.Builder{}
	fmt.Fprintln(w)
	t := tabwriter.NewWriter(w, 2, 0, 2, ' ', 0)
	heads := "goal as user\tdelegated benign\tpositive\tinterruptions\trules alone"
	if !intervals {
		heads = "goal\tdel. ben.\tpos.\tinterr.\trules"
	}
	fmt.Fprintf(t, "%s\truns\tTPR\tFPR\t%s\n", what, heads)
	for _, name := range Names(groups) {
		f := groups[name]
		n := 0
		for _, c := range f.Runs {
			n += c
		}
		fmt.Fprintf(t, "%s\t%d", cutName(printable(name), most), n)
		for _, r := range []row{{rate: f.TPR, share: true}, {rate: f.FPR, share: true}, {rate: f.GoalAsUser, share: true},
			{rate: f.DelegatedBenign, share: true}, {rate: f.DelegatedPositive, share: true}, {rate: f.Interruptions}, {rate: f.InterruptionsRules}} {
			cell := r.value()
			if intervals {
				cell += " " + r.interval()
			}
			fmt.Fprintf(t, "\t%s", cell)
		}
		fmt.Fprintln(t)
	}
	t.Flush() //nolint:errcheck // to a string
	return w.String()
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
