package tool

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/taint"
)

func TestDefaultReaders(t *testing.T) {
	u, err := taint.NewUniverse(taint.LabelDef{Name: "customer", Level: "private"}, taint.LabelDef{Name: "own"},
		taint.LabelDef{Name: "unchecked", Kind: taint.Integrity}, taint.LabelDef{Name: "seed", Level: "secret"})
	require.NoError(t, err)
	r, _ := NewRegistry(Config{Universe: u, Audiences: map[string][]string{"user": {"ann@corp.example"}}})
	for _, tc := range []struct {
		label    string
		declared []string
		want     []string
	}{
		{"secret", nil, []string{}},
		{"credential", nil, []string{}},
		{"seed", nil, []string{}},
		{"private", nil, []string{"ann@corp.example", "user"}},
		{"pii", nil, []string{"ann@corp.example", "user"}},
		{"customer", nil, []string{"ann@corp.example", "user"}},
		{"own", nil, []string{"ann@corp.example", "user"}},
		{"internal", nil, []string{"everyone"}},
		{"untrusted", nil, []string{"everyone"}},
		{"unchecked", nil, []string{"everyone"}},
		{"secret", []string{"ops"}, []string{"ops"}},
		{"private", []string{"ops"}, []string{"ann@corp.example", "ops", "user"}},
		{"internal", []string{"ops"}, []string{"ops"}},
		{"untrusted", []string{"ops"}, []string{"everyone"}},
	} {
		set, ok := u.Lookup(tc.label)
		require.True(t, ok)
		got := r.sources(set, tc.declared, "w")
		require.Len(t, got, 1, tc.label)
		require.Equal(t, set, got[0].Labels)
		require.Equal(t, tc.want, got[0].Readers.Names(), tc.label)
	}
	var all taint.Set
	for _, s := range r.sources(taint.Of(taint.Secret, taint.Private, taint.Internal, taint.Untrusted), nil, "w") {
		require.False(t, all.Intersects(s.Labels))
		all |= s.Labels
	}
	require.Equal(t, taint.Of(taint.Secret, taint.Private, taint.Internal, taint.Untrusted), all)
}

func TestGroupsThatHoldEachOther(t *testing.T) {
	g := newGroups(map[string][]string{"A": {"b"}, "b": {"a", "x@y.example"}})
	require.Equal(t, []string{"a", "b", "x@y.example"}, g.readers([]string{"a"}))
	require.Equal(t, []string{"x@y.example"}, g.audience([]string{"a"}))
	require.Equal(t, []string{"other"}, g.audience([]string{"other"}))
}

func mailbox(t *testing.T, out ...OutputLabel) Config {
	return Config{Contracts: []Contract{{Name: "read", Class: gate.ReversibleInternal, ReadOnly: true, Args: []Arg{arg(t, "folder", Selector)}, Output: out}}}
}

func TestReadersFromTheOutput(t *testing.T) {
	label := OutputLabel{Field: pathOf(t, "body"), Labels: taint.Of(taint.Private), Readers: []string{"output.sender", "output.cc[*]"}}
	r := registry(t, mailbox(t, label))
	for name, tc := range map[string]struct {
		output plan.Value
		want   []string
	}{
		"object":        {obj("body", "x", "sender", "Ann <a@x.example>", "cc", list(str("b@x.example"))), []string{"a@x.example", "b@x.example", "user"}},
		"text":          {str(`{"body": "x", "sender": "a@x.example", "cc": []}`), []string{"a@x.example", "user"}},
		"no sender":     {obj("body", "x"), []string{"user"}},
		"unreadable":    {obj("body", "x", "sender", "a@x.example <"), []string{"user"}},
		"everyone said": {obj("sender", "everyone"), []string{"everyone"}},
	} {
		t.Run(name, func(t *testing.T) {
			got := r.Resolve(planOf(testEnv, plan.Call{Tool: "read", Output: tc.output, OutputState: plan.OutputRecorded}))[0]
			require.Equal(t, tc.want, got.Facts.Fields()[0].Sources[0].Readers.Names())
		})
	}
	planned := r.Resolve(planOf(testEnv, plan.Call{Tool: "read", Output: obj("sender", "a@x.example"), OutputState: plan.OutputPredicted}))[0]
	require.Equal(t, []string{"user"}, planned.Facts.Fields()[0].Sources[0].Readers.Names())
}

func TestReadersOfEachRecord(t *testing.T) {
	output := str(`[{"body": "1", "sender": "a@x.example"}, {"body": "2", "sender": "b@x.example"}]`)
	call := plan.Call{Tool: "read", Output: output, OutputState: plan.OutputRecorded}
	field := OutputLabel{Field: pathOf(t, "[*].body"), Labels: taint.Of(taint.Private), Readers: []string{"output[*].sender"}}
	got := registry(t, mailbox(t, field)).Resolve(planOf(testEnv, call))[0]
	require.Len(t, got.Facts.Fields(), 2)
	require.Equal(t, "[1].body", got.Facts.Fields()[1].Path.String())
	require.Equal(t, []string{"b@x.example", "user"}, got.Facts.Fields()[1].Sources[0].Readers.Names())

	// Without a field the records are not told apart, and no sender may see all.
	whole := OutputLabel{Labels: taint.Of(taint.Private), Readers: []string{"output[*].sender"}}
	got = registry(t, mailbox(t, whole)).Resolve(planOf(testEnv, call))[0]
	require.Equal(t, []string{"user"}, got.Facts.Output()[0].Readers.Names())
}

func TestConditionalLabels(t *testing.T) {
	for name, tc := range map[string]struct {
		cond func(*Subject) (bool, error)
		want int
		note bool
	}{"holds": {always(true), 1, false}, "does not": {always(false), 0, false}, "error keeps": {broken, 1, true}} {
		t.Run(name, func(t *testing.T) {
			c := mailbox(t, OutputLabel{Labels: taint.Of(taint.Secret), If: 1})
			c.Conditions = conditions{1: tc.cond}
			c.Contracts[0].Sinks = []SinkDecl{{Kinds: taint.SinkInternal, If: 1}}
			got := registry(t, c).Resolve(planOf(testEnv, plan.Call{Tool: "read"}))[0]
			require.Len(t, got.Facts.Output(), tc.want)
			require.Len(t, got.Facts.Steps[0].Sinks, tc.want)
			require.Equal(t, tc.note, len(got.Notes()) > 0)
		})
	}
}

func TestSourceRules(t *testing.T) {
	c := fileTool(t, Arg{Access: Read, Tree: false})
	c.Contracts = append(c.Contracts, Contract{Name: "fetch", Class: gate.ReversibleInternal, ReadOnly: true, Args: []Arg{arg(t, "url", URL)}})
	for _, s := range []struct {
		pattern string
		label   taint.Label
	}{{"Read(**/.env)", taint.Secret}, {"get_issue", taint.Private}, {"WebFetch(domain:wiki.example)", taint.Internal}} {
		c.Sources = append(c.Sources, SourceRule{Pattern: pattern(t, s.pattern), Labels: taint.Of(s.label)})
	}
	r := registry(t, c)
	file := func(name string) []taint.Source {
		return r.Resolve(planOf(testEnv, plan.Call{Tool: "f", Args: obj("path", name)}))[0].Facts.Steps[0].Reads[1].Sources()
	}
	require.Equal(t, []taint.Source{{Labels: taint.Of(taint.Secret), Why: "source Read(**/.env)"}}, file(".env"))
	require.Empty(t, file("env"))

	got := r.Resolve(planOf(testEnv, plan.Call{Tool: "get_issue"}, plan.Call{Tool: "fetch", Args: obj("url", "https://wiki.example/")}, plan.Call{Tool: "fetch", Args: obj("url", "https://x.example/")}))
	require.Equal(t, taint.Of(taint.Private), got[0].Facts.Output()[1].Labels, "beside untrusted")
	require.Equal(t, taint.Of(taint.Internal), got[1].Facts.Output()[0].Labels)
	require.Empty(t, got[2].Facts.Output())
}

func TestSinkRules(t *testing.T) {
	c := fileTool(t, Arg{Access: Write})
	c.Sinks = []SinkRule{
		{Pattern: pattern(t, "comment"), Kinds: taint.SinkPublic, Audience: []string{"acme-staff"}},
		{Pattern: pattern(t, "Edit(public/**)"), Kinds: taint.SinkExternal},
	}
	r := registry(t, c)
	got := r.Resolve(planOf(testEnv, plan.Call{Tool: "comment", Args: obj("text", "x")},
		plan.Call{Tool: "f", Args: obj("path", "public/a", "text", "x")}, plan.Call{Tool: "f", Args: obj("path", "a", "text", "x")}))
	require.Equal(t, []taint.Sink{{Kinds: taint.SinkPublic, Audience: taint.AudienceOf("acme-staff"), Decides: nil}}, clearEmpty(got[0].Facts.Steps[0].Sinks))
	require.True(t, got[0].Unknown, "its class is still unknown")
	require.Equal(t, taint.SinkExternal, got[1].Facts.Steps[0].Sinks[0].Kinds)
	require.Empty(t, got[1].Facts.Steps[0].Sinks[0].From, "all that is written")
	require.Empty(t, got[2].Facts.Steps[0].Sinks)
}

func clearEmpty(sinks []taint.Sink) []taint.Sink {
	for i := range sinks {
		if len(sinks[i].Decides) == 0 {
			sinks[i].Decides = nil
		}
	}
	return sinks
}
