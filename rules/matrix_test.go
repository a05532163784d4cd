package rules_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/rules"
	"github.com/planlint/planlint/taint"
	"github.com/planlint/planlint/tool"
)

var update = flag.Bool("update", false, "write the golden tables")

// The dimensions of the decision table.
var (
	matrixModes = []rules.Mode{
		rules.ModeDefault, rules.ModeReadOnly, rules.ModeAcceptEdits,
		rules.ModeUnattended, rules.ModeAuto, rules.ModeObserve,
	}
	matrixRules = []struct {
		name string
		list []rules.Rule
	}{
		{"none", nil},
		{"allow tool", []rules.Rule{{Decision: gate.Allow, Tool: "act", Name: "r"}}},
		{"allow path", []rules.Rule{{Decision: gate.Allow, Path: "./notes.txt", Name: "r"}}},
		{"allow accepts", []rules.Rule{{Decision: gate.Allow, Tool: "act", Name: "r", Reason: "test",
			Accepts: []string{"PL1001", "authority-modifying"}}}},
		{"ask", []rules.Rule{{Decision: gate.Ask, Tool: "act", Name: "r"}}},
		{"deny", []rules.Rule{{Decision: gate.Deny, Tool: "act", Name: "r"}}},
	}
	publicGate       = gate.Requirements{Approvals: 1, Cooldown: 30 * time.Second}
	strictestGate    = gate.Requirements{Approvals: 1, Cooldown: 30 * time.Second, EffectReview: true}
	matrixEscalation = []struct {
		name string
		list []rules.Escalation
	}{
		{"-", nil},
		{"context", []rules.Escalation{{Rule: "PL1001", Decision: gate.Ask, Precision: taint.Context, Requirements: publicGate}}},
		{"value", []rules.Escalation{{Rule: "PL1001", Decision: gate.Ask, Precision: taint.Value, Requirements: strictestGate}}},
		{"deny", []rules.Escalation{{Rule: "PL1001", Decision: gate.Deny, Precision: taint.Value, Requirements: strictestGate}}},
	}
)

const unknownClass = gate.ClassUnset

func className(c gate.Class) string {
	if c == unknownClass {
		return "unknown tool"
	}
	return c.String()
}

// edit is one call that writes notes.txt in the workspace.
func edit(class gate.Class, list []rules.Escalation) *rules.Input {
	res := &tool.Resolved{
		Class: class,
		Paths: []tool.PathUse{{Path: "/srv/app/notes.txt", Access: tool.Write, Known: true, Command: -1}},
	}
	if class != unknownClass {
		res.Contract = &tool.Contract{Name: "act", Class: class}
	}
	return &rules.Input{
		Call: &plan.Call{Tool: "act", ID: "a"}, Resolved: res, Env: &plan.Env{Cwd: "/srv/app", Home: "/home/dev"},
		Escalations: list, Asker: true, Lease: true,
	}
}

func compile(t testing.TB, s rules.Settings, list ...rules.Rule) *rules.Table {
	t.Helper()
	table, problems := rules.Compile(list, s)
	require.Empty(t, problems)
	return table
}

func cell(r rules.Result) string {
	if r.Observed {
		return "allow, was " + words(r.WouldBe, r.WouldGate)
	}
	return words(r.Decision, r.Gate.Requirements)
}

func words(d gate.Decision, r gate.Requirements) string {
	if d != gate.Ask {
		return d.String()
	}
	out := "ask"
	if r.Approvals > 0 {
		out += fmt.Sprintf(" %dp", r.Approvals)
	}
	if r.Cooldown > 0 {
		out += " " + r.Cooldown.String()
	}
	if r.EffectReview {
		out += " er"
	}
	if r.OutOfBand {
		out += " oob"
	}
	return out
}

// expected is the design's text (sections 3 and 6) once more, cell by cell, for
// a call that is not read-only, unmatched: ask and unknown_tool: ask.
func expected(class gate.Class, rule, esc string, mode rules.Mode) (gate.Decision, gate.Requirements) {
	if mode == rules.ModeReadOnly || rule == "deny" {
		return gate.Deny, gate.Requirements{}
	}
	accepts := rule == "allow accepts"
	if esc == "deny" && !accepts {
		return gate.Deny, gate.Requirements{}
	}
	var need gate.Requirements
	join := func(r gate.Requirements) { need = need.Join(r) }
	edits := mode == rules.ModeAcceptEdits && rule == "none" && class != unknownClass
	waived := rule == "allow path" || accepts ||
		rule == "allow tool" && class != gate.AuthorityModifying ||
		edits && class <= gate.IrreversibleInternal
	if !waived {
		switch class {
		case unknownClass:
			join(gate.Requirements{Approvals: 1})
		case gate.IrreversibleInternal:
			join(gate.Requirements{EffectReview: true})
		case gate.IrreversiblePublic:
			join(publicGate)
		case gate.AuthorityModifying:
			join(gate.Requirements{OutOfBand: true})
		}
	}
	if esc == "context" && !accepts {
		join(publicGate)
	}
	if esc == "value" && !accepts {
		join(strictestGate)
	}
	if rule == "ask" || rule == "none" && !edits {
		join(gate.Requirements{Approvals: 1})
	}
	escalated := !accepts && esc != "-"
	low := class >= gate.ReversibleInternal && class <= gate.IrreversibleInternal
	switch {
	case need.None():
		return gate.Allow, need
	case mode == rules.ModeAuto && low && !escalated:
		return gate.Allow, gate.Requirements{}
	case mode == rules.ModeUnattended:
		return gate.Deny, gate.Requirements{}
	}
	return gate.Ask, need
}

// TestDecisionTable states every cell of class x rule x escalation x mode.
func TestDecisionTable(t *testing.T) {
	var b strings.Builder
	fmt.Fprintf(&b, "# A call that writes a file of the workspace; unmatched: ask, unknown_tool: ask.\n")
	fmt.Fprintf(&b, "# p = persons, er = effect review, oob = out of band. \"allow accepts\" is a bare\n")
	fmt.Fprintf(&b, "# allow with accepts: [PL1001, authority-modifying]; escalations are by PL1001.\n\n")
	row := func(cols ...string) {
		b.WriteString(strings.TrimRight(fmt.Sprintf("%-22s %-14s %-10s %-18s %-10s %-18s %-10s %-18s %s", anys(cols)...), " ") + "\n")
	}
	row("class", "rule", "escalation", "default", "read-only", "accept-edits", "unattended", "auto", "observe")
	for class := unknownClass; class <= gate.AuthorityModifying; class++ {
		b.WriteString("\n")
		for _, r := range matrixRules {
			for _, e := range matrixEscalation {
				cols := []string{className(class), r.name, e.name}
				for _, mode := range matrixModes {
					table := compile(t, rules.Settings{UnknownTool: gate.Ask, Mode: mode}, r.list...)
					got := table.Decide(edit(class, e.list))
					name := fmt.Sprintf("%s/%s/%s/%s", className(class), r.name, e.name, mode)
					d, need := expected(class, r.name, e.name, mode)
					require.Equal(t, words(d, need), words(got.WouldBe, got.WouldGate), name)
					require.Equal(t, mode == rules.ModeObserve, got.Observed, name)
					cols = append(cols, cell(got))
				}
				row(cols...)
			}
		}
	}
	golden(t, "decisions.golden", b.String())
}

// TestUnmatchedTable states what happens where no rule matches.
func TestUnmatchedTable(t *testing.T) {
	var b strings.Builder
	b.WriteString("# A call that no rule matches, mode default, by settings.unmatched and unknown_tool.\n\n")
	row := func(cols ...string) {
		b.WriteString(strings.TrimRight(fmt.Sprintf("%-22s %-10s %-18s %-18s %-18s %-18s %s", anys(cols)...), " ") + "\n")
	}
	row("class", "read-only", "ask", "deny", "class", "allow", "ask, unknown_tool: deny")
	for class := unknownClass; class <= gate.AuthorityModifying; class++ {
		for _, readOnly := range []bool{false, true} {
			cols := []string{className(class), fmt.Sprint(readOnly)}
			for _, s := range []rules.Settings{
				{UnknownTool: gate.Ask}, {UnknownTool: gate.Ask, Unmatched: rules.UnmatchedDeny},
				{UnknownTool: gate.Ask, Unmatched: rules.UnmatchedClass}, {UnknownTool: gate.Ask, Unmatched: rules.UnmatchedAllow}, {},
			} {
				in := edit(class, nil)
				in.Resolved.ReadOnly = readOnly
				cols = append(cols, cell(compile(t, s).Decide(in)))
			}
			row(cols...)
		}
	}
	golden(t, "unmatched.golden", b.String())
}

func anys(cols []string) []any {
	out := make([]any, len(cols))
	for i := range cols {
		out[i] = cols[i]
	}
	return out
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), got, "go test ./rules -update writes it; read the difference first")
}
