package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/planlint/planlint/internal/toollist"
	"github.com/planlint/planlint/policy"
	"github.com/planlint/planlint/tool"
)

func toolsLintCommand(s *streams) *cobra.Command {
	var format, policyName, server string
	var surface []string
	cmd := &cobra.Command{
		Use:   "lint",
		Short: "Find contracts that are weaker than their facts, or tools that are toxic together",
		Long: `Lint the policy's own contracts: a class weaker than its facts, a missing
compensation, window or preview, a compensation that needs more authority than
its call.

With --surface, look at lists of tools (MCP tools/list, as JSON) instead: which
roles the tools have, and which toxic combinations they make together. Roles are
no alarms: whether a plan combines them is what check says.

Exit codes: 0 nothing found (--surface: always, if all was read); 1 something
found; 2 not checked.`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if format != "text" && format != "json" {
				return optionError("-f", format, []string{"text", "json"})
			}
			loaded, err := contractsPolicy(s, policyName)
			if err != nil {
				return err
			}
			if len(surface) > 0 {
				return lintSurface(s, loaded, format, server, surface)
			}
			return lintContracts(s, loaded, format)
		},
	}
	f := cmd.Flags()
	f.StringVarP(&format, "format", "f", "text", "output format: text, json")
	f.Var((*policyValue)(&policyName), "policy", "policy file, or builtin:NAME")
	f.StringSliceVar(&surface, "surface", nil, "lists of tools (MCP tools/list) to look at together")
	f.StringVar(&server, "server", "", "name of the server of a list that does not say it")
	return cmd
}

func lintContracts(s *streams, loaded *policy.Loaded, format string) error {
	var found []jsonProblem
	for _, p := range tool.LintAll(contractsOf(loaded)) {
		if ownLayer(loaded, p.Pos.File) {
			found = append(found, jsonProblem{At: p.Pos.String(), Message: p.Message, Hint: p.Hint})
		}
	}
	return writeLints(s, format, found)
}

func ownLayer(loaded *policy.Loaded, file string) bool {
	return slices.ContainsFunc(loaded.Layers, func(l policy.Layer) bool { return l.File == file })
}

// readLists reads lists of tools; all that are wrong are reported.
func readLists(s *streams, files []string, server string) ([]toollist.Tool, error) {
	var tools []toollist.Tool
	failed := false
	for _, file := range files {
		data, err := read(input{path: file}, s.stdin)
		if err != nil {
			failed = true
			fmt.Fprintf(s.stderr, "error: %s\n", err)
			continue
		}
		name := file
		if file == stdinName {
			name = ""
		}
		list, err := toollist.Parse(data, name, server)
		if err != nil {
			failed = true
			fmt.Fprintf(s.stderr, "error: %s: %s\nhint: want the answer of an MCP server to tools/list, as JSON\n", printable(file), printable(err.Error()))
		}
		tools = append(tools, list...)
	}
	if failed {
		return nil, errReported
	}
	return tools, nil
}

func lintSurface(s *streams, loaded *policy.Loaded, format, server string, files []string) error {
	tools, err := readLists(s, files, server)
	if err != nil {
		return err
	}
	found := toollist.Survey(tools, loaded.Policy)
	if format == "json" {
		return writeJSONTo(s.stdout, map[string]any{"schema": "planlint.surface/v1", "surface": found})
	}
	fmt.Fprintf(s.stdout, "%d tools\n", len(tools))
	for _, r := range toollist.Roles() {
		if names := found.Tools[r]; len(names) > 0 {
			fmt.Fprintf(s.stdout, "  %-18s %s\n", r, printable(strings.Join(names, ", ")))
		}
	}
	if len(found.Unknown) > 0 {
		fmt.Fprintf(s.stdout, "  %-18s %s\n", "not described", printable(strings.Join(found.Unknown, ", ")))
	}
	for _, c := range found.Combinations {
		words := make([]string, len(c.Roles))
		for i, r := range c.Roles {
			words[i] = string(r)
		}
		fmt.Fprintf(s.stdout, "together: %s (%s): %s\n", c.ID, strings.Join(words, " + "), c.Why)
	}
	for _, r := range found.Remarks {
		fmt.Fprintf(s.stdout, "remark: %s\n", printable(r))
	}
	return nil
}

func toolsDiffCommand(s *streams) *cobra.Command {
	var format string
	var accept bool
	cmd := &cobra.Command{
		Use:   "diff OLD NEW",
		Short: "Say what a change of contracts breaks or weakens",
		Long: `Compare the contracts of two policies (files, or builtin:NAME). Breaking: a raised
class, an added label or sink, a removed sanitizer; calls that ran may ask now, and
the contract needs a higher version. Weakening: the reverse; calls that asked may
run now.

Exit codes: 0 nothing breaking or weakening, or --accept; 1 some; 2 not compared.`,
		Args: cobra.ExactArgs(2),
		RunE: func(_ *cobra.Command, args []string) error {
			if format != "text" && format != "json" {
				return optionError("-f", format, []string{"text", "json"})
			}
			return runToolsDiff(s, args[0], args[1], format, accept)
		},
	}
	cmd.Flags().StringVarP(&format, "format", "f", "text", "output format: text, json")
	cmd.Flags().BoolVar(&accept, "accept", false, "exit 0 all the same")
	return cmd
}

func runToolsDiff(s *streams, oldName, newName, format string, accept bool) error {
	was, err := loadNamed(s, oldName)
	if err != nil {
		return err
	}
	is, err := loadNamed(s, newName)
	if err != nil {
		return err
	}
	changes := diffPolicies(was, is)
	hit := slices.ContainsFunc(changes, func(c tool.Change) bool { return c.Kind == tool.Breaking || c.Kind == tool.Weakening })
	if err := writeChanges(s, format, changes); err != nil {
		return err
	}
	if hit && !accept {
		return errFound
	}
	return nil
}

// diffPolicies compares the contracts that either policy has of its own.
func diffPolicies(was, is *policy.Loaded) []tool.Change {
	var names []string
	for _, l := range []*policy.Loaded{was, is} {
		for i := range l.Document.Tools {
			names = append(names, l.Document.Tools[i].Name.S)
		}
	}
	slices.Sort(names)
	var changes []tool.Change
	for _, name := range slices.Compact(names) {
		changes = append(changes, tool.Diff(
			tool.Side{Contract: was.Policy.Registry.Contract(name), Universe: was.Policy.Universe},
			tool.Side{Contract: is.Policy.Registry.Contract(name), Universe: is.Policy.Universe})...)
	}
	return changes
}

func writeChanges(s *streams, format string, changes []tool.Change) error {
	if format == "json" {
		list := []map[string]string{}
		for _, c := range changes {
			list = append(list, map[string]string{"kind": c.Kind.String(), "tool": c.Tool, "what": c.What, "at": c.Pos.String()})
		}
		return writeJSONTo(s.stdout, map[string]any{"schema": "planlint.toolsdiff/v1", "changes": list})
	}
	if len(changes) == 0 {
		fmt.Fprintln(s.stdout, "no contract changed")
	}
	for _, c := range changes {
		fmt.Fprintf(s.stdout, "%-9s %s: %s (%s)\n", c.Kind, printable(c.Tool), printable(c.What), printable(c.Pos.String()))
	}
	return nil
}
