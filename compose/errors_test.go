package compose

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/planlint/planlint/tool"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// broken are conditions that must not load; testdata/errors.txt has the exact
// messages.
var broken = []struct {
	scope Scope
	tool  string
	text  string
}{
	{ScopeFlow, "", `flow.sink.clas == "irreversible-public"`},
	{ScopeFlow, "", `flwo.label == "secret"`},
	{ScopeFlow, "", `call.tool == "send_email"`},
	{ScopeFlow, "", `"secert" in flow.labels`},
	{ScopeFlow, "", `flow.label == "Secret"`},
	{ScopeFlow, "", `"secret" == flow.label || "pi" != flow.label`},
	{ScopeFlow, "", `flow.labels.has("custmer")`},
	{ScopeFlow, "", `flow.labels.intersects(["secret", "credentail"])`},
	{ScopeFlow, "", `flow.labels.exists(l, l == "secert")`},
	{ScopeFlow, "", `flow.labels.filter(l, l != "pii").exists(l, l == "secert")`},
	{ScopeFlow, "", `flow.labels[0] == "secert"`},
	{ScopeFlow, "", `flow.label in ["secret", "secert"]`},
	{ScopeFlow, "", `flow.labels == ["secret", "secert"]`},
	{ScopeFlow, "", `flow.level == "credential"`},
	{ScopeFlow, "", `flow.precision == "values"`},
	{ScopeFlow, "", `"pubilc" in flow.sink.kinds`},
	{ScopeFlow, "", `flow.sink.kinds.subset(["external", "extern"])`},
	{ScopeFlow, "", `flow.sink.class == "irreversble-public"`},
	{ScopeFlow, "", `flow.source.kind == "outputs"`},
	{ScopeFlow, "", `flow.source.text == "paste"`},
	{ScopeFlow, "", `flow.source.tool == "read_secert"`},
	{ScopeFlow, "", `flow.hops.exists(h, h.evidence == "references")`},
	{ScopeFlow, "", `flow.hops.exists(h, h.evidnce == "reference")`},
	{ScopeFlow, "", `flow.sink.tool == "send_email" && flow.sink.call.args.boddy == "x"`},
	{ScopeFlow, "", `has(flow.sink.fild)`},
	{ScopeCall, "", `call.outcome == "run"`},
	{ScopeCall, "", `call.tool == "send_emial"`},
	{ScopeCall, "", `call.tool == "send_email" && call.args.boddy != ""`},
	{ScopeCall, "", `call.tool == "send_email" && (call.index > 1 || has(call.args.boddy))`},
	{ScopeCall, "", `call.tool == "send_email" && call.args["boddy"] != ""`},
	{ScopeCall, "", `call.tool == "send_email" && "boddy" in call.args`},
	{ScopeCall, "", `called("send_emial")`},
	{ScopePlan, "", `plan.called("send_emial")`},
	{ScopePlan, "", `plan.calls.exists(c, c.tool == "send_email" && c.args.boddy == "x")`},
	{ScopePlan, "", `plan.calls.exists(c, c.clas == "compensating")`},
	{ScopePlan, "", `plan.calls.count(c, c.tool == "send_emial") > 2`},
	{ScopePlan, "", `plan.calls.count(1, true) > 2`},
	{ScopePlan, "", `beforr(plan.calls[0], plan.calls[1])`},
	{ScopePlan, "", `before(plan.calls[0], "x")`},
	{ScopePlan, "", `plan.calls.size()`},
	{ScopePlan, "", `plan.calls`},
	{ScopePlan, "", `plan`},
	{ScopePlan, "", `plan.id + 1 == "x"`},
	{ScopePlan, "", `plan.id.name == "x"`},
	{ScopePlan, "", `plan.id == `},
	{ScopePlan, "", `plan.id == "x`},
	{ScopePlan, "", `plan.id == "x" plan.fixed`},
	{ScopePlan, "", `plan.calls.exists(a, plan.calls.exists(b, plan.calls.exists(c, before(a, b) && before(b, c))))`},
	{ScopeCall, "", `plan.calls.exists(a, plan.calls.exists(b, before(a, b) && a.tool == b.tool))`},
	{ScopePlan, "", `plan.id == "a" && plan.id == "b"`},
	{ScopePlan, "", `plan.id in []`},
	{ScopePlan, "", `false && plan.fixed`},
	{ScopePlan, "", `1 == 2`},
	{ScopePlan, "", `plan.tools.exists(t, glob("[", t))`},
	{ScopePlan, "", `plan.tools.exists(t, glob(plan.id, t))`},
	{ScopePlan, "", `plan.id.matches("(")`},
	{ScopePlan, "", `plan.id.matches(plan.format)`},
	{ScopePlan, "", `planlint.plan{id: "x"} == plan`},
	{ScopePlan, "", "plan.fixed &&\n  plan.recorded &&\n  plan.formt == \"x\""},
	{ScopePlan, "", "plan.fixed && \"\u00e4\u00f6\u00fc\" == plan.formt"},
	{ScopePlan, "", "plan.fixt == \"\x1b[31m\" && plan.recordet"},
	{ScopeClassWhen, "send_email", `args.boddy == "x"`},
	{ScopeClassWhen, "send_email", `call.args.boddy == "x"`},
	{ScopeClassWhen, "send_email", `recipient.all(r, domain(r) == "corp.example")`},
	{ScopeClassWhen, "send_email", `call.class == "compensating"`},
	{ScopeClassWhen, "send_email", `flow.label == "secret"`},
	{ScopeOutput, "send_email", `output.x == 1 && args.bdy == ""`},
	{ScopeRule, "", `plan.fixed`},
}

func TestErrors(t *testing.T) {
	var b strings.Builder
	for _, test := range broken {
		_, err := testCompiler(t).Condition(test.scope, test.text, at(14, 11), Options{Tool: test.tool})
		require.Error(t, err, test.text)
		var errs Errors
		require.ErrorAs(t, err, &errs, test.text)
		for _, e := range errs {
			require.Equal(t, "policy.yaml", e.At.File)
			require.NotEmpty(t, e.Message)
			require.Positive(t, e.Length)
		}
		b.WriteString(test.scope.String() + " " + test.tool + "\n" + err.Error() + "\n\n")
	}
	require.NotContains(t, b.String(), "\x1b")
	golden(t, "errors.txt", b.String())
}

func golden(t *testing.T, name, got string) {
	path := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), got)
}

func TestPlaceInABlockScalar(t *testing.T) {
	_, err := testCompiler(t).Condition(ScopePlan, "plan.fixed &&\nplan.formt == 'x'", at(20, 9), Options{})
	var errs Errors
	require.ErrorAs(t, err, &errs)
	require.Len(t, errs, 1)
	require.Equal(t, tool.Origin{File: "policy.yaml", Line: 21, Column: 14}, errs[0].At)
	require.Equal(t, tool.Problem{Pos: errs[0].At, Message: errs[0].Message, Hint: errs[0].Hint}, errs[0].Problem())
	require.Len(t, errs.Unwrap(), 1)
}

func TestAllMistakesAreReported(t *testing.T) {
	_, err := testCompiler(t).Condition(ScopeFlow, `flow.lable == "secret" && "secert" in flow.labels && beforr(1) && flow.x`, at(1, 1), Options{})
	var errs Errors
	require.ErrorAs(t, err, &errs)
	require.Len(t, errs, 4, err)
}

func TestWithoutVocabularyToolsAreNotChecked(t *testing.T) {
	c := NewCompiler(testUniverse(t), nil)
	_, err := c.Condition(ScopeCall, `call.tool == "anything" && call.args.x == 1 && called("y")`, at(1, 1), Options{})
	require.NoError(t, err)
}

// A condition of nested comparisons costs time linear in its length to check.
func TestNestedComparisonsAreNotExponential(t *testing.T) {
	text := "plan.fixed"
	for range 25 {
		text = "(" + text + ") == plan.recorded"
	}
	start := time.Now()
	_, err := testCompiler(t).Condition(ScopePlan, text, at(1, 1), Options{})
	require.NoError(t, err)
	require.Less(t, time.Since(start), 5*time.Second)
}

func TestTooLongAndTooDeep(t *testing.T) {
	for _, text := range []string{
		"plan.fixed || " + strings.Repeat("plan.recorded || ", 400) + "plan.fixed",
		strings.Repeat("(", 200) + "plan.fixed" + strings.Repeat(")", 200),
		`glob("` + strings.Repeat("*a", 150) + `", plan.id)`,
		strings.Repeat("[", 100) + strings.Repeat("]", 100) + " == []",
	} {
		_, err := testCompiler(t).Condition(ScopePlan, text, at(1, 1), Options{})
		require.Error(t, err, text)
		require.Less(t, len(err.Error()), 20_000)
	}
}
