package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/planlint/planlint"
	"github.com/planlint/planlint/internal/eval"
	"github.com/planlint/planlint/internal/spell"
)

// suitePolicies is where the policies of suites lie by default, looked for from
// the working directory upwards.
const suitePolicies = "examples/policies"

// evalOptions are the options of eval, as given.
type evalOptions struct {
	format, policies, compare, explain, list, output string
}

// The values of --list.
const (
	listErrors = "errors"
	listAll    = "all"
)

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
	f.StringVar(&o.policies, "policies", "", "folder with a policy SUITE.yaml a suite, or one policy for all: a file or builtin:NAME (default: "+suitePolicies+", found upwards)")
	f.StringVar(&o.compare, "compare", "", "second folder or policy: the figures of both, and the calls that they decide differently")
	f.StringVar(&o.explain, "explain", "", "show the calls of the run with this id, and why they are flagged")
	f.StringVar(&o.list, "list", "", "list the runs that count as errors, one a line; --list=all lists all runs")
	f.Lookup("list").NoOptDefVal = listErrors
	f.StringVarP(&o.output, "output", "o", "", "write the result to a file instead of stdout")
	return cmd
}

func runEval(ctx context.Context, s *streams, o *evalOptions, args []string) error {
	if o.format != "text" && o.format != "json" {
		return optionError("-f", o.format, []string{"text", "json"})
	}
	if err := o.together(); err != nil {
		return err
	}
	first, err := newSuites(s, "--policies", o.policies)
	if err != nil {
		return err
	}
	run := &evalRun{s: s, o: o, ctx: ctx, first: first, seen: map[string]*eval.Run{}, undescribed: map[string]*eval.Run{}, notes: map[string]*readNotes{}}
	if o.compare != "" {
		if run.second, err = newSuites(s, "--compare", o.compare); err != nil {
			return err
		}
	}
	for _, path := range args {
		if err := run.file(path); err != nil {
			return err
		}
	}
	run.warn()
	if o.explain != "" && len(run.explained) == 0 {
		return run.unknownID()
	}
	return writeOutput(s, o.output, run.write)
}

// together refuses options of which one would be ignored.
func (o *evalOptions) together() error {
	if o.list != "" && o.list != listErrors && o.list != listAll {
		return optionError("--list", o.list, []string{listErrors, listAll})
	}
	var given []string
	for _, x := range []struct{ name, value string }{{"--compare", o.compare}, {"--explain", o.explain}, {"--list", o.list}} {
		if x.value != "" {
			given = append(given, x.name)
		}
	}
	if len(given) > 1 {
		return fmt.Errorf("%s and %s can't be given together\nhint: each writes another result", given[0], given[1])
	}
	if o.format == "json" && (o.explain != "" || o.list != "") {
		return fmt.Errorf("-f json: %s writes text only\nhint: the figures and --compare have a JSON form", given[0])
	}
	return nil
}

// suites are the checkers of suites, loaded when a run first needs them.
type suites struct {
	s    *streams
	path string
	// one: it is one policy for all suites.
	one      bool
	checkers map[string]*planlint.Checker
	unseen   unseen
}

// newSuites takes the value of an option, empty for the default.
func newSuites(s *streams, option, path string) (*suites, error) {
	p := &suites{s: s, path: path, checkers: map[string]*planlint.Checker{}}
	if path == "" {
		found, err := upwards(suitePolicies)
		if err != nil {
			return nil, err
		}
		p.path = found
		return p, nil
	}
	if strings.HasPrefix(path, builtinPrefix) {
		p.one = true
		if err := new(policyValue).Set(path); err != nil {
			return nil, fmt.Errorf("%s: %q: %w", option, path, err)
		}
		return p, nil
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %s: %w\nhint: give a folder with SUITE.yaml for each suite, one policy file for all, or builtin:NAME", option, printable(path), reason(err))
	}
	p.one = !info.IsDir()
	return p, nil
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
	path := p.path
	if !p.one {
		if suite == "" || suite != filepath.Base(suite) || suite[0] == '.' {
			return nil, fmt.Errorf("suite %q is no name of a policy\nhint: give each run the suite of a policy in %s, or one policy file for all with --policies", suite, printable(p.path))
		}
		path = filepath.Join(p.path, suite+".yaml")
	}
	if c, ok := p.checkers[path]; ok {
		return c, nil
	}
	if !p.one {
		if _, err := os.Stat(path); err != nil {
			return nil, fmt.Errorf("suite %q: %s: %w\nhint: write its contracts, see docs/eval.md", suite, printable(path), reason(err))
		}
	}
	c, err := newPolicies(p.s, path, "").checker("")
	if err != nil {
		return nil, err
	}
	p.checkers[path] = c
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
	// notes are what reading the runs gave, by id.
	notes map[string]*readNotes
	// others are the outcomes by the second policy.
	others      []eval.Outcome
	differences []string
	decided     int
}

// readNotes are the notes of one id.
type readNotes struct {
	count, runs int
	first       *eval.Run
	message     string
}

func (r *evalRun) file(path string) error {
	in, name := r.s.stdin, "<stdin>"
	if path != stdinName {
		f, err := os.Open(path)
		if err != nil {
			if path == listAll && r.o.list != "" {
				return fmt.Errorf("%s: %w\nhint: --list=all lists all runs", path, reason(err))
			}
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
	r.first.sees(checker, run)
	r.note(run)
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
		r.second.sees(other, run)
		changed := other.Check(r.ctx, run.Plan)
		r.others = append(r.others, eval.Judge(run, &changed))
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

// sees notes what the calls of a run show of the policy's contracts.
func (p *suites) sees(checker *planlint.Checker, run *eval.Run) {
	for i := range run.Plan.Calls {
		c := &run.Plan.Calls[i]
		p.unseen.call(checker.Policy().Registry.Find(c.Tool, c.Server), c)
	}
}

// note counts what reading a run gave.
func (r *evalRun) note(run *eval.Run) {
	seen := map[string]bool{}
	for i := range run.Plan.Notes {
		n := &run.Plan.Notes[i]
		x := r.notes[n.ID]
		if x == nil {
			x = &readNotes{first: run, message: n.Message}
			r.notes[n.ID] = x
		}
		x.count++
		if !seen[n.ID] {
			seen[n.ID] = true
			x.runs++
		}
	}
}

// warn writes what was odd in the runs, then what policies say and no run shows.
func (r *evalRun) warn() {
	for _, id := range slices.Sorted(maps.Keys(r.notes)) {
		n := r.notes[id]
		fmt.Fprintf(r.s.stderr, "warning: %s: %s in %s, first %s:%d: run %q: %s\n", id, plural(n.count, "note"), plural(n.runs, "run"),
			printable(n.first.File), n.first.Line, n.first.ID, printable(n.message))
	}
	if len(r.notes) > 0 {
		fmt.Fprintln(r.s.stderr, "hint: planlint explain ID says what a note means, planlint check -v FILE shows each")
	}
	builtin, err := newPolicies(r.s, builtinPrefix+"default", "").checker("")
	if err != nil {
		return // said already
	}
	r.first.unseen.write(r.s.stderr, builtin.Policy().Registry)
	if r.second != nil {
		r.second.unseen.write(r.s.stderr, builtin.Policy().Registry)
	}
}

// unknownID says that --explain names no run, with the id that is most like it.
func (r *evalRun) unknownID() error {
	ids := slices.Sorted(maps.Keys(r.seen))
	near := spell.Nearest(r.o.explain, ids)
	for _, id := range ids {
		if near == "" && strings.Contains(id, r.o.explain) {
			near = id
		}
	}
	hint := fmt.Sprintf("--list=all lists the ids of all %s", plural(len(ids), "run"))
	if near != "" {
		hint = fmt.Sprintf("did you mean %q? %s", near, hint)
	}
	return fmt.Errorf("--explain: no run has the id %q\nhint: %s", r.o.explain, hint)
}

func (r *evalRun) write(w io.Writer) error {
	summary := eval.Summarize(r.outcomes)
	switch {
	case r.o.explain != "":
		return writeAll(w, r.explained)
	case r.second != nil:
		c := eval.Comparison{Names: [2]string{r.first.path, r.second.path}, A: summary, B: eval.Summarize(r.others),
			Differences: r.differences, Decided: r.decided}
		if r.o.format == "json" {
			return c.WriteJSON(w)
		}
		return c.WriteText(w)
	case r.o.list != "":
		return writeAll(w, eval.List(r.outcomes, r.o.list == listAll))
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
