package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/planlint/planlint"
	"github.com/planlint/planlint/internal/eval"
)

// suitePolicies is where the policies of suites lie by default, looked for from
// the working directory upwards.
const suitePolicies = "examples/policies"

// evalOptions are the options of eval, as given.
type evalOptions struct {
	format, policies, compare, explain, output string
	list                                       bool
}

func evalCommand(s *streams) *cobra.Command {
	var o evalOptions
	cmd := &cobra.Command{
		Use:   "eval LABELLED.jsonl[.gz]...",
		Short: "Measure detection on labelled traces",
		Long: `Measure on labelled traces how many attacks composition stops and how often it
stops anything else: per suite and model, with confidence intervals clustered by
task. The policy of a run is SUITE.yaml in the folder of policies. docs/eval.md
has the schema of labelled sets.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runEval(cmd.Context(), s, &o, args)
		},
	}
	f := cmd.Flags()
	f.StringVarP(&o.format, "format", "f", "text", "output format: text or json")
	f.StringVar(&o.policies, "policies", "", "folder with a policy SUITE.yaml a suite, or one policy file for all (default: "+suitePolicies+", found upwards)")
	f.StringVar(&o.compare, "compare", "", "second folder or policy: list the calls that the two decide differently")
	f.StringVar(&o.explain, "explain", "", "show the calls of the run with this id, and why they are flagged")
	f.BoolVar(&o.list, "list", false, "list the runs that count as errors, one a line")
	f.StringVarP(&o.output, "output", "o", "", "write the result to a file instead of stdout")
	return cmd
}

func runEval(ctx context.Context, s *streams, o *evalOptions, args []string) error {
	if o.format != "text" && o.format != "json" {
		return optionError("-f", o.format, []string{"text", "json"})
	}
	first, err := newSuites(s, o.policies)
	if err != nil {
		return err
	}
	run := &evalRun{s: s, o: o, ctx: ctx, first: first, seen: map[string]*eval.Run{}, undescribed: map[string]*eval.Run{}}
	if o.compare != "" {
		if run.second, err = newSuites(s, o.compare); err != nil {
			return err
		}
	}
	for _, path := range args {
		if err := run.file(path); err != nil {
			return err
		}
	}
	return writeOutput(s, o.output, run.write)
}

// suites are the checkers of suites, loaded when a run first needs them.
type suites struct {
	s        *streams
	path     string
	file     bool
	checkers map[string]*planlint.Checker
}

func newSuites(s *streams, path string) (*suites, error) {
	if path == "" {
		found, err := upwards(suitePolicies)
		if err != nil {
			return nil, err
		}
		path = found
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", printable(path), reason(err))
	}
	return &suites{s: s, path: path, file: !info.IsDir(), checkers: map[string]*planlint.Checker{}}, nil
}

// upwards finds a folder from the working directory upwards.
func upwards(folder string) (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		path := filepath.Join(dir, folder)
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			return path, nil
		}
		if filepath.Dir(dir) == dir {
			return "", fmt.Errorf("there is no %s here or above\nhint: name the folder that has SUITE.yaml with --policies", folder)
		}
		dir = filepath.Dir(dir)
	}
}

// checker returns the checker of a suite, whose name comes from a file and so
// must be a plain one.
func (p *suites) checker(suite string) (*planlint.Checker, error) {
	if c, ok := p.checkers[suite]; ok {
		return c, nil
	}
	path := p.path
	if !p.file {
		if suite == "" || suite != filepath.Base(suite) || suite[0] == '.' {
			return nil, fmt.Errorf("suite %q is no name of a policy\nhint: give each run the suite of a policy in %s, or one policy file for all with --policies", suite, printable(p.path))
		}
		path = filepath.Join(p.path, suite+".yaml")
		if _, err := os.Stat(path); err != nil {
			return nil, fmt.Errorf("suite %q: %s: %w\nhint: write its contracts, see docs/eval.md", suite, printable(path), reason(err))
		}
	}
	c, err := newPolicies(p.s, path, "").checker("")
	if err != nil {
		return nil, err
	}
	p.checkers[suite] = c
	return c, nil
}

// evalRun gathers the outcomes of one command.
type evalRun struct {
	// seen are the runs by id, undescribed the tools by suite that were told of.
	seen, undescribed map[string]*eval.Run

	s             *streams
	o             *evalOptions
	ctx           context.Context
	first, second *suites
	outcomes      []eval.Outcome
	explained     []string
	differences   []string
	decided       int
}

func (r *evalRun) file(path string) error {
	in, name := r.s.stdin, "<stdin>"
	if path != stdinName {
		f, err := os.Open(path)
		if err != nil {
			return fmt.Errorf("%s: %w", printable(path), reason(err))
		}
		defer f.Close()
		in, name = f, path
	}
	return eval.Read(in, name, r.one)
}

func (r *evalRun) one(run *eval.Run) error {
	if err := r.once(run); err != nil {
		return err
	}
	checker, err := r.first.checker(run.Suite)
	if errors.Is(err, errReported) {
		return err
	}
	if err != nil {
		return run.Errorf("%w", err)
	}
	r.describes(checker, run)
	report := checker.Check(r.ctx, run.Plan)
	if err := r.ctx.Err(); err != nil {
		return err
	}
	outcome := eval.Judge(run, &report)
	if r.o.explain == run.ID && r.o.explain != "" {
		r.explained = append(r.explained, eval.Explain(&outcome, &report))
	}
	if r.second != nil {
		other, err := r.second.checker(run.Suite)
		if errors.Is(err, errReported) {
			return err
		}
		if err != nil {
			return run.Errorf("%w", err)
		}
		changed := other.Check(r.ctx, run.Plan)
		r.decided += len(report.Calls)
		r.differences = append(r.differences, eval.Differences(run, &report, &changed)...)
	}
	run.Plan = nil // outcomes are kept, plans are not
	r.outcomes = append(r.outcomes, outcome)
	return nil
}

// once refuses a run that was read before: it would count twice.
func (r *evalRun) once(run *eval.Run) error {
	if run.ID == "" {
		return run.Errorf("it has no id\nhint: --explain and --list name runs by it")
	}
	if before := r.seen[run.ID]; before != nil {
		return run.Errorf("another run has this id\nhint: first at %s:%d", printable(before.File), before.Line)
	}
	r.seen[run.ID] = run
	return nil
}

// describes warns once of each tool that a suite's policy has no contract for: as an
// unknown tool it is judged by other rules than its own contract would set.
func (r *evalRun) describes(checker *planlint.Checker, run *eval.Run) {
	for i := range run.Plan.Calls {
		name := run.Plan.Calls[i].Tool
		key := run.Suite + "\x00" + name
		if r.undescribed[key] != nil || checker.Policy().Registry.Contract(name) != nil {
			continue
		}
		r.undescribed[key] = run
		fmt.Fprintf(r.s.stderr, "warning: %s:%d: run %q: the policy of suite %q does not describe the tool %q: it counts as an unknown one\n",
			printable(run.File), run.Line, run.ID, run.Suite, name)
	}
}

func (r *evalRun) write(w io.Writer) error {
	summary := eval.Summarize(r.outcomes)
	switch {
	case r.o.explain != "" && len(r.explained) == 0:
		return fmt.Errorf("--explain: no run has the id %q\nhint: --list names the runs that count as errors", r.o.explain)
	case r.o.explain != "":
		return writeAll(w, r.explained)
	case r.second != nil:
		return eval.WriteDifferences(w, r.differences, r.decided, r.o.format == "json")
	case r.o.list:
		return writeAll(w, eval.Errors(r.outcomes))
	case r.o.format == "json":
		return summary.WriteJSON(w)
	}
	return summary.WriteText(w, r.width())
}

// width is that of the terminal that the result goes to, 0 for none.
func (r *evalRun) width() int {
	if r.o.output != "" && r.o.output != stdinName {
		return 0
	}
	return terminalWidth(r.s)
}

func writeAll(w io.Writer, lines []string) error {
	for _, line := range lines {
		if _, err := io.WriteString(w, line); err != nil {
			return err
		}
	}
	return nil
}
