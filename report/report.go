// Package report writes what planlint found.
//
// In: a finding.Report, and for text the sources of the reviewed files. Out:
// one of the formats: text for people, json and jsonl (schema
// planlint.report/v1, docs/schema/report.schema.json), sarif 2.1.0 and junit for
// CI, github (workflow commands), markdown, dot and mermaid (the dataflow graph).
//
// # Guarantees
//
// The same report gives the same bytes; nothing depends on time, environment or
// map order. Text from plans is hostile: every format that does not encode it
// escapes control characters, ANSI, bidi overrides, zero-width characters and
// line breaks (Escape). Labelled values are never printed: a summary leaves out
// arguments that confidential data reached, and source lines are masked where
// such a value, a recorded output of such a call, or a value under a name like
// password stands.
//
// # Choices
//
// SARIF is written with own structs: go-sarif v3.3.1, the kept library, links
// net/http and an unmaintained validator into every program that imports it,
// which the command's start-up budget does not bear. Its embedded copy of the
// OASIS schema validates the output in the tests. DOT and Mermaid are own
// writers too: dominikbraun/graph's DOT writer neither escapes nor orders.
//
// # Limits
//
// Widths count runes, so East Asian text may stand out of a column. A graph
// shows at most maxGraphNodes nodes and says what it left out. A value that
// confidential data reached only by the context is printed: it is co-occurrence.
package report

import (
	"bufio"
	"fmt"
	"io"

	"github.com/planlint/planlint/finding"
)

// Format is an output format. The zero value is Text.
type Format uint8

// The formats.
const (
	Text Format = iota
	JSON
	JSONLines
	SARIF
	JUnit
	GitHub
	Markdown
	DOT
	Mermaid
)

var formatNames = [...]string{"text", "json", "jsonl", "sarif", "junit", "github", "markdown", "dot", "mermaid"}

// String returns the format's name.
func (f Format) String() string { return formatNames[min(int(f), len(formatNames)-1)] }

// Formats lists the names of all formats.
func Formats() []string { return append([]string(nil), formatNames[:]...) }

// ParseFormat returns the format of that exact name.
func ParseFormat(name string) (Format, error) {
	for i, n := range formatNames {
		if n == name {
			return Format(i), nil
		}
	}
	return Text, fmt.Errorf("unknown format %q", name)
}

// DefaultWidth is the width of text where Options.Width is 0.
const DefaultWidth = 100

// Options say how a report is written.
type Options struct {
	Format Format
	// Color marks decisions and severities with ANSI colours in text.
	Color bool
	// Width is the number of columns that text should keep to, 0 for
	// DefaultWidth; then tables and notes, which others search by line, are as wide
	// as they are.
	Width int
	// limit is Width where one was given.
	limit int
	// Source returns the bytes of a file that a position names, nil where they
	// are not at hand; then no source line is shown.
	Source func(file string) []byte
	// Quiet leaves out the tables and explanations of text; Verbose shows every
	// call and diagnostic.
	Quiet, Verbose bool
	// Version is planlint's own, for formats that name the tool.
	Version string
	// Errors say what was not checked, so that the review is not whole. SARIF lists
	// them, as people read them elsewhere.
	Errors []Error
	// HasPage reports whether a rule of that id is explained by planlint explain;
	// nil: the built-in ones are.
	HasPage func(id string) bool
}

// Error is why something was not checked. The position's file may be empty.
type Error struct {
	Message, Hint string
	Position      finding.Position
}

// paged reports whether there is a page on a rule.
func (o *Options) paged(r *finding.Rule) bool {
	if r == nil || o.HasPage == nil {
		return r != nil && r.Builtin
	}
	return o.HasPage(r.ID)
}

// Write writes the report in the format of the options.
func Write(w io.Writer, r *finding.Report, o Options) error {
	o.limit = max(o.Width, 0)
	if o.Width <= 0 {
		o.Width = DefaultWidth
	}
	out := bufio.NewWriter(w)
	var err error
	switch o.Format {
	case JSON:
		err = writeJSON(out, r)
	case JSONLines:
		err = writeJSONLines(out, r)
	case SARIF:
		err = writeSARIF(out, r, o)
	case JUnit:
		err = writeJUnit(out, r)
	case GitHub:
		writeGitHub(out, r)
	case Markdown:
		writeMarkdown(out, r)
	case DOT:
		writeDOT(out, r)
	case Mermaid:
		writeMermaid(out, r)
	default:
		writeText(out, r, o)
	}
	if err != nil {
		return fmt.Errorf("report as %s: %w", o.Format, err)
	}
	return out.Flush()
}
