package cli

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/planlint/planlint/policy"
)

func initCommand(s *streams) *cobra.Command {
	return &cobra.Command{
		Use:   "init [DIR]",
		Short: "Write a commented planlint.yaml for the agents of a folder",
		Long: `Write a commented planlint.yaml for what is configured in DIR (the working directory
if not given): agent clients and MCP servers. It asks nothing, never writes over a
file, and pins what it wrote as trusted.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			dir := "."
			if len(args) == 1 {
				dir = args[0]
			}
			return runInit(s, dir)
		},
	}
}

func runInit(s *streams, dir string) error {
	o := policy.Options{Dir: dir, UserDir: userConfigDir(s.env)}
	found := policy.Detect(policy.OS{}, dir)
	path, err := policy.Init(o)
	if errors.Is(err, policy.ErrExists) {
		return fmt.Errorf("%s is there already\nhint: edit it; planlint rules lint checks it", printable(path))
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(s.stdout, "wrote %s\n", printable(filepath.Clean(path)))
	for _, c := range found.Clients {
		fmt.Fprintf(s.stdout, "client: %s\n", c)
	}
	undescribed := 0
	for _, name := range found.Servers {
		says := "described by a built-in pack"
		if !found.Described[name] {
			says, undescribed = "nothing describes its tools: they ask", undescribed+1
		}
		fmt.Fprintf(s.stdout, "server: %s, %s\n", printable(name), says)
	}
	if undescribed > 0 {
		fmt.Fprintln(s.stdout, "next: describe its tools under tools:, or import names with planlint tools lint --surface TOOLS.json")
	}
	fmt.Fprintln(s.stdout, "next: planlint check FILE reviews a plan or a recorded run by it")
	_, err = fmt.Fprintln(s.stdout, "next: it is trusted as it stands; after you change it, read the diff and run planlint trust")
	return err
}
