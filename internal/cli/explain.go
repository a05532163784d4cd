package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/planlint/planlint/docs"
	"github.com/planlint/planlint/report"
)

func explainCommand(s *streams) *cobra.Command {
	var call, command, dialect, policyName, inputFormat string
	cmd := &cobra.Command{
		Use:   "explain ID | --call [RUN:]N FILE | --command LINE",
		Short: "Explain a rule or diagnostic, the decision for one call, or what a command line does",
		Long: `Explain a rule or diagnostic by its id, or the decision for one call of a plan or
trace: why it is denied, asks or is allowed, where its data came from, and XX the number in check's table, or the call's id.
With --command, print the effects of a command line as a table; nothing is run.`,
		Args: cobra.MaximumNArgs(1),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return docs.IDs(), cobra.ShellCompDirectiveDefault
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			given := cmd.Flags().Changed("command")
			switch {
			case given && (call != "" || len(args) > 0):
				return fmt.Errorf("--command takes a line, and neither --call nor an argument beside it")
			case given:
				return explainLine(s, command, dialect)
			case call != "" && len(args) == 1:
				return explainCall(cmd.Context(), s, call, policyName, inputFormat, args[0])
			case call != "":
				return fmt.Errorf("--call needs the FILE that the call is in")
			case len(args) == 1:
				return explainID(s, args[0])
			}
			return fmt.Errorf("name a rule or diagnostic, or use --call N FILE or --command LINE\nhint: one of %s", list(docs.IDs()))
		},
	}
	cmd.Flags().StringVar(&call, "call", "", "explain the decision for this call of FILE: its number or id, behind RUN: where the file holds several runs")
	cmd.Flags().StringVar(&command, "command", "", "print the effects of this command line")
	cmd.Flags().StringVar(&dialect, "dialect", "bash", "language of --command: bash, posix, zsh, powershell or cmd")
	cmd.Flags().Var((*policyValue)(&policyName), "policy", "policy file, or builtin:NAME")
	cmd.Flags().StringVar(&inputFormat, "input-format", "", "input format instead of detection: "+list(inputFormats()))
	return cmd
}

func explainID(s *streams, id string) error {
	page, ok := docs.Page(strings.ToUpper(id))
	if _, err := os.Stat(id); !ok && (err == nil || id == stdinName) {
		return fmt.Errorf("%s is a file, and it is not said which call of it to explain\nhint: planlint explain --call N %s; planlint check %s numbers the calls",
			printable(id), printable(id), printable(id))
	}
	if !ok {
		return fmt.Errorf("no rule or diagnostic %q\nhint: one of %s", id, list(docs.IDs()))
	}
	_, err := io.WriteString(s.stdout, page)
	return err
}

func explainCall(ctx context.Context, s *streams, call, policyName, inputFormat, file string) error {
	o := checkOptions{format: "text", color: "auto", policy: policyName, inputFormat: inputFormat}
	settings, err := o.validate(s)
	if err != nil {
		return err
	}
	run := newCheckRun(s, settings, policyName, "")
	run.policies.explain = true
	run.one(ctx, input{path: file})
	if len(run.report.Plans) == 0 {
		return errReported
	}
	found, err := findCall(run.report.Plans, call)
	if err != nil {
		return fmt.Errorf("%s %w", printable(file), err)
	}
	if err := report.ExplainCall(s.stdout, found.run, found.call, settings.reportOptions(run.sources)); err != nil {
		return err
	}
	return run.notChecked()
}
