package cli

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/planlint/planlint/finding"
	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/plan/planyaml"
	"github.com/planlint/planlint/report"
	"github.com/planlint/planlint/rules"
	"github.com/planlint/planlint/trace"
)

// checkOptions are the options of check, as given.
type checkOptions struct {
	format, inputFormat, output, policy, mode, color, failOn string
	quiet, verbose, untrustedPrompt                          bool
}

func checkCommand(s *streams) *cobra.Command {
	var o checkOptions
	cmd := &cobra.Command{
		Use:   "check [FILE|DIR|-]...",
		Short: "Review plans and recorded traces",
		Long: `Review plans and recorded traces. Without an argument the working directory is
searched; - reads standard input. The format of each input is detected.

Exit codes: 0 checked and clean; 1 something at or above --fail-on; 2 something
could not be checked (all other inputs are still reported).`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return runCheck(cmd.Context(), s, &o, args)
		},
	}
	f := cmd.Flags()
	f.StringVarP(&o.format, "format", "f", "text", "output format: "+list(report.Formats()))
	f.StringVar(&o.inputFormat, "input-format", "", "input format instead of detection: "+list(inputFormats()))
	f.StringVarP(&o.output, "output", "o", "", "write the result to a file instead of stdout")
	f.Var((*policyValue)(&o.policy), "policy", "policy file, or builtin:NAME, instead of the planlint.yaml found upwards")
	f.StringVar(&o.mode, "mode", "", "mode instead of the policy's: "+list(rules.Modes()))
	f.StringVar(&o.color, "color", "auto", "colour: auto, always, never")
	f.StringVar(&o.failOn, "fail-on", "", "exit 1 on any of deny, ask, error, warning; or never (default: ask,error for plans, deny,error for recorded runs)")
	f.BoolVar(&o.untrustedPrompt, "untrusted-prompt", false, "the prompt of a recorded run is not the user's own words (as in CI jobs that hand an issue's text to an agent)")
	f.BoolVarP(&o.quiet, "quiet", "q", false, "only what needs a person")
	f.BoolVarP(&o.verbose, "verbose", "v", false, "every call and every diagnostic")
	return cmd
}

func runCheck(ctx context.Context, s *streams, o *checkOptions, args []string) error {
	settings, err := o.validate(s)
	if err != nil {
		return err
	}
	if len(args) == 0 {
		args = []string{"."}
	}
	inputs, hidden, errs := expand(args)
	run := newCheckRun(s, settings, o.policy, o.mode)
	run.policies.verbose = o.verbose
	for _, err := range errs {
		run.fail(err)
	}
	noteHidden(s, hidden)
	run.all(ctx, inputs)
	if err := run.write(); err != nil {
		return err
	}
	return run.exit()
}

// checkRun gathers the report of one run over all inputs.
type checkRun struct {
	s        *streams
	settings checkSettings
	policies *policies
	report   finding.Report
	sources  map[string][]byte
	dedupe   *trace.Dedupe
	failed   bool
	// errors are what was not checked, as the report has it.
	errors []report.Error
	// skipped are the files of folders that are no plan or trace.
	skipped []string
}

func newCheckRun(s *streams, settings checkSettings, policy, mode string) *checkRun {
	return &checkRun{
		s: s, settings: settings, policies: newPolicies(s, policy, mode),
		sources: make(map[string][]byte), dedupe: trace.NewDedupe(),
	}
}

// fail says that something was not checked; err is printable, its second line a hint.
func (r *checkRun) fail(err error) {
	r.failed = true
	message, hint, _ := strings.Cut(err.Error(), "\nhint: ")
	r.errors = append(r.errors, report.Error{Message: message, Hint: hint})
	fmt.Fprintf(r.s.stderr, "error: %s\n", err)
}

func (r *checkRun) all(ctx context.Context, inputs []input) {
	for _, in := range inputs {
		r.one(ctx, in)
	}
	r.noteSkipped()
	if len(r.skipped) > 0 && len(r.report.Plans) == 0 && !r.failed {
		r.fail(fmt.Errorf("none of %s is a plan or a trace", plural(len(r.skipped), "file")))
	}
}

// maxSkipped is how many skipped files the note names without -v.
const maxSkipped = 3

// noteSkipped says once which files of folders are no plan or trace.
func (r *checkRun) noteSkipped() {
	if len(r.skipped) == 0 {
		return
	}
	names := make([]string, 0, len(r.skipped))
	for i, path := range r.skipped {
		if i == maxSkipped && !r.settings.verbose {
			names = append(names, fmt.Sprintf("%d more", len(r.skipped)-i))
			break
		}
		names = append(names, printable(path))
	}
	fmt.Fprintf(r.s.stderr, "note: %s skipped, no plan or trace that planlint knows: %s\n", plural(len(r.skipped), "file"), strings.Join(names, ", "))
	if len(r.skipped) > maxSkipped && !r.settings.verbose {
		fmt.Fprintln(r.s.stderr, "hint: -v names all; a plan has calls at its top")
	}
}

func (r *checkRun) one(ctx context.Context, in input) {
	src, err := read(in, r.s.stdin)
	if err != nil {
		r.fail(err)
		return
	}
	name := in.name()
	// What can't be unpacked is an error in a folder too: nobody knows what is in it.
	src, broken := trace.Unzip(src, name)
	for _, e := range broken {
		r.problem(name, nil, e)
	}
	if len(broken) > 0 && len(src) == 0 {
		return
	}
	r.s.saveMemory(len(src))
	format := r.settings.inputFormat
	if format == trace.Unknown {
		format = trace.Detect(src, name)
	}
	if in.walked && !format.IsReadable() {
		r.skipped = append(r.skipped, in.path)
		return
	}
	plans, problems := trace.Read(src, name, format, trace.Options{
		Dedupe: r.dedupe, UntrustedPrompt: r.settings.untrustedPrompt, Sibling: in.sibling,
	})
	if noPlan(in, format, plans, src) {
		r.skipped = append(r.skipped, in.path)
		return
	}
	for _, p := range problems {
		r.problem(name, src, p)
	}
	checker, err := r.policies.checker(in.dir("."))
	if err != nil {
		r.failed = true
		return
	}
	r.sources[name] = src
	for _, p := range plans {
		for _, e := range trace.Lost(p) {
			r.problem(name, nil, e)
		}
		if len(p.Calls) == 0 && !r.policies.explain {
			fmt.Fprintf(r.s.stderr, "warning: %s: there are no calls in it, so nothing was reviewed\n", printable(name))
		}
		checked := checker.Check(ctx, p)
		r.unfinished(name, &checked)
		r.report.Plans = append(r.report.Plans, checked)
	}
	r.report.Rules = mergeRules(r.report.Rules, checker.Policy().Compose)
}

// failedID is the diagnostic of a plan that could not be checked at all.
const failedID = "PL9000"

// unfinished says that the check itself failed.
func (r *checkRun) unfinished(name string, p *finding.PlanReport) {
	for i := range p.Diagnostics {
		if d := &p.Diagnostics[i]; d.ID == failedID {
			r.problem(name, nil, plan.Error{Message: d.Message, Hint: d.Hint})
		}
	}
}

// noPlan reports whether a file of a folder that was read as a plan is none: one
// that is named is meant to be read, and what is wrong with it is an error.
func noPlan(in input, format trace.Format, plans []*plan.Plan, src []byte) bool {
	return in.walked && format == trace.Native && len(plans) == 0 && !planyaml.HasCalls(src)
}

// problem reports what is wrong with an input.
func (r *checkRun) problem(name string, src []byte, p plan.Error) {
	r.failed = true
	r.errors = append(r.errors, report.Error{Message: p.Message, Hint: p.Hint, Position: finding.Position{File: name, Position: p.Pos}})
	writePlanError(r.s, name, src, p)
}

func (r *checkRun) write() error {
	o := r.settings.reportOptions(r.sources)
	o.Errors = append(r.errors, r.policies.errors...)
	if r.failed && len(o.Errors) == 0 {
		o.Errors = []report.Error{{Message: "something was not checked"}}
	}
	return writeOutput(r.s, r.settings.output, func(w io.Writer) error {
		return report.Write(w, &r.report, o)
	})
}

// notChecked is an error where something was not checked.
func (r *checkRun) notChecked() error {
	if r.failed {
		return errReported
	}
	return nil
}

func (r *checkRun) exit() error {
	if err := r.notChecked(); err != nil {
		return err
	}
	for i := range r.report.Plans {
		if r.settings.failOn.hit(&r.report.Plans[i]) {
			return errFound
		}
	}
	return nil
}

// mergeRules keeps the rules of all policies that were applied, by id.
func mergeRules(known, more []finding.Rule) []finding.Rule {
	for _, rule := range more {
		found := false
		for i := range known {
			found = found || known[i].ID == rule.ID
		}
		if !found {
			known = append(known, rule)
		}
	}
	return known
}
