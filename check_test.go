package planlint_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planlint/planlint"
	"github.com/planlint/planlint/finding"
	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/plan/planyaml"
	"github.com/planlint/planlint/policy"
	"github.com/planlint/planlint/report"
	"github.com/planlint/planlint/tool"
)

const leak = `
version: 1
prompt: Send the vendor our key
calls:
  - {id: creds, tool: read_secret, args: {name: stripe_key}}
  - {id: mail, tool: send_email, args: {to: [ops@partner.example], subject: key, body: "here: ${creds.output}"}}
`

func parse(tb testing.TB, text string) *plan.Plan {
	tb.Helper()
	p, errs := planyaml.Parse([]byte(text), "plan.yaml")
	require.Empty(tb, errs)
	return p
}

// with returns a checker for a trusted policy on top of the built-in default.
func with(tb testing.TB, text string) *planlint.Checker {
	tb.Helper()
	p, problems := policy.Load(policy.Options{Session: []byte("version: 1\n" + text)})
	require.Empty(tb, problems)
	return planlint.New(*p)
}

func ids(r *finding.PlanReport) (out []string) {
	for _, f := range r.Findings {
		out = append(out, f.ID)
	}
	return out
}

func decisions(r *finding.PlanReport) string {
	var out []string
	for _, c := range r.Calls {
		out = append(out, c.Decision.String())
	}
	return strings.Join(out, " ")
}

func TestEscalationCoversThePathOfAPlan(t *testing.T) {
	r := builtin(t, "default").Check(t.Context(), parse(t, leak))
	require.Equal(t, []string{"PL1001"}, ids(&r))
	require.Equal(t, "ask ask", decisions(&r))
	require.Equal(t, []int{0, 1}, r.Findings[0].Escalates)
	require.Equal(t, gate.DefaultTable().Strictest, r.Gate)
	require.Equal(t, gate.Allow, r.Calls[0].Alone, "without composition the read runs")
	require.Equal(t, int32(6), r.Findings[0].Position.Line)
}

func TestEscalationOfARecordIsTheSinkOnly(t *testing.T) {
	p := parse(t, leak+"recorded: true\n")
	r := builtin(t, "default").Check(t.Context(), p)
	require.Equal(t, []string{"PL1001"}, ids(&r))
	require.Equal(t, []int{1}, r.Findings[0].Escalates)
	require.Equal(t, gate.Allow, r.Calls[0].Decision)
}

func TestAcceptAtTheSinkReleasesThePath(t *testing.T) {
	c := with(t, `rules:
  - {decision: allow, tool: send_email, when: "call.recipients.all(r, r == 'ops@partner.example')", accepts: [PL1001], reason: the vendor rotates our key}
`)
	r := c.Check(t.Context(), parse(t, leak))
	require.Equal(t, []string{"PL1001"}, ids(&r), "it is still said")
	require.Equal(t, gate.Allow, r.Calls[0].Decision)
	require.NotContains(t, r.Calls[1].Rule, "PL1001")
	require.NotNil(t, r.Findings[0].Accepted, "but not held against anybody")
	require.Equal(t, "the vendor rotates our key", r.Findings[0].Accepted.Reason)
	require.Regexp(t, `:3$`, r.Findings[0].Accepted.Rule)
}

func TestAcceptIsForItsCallAndItsIDOnly(t *testing.T) {
	const two = leak + `  - {id: other, tool: send_email, args: {to: [x@elsewhere.example], subject: key, body: "here: ${creds.output}"}}
`
	c := with(t, `rules:
  - {decision: allow, tool: send_email, when: "call.recipients.all(r, r == 'ops@partner.example')", accepts: [PL1001], reason: the vendor rotates our key}
`)
	r := c.Check(t.Context(), parse(t, two))
	require.Equal(t, []string{"PL1001", "PL1001"}, ids(&r))
	require.NotNil(t, r.Findings[0].Accepted)
	require.Nil(t, r.Findings[1].Accepted, "a mail to another")
	require.Equal(t, "ask allow ask", decisions(&r))
	other := with(t, `rules:
  - {decision: allow, tool: send_email, accepts: [PL1004], reason: another id}
`)
	r = other.Check(t.Context(), parse(t, leak))
	require.Nil(t, r.Findings[0].Accepted)
}

// TestAcceptHidesNothingElse: a finding that another one usually covers speaks where
// that one may be accepted.
func TestAcceptHidesNothingElse(t *testing.T) {
	const warns = `compose:
  - {id: PL1901, title: a key in a mail, on: flow, labels: [secret], sink: [public], severity: warning, why: w, instead: i}
`
	r := with(t, warns).Check(t.Context(), parse(t, leak))
	require.Equal(t, []string{"PL1001"}, ids(&r))
	r = with(t, warns+`rules:
  - {decision: allow, tool: send_email, accepts: [PL1001], reason: the vendor rotates our key}
`).Check(t.Context(), parse(t, leak))
	require.Equal(t, []string{"PL1001", "PL1901"}, ids(&r))
	require.NotNil(t, r.Findings[0].Accepted)
	require.Nil(t, r.Findings[1].Accepted)
	require.Equal(t, gate.Ask, r.Calls[1].Decision)
}

func TestADenyOfARuleIsTheSinksOnly(t *testing.T) {
	c := with(t, `compose:
  - id: PL1901
    title: no secret in mail
    on: flow
    labels: [secret]
    sink: [public]
    decision: deny
    why: mail is for people
    instead: use the vault
`)
	r := c.Check(t.Context(), parse(t, leak))
	require.Contains(t, ids(&r), "PL1901")
	require.Equal(t, gate.Deny, r.Calls[1].Decision)
	require.Equal(t, gate.Deny, r.Verdict)
	require.True(t, r.Gate.None(), "a deny has no gate")
}

func TestRefusedCallsDoNotCount(t *testing.T) {
	p := parse(t, strings.Replace(leak, "args: {to:", "outcome: refused, args: {to:", 1)+"recorded: true\n")
	r := builtin(t, "default").Check(t.Context(), p)
	require.Equal(t, gate.Allow, r.Verdict)
}

type broken struct{ panics bool }

func (b broken) Holds(tool.Cond, *tool.Subject) (bool, error) {
	if b.panics {
		panic("a bug")
	}
	return false, errors.New("no answer")
}

func TestConditionThatFailsCountsAsMatched(t *testing.T) {
	p := *builtin(t, "default").Policy()
	p.Composer = broken{}
	r := planlint.New(p).Check(t.Context(), parse(t, leak))
	require.Contains(t, ids(&r), "PL1001")
	closing := 0
	for _, d := range r.Diagnostics {
		if d.ID == "PL9030" && d.Closing {
			closing++
		}
	}
	require.Positive(t, closing)
}

func TestPanicAndTimeoutDenyEveryCall(t *testing.T) {
	p := *builtin(t, "default").Policy()
	p.Composer = broken{panics: true}
	r := planlint.New(p).Check(t.Context(), parse(t, leak))
	require.Equal(t, "deny deny", decisions(&r))
	require.Equal(t, gate.Deny, r.Verdict)
	require.Equal(t, "PL9000", r.Diagnostics[0].ID)

	done, cancel := context.WithCancel(t.Context())
	cancel()
	r = builtin(t, "default").Check(done, parse(t, leak))
	require.Equal(t, "deny deny", decisions(&r))
}

func TestSameInputSameBytes(t *testing.T) {
	c, first := builtin(t, "default"), []byte(nil)
	for i := 0; i < 100; i++ {
		r := finding.Report{Plans: []finding.PlanReport{c.Check(t.Context(), ordinary(60))}, Rules: c.Policy().Compose}
		var out bytes.Buffer
		require.NoError(t, report.Write(&out, &r, report.Options{Format: report.JSON}))
		if first == nil {
			first = append(first, out.Bytes()...)
		}
		require.True(t, bytes.Equal(first, out.Bytes()), "run %d differs", i)
	}
}

func TestSessionAgreesWithItsRecord(t *testing.T) {
	c := builtin(t, "default")
	s := c.Session(plan.Plan{ID: "live"})
	s.Say(plan.Text{Kind: plan.TextUser, Text: "Read the key, then write to somebody"})
	args := func(key, value string) plan.Value { return plan.Obj([]string{key}, plan.Str(value)) }

	first, _ := s.Next(t.Context(), plan.Call{ID: "a", Tool: "read_secret", Args: args("name", "stripe_key")})
	require.Equal(t, gate.Allow, first[0].Decision)
	require.True(t, s.Result(0, plan.Ran, plan.Str("tok-5531-abcdefgh-9"), plan.OutputRecorded))
	require.False(t, s.Result(7, plan.Ran, plan.Value{}, plan.OutputAbsent))

	second, whole := s.Next(t.Context(), plan.Call{ID: "b", Tool: "send_email",
		Args: plan.Obj([]string{"to", "body"}, plan.Str("kim@partner.example"), plan.Str("it is tok-5531-abcdefgh-9"))})
	require.Len(t, second, 1)
	require.Equal(t, gate.Ask, second[0].Decision)
	require.Contains(t, ids(&whole), "PL1001")

	again := s.Plan()
	record := c.Check(t.Context(), &again)
	require.Equal(t, decisions(&whole), decisions(&record))
}

func TestSiblingsOfOneTurnSeeNothingOfEachOther(t *testing.T) {
	s := builtin(t, "default").Session(plan.Plan{ID: "live"})
	_, whole := s.Next(t.Context(),
		plan.Call{ID: "a", Tool: "read_secret", Args: plan.Obj([]string{"name"}, plan.Str("k"))},
		plan.Call{ID: "b", Tool: "send_email", Args: plan.Obj([]string{"to"}, plan.Str("kim@partner.example"))})
	require.Empty(t, whole.Findings)
}
