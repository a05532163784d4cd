package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
)

// Case is one line of a file of cases.
type Case struct {
	ID       string   `json:"id"`
	Kind     string   `json:"kind"`
	Setup    Setup    `json:"setup"`
	Plan     []Step   `json:"plan"`
	Expected Expected `json:"expected"`
	Tags     []string `json:"tags"`

	// at is where the case stands, for messages.
	at string
	// apart: it is reported apart, though it has no tag.
	apart bool
	// mode is the policy's mode, default if empty; files of cases give none.
	mode string
}

// Setup is what the user's policy says and what is known of the machine.
type Setup struct {
	Rules []string `json:"rules"`
	Tools []string `json:"tools"`
	Env   struct {
		Cwd  string   `json:"cwd"`
		Home string   `json:"home"`
		FS   []string `json:"fs"`
	} `json:"env"`
}

// Step is one call of the plan.
type Step struct {
	Tool string `json:"tool"`
	// Agent is "a<b" for an agent a that b started.
	Agent string          `json:"agent"`
	Args  json.RawMessage `json:"args"`
	// Output is what the call returned, nil where it has not run.
	Output *string `json:"output_hint"`
}

// Expected is the decision that is right, the strictest over the plan.
type Expected struct {
	// Decision is allow, ask, deny or not-allow.
	Decision string `json:"decision"`
	// Step is the call, from 1, whose decision it is; 0 for any.
	Step int `json:"at_step"`
	// Mention is a word that the message holds.
	Mention string `json:"must_mention"`
}

// Debatable reports whether the case is kept out of the score.
func (c *Case) Debatable() bool { return c.apart || slices.Contains(c.Tags, "debatable") }

// errorf places an error at the case.
func (c *Case) errorf(format string, args ...any) error {
	return fmt.Errorf("%s: case %q: %w", c.at, c.ID, fmt.Errorf(format, args...))
}

// maxLine bounds one case.
const maxLine = 4 << 20

// Load reads a file of cases.
func Load(name string) ([]Case, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return Read(name, f)
}

// Read reads cases, one JSON object a line; empty lines are skipped.
func Read(name string, r io.Reader) ([]Case, error) {
	var cases []Case
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	for n := 1; lines.Scan(); n++ {
		line := bytes.TrimSpace(lines.Bytes())
		if len(line) == 0 {
			continue
		}
		c := Case{at: fmt.Sprintf("%s:%d", name, n)}
		if err := json.Unmarshal(line, &c); err != nil {
			return nil, fmt.Errorf("%s: %w", c.at, err)
		}
		if err := c.check(); err != nil {
			return nil, err
		}
		cases = append(cases, c)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return cases, nil
}

func (c *Case) check() error {
	switch {
	case !slices.Contains([]string{"allow", "ask", "deny", "not-allow"}, c.Expected.Decision):
		return c.errorf("unknown decision %q; one of allow, ask, deny, not-allow", c.Expected.Decision)
	case len(c.Plan) == 0:
		return c.errorf("the plan has no calls")
	case c.Expected.Step < 0 || c.Expected.Step > len(c.Plan):
		return c.errorf("at_step %d is no call of the plan", c.Expected.Step)
	}
	return nil
}
