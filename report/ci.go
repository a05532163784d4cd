package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/planlint/planlint/finding"
	"github.com/planlint/planlint/gate"
)

// The JUnit dialect that CI systems read: a suite a plan, a case a call.
type (
	junitSuites struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Name     string       `xml:"name,attr"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Name    string        `xml:"name,attr"`
		Class   string        `xml:"classname,attr"`
		Failure *junitFailure `xml:"failure,omitempty"`
	}
	junitFailure struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr"`
		Text    string `xml:",chardata"`
	}
)

// writeJUnit writes a failing case for each call that is denied or asks, and for
// each finding on the plan as a whole.
func writeJUnit(w io.Writer, r *finding.Report) error {
	out := junitSuites{Name: "planlint"}
	for i := range r.Plans {
		suite := junitPlan(&r.Plans[i])
		out.Tests += suite.Tests
		out.Failures += suite.Failures
		out.Suites = append(out.Suites, suite)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(out); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func junitPlan(p *finding.PlanReport) junitSuite {
	suite := junitSuite{Name: Escape(p.Source)}
	add := func(c junitCase) {
		suite.Tests++
		if c.Failure != nil {
			suite.Failures++
		}
		suite.Cases = append(suite.Cases, c)
	}
	for i := range p.Calls {
		c := &p.Calls[i]
		out := junitCase{Name: Escape(c.ID) + " " + Escape(toolName(c)), Class: Escape(p.Source)}
		if c.Decision != gate.Allow {
			out.Failure = &junitFailure{Message: Escape(c.Why), Type: c.Decision.String(), Text: junitText(p, c)}
		}
		add(out)
	}
	for i := range p.Findings {
		if f := &p.Findings[i]; f.Call < 0 && f.Accepted == nil {
			add(junitCase{Name: Escape(f.ID), Class: Escape(p.Source),
				Failure: &junitFailure{Message: Escape(message(f)), Type: f.Severity.String(), Text: position(f.Position)}})
		}
	}
	return suite
}

func junitText(p *finding.PlanReport, c *finding.CallReport) string {
	lines := []string{position(p.Position(c.Index)), "by " + Escape(c.Rule)}
	if c.Instead != "" {
		lines = append(lines, "instead: "+Escape(c.Instead))
	}
	for _, i := range c.Findings {
		f := &p.Findings[i]
		lines = append(lines, Escape(f.ID)+": "+Escape(message(f))+originText(p, f)+Escape(acceptedText(f)))
	}
	return strings.Join(lines, "\n")
}

// writeGitHub writes workflow commands, one a finding, refusal and closing
// diagnostic.
func writeGitHub(w io.Writer, r *finding.Report) {
	for i := range r.Plans {
		p := &r.Plans[i]
		for j := range p.Findings {
			f := &p.Findings[j]
			command := "notice"
			if f.Accepted != nil {
				gitHubLine(w, command, f.Position, f.ID, message(f)+acceptedText(f))
				continue
			}
			if f.Severity == finding.Error {
				command = "error"
			} else if f.Severity == finding.Warning {
				command = "warning"
			}
			gitHubLine(w, command, f.Position, f.ID, resultText(f)+originText(p, f))
		}
		for j := range p.Calls {
			c := &p.Calls[j]
			if c.Decision == gate.Allow || told(p, c) {
				continue
			}
			command := "warning"
			if c.Decision == gate.Deny {
				command = "error"
			}
			gitHubLine(w, command, p.Position(c.Index), c.Decision.String()+" "+toolName(c), c.Why+prefixed(". Instead: ", c.Instead))
		}
		gitHubNotes(w, p.Diagnostics)
	}
	gitHubNotes(w, r.Diagnostics)
}

func gitHubNotes(w io.Writer, list []finding.Diagnostic) {
	for i := range list {
		if d := &list[i]; d.Closing {
			gitHubLine(w, "warning", d.Position, d.ID, d.Message)
		}
	}
}

func gitHubLine(w io.Writer, command string, at finding.Position, title, text string) {
	props := "file=" + gitHubProperty(at.File)
	if at.Known() {
		props += fmt.Sprintf(",line=%d", at.Line)
		if at.Column > 0 {
			props += fmt.Sprintf(",col=%d", at.Column)
		}
	}
	fmt.Fprintf(w, "::%s %s,title=%s::%s\n", command, props, gitHubProperty("planlint "+title), gitHubData(text))
}

// gitHubData keeps hostile text inside the command: what is not visible is
// escaped, %, and :: that could begin another command, are encoded.
func gitHubData(text string) string {
	return strings.NewReplacer("%", "%25", "::", "%3A%3A").Replace(Escape(text))
}

func gitHubProperty(text string) string {
	return strings.NewReplacer("%", "%25", ":", "%3A", ",", "%2C").Replace(Escape(text))
}
