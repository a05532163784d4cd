package report

import (
	"fmt"

	"github.com/planlint/planlint/finding"
)

// acceptedCount is ", 1 finding accepted".
func acceptedCount(p *finding.PlanReport) string {
	n := 0
	for i := range p.Findings {
		if p.Findings[i].Accepted != nil {
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return ", " + count(n, "finding") + " accepted"
}

// accepted lists what rules accept: each finding on a line, with the rule and its
// reason below, once for those that share them.
func (t *textWriter) accepted(p *finding.PlanReport) {
	var by finding.Acceptance
	for i := range p.Findings {
		f := &p.Findings[i]
		if f.Accepted == nil {
			continue
		}
		if by == (finding.Acceptance{}) {
			t.printf("\n")
		} else if by != *f.Accepted {
			t.acceptedBy(by)
		}
		by = *f.Accepted
		for n, line := range wrap(clip(message(f), maxSentence)+", "+position(f.Position), t.o.Width-indentWidth-width(f.ID)) {
			head := t.paint(dim, "accepted") + " " + Escape(f.ID) + ":"
			if n > 0 {
				head = "       "
			}
			t.printf("%s %s\n", head, line)
		}
	}
	if by != (finding.Acceptance{}) {
		t.acceptedBy(by)
	}
}

func (t *textWriter) acceptedBy(by finding.Acceptance) {
	t.indented("by", by.Rule+prefixed(": ", by.Reason))
}

// acceptedText says by which rule a finding is accepted, for formats that have no
// word for it: " (accepted by planlint.yaml:12: the vendor holds it)".
func acceptedText(f *finding.Finding) string {
	if f.Accepted == nil {
		return ""
	}
	return fmt.Sprintf(" (accepted by %s%s)", f.Accepted.Rule, prefixed(": ", f.Accepted.Reason))
}
