package cli

import (
	"context"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/planlint/planlint"
	"github.com/planlint/planlint/internal/compiled"
	"github.com/planlint/planlint/internal/policytest"
	"github.com/planlint/planlint/policy"
	"github.com/planlint/planlint/trace"
)

func rulesListCommand(s *streams) *cobra.Command {
	var format, policyName string
	var all bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the rules in force",
		Long: `List the per-call rules, permissions and composition rules of a policy: the
planlint.yaml found upwards, or --policy. Built-in composition rules are listed
with --all.`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if format != "text" && format != "json" {
				return optionError("-f", format, []string{"text", "json"})
			}
			loaded, err := loadNamed(s, policyName)
			if err != nil {
				return err
			}
			return listRules(s, loaded.Document, format, all)
		},
	}
	cmd.Flags().StringVarP(&format, "format", "f", "text", "output format: text, json")
	cmd.Flags().Var((*policyValue)(&policyName), "policy", "policy file, or builtin:NAME")
	cmd.Flags().BoolVar(&all, "all", false, "built-in rules too")
	return cmd
}

// listedRule is one rule of the list.
type listedRule struct {
	Kind     string `json:"kind"`
	ID       string `json:"id,omitempty"`
	At       string `json:"at"`
	Decision string `json:"decision"`
	What     string `json:"what"`
	Why      string `json:"why,omitempty"`
	Builtin  bool   `json:"builtin,omitempty"`
}

func listRules(s *streams, d *compiled.Document, format string, all bool) error {
	var rules []listedRule
	for i := range d.Rules {
		r := &d.Rules[i]
		kind := "rule"
		if r.Permission {
			kind = "permission"
		}
		if all || !r.Builtin {
			_, what, _ := strings.Cut(policytest.Describe(r), " ")
			rules = append(rules, listedRule{Kind: kind, ID: r.Name.S, At: r.Pos.String(), Decision: r.Decision.S, What: what, Why: r.Why.S, Builtin: r.Builtin})
		}
	}
	for i := range d.Compose {
		r := &d.Compose[i]
		if !all && r.Builtin {
			continue
		}
		decision := r.Decision.S
		if decision == "" {
			decision = "ask"
		}
		rules = append(rules, listedRule{Kind: "compose", ID: r.ID.S, At: r.Pos.String(), Decision: decision, What: r.Title.S, Why: r.Why.S, Builtin: r.Builtin})
	}
	if format == "json" {
		return writeJSONTo(s.stdout, map[string]any{"schema": "planlint.rules/v1", "rules": nonNil(rules)})
	}
	w := tabwriter.NewWriter(s.stdout, 0, 0, 2, ' ', 0)
	for _, r := range rules {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", printable(r.At), r.Kind, printable(r.ID), r.Decision, printable(r.What))
	}
	return w.Flush()
}

func rulesCoverageCommand(s *streams) *cobra.Command {
	var format, policyName, inputFormat string
	cmd := &cobra.Command{
		Use:   "coverage TRACE...",
		Short: "Find rules that never match, or never decide, in recorded traces",
		Long: `Review traces and plans, and list the policy's own rules that never matched a call,
or matched and never decided one since another rule always did.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			o := checkOptions{format: "text", color: "never", policy: policyName, inputFormat: inputFormat}
			settings, err := o.validate(s)
			if err != nil {
				return err
			}
			if format != "text" && format != "json" {
				return optionError("-f", format, []string{"text", "json"})
			}
			return runCoverage(cmd.Context(), s, &settings, policyName, format, args)
		},
	}
	cmd.Flags().StringVarP(&format, "format", "f", "text", "output format: text, json")
	cmd.Flags().Var((*policyValue)(&policyName), "policy", "policy file instead of the planlint.yaml found upwards")
	cmd.Flags().StringVar(&inputFormat, "input-format", "", "input format instead of detection: "+list(inputFormats()))
	return cmd
}

func runCoverage(ctx context.Context, s *streams, settings *checkSettings, policyName, format string, args []string) error {
	loaded, err := loadNamed(s, policyName)
	if err != nil {
		return err
	}
	own := make(map[string]bool)
	for _, l := range loaded.Layers {
		own[l.File] = true
	}
	cover := policytest.NewCoverage(loaded.Document, own)
	built, problems := policy.Rebuild(loaded.Document, cover)
	if built == nil {
		writeProblems(s, problems, true)
		return errReported
	}
	checker := planlint.New(*built)
	inputs, hidden, errs := expand(args)
	failed := len(errs) > 0
	noteHidden(s, hidden)
	for _, err := range errs {
		fmt.Fprintf(s.stderr, "error: %s\n", err)
	}
	for _, in := range inputs {
		failed = !coverInput(ctx, s, settings, in, checker, cover) || failed
	}
	if err := writeTraceCoverage(s.stdout, format, cover); err != nil {
		return err
	}
	if failed {
		return errReported
	}
	return nil
}

// coverInput adds one file's plans; it is false where the file can't be read.
func coverInput(ctx context.Context, s *streams, settings *checkSettings, in input, checker *planlint.Checker, cover *policytest.Coverage) bool {
	src, err := read(in, s.stdin)
	if err != nil {
		fmt.Fprintf(s.stderr, "error: %s\n", err)
		return false
	}
	format := settings.inputFormat
	if format == trace.Unknown {
		format = trace.Detect(src, in.name())
	}
	if in.walked && !format.IsReadable() {
		return true
	}
	plans, problems := trace.Read(src, in.name(), format, trace.Options{Sibling: in.sibling})
	for _, p := range problems {
		fmt.Fprintf(s.stderr, "error: %s\n", p.In(in.name()))
	}
	for _, p := range plans {
		report := checker.Check(ctx, p)
		cover.Add(checker, p, &report)
	}
	return len(problems) == 0
}

func writeTraceCoverage(w io.Writer, format string, c *policytest.Coverage) error {
	if format == "json" {
		return writeJSONTo(w, map[string]any{"schema": "planlint.coverage/v1", "plans": c.Plans, "calls": c.Calls,
			"rules": nonNil(c.Rules()), "conditions": nonNil(c.Conditions())})
	}
	fmt.Fprintf(w, "%s, %s, %s of the policy's own\n", plural(c.Plans, "plan"), plural(c.Calls, "call"), plural(len(c.Rules()), "rule"))
	for _, r := range c.Rules() {
		switch {
		case r.Matched == 0:
			fmt.Fprintf(w, "%s: never matched: %s\n", printable(r.At), printable(r.What))
		case r.Decided == 0:
			fmt.Fprintf(w, "%s: shadowed: matched %s, decided none (%s did): %s\n", printable(r.At), plural(r.Matched, "call"), printable(r.Shadow()), printable(r.What))
		default:
			fmt.Fprintf(w, "%s: matched %d, decided %d: %s\n", printable(r.At), r.Matched, r.Decided, printable(r.What))
		}
	}
	return nil
}
