package policylint

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planlint/planlint/policy"
)

func lint(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), policy.FileName)
	require.NoError(t, os.WriteFile(path, []byte("version: 1\n"+text), 0o644))
	loaded, problems := policy.Read(policy.Options{Files: []string{path}})
	require.NotNil(t, loaded, "%v", problems)
	var lines []string
	for _, p := range Lint(loaded) {
		require.Positive(t, p.Pos.Line)
		lines = append(lines, p.Message)
	}
	return strings.Join(lines, "\n")
}

func TestLint(t *testing.T) {
	for _, c := range []struct{ policy, want string }{
		{"rules: [{decision: deny, tool: send_email}]\n", ""},
		{"rules: [{decision: deny, tool: send_emial}]\n", `no contract describes the tool "send_emial"`},
		{"rules: [{decision: deny, tool: \"sned_*\"}]\n", `tool "sned_*" matches no tool`},
		{"rules: [{decision: deny, tool: query_order, path: \"test/**\"}]\n", "the rule wants a path"},
		{"rules: [{decision: deny, tool: query_order, command: \"rm *\"}]\n", "the rule wants a command"},
		{"rules: [{decision: deny, tool: query_order, host: \"*.example\"}]\n", "the rule wants a host"},
		{"rules: [{decision: deny, tool: Read, path: \"x\", access: write}]\n", "one that tool \"Read\" never makes"},
		{"rules: [{decision: deny, tool: Write, path: \"x\", access: write}]\n", ""},
		{"rules: [{decision: deny, tool: Bash, path: \"x\", access: write}]\n", ""},
		{"labels: {c: {kind: confidentiality, level: private}}\n", `nothing produces the label "c"`},
		{"labels: {c: {kind: confidentiality, level: private}}\nsources: [{match: query_order, labels: [c]}]\n", ""},
		{"compose: [{id: A-1, title: t, labels: [secret], sink: [actuator], why: w}]\n", "wants a sink of kind actuator, and nothing has one"},
		{"compose: [{id: A-1, title: t, labels: [secret], sink: [external], why: w, unless: [{tool: send_emial, reason: r}]}]\n", `names "send_emial", which no contract describes`},
	} {
		got := lint(t, c.policy)
		if c.want == "" {
			require.Empty(t, got, c.policy)
		} else {
			require.Contains(t, got, c.want, c.policy)
		}
	}
}

// TestShadows: what is reported is never reached, and what is reached is not
// reported.
func TestShadows(t *testing.T) {
	const over = "settings: {resolution: deny-overrides}\n"
	for _, c := range []struct {
		policy string
		shadow bool
	}{
		{"rules: [{decision: deny, tool: refund}, {decision: allow, tool: refund}]\n", true},
		{"rules: [{decision: allow, tool: refund}, {decision: allow, tool: refund}]\n", true},
		{"rules: [{decision: deny, tool: \"re*\"}, {decision: allow, tool: refund}]\n", false},
		{over + "rules: [{decision: deny, tool: \"re*\"}, {decision: allow, tool: refund}]\n", true},
		{over + "rules: [{decision: deny, tool: refund}, {decision: allow, tool: \"re*\"}]\n", false},
		{"rules: [{decision: deny, tool: refund, when: \"size(call.recipients) > 1\"}, {decision: allow, tool: refund}]\n", false},
		{"permissions: {deny: [\"Bash(git:*)\"], allow: [\"Bash(git status:*)\"]}\n", true},
		{"permissions: {deny: [\"Bash(git push:*)\"], allow: [\"Bash(git:*)\"]}\n", false},
		{"permissions: {deny: [\"Edit(/etc/**)\"], allow: [\"Edit(/etc/motd)\"]}\n", true},
		{"permissions: {deny: [\"Edit(/etc/*)\"], allow: [\"Edit(/etc/a/b)\"]}\n", false},
		{"rules: [{decision: deny, tool: Bash}]\npermissions: {allow: [\"Bash(make:*)\"]}\n", true},
		{"rules: [{decision: ask, tool: Write, path: \"src/**\"}, {decision: deny, tool: Write, path: \"src/**\", access: write}]\n", false},
		{"rules: [{decision: deny, agent: helper, tool: refund}, {decision: allow, tool: refund}]\n", false},
		{"rules: [{decision: deny, tool: send_email}, {decision: allow, tool: send_email, accepts: [PL1001], reason: r}]\n", false},
	} {
		got := lint(t, c.policy)
		require.Equal(t, c.shadow, strings.Contains(got, "is never reached"), "%s\n%s", c.policy, got)
	}
}
