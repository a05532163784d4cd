package policytest

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
)

// Report is what one run of tests says, over all suites.
type Report struct {
	Suites []SuiteReport
	// Mutated: mutants were made, so their absence says something.
	Mutated bool
}

// SuiteReport is the report of one file of tests.
type SuiteReport struct {
	Suite    *Suite
	Results  []Result
	Coverage *Coverage
	Mutants  []Mutant
}

// Formats lists the formats of Write.
func Formats() []string { return []string{"text", "junit", "json"} }

// Failed reports whether a test failed, or a mutant was not noticed.
func (r *Report) Failed() bool {
	for i := range r.Suites {
		for j := range r.Suites[i].Results {
			if !r.Suites[i].Results[j].Passed() {
				return true
			}
		}
		for _, m := range r.Suites[i].Mutants {
			if m.Noticed == "" {
				return true
			}
		}
	}
	return false
}

// Options say how a report is written.
type Options struct {
	Format string
	// Detail lists what no test reached; Escape makes text safe for a terminal.
	Detail, Quiet bool
	Escape        func(string) string
}

// Write writes a report.
func Write(w io.Writer, r *Report, o Options) error {
	switch o.Format {
	case "junit":
		return writeJUnit(w, r)
	case "json":
		return writeJSON(w, r)
	}
	var b strings.Builder
	for i := range r.Suites {
		writeText(&b, &r.Suites[i], r.Mutated, o)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func writeText(b *strings.Builder, s *SuiteReport, mutated bool, o Options) {
	failed := 0
	for i := range s.Results {
		res := &s.Results[i]
		if res.Passed() {
			if !o.Quiet {
				fmt.Fprintf(b, "ok    %s\n", o.Escape(res.Test.Name))
			}
			continue
		}
		failed++
		fmt.Fprintf(b, "FAIL  %s  (%s:%d)\n", o.Escape(res.Test.Name), o.Escape(res.Test.Pos.File), res.Test.Pos.Line)
		for _, d := range res.Differences {
			fmt.Fprintf(b, "      %s\n", o.Escape(d))
		}
	}
	tests := "tests"
	if len(s.Results) == 1 {
		tests = "test"
	}
	fmt.Fprintf(b, "%s: %d %s, %d failed\n", o.Escape(s.Suite.File), len(s.Results), tests, failed)
	writeCoverage(b, s.Coverage, o)
	if mutated && len(s.Results) > 0 {
		writeMutants(b, s.Mutants, o)
	}
}

func writeCoverage(b *strings.Builder, c *Coverage, o Options) {
	rules, conds := c.Rules(), c.Conditions()
	if len(rules)+len(conds) == 0 {
		return
	}
	reached, both := 0, 0
	for _, r := range rules {
		if r.Decided > 0 {
			reached++
		}
	}
	for _, cc := range conds {
		if cc.Covered() {
			both++
		}
	}
	fmt.Fprintf(b, "coverage: %d of %d rules decided a call, %d of %d conditions were true and false\n", reached, len(rules), both, len(conds))
	if !o.Detail {
		return
	}
	for _, r := range rules {
		switch {
		case r.Matched == 0:
			fmt.Fprintf(b, "  %s: %s: %s\n", o.Escape(r.At), r.Never(), o.Escape(r.What))
		case r.Decided == 0:
			fmt.Fprintf(b, "  %s: matched, and %s decided: %s\n", o.Escape(r.At), o.Escape(r.Shadow()), o.Escape(r.What))
		}
	}
	for _, cc := range conds {
		if !cc.Covered() {
			fmt.Fprintf(b, "  %s: condition %s: %s\n", o.Escape(cc.At), seen(cc), o.Escape(cc.Text))
		}
	}
}

func seen(c *CondCover) string {
	switch {
	case c.True+c.False == 0 && c.Errs > 0:
		return "always failed"
	case c.True+c.False == 0:
		return "never evaluated"
	case c.True == 0:
		return "never true"
	}
	return "never false"
}

func writeMutants(b *strings.Builder, list []Mutant, o Options) {
	noticed := 0
	for _, m := range list {
		if m.Noticed != "" {
			noticed++
		}
	}
	fmt.Fprintf(b, "mutants: %d, noticed by a test: %d\n", len(list), noticed)
	for _, m := range list {
		if m.Noticed == "" {
			fmt.Fprintf(b, "  %s: no test notices: %s\n", o.Escape(m.Pos.String()), o.Escape(m.What))
		}
	}
}

type jsonTest struct {
	Name        string   `json:"name"`
	File        string   `json:"file"`
	Line        int      `json:"line"`
	Passed      bool     `json:"passed"`
	Differences []string `json:"differences,omitempty"`
}

type jsonMutant struct {
	At      string `json:"at"`
	What    string `json:"what"`
	Noticed string `json:"noticed_by,omitempty"`
}

type jsonSuite struct {
	File       string       `json:"file"`
	Policy     string       `json:"policy,omitempty"`
	Tests      []jsonTest   `json:"tests"`
	Rules      []*RuleCover `json:"rules"`
	Conditions []*CondCover `json:"conditions"`
	Mutants    []jsonMutant `json:"mutants,omitempty"`
}

// Schema names the JSON format.
const Schema = "planlint.policytest/v1"

func writeJSON(w io.Writer, r *Report) error {
	out := struct {
		Schema string      `json:"schema"`
		Suites []jsonSuite `json:"suites"`
	}{Schema: Schema, Suites: []jsonSuite{}}
	for i := range r.Suites {
		s := &r.Suites[i]
		js := jsonSuite{File: s.Suite.File, Policy: s.Suite.Policy, Tests: []jsonTest{}, Rules: s.Coverage.Rules(), Conditions: s.Coverage.Conditions()}
		for j := range s.Results {
			res := &s.Results[j]
			js.Tests = append(js.Tests, jsonTest{res.Test.Name, res.Test.Pos.File, res.Test.Pos.Line, res.Passed(), res.Differences})
		}
		for _, m := range s.Mutants {
			js.Mutants = append(js.Mutants, jsonMutant{m.Pos.String(), m.What, m.Noticed})
		}
		out.Suites = append(out.Suites, js)
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(out)
}

type xmlFailure struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

type xmlCase struct {
	Name    string      `xml:"name,attr"`
	Class   string      `xml:"classname,attr"`
	File    string      `xml:"file,attr,omitempty"`
	Line    int         `xml:"line,attr,omitempty"`
	Failure *xmlFailure `xml:"failure,omitempty"`
}

type xmlSuite struct {
	XMLName  xml.Name  `xml:"testsuite"`
	Name     string    `xml:"name,attr"`
	Tests    int       `xml:"tests,attr"`
	Failures int       `xml:"failures,attr"`
	Cases    []xmlCase `xml:"testcase"`
}

func writeJUnit(w io.Writer, r *Report) error {
	root := struct {
		XMLName xml.Name   `xml:"testsuites"`
		Suites  []xmlSuite `xml:"testsuite"`
	}{}
	for i := range r.Suites {
		root.Suites = append(root.Suites, junitSuite(&r.Suites[i]))
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(root); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func junitSuite(s *SuiteReport) xmlSuite {
	out := xmlSuite{Name: s.Suite.File}
	add := func(c xmlCase, differences []string) {
		if out.Tests++; len(differences) > 0 {
			out.Failures++
			c.Failure = &xmlFailure{Message: differences[0], Text: strings.Join(differences, "\n")}
		}
		out.Cases = append(out.Cases, c)
	}
	for i := range s.Results {
		res := &s.Results[i]
		add(xmlCase{Name: res.Test.Name, Class: s.Suite.File, File: res.Test.Pos.File, Line: res.Test.Pos.Line}, res.Differences)
	}
	for _, m := range s.Mutants {
		var differences []string
		if m.Noticed == "" {
			differences = []string{"no test notices: " + m.What}
		}
		add(xmlCase{Name: "mutant: " + m.What, Class: s.Suite.File + ".mutants", File: m.Pos.File, Line: m.Pos.Line}, differences)
	}
	return out
}
