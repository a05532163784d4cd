package tool

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/taint"
)

// mailAnd returns a plan that reads mail m and sends to what `to` says.
func mailAnd(t *testing.T, to plan.Value) *plan.Plan {
	t.Helper()
	p := &plan.Plan{Calls: []plan.Call{
		{Index: 0, ID: "m", Tool: "read_mail"},
		{Index: 1, ID: "s", Turn: 1, Tool: "send", Args: plan.Obj([]string{"to", "body"}, to, plan.Str("hello"))},
	}}
	return p
}

func whole(path ...string) plan.Value {
	var steps plan.Path
	for _, key := range path {
		steps = append(steps, plan.Step{Key: key})
	}
	return plan.Value{Kind: plan.String, Text: "${m.output}", Ext: &plan.Ext{Refs: []plan.Ref{{Name: "m", Call: 0, Path: steps, Whole: true, Output: true, End: 11}}}}
}

func TestUnreadSenderIsTheSamePrincipal(t *testing.T) {
	u, err := taint.NewUniverse()
	require.NoError(t, err)
	body, sender := plan.Path{{Key: "body"}}, "output.sender"
	reg, problems := NewRegistry(Config{Universe: u, Contracts: []Contract{
		{Name: "read_mail", Class: 1, ReadOnly: true, Output: []OutputLabel{{Field: body, Labels: taint.Of(taint.Private), Readers: []string{"user", sender}}}},
		{Name: "send", Class: 5, Risk: RiskFacts{ThirdParty: true}, Args: []Arg{{Path: plan.Path{{Key: "to"}}, Role: Recipient}, {Path: plan.Path{{Key: "body"}}, Role: Content}}, Audience: []string{"args.to"}},
	}})
	require.Empty(t, problems)
	audience := func(to plan.Value) (taint.Readers, taint.Audience) {
		calls := reg.Resolve(mailAnd(t, to))
		return calls[0].Facts.Fields()[0].Sources[0].Readers, calls[1].Facts.Steps[0].Sinks[0].Audience
	}
	list := func(items ...plan.Value) plan.Value { return plan.Value{Kind: plan.List, Items: items} }

	readers, seen := audience(whole("sender"))
	require.True(t, readers.Contain(seen), "%v %v", readers.Names(), seen.Names())
	readers, seen = audience(list(whole("sender")))
	require.True(t, readers.Contain(seen))

	for name, to := range map[string]plan.Value{
		"another field": whole("reply_to"),
		"whole output":  whole(),
		"one more":      list(whole("sender"), plan.Str("kim@partner.example")),
		"upper case":    whole("Sender"),
		"part of text":  {Kind: plan.String, Text: "x ${m.output.sender}", Ext: &plan.Ext{Refs: []plan.Ref{{Name: "m", Path: plan.Path{{Key: "sender"}}, Start: 2, End: 20}}}},
	} {
		readers, seen := audience(to)
		require.False(t, readers.Contain(seen), name)
	}
}
