package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/planlint/planlint/hook/install"
	"github.com/planlint/planlint/internal/session"
	"github.com/planlint/planlint/policy"
	"github.com/planlint/planlint/rules"
)

// rememberScopes are the scopes that a person can choose.
var rememberScopes = []string{"once", "task", "session", "persistent"}

func sessionRememberCommand(s *streams) *cobra.Command {
	var scope string
	var dryRun bool
	cmd := &cobra.Command{
		Use:   "remember SESSION CALL",
		Short: "Approve a call that planlint asked for, and calls like it",
		Long: `Approve a call that planlint asked for, and calls of the same subject: tool, paths,
hosts, program and subcommand, recipients, with no new labels. CALL is the number
that planlint session show gives. The scope is once, task (until the user's next
prompt), session, or persistent, which adds a rule to the user's own planlint.yaml
and shows the diff. What needs more than one person's approval can't be remembered.`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return remember(cmd.Context(), s, args[0], args[1], scope, dryRun)
		},
	}
	cmd.Flags().StringVar(&scope, "scope", "task", "how long: "+list(rememberScopes))
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "show what would be remembered and change nothing")
	return cmd
}

func remember(ctx context.Context, s *streams, word, number, scope string, dryRun bool) error {
	views, err := sessions(s)
	if err != nil {
		return err
	}
	v, err := oneSession(views, word)
	if err != nil {
		return err
	}
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 || n > len(v.Calls) {
		return fmt.Errorf("no call %q\nhint: a number from 1 to %d", number, len(v.Calls))
	}
	subject := v.Calls[n-1].Subject
	if subject == nil {
		return fmt.Errorf("call %d can't be remembered: planlint did not ask for it, or its gate needs more than one person's answer", n)
	}
	if scope == "persistent" {
		return rememberRule(s, subject, dryRun)
	}
	for i, name := range rememberScopes[:3] {
		if name == scope {
			return rememberGrant(ctx, s, v, *subject, rules.Scope(i), dryRun)
		}
	}
	return optionError("--scope", scope, rememberScopes)
}

func rememberGrant(ctx context.Context, s *streams, v session.View, subject session.Subject, scope rules.Scope, dryRun bool) error {
	if scope > subject.Widest {
		return fmt.Errorf("it can be remembered for the %s at most, since labelled data was in the context", subject.Widest)
	}
	if dryRun {
		fmt.Fprintf(s.stdout, "would be remembered for the %s: %s\n", scope, printable(subject.Shown))
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, forgetWait)
	defer cancel()
	opened, err := session.NewStore(stateDir(s.env)).Open(ctx, v.Client, v.ID)
	if err != nil {
		return err
	}
	defer opened.Close()
	opened.Grant(subject, scope, "planlint session remember")
	if err := opened.Commit(); err != nil {
		return err
	}
	_, err = fmt.Fprintf(s.stdout, "remembered for the %s: %s\n", scope, printable(subject.Shown))
	return err
}

// rememberRule adds the narrow rule that answers the call to the user's policy.
func rememberRule(s *streams, subject *session.Subject, dryRun bool) error {
	if subject.Widest < rules.Persistent || subject.Rule == "" {
		return errors.New("no narrow rule can answer this call\nhint: remember it for the session, or write a rule by hand")
	}
	dir := userConfigDir(s.env)
	if dir == "" {
		return errors.New("no folder for the user's configuration is known")
	}
	path := filepath.Join(dir, policy.FileName)
	old, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	change := install.Change{Path: path, Old: old, New: addRule(old, subject.Rule), Mode: 0o600}
	if _, problems := policy.Load(policy.Options{Files: []string{path}, Base: "coding-agent", FS: overlay{path, change.New}}); len(policy.Errors(problems)) > 0 {
		return fmt.Errorf("the rule can't be added to %s:\n%s\nhint: add it by hand: - %s", printable(path), problems[0].Error(), subject.Rule)
	}
	fmt.Fprint(s.stdout, change.Diff())
	if dryRun {
		return nil
	}
	return change.Apply()
}

// addRule puts a rule into the text of a policy file and keeps every other byte.
func addRule(old []byte, rule string) []byte {
	text := string(old)
	if strings.TrimSpace(text) == "" {
		return []byte("version: 1\nrules:\n  - " + rule + "\n")
	}
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines {
		if strings.TrimRight(line, " \r\n") != "rules:" {
			continue
		}
		indent := "  "
		if i+1 < len(lines) {
			if next := lines[i+1]; strings.HasPrefix(strings.TrimLeft(next, " "), "- ") {
				indent = next[:strings.IndexByte(next, '-')]
			}
		}
		return []byte(strings.Join(lines[:i+1], "") + indent + "- " + rule + "\n" + strings.Join(lines[i+1:], ""))
	}
	return []byte(text + "rules:\n  - " + rule + "\n")
}

// overlay shows a file as it would be.
type overlay struct {
	path string
	text []byte
}

// ReadFile satisfies policy.FS.
func (o overlay) ReadFile(path string) ([]byte, error) {
	if path == o.path {
		return o.text, nil
	}
	return policy.OS{}.ReadFile(path)
}
