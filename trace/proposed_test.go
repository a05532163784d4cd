package trace

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planlint/planlint/plan"
)

func TestDetectProposed(t *testing.T) {
	for _, c := range []struct {
		src    string
		format Format
	}{
		{`{"action_requests":[{"name":"a","args":{}}]}`, HITL},
		{`{"value":{"actionRequests":[{"name":"a","args":{}}]}}`, HITL},
		{`{"interrupts":[{"value":{"action_requests":[{"name":"a"}]}}]}`, HITL},
		{`{"$schemaVersion":"1.0","current_step":null,"currentStep":{}}`, RunState},
		{`{"type":"RUN_STARTED","threadId":"t"}`, AGUI},
		{`{"items":[],"errors":[]}`, SafeOutputs},
		{`{"type":"create_issue","title":"t","body":"b"}`, SafeOutputs},
		{`[{"tool":"a","args":{}}]`, Steps},
		{`{"plan":{"steps":[{"tool_name":"a","tool_input":{"x":1}}]}}`, Steps},
		{`{"steps":[{"id":"a","function":{"name":"f","arguments":"{}"},"args":{}}]}`, Steps},
		{"steps:\n  - {id: a, tool: f, args: {x: 1}}\n", Steps},
		{"steps:\n  - {id: a, run: make}\n", Lobster},
		{"Plan: x\n#E1 = Search[a]\n", ReWOO},
		{"1. search(\"a\")\n2. join()<END_OF_PLAN>\n", LLMCompiler},
		{"export const meta = {name: \"x\"};\nawait agent(\"y\")\n", Cell},
		{"const r = await tools.exec_command({cmd: \"ls\"})\n", Cell},
		{"rows = await call_tool(\"query\", {\"sql\": q})\n", Cell},
		// What looks alike and is something else.
		{`[{"name":"f","arguments":{"x":{"type":"string","description":"an x"}}}]`, Unknown},
		{`[{"name":"f","parameters":{"type":"object","properties":{}}}]`, Unknown},
		{`{"nodes":[{"name":"a","type":"n","parameters":{"x":1}}],"connections":{}}`, Unknown},
		{`{"steps":[{"description":"look around"},{"description":"write it down"}]}`, prose},
		{`{"todos":[{"content":"look around","status":"pending"}]}`, prose},
		{"jobs:\n  build:\n    steps:\n      - run: make\n        id: a\n", Unknown},
		{`[{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"t","arguments":"{}"}}]}]`, OpenAIChat},
		{"version: 1\nplan: x\ncalls: []\n", Native},
		{"The plan: 1. search (first) and then 2. write.\n", Unknown},
	} {
		require.Equal(t, c.format, Detect([]byte(c.src), "x"), c.src)
	}
}

// TestDialects: every way of referring that producers have finds its step, and
// what only looks like one stays literal.
func TestDialects(t *testing.T) {
	const steps = `{"steps":[{"id":"a","tool":"first","args":{}},{"id":"2","tool":"second","args":{}},{"id":"z","tool":"sink","args":{"v":%s}}]}`
	for _, c := range []struct {
		text, ref string // of the first reference; "" for none
		path      string
	}{
		{"${a.result.x}", "a", "x"}, {"${a.output.x[0].y}", "a", "x[0].y"}, {"${a}", "a", ""}, {"${2}", "2", ""},
		{"{{steps.a.result.x}}", "a", "x"}, {"{{step-2.result.x}}", "2", "x"}, {"{{ a.output }}", "a", ""}, {"{{#a.x#}}", "a", "x"},
		{"{step_2}", "2", ""}, {"$ref:a.x", "a", "x"}, {"$a.json.x", "a", "x"}, {"$2", "2", ""},
		{"$steps.a.outputs.x#/0/id", "a", "x[0].id"}, {"<node-2>", "2", ""}, {"text with ${a.result} in it", "a", ""},
		{"$5 off", "", ""}, {"costs $20", "", ""}, {"{not a step}", "", ""}, {"${other.result}", "", ""}, {"a", "", ""},
	} {
		src := fmt.Sprintf(steps, fmt.Sprintf("%q", c.text))
		plans, errs := Read([]byte(src), "x", Unknown, Options{})
		require.Empty(t, errs, c.text)
		refs := plans[0].Calls[2].Args.Items[0].Refs()
		if c.ref == "" {
			require.Empty(t, refs, c.text)
			continue
		}
		require.Len(t, refs, 1, c.text)
		require.Equal(t, c.ref, refs[0].Name, c.text)
		require.Equal(t, c.path, refs[0].Path.String(), c.text)
		require.Equal(t, strings.TrimSpace(c.text) == c.text && !strings.Contains(c.text, " in it"), refs[0].Whole, c.text)
	}
}

// TestStepsAreSorted: the order of the plan is that of what steps need.
func TestStepsAreSorted(t *testing.T) {
	src := `{"steps":[{"id":"c","tool":"t","args":{"x":"${b.output}"}},{"id":"b","tool":"t","args":{},"depends_on":["a"]},{"id":"a","tool":"t","args":{}}]}`
	plans, errs := Read([]byte(src), "x", Unknown, Options{})
	require.Empty(t, errs)
	var ids []string
	for _, c := range plans[0].Calls {
		ids = append(ids, c.ID)
	}
	require.Equal(t, []string{"a", "b", "c"}, ids)
	require.Equal(t, []int{0}, plans[0].Calls[1].After())
}

// TestManySteps: sorting is not quadratic.
func TestManySteps(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"steps":[`)
	const n = 20000
	for i := n; i > 0; i-- {
		fmt.Fprintf(&b, `{"id":"s%d","tool":"t","args":{"x":"${s%d.output}"}},`, i, i-1)
	}
	b.WriteString(`{"id":"s0","tool":"t","args":{}}]}`)
	plans, errs := Read([]byte(b.String()), "x", Unknown, Options{})
	require.Empty(t, errs)
	require.Len(t, plans[0].Calls, n+1)
	require.Equal(t, "s0", plans[0].Calls[0].ID)
}

// TestCellIsClosed: code is never clean.
func TestCellIsClosed(t *testing.T) {
	plans, errs := Read([]byte("const f = tools;\nawait f[name]();\nawait tools.x();\n"), "x", Cell, Options{})
	require.Empty(t, errs)
	p := plans[0]
	require.Equal(t, plan.Opaque, p.Calls[0].Kind)
	require.Equal(t, "x", p.Calls[1].Tool)
	require.Equal(t, []int{0}, p.Calls[1].Args.Ext.Unknown.From)
	require.NotNil(t, p.Open)
	require.True(t, p.Notes[0].Closing)
}

// TestArazzoOutputs: an output is the part of the response that it names.
func TestArazzoOutputs(t *testing.T) {
	src, err := os.ReadFile("testdata/arazzo_pets.yaml")
	require.NoError(t, err)
	plans, errs := Read(src, "x", Unknown, Options{})
	require.Empty(t, errs)
	p := plans[0]
	require.True(t, p.Fixed)
	require.NotNil(t, p.Open)
	refs := p.Calls[1].Args.Get("body").Get("pet").Refs()
	require.Len(t, refs, 1)
	require.Equal(t, "[0].id", refs[0].Path.String())
	require.Equal(t, 0, refs[0].Call)
	require.Equal(t, plan.UnknownValue, p.Calls[1].Args.Get("body").Get("note").Kind)
	require.Len(t, p.Calls[2].Args.Get("body").Refs(), 1)
}

// TestLobsterReferences: what is put into a command before the shell sees it is
// a part of the command, and parameters are inputs.
func TestLobsterReferences(t *testing.T) {
	src, err := os.ReadFile("testdata/lobster_inbox.yaml")
	require.NoError(t, err)
	plans, errs := Read(src, "x", Unknown, Options{})
	require.Empty(t, errs)
	p := plans[0]
	require.Equal(t, "label", p.Inputs[0].Name)
	refs := p.Calls[0].Args.Get("command").Refs()
	require.Len(t, refs, 1)
	require.Equal(t, -1, refs[0].Call)
	require.Equal(t, "message", p.Calls[2].Tool)
	require.Equal(t, 2, p.Calls[3].Args.Get("command").Refs()[0].Call)
}
