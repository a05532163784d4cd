package cli

import (
	"context"
	"fmt"
	"io"
	"strings"

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
	// Accepts are what an allow waives by name, and why; Excepts the exceptions of a
	// composition rule.
	Accepts []string `json:"accepts,omitempty"`
	Reason  string   `json:"reason,omitempty"`
	Excepts []string `json:"unless,omitempty"`
	Builtin bool     `json:"builtin,omitempty"`
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
			rules = append(rules, listedRule{Kind: kind, ID: r.Name.S, At: r.Pos.String(), Decision: r.Decision.S, What: what, Why: r.Why.S,
				Accepts: compiled.Strings(r.Accepts), Reason: r.Reason.S, Builtin: r.Builtin})
		}
	}
	for i := range d.Compose {
		r := &d.Compose[i]
		excepts, own := exceptions(r)
		if !all && r.Builtin && !own {
			continue
		}
		decision := r.Decision.S
		if decision == "" {
			decision = "ask"
		}
		rules = append(rules, listedRule{Kind: "compose", ID: r.ID.S, At: r.Pos.String(), Decision: decision, What: r.Title.S, Why: r.Why.S, Excepts: excepts, Builtin: r.Builtin})
	}
	if format == "json" {
		return writeJSONTo(s.stdout, map[string]any{"schema": "planlint.rules/v1", "rules": nonNil(rules)})
	}
	t := table{shrink: []int{4, 0}}
	for _, r := range rules {
		what := printable(r.What)
		if len(r.Accepts) > 0 {
			what += " accepts " + printable(list(r.Accepts)) + ": " + printable(r.Reason)
		}
		for _, e := range r.Excepts {
			what += " unless " + printable(e)
		}
		t.row(printable(r.At), r.Kind, printable(r.ID), r.Decision, what)
	}
	return t.write(s.stdout, terminalWidth(s))
}

// exceptions describes what a composition rule excepts, and whether a policy of the
// user added any of it.
func exceptions(r *compiled.ComposeRule) (list []string, own bool) {
	for _, u := range r.Unless {
		own = own || u.Own
		var parts []string
		for _, p := range [][2]string{{"tool", u.Tool.S}, {"source", u.Source.S}, {"when", u.When.S}} {
			if p[1] != "" {
				parts = append(parts, p[0]+" "+p[1])
			}
		}
		list = append(list, strings.Join(parts, ", ")+": "+u.Reason.S)
	}
	return list, own
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
	text, broken := trace.Unzip(src, in.name())
	format := settings.inputFormat
	if format == trace.Unknown {
		format = trace.Detect(text, in.name())
	}
	if in.walked && !format.IsReadable() && len(broken) == 0 {
		return true
	}
	plans, problems := trace.Read(src, in.name(), format, trace.Options{Sibling: in.sibling})
	if noPlan(in, format, plans, text) && len(broken) == 0 {
		return true
	}
	for _, p := range plans {
		problems = append(problems, trace.Lost(p)...)
		report := checker.Check(ctx, p)
		cover.Add(checker, p, &report)
	}
	for _, p := range problems {
		writePlanError(s, in.name(), nil, p)
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
			fmt.Fprintf(w, "%s: %s: %s\n", printable(r.At), r.Never(), printable(r.What))
		case r.Decided == 0:
			fmt.Fprintf(w, "%s: shadowed: matched %s, decided none (%s did): %s\n", printable(r.At), plural(r.Matched, "call"), printable(r.Shadow()), printable(r.What))
		default:
			fmt.Fprintf(w, "%s: matched %d, decided %d: %s\n", printable(r.At), r.Matched, r.Decided, printable(r.What))
		}
	}
	return nil
}
