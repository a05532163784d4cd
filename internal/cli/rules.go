package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/spf13/cobra"

	"github.com/planlint/planlint/internal/policylint"
	"github.com/planlint/planlint/internal/policytest"
	"github.com/planlint/planlint/policy"
)

func rulesCommand(s *streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "rules",
		Short: "List, lint and test the rules of a policy",
		Args:  noCommand,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(rulesTestCommand(s), rulesListCommand(s), rulesLintCommand(s), rulesCoverageCommand(s))
	return cmd
}

// testOptions are the options of rules test, as given.
type testOptions struct {
	format, run, output     string
	coverage, mutate, quiet bool
}

func rulesTestCommand(s *streams) *cobra.Command {
	var o testOptions
	cmd := &cobra.Command{
		Use:   "test [FILE...]",
		Short: "Run the tests of policies",
		Long: `Run the tests of policy files (their tests: list) and of files of tests (*.test.yaml).
Without FILE: the planlint.yaml found upwards and the files of tests beside it.

The policy counts as trusted, and the user's own layer is left out, so that the
result is the same on every machine.

Exit codes: 0 all tests passed; 1 a test failed, or with --mutate a mutant was not
noticed; 2 something could not be read.`,
		RunE: func(cmd *cobra.Command, args []string) error { return runRulesTest(cmd.Context(), s, &o, args) },
	}
	f := cmd.Flags()
	f.StringVarP(&o.format, "format", "f", "text", "output format: "+list(policytest.Formats()))
	f.StringVarP(&o.output, "output", "o", "", "write the result to a file instead of stdout")
	f.StringVar(&o.run, "run", "", "only tests whose name holds this text, or matches this glob")
	f.BoolVar(&o.coverage, "coverage", false, "list rules and conditions that no test reached")
	f.BoolVar(&o.mutate, "mutate", false, "change the policy in one place at a time, and list the changes that no test notices")
	f.BoolVarP(&o.quiet, "quiet", "q", false, "only what failed")
	return cmd
}

func runRulesTest(ctx context.Context, s *streams, o *testOptions, args []string) error {
	if !contains(policytest.Formats(), o.format) {
		return optionError("-f", o.format, policytest.Formats())
	}
	files, err := testFiles(args)
	if err != nil {
		return err
	}
	failed := false
	report := policytest.Report{}
	ran := 0
	for _, file := range files {
		suite, problems := policytest.Load(file)
		writeProblems(s, problems, true)
		if suite == nil {
			failed = true
			continue
		}
		sr := runSuite(ctx, suite, o)
		ran += len(sr.Results)
		report.Suites = append(report.Suites, sr)
	}
	if ran == 0 && !failed {
		return noTests(o, files)
	}
	red := o.mutate && (failed || report.Failed())
	if o.mutate && !red {
		for i := range report.Suites {
			if len(report.Suites[i].Results) > 0 {
				report.Suites[i].Mutants = mutants(ctx, &report.Suites[i])
			}
		}
	}
	report.Mutated = o.mutate && !red
	err = writeOutput(s, o.output, func(w io.Writer) error {
		return policytest.Write(w, &report, policytest.Options{Format: o.format, Detail: o.coverage, Quiet: o.quiet, Escape: printable})
	})
	switch {
	case err != nil:
		return err
	case red:
		fmt.Fprintln(s.stderr, "error: --mutate needs tests that pass: no mutant was made\nhint: make them pass, then try again")
		if failed {
			return errReported
		}
		return errFound
	case failed:
		return errReported
	case report.Failed():
		return errFound
	}
	return nil
}

func noTests(o *testOptions, files []string) error {
	if o.run != "" {
		return fmt.Errorf("--run %s: no test has such a name", printable(o.run))
	}
	return fmt.Errorf("%s: no tests\nhint: write tests: into the policy, or a file beside it that ends in %s (docs/policy-tests.md)",
		printable(strings.Join(files, ", ")), policytest.TestSuffix)
}

func runSuite(ctx context.Context, suite *policytest.Suite, o *testOptions) policytest.SuiteReport {
	results, cover := suite.Run(ctx, wanted(o.run))
	return policytest.SuiteReport{Suite: suite, Results: results, Coverage: cover}
}

// mutants changes the policy of a suite whose tests pass.
func mutants(ctx context.Context, sr *policytest.SuiteReport) []policytest.Mutant {
	tests := make([]*policytest.Test, len(sr.Results))
	for i := range sr.Results {
		tests[i] = sr.Results[i].Test
	}
	return sr.Suite.Mutate(ctx, tests)
}

func wanted(run string) func(string) bool {
	if run == "" {
		return nil
	}
	return func(name string) bool {
		ok, err := doublestar.Match(run, name)
		return err == nil && ok || strings.Contains(name, run)
	}
}

// testFiles returns what to test: the arguments, or the policy found upwards
// and the files of tests beside it.
func testFiles(args []string) ([]string, error) {
	if len(args) > 0 {
		return args, nil
	}
	path, err := ownPolicy()
	if err != nil {
		return nil, err
	}
	return append([]string{path}, policytest.Beside(path)...), nil
}

// ownPolicy is the policy file found upwards from the working directory.
func ownPolicy() (string, error) {
	path, err := policy.Find(policy.OS{}, ".")
	if err != nil {
		return "", err
	}
	if path == "" {
		return "", fmt.Errorf("no %s here or above\nhint: planlint init writes one; or name a file", policy.FileName)
	}
	return shorten(path), nil
}

func contains(list []string, word string) bool {
	for _, w := range list {
		if w == word {
			return true
		}
	}
	return false
}

// loadNamed reads the policy of --policy, or the one found upwards, as trusted.
func loadNamed(s *streams, name string) (*policy.Loaded, error) {
	o := policy.Options{}
	builtin, isBuiltin := strings.CutPrefix(name, builtinPrefix)
	switch {
	case isBuiltin:
		o.Base = builtin
	case name != "":
		o.Files = []string{name}
	default:
		path, err := ownPolicy()
		if err != nil {
			return nil, err
		}
		o.Files = []string{path}
	}
	loaded, problems := policy.Read(o)
	writeProblems(s, problems, true)
	if loaded == nil {
		return nil, errReported
	}
	return loaded, nil
}

func rulesLintCommand(s *streams) *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "lint [FILE]",
		Short: "Find rules that can never speak",
		Long: `Compare the rules of a policy with its contracts: arguments that no tool has, labels
that nothing produces, kinds of sink that nothing has, rules that another one
always shadows. FILE is the planlint.yaml found upwards if not given.

Exit codes: 0 nothing found (notes aside); 1 something found; 2 not checked.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			return runRulesLint(s, format, strings.Join(args, ""))
		},
	}
	cmd.Flags().StringVarP(&format, "format", "f", "text", "output format: text, json")
	return cmd
}

type jsonProblem struct {
	At      string `json:"at"`
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
	Note    bool   `json:"note,omitempty"`
}

func runRulesLint(s *streams, format, file string) error {
	if format != "text" && format != "json" {
		return optionError("-f", format, []string{"text", "json"})
	}
	loaded, err := loadNamed(s, file)
	if err != nil {
		return err
	}
	var found []jsonProblem
	for _, p := range policylint.Lint(loaded) {
		found = append(found, jsonProblem{p.Pos.String(), p.Message, p.Hint, p.Note})
	}
	return writeLints(s, format, found)
}

// writeLints writes problems and returns errFound where one is no note.
func writeLints(s *streams, format string, found []jsonProblem) error {
	if format == "json" {
		if err := writeJSONTo(s.stdout, map[string]any{"schema": "planlint.lint/v1", "problems": nonNil(found)}); err != nil {
			return err
		}
	}
	hit := false
	for _, p := range found {
		hit = hit || !p.Note
		if format == "json" {
			continue
		}
		kind := "warning"
		if p.Note {
			kind = "note"
		}
		fmt.Fprintf(s.stdout, "%s: %s: %s\n", printable(p.At), kind, printable(p.Message))
		if p.Hint != "" {
			fmt.Fprintf(s.stdout, "  hint: %s\n", printable(p.Hint))
		}
	}
	if hit {
		return errFound
	}
	return nil
}

func nonNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

func writeJSONTo(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// shorten makes a path below the working directory relative.
func shorten(path string) string {
	wd, err := os.Getwd()
	if err != nil {
		return path
	}
	if rest, ok := strings.CutPrefix(path, wd+string(os.PathSeparator)); ok {
		return rest
	}
	return path
}
