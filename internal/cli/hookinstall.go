package cli

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/planlint/planlint/hook"
	"github.com/planlint/planlint/hook/install"
)

// hookChange is what install and uninstall share.
type hookChange struct {
	s                     *streams
	user, project, dryRun bool
	change                func(string, install.Scope, install.Site) ([]install.Change, error)
	done, nothing         string
}

func hookInstallCommand(s *streams) *cobra.Command {
	c := &hookChange{s: s, change: install.Install, done: "planlint is installed in %s of %s\nnext: planlint hook doctor %s checks it", nothing: "stands already"}
	cmd := c.command("install CLIENT", "Put planlint into a client's configuration")
	cmd.Long = `Put planlint into a client's configuration: the user's, or with --project that of
the project in the working folder. The diff is shown first; what is not
planlint's keeps every byte; a second time nothing changes.`
	return cmd
}

func hookUninstallCommand(s *streams) *cobra.Command {
	c := &hookChange{s: s, change: install.Uninstall, done: "planlint is removed from %s of %s: its calls run unreviewed, unless it stands in another one (planlint hook doctor %s tells)", nothing: "does not stand"}
	return c.command("uninstall CLIENT", "Take planlint out of a client's configuration")
}

func (c *hookChange) command(use, short string) *cobra.Command {
	cmd := &cobra.Command{
		Use: use, Short: short, Args: cobra.ExactArgs(1), ValidArgs: hook.Names(),
		RunE: func(_ *cobra.Command, args []string) error { return c.run(args[0]) },
	}
	cmd.Flags().BoolVar(&c.user, "user", false, "the user's configuration (the default)")
	cmd.Flags().BoolVar(&c.project, "project", false, "the configuration of the project in the working folder")
	cmd.Flags().BoolVar(&c.dryRun, "dry-run", false, "show the diff and change nothing")
	cmd.MarkFlagsMutuallyExclusive("user", "project")
	return cmd
}

func (c *hookChange) run(client string) error {
	site, err := hookSite(c.s)
	if err != nil {
		return err
	}
	scope := install.User
	if c.project {
		scope = install.Project
	}
	changes, err := c.change(client, scope, site)
	if err != nil {
		return clientError(client, err)
	}
	if len(changes) == 0 {
		fmt.Fprintf(c.s.stdout, "planlint %s in %s of %s: nothing to change\n", c.nothing, c.whose(), client)
		return nil
	}
	for i := range changes {
		fmt.Fprint(c.s.stdout, changes[i].Diff())
	}
	if c.dryRun {
		_, err := fmt.Fprintln(c.s.stdout, "nothing was changed (--dry-run)")
		return err
	}
	for i := range changes {
		if err := changes[i].Apply(); err != nil {
			return fmt.Errorf("%s: %w", changes[i].Path, reason(err))
		}
	}
	fmt.Fprintf(c.s.stdout, c.done+"\n", c.whose(), client, client)
	return nil
}

// whose says which configuration is meant.
func (c *hookChange) whose() string {
	if c.project {
		return "the project's configuration"
	}
	return "the user's configuration"
}

func clientError(client string, err error) error {
	if hook.ByName(client) == nil {
		return fmt.Errorf("%w\nhint: one of %s", err, list(hook.Names()))
	}
	return err
}

func hookSite(s *streams) (install.Site, error) {
	binary, err := os.Executable()
	if err != nil {
		return install.Site{}, err
	}
	if real, err := filepath.EvalSymlinks(binary); err == nil {
		binary = real
	}
	dir, err := os.Getwd()
	if err != nil {
		return install.Site{}, err
	}
	if !filepath.IsAbs(s.env["HOME"]) {
		return install.Site{}, fmt.Errorf("HOME is not set")
	}
	site := install.Site{Home: s.env["HOME"], Dir: dir, ConfigHome: s.env["XDG_CONFIG_HOME"], Binary: binary}
	fast := filepath.Join(filepath.Dir(binary), "planlint-hook"+filepath.Ext(binary))
	if info, err := os.Stat(fast); err == nil && info.Mode().IsRegular() && filepath.Base(binary) == "planlint"+filepath.Ext(binary) {
		site.Fast = fast
	}
	return site, nil
}

func hookDoctorCommand(s *streams) *cobra.Command {
	return &cobra.Command{
		Use:   "doctor CLIENT",
		Short: "Check a client's version and configuration, and fire a canary",
		Long: `Check a client's version, its configuration and fail-closed switches, and hand a
canary to the hook as the client would. What the client can't enforce is listed
as what remains. Exit codes: 0 no problem, 1 a problem.`,
		Args: cobra.ExactArgs(1), ValidArgs: hook.Names(),
		RunE: func(cmd *cobra.Command, args []string) error {
			site, err := hookSite(s)
			if err != nil {
				return err
			}
			checks, err := install.Doctor(cmd.Context(), args[0], site)
			if err != nil {
				return clientError(args[0], err)
			}
			return writeChecks(s, checks)
		},
	}
}

// word is how a check's outcome is called: what no client can be made to enforce
// is no warning that anybody could act on.
func word(c install.Check) string {
	if c.Subject == "remains" {
		return "note"
	}
	return c.Status.String()
}

func writeChecks(s *streams, checks []install.Check) error {
	bad := false
	for _, c := range checks {
		fmt.Fprintf(s.stdout, "%-8s %s: %s\n", word(c), printable(c.Subject), printable(c.Text))
		if c.Hint != "" && c.Status != install.OK {
			fmt.Fprintf(s.stdout, "         hint: %s\n", printable(c.Hint))
		}
		bad = bad || c.Status == install.Bad
	}
	if bad {
		return errFound
	}
	return nil
}
