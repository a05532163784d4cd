package cli

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/planlint/planlint/internal/session"
)

func sessionCommand(s *streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "session",
		Short: "Show or forget what planlint hook knows of agent sessions",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(sessionShowCommand(s), sessionForgetCommand(s), sessionRememberCommand(s))
	return cmd
}

func sessionShowCommand(s *streams) *cobra.Command {
	return &cobra.Command{
		Use:   "show [SESSION]",
		Short: "List sessions, or show the calls and approvals of one",
		Long: `List sessions, or show the calls, labels and approvals of one. SESSION is the
client's id of it, or the start of its file's name. Values are not kept: dots
stand for words of four letters and more.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			views, err := sessions(s)
			if err != nil {
				return err
			}
			if len(args) == 0 {
				return listSessions(s, views)
			}
			v, err := oneSession(views, args[0])
			if err != nil {
				return err
			}
			return showSession(s, v)
		},
	}
}

func sessionForgetCommand(s *streams) *cobra.Command {
	var all bool
	cmd := &cobra.Command{
		Use:   "forget SESSION | --all",
		Short: "Forget a session: its labels and approvals are gone",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			views, err := sessions(s)
			switch {
			case err != nil:
				return err
			case all == (len(args) == 1):
				return fmt.Errorf("name a session, or use --all\nhint: planlint session show lists them")
			case !all:
				v, err := oneSession(views, args[0])
				if err != nil {
					return err
				}
				views = []session.View{v}
			}
			return forget(cmd.Context(), s, views)
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "all sessions")
	return cmd
}

func sessions(s *streams) ([]session.View, error) {
	dir := stateDir(s.env)
	if dir == "" {
		return nil, session.ErrNoFolder
	}
	return session.NewStore(dir).List()
}

func oneSession(views []session.View, word string) (session.View, error) {
	found := session.Find(views, word)
	if len(found) == 1 {
		return found[0], nil
	}
	if len(found) > 1 {
		return session.View{}, fmt.Errorf("%q names %d sessions\nhint: use the name of its file", word, len(found))
	}
	return session.View{}, fmt.Errorf("no session %q\nhint: planlint session show lists them", word)
}

// forgetWait is how long a session that a hook holds is waited for.
const forgetWait = 5 * time.Second

func forget(ctx context.Context, s *streams, views []session.View) error {
	ctx, cancel := context.WithTimeout(ctx, forgetWait)
	defer cancel()
	store := session.NewStore(stateDir(s.env))
	for _, v := range views {
		if err := store.Forget(ctx, v); err != nil {
			return fmt.Errorf("session %s: %w", printable(v.ID), err)
		}
		fmt.Fprintf(s.stdout, "forgot %s %s\n", v.File, printable(v.ID))
	}
	return nil
}

func listSessions(s *streams, views []session.View) error {
	if len(views) == 0 {
		_, err := fmt.Fprintln(s.stdout, "no sessions")
		return err
	}
	t := table{shrink: []int{4, 2}}
	t.row("FILE", "CLIENT", "SESSION", "CALLS", "FOLDER")
	for _, v := range views {
		if v.Err != nil {
			t.row(v.File, "-", printable(v.Err.Error()), "-", "-")
			continue
		}
		t.row(v.File, printable(v.Client), printable(v.ID), fmt.Sprint(len(v.Calls)), printable(v.Cwd))
	}
	return t.write(s.stdout, terminalWidth(s))
}

func showSession(s *streams, v session.View) error {
	out := s.stdout
	if v.Err != nil {
		return fmt.Errorf("%s: %w", v.File, v.Err)
	}
	fmt.Fprintf(out, "%s session %s in %s, %d bytes\n", printable(v.Client), printable(v.ID), printable(v.Cwd), v.Size)
	if v.Torn {
		fmt.Fprintln(out, "the last record was cut off and is dropped")
	}
	if v.Lost {
		fmt.Fprintln(out, "older calls were dropped to keep the session small (PL9055)")
	}
	t := table{shrink: []int{2, 1, 6, 4}}
	t.row("CALL", "TOOL", "ARGUMENTS", "AGENT", "ANSWER", "OUTCOME", "LABELS")
	for i, c := range v.Calls {
		labels := strings.TrimSpace(strings.Join(c.LabelsIn, ",") + " -> " + strings.Join(c.LabelsOut, ","))
		if len(c.LabelsIn)+len(c.LabelsOut) == 0 {
			labels = ""
		}
		shown := session.Dotted(c.Args)
		t.row(fmt.Sprint(i+1), printable(c.Tool), shortArgs(string(session.JSON(&shown))),
			printable(c.Agent), strings.TrimSpace(c.Decision+" "+printable(c.Rule)), c.Outcome, labels)
	}
	if err := t.write(out, terminalWidth(s)); err != nil {
		return err
	}
	for _, g := range v.Grants {
		fmt.Fprintf(out, "approval %s for %s, by %s\n", g.Key[:min(8, len(g.Key))], g.Scope, printable(g.By))
	}
	return nil
}

func shortArgs(text string) string {
	const most = 60
	text = printable(text)
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}
