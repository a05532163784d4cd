// Package cli is the planlint command: it reads arguments and files, calls the
// library, and writes reports.
//
// Every stream and the environment are parameters, so that tests run the whole
// command in process. Results go to stdout, everything else to stderr. Exit
// codes are the same for every output format.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/planlint/planlint/internal/spell"
)

// The exit codes.
const (
	// ExitClean: checked, nothing at or above --fail-on.
	ExitClean = 0
	// ExitFound: checked, something at or above --fail-on.
	ExitFound = 1
	// ExitNotChecked: something was not checked: wrong usage, unreadable input,
	// broken policy. It beats ExitFound.
	ExitNotChecked = 2
)

// streams is what a command talks to.
type streams struct {
	env      map[string]string
	stdin    io.Reader
	stdout   io.Writer
	stderr   io.Writer
	programs Programs
}

// environ returns the environment as a program is given it, sorted.
func (s *streams) environ() []string {
	list := make([]string, 0, len(s.env))
	for key, value := range s.env {
		list = append(list, key+"="+value)
	}
	slices.Sort(list)
	return list
}

// Programs are parts of the command that only some binaries link.
type Programs struct {
	// MCP runs the MCP proxy until the client or the server ends; nil: another
	// binary does.
	MCP func(ctx context.Context, p MCPProxy) error
}

// errFound makes the command exit with ExitFound without a message.
var errFound = errors.New("found something")

// errReported makes the command exit with ExitNotChecked; what is wrong has
// been written already.
var errReported = errors.New("reported")

// Run runs the command and returns its exit code.
func Run(ctx context.Context, env []string, stdin io.Reader, stdout, stderr io.Writer, args []string) int {
	return RunWith(ctx, env, stdin, stdout, stderr, args, Programs{})
}

// RunWith is Run of a binary that links these programs.
func RunWith(ctx context.Context, env []string, stdin io.Reader, stdout, stderr io.Writer, args []string, programs Programs) int {
	if width := columnsOf(stderr); width > 0 {
		folded := &foldedWriter{w: stderr, width: width}
		defer folded.flush()
		stderr = folded
	}
	io := &streams{env: environment(env), stdin: stdin, stdout: stdout, stderr: stderr, programs: programs}
	root := rootCommand(io)
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	switch {
	case err == nil:
		return ExitClean
	case errors.Is(err, errFound):
		return ExitFound
	case !errors.Is(err, errReported):
		fmt.Fprintf(stderr, "error: %s\n", err)
	}
	return ExitNotChecked
}

func rootCommand(io *streams) *cobra.Command {
	root := &cobra.Command{
		Use:   "planlint",
		Short: "Review what an AI agent is about to do, or did",
		Long: `planlint reviews plans and recorded runs of AI agents: it follows secret, private
and untrusted data from call to call and says which calls a person has to see
before they run, by which kind of approval, and why.`,
		Version:       version(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          noCommand,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return cmd.Help()
		},
	}
	root.SetIn(io.stdin)
	root.SetOut(io.stdout)
	root.SetErr(io.stderr)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return fmt.Errorf("%w\nhint: %s --help lists the options", err, cmd.CommandPath())
	})
	root.AddCommand(evalCommand(io), checkCommand(io), explainCommand(io), versionCommand(io))
	root.AddCommand(hookCommand(io), sessionCommand(io), mcpCommand(io), compileCommand(io))
	root.AddCommand(trustCommand(io), initCommand(io), rulesCommand(io), toolsCommand(io))
	root.CompletionOptions.DisableDescriptions = false
	root.SetVersionTemplate(versionLine())
	hintUsage(root)
	return root
}

// hintUsage lets every command that is given too few or too many arguments say how it
// is called.
func hintUsage(cmd *cobra.Command) {
	if check := cmd.Args; check != nil {
		cmd.Args = func(c *cobra.Command, args []string) error {
			err := check(c, args)
			if err == nil || strings.Contains(err.Error(), "\nhint: ") {
				return err
			}
			return fmt.Errorf("%w\nhint: %s", err, strings.TrimSuffix(c.UseLine(), " [flags]"))
		}
	}
	for _, sub := range cmd.Commands() {
		hintUsage(sub)
	}
}

func environment(list []string) map[string]string {
	env := make(map[string]string, len(list))
	for _, entry := range list {
		if key, value, ok := strings.Cut(entry, "="); ok {
			env[key] = value
		}
	}
	return env
}

// noCommand refuses what is no subcommand, with the nearest one.
func noCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	return fmt.Errorf("unknown command %q\nhint: %s", args[0], spell.Hint(args[0], names))
}
