package taint

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planlint/planlint/plan"
)

// The names of these tests are the bullets of the design's section on dataflow.

func TestValueByReference(t *testing.T) {
	w := newWorld()
	w.add("creds", "name=key").gives(Of(Secret))
	w.add("mail", "body=here: ${creds}").sends()
	w.plan.Fixed = true
	require.Equal(t, []string{"secret value: creds.output -value/reference-> mail.body"}, w.flows())
}

func TestContextIsLinear(t *testing.T) {
	size := func(calls int) (int, int) {
		g := session(calls, 0).labels().Graph()
		return g.NumNodes(), g.NumEdges()
	}
	n1, e1 := size(500)
	n2, e2 := size(5000)
	require.Less(t, n2, 11*n1)
	require.Less(t, e2, 11*e1)
}

func TestContextEntersOnlyWhatIsNotAccountedFor(t *testing.T) {
	for _, c := range []struct {
		name, arg string
		flows     int
	}{
		{"user's words", "Vendor key", 0},
		{"other words", "vendor keys", 1},
		{"nothing", "", 0},
		{"one character", "x", 0},
		{"only signs", "--- ///", 0},
		{"innocent reference", "${list}", 0},
		{"reference and words", "key: ${list}", 0},
		{"reference and other words", "hey ${list}", 1},
		{"matched value", "zq81kk3m", 0},
		{"matched value in words of the user", "key zq81kk3m", 0},
		{"matched value and other words", "zq81kk3m okay", 1},
	} {
		w := newWorld()
		w.text(plan.TextUser, 0, "Send the vendor our key")
		w.add("list", "a=1").output("item zq81kk3m")
		w.add("creds", "name=key").gives(Of(Secret))
		w.add("mail", "body="+c.arg).sends()
		require.Len(t, w.flows(), c.flows, c.name)
	}
}

func TestWordsSaidLaterDoNotCount(t *testing.T) {
	w := newWorld()
	w.text(plan.TextUser, 2, "hello")
	w.add("creds").gives(Of(Secret))
	w.add("one", "body=hello").sends()
	w.add("two", "body=hello").sends()
	require.Equal(t, []string{"secret context: creds.output -context/context-> one.body"}, w.flows())
}

func TestContextNeverEntersWhatStaysLocal(t *testing.T) {
	w := newWorld()
	w.add("creds").gives(Of(Secret))
	s := w.add("push", "remote=upstream", "note=words", "branch=topic").sends("note", "branch")
	s.fact().Slots[2].Known = true
	require.Equal(t, []string{"secret context: creds.output -context/context-> push.note"}, w.flows())
	l := w.labels()
	require.Zero(t, l.Slot(1, 0, Context))
	require.Zero(t, l.Slot(1, 2, Context))
	require.Equal(t, Of(Secret), l.Slot(1, 1, Context))
}

func TestFixedPlanHasNoContext(t *testing.T) {
	w := newWorld()
	w.plan.Fixed = true
	w.add("creds").gives(Of(Secret)).output("zq81kk3m")
	w.add("mail", "body=zq81kk3m words").sends()
	require.Empty(t, w.flows())
}

func TestContextLeavesByPipesAndFilesOfOneCall(t *testing.T) {
	w := newWorld()
	w.add("creds").gives(Of(Secret))
	s := w.add("bash", "text=some words", "host=else", "local=other")
	s.fact().Steps = []Step{
		{Name: "echo", Reads: []Operand{{Index: 0}}, Writes: []Write{{Cell: &Cell{Name: "file:/f"}}}},
		{Name: "echo", Reads: []Operand{{Index: 2}}, Writes: []Write{{Cell: &Cell{Name: "file:/g"}}}},
		{Name: "curl", Reads: []Operand{{Kind: FromCell, Cell: &Cell{Name: "file:/f"}}, {Index: 1}}, Sinks: []Sink{{Kinds: SinkExternal}}},
	}
	l := w.labels()
	require.Equal(t, Of(Secret), l.Slot(1, 0, Context))
	require.Equal(t, Of(Secret), l.Slot(1, 1, Context))
	require.Zero(t, l.Slot(1, 2, Context))
}

func TestCallsOfOneTurnExchangeNothing(t *testing.T) {
	w := newWorld()
	w.add("read", "id=1").gives(Of(Secret)).output("zq81kk3m").turn("", 0)
	w.add("send", "text=zq81kk3m and words").sends().turn("", 0)
	require.Empty(t, w.flows())
	w.plan.Calls[1].Turn = 1
	require.NotEmpty(t, w.flows())
	w.plan.Calls[0].Group, w.plan.Calls[1].Group = "g", "g"
	require.Empty(t, w.flows(), "a parallel group")
	w.plan.Calls[0].Group, w.plan.Calls[1].Group = "", ""
	w.plan.Calls[0].Turn, w.plan.Calls[0].Caller, w.plan.Calls[1].Caller = 1, "program", "program"
	require.NotEmpty(t, w.flows(), "a program passes values on at once")
}

func TestRefusedCallIsNoSource(t *testing.T) {
	for _, o := range []plan.Outcome{plan.Refused, plan.Blocked} {
		w := newWorld()
		w.plan.Fixed = true
		w.add("creds").gives(Of(Secret)).call().Outcome = o
		w.add("mail", "body=${creds}").sends()
		require.Empty(t, w.flows())
	}
}

func TestRefusedCallIsStillReviewed(t *testing.T) {
	w := newWorld()
	w.add("creds").gives(Of(Secret))
	w.add("mail", "body=${creds}").sends().call().Outcome = plan.Refused
	require.Len(t, w.flows(), 1)
	require.Zero(t, w.labels().Out(1))
}

func TestUsersOwnWordsAreTrusted(t *testing.T) {
	w := newWorld()
	w.text(plan.TextUser, 0, "pay account zq81kk3m today")
	w.add("bill", "id=1").gives(Of(Untrusted, Private), "user").output("please pay zq81kk3m or zz77yy66")
	w.add("pay", "to=zq81kk3m").sends()
	w.add("pay2", "to=zz77yy66").sends()
	require.Equal(t, []string{
		"private value: bill.output -value/match-> pay.to",
		"private value: bill.output -value/match-> pay2.to",
		"untrusted value: bill.output -value/match-> pay2.to",
	}, w.flows())
}

func TestTextsAreSourcesOfTheirOwn(t *testing.T) {
	for _, c := range []struct {
		kind   plan.TextKind
		source bool
	}{
		{plan.TextUser, false}, {plan.TextSystem, false}, {plan.TextModel, false},
		{plan.TextPasted, true}, {plan.TextAttachment, true}, {plan.TextInstructions, true},
		{plan.TextToolDescription, true}, {plan.TextHook, true}, {plan.TextOrphanResult, true}, {plan.TextUnknown, true},
	} {
		w := newWorld()
		w.text(c.kind, 0, "run zq81kk3m now")
		w.add("send", "text=zq81kk3m").sends()
		var want []string
		if c.source {
			want = []string{fmt.Sprintf("untrusted value: text:%s -value/match-> send.text", c.kind)}
		}
		require.Equal(t, append([]string{}, want...), w.flows(), c.kind.String())
	}
}

func TestMissingOutputFallsBackToContext(t *testing.T) {
	for _, state := range []plan.OutputState{plan.OutputAbsent, plan.OutputTruncated} {
		w := newWorld()
		s := w.add("creds").gives(Of(Secret)).output("the first lines")
		s.call().OutputState = state
		w.add("mail", "body=zq81kk3m").sends()
		require.Equal(t, []string{"secret context: creds.output -context/context-> mail.body"}, w.flows())
	}
}

func TestSummaryCarriesTheJoin(t *testing.T) {
	w := newWorld()
	w.add("creds").gives(Of(Secret))
	w.text(plan.TextSummary, 1, "so far: token zq81kk3m was read")
	w.add("mail", "body=zq81kk3m").sends()
	require.Equal(t, []string{"secret context: creds.output -context/context-> text:summary -value/match-> mail.body"}, w.flows())
}

func TestSubAgentsAnswerCarriesTheJoin(t *testing.T) {
	w := newWorld()
	w.text(plan.TextUser, 0, "research post")
	w.plan.Agents = append(w.plan.Agents, plan.Agent{Name: "sub", Parent: plan.MainAgent, SpawnedBy: 1})
	w.add("private").gives(Of(Private), "user")
	w.add("task", "prompt=research").output("done, all found")
	w.add("creds").gives(Of(Secret)).turn("sub", 0)
	w.add("inner", "text=words").sends().turn("sub", 1)
	w.add("outer", "text=other").sends()
	require.Equal(t, []string{
		"private context: private.output -context/context-> inner.text",
		"secret context: creds.output -context/context-> inner.text",
		"private context: private.output -context/context-> outer.text",
		"secret context: creds.output -context/context-> task.output -context/context-> outer.text",
	}, w.flows())
	require.Equal(t, Of(Private, Secret), w.labels().Out(1))
}

func TestSubAgentByFacts(t *testing.T) {
	w := newWorld()
	w.plan.Agents = append(w.plan.Agents, plan.Agent{Name: "sub", SpawnedBy: -1})
	w.add("creds").gives(Of(Secret))
	w.add("task", "prompt=${creds}").fact().Extend().Spawns = "sub"
	w.add("inner", "text=words").sends().turn("sub", 0)
	require.Equal(t, []string{"secret context: creds.output -value/reference-> task.prompt -context/context-> inner.text"}, w.flows())
}

func TestSubAgentThatNobodyIsKnownToHaveStarted(t *testing.T) {
	w := newWorld()
	w.plan.Agents = append(w.plan.Agents, plan.Agent{Name: "sub", Parent: plan.MainAgent, SpawnedBy: -1})
	w.add("priv").gives(Of(Private), "user")
	w.add("creds").gives(Of(Secret)).turn("sub", 0)
	w.add("inner", "text=words").sends().turn("sub", 1)
	w.add("outer", "text=other").sends()
	require.Len(t, w.flows(), 4)
}

func TestAgentsInACircle(t *testing.T) {
	w := newWorld()
	w.plan.Agents = append(w.plan.Agents, plan.Agent{Name: "a", Parent: "b", SpawnedBy: 1}, plan.Agent{Name: "b", Parent: "a", SpawnedBy: 0},
		plan.Agent{Name: "c", Parent: "d", SpawnedBy: -1}, plan.Agent{Name: "d", Parent: "c", SpawnedBy: -1})
	w.add("one", "x=words").gives(Of(Secret)).turn("a", 0)
	w.add("two", "x=words").sends().turn("b", 0)
	w.add("three", "x=words").gives(Of(Secret)).turn("c", 0)
	w.add("four", "x=words").sends().turn("d", 0)
	require.NotPanics(t, func() { w.flows() })
}

func TestSanitizerRemovesOnlyItsLabels(t *testing.T) {
	w := newWorld()
	w.plan.Fixed = true
	w.add("creds").gives(Of(Secret, Untrusted, Private), "user")
	s := w.add("redact", "text=${creds}")
	s.fact().Steps[0].Extend().Removes = Of(Secret)
	w.add("mail", "body=${redact}").sends()
	require.Equal(t, Of(Private, Untrusted), w.labels().Sink(2, 0, 0, Value))
	require.Equal(t, Of(Private, Secret, Untrusted), w.labels().In(1, Value))
}

func TestUnknownToolIsReachedByValueAndResourceOnly(t *testing.T) {
	w := newWorld()
	w.add("creds").gives(Of(Secret))
	s := w.add("mystery", "a=words").sends()
	s.fact().Steps[0].Sinks[0].UnknownTool = true
	require.Empty(t, w.flows())
	s = w.add("mystery2", "a=${creds}").sends()
	s.fact().Steps[0].Sinks[0].UnknownTool = true
	require.Len(t, w.flows(), 1)
	s = w.add("echo", "a=words").sends() // context enters here and goes on by value
	w.add("mystery3", "a=${echo}").sends()
	w.facts[4].Steps[0].Sinks[0].UnknownTool = true
	require.Len(t, w.flows(), 2)
	require.Equal(t, 3, s.i)
}

func TestModelStepJoinsItsContext(t *testing.T) {
	w := newWorld()
	w.add("creds").gives(Of(Secret))
	w.add("think", "question=what").call().Kind = plan.Model
	require.Equal(t, Of(Secret), w.labels().Out(1))
	w.plan.Calls[1].Kind = plan.Tool
	require.Zero(t, w.labels().Out(1))
}

func TestOpaqueStepReadsEveryEarlierOutput(t *testing.T) {
	w := newWorld()
	w.plan.Fixed = true
	w.add("creds").gives(Of(Secret))
	w.add("mail").field("body", Of(Private))
	for _, id := range []string{"script", "script2"} {
		s := w.add(id).sends()
		s.call().Kind = plan.Opaque
		s.fact().Steps[0].Sinks[0].UnknownTool = true
	}
	require.Equal(t, []string{
		"private resource: mail.output.body -resource/context-> script(0)",
		"secret resource: creds.output -resource/context-> script(0)",
		"private resource: mail.output.body -resource/context-> script2(0)",
		"secret resource: creds.output -resource/context-> script2(0)",
	}, w.flows())
}

func TestCallMappedOverAList(t *testing.T) {
	w := newWorld()
	w.plan.Fixed = true
	w.add("list").field("rows.*.name", Of(PII)).field("count", Of(Secret))
	s := w.add("send", "to=${row.name}", "n=${row.id}").sends()
	s.call().Rare = &plan.Rare{Each: &plan.Ref{Name: "list", Call: 0, Path: plan.Path{{Key: "rows"}}}, As: "row"}
	require.Equal(t, []string{"pii value: list.output.rows[*].name -value/reference-> send.to"}, w.flows())
}

func TestInputIsASourceOfItsOwn(t *testing.T) {
	w := newWorld()
	w.plan.Fixed = true
	w.plan.Inputs = []plan.Input{{Name: "goal"}, {Name: "key", Labels: []string{"secret", "trusted"}}, {Name: "odd", Labels: []string{"odd", "trusted"}}}
	w.add("send", "a=${goal}", "b=${key}").sends()
	require.Equal(t, []string{"secret value: input:key -value/reference-> send.b", "untrusted value: input:goal -value/reference-> send.a"}, w.flows())
	require.Len(t, w.labels().Graph().Notes(), 1)
	require.Contains(t, w.labels().Graph().Notes()[0].Message, `"odd"`)
}

func TestLoopFeedsItself(t *testing.T) {
	w := newWorld()
	s := w.add("send", "text=words").sends()
	s.call().Repeat = true
	s = w.add("creds").gives(Of(Secret))
	s.call().Repeat = true
	require.Equal(t, []string{"secret context: creds.output -context/context-> send.text"}, w.flows())
	s.call().Repeat = false
	w.plan.Calls[0].Repeat = false
	require.Empty(t, w.flows())
}

func TestValueNotKnownYet(t *testing.T) {
	for _, c := range []struct {
		u    plan.UnknownSource
		want []string
	}{
		{plan.UnknownSource{By: "person"}, []string{}},
		{plan.UnknownSource{By: "model"}, []string{"secret context: creds.output -context/context-> mail.body"}},
		{plan.UnknownSource{By: "code", From: []int{0}}, []string{"secret value: creds.output -value/reference-> mail.body"}},
		{plan.UnknownSource{By: "code"}, []string{"secret context: creds.output -context/context-> mail.body"}},
	} {
		w := newWorld()
		w.add("creds").gives(Of(Secret))
		s := w.add("mail", "body=").sends()
		u := c.u
		s.call().Args.Items[0] = plan.Value{Kind: plan.UnknownValue, Ext: &plan.Ext{Unknown: &u}}
		require.Equal(t, c.want, w.flows(), c.u.By)
	}
}

func TestCallWithoutFactsPassesOn(t *testing.T) {
	w := newWorld()
	w.plan.Fixed = true
	w.add("creds").gives(Of(Secret))
	w.add("odd", "a=${creds}")
	w.facts[1] = Facts{}
	w.add("mail", "body=${odd}").sends()
	require.Len(t, w.flows(), 1)
	require.Equal(t, Of(Secret), Build(&w.plan, w.facts[:1], nil).Propagate().Out(2))
}
