package cli

import (
	"fmt"
	"io"
	"sort"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/planlint/planlint/internal/spell"
	"github.com/planlint/planlint/policy"
	"github.com/planlint/planlint/taint"
	"github.com/planlint/planlint/tool"
)

func toolsCommand(s *streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "tools",
		Short: "List, lint, compare and pin the contracts of tools",
		Args:  noCommand,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(toolsListCommand(s), toolsLintCommand(s), toolsDiffCommand(s))
	cmd.AddCommand(toolsLockCommand(s), toolsVerifyCommand(s), toolsExportCommand(s))
	return cmd
}

// contractsPolicy loads --policy, the policy found upwards, or the built-in one.
func contractsPolicy(s *streams, name string) (*policy.Loaded, error) {
	if name == "" {
		if path, err := policy.Find(policy.OS{}, "."); err == nil && path == "" {
			name = builtinPrefix + "default"
		}
	}
	return loadNamed(s, name)
}

func toolsListCommand(s *streams) *cobra.Command {
	var format, policyName string
	cmd := &cobra.Command{
		Use:   "list [NAME]",
		Short: "List the tools that contracts describe, or one contract whole",
		Long: `List the tools that contracts describe: the policy's own first, then those of the
built-in packs. NAME (exact, an alias, or a glob) limits the list; a single name
prints the whole contract.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if format != "text" && format != "json" {
				return optionError("-f", format, []string{"text", "json"})
			}
			loaded, err := contractsPolicy(s, policyName)
			if err != nil {
				return err
			}
			return listTools(s, loaded, format, strings.Join(args, ""))
		},
	}
	cmd.Flags().StringVarP(&format, "format", "f", "text", "output format: text, json")
	cmd.Flags().Var((*policyValue)(&policyName), "policy", "policy file, or builtin:NAME")
	return cmd
}

// contractsOf returns all contracts, the policy's own first, then by name.
func contractsOf(loaded *policy.Loaded) []*tool.Contract {
	seen := make(map[*tool.Contract]bool)
	var list []*tool.Contract
	for _, name := range loaded.Policy.Registry.Names() {
		if c := loaded.Policy.Registry.Contract(name); c != nil && !seen[c] {
			seen[c] = true
			list = append(list, c)
		}
	}
	sort.SliceStable(list, func(i, j int) bool {
		a, b := list[i], list[j]
		if (a.Pack == "") != (b.Pack == "") {
			return a.Pack == ""
		}
		if a.Pack != b.Pack {
			return a.Pack < b.Pack
		}
		return a.Name < b.Name
	})
	return list
}

// listedTool is one contract of the list.
type listedTool struct {
	Name         string   `json:"name"`
	Aliases      []string `json:"aliases,omitempty"`
	Version      int      `json:"version"`
	Class        string   `json:"risk_class"`
	ReadOnly     bool     `json:"read_only"`
	Sinks        []string `json:"sinks"`
	Labels       []string `json:"labels"`
	Args         []string `json:"args"`
	Audience     []string `json:"audience,omitempty"`
	ClassWhen    []string `json:"class_when,omitempty"`
	Sanitizes    []string `json:"sanitizes,omitempty"`
	Endorses     []string `json:"endorses,omitempty"`
	Compensation string   `json:"compensation,omitempty"`
	Window       string   `json:"window,omitempty"`
	Preview      string   `json:"preview,omitempty"`
	Source       string   `json:"source,omitempty"`
	At           string   `json:"at"`
}

func listed(c *tool.Contract, u *taint.Universe) listedTool {
	out := listedTool{
		Name: c.Name, Aliases: c.Aliases, Version: c.Version, Class: c.Class.String(), ReadOnly: c.ReadOnly,
		Sinks: []string{}, Labels: []string{}, Args: []string{}, Audience: c.Audience,
		Compensation: c.Compensation, Preview: c.Preview, Source: c.Source, At: c.Pos.String(),
	}
	if c.Pack != "" {
		out.At = "pack " + c.Pack
	}
	var kinds taint.SinkKind
	var labels taint.Set
	for _, s := range tool.ImpliedSinks(c) {
		kinds |= s.Kinds
	}
	for _, o := range c.Output {
		labels |= o.Labels
	}
	out.Sinks = append(out.Sinks, kinds.Names()...)
	out.Labels = append(out.Labels, u.Names(labels)...)
	for _, a := range c.Args {
		out.Args = append(out.Args, a.Path.String()+": "+a.Role.String())
	}
	for _, w := range c.ClassWhen {
		out.ClassWhen = append(out.ClassWhen, w.Class.String())
	}
	for _, r := range c.Sanitizes {
		out.Sanitizes = append(out.Sanitizes, u.Names(r.Labels)...)
	}
	for _, r := range c.Endorses {
		out.Endorses = append(out.Endorses, u.Names(r.Labels)...)
	}
	if c.Window > 0 {
		out.Window = c.Window.String()
	}
	return out
}

func listTools(s *streams, loaded *policy.Loaded, format, want string) error {
	registry := loaded.Policy.Registry
	var list []listedTool
	for _, c := range contractsOf(loaded) {
		if want == "" || wantedTool(c, want) {
			list = append(list, listed(c, loaded.Policy.Universe))
		}
	}
	if len(list) == 0 {
		err := fmt.Errorf("no contract describes %q", want)
		if near := spell.Nearest(want, registry.Names()); near != "" {
			return fmt.Errorf("%w\nhint: did you mean %q?", err, near)
		}
		return fmt.Errorf("%w\nhint: a call of it counts as an unknown tool; describe it under tools:", err)
	}
	if format == "json" {
		return writeJSONTo(s.stdout, map[string]any{"schema": "planlint.tools/v1", "tools": list})
	}
	if want != "" && len(list) == 1 {
		return writeContract(s.stdout, &list[0])
	}
	w := tabwriter.NewWriter(s.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "TOOL\tCLASS\tREADS ONLY\tSINKS\tRETURNS\tFROM")
	for i := range list {
		t := &list[i]
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", printable(t.Name), t.Class, yes(t.ReadOnly), dash(t.Sinks), dash(t.Labels), printable(t.At))
	}
	return w.Flush()
}

func wantedTool(c *tool.Contract, want string) bool {
	for _, name := range append([]string{c.Name}, c.Aliases...) {
		if name == want || strings.ContainsAny(want, "*?") && wanted(want)(name) {
			return true
		}
	}
	return false
}

func writeContract(w io.Writer, t *listedTool) error {
	fmt.Fprintf(w, "%s\n", printable(t.Name))
	for _, f := range []struct {
		name   string
		values []string
	}{
		{"also", t.Aliases}, {"version", []string{fmt.Sprint(t.Version)}}, {"risk class", []string{t.Class}},
		{"reads only", []string{yes(t.ReadOnly)}}, {"arguments", t.Args}, {"returns", t.Labels}, {"sinks", t.Sinks},
		{"audience", t.Audience}, {"lowered to", t.ClassWhen}, {"sanitizes", t.Sanitizes}, {"endorses", t.Endorses},
		{"compensation", one(t.Compensation)}, {"window", one(t.Window)}, {"preview", one(t.Preview)},
		{"source", one(t.Source)}, {"described in", one(t.At)},
	} {
		if len(f.values) > 0 {
			fmt.Fprintf(w, "  %-13s %s\n", f.name, printable(strings.Join(f.values, ", ")))
		}
	}
	return nil
}

func one(text string) []string {
	if text == "" {
		return nil
	}
	return []string{text}
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

func dash(list []string) string {
	if len(list) == 0 {
		return "-"
	}
	return printable(strings.Join(list, ","))
}
