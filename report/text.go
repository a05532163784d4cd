package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/planlint/planlint/finding"
	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/plan"
)

// ANSI colours.
const (
	red    = "31"
	green  = "32"
	yellow = "33"
	cyan   = "36"
	bold   = "1"
	dim    = "2"
)

// textWriter writes for people. What it is given to print is escaped already.
type textWriter struct {
	w io.Writer
	o Options
	// from is what was last told of where values came from.
	from []string
}

func (t *textWriter) printf(format string, args ...any) { fmt.Fprintf(t.w, format, args...) }

// paint colours escaped text.
func (t *textWriter) paint(color, text string) string {
	if !t.o.Color || text == "" {
		return text
	}
	return "\x1b[" + color + "m" + text + "\x1b[0m"
}

func writeText(w io.Writer, r *finding.Report, o Options) {
	t := &textWriter{w: w, o: o}
	shared := sharedSources(r)
	apart := false
	for i := range r.Plans {
		p := &r.Plans[i]
		long := !o.Quiet && (notable(p) || o.Verbose)
		if apart || long && i > 0 {
			t.printf("\n")
		}
		apart = long
		t.header(p, shared[p.Source])
		switch {
		case long:
			t.plan(p)
		case o.Quiet:
			t.quiet(p)
		}
	}
	if apart && len(r.Diagnostics) > 0 {
		t.printf("\n")
	}
	t.diagnostics(r.Diagnostics, len(r.Diagnostics))
}

// sharedSources are the sources that hold more than one plan.
func sharedSources(r *finding.Report) map[string]bool {
	seen := map[string]int{}
	shared := map[string]bool{}
	for i := range r.Plans {
		seen[r.Plans[i].Source]++
		shared[r.Plans[i].Source] = seen[r.Plans[i].Source] > 1
	}
	return shared
}

// notable reports whether there is more to say than the header does.
func notable(p *finding.PlanReport) bool {
	if p.Verdict != gate.Allow || len(p.Findings) > 0 {
		return true
	}
	for i := range p.Calls {
		if p.Calls[i].Decision != gate.Allow || p.Calls[i].Gate.UndoWindow > 0 {
			return true
		}
	}
	for i := range p.Diagnostics {
		if p.Diagnostics[i].Closing {
			return true
		}
	}
	return false
}

// header is the line that says all of a clean plan.
func (t *textWriter) header(p *finding.PlanReport, shared bool) {
	name := Escape(p.Source)
	if name == "" {
		name = Escape(p.ID)
	}
	if shared && p.ID != "" {
		name += " [" + Escape(p.ID) + "]"
	}
	line := fmt.Sprintf("%s: %s, %s", t.paint(bold, name), count(len(p.Calls), "call"), t.verdict(p))
	line += severities(p, false)
	line += stopped(p)
	if n := len(p.Diagnostics); n > 0 && !notable(p) && !t.o.Verbose {
		line += ", " + count(n, "note") + " (-v)"
	}
	t.printf("%s\n", line)
}

// stopped says how many calls did not run, and what was found on those: "; 1 call
// did not run (1 error)".
func stopped(p *finding.PlanReport) string {
	n := didNotRun(p)
	if n == 0 {
		return ""
	}
	line := "; " + count(n, "call") + " did not run"
	if found := severities(p, true); found != "" {
		line += " (" + strings.TrimPrefix(found, ", ") + ")"
	}
	return line
}

func didNotRun(p *finding.PlanReport) int {
	n := 0
	for i := range p.Calls {
		if p.Calls[i].Outcome.DidNotRun() {
			n++
		}
	}
	return n
}

// severities counts the findings on calls that ran or will run, or on those that
// did not: ", 1 error, 2 remarks".
func severities(p *finding.PlanReport, stopped bool) string {
	line := ""
	for _, s := range []finding.Severity{finding.Error, finding.Warning, finding.Info} {
		if n := countSeverity(p, s, stopped); n > 0 {
			word := s.String()
			if s == finding.Info {
				word = "remark"
			}
			line += ", " + count(n, word)
		}
	}
	return line
}

func (t *textWriter) verdict(p *finding.PlanReport) string {
	word := t.decision(p.Verdict, verdictWord(p))
	if p.Verdict == gate.Ask && !p.Gate.None() {
		word += " (" + p.Gate.String() + ")"
	}
	return word
}

// verdictWord is the verdict for people; it is about what ran, or will.
func verdictWord(p *finding.PlanReport) string {
	word := strings.ToUpper(p.Verdict.String())
	switch n := didNotRun(p); {
	case p.Verdict != gate.Allow:
	case len(p.Calls) == 0:
		return "nothing to review"
	case n == len(p.Calls):
		return "nothing ran"
	case n > 0:
		return word + " for what ran"
	}
	return word
}

func (t *textWriter) decision(d gate.Decision, text string) string {
	return t.paint([...]string{red, yellow, green}[min(int(d), 2)], text)
}

func (t *textWriter) severity(s finding.Severity) string {
	return t.paint([...]string{cyan, yellow, red}[min(int(s), 2)], s.String())
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func countSeverity(p *finding.PlanReport, s finding.Severity, stopped bool) int {
	n := 0
	for i := range p.Findings {
		f := &p.Findings[i]
		if f.Severity == s && stopped == (f.Call >= 0 && p.Calls[f.Call].Outcome.DidNotRun()) {
			n++
		}
	}
	return n
}

func (t *textWriter) plan(p *finding.PlanReport) {
	m := newMasker(p)
	t.table(p, m)
	for i := range p.Findings {
		t.printf("\n")
		again := i > 0 && p.Findings[i].Position == p.Findings[i-1].Position
		t.finding(p, m, &p.Findings[i], again)
	}
	t.asks(p)
	limit := maxDiagnostics
	if t.o.Verbose {
		limit = len(p.Diagnostics)
	}
	if len(p.Diagnostics) > 0 {
		t.printf("\n")
	}
	t.diagnostics(p.Diagnostics, limit)
}

// quiet lists only what was found.
func (t *textWriter) quiet(p *finding.PlanReport) {
	for i := range p.Findings {
		f := &p.Findings[i]
		t.printf("  %s %s: %s  %s\n", t.severity(f.Severity), Escape(f.ID), clip(message(f), maxSentence), position(f.Position))
	}
}

func message(f *finding.Finding) string {
	if f.Message != "" {
		return f.Message
	}
	return f.Title
}

// position writes file:line:column, escaped.
func position(p finding.Position) string {
	switch {
	case !p.Known():
		return Escape(p.File)
	case p.Column <= 0:
		return fmt.Sprintf("%s:%d", Escape(p.File), p.Line)
	}
	return fmt.Sprintf("%s:%d:%d", Escape(p.File), p.Line, p.Column)
}

// maxDiagnostics is how many diagnostics of a plan are shown without -v.
const maxDiagnostics = 6

func (t *textWriter) diagnostics(list []finding.Diagnostic, limit int) {
	for i := range list {
		if i == limit {
			t.printf("… and %s (-v shows them)\n", count(len(list)-limit, "more note"))
			return
		}
		d := &list[i]
		word := t.paint(dim, "note")
		if d.Closing {
			word = t.paint(yellow, "closing")
		}
		t.printf("%s %s: %s", word, Escape(d.ID), clip(d.Message, maxSentence))
		if d.Position.Known() || d.Position.File != "" {
			t.printf("  %s", position(d.Position))
		}
		t.printf("\n")
		if d.Hint != "" {
			t.printf("       hint: %s\n", clip(d.Hint, maxSentence))
		}
	}
}

// row is one line of the table of calls, escaped.
type row struct {
	call                                        *finding.CallReport
	number, name, class, in, out, decision, why string
}

// maxQuietCalls is the length of a table up to which allowed calls without a
// finding are shown too.
const maxQuietCalls = 30

// table lists the calls: what each is, what goes in and out, and the answer.
func (t *textWriter) table(p *finding.PlanReport, m *masker) {
	var rows []row
	hidden := 0
	for i := range p.Calls {
		c := &p.Calls[i]
		if len(p.Calls) > maxQuietCalls && !t.o.Verbose && c.Decision == gate.Allow && len(c.Findings) == 0 {
			hidden++
			continue
		}
		rows = append(rows, t.row(p, m, c))
	}
	var wide row
	for _, r := range rows {
		wide.number = widest(wide.number, r.number)
		wide.name = widest(wide.name, r.name)
		wide.class = widest(wide.class, r.class)
		wide.in = widest(wide.in, r.in)
		wide.out = widest(wide.out, r.out)
	}
	t.printf("\n")
	for _, r := range rows {
		line := fmt.Sprintf("  %*s  %s  %s  %s", width(wide.number), r.number,
			pad(r.name, width(wide.name)), pad(r.class, width(wide.class)), rowLabels(&r, &wide))
		t.printf("%s\n", strings.TrimRight(line+t.decision(r.call.Decision, r.decision)+"  "+r.why, " "))
	}
	if hidden > 0 {
		t.printf("  … %s allowed without a finding (-v shows them)\n", count(hidden, "more call"))
	}
}

// rowLabels is "secret ->" for what goes in, "-> secret" for what comes out,
// with the arrows of the table in one column.
func rowLabels(r, wide *row) string {
	if wide.in == "" && wide.out == "" {
		return ""
	}
	mark := "->"
	if r.in == "" && r.out == "" {
		mark = "  "
	}
	in := strings.Repeat(" ", width(wide.in)-width(r.in)) + r.in
	if wide.in != "" {
		in += " "
	}
	if wide.out == "" {
		return in + mark + "  "
	}
	return in + mark + " " + pad(r.out, width(wide.out)) + "  "
}

func (t *textWriter) row(p *finding.PlanReport, m *masker, c *finding.CallReport) row {
	name := clip(toolName(c), maxName)
	if s := m.summary(c.Index, max(t.o.Width*4/10-width(name), 12)); s != "" {
		name += " " + s
	}
	if c.Outcome.DidNotRun() || c.Outcome == plan.Failed {
		name += " (" + c.Outcome.String() + ")"
	}
	return row{
		call: c, number: fmt.Sprint(c.Index + 1), name: name, class: className(c),
		in: labels(c.LabelsIn), out: labels(c.LabelsOut), decision: c.Decision.String(), why: t.tableWhy(p, c),
	}
}

func className(c *finding.CallReport) string {
	if c.Class == gate.ClassUnset {
		return "unknown"
	}
	return c.Class.String()
}

func labels(names []string) string { return clip(strings.Join(names, ","), 32) }

// tableWhy is the shortest reason: the findings' ids, else what decided.
func (t *textWriter) tableWhy(p *finding.PlanReport, c *finding.CallReport) string {
	if owed := owes(c); c.Decision == gate.Allow && owed != "" {
		return owed
	}
	if c.Decision == gate.Allow && !t.o.Verbose {
		return ""
	}
	var at, on []string
	for _, i := range c.Findings {
		f := &p.Findings[i]
		if f.Decision == gate.Allow || f.Gate.None() && f.Decision != gate.Deny {
			continue
		}
		if f.Call == c.Index {
			at = appendNew(at, Escape(f.ID))
		} else {
			on = appendNew(on, Escape(f.ID))
		}
	}
	switch {
	case len(at) > 0:
		return strings.Join(at, ", ")
	case len(on) > 0:
		return "on the path of " + strings.Join(on, ", ")
	}
	return clip(c.Rule, maxName)
}

// owes says how a call that runs can be taken back: until when, and by what.
func owes(c *finding.CallReport) string {
	switch by := clip(Escape(c.Gate.Compensation), maxName); {
	case c.Gate.UndoWindow > 0 && by != "":
		return fmt.Sprintf("can be withdrawn for %s: %s", c.Gate.UndoWindow, by)
	case c.Gate.UndoWindow > 0:
		return fmt.Sprintf("can be withdrawn for %s", c.Gate.UndoWindow)
	case by != "":
		return "made up for by " + by
	}
	return ""
}

func appendNew(list []string, s string) []string {
	for _, have := range list {
		if have == s {
			return list
		}
	}
	return append(list, s)
}

func widest(a, b string) string {
	if width(b) > width(a) {
		return b
	}
	return a
}

func pad(text string, to int) string {
	return text + strings.Repeat(" ", max(0, to-width(text)))
}
