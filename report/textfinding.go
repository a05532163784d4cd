package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/planlint/planlint/finding"
	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/taint"
)

// finding writes one finding: what, where, by which path, why, what instead.
// again: the source line has just been shown.
func (t *textWriter) finding(p *finding.PlanReport, m *masker, f *finding.Finding, again bool) {
	said := clip(message(f), maxSentence)
	head := fmt.Sprintf("%s %s: %s", f.Severity, Escape(f.ID), said)
	if t.o.limit > 0 && width(head) > t.o.limit {
		lines := wrap(head, t.o.limit)
		begun := len(head) - len(said)
		said = strings.Join(lines, "\n       ")[min(begun, len(lines[0])):]
	}
	painted := fmt.Sprintf("%s %s: %s", t.severity(f.Severity), t.paint(bold, Escape(f.ID)), said)
	at := position(f.Position)
	if room := t.o.Width - width(head) - width(at); room >= 2 {
		t.printf("%s%s%s\n", painted, strings.Repeat(" ", room), at)
	} else {
		t.printf("%s\n  at %s\n", painted, at)
	}
	if !again {
		t.snippet(m, f.Position, t.note(p, f))
	}
	if f.Flow != nil {
		t.path(p, f)
	}
	lines := originLines(p, f)
	if again && slices.Equal(lines, t.from) {
		lines = nil // they have just been told
	} else {
		t.from = lines
	}
	label := "from"
	for _, line := range lines {
		if len(p.Parts(f)) == 0 {
			label = "since" // it is about the call as a whole
		}
		t.wrapped(label, line)
		label = ""
	}
	t.indented("why", f.Why)
	t.indented("instead", f.Instead)
	if t.o.paged(f.Rule) {
		t.indented("more", "planlint explain "+f.ID)
	}
}

// note says by what the underlined text is known.
func (t *textWriter) note(p *finding.PlanReport, f *finding.Finding) string {
	if f.Flow == nil || len(f.Flow.Hops) == 0 {
		return ""
	}
	return evidence(p, lastHop(f.Flow))
}

// lastHop is the last hop that says more than that a call passes data on.
func lastHop(f *taint.Flow) *taint.Hop {
	for i := len(f.Hops) - 1; i >= 0; i-- {
		if f.Hops[i].Evidence.Kind != taint.ByPass {
			return &f.Hops[i]
		}
	}
	return &f.Hops[len(f.Hops)-1]
}

// path draws the flow on one line, or one hop a line where that is too long.
func (t *textWriter) path(p *finding.PlanReport, f *finding.Finding) {
	steps := pathSteps(p, f.Flow)
	line := steps[0].place
	for _, s := range steps[1:] {
		line += "  " + s.arrow + "  " + s.place
	}
	if width(line) <= t.o.Width-indentWidth {
		t.labelled("path", line)
	} else {
		t.labelled("path", cut(steps[0].place, t.o.Width-indentWidth))
		for _, s := range steps[1:] {
			t.labelled("", fmt.Sprintf("%-13s %s", s.arrow, cut(s.place, t.o.Width-indentWidth-14)))
		}
	}
	if n := others(p, f.Flow); n > 0 {
		more := count(n, "more source")
		if f.Flow.AtLeast {
			more = "at least " + more
		}
		t.labelled("also", more+" of "+strings.Join(escapeAll(f.Labels), ", ")+" data")
	}
}

// maxOthers is how many flows are looked at to tell sources apart.
const maxOthers = 64

// others counts the other sources of a flow's label that people can tell apart: two
// fields of an output that is plain text are one.
func others(p *finding.PlanReport, f *taint.Flow) int {
	if f.Others == 0 || f.AtLeast || f.Others >= maxOthers || p.Labels == nil {
		return f.Others
	}
	flows, more := p.Labels.AllFlows(f.Sink.Call, maxOthers)
	if more {
		return f.Others
	}
	seen := map[string]bool{placeName(p, f.Source): true}
	for i := range flows {
		if flows[i].Label == f.Label {
			seen[placeName(p, flows[i].Source)] = true
		}
	}
	return min(f.Others, len(seen)-1)
}

type pathStep struct{ arrow, place string }

// maxPathSteps bounds what is drawn of a long path; its middle is left out.
const maxPathSteps = 24

// pathSteps are the places of a flow with the arrow that leads to each; the
// last is who gets the data.
func pathSteps(p *finding.PlanReport, f *taint.Flow) []pathStep {
	var steps []pathStep
	if len(f.Hops) == 0 {
		steps = append(steps, pathStep{place: placeName(p, f.Source)})
		if sink := placeName(p, f.Sink); sink != steps[0].place {
			steps = append(steps, pathStep{arrow(f.Precision), sink})
		}
	}
	for i := range f.Hops {
		h := &f.Hops[i]
		if i == 0 {
			steps = append(steps, pathStep{place: placeName(p, h.From)})
		}
		if to := placeName(p, h.To); to != steps[len(steps)-1].place {
			steps = append(steps, pathStep{arrow(h.Precision), to})
		}
	}
	if len(steps) > maxPathSteps {
		left := len(steps) - maxPathSteps
		half := maxPathSteps / 2
		steps = append(append(steps[:half:half], pathStep{"", fmt.Sprintf("… %s", count(left, "more step"))}), steps[half+left:]...)
	}
	// Who sees it says something only where it leaves the own systems, or where
	// the contract names the few that see it.
	if f.Kinds&(taint.SinkPublic|taint.SinkExternal) != 0 || f.Kinds&taint.SinkInternal != 0 && !f.Audience.Everyone() {
		steps = append(steps, pathStep{"->", audience(p, f)})
	}
	return steps
}

func escapeAll(list []string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = Escape(s)
	}
	return out
}

const indentWidth = 16

// maxSentence is how much of a message, a reason or an advice is shown.
const maxSentence = 600

// labelled writes one line under a finding.
func (t *textWriter) labelled(label, text string) {
	t.printf("%s\n", strings.TrimRight(fmt.Sprintf("       %s %s", t.paint(dim, label)+strings.Repeat(" ", max(0, 8-width(label))), text), " "))
}

// indented writes a text that may need several lines; it escapes it.
func (t *textWriter) indented(label, text string) { t.wrapped(label, clip(text, maxSentence)) }

// wrapped writes escaped text.
func (t *textWriter) wrapped(label, text string) {
	for i, line := range wrap(text, t.o.Width-indentWidth) {
		if i > 0 {
			label = ""
		}
		t.labelled(label, line)
	}
}

// ask is a group of calls that are asked or denied for the same reason, which
// no finding has told.
type ask struct {
	calls         []int
	decision      gate.Decision
	rule          string
	why, instead  string
	gate, suggest string
}

// asks tells of the calls that ask or are denied without a finding.
func (t *textWriter) asks(p *finding.PlanReport) {
	for _, a := range groupAsks(p) {
		line := t.callList(p, a.calls)
		if a.gate != "" {
			line += " (" + a.gate + ")"
		}
		t.printf("\n%s ", t.decision(a.decision, a.decision.String()))
		t.folded(line + "  by " + clip(a.rule, maxName))
		t.indented("why", a.why)
		t.indented("instead", a.instead)
		if a.suggest != "" {
			t.labelled("allow by", cut(Escape(a.suggest), 4*t.o.Width))
		}
	}
}

func groupAsks(p *finding.PlanReport) []ask {
	var out []ask
	index := map[string]int{}
	for i := range p.Calls {
		c := &p.Calls[i]
		if c.Decision == gate.Allow || told(p, c) {
			continue
		}
		a := ask{calls: []int{i}, decision: c.Decision, rule: c.Rule, why: c.Why, instead: c.Instead, suggest: c.Suggest}
		if !c.Gate.Requirements.None() {
			a.gate = c.Gate.Requirements.String()
		}
		key := strings.Join([]string{a.decision.String(), a.rule, a.why, a.instead, a.gate, a.suggest}, "\x00")
		if at, ok := index[key]; ok {
			out[at].calls = append(out[at].calls, i)
			continue
		}
		index[key] = len(out)
		out = append(out, a)
	}
	return out
}

// told reports whether a finding already says why the call is not allowed.
func told(p *finding.PlanReport, c *finding.CallReport) bool {
	for _, i := range c.Findings {
		if c.Rule == p.Findings[i].ID {
			return true
		}
	}
	return false
}

// maxCallList is how many calls of one group are named.
const maxCallList = 6

func (t *textWriter) callList(p *finding.PlanReport, calls []int) string {
	var names []string
	for i, c := range calls {
		if i == maxCallList {
			names = append(names, fmt.Sprintf("%d more", len(calls)-i))
			break
		}
		names = append(names, callName(p, c))
	}
	return strings.Join(names, ", ")
}
