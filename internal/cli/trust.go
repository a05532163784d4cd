package cli

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/planlint/planlint/internal/compiled"
	"github.com/planlint/planlint/internal/policytest"
	"github.com/planlint/planlint/policy"
)

func trustCommand(s *streams) *cobra.Command {
	var forget bool
	cmd := &cobra.Command{
		Use:   "trust [DIR]",
		Short: "Let a project's planlint.yaml loosen as well as tighten",
		Long: `Pin the planlint.yaml of a project, found upwards from DIR (the working directory
if not given), and all files that it extends, by their digest. Until then such a
policy may only tighten; a change of any of the files takes the trust away again.

What the policy says that was ignored until now is listed. Read it first.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			o := policy.Options{Dir: ".", UserDir: userConfigDir(s.env)}
			if len(args) == 1 {
				o.Dir = args[0]
				if info, err := os.Stat(o.Dir); err != nil {
					return fmt.Errorf("%s: %w", printable(o.Dir), reason(err))
				} else if !info.IsDir() {
					return fmt.Errorf("%s is no folder\nhint: name the folder of the planlint.yaml", printable(o.Dir))
				}
			}
			if forget {
				return runDistrust(s, o)
			}
			return runTrust(s, o)
		},
	}
	cmd.Flags().BoolVar(&forget, "forget", false, "take the trust away again")
	return cmd
}

func runTrust(s *streams, o policy.Options) error {
	_, before := policy.Read(o)
	pin, err := policy.Trust(o)
	if err != nil {
		return err
	}
	loaded, after := policy.Read(o)
	if broken := policy.Errors(after); len(broken) > 0 {
		for _, p := range broken {
			fmt.Fprintf(s.stderr, "error: %s\n", p.Error())
		}
		fmt.Fprintln(s.stderr, "note: the policy is pinned, but it does not load: nothing can be checked until it is corrected and trusted anew")
		return errReported
	}
	for _, p := range before {
		if p.ID != "" && !stillThere(p, after) {
			fmt.Fprintf(s.stdout, "from now on: %s:%d: %s\n", printable(p.At.File), p.At.Line, afterTrust(p, loaded))
		}
	}
	for _, f := range pin.Files {
		fmt.Fprintf(s.stdout, "trusted: %s\n", printable(f))
	}
	_, err = fmt.Fprintf(s.stdout, "in %s, as %s\n", printable(pin.Dir), pin.Digest[:len("sha256:")+12])
	return err
}

func stillThere(p policy.Problem, list []policy.Problem) bool {
	for _, q := range list {
		if q.ID == p.ID && q.At == p.At {
			return true
		}
	}
	return false
}

// afterTrust says what a diagnostic's subject does once it is trusted.
func afterTrust(p policy.Problem, loaded *policy.Loaded) string {
	if text := trustedAllow(p, loaded); text != "" {
		return text
	}
	says := map[string]string{
		policy.DiagAllow: "an allow counts", policy.DiagContract: "a contract counts in full",
		policy.DiagSetting: "a setting may loosen", policy.DiagGate: "a gate may ask for less",
		policy.DiagAudience: "an audience names who sees the data", policy.DiagPreset: "another built-in policy is in force",
		policy.DiagRule: "a composition rule takes the place of the one with its id, or excepts what it names",
	}
	if text, ok := says[p.ID]; ok {
		return text
	}
	return printable(p.Message)
}

// trustedAllow says what an allow lets through, and what it accepts.
func trustedAllow(p policy.Problem, loaded *policy.Loaded) string {
	if p.ID != policy.DiagAllow || loaded == nil {
		return ""
	}
	for i := range loaded.Document.Rules {
		r := &loaded.Document.Rules[i]
		if r.Decision.At != p.At && r.Tool.At != p.At {
			continue
		}
		text := policytest.Describe(r)
		if len(r.Accepts) > 0 {
			text += ", accepts " + list(compiled.Strings(r.Accepts)) + ": " + r.Reason.S
		}
		return printable(text)
	}
	return ""
}

func runDistrust(s *streams, o policy.Options) error {
	removed, err := policy.Distrust(o)
	if err != nil {
		return err
	}
	if !removed {
		return fmt.Errorf("no policy of %s was trusted", printable(o.Dir))
	}
	_, err = io.WriteString(s.stdout, "no longer trusted: the project's policy may only tighten\n")
	return err
}
