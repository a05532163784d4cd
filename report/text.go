package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/planlint/planlint/finding"
	"github.com/planlint/planlint/gate"
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
	line := severities(p, false)
	line += acceptedCount(p)
	line += stopped(p)
	if n := len(p.Diagnostics); n > 0 && !notable(p) && !t.o.Verbose {
		line += ", " + count(n, "note") + " (-v)"
	}
	t.printf("%s: %s, %s", t.paint(bold, name), count(len(p.Calls), "call"), t.decision(p.Verdict, verdictWord(p)))
	needs := verdictGate(p)
	begun := width(name) + width(count(len(p.Calls), "call")) + width(verdictWord(p)) + 4
	if limit := t.o.limit; limit > 0 && begun+width(needs+line) > limit {
		t.printf("\n  %s\n", strings.Join(wrap(strings.TrimLeft(needs+line, " ,;"), limit-2), "\n  "))
		return
	}
	t.printf("%s%s\n", needs, line)
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

// severities counts the findings that no rule accepts on calls that ran or will
// run, or on those that did not: ", 1 error, 2 remarks".
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

// verdictGate is " (1 approval)" where the verdict asks.
func verdictGate(p *finding.PlanReport) string {
	if p.Verdict != gate.Ask || p.Gate.None() {
		return ""
	}
	return " (" + p.Gate.String() + ")"
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
		if f.Accepted == nil && f.Severity == s && stopped == (f.Call >= 0 && p.Calls[f.Call].Outcome.DidNotRun()) {
			n++
		}
	}
	return n
}

func (t *textWriter) plan(p *finding.PlanReport) {
	m := newMasker(p)
	t.table(p, m)
	var last *finding.Finding
	for i := range p.Findings {
		f := &p.Findings[i]
		if f.Accepted != nil {
			continue
		}
		t.printf("\n")
		t.finding(p, m, f, last != nil && f.Position == last.Position)
		last = f
	}
	t.accepted(p)
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
		if f.Accepted != nil {
			continue // it needs nobody
		}
		t.printf("  %s %s: %s  %s\n", t.severity(f.Severity), Escape(f.ID), clip(message(f), maxSentence), position(f.Position))
	}
}

func message(f *finding.Finding) string {
	if f.Message != "" {
		return f.Message
	}
	return f.Title
}

// noteIndent is the width of what stands before a note, or before its next lines.
const noteIndent = 7

// folded ends a line that has begun, and goes on below it where the text is longer.
// A text that fits is left as it is.
func (t *textWriter) folded(text string) {
	if t.o.limit == 0 || width(text)+noteIndent <= t.o.limit {
		t.printf("%s\n", text)
		return
	}
	for i, line := range wrap(text, t.o.limit-noteIndent) {
		if i > 0 {
			t.printf("       ")
		}
		t.printf("%s\n", line)
	}
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
		t.printf("%s ", t.paint(dim, "note"))
		text := Escape(d.ID)
		if d.Closing {
			text += " (asks)"
		}
		text += ": " + clip(d.Message, maxSentence)
		if at := position(d.Position); at != "" && width(text)+width(at)+noteIndent+2 > t.o.limit && t.o.limit > 0 {
			t.folded(text)
			t.printf("       at %s\n", at)
		} else {
			t.folded(strings.TrimRight(text+"  "+at, " "))
		}
		if d.Hint != "" {
			t.printf("       ")
			t.folded("hint: " + clip(d.Hint, maxSentence))
		}
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
	return clip(decider(p, c), maxName)
}

// decider names what makes a call ask or be denied: the findings at it, else those
// on whose path it is, else the rule. It is not escaped.
func decider(p *finding.PlanReport, c *finding.CallReport) string {
	var at, on []string
	for _, i := range c.Findings {
		f := &p.Findings[i]
		if f.Accepted != nil || f.Decision == gate.Allow || f.Gate.None() && f.Decision != gate.Deny {
			continue
		}
		if f.Call == c.Index {
			at = appendNew(at, f.ID)
		} else {
			on = appendNew(on, f.ID)
		}
	}
	switch {
	case c.Decision == gate.Allow:
	case len(at) > 0:
		return strings.Join(at, ", ")
	case len(on) > 0:
		return "on the path of " + strings.Join(on, ", ")
	}
	return c.Rule
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

func pad(text string, to int) string {
	return text + strings.Repeat(" ", max(0, to-width(text)))
}
