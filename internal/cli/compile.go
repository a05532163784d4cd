package cli

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/planlint/planlint/internal/compiled"
	"github.com/planlint/planlint/internal/xdg"
	"github.com/planlint/planlint/policy"
)

func compileCommand(s *streams) *cobra.Command {
	var output string
	cmd := &cobra.Command{
		Use:   "compile [DIR]",
		Short: "Flatten a folder's policy for planlint-hook, which reads no YAML",
		Long: `Flatten the policy of a folder (its project's, and the user's) for planlint-hook.
planlint-hook uses the result as long as every file that it was made of is as it
was; after that it starts planlint, which compiles it again: there is no need to
run this by hand, unless the first call after a change must be quick too.

Exit codes: 0 compiled; 2 the policy is broken or could not be written.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			dir := "."
			if len(args) > 0 {
				dir = args[0]
			}
			return runCompile(s, dir, output)
		},
	}
	cmd.Flags().StringVarP(&output, "output", "o", "", "write here, - for stdout; default: where planlint-hook looks for it")
	return cmd
}

func runCompile(s *streams, dir, output string) error {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	user := userConfigDir(s.env)
	data, problems := policy.Compile(policy.Options{Dir: abs, UserDir: user, Base: "coding-agent"})
	for _, p := range problems {
		severity := "error"
		if p.ID != "" {
			severity = "warning"
		}
		fmt.Fprintf(s.stderr, "%s: %s\n", severity, p.Error())
	}
	if data == nil {
		return errReported
	}
	if output == "-" {
		_, err := s.stdout.Write(data)
		return err
	}
	if output == "" {
		if output, err = storedPolicy(s, abs, user); err != nil {
			return err
		}
	}
	if err := compiled.WriteStored(output, data); err != nil {
		return err
	}
	_, err = fmt.Fprintf(s.stdout, "compiled to %s\n", printable(output))
	return err
}

// storedPolicy is where planlint-hook looks for the compiled policy of a folder.
func storedPolicy(s *streams, dir, user string) (string, error) {
	folder := xdg.Policies(s.env)
	if folder == "" {
		return "", fmt.Errorf("no folder for compiled policies is known\nhint: set HOME or XDG_STATE_HOME, or name a file with -o")
	}
	project, err := policy.Find(policy.OS{}, dir)
	if err != nil {
		return "", err
	}
	return filepath.Join(folder, compiled.StoredName(project, user)), nil
}

// refreshPolicy compiles a folder's policy for the next call. It is best effort:
// without it planlint-hook starts planlint again.
func refreshPolicy(s *streams, dir string) {
	user := userConfigDir(s.env)
	data, _ := policy.Compile(policy.Options{Dir: dir, UserDir: user, Base: "coding-agent"})
	path, err := storedPolicy(s, dir, user)
	if data == nil || err != nil {
		return
	}
	_ = compiled.WriteStored(path, data) // see above
}
