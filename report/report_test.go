package report_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/planlint/planlint/finding"
	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/report"
)

var update = flag.Bool("update", false, "write the golden files")

func write(t testing.TB, r *finding.Report, o report.Options) string {
	t.Helper()
	o.Source = sources
	var b bytes.Buffer
	require.NoError(t, report.Write(&b, r, o))
	return b.String()
}

func formats() []report.Format {
	var out []report.Format
	for _, name := range report.Formats() {
		f, _ := report.ParseFormat(name)
		out = append(out, f)
	}
	return out
}

func TestGolden(t *testing.T) {
	for _, f := range formats() {
		got := write(t, full(t), report.Options{Format: f, Version: "0.0.0-test"})
		file := filepath.Join("testdata", "full."+f.String()+".golden")
		if *update {
			require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
		}
		want, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, string(want), got, f.String())
	}
}

// TestNothingRaw holds for every format: only line feeds, and what prints.
func TestNothingRaw(t *testing.T) {
	for _, f := range formats() {
		for _, o := range []report.Options{{}, {Verbose: true}, {Quiet: true}, {Width: 40}} {
			o.Format = f
			checkPrintable(t, f.String(), write(t, full(t), o))
		}
	}
	var b bytes.Buffer
	p := evil()
	require.NoError(t, report.ExplainCall(&b, &p, 0, report.Options{Source: sources}))
	checkPrintable(t, "explain", b.String())
}

func checkPrintable(t *testing.T, name, out string) {
	t.Helper()
	for i, r := range out {
		require.True(t, r == '\n' || unicode.IsPrint(r), "%s has %q at %d", name, r, i)
	}
}

func TestSecretsAreNotPrinted(t *testing.T) {
	for _, f := range formats() {
		require.NotContains(t, write(t, full(t), report.Options{Format: f, Verbose: true}), "hunter2")
	}
}

func TestColour(t *testing.T) {
	plainText := write(t, full(t), report.Options{})
	require.NotContains(t, plainText, "\x1b")
	coloured := write(t, full(t), report.Options{Color: true})
	require.Contains(t, coloured, "\x1b[31m")
	require.Equal(t, plainText, regexp.MustCompile("\x1b\\[[0-9]+m").ReplaceAllString(coloured, ""), "colour adds nothing but colour")
}

func TestCleanPlanIsOneLine(t *testing.T) {
	r := &finding.Report{Plans: []finding.PlanReport{clean()}}
	require.Equal(t, "clean.yaml: 3 calls, ALLOW\n", write(t, r, report.Options{}))
	r.Plans[0].Diagnostics = []finding.Diagnostic{{ID: "PL9001", Message: "no output", Call: 0}}
	require.Equal(t, "clean.yaml: 3 calls, ALLOW, 1 note (-v)\n", write(t, r, report.Options{}))
}

func TestQuiet(t *testing.T) {
	r := &finding.Report{Plans: []finding.PlanReport{leak(t), clean()}}
	require.Equal(t, "leak.yaml: 2 calls, ASK (effect review, 1 approval, 30 s cool-down), 1 error\n"+
		"  error PL1001: secret data reaches a public or external sink  leak.yaml:4:79\n"+
		"clean.yaml: 3 calls, ALLOW\n", write(t, r, report.Options{Quiet: true}))
}

func TestTextOfTheLeak(t *testing.T) {
	got := write(t, &finding.Report{Plans: []finding.PlanReport{leak(t)}}, report.Options{Width: 110})
	require.Equal(t, `leak.yaml: 2 calls, ASK (effect review, 1 approval, 30 s cool-down), 1 error

  1  read_secret name=stripe_key        reversible-internal         -> secret  ask  on the path of PL1001
  2  send_email to=ops@partner.example  irreversible-public  secret ->         ask  PL1001

error PL1001: secret data reaches a public or external sink                                     leak.yaml:4:79
     |
   4 | - {id: mail, tool: send_email, args: {to: [ops@partner.example], body: "here: ${creds.output}"}}
     |                                                                               ^^^^^^^^^^^^^^^
     |                                                                       by value: refers to creds.output
     |
       path     1 read_secret.output  ==value==>  2 send_email.body  ->  ops@partner.example
       why      a party that may not have the secret would get it, and it can't be taken back
       instead  send a reference to the secret, or redact it first
       more     planlint explain PL1001
`, got)
}

func TestDeterministic(t *testing.T) {
	for _, f := range formats() {
		want := write(t, full(t), report.Options{Format: f})
		for i := 0; i < 20; i++ {
			require.Equal(t, want, write(t, full(t), report.Options{Format: f}))
		}
	}
}

func schema(t *testing.T, file string) (*jsonschema.Schema, any) {
	t.Helper()
	f, err := os.Open(file)
	require.NoError(t, err)
	defer f.Close()
	doc, err := jsonschema.UnmarshalJSON(f)
	require.NoError(t, err)
	c := jsonschema.NewCompiler()
	require.NoError(t, c.AddResource("schema.json", doc))
	s, err := c.Compile("schema.json")
	require.NoError(t, err)
	return s, doc
}

func TestJSONSchema(t *testing.T) {
	s, doc := schema(t, "../docs/schema/report.schema.json")
	out := write(t, full(t), report.Options{Format: report.JSON})
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(out))
	require.NoError(t, err)
	require.NoError(t, s.Validate(value))
	described(t, doc.(map[string]any), doc, value, "report")
	require.NotContains(t, out, `\u003c`, "no HTML escapes")

	for _, line := range strings.Split(strings.TrimSpace(write(t, full(t), report.Options{Format: report.JSONLines})), "\n") {
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(line))
		require.NoError(t, err)
		require.NoError(t, s.Validate(value))
	}
	broken := strings.Replace(out, `"verdict": "ask"`, `"verdict": "maybe"`, 1)
	value, err = jsonschema.UnmarshalJSON(strings.NewReader(broken))
	require.NoError(t, err)
	require.Error(t, s.Validate(value), "the schema can fail")
}

// described checks that every key that is written is in the schema.
func described(t *testing.T, root map[string]any, s, v any, where string) {
	t.Helper()
	node := s.(map[string]any)
	if ref, ok := node["$ref"].(string); ok {
		node = root["$defs"].(map[string]any)[strings.TrimPrefix(ref, "#/$defs/")].(map[string]any)
	}
	switch v := v.(type) {
	case map[string]any:
		props, ok := node["properties"].(map[string]any)
		require.True(t, ok, where)
		for key, item := range v {
			require.Contains(t, props, key, where)
			described(t, root, props[key], item, where+"."+key)
		}
	case []any:
		for _, item := range v {
			described(t, root, node["items"], item, where)
		}
	}
}

func TestSARIFSchema(t *testing.T) {
	s, _ := schema(t, "testdata/sarif-schema-2.1.0.json")
	out := write(t, full(t), report.Options{Format: report.SARIF, Version: "1.2.3"})
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(out))
	require.NoError(t, err)
	require.NoError(t, s.Validate(value))
	empty, err := jsonschema.UnmarshalJSON(strings.NewReader(write(t, &finding.Report{}, report.Options{Format: report.SARIF})))
	require.NoError(t, err)
	require.NoError(t, s.Validate(empty))

	var log struct {
		Runs []struct {
			Tool struct {
				Driver struct{ Rules []struct{ ID string } }
			}
			Results []struct {
				RuleID    string
				RuleIndex int
				CodeFlows []struct {
					ThreadFlows []struct{ Locations []any }
				}
				PartialFingerprints map[string]string
			}
		}
	}
	require.NoError(t, json.Unmarshal([]byte(out), &log))
	run := log.Runs[0]
	seen := map[string]bool{}
	for _, r := range run.Results {
		require.Equal(t, run.Tool.Driver.Rules[r.RuleIndex].ID, r.RuleID)
		require.NotEmpty(t, r.PartialFingerprints)
		for _, print := range r.PartialFingerprints {
			require.False(t, seen[print], "fingerprints tell results apart")
			seen[print] = true
		}
	}
	require.GreaterOrEqual(t, len(run.Results[0].CodeFlows[0].ThreadFlows[0].Locations), 2)
}

// TestSARIFErrors: a run that did not check everything says so, and why.
func TestSARIFErrors(t *testing.T) {
	s, _ := schema(t, "testdata/sarif-schema-2.1.0.json")
	type invocation struct {
		ExecutionSuccessful        bool
		ToolExecutionNotifications []struct {
			Level     string
			Message   struct{ Text string }
			Locations []struct {
				PhysicalLocation struct {
					ArtifactLocation struct{ URI string }
					Region           struct{ StartLine, StartColumn int }
				}
			}
		}
	}
	read := func(o report.Options) invocation {
		o.Format = report.SARIF
		out := write(t, &finding.Report{}, o)
		checkPrintable(t, "sarif", out)
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(out))
		require.NoError(t, err)
		require.NoError(t, s.Validate(value))
		var log struct {
			Runs []struct{ Invocations []invocation }
		}
		require.NoError(t, json.Unmarshal([]byte(out), &log))
		return log.Runs[0].Invocations[0]
	}
	require.True(t, read(report.Options{}).ExecutionSuccessful)
	got := read(report.Options{Errors: []report.Error{
		{Message: "bad \x1b[31m line", Hint: "mend it", Position: finding.Position{File: "a b.jsonl", Position: plan.Position{Line: 3, Column: 7}}},
		{Message: "x.yaml: no such file"},
	}})
	require.False(t, got.ExecutionSuccessful)
	notes := got.ToolExecutionNotifications
	require.Len(t, notes, 2)
	require.Equal(t, "error", notes[0].Level)
	require.Equal(t, "bad \x1b[31m line (mend it)", notes[0].Message.Text)
	at := notes[0].Locations[0].PhysicalLocation
	require.Equal(t, "a%20b.jsonl", at.ArtifactLocation.URI)
	require.Equal(t, 3, at.Region.StartLine)
	require.Equal(t, 7, at.Region.StartColumn)
	require.Empty(t, notes[1].Locations)
}

func TestSARIFFingerprintSurvivesMoves(t *testing.T) {
	print := func(shift int32) string {
		p := leak(t)
		p.Findings[0].Position.Line += shift
		p.Calls[0].ID = fmt.Sprint("id", shift)
		out := write(t, &finding.Report{Plans: []finding.PlanReport{p}}, report.Options{Format: report.SARIF})
		return regexp.MustCompile(`"planlint/v1": "[0-9a-f]+"`).FindString(out)
	}
	require.NotEmpty(t, print(0))
	require.Equal(t, print(0), print(7))
}

func TestJUnitParses(t *testing.T) {
	var suites struct {
		Failures int `xml:"failures,attr"`
		Suites   []struct {
			Name  string `xml:"name,attr"`
			Cases []struct {
				Failure *struct{} `xml:"failure"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	require.NoError(t, xml.Unmarshal([]byte(write(t, full(t), report.Options{Format: report.JUnit})), &suites))
	require.Len(t, suites.Suites, 4)
	require.Equal(t, 6, suites.Failures)
}

func TestGitHubHasOneCommandALine(t *testing.T) {
	out := write(t, full(t), report.Options{Format: report.GitHub})
	for _, line := range strings.Split(strings.TrimSpace(out), "\n") {
		require.Regexp(t, `^::(error|warning|notice) file=[^:]*::`, line)
		require.Equal(t, 2, strings.Count(line, "::"), line)
	}
}

func TestDOTIsQuoted(t *testing.T) {
	out := write(t, full(t), report.Options{Format: report.DOT})
	line := regexp.MustCompile(`^(digraph "(\\.|[^"\\])*" \{|  [a-z0-9]+( -> n\d+)? ?(\[([a-z]+=("(\\.|[^"\\])*"|[a-z0-9.]+)(, )?)+\];)|  [a-z]+=("(\\.|[^"\\])*"|[A-Za-z]+);|\})$`)
	for _, l := range strings.Split(strings.TrimSpace(out), "\n") {
		require.Regexp(t, line, l)
	}
}

func TestMermaidTextIsHarmless(t *testing.T) {
	out := write(t, full(t), report.Options{Format: report.Mermaid})
	require.NotContains(t, out, "script>")
	require.NotContains(t, out, "`")
	for _, l := range strings.Split(out, "\n") {
		require.LessOrEqual(t, strings.Count(l, `"`), 2, l)
	}
}

func TestLargeGraphIsCapped(t *testing.T) {
	p := clean()
	p.Calls = nil
	for i := 0; i < 3000; i++ {
		p.Calls = append(p.Calls, finding.CallReport{Call: &plan.Call{Index: i, ID: fmt.Sprint("c", i), Tool: "t"},
			Carried: &finding.Carried{}, Answer: &finding.Answer{Decision: gate.Allow}})
	}
	r := &finding.Report{Plans: []finding.PlanReport{p}}
	for _, f := range []report.Format{report.DOT, report.Mermaid} {
		out := write(t, r, report.Options{Format: f})
		require.Contains(t, out, "2600 nodes and 0 edges are not shown")
		require.Less(t, strings.Count(out, "\n"), 500)
	}
	table := write(t, r, report.Options{Verbose: true})
	require.Equal(t, 3002, strings.Count(table, "\n"))
}

func TestLongTableHidesWhatIsAllowed(t *testing.T) {
	p := mixed()
	for i := 3; i < 100; i++ {
		p.Calls = append(p.Calls, finding.CallReport{Call: &plan.Call{Index: i, ID: fmt.Sprint("c", i), Tool: "t"},
			Carried: &finding.Carried{}, Answer: &finding.Answer{Decision: gate.Allow}})
	}
	out := write(t, &finding.Report{Plans: []finding.PlanReport{p}}, report.Options{})
	require.Contains(t, out, "… 97 more calls allowed without a finding (-v shows them)")
}

func TestArtifactURIs(t *testing.T) {
	for file, want := range map[string]string{
		"./a b.yaml": "a%20b.yaml", "x:y#?.yaml": "x%3Ay%23%3F.yaml", "/srv/ü.yaml": "file:///srv/%C3%BC.yaml",
		"//host/x": "file:///host/x", "a%20": "a%2520", "\x1b": "%1B",
	} {
		r := &finding.Report{Diagnostics: []finding.Diagnostic{{ID: "PL9000", Message: "m", Call: -1, Position: finding.Position{File: file}}}}
		require.Contains(t, write(t, r, report.Options{Format: report.SARIF}), `"uri": "`+want+`"`)
	}
}

func TestExplainCall(t *testing.T) {
	p := leak(t)
	var b bytes.Buffer
	require.NoError(t, report.ExplainCall(&b, &p, 1, report.Options{Source: sources}))
	for _, want := range []string{
		"leak.yaml:4:3: call 2 send_email to=ops@partner.example", "class    irreversible-public", "in       secret",
		"answer   ask (effect review, 1 approval, 30 s cool-down) by PL1001", "4 escalation: PL1001 (value) adds effect review",
		"secret by value (contract of read_secret)", "without the rest of the plan: ask (1 approval, 30 s cool-down)",
		"accepts: [PL1001]",
	} {
		require.Contains(t, b.String(), want)
	}
	require.Error(t, report.ExplainCall(&b, &p, 2, report.Options{}))
	require.Error(t, report.ExplainCall(&b, &p, -1, report.Options{}))
}

func TestFormats(t *testing.T) {
	for _, name := range report.Formats() {
		f, err := report.ParseFormat(name)
		require.NoError(t, err)
		require.Equal(t, name, f.String())
	}
	_, err := report.ParseFormat("xml")
	require.Error(t, err)
}

func TestWriteReportsErrors(t *testing.T) {
	for _, f := range formats() {
		require.Error(t, report.Write(failing{}, full(t), report.Options{Format: f}), f.String())
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, os.ErrClosed }

func BenchmarkText(b *testing.B) {
	r := full(b)
	b.ReportAllocs()
	for b.Loop() {
		write(b, r, report.Options{})
	}
}
