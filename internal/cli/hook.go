package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/planlint/planlint"
	"github.com/planlint/planlint/finding"
	"github.com/planlint/planlint/hook"
	"github.com/planlint/planlint/internal/session"
	"github.com/planlint/planlint/internal/xdg"
	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/policy"
)

func hookCommand(s *streams) *cobra.Command {
	var event string
	var deadline time.Duration
	var refresh bool
	cmd := &cobra.Command{
		Use:   "hook CLIENT",
		Short: "Answer one event of an agent client (on stdin) before a tool runs",
		Long: `Answer one event of an agent client, which it writes to stdin. Silence lets the
client go on; a refusal is JSON on stdout, the reason on stderr and exit code 2.
Anything that keeps planlint from reviewing a call refuses it.

Clients: ` + list(hook.Names()) + `. The contract of each is in docs/hooks.md.`,
		Args:      cobra.ExactArgs(1),
		ValidArgs: hook.Names(),
		RunE: func(cmd *cobra.Command, args []string) error {
			client := hook.ByName(args[0])
			if client == nil {
				return fmt.Errorf("unknown client %q\nhint: one of %s", args[0], list(hook.Names()))
			}
			return runHook(cmd.Context(), s, &hook.Hook{
				Client: client, Event: event, Deadline: deadline, Env: s.env,
				Store: session.NewStore(stateDir(s.env)), Decider: policyDecider{s: s, refresh: refresh},
			})
		},
	}
	cmd.AddCommand(hookInstallCommand(s), hookUninstallCommand(s), hookDoctorCommand(s))
	cmd.Flags().StringVar(&event, "event", "", "the event's name, for clients that do not write it to stdin (copilot)")
	cmd.Flags().DurationVar(&deadline, "deadline", hook.DefaultDeadline, "deny what takes longer; keep it well below the client's own time-out")
	cmd.Flags().BoolVar(&refresh, "refresh-policy", false, "compile the policy for planlint-hook, which found it missing or stale")
	_ = cmd.Flags().MarkHidden("refresh-policy") // the flag is there
	return cmd
}

func runHook(ctx context.Context, s *streams, h *hook.Hook) error {
	surviveSignals()
	// A client that gives up asks the process to stop, which denies.
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	if code := h.Run(ctx, s.stdin, s.stdout, s.stderr); code != 0 {
		return errReported
	}
	return nil
}

// policyDecider loads the policy of the session's folder anew for each event.
type policyDecider struct {
	s *streams
	// refresh: planlint-hook has no compiled policy that fits, and is given one.
	refresh bool
}

// Decide satisfies hook.Decider.
func (d policyDecider) Decide(ctx context.Context, p *plan.Plan, situation planlint.Situation) (finding.PlanReport, error) {
	loaded, problems := policy.Load(policy.Options{Dir: p.Env.Cwd, UserDir: userConfigDir(d.s.env), Base: "coding-agent"})
	if loaded == nil {
		return finding.PlanReport{}, policyError(problems)
	}
	if d.refresh {
		refreshPolicy(d.s, p.Env.Cwd)
	}
	return planlint.New(*loaded).In(situation).Check(ctx, p), nil
}

func policyError(problems []policy.Problem) error {
	for _, p := range problems {
		if p.ID == "" {
			return errors.New(strings.TrimSpace(p.Error()))
		}
	}
	return errors.New("it was not loaded")
}

// stateDir is where sessions are kept; "" where no home is known, which no
// session can be kept in.
func stateDir(env map[string]string) string {
	return xdg.Sessions(env)
}
