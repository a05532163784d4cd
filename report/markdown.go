package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/planlint/planlint/finding"
	"github.com/planlint/planlint/gate"
)

// writeMarkdown writes what a comment on a pull request needs: a table of calls
// and the findings, folded where there are many calls.
func writeMarkdown(w io.Writer, r *finding.Report) {
	for i := range r.Plans {
		p := &r.Plans[i]
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "## %s: %s\n\n", code(p.Source), verdictWord(p))
		fmt.Fprintf(w, "%s", count(len(p.Calls), "call"))
		if p.Verdict == gate.Ask && !p.Gate.None() {
			fmt.Fprintf(w, ", gate: %s", p.Gate)
		}
		fmt.Fprintf(w, "%s%s%s\n", severities(p, false), acceptedCount(p), stopped(p))
		if notable(p) {
			markdownCalls(w, p)
			markdownFindings(w, p)
			markdownAsks(w, p)
		}
		markdownNotes(w, p.Diagnostics)
	}
	markdownNotes(w, r.Diagnostics)
}

func markdownCalls(w io.Writer, p *finding.PlanReport) {
	fmt.Fprintf(w, "\n| # | call | class | in | out | answer | by |\n|---|---|---|---|---|---|---|\n")
	hidden := 0
	for i := range p.Calls {
		c := &p.Calls[i]
		if len(p.Calls) > maxQuietCalls && c.Decision == gate.Allow && len(c.Findings) == 0 {
			hidden++
			continue
		}
		fmt.Fprintf(w, "| %d | %s | %s | %s | %s | %s | %s |\n", i+1, code(toolName(c)), className(c),
			markdownText(strings.Join(c.LabelsIn, ", ")), markdownText(strings.Join(c.LabelsOut, ", ")), c.Decision, markdownText(decider(p, c)))
	}
	if hidden > 0 {
		fmt.Fprintf(w, "\n%s allowed without a finding.\n", count(hidden, "more call"))
	}
}

func markdownFindings(w io.Writer, p *finding.PlanReport) {
	for i := range p.Findings {
		f := &p.Findings[i]
		if f.Accepted != nil {
			fmt.Fprintf(w, "\n**Accepted** %s: %s, %s\nby %s%s\n", markdownText(f.ID), markdownText(message(f)), code(positionRaw(f.Position)),
				code(f.Accepted.Rule), markdownText(prefixed(": ", f.Accepted.Reason)))
			continue
		}
		fmt.Fprintf(w, "\n### %s %s: %s\n\n%s\n", f.Severity, markdownText(f.ID), markdownText(message(f)), code(positionRaw(f.Position)))
		if f.Flow != nil {
			fmt.Fprintf(w, "\n")
			for n, s := range pathSteps(p, f.Flow) {
				if n == 0 {
					fmt.Fprintf(w, "1. %s\n", code(s.place))
					continue
				}
				if how := strings.Trim(s.arrow, "=-~>"); how != "" {
					fmt.Fprintf(w, "1. by %s to %s\n", how, code(s.place))
				} else {
					fmt.Fprintf(w, "1. to %s\n", code(s.place))
				}
			}
		}
		for n, line := range originLines(p, f) {
			if n == 0 {
				fmt.Fprintf(w, "\n")
			}
			fmt.Fprintf(w, "- %s\n", markdownText(line))
		}
		if f.Why != "" {
			fmt.Fprintf(w, "\n**Why:** %s\n", markdownText(f.Why))
		}
		if f.Instead != "" {
			fmt.Fprintf(w, "\n**Instead:** %s\n", markdownText(f.Instead))
		}
	}
}

// markdownAsks tells of the calls that ask or are denied without a finding.
func markdownAsks(w io.Writer, p *finding.PlanReport) {
	for _, a := range groupAsks(p) {
		fmt.Fprintf(w, "\n### %s:", a.decision)
		for i, c := range a.calls {
			if i == maxCallList {
				fmt.Fprintf(w, " and %s", count(len(a.calls)-i, "more call"))
				break
			}
			fmt.Fprintf(w, " %s", code(fmt.Sprintf("%d %s", c+1, toolName(&p.Calls[c]))))
		}
		fmt.Fprintf(w, "\n\nBy %s", code(a.rule))
		if a.gate != "" {
			fmt.Fprintf(w, ", gate: %s", a.gate)
		}
		fmt.Fprintf(w, ".\n")
		if a.why != "" {
			fmt.Fprintf(w, "\n**Why:** %s\n", markdownText(a.why))
		}
		if a.instead != "" {
			fmt.Fprintf(w, "\n**Instead:** %s\n", markdownText(a.instead))
		}
		if a.suggest != "" {
			fmt.Fprintf(w, "\n**Allow by:** %s\n", code(a.suggest))
		}
	}
}

func markdownNotes(w io.Writer, list []finding.Diagnostic) {
	for i := range list {
		if i == 0 {
			fmt.Fprintf(w, "\n")
		}
		if i == maxDiagnostics {
			fmt.Fprintf(w, "- %s\n", count(len(list)-i, "more note"))
			return
		}
		fmt.Fprintf(w, "- note %s: %s\n", markdownText(list[i].ID), markdownText(list[i].Message))
	}
}

func positionRaw(p finding.Position) string {
	if !p.Known() {
		return p.File
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
}

// code writes a code span. Backticks would end it and a pipe the cell, so they
// are replaced by look-alikes that do neither.
func code(text string) string {
	text = strings.NewReplacer("`", "ˋ", "|", "¦").Replace(clip(text, 120))
	if text == "" {
		return ""
	}
	return "`" + text + "`"
}

// colonActs reports whether a colon could begin a link or an emoji: where another
// colon or a slash is in the text.
func colonActs(text string) bool {
	return strings.Count(text, ":") > 1 || strings.Contains(text, "/")
}

// markdownText escapes all that Markdown and HTML would act on.
func markdownText(text string) string {
	var b strings.Builder
	for _, r := range clip(text, 400) {
		switch {
		case r == '<':
			b.WriteString("&lt;")
		case r == '>':
			b.WriteString("&gt;")
		case r == '&':
			b.WriteString("&amp;")
		case r == '@':
			b.WriteString("&#64;")
		case strings.ContainsRune("\\`*_{}[]()#+!|~", r), r == ':' && colonActs(text):
			b.WriteByte('\\')
			b.WriteRune(r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
