package compose

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/taint"
	"github.com/planlint/planlint/tool"
)

// Every field and function, with a condition that holds for testSubject. The
// comment form `!(...)` is tested too: each must then not hold.
var holding = []struct {
	scope Scope
	text  string
}{
	{ScopeFlow, `flow.label == "secret"`},
	{ScopeFlow, `flow.level == "secret"`},
	{ScopeFlow, `flow.labels == ["secret", "untrusted"]`},
	{ScopeFlow, `"untrusted" in flow.labels && !("private" in flow.labels)`},
	{ScopeFlow, `flow.labels.has("private")`},
	{ScopeFlow, `flow.labels.has("internal") && !flow.labels.has("pii")`},
	{ScopeFlow, `flow.labels.intersects(["pii", "untrusted"])`},
	{ScopeFlow, `flow.labels.subset(["secret", "untrusted", "pii"])`},
	{ScopeFlow, `size(flow.labels) == 2 && flow.labels[0] == "secret"`},
	{ScopeFlow, `flow.labels.exists(l, l == "untrusted")`},
	{ScopeFlow, `(flow.labels + ["pii"]).size() == 3`},
	{ScopeFlow, `flow.precision == "value"`},
	{ScopeFlow, `flow.source.kind == "output" && flow.source.field == "key"`},
	{ScopeFlow, `flow.source.tool == "read_secret" && flow.source.call.id == "creds"`},
	{ScopeFlow, `flow.source.agent == "main" && flow.source.turn == 0`},
	{ScopeFlow, `flow.source.cell == "" && flow.source.text == ""`},
	{ScopeFlow, `has(flow.source.call) && has(flow.sink.call)`},
	{ScopeFlow, `flow.sink.tool == "send_email" && flow.sink.argument == "body"`},
	{ScopeFlow, `flow.sink.kinds == ["public", "external"]`},
	{ScopeFlow, `"public" in flow.sink.kinds && !flow.sink.kinds.has("exec")`},
	{ScopeFlow, `flow.sink.class == "irreversible-public"`},
	{ScopeFlow, `!flow.sink.decides`},
	{ScopeFlow, `!flow.sink.settled`},
	{ScopeFlow, `!flow.sink.audience.all(a, a in flow.readers)`},
	{ScopeFlow, `!flow.sink.audience.subset(flow.readers)`},
	{ScopeFlow, `flow.sink.audience.exists(a, domain(a) == "partner.example")`},
	{ScopeFlow, `flow.readers == ["eve@corp.example"]`},
	{ScopeFlow, `flow.others >= 3 && flow.others < 4.5`},
	{ScopeFlow, `size(flow.hops) == 2 && flow.hops[0].evidence == "reference"`},
	{ScopeFlow, `flow.hops.exists(h, h.precision == "resource" && h.cell == "file:/tmp/x")`},
	{ScopeFlow, `flow.hops.exists(h, h.decoding == "base64")`},
	{ScopeFlow, `flow.sink.call.args.subject == "key"`},
	{ScopeFlow, `flow.sink.call.args.body == "zq-1234"`},
	{ScopeFlow, `flow.sink.call == plan.calls[1] && flow.sink.call != flow.source.call`},
	{ScopeFlow, `called("send_email") && called("gmail_send") && !called("delete_ticket")`},

	{ScopeCall, `call.index == 1 && call.id == "mail"`},
	{ScopeCall, `call.tool == "send_email" && call.contract == "send_email"`},
	{ScopeCall, `call.agent == "main" && call.turn == 1 && call.server == ""`},
	{ScopeCall, `call.class == "irreversible-public" && !call.read_only && call.known`},
	{ScopeCall, `call.outcome == "planned"`},
	{ScopeCall, `call.args.n > 10 && call.args.n <= 12.5`},
	{ScopeCall, `has(call.args.to) && !has(call.args.bcc)`},
	{ScopeCall, `"ops@partner.example" in call.args.to && size(call.args.to) == 2`},
	{ScopeCall, `call.args["subject"] == "key"`},
	{ScopeCall, `size(call.args) == 6 && "to" in call.args`},
	{ScopeCall, `call.args.all(k, k != "")`},
	{ScopeCall, `call.sinks == ["public", "external"] && call.sinks.has("public")`},
	{ScopeCall, `call.recipients.all(r, domain(r).endsWith(".example"))`},
	{ScopeCall, `call.audience == ["ops@partner.example"]`},
	{ScopeCall, `size(call.labels_in) == 0 && size(call.labels_direct) == 0 && size(call.labels_out) == 0`},
	{ScopeCall, `size(call.hosts) == 0 && size(call.paths) == 0 && size(call.commands) == 0`},

	{ScopeCall, `call.signals == ["target", "unasked"] && size(call.origins) == 2`},
	{ScopeCall, `call.origins.exists(o, o.argument == "to" && o.role == "recipient" && o.from == ["user"] && o.atom == "address")`},
	{ScopeCall, `call.origins.exists(o, "text" in o.from && o.standing == "plain" && !o.endorsed && o.field == "key" && o.call == 0)`},
	{ScopeCall, `call.origins.all(o, o.decoding in ["", "hex"])`},
	{ScopePlan, `plan.calls.filter(c, size(c.signals) > 0).size() == 1`},

	{ScopePlan, `plan.id == "p-1" && plan.format == "planlint" && !plan.recorded && !plan.fixed`},
	{ScopePlan, `plan.prompt == "Send the vendor our key\nand tidy up"`},
	{ScopePlan, `plan.prompt.lowerAscii().contains("vendor") && plan.prompt.matches("(?i)VENDOR")`},
	{ScopePlan, `size(plan.calls) == 6`},
	{ScopePlan, `plan.tools.exists(x, glob("mcp__*", x))`},
	{ScopePlan, `plan.agents == ["main", "helper"]`},
	{ScopePlan, `size(plan.labels) == 0`},
	{ScopePlan, `size(plan.uncompensated) == 0`},
	{ScopePlan, `plan.calls.count(c, c.agent == "main") == 5`},
	{ScopePlan, `plan.calls.filter(c, c.class == "authority-modifying").size() == 1`},
	{ScopePlan, `plan.calls.exists(a, plan.calls.exists(b, a.tool == "read_secret" && b.tool == "send_email" && before(a, b)))`},
	{ScopePlan, `next(plan.calls[0], plan.calls[1]) && !next(plan.calls[0], plan.calls[2])`},
	{ScopePlan, `!next(plan.calls[2], plan.calls[3]) && next(plan.calls[2], plan.calls[4])`},
	{ScopePlan, `before(plan.calls[0], plan.calls[3]) && !before(plan.calls[2], plan.calls[4])`},
	{ScopePlan, `!before(plan.calls[1], plan.calls[0])`},
	{ScopePlan, `plan.calls[4].commands == ["git push origin"] && plan.calls[4].programs == ["git"]`},
	{ScopePlan, `plan.calls[4].hosts == ["git.corp.example"]`},
	{ScopePlan, `plan.calls[4].paths == ["/srv/app/a", "/srv/app/b", "/srv/c"]`},
	{ScopePlan, `plan.calls[4].reads == ["/srv/app/a"] && plan.calls[4].writes == ["/srv/app/b", "/srv/c"]`},
	{ScopePlan, `plan.calls[5].server == "acme" && !plan.calls[5].known && plan.calls[5].contract == ""`},
	{ScopePlan, `plan.calls[3].names_self && !plan.calls[1].names_self`},
	{ScopePlan, `glob("/srv/**/*.go", "/srv/a/b/c.go") && !glob("/srv/*.go", "/srv/a/c.go") && plan.id != ""`},
	{ScopePlan, `host("https://Api.Partner.Example:8443/x") == "api.partner.example" && plan.id != ""`},
	{ScopePlan, `"a, b".split(", ") == ["a", "b"] && " x ".trim() == "x" && plan.id != ""`},

	{ScopeClassWhen, `recipients.all(r, domain(r).endsWith(".example"))`},
	{ScopeClassWhen, `args.subject == "key" && call.tool == "send_email"`},
	{ScopeClassWhen, `args.body.startsWith("zq-")`},
	{ScopeOutput, `args.subject == "key"`},
	{ScopeRule, `call.args.subject.startsWith("k")`},
}

func TestEveryFieldAndFunction(t *testing.T) {
	for _, test := range holding {
		got, err := ask(t, test.scope, test.text, testSubject(t))
		require.NoError(t, err, test.text)
		require.True(t, got, test.text)
		got, err = ask(t, test.scope, "!("+test.text+")", testSubject(t))
		require.NoError(t, err, test.text)
		require.False(t, got, test.text)
	}
}

func TestEveryFieldIsTestedAndDocumented(t *testing.T) {
	used := map[string]bool{}
	for _, test := range holding {
		for _, o := range objectTypes {
			for _, f := range o.fields {
				if containsField(test.text, f.name) {
					used[o.name+"."+f.name] = true
				}
			}
		}
	}
	for _, o := range objectTypes {
		for _, f := range o.fields {
			require.True(t, used[o.name+"."+f.name], "%s.%s is in no condition of this file", o.name, f.name)
			require.NotEmpty(t, f.doc)
		}
	}
}

func containsField(text, name string) bool {
	for i := 0; i+len(name) < len(text); i++ {
		if text[i] == '.' && len(text) >= i+1+len(name) && text[i+1:i+1+len(name)] == name {
			rest := text[i+1+len(name):]
			if rest == "" || !(rest[0] == '_' || rest[0] >= 'a' && rest[0] <= 'z') {
				return true
			}
		}
	}
	return false
}

func TestWhatCannotBeDecidedIsAnError(t *testing.T) {
	tests := []struct {
		scope Scope
		text  string
		want  string
	}{
		{ScopeCall, `call.args.bcc == "x"`, "no such key: bcc"},
		{ScopeCall, `call.args.later == "x"`, "not known until the plan runs"},
		{ScopeCall, `call.args.to.startsWith("x")`, "no such overload"},
		{ScopeOutput, `output.x == 1`, "the output is not known yet"},
		{ScopeClassWhen, `hosts.all(h, h == "x")`, "the call has no hosts"},
		{ScopeClassWhen, `paths.all(p, p == "x")`, "the call has no paths"},
		{ScopeClassWhen, `args.cc.all(c, c == "x")`, "an empty list lowers no class"},
		{ScopePlan, `plan.calls[9].tool == "send_email"`, "index out of bounds"},
	}
	for _, test := range tests {
		s := testSubject(t)
		_, err := ask(t, test.scope, test.text, s)
		require.ErrorContains(t, err, test.want, test.text)
	}
}

// What a call names can only be tested where all of it is known.
func TestIncompleteListsCannotBeTested(t *testing.T) {
	tests := []struct {
		scope  Scope
		text   string
		want   string
		change func(*tool.Resolved)
	}{
		{ScopeClassWhen, `recipients.all(r, r != "x")`, "recipients of the call are not all known", func(r *tool.Resolved) { r.RecipientsOpen = true }},
		{ScopeClassWhen, `recipients.all(r, r != "x")`, "the call has no recipients", func(r *tool.Resolved) { r.Extend().Recipients = nil }},
		{ScopeRule, `call.recipients.all(r, r != "x")`, "recipients of the call are not all known", func(r *tool.Resolved) { r.RecipientsOpen = true }},
		{ScopeClassWhen, `hosts.all(r, r != "x")`, "hosts of the call are not all known", func(r *tool.Resolved) { r.HostsOpen = true }},
		{ScopeRule, `call.hosts.all(r, r != "x")`, "hosts of the call are not all known", func(r *tool.Resolved) { r.HostsOpen = true }},
		{ScopeClassWhen, `paths.all(r, r != "x")`, "a path of the call is not known", func(r *tool.Resolved) { r.Paths = []tool.PathUse{{Path: "/x"}} }},
		{ScopeRule, `call.writes.all(r, r != "x")`, "a path of the call is not known", func(r *tool.Resolved) {
			r.Paths = []tool.PathUse{{Path: "/x/*", Known: true, Glob: true, Access: tool.Write}}
		}},
	}
	for _, test := range tests {
		s := testSubject(t)
		test.change(&s.Calls[1])
		_, err := ask(t, test.scope, test.text, s)
		require.ErrorContains(t, err, test.want, test.text)
	}
	s := testSubject(t)
	s.Calls[1].Paths = []tool.PathUse{{Path: "/x/*", Known: true, Glob: true, Access: tool.Read}}
	got, err := ask(t, ScopeRule, `size(call.writes) == 0`, s)
	require.NoError(t, err, "only the paths that are asked for need be known")
	require.True(t, got)
}

func TestReferencesAreFollowedOnlyToRecordedOutputs(t *testing.T) {
	for _, state := range []plan.OutputState{plan.OutputAbsent, plan.OutputPredicted, plan.OutputTruncated} {
		s := testSubject(t)
		s.Plan.Calls[0].OutputState = state
		_, err := ask(t, ScopeCall, `call.args.body == "zq-1234"`, s)
		require.ErrorContains(t, err, `the output of "creds" that the argument refers to is not known`)
	}
}

func TestTextWithReferences(t *testing.T) {
	s := testSubject(t)
	r := plan.Ref{Name: "creds", Call: 0, Path: plan.Path{{Key: "key"}}, Start: 5, End: 13}
	s.Plan.Calls[1].Args.Items[2] = plan.Value{Kind: plan.String, Text: "key: ${creds}!", Ext: &plan.Ext{Refs: []plan.Ref{r}}}
	got, err := ask(t, ScopeCall, `call.args.subject == "key: zq-1234!"`, s)
	require.NoError(t, err)
	require.True(t, got)
}

func TestOutputsThatReferToThemselvesEnd(t *testing.T) {
	s := testSubject(t)
	list := plan.Value{Kind: plan.List, Items: []plan.Value{wholeRef("creds", 0, "key")}}
	s.Plan.Calls[0].Output = plan.Obj([]string{"key"}, list)
	_, err := ask(t, ScopeCall, `call.args.body == ["x"]`, s)
	require.Error(t, err)
}

func TestEveryoneMayRead(t *testing.T) {
	s := testSubject(t)
	s.Flow.Readers = taint.AnyReader
	for _, text := range []string{`flow.sink.audience.all(a, a in flow.readers)`, `flow.sink.audience.subset(flow.readers)`} {
		got, err := ask(t, ScopeFlow, text, s)
		require.NoError(t, err)
		require.True(t, got, text)
	}
	s.Flow.Audience, s.Flow.Readers = taint.Audience{}, taint.ReadersOf("eve@corp.example")
	for _, text := range []string{`flow.sink.audience.all(a, a in flow.readers)`, `flow.sink.audience.subset(flow.readers)`} {
		got, err := ask(t, ScopeFlow, text, s)
		require.NoError(t, err)
		require.False(t, got, text)
	}
}

func TestDecidesAsksEveryDecidingArgument(t *testing.T) {
	s := testSubject(t)
	s.Flow.Sink.Field = "to"
	got, err := ask(t, ScopeFlow, `flow.sink.decides`, s)
	require.NoError(t, err)
	require.True(t, got)
}

func TestSourcesThatAreNoCalls(t *testing.T) {
	s := testSubject(t)
	s.Flow.Source = taint.Place{Kind: taint.PlaceText, Call: -1, Text: 1}
	for _, text := range []string{
		`flow.source.kind == "text" && flow.source.text == "pasted"`,
		`!has(flow.source.call) && flow.source.tool == ""`,
	} {
		got, err := ask(t, ScopeFlow, text, s)
		require.NoError(t, err, text)
		require.True(t, got, text)
	}
	_, err := ask(t, ScopeFlow, `flow.source.call.id == "x"`, s)
	require.Error(t, err)
}

func TestSubjectsWithoutWhatIsAskedFor(t *testing.T) {
	c := testCompiler(t)
	flow, err := c.Condition(ScopeFlow, `flow.others > 1`, at(1, 1), Options{})
	require.NoError(t, err)
	call, err := c.Condition(ScopeCall, `call.index > 1`, at(1, 1), Options{})
	require.NoError(t, err)
	set := c.Set()
	s := testSubject(t)
	s.Flow = nil
	for _, test := range []struct {
		cond    tool.Cond
		subject *tool.Subject
		want    string
	}{
		{flow, s, "needs a flow"}, {flow, nil, "no subject"}, {flow, &tool.Subject{}, "no subject"},
		{call, &tool.Subject{Plan: s.Plan, Calls: s.Calls, Call: -1}, "needs a call"},
		{call, &tool.Subject{Plan: s.Plan, Calls: s.Calls, Call: 6}, "needs a call"},
		{99, s, "no condition has the number 99"}, {-1, s, "no condition has the number -1"},
	} {
		_, err := set.Holds(test.cond, test.subject)
		require.ErrorContains(t, err, test.want)
	}
	got, err := set.Holds(0, nil)
	require.NoError(t, err)
	require.True(t, got, "condition 0 always holds")
}

func TestDomainAndHost(t *testing.T) {
	for address, want := range map[string]string{
		"a@corp.example": "corp.example", "A@Corp.Example.": "corp.example", `Ann <a@corp.example>`: "corp.example",
		"a@corp.example@evil.example": "", "a@corp.example, b@evil.example": "", "a@corp.example (b@evil.example)": "",
		"x@evil.example <a@corp.example>": "", "corp.example": "", "@corp.example": "", "a@": "", "": "",
		"a@c\u043erp.example": "", "a@corp.example\n": "corp.example", "a@corp\n.example": "", "a@.example": "", "a%b@corp.example": "",
	} {
		require.Equal(t, want, domainOf(address), "%q", address)
	}
	for address, want := range map[string]string{
		"https://corp.example/x": "corp.example", "https://corp.example@evil.example/": "evil.example",
		`https://corp.example\@evil.example/`: "", "https://corp.example:80@evil.example/": "evil.example",
		"corp.example/x": "", "//corp.example": "", "https://[::1]:80/": "::1", "javascript:alert(1)": "",
		"https://c\u043erp.example": "", "https://corp.example.": "corp.example", "https:///x": "", " https://a.example": "",
	} {
		require.Equal(t, want, hostOf(address), "%q", address)
	}
}

// labelled is testSubject with labels propagated: the secret of call 0 goes into
// one argument of call 1.
func labelled(t *testing.T, slot int) *tool.Subject {
	s := testSubject(t)
	args := &s.Plan.Calls[1].Args
	args.Items[0], args.Items[3] = strs("ops@partner.example"), plan.Str("hello")
	args.Items[[]int{0, 3}[slot]] = wholeRef("creds", 0)
	s.Plan.Fixed = true
	output := []taint.Write{{ToOutput: true}}
	s.Calls[0].Facts = &taint.Facts{
		Steps:  []taint.Step{{Writes: output}},
		Result: &taint.Result{Output: []taint.Source{{Labels: taint.Of(taint.Secret)}}},
	}
	s.Calls[1].Facts.Steps[0].Reads = []taint.Operand{{Kind: taint.FromSlot, Index: 0}, {Kind: taint.FromSlot, Index: 1}}
	s.Calls[1].Facts.Steps[0].Writes = output
	facts := make([]taint.Facts, len(s.Calls))
	for i := range facts {
		if s.Calls[i].Facts != nil {
			facts[i] = *s.Calls[i].Facts
		}
		if len(facts[i].Steps) == 0 {
			facts[i].Steps = []taint.Step{{}}
		}
	}
	s.Labels = taint.Build(s.Plan, facts, s.Universe).Propagate()
	return s
}

func TestLabelsOfCalls(t *testing.T) {
	for _, text := range []string{
		`call.labels_in == ["secret"] && call.labels_direct == ["secret"]`,
		`call.labels_out.has("private") && !call.labels_out.has("untrusted")`,
		`plan.labels.has("secret") && size(plan.calls[0].labels_in) == 0`,
	} {
		got, err := ask(t, ScopeCall, text, labelled(t, 1))
		require.NoError(t, err, text)
		require.True(t, got, text)
	}
	s := labelled(t, 1)
	s.Labels = nil
	for _, text := range []string{`size(call.labels_in) > 0`, `size(call.labels_out) > 0`, `size(plan.labels) > 0`} {
		_, err := ask(t, ScopeCall, text, s)
		require.ErrorContains(t, err, "labels are not known yet", text)
	}
}

// The witness in hand enters the body; the same label also decides the recipient.
func TestDecidesThroughAnotherArgument(t *testing.T) {
	for slot, want := range []bool{true, false} {
		s := labelled(t, slot)
		require.Equal(t, "body", s.Flow.Sink.Field)
		got, err := ask(t, ScopeFlow, `flow.sink.decides`, s)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
}
