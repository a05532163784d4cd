package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/planlint/planlint/docs"
	"github.com/planlint/planlint/finding"
	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/report"
	"github.com/planlint/planlint/rules"
	"github.com/planlint/planlint/trace"
)

// checkSettings are check's options once they are known to be right.
type checkSettings struct {
	format      report.Format
	inputFormat trace.Format
	output      string
	color       bool
	width       int
	failOn      failOn
	quiet       bool
	verbose     bool
	// untrustedPrompt: the prompt of a recorded run is no user's words.
	untrustedPrompt bool
}

// validate refuses wrong options before any work starts.
func (o *checkOptions) validate(io *streams) (checkSettings, error) {
	s := checkSettings{output: o.output, quiet: o.quiet, verbose: o.verbose, untrustedPrompt: o.untrustedPrompt}
	var err error
	if s.format, err = report.ParseFormat(o.format); err != nil {
		return s, optionError("-f", o.format, report.Formats())
	}
	if o.inputFormat != "" {
		var known bool
		if s.inputFormat, known = trace.ParseFormat(o.inputFormat); !known {
			return s, optionError("--input-format", o.inputFormat, inputFormats())
		}
	}
	if o.mode != "" && !slices.Contains(rules.Modes(), o.mode) {
		return s, optionError("--mode", o.mode, rules.Modes())
	}
	if s.color, err = useColor(io, o.color); err != nil {
		return s, err
	}
	if o.output == "" || o.output == stdinName {
		s.width = terminalWidth(io)
	}
	if s.failOn, err = parseFailOn(o.failOn); err != nil {
		return s, err
	}
	if o.quiet && o.verbose {
		return s, fmt.Errorf("-q and -v exclude each other")
	}
	return s, nil
}

func (s *checkSettings) reportOptions(sources map[string][]byte) report.Options {
	return report.Options{
		Format: s.format, Color: s.color, Width: s.width, Quiet: s.quiet, Verbose: s.verbose,
		Source:  func(file string) []byte { return sources[file] },
		Version: version(), HasPage: func(id string) bool { _, ok := docs.Page(id); return ok },
	}
}

func optionError(option, value string, allowed []string) error {
	return fmt.Errorf("%s: unknown value %q\nhint: one of %s", option, value, strings.Join(allowed, ", "))
}

func inputFormats() []string {
	var names []string
	for _, f := range trace.Readable() {
		names = append(names, string(f))
	}
	return names
}

func list(names []string) string { return strings.Join(names, ", ") }

// failOn says which results make check exit with ExitFound.
type failOn struct {
	// set is false where the user gave none, and the kind of plan decides.
	set                       bool
	deny, ask, error, warning bool
}

func parseFailOn(text string) (failOn, error) {
	if text == "" {
		return failOn{}, nil
	}
	f := failOn{set: true}
	names := strings.Split(text, ",")
	for _, name := range names {
		switch strings.TrimSpace(name) {
		case "deny":
			f.deny = true
		case "ask":
			f.ask = true
		case "error":
			f.error = true
		case "warning":
			f.warning, f.error = true, true
		case "never":
			if len(names) > 1 {
				return f, fmt.Errorf("--fail-on: never stands alone")
			}
		default:
			return f, optionError("--fail-on", name, []string{"deny", "ask", "error", "warning", "never"})
		}
	}
	return f, nil
}

// hit reports whether a plan has anything that the option names and no rule
// accepts. In a recorded
// run only calls that ran count, and an ask that nobody could give is none.
func (f failOn) hit(p *finding.PlanReport) bool {
	if !f.set {
		f = failOn{deny: true, ask: !p.Recorded, error: true}
	}
	for i := range p.Calls {
		call := &p.Calls[i]
		if call.Outcome.DidNotRun() {
			continue
		}
		if f.deny && call.Decision == gate.Deny || f.ask && call.Decision == gate.Ask {
			return true
		}
	}
	for i := range p.Findings {
		if f.hitFinding(p, &p.Findings[i]) {
			return true
		}
	}
	return f.deny && p.Verdict == gate.Deny && len(p.Calls) == 0
}

func (f failOn) hitFinding(p *finding.PlanReport, found *finding.Finding) bool {
	if found.Accepted != nil || found.Call >= 0 && p.Calls[found.Call].Outcome.DidNotRun() {
		return false
	}
	if found.Call < 0 && (f.ask && found.Decision == gate.Ask && !found.Gate.None() || f.deny && found.Decision == gate.Deny) {
		return true
	}
	return f.error && found.Severity == finding.Error || f.warning && found.Severity == finding.Warning
}
