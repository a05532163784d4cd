package tool

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/taint"
)

// str, list and obj write values short.
func str(s string) plan.Value { return plan.Str(s) }

func list(items ...plan.Value) plan.Value { return plan.Value{Kind: plan.List, Items: items} }

func obj(pairs ...any) plan.Value {
	v := plan.Value{Kind: plan.Object}
	for i := 0; i < len(pairs); i += 2 {
		v.Keys = append(v.Keys, pairs[i].(string))
		item, ok := pairs[i+1].(plan.Value)
		if !ok {
			item = str(pairs[i+1].(string))
		}
		v.Items = append(v.Items, item)
	}
	return v
}

// ref is a whole-value reference to a call's output.
func ref(call int, path string) plan.Value {
	p, err := ParsePath(path)
	if err != nil {
		panic(err)
	}
	v := str("${c.output}")
	v.Ext = &plan.Ext{Refs: []plan.Ref{{Name: "c", Call: call, Path: p, End: len(v.Text), Whole: true}}}
	return v
}

func pathOf(t *testing.T, text string) plan.Path {
	p, err := ParsePath(text)
	require.NoError(t, err)
	return p
}

// planOf makes a plan of calls, numbered in order.
func planOf(env plan.Env, calls ...plan.Call) *plan.Plan {
	p := &plan.Plan{Env: env, Calls: calls}
	for i := range p.Calls {
		p.Calls[i].Index = i
	}
	return p
}

var testEnv = plan.Env{Cwd: "/srv/app", Home: "/home/dev", User: "dev"}

// conditions evaluates conditions by number, from functions.
type conditions map[Cond]func(*Subject) (bool, error)

func (c conditions) Holds(n Cond, s *Subject) (bool, error) { return c[n](s) }

func always(v bool) func(*Subject) (bool, error) {
	return func(*Subject) (bool, error) { return v, nil }
}

func broken(*Subject) (bool, error) { return false, errors.New("broken") }

func universe(t testing.TB) *taint.Universe {
	u, err := taint.NewUniverse()
	require.NoError(t, err)
	return u
}

func registry(t testing.TB, c Config) *Registry {
	c.Universe = universe(t)
	r, problems := NewRegistry(c)
	require.Empty(t, problems)
	return r
}

func arg(t *testing.T, path string, role Role) Arg {
	return Arg{Path: pathOf(t, path), Role: role}
}

func mailContract(t *testing.T) Contract {
	return Contract{
		Name: "send_email", Class: gate.IrreversiblePublic,
		Args:     []Arg{arg(t, "to", Recipient), arg(t, "cc", Recipient), arg(t, "subject", Content), arg(t, "body", Content)},
		Audience: []string{"args.to", "args.cc"},
	}
}

func slotNames(r Resolved) (names []string) {
	for _, s := range r.Facts.Slots {
		names = append(names, s.Name)
	}
	return names
}

func TestSlotsPartitionTheArguments(t *testing.T) {
	c := Contract{Name: "bulk", Class: gate.Compensating, Args: []Arg{
		arg(t, "emails[*].to", Recipient), arg(t, "emails[*].body", Content), arg(t, "mode", Mode), arg(t, "headers", RoleNone), arg(t, "headers.auth", SecretArg),
	}}
	r := registry(t, Config{Contracts: []Contract{c}})
	for name, tc := range map[string]struct {
		args plan.Value
		want []string
	}{
		"declared, rest and undeclared": {
			obj("emails", list(obj("to", "a@x.example", "body", "hi", "other", "z")), "extra", "e", "mode", "fast"),
			[]string{"emails[*].to", "emails[*].body", "emails", "extra", "mode"},
		},
		"inner and outer": {obj("headers", obj("auth", "k", "x", "y")), []string{"headers", "headers.auth"}},
		"no object":       {str("free text"), []string{"args"}},
		"no arguments":    {plan.Value{}, nil},
		"one for a list":  {obj("emails", obj("to", "a@x.example")), []string{"emails[*].to"}},
	} {
		t.Run(name, func(t *testing.T) {
			got := r.Resolve(planOf(testEnv, plan.Call{Tool: "bulk", Args: tc.args}))[0]
			require.ElementsMatch(t, tc.want, slotNames(got))
			require.Len(t, got.Facts.Slots, len(got.Facts.Slots))
			requirePartition(t, &tc.args, got.Facts.Slots)
		})
	}
}

// requirePartition checks that every scalar of the arguments is in one slot.
func requirePartition(t *testing.T, args *plan.Value, slots []taint.Slot) {
	count := map[string]int{}
	for _, s := range slots {
		for _, root := range s.Values() {
			root.Walk(func(_ plan.Path, v *plan.Value) bool {
				if len(v.Items) == 0 && v.Kind != plan.Null {
					count[v.Text]++
				}
				return true
			})
		}
	}
	args.Walk(func(_ plan.Path, v *plan.Value) bool {
		if len(v.Items) == 0 && v.Kind != plan.Null {
			require.Equal(t, 1, count[v.Text], v.Text)
		}
		return true
	})
}

func TestReferenceWherePartsAreDeclaredIsUncertain(t *testing.T) {
	c := Contract{Name: "bulk", Class: gate.IrreversiblePublic, Audience: []string{"args.emails[*].to"},
		Args: []Arg{arg(t, "emails[*].to", Recipient), arg(t, "emails[*].body", Content)}}
	r := registry(t, Config{Contracts: []Contract{c}})
	got := r.Resolve(planOf(testEnv, plan.Call{Tool: "x"}, plan.Call{Tool: "bulk", Args: obj("emails", ref(0, ""))}))[1]
	require.True(t, got.RecipientsOpen)
	require.Equal(t, Content, got.Role(0))
	sink := got.Facts.Steps[0].Sinks[0]
	require.True(t, sink.Audience.Everyone())
	require.Equal(t, []int{0}, sink.Decides)
}

func TestKnownSlots(t *testing.T) {
	c := Contract{Name: "f", Class: gate.Compensating, Args: []Arg{
		{Path: pathOf(t, "level"), Role: Content, Enum: []string{"low", "high"}}, arg(t, "mode", Mode),
	}}
	r := registry(t, Config{Contracts: []Contract{c}})
	for value, want := range map[string]bool{"low": true, "highest": false} {
		got := r.Resolve(planOf(testEnv, plan.Call{Tool: "f", Args: obj("level", value)}))[0]
		require.Equal(t, want, got.Facts.Slots[0].Known, value)
	}
	for value, want := range map[string]bool{"fast": true, "x1": false, "two words": false, strings.Repeat("a", 30): false} {
		got := r.Resolve(planOf(testEnv, plan.Call{Tool: "f", Args: obj("mode", value)}))[0]
		require.Equal(t, want, got.Facts.Slots[0].Known, value)
	}
	got := r.Resolve(planOf(testEnv, plan.Call{Tool: "x"}, plan.Call{Tool: "f", Args: obj("level", ref(0, ""))}))[1]
	require.False(t, got.Facts.Slots[0].Known)
}

func TestImpliedSinks(t *testing.T) {
	for name, tc := range map[string]struct {
		c    Contract
		want []taint.SinkKind
	}{
		"public":    {Contract{Class: gate.IrreversiblePublic}, []taint.SinkKind{taint.SinkPublic}},
		"authority": {Contract{Class: gate.AuthorityModifying}, []taint.SinkKind{taint.SinkAuthority}},
		"url":       {Contract{Class: gate.ReversibleInternal, Args: []Arg{{Role: URL}}}, []taint.SinkKind{taint.SinkExternal}},
		"code":      {Contract{Class: gate.ReversibleInternal, Args: []Arg{{Role: Code}}}, []taint.SinkKind{taint.SinkExec}},
		"run file": {Contract{Class: gate.ReversibleInternal, Args: []Arg{{Role: Path, Access: Execute}}},
			[]taint.SinkKind{taint.SinkExec}},
		"declared joins": {Contract{Class: gate.IrreversiblePublic, Sinks: []SinkDecl{{Kinds: taint.SinkExternal}}},
			[]taint.SinkKind{taint.SinkExternal | taint.SinkPublic}},
		"conditional does not count": {Contract{Class: gate.IrreversiblePublic, Sinks: []SinkDecl{{Kinds: taint.SinkPublic, If: 1}}},
			[]taint.SinkKind{taint.SinkPublic, taint.SinkPublic}},
		"none": {Contract{Class: gate.Compensating}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			var got []taint.SinkKind
			for _, s := range ImpliedSinks(&tc.c) {
				got = append(got, s.Kinds)
			}
			require.Equal(t, tc.want, got)
		})
	}
}

func TestClassWhenOnlyLowersAndKeepsSinks(t *testing.T) {
	c := mailContract(t)
	c.ClassWhen = []ClassWhen{{If: 1, Class: gate.Compensating}, {If: 2, Class: gate.ReversibleInternal}}
	call := func(args plan.Value) plan.Call { return plan.Call{Tool: "send_email", Args: args} }
	to := obj("to", "a@corp.example")
	for name, tc := range map[string]struct {
		one, two func(*Subject) (bool, error)
		args     plan.Value
		want     gate.Class
	}{
		"strictest of those that hold": {always(true), always(true), to, gate.Compensating},
		"one holds":                    {always(false), always(true), to, gate.ReversibleInternal},
		"none holds":                   {always(false), always(false), to, gate.IrreversiblePublic},
		"an error keeps":               {always(true), broken, to, gate.IrreversiblePublic},
		"no recipient keeps":           {always(true), always(true), obj("body", "hi"), gate.IrreversiblePublic},
		"empty list keeps":             {always(true), always(true), obj("to", list()), gate.IrreversiblePublic},
		"unresolved keeps":             {always(true), always(true), obj("to", ref(0, "")), gate.IrreversiblePublic},
		"unreadable keeps":             {always(true), always(true), obj("to", "a@corp.example <b"), gate.IrreversiblePublic},
		"unresolved content does not":  {always(true), always(false), obj("to", "a@corp.example", "body", ref(0, "")), gate.Compensating},
		"unknown extra argument keeps": {always(true), always(true), obj("to", "a@corp.example", "x", ref(0, "")), gate.IrreversiblePublic},
	} {
		t.Run(name, func(t *testing.T) {
			r := registry(t, Config{Contracts: []Contract{c}, Conditions: conditions{1: tc.one, 2: tc.two}})
			got := r.Resolve(planOf(testEnv, plan.Call{Tool: "x"}, call(tc.args)))[1]
			require.Equal(t, tc.want, got.Class)
			require.Equal(t, taint.SinkPublic, got.Facts.Steps[0].Sinks[0].Kinds)
		})
	}
}

func TestClassWhenSeesResolvedRecipients(t *testing.T) {
	c := mailContract(t)
	c.ClassWhen = []ClassWhen{{If: 1, Class: gate.Compensating}}
	saw := conditions{1: func(s *Subject) (bool, error) {
		require.Nil(t, s.Labels)
		return len(s.Calls[s.Call].Recipients()) == 1 && s.Calls[s.Call].Recipients()[0] == "ops@corp.example", nil
	}}
	r := registry(t, Config{Contracts: []Contract{c}, Conditions: saw})
	source := plan.Call{Tool: "x", Output: str(`{"owner": "Ops <ops@corp.example>"}`), OutputState: plan.OutputRecorded}
	got := r.Resolve(planOf(testEnv, source, plan.Call{Tool: "send_email", Args: obj("to", ref(0, "owner"))}))[1]
	require.Equal(t, gate.Compensating, got.Class)
	require.Equal(t, []string{"ops@corp.example"}, got.Facts.Steps[0].Sinks[0].Audience.Names())
}

func TestAudience(t *testing.T) {
	c := mailContract(t)
	groups := map[string][]string{"all@corp.example": {"a@corp.example", "b@corp.example"}, "blog@corp.example": {"everyone"}}
	r := registry(t, Config{Contracts: []Contract{c}, Audiences: groups})
	for name, tc := range map[string]struct {
		args plan.Value
		want []string
	}{
		"one":                {obj("to", "A@x.example"), []string{"a@x.example"}},
		"several arguments":  {obj("to", "a@x.example", "cc", list(str("b@x.example"), str("c@x.example"))), []string{"a@x.example", "b@x.example", "c@x.example"}},
		"in one text":        {obj("to", `"Doe, J." <j@x.example>; b@x.example`), []string{"b@x.example", "j@x.example"}},
		"nobody is everyone": {obj("to", ""), []string{"everyone"}},
		"missing":            {obj("body", "x"), []string{"everyone"}},
		"empty copy":         {obj("to", "a@x.example", "cc", ""), []string{"a@x.example"}},
		"unreadable":         {obj("to", "a@x.example", "cc", "<b"), []string{"everyone"}},
		"reference":          {obj("to", ref(0, "")), []string{"everyone"}},
		"object":             {obj("to", obj("address", "a@x.example")), []string{"everyone"}},
		"group":              {obj("to", "all@corp.example"), []string{"a@corp.example", "b@corp.example"}},
		"public group":       {obj("to", "blog@corp.example"), []string{"everyone"}},
	} {
		t.Run(name, func(t *testing.T) {
			got := r.Resolve(planOf(testEnv, plan.Call{Tool: "x"}, plan.Call{Tool: "send_email", Args: tc.args}))[1]
			require.Equal(t, tc.want, got.Facts.Steps[0].Sinks[0].Audience.Names())
		})
	}
}

func TestAudienceTemplates(t *testing.T) {
	c := Contract{Name: "push", Class: gate.IrreversiblePublic, Audience: []string{"github:{args.owner}/{args.repo}"},
		Args: []Arg{arg(t, "owner", RoleNone), arg(t, "repo", Object)}}
	r := registry(t, Config{Contracts: []Contract{c}, Audiences: map[string][]string{"github:acme/site": {"everyone"}}})
	for name, tc := range map[string]struct {
		owner, repo string
		want        []string
	}{
		"named":         {"acme", "app", []string{"github:acme/app"}},
		"declared":      {"acme", "site", []string{"everyone"}},
		"forged part":   {"acme/x", "app", []string{"everyone"}},
		"empty is open": {"acme", "", []string{"everyone"}},
	} {
		t.Run(name, func(t *testing.T) {
			got := r.Resolve(planOf(testEnv, plan.Call{Tool: "push", Args: obj("owner", tc.owner, "repo", tc.repo)}))[0]
			require.Equal(t, tc.want, got.Facts.Steps[0].Sinks[0].Audience.Names())
		})
	}
}

func TestSinkTakesWhatLeaves(t *testing.T) {
	c := mailContract(t)
	c.Args = append(c.Args, Arg{Path: pathOf(t, "attach"), Role: Path, Access: Read}, arg(t, "priority", RoleNone))
	r := registry(t, Config{Contracts: []Contract{c}})
	got := r.Resolve(planOf(testEnv, plan.Call{Tool: "send_email",
		Args: obj("to", "a@x.example", "priority", "1", "body", "b", "attach", "r.pdf")}))[0]
	sink := got.Facts.Steps[0].Sinks[0]
	require.Equal(t, []taint.Operand{{Index: 0}, {Index: 2}, {Kind: taint.FromCell, Cell: &taint.Cell{Name: "file:/srv/app/r.pdf"}}}, sink.From)
	require.Equal(t, []int{0, 3}, sink.Decides)
}

func TestSinkOfArgumentThatWasNotGiven(t *testing.T) {
	c := Contract{Name: "run", Class: gate.ReversibleInternal, Args: []Arg{arg(t, "code", Code), arg(t, "note", Content)}}
	r := registry(t, Config{Contracts: []Contract{c}})
	require.Empty(t, r.Resolve(planOf(testEnv, plan.Call{Tool: "run", Args: obj("note", "x")}))[0].Facts.Steps[0].Sinks)
	got := r.Resolve(planOf(testEnv, plan.Call{Tool: "run", Args: obj("code", "x")}))[0].Facts.Steps[0].Sinks
	require.Len(t, got, 1)
	require.Equal(t, taint.SinkExec, got[0].Kinds)
}

func TestURLs(t *testing.T) {
	c := Contract{Name: "fetch", Class: gate.ReversibleInternal, ReadOnly: true, Args: []Arg{arg(t, "url", URL)}}
	r := registry(t, Config{Contracts: []Contract{c}})
	got := r.Resolve(planOf(testEnv, plan.Call{Tool: "fetch", Args: obj("url", "HTTPS://u@Docs.Example.:443/a?q=1#f")}))[0]
	require.Equal(t, []string{"docs.example"}, got.Hosts())
	require.False(t, got.HostsOpen)
	step := got.Facts.Steps[0]
	require.Equal(t, "url:https://docs.example/a?q=1", step.Reads[1].Cell.Name)
	require.Equal(t, taint.SinkExternal, step.Sinks[0].Kinds)
	require.Equal(t, []string{"docs.example"}, step.Sinks[0].Audience.Names())
	require.Equal(t, []taint.Operand{{Index: 0}}, step.Sinks[0].From)

	open := r.Resolve(planOf(testEnv, plan.Call{Tool: "x"}, plan.Call{Tool: "fetch", Args: obj("url", ref(0, ""))}))[1]
	require.True(t, open.HostsOpen)
	require.True(t, open.Facts.Steps[0].Sinks[0].Audience.Everyone())
}

// TestURLsWithUnknownParts: a host is known where it ends before the first part
// that is not.
func TestURLsWithUnknownParts(t *testing.T) {
	c := Contract{Name: "fetch", Class: gate.ReversibleInternal, ReadOnly: true, Args: []Arg{arg(t, "url", URL)}}
	r := registry(t, Config{Contracts: []Contract{c}})
	tests := []struct {
		before, after string
		host          string
		open          bool
	}{
		{"https://x.example/a?k=", "", "x.example", false},
		{"https://x.example?k=", "&b=1", "x.example", false},
		{"https://x.example#", "", "x.example", false},
		{"https://X.example./", "/b", "x.example", false},
		{"x.example/a/", "", "x.example", false},
		{"https://x.example", "", "x.example", true}, // still denied where x.example is
		{"https://x.example", "/a", "x.example", true},
		{"https://x.example:", "/a", "x.example", true}, // might be ":80@y.example"
		{"https://u:", "@x.example/", "x.example", true},
		{"https://", ".x.example/", ".x.example", true},
		{"https://x.example\\", "/", "x.example", true},
		{"https:///", "a/b", "a", true},
		{"", "://x.example/a", "", true},
	}
	for _, tt := range tests {
		v := plan.Str(tt.before + "${x}" + tt.after)
		v.Ext = &plan.Ext{Refs: []plan.Ref{{Call: 0, Start: len(tt.before), End: len(tt.before) + len("${x}")}}}
		got := r.Resolve(planOf(testEnv, plan.Call{Tool: "x"}, plan.Call{Tool: "fetch", Args: plan.Obj([]string{"url"}, v)}))[1]
		require.Equal(t, tt.open, got.HostsOpen, "%+v", tt)
		if tt.host == "" {
			require.Empty(t, got.Hosts(), "%+v", tt)
		} else {
			require.Equal(t, []string{tt.host}, got.Hosts(), "%+v", tt)
		}
		require.Equal(t, tt.open, got.Facts.Steps[0].Sinks[0].Audience.Everyone(), "%+v", tt)
	}
}

func TestUnknownTool(t *testing.T) {
	r := registry(t, Config{})
	got := r.Resolve(planOf(testEnv, plan.Call{Tool: "mystery", Args: obj("path", "notes.txt", "url", "https://x.example/a")}, plan.Call{Tool: "mystery"}))
	first := got[0]
	require.True(t, first.Unknown)
	require.Nil(t, first.Contract)
	require.Equal(t, gate.ClassUnset, first.Class)
	require.Equal(t, taint.Of(taint.Untrusted), first.Facts.Output()[0].Labels)
	require.Equal(t, []taint.Sink{{Kinds: taint.SinkExec | taint.SinkExternal, UnknownTool: true}}, first.Facts.Steps[0].Sinks)
	require.Len(t, first.Notes(), 1)
	require.Equal(t, NoteUnknownTool, first.Notes()[0].ID)
	require.False(t, first.Notes()[0].Closing)
	require.Empty(t, got[1].Notes(), "once for a name")
	require.Equal(t, "/srv/app/notes.txt", first.Paths[0].Path)
	require.True(t, first.Paths[0].Guess)
	require.Equal(t, []string{"x.example"}, first.Hosts())
}

func TestModelStepRunsNothing(t *testing.T) {
	got := registry(t, Config{}).Resolve(planOf(testEnv, plan.Call{Kind: plan.Model, Args: obj("prompt", "sum up")}))[0]
	require.False(t, got.Unknown)
	require.Empty(t, got.Facts.Steps[0].Sinks)
	require.Equal(t, gate.ReversibleInternal, got.Class)
	opaque := registry(t, Config{}).Resolve(planOf(testEnv, plan.Call{Kind: plan.Opaque}))[0]
	require.True(t, opaque.Unknown)
}

func TestObligations(t *testing.T) {
	c := Contract{Name: "pay", Class: gate.TimeWindowUndoable, Window: 7, Compensation: "refund"}
	got := registry(t, Config{Contracts: []Contract{c}}).Resolve(planOf(testEnv, plan.Call{Tool: "pay"}, plan.Call{Tool: "x"}))
	require.Equal(t, gate.Obligations{Audit: true, Compensation: "refund", UndoWindow: 7}, got[0].Obligations())
	require.Equal(t, gate.Obligations{Audit: true}, got[1].Obligations())
}

func TestSanitizersAreForTheirOwnSide(t *testing.T) {
	all := taint.Of(taint.Secret, taint.Untrusted)
	c := Contract{Name: "redact", Class: gate.ReversibleInternal, Sanitizes: []Removal{{Labels: all, Reason: "drops keys"}}}
	r := registry(t, Config{Contracts: []Contract{c}})
	step := r.Resolve(planOf(testEnv, plan.Call{Tool: "redact"}))[0].Facts.Steps[0]
	require.Equal(t, taint.Of(taint.Secret), step.Removes())
	require.Equal(t, "drops keys", step.RemovesWhy())

	c.Sanitizes, c.Endorses = nil, []Removal{{Labels: all, Reason: "checked", If: 1}}
	for _, tc := range []struct {
		cond func(*Subject) (bool, error)
		want taint.Set
	}{{always(true), taint.Of(taint.Untrusted)}, {always(false), 0}, {broken, 0}} {
		r = registry(t, Config{Contracts: []Contract{c}, Conditions: conditions{1: tc.cond}})
		require.Equal(t, tc.want, r.Resolve(planOf(testEnv, plan.Call{Tool: "redact"}))[0].Facts.Steps[0].Removes())
	}
}

func TestSpawns(t *testing.T) {
	c := Contract{Name: "Task", Class: gate.ReversibleInternal, Args: []Arg{arg(t, "prompt", Content)}, Spawns: "prompt"}
	p := planOf(testEnv, plan.Call{Tool: "Task", Args: obj("prompt", "go", "subagent_type", "reviewer")})
	p.Agents = []plan.Agent{{Name: "main", SpawnedBy: -1}, {Name: "a1", Parent: "main", SpawnedBy: 0}}
	got := registry(t, Config{Contracts: []Contract{c}}).Resolve(p)[0]
	require.Equal(t, "a1", got.Facts.Spawns())
	require.Equal(t, "reviewer", got.Agent())
}
