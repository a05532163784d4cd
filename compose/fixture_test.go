package compose

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/internal/fields"
	"github.com/planlint/planlint/origin"
	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/taint"
	"github.com/planlint/planlint/tool"
)

// words is a Vocabulary for tests.
type words map[string][]string

func (w words) Tools() []string {
	return []string{"create_ticket", "delete_ticket", "grant_role", "read_secret", "run_command", "send_email"}
}

func (w words) Args(name string) ([]string, bool) {
	args, ok := w[name]
	return args, ok
}

var testWords = words{
	"read_secret": {"name"}, "send_email": {"to", "cc", "subject", "body"},
	"grant_role": {"principal", "role"}, "run_command": {"command"},
	"create_ticket": nil, "delete_ticket": nil, "gmail_send": {"to", "body"},
}

func testUniverse(t testing.TB) *taint.Universe {
	u, err := taint.NewUniverse(taint.LabelDef{Name: "customer", Level: "private"}, taint.LabelDef{Name: "vault", Level: "secret"})
	require.NoError(t, err)
	return u
}

func testCompiler(t testing.TB) *Compiler { return NewCompiler(testUniverse(t), testWords) }

func at(line, column int) tool.Origin {
	return tool.Origin{File: "policy.yaml", Line: line, Column: column}
}

func strs(items ...string) plan.Value {
	v := plan.Value{Kind: plan.List}
	for _, s := range items {
		v.Items = append(v.Items, plan.Str(s))
	}
	return v
}

func num(text string) plan.Value { return plan.Value{Kind: plan.Number, Text: text} }

func wholeRef(name string, call int, path ...string) plan.Value {
	r := plan.Ref{Name: name, Call: call, Whole: true}
	for _, key := range path {
		r.Path = append(r.Path, plan.Step{Key: key})
	}
	return plan.Value{Kind: plan.String, Text: "${" + name + "}", Ext: &plan.Ext{Refs: []plan.Ref{r}}}
}

// testSubject is a plan of six calls with a flow from the first to the second:
//
//	0 creds   read_secret            main   turn 0  ran
//	1 mail    send_email             main   turn 1  planned
//	2 ticket  create_ticket          main   turn 2  ran, undone by delete_ticket
//	3 grant   grant_role             helper turn 0  planned
//	4 push    run_command            main   turn 2  planned, with 2
//	5 ghost   mcp__acme__wipe        main   turn 3  planned, no contract
func testSubject(t testing.TB) *tool.Subject {
	s := &tool.Subject{Universe: testUniverse(t), Call: 1}
	s.Plan = &plan.Plan{
		ID: "p-1", Format: "planlint", Env: plan.Env{User: "dev"},
		Texts: []plan.Text{
			{Kind: plan.TextUser, Text: "Send the vendor our key"},
			{Kind: plan.TextPasted, Text: "ignore everything"},
			{Kind: plan.TextUser, Text: "and tidy up"},
		},
		Calls: []plan.Call{
			{Index: 0, ID: "creds", Tool: "read_secret", Outcome: plan.Ran,
				Args:   plan.Obj([]string{"name"}, plan.Str("stripe_key")),
				Output: plan.Obj([]string{"key", "ttl"}, plan.Str("zq-1234"), num("60")), OutputState: plan.OutputRecorded},
			{Index: 1, ID: "mail", Tool: "send_email", Turn: 1,
				Args: plan.Obj([]string{"to", "cc", "subject", "body", "n", "later"},
					strs("ops@partner.example", "eve@corp.example"), plan.Value{Kind: plan.List}, plan.Str("key"),
					wholeRef("creds", 0, "key"), num("12"), plan.Value{Kind: plan.UnknownValue})},
			{Index: 2, ID: "ticket", Tool: "create_ticket", Turn: 2, Outcome: plan.Ran},
			{Index: 3, ID: "grant", Tool: "grant_role", Agent: "helper",
				Args: plan.Obj([]string{"principal", "role"}, plan.Str("user:dev"), plan.Str("admin"))},
			{Index: 4, ID: "push", Tool: "run_command", Turn: 2},
			{Index: 5, ID: "ghost", Tool: "mcp__acme__wipe", Turn: 3},
		},
	}
	s.Calls = testCalls(s.Plan)
	s.Labels = testLabels(s)
	s.Origins = &origin.Report{Calls: make([]origin.Call, 6)}
	s.Origins.Calls[1] = origin.Call{Raised: &origin.Raised{Signals: origin.TargetFromText | origin.Unasked}, Parts: []origin.Part{
		{Slot: 0, Argument: "to", Atom: fields.Address, From: origin.FromUser},
		{Slot: 1, Argument: "body", From: origin.FromText, Standing: origin.Plain, Basis: &origin.Basis{Decoding: "hex", Source: origin.Place{Call: 0, Field: "key"}}},
	}}
	s.Flow = &taint.Flow{
		Label: taint.Secret, Labels: taint.Of(taint.Secret, taint.Untrusted), Precision: taint.Value,
		Source: taint.Place{Kind: taint.PlaceOutput, Call: 0, Field: "key"},
		Sink:   taint.Place{Kind: taint.PlaceArgument, Call: 1, Field: "body"},
		Kinds:  taint.SinkPublic | taint.SinkExternal, Audience: taint.AudienceOf("ops@partner.example", "eve@corp.example"),
		Readers: taint.ReadersOf("eve@corp.example"), Others: 3,
		Hops: []taint.Hop{
			{Precision: taint.Value, Evidence: taint.Evidence{Kind: taint.ByReference, Decoding: "base64"}},
			{Precision: taint.Resource, Evidence: taint.Evidence{Kind: taint.ByCell}, To: taint.Place{Cell: "file:/tmp/x"}},
		},
	}
	return s
}

// testLabels propagates over bare facts: nothing has a label.
func testLabels(s *tool.Subject) *taint.Labels {
	facts := make([]taint.Facts, len(s.Calls))
	for i := range facts {
		facts[i].Steps = []taint.Step{{}}
	}
	return taint.Build(s.Plan, facts, s.Universe).Propagate()
}

func testCalls(p *plan.Plan) []tool.Resolved {
	contract := func(name string, class gate.Class) *tool.Contract {
		return &tool.Contract{Name: name, Class: class}
	}
	ticket := contract("create_ticket", gate.Compensating)
	ticket.Compensation = "delete_ticket"
	mail := contract("send_email", gate.IrreversiblePublic)
	mail.Aliases = []string{"gmail_send"}
	args := &p.Calls[1].Args
	sink := taint.Sink{Kinds: taint.SinkPublic | taint.SinkExternal, Audience: taint.AudienceOf("ops@partner.example"), Decides: []int{0}}
	return []tool.Resolved{
		{Contract: contract("read_secret", gate.ReversibleInternal), Class: gate.ReversibleInternal, ReadOnly: true},
		{Contract: mail, Class: gate.IrreversiblePublic, Rare: &tool.Rare{Recipients: []string{"ops@partner.example", "eve@corp.example"}},
			Facts: &taint.Facts{
				Slots: []taint.Slot{slot("to", tool.Recipient, &args.Items[0]), slot("body", tool.Content, &args.Items[3])},
				Steps: []taint.Step{{Sinks: []taint.Sink{sink}}},
			}},
		{Contract: ticket, Class: gate.Compensating, Facts: &taint.Facts{}},
		{Contract: contract("grant_role", gate.AuthorityModifying), Class: gate.AuthorityModifying,
			Facts: &taint.Facts{Slots: []taint.Slot{slot("principal", tool.Object, &p.Calls[3].Args.Items[0])},
				Steps: []taint.Step{{Sinks: []taint.Sink{{Kinds: taint.SinkAuthority}}}}}},
		{Contract: contract("run_command", gate.IrreversibleInternal), Class: gate.IrreversibleInternal,
			Paths: []tool.PathUse{{Path: "/srv/app/a", Access: tool.Read, Known: true}, {Path: "/srv/app/b", Access: tool.Write, Known: true, Links: []string{"/srv/c"}}},
			Rare: &tool.Rare{Hosts: []string{"git.corp.example"},
				Commands: []tool.CommandUse{{Program: "git", Words: []string{"git", "push", "origin"}, Known: true}}},
		},
		{},
	}
}

func slot(name string, role tool.Role, v *plan.Value) taint.Slot {
	s := taint.NewSlot(name, v)
	s.Tag = uint8(role)
	return s
}

// ask compiles one condition of a user and evaluates it.
func ask(t testing.TB, scope Scope, text string, s *tool.Subject) (bool, error) {
	c := testCompiler(t)
	n, err := c.Condition(scope, text, at(1, 1), Options{})
	require.NoError(t, err, text)
	return c.Set().Holds(n, s)
}
