package policytest

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planlint/planlint/policy"
)

func suite(t *testing.T, policyText string) *Suite {
	t.Helper()
	path := filepath.Join(t.TempDir(), policy.FileName)
	require.NoError(t, os.WriteFile(path, []byte(policyText), 0o644))
	s, problems := Load(path)
	require.NotNil(t, s, "%v", problems)
	return s
}

const shop = `version: 1
extends: [builtin:coding-agent]
tools:
  - {name: ship, risk_class: irreversible-public, args: {order: {role: object}}}
rules:
  - {decision: allow, tool: ship, when: "call.args.order == 'A1'"}
  - {decision: deny, tool: refund}
  - {decision: ask, tool: query_order}
tests:
`

func TestDifferences(t *testing.T) {
	for _, c := range []struct{ test, want string }{
		{"{name: t, plan: [{tool: refund}], expect: deny}", ""},
		{"{name: t, plan: [{tool: refund}], expect: ask}", "the verdict is deny, expected ask"},
		{"{name: t, plan: [{tool: refund}], expect: [allow]}", "the decision is deny, expected allow"},
		{"{name: t, plan: [{tool: query_order}], expect: {calls: [{decision: ask, gate: {approvals: 2}}]}}", "the gate is 1 approval, expected 2 approvals"},
		{"{name: t, plan: [{tool: query_order}], expect: {gate: none}}", "the plan: the gate is 1 approval, expected none"},
		{"{name: t, plan: [{tool: query_order}], expect: {findings: [PL1001]}}", "the plan has findings [], expected [PL1001]"},
		{"{name: t, plan: [{tool: query_order}], max_asks: 0}", "1 approvals are asked for, at most 0 expected"},
		{"{name: t, plan: [{tool: query_order}], max_asks: 1}", ""},
		{"{name: t, plan: [{tool: mystery}], expect: {diagnostics: [PL9010]}}", ""},
		{"{name: t, plan: [{tool: query_order}], expect: {diagnostics: [PL9010]}}", "diagnostic PL9010 is missing"},
		{"{name: t, plan: [{tool: ship, args: {order: A1}}], expect: {calls: [{class: compensating}]}}", "the class is irreversible-public, expected compensating"},
		{"{name: t, plan: [{tool: read_secret}], expect: {calls: [{labels: [secret]}]}}", ""},
		{"{name: t, plan: [{tool: read_secret}], expect: {calls: [{labels: []}]}}", "returns labels [secret], expected []"},
		{"{name: t, mode: unattended, plan: [{tool: query_order}], expect: deny}", ""},
		{"{name: t, policy: {rules: [{decision: deny, tool: query_order}]}, plan: [{tool: query_order}], expect: deny}", ""},
		{"{name: t, plan: [{id: a, tool: reserve_stock}, {id: b, tool: ship}], fails: {call: b, compensations: [release_stock]}}", ""},
		{"{name: t, plan: [{id: a, tool: reserve_stock}, {id: u, tool: release_stock}, {id: b, tool: ship}], fails: {call: b, compensations: []}}", ""},
		{"{name: t, plan: [{id: a, tool: reserve_stock}, {id: b, tool: ship}], fails: {call: b, compensations: []}}", `if call "b" fails, [release_stock] has to follow, expected []`},
	} {
		results, _ := suite(t, shop+"  - "+c.test+"\n").Run(t.Context(), nil)
		got := strings.Join(results[0].Differences, "\n")
		if c.want == "" {
			require.Empty(t, got, c.test)
		} else {
			require.Contains(t, got, c.want, c.test)
		}
	}
}

func TestWrongTestsDoNotLoad(t *testing.T) {
	for _, c := range []struct{ test, want string }{
		{"{name: t, plan: [{tool: a}], expect: maybe}", `unknown decision "maybe"`},
		{"{name: t, plan: [{tool: a}], expct: deny}", `unknown field "expct"`},
		{"{plan: [{tool: a}], expect: deny}", "a test without a name"},
		{"{name: t, plan: [{tool: a}]}", "expects nothing"},
		{"{name: t, expect: deny}", "has no plan"},
		{"{name: t, plan: [{tol: a}], expect: deny}", `plan: unknown field "tol"`},
		{"{name: t, plan: [{tool: a}], expect: [deny, deny]}", "the plan has 1 calls, 2 are expected"},
		{"{name: t, plan: [{tool: a}], expect: {calls: {b: deny}}}", `the plan has no call "b"`},
		{"{name: t, trace: nothing.json, expect: deny}", "no such file"},
		{"{name: t, mode: quick, plan: [{tool: a}], expect: deny}", `unknown mode "quick"`},
		{"{name: t, plan: [{tool: a}], expect: {gate: strict}}", `unknown gate "strict"`},
	} {
		path := filepath.Join(t.TempDir(), policy.FileName)
		require.NoError(t, os.WriteFile(path, []byte(shop+"  - "+c.test+"\n"), 0o644))
		s, problems := Load(path)
		require.Nil(t, s, c.test)
		require.Contains(t, problems[0].Message, c.want, c.test)
		require.Positive(t, problems[0].At.Line)
	}
}

func TestCoverageAndMutants(t *testing.T) {
	s := suite(t, shop+`  - {name: one, plan: [{tool: refund}], expect: deny}
  - {name: two, plan: [{tool: ship, args: {order: A1}}], expect: allow}
`)
	results, cover := s.Run(t.Context(), nil)
	require.True(t, results[0].Passed() && results[1].Passed())
	var never []string
	for _, r := range cover.Rules() {
		if r.Matched == 0 {
			never = append(never, r.What)
		}
	}
	require.Equal(t, []string{"ask tool=query_order"}, never)
	require.Len(t, cover.Conditions(), 1)
	require.False(t, cover.Conditions()[0].Covered(), "it was never false")

	mutants := s.Mutate(t.Context(), []*Test{results[0].Test, results[1].Test})
	noticed := make(map[string]string)
	for _, m := range mutants {
		noticed[m.What] = m.Noticed
	}
	require.Equal(t, "one", noticed["deny -> allow: deny tool=refund"])
	require.Equal(t, "two", noticed["allow -> deny: allow tool=ship when=call.args.order == 'A1'"])
	require.Contains(t, noticed, "ask -> allow: ask tool=query_order")
	require.Empty(t, noticed["ask -> allow: ask tool=query_order"], "no test is about it")
	require.Empty(t, noticed["condition dropped: call.args.order == 'A1'"], "no test has another order")
	require.Equal(t, "deny", s.Document.Rules[len(s.Document.Rules)-2].Decision.S, "mutants leave the document alone")
}

func TestWrite(t *testing.T) {
	s := suite(t, shop+"  - {name: \"a <b>\", plan: [{tool: refund}], expect: ask}\n")
	results, cover := s.Run(t.Context(), nil)
	r := &Report{Suites: []SuiteReport{{Suite: s, Results: results, Coverage: cover}}}
	require.True(t, r.Failed())
	same := func(s string) string { return s }
	for _, format := range Formats() {
		var a, b bytes.Buffer
		require.NoError(t, Write(&a, r, Options{Format: format, Escape: same}))
		require.NoError(t, Write(&b, r, Options{Format: format, Escape: same}))
		require.Equal(t, a.String(), b.String())
		switch format {
		case "json":
			require.True(t, json.Valid(a.Bytes()))
		case "junit":
			var any struct {
				Suites []struct {
					Failures int `xml:"failures,attr"`
				} `xml:"testsuite"`
			}
			require.NoError(t, xml.Unmarshal(a.Bytes(), &any))
			require.Equal(t, 1, any.Suites[0].Failures)
		default:
			require.Contains(t, a.String(), "FAIL  a <b>")
		}
	}
}

// FuzzParseTests: no panic, whatever stands in a file of tests.
func FuzzParseTests(f *testing.F) {
	f.Add([]byte("version: 1\ntests:\n  - {name: t, policy: builtin:default, plan: [{tool: refund}], expect: ask}\n"))
	f.Add([]byte("version: 1\ntests: [{name: t, plan: {calls: [{tool: a}]}, expect: {calls: {a: {gate: {cooldown: 3s}}}}, fails: [{call: a}]}]\n"))
	f.Add([]byte("version: 1\ntests: [&a {name: t, plan: *a}]\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, problems := ParseTests(filepath.Join(t.TempDir(), "x"+TestSuffix), data)
		require.True(t, s != nil || len(problems) > 0)
	})
}
