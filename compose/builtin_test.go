package compose

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"

	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/taint"
	"github.com/planlint/planlint/tool"
)

type packRule struct {
	ID         string   `yaml:"id"`
	Title      string   `yaml:"title"`
	On         string   `yaml:"on"`
	Labels     []string `yaml:"labels"`
	AllLabels  []string `yaml:"all_labels"`
	Sink       []string `yaml:"sink"`
	Classes    []string `yaml:"classes"`
	Origin     []string `yaml:"origin"`
	When       string   `yaml:"when"`
	Severity   string   `yaml:"severity"`
	Why        string   `yaml:"why"`
	Instead    string   `yaml:"instead"`
	References []string `yaml:"references"`
	Since      string   `yaml:"since"`
}

func builtinRules(t testing.TB) []packRule {
	text, err := os.ReadFile("../policy/packs/compose.yaml")
	require.NoError(t, err)
	var pack struct {
		Compose []packRule `yaml:"compose"`
	}
	require.NoError(t, yaml.Unmarshal(text, &pack))
	require.Len(t, pack.Compose, 17)
	return pack.Compose
}

func builtinRule(t testing.TB, id string) packRule {
	for _, r := range builtinRules(t) {
		if r.ID == id {
			return r
		}
	}
	require.Fail(t, "no rule "+id)
	return packRule{}
}

func TestBuiltinRulesCompile(t *testing.T) {
	c := testCompiler(t)
	for _, r := range builtinRules(t) {
		scope, ok := ParseScope(r.On)
		require.True(t, ok, r.ID)
		_, err := c.Condition(scope, r.When, at(1, 1), Options{Builtin: true})
		require.NoError(t, err)
		masks := len(r.Labels) + len(r.AllLabels) + len(r.Sink) + len(r.Classes) + len(r.Origin)
		require.Positive(t, masks, "%s has no necessary condition without CEL", r.ID)
		for _, text := range []string{r.Title, r.Why, r.Instead, r.Since, r.Severity} {
			require.NotEmpty(t, text, r.ID)
		}
		require.NotEmpty(t, r.References, r.ID)
		require.FileExists(t, "../docs/rules/"+r.ID+".md")
	}
	require.NoError(t, c.Set().Verify())
}

// holds evaluates a built-in rule's condition.
func holds(t testing.TB, id string, s *tool.Subject) bool {
	r := builtinRule(t, id)
	scope, _ := ParseScope(r.On)
	c := testCompiler(t)
	n, err := c.Condition(scope, r.When, at(1, 1), Options{Builtin: true})
	require.NoError(t, err)
	got, err := c.Set().Holds(n, s)
	require.NoError(t, err)
	return got
}

func TestLeaksAskForReaders(t *testing.T) {
	s := testSubject(t)
	require.True(t, holds(t, "PL1001", s))
	require.False(t, holds(t, "PL1002", s), "secret data is PL1001's")

	s.Flow.Label = taint.PII
	require.True(t, holds(t, "PL1002", s))
	require.True(t, holds(t, "PL1006", s))
	s.Flow.Readers = taint.ReadersOf("ops@partner.example", "eve@corp.example")
	require.False(t, holds(t, "PL1001", s))
	require.False(t, holds(t, "PL1002", s))
	require.False(t, holds(t, "PL1006", s))

	s.Flow.Readers, s.Flow.Audience, s.Flow.Kinds = taint.Readers{}, taint.Audience{}, taint.SinkInternal
	require.False(t, holds(t, "PL1002", s), "an own system without a declared audience")
	s.Flow.Audience = taint.AudienceOf("all-staff")
	require.True(t, holds(t, "PL1002", s))
}

func TestManyPrivateReads(t *testing.T) {
	s := testSubject(t)
	s.Flow.Label = taint.Private
	s.Flow.Others = 3
	require.False(t, holds(t, "PL3001", s))
	s.Flow.Others = 4
	require.True(t, holds(t, "PL3001", s))
}

func TestUntrustedDataThatDecides(t *testing.T) {
	s := testSubject(t)
	s.Flow.Label = taint.Untrusted
	require.False(t, holds(t, "PL1004", s), "a body decides nothing")
	s.Flow.Sink.Field = "to"
	require.True(t, holds(t, "PL1004", s))
	s.Calls[1].Class, s.Flow.Kinds = gate.Compensating, taint.SinkExternal
	require.False(t, holds(t, "PL1004", s))
	s.Flow.Kinds |= taint.SinkPublic
	require.True(t, holds(t, "PL1004", s))
}

func TestStrictestClassOfAChain(t *testing.T) {
	s := testSubject(t)
	require.False(t, holds(t, "PL3003", s), "a mail that is read and answered")
	s.Calls[0].ReadOnly, s.Calls[0].Class = false, gate.Compensating
	s.Flow.Hops = []taint.Hop{{From: taint.Place{Call: 0}, To: taint.Place{Call: 1}, Precision: taint.Value}}
	require.Len(t, s.Flow.Calls(), 2)
	require.False(t, holds(t, "PL3003", s), "every earlier call ran")
	s.Plan.Calls[0].Outcome = plan.Planned
	require.True(t, holds(t, "PL3003", s))
	s.Calls[0].Class = gate.ReversibleInternal
	require.False(t, holds(t, "PL3003", s))
}

func TestSelfAuthority(t *testing.T) {
	for _, test := range []struct {
		principal, agent, user string
		want                   bool
	}{
		{"self", "", "", true}, {"@me", "", "", true}, {"Dev", "", "dev", true}, {"user:dev", "", "dev", true},
		{"dev@corp.example", "", "dev", true}, {"serviceAccount:bot@x.example", "bot", "", true},
		{"helper", "helper", "", true}, {"main", "", "", false}, {"kim", "", "dev", false},
		{"developer", "", "dev", false}, {"the agent", "", "", false}, {"", "", "", false},
		{"kim@dev.example", "", "dev", false},
	} {
		s := testSubject(t)
		s.Call = 3
		s.Plan.Env.User, s.Plan.Calls[3].Agent = test.user, test.agent
		s.Plan.Calls[3].Args.Items[0] = plan.Str(test.principal)
		require.Equal(t, test.want, holds(t, "PL2001", s), "%+v", test)
	}
}

func TestSelfAuthorityOfCommands(t *testing.T) {
	s := testSubject(t)
	s.Call = 4
	require.False(t, holds(t, "PL2001", s))
	s.Calls[4].Extend().Commands = []tool.CommandUse{{Program: "usermod", Words: []string{"usermod", "-aG", "sudo", "$USER"}}}
	require.True(t, holds(t, "PL2001", s))
	s.Calls[4].Commands()[0].Words = []string{"me", "-aG", "sudo", "kim"}
	require.False(t, holds(t, "PL2001", s), "the program's own name is no argument")
}

// chain writes a run as words: "+t" creates a ticket, "-t" takes it back, "!m"
// a mail that failed, "m" one that ran, "?r" a read that failed.
func chain(t testing.TB, steps ...string) *tool.Subject {
	base := testSubject(t)
	s := &tool.Subject{Plan: &plan.Plan{}, Universe: base.Universe, Call: -1}
	for i, step := range steps {
		call := plan.Call{Index: i, Outcome: plan.Ran}
		var r tool.Resolved
		switch step {
		case "+t":
			call.Tool, r = "create_ticket", base.Calls[2]
		case "-t":
			call.Tool, r.Class = "delete_ticket", gate.Compensating
		case "m", "!m":
			call.Tool, r = "send_email", base.Calls[1]
		case "?r":
			call.Tool, r = "read_secret", base.Calls[0]
		}
		if step[0] == '!' || step[0] == '?' {
			call.Outcome = plan.Failed
		}
		s.Plan.Calls, s.Calls = append(s.Plan.Calls, call), append(s.Calls, r)
	}
	return s
}

func TestFailedCallsAndCompensation(t *testing.T) {
	for _, test := range []struct {
		steps []string
		want  []int
	}{
		{[]string{"+t", "!m"}, []int{0}},
		{[]string{"+t", "+t", "!m", "-t"}, []int{0}},
		{[]string{"+t", "!m", "-t"}, nil},
		{[]string{"+t", "-t", "!m"}, nil},
		{[]string{"+t", "!m", "m"}, nil},
		{[]string{"+t", "?r"}, nil},
		{[]string{"!m", "+t"}, nil},
		{[]string{"+t", "m"}, nil},
		{nil, nil},
	} {
		s := chain(t, test.steps...)
		require.Equal(t, test.want, uncompensated(s.Plan, s.Calls), "%v", test.steps)
		require.Equal(t, len(test.want) > 0, holds(t, "PL3002", s), "%v", test.steps)
	}
	s := chain(t, "+t", "!m")
	s.Plan.Calls[1].Agent = "helper"
	require.Empty(t, uncompensated(s.Plan, s.Calls), "another agent's failure")
}
