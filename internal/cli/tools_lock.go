package cli

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/internal/toollist"
)

func toolsLockCommand(s *streams) *cobra.Command {
	var lock, server string
	cmd := &cobra.Command{
		Use:   "lock TOOLS.json...",
		Short: "Pin the definitions of MCP tools",
		Long: `Write the digest of each tool's description and schema into planlint.lock. The lists
are the servers' answers to tools/list, as JSON. What planlint.lock says of servers
that are not among them stays.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return runToolsLock(s, lock, server, args) },
	}
	cmd.Flags().StringVar(&lock, "lock", toollist.LockFile, "the lock file")
	cmd.Flags().StringVar(&server, "server", "", "name of the server of a list that does not say it")
	return cmd
}

func runToolsLock(s *streams, path, server string, files []string) error {
	tools, err := readLists(s, files, server)
	if err != nil {
		return err
	}
	l, err := toollist.NewLock(tools)
	if err != nil {
		return err
	}
	servers := make(map[string]bool)
	for i := range tools {
		servers[tools[i].Server] = true
	}
	if data, err := read(input{path: path}, nil); err == nil {
		old, err := toollist.ParseLock(data)
		if err != nil {
			return fmt.Errorf("%s: %w", printable(path), err)
		}
		l.Keep(old, servers)
	}
	data, err := l.Encode()
	if err != nil {
		return err
	}
	if err := writeOutput(s, path, func(w io.Writer) error { _, err := w.Write(data); return err }); err != nil {
		return err
	}
	_, err = fmt.Fprintf(s.stdout, "pinned %d tools in %s\n", len(tools), printable(path))
	return err
}

func toolsVerifyCommand(s *streams) *cobra.Command {
	var lock, server, format string
	cmd := &cobra.Command{
		Use:   "verify TOOLS.json...",
		Short: "Compare the definitions of MCP tools with planlint.lock",
		Long: `Compare lists of tools with planlint.lock: a changed description or schema, a tool
that is new, one that is gone.

Exit codes: 0 as pinned; 1 something differs; 2 not compared.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if format != "text" && format != "json" {
				return optionError("-f", format, []string{"text", "json"})
			}
			return runToolsVerify(s, lock, server, format, args)
		},
	}
	cmd.Flags().StringVar(&lock, "lock", toollist.LockFile, "the lock file")
	cmd.Flags().StringVar(&server, "server", "", "name of the server of a list that does not say it")
	cmd.Flags().StringVarP(&format, "format", "f", "text", "output format: text, json")
	return cmd
}

func runToolsVerify(s *streams, path, server, format string, files []string) error {
	data, err := read(input{path: path}, nil)
	if err != nil {
		return fmt.Errorf("%w\nhint: planlint tools lock writes it", err)
	}
	l, err := toollist.ParseLock(data)
	if err != nil {
		return fmt.Errorf("%s: %w", printable(path), err)
	}
	tools, err := readLists(s, files, server)
	if err != nil {
		return err
	}
	drift := l.Verify(tools)
	if format == "json" {
		err = writeJSONTo(s.stdout, map[string]any{"schema": "planlint.verify/v1", "drift": nonNil(drift)})
	} else {
		for _, d := range drift {
			says := map[string]string{"added": "is new", "missing": "is gone"}[d.What]
			if says == "" {
				says = d.What + " changed"
			}
			fmt.Fprintf(s.stdout, "%s: %s\n", printable(d.Tool), says)
		}
		if len(drift) == 0 {
			fmt.Fprintf(s.stdout, "%d tools as pinned\n", len(tools))
		}
	}
	if err != nil {
		return err
	}
	if len(drift) > 0 {
		return errFound
	}
	return nil
}

func toolsExportCommand(s *streams) *cobra.Command {
	var ceiling, policyName, server string
	cmd := &cobra.Command{
		Use:   "export --ceiling CLASS TOOLS.json...",
		Short: "Write the tool list as an agent may see it under a ceiling",
		Long: `Write a list of tools (MCP tools/list, as JSON) without those whose risk class is
above the ceiling. A tool that nothing describes is above every ceiling but the
highest. What was left out is said on stderr.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			class, err := gate.ParseClass(ceiling)
			if err != nil {
				return optionError("--ceiling", ceiling, gate.Classes())
			}
			return runToolsExport(s, class, policyName, server, args)
		},
	}
	cmd.Flags().StringVar(&ceiling, "ceiling", "", "the highest risk class that is shown: "+list(gate.Classes()))
	cmd.Flags().Var((*policyValue)(&policyName), "policy", "policy file, or builtin:NAME")
	cmd.Flags().StringVar(&server, "server", "", "name of the server of a list that does not say it")
	return cmd
}

func runToolsExport(s *streams, ceiling gate.Class, policyName, server string, files []string) error {
	loaded, err := contractsPolicy(s, policyName)
	if err != nil {
		return err
	}
	tools, err := readLists(s, files, server)
	if err != nil {
		return err
	}
	kept, hidden := toollist.Visible(tools, loaded.Policy, ceiling)
	raw := []json.RawMessage{}
	for i := range kept {
		raw = append(raw, kept[i].Raw)
	}
	for _, id := range hidden {
		fmt.Fprintf(s.stderr, "note: left out: %s\n", printable(id))
	}
	return writeJSONTo(s.stdout, map[string]any{"tools": raw})
}
