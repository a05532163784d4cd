package planyaml

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/planlint/planlint/plan"
)

func mustParse(t *testing.T, src string) *plan.Plan {
	p, errs := Parse([]byte(src), "p")
	require.Empty(t, errs)
	return p
}

func TestParseYAMLAndJSONAgree(t *testing.T) {
	fromYAML := mustParse(t, head+"  - {id: a, tool: t}\n  - {id: b, tool: t, after: [a], args: {x: [1, true, null, 'n ${a.output.k}']}}\n")
	fromJSON := mustParse(t, `{"version":1,"calls":[{"id":"a","tool":"t"},{"id":"b","tool":"t","after":["a"],"args":{"x":[1,true,null,"n ${a.output.k}"]}}]}`)
	require.Equal(t, plan.Digest(fromYAML), plan.Digest(fromJSON))
	clearPositions(fromYAML)
	clearPositions(fromJSON)
	require.Equal(t, fromYAML, fromJSON)
}

func TestParseFlowYAMLThatIsNoJSON(t *testing.T) {
	p := mustParse(t, "{version: 1, calls: [{tool: t}]}\n")
	require.Len(t, p.Calls, 1)
	p = mustParse(t, "{\t\"version\":\t1,\t\"calls\":\t[]}")
	require.Empty(t, p.Calls)
}

func TestParseByteOrderMark(t *testing.T) {
	p := mustParse(t, "\ufeffversion: 1\ncalls: [{tool: t}]\n")
	require.Equal(t, plan.Position{Line: 2, Column: 9}, p.Calls[0].Pos)
	mustParse(t, "\ufeff"+`{"version": 1, "calls": []}`)
}

func TestParseKeepsScalarsAsWritten(t *testing.T) {
	p := mustParse(t, head+"  - {tool: t, args: [yes, 2024-01-01, 1.50, 1e3, 'on', ~, True, 0x1F, \"\\u00e9\", 12:30:00]}\n")
	var got []string
	for _, v := range p.Calls[0].Args.Items {
		got = append(got, fmt.Sprint(v.Kind, " ", v.Text))
	}
	require.Equal(t, []string{"3 yes", "3 2024-01-01", "2 1.50", "2 1e3", "3 on", "0 ", "1 true", "2 31", "3 é", "3 12:30:00"}, got)
}

func TestParseJSONEscapes(t *testing.T) {
	p := mustParse(t, `{"version":1,"calls":[{"tool":"t","args":"\/ \ud83d\ude00 \u0000 \u0024{call}"}],"inputs":{"call":{}}}`)
	args := p.Calls[0].Args
	require.Equal(t, "/ \U0001F600 \x00 ${call}", args.Text)
	require.Equal(t, plan.Position{Line: 1, Column: 66, Length: 12}, args.Refs()[0].Pos)
}

func TestParsePositionsOfYAMLText(t *testing.T) {
	tests := []struct{ name, args, want string }{
		{"plain", "[x ]}\n  - tool: u\n    args: x ${a.output} # {", "6:13+11"},
		{"double", `"\x41\u00e9 ${a.output}"`, "4:33+11"},
		{"single", `'it''s ${a.output}'`, "4:28+11"},
		{"wide letters before it", `"ééé ${a.output}"`, "4:29+11"},
		{"folded over lines", "\"x\n      y ${a.output}\"", "5:9+11"},
		{"an escaped one before it", "\"x\n      $${a.output} ${a.output}\"", "5:20+11"},
		{"escaped inside, over lines", "\"x\n      ${a.\\x6futput}\"", "4:21+0"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := mustParse(t, head+"  - {id: a, tool: t}\n  - {tool: u, args: "+tt.args+"}\n")
			require.Equal(t, tt.want, place(p.Calls[len(p.Calls)-1].Args.Refs()[0].Pos))
		})
	}
}

func place(p plan.Position) string { return fmt.Sprintf("%d:%d+%d", p.Line, p.Column, p.Length) }

func TestParsePositionsAfterUnusualLineBreaks(t *testing.T) {
	// yaml.v3 ends a line at U+2028 and at a lone CR; editors don't.
	p := mustParse(t, "version: 1 # a\u2028plan: x\rfixed: true\ncalls: [{tool: t}]\n")
	require.Equal(t, plan.Position{Line: 2, Column: 9}, p.Calls[0].Pos)
	require.Equal(t, "x", p.ID)
}

func TestParseAgents(t *testing.T) {
	p := mustParse(t, head+"  - {tool: task, spawns: [worker]}\n  - {tool: t, agent: worker, spawns: helper}\n  - {tool: t, agent: helper}\n  - {tool: t, agent: main}\n")
	require.Equal(t, []plan.Agent{
		{Name: "main", SpawnedBy: -1}, {Name: "helper", Parent: "worker", SpawnedBy: 1}, {Name: "worker", Parent: "main", SpawnedBy: 0},
	}, p.Agents)
	require.Equal(t, []int{0, 0, 0, 1}, []int{p.Calls[0].Turn, p.Calls[1].Turn, p.Calls[2].Turn, p.Calls[3].Turn})
}

func TestParseOutcomes(t *testing.T) {
	tests := []struct {
		recorded bool
		fields   string
		outcome  plan.Outcome
		state    plan.OutputState
	}{
		{false, "", plan.Planned, plan.OutputAbsent},
		{false, ", output: x", plan.Planned, plan.OutputPredicted},
		{false, ", output: x, outcome: ran", plan.Ran, plan.OutputRecorded},
		{false, ", outcome: refused", plan.Refused, plan.OutputAbsent},
		{true, "", plan.Unknown, plan.OutputAbsent},
		{true, ", output: ~", plan.Ran, plan.OutputRecorded},
		{true, ", output: x, outcome: planned", plan.Planned, plan.OutputPredicted},
		{true, ", output_state: truncated, output: x", plan.Ran, plan.OutputTruncated},
	}
	for _, tt := range tests {
		p := mustParse(t, fmt.Sprintf("recorded: %v\n%s  - {tool: t%s}\n", tt.recorded, head, tt.fields))
		require.Equal(t, tt.outcome, p.Calls[0].Outcome, tt.fields)
		require.Equal(t, tt.state, p.Calls[0].OutputState, tt.fields)
		requireRoundTrip(t, p)
	}
}

func TestRead(t *testing.T) {
	p, errs := Read(strings.NewReader(head+"  - {tool: t}\n"), "-")
	require.Empty(t, errs)
	require.Equal(t, "-", p.Source)
	require.Equal(t, Format, p.Format)

	_, errs = Read(iotest.ErrReader(errors.New("disk on fire")), "p")
	require.Equal(t, []string{"p: can't be read: disk on fire"}, texts(errs))

	_, errs = Options{MaxBytes: 10}.Read(strings.NewReader(strings.Repeat(" ", 20)), "p")
	require.Equal(t, []string{"p: over the limit of 10 bytes"}, texts(errs))
}

func TestParseHugeScalar(t *testing.T) {
	if testing.Short() {
		t.Skip("needs half a gigabyte")
	}
	const size = 100 << 20
	big := strings.Repeat("x", size)
	start := time.Now()
	p, errs := Parse([]byte(`{"version":1,"calls":[{"tool":"t","args":{"x":"`+big+`"}}]}`), "p")
	require.Empty(t, errs)
	require.Len(t, p.Calls[0].Args.Items[0].Text, size)
	_, errs = Parse([]byte(head+"  - {tool: t, args: {x: "+big+"}}\n"), "p")
	require.Equal(t, []string{"p: YAML of 104857645 bytes, over the limit of 16777216\nhint: write it as JSON, which is read as it comes"}, texts(errs))
	require.Less(t, time.Since(start), 20*time.Second)
}

func TestParseNeverSlowsDown(t *testing.T) {
	// Each of these has made some parser quadratic.
	const n = 100_000
	wide := strings.Repeat("é", n)
	for name, src := range map[string]string{
		"one long line":        head + "  - {tool: t, args: [" + strings.Repeat("é, ", n) + "]}\n",
		"references, no place": "version: 1\ninputs: {a: {}}\ncalls:\n  - tool: t\n    args: \"x\n      " + strings.Repeat(`\x24{a}`, 9000) + wide + "\"\n",
		"dollars":              head + "  - {tool: t, args: '" + strings.Repeat("$", n) + "{'}\n",
		"dollar braces":        head + "  - {tool: t, args: '" + strings.Repeat("${", n) + "'}\n",
		"unknown fields":       head + "  - {tool: t, " + fields(n/4) + "}\n",
		"dangling references":  head + strings.Repeat("  - {tool: t, args: '${nobody.output}'}\n", 9000),
		"comments":             head + strings.Repeat("  # nothing\n", n) + "  - tool: t\n",
	} {
		start := time.Now()
		Parse([]byte(src), "p")
		require.Less(t, time.Since(start), 8*time.Second, name)
	}
}

func fields(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "f%d: 1, ", i)
	}
	return b.String()
}

func TestSchemaNamesEveryField(t *testing.T) {
	objects := map[string]bool{}
	for _, o := range Schema() {
		require.False(t, objects[o.Name])
		objects[o.Name] = true
	}
	for _, o := range Schema() {
		seen := map[string]bool{}
		for _, f := range o.Fields {
			require.False(t, seen[f.Name], "%s.%s", o.Name, f.Name)
			seen[f.Name] = true
			require.NotEmpty(t, f.Doc, "%s.%s", o.Name, f.Name)
			require.NotEmpty(t, f.Type, "%s.%s", o.Name, f.Name)
			wantsObject := f.Type == ObjectOf || f.Type == ListOf || f.Type == MapOf
			require.Equal(t, wantsObject, f.Object != "", "%s.%s", o.Name, f.Name)
			require.True(t, f.Object == "" || objects[f.Object], "%s.%s", o.Name, f.Name)
		}
	}
}

// manyCalls is a plan whose calls refer to the one before.
func manyCalls(n int) *plan.Plan {
	var b bytes.Buffer
	b.WriteString(`{"version":1,"plan":"many","prompt":"do it","calls":[`)
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		from := "nothing"
		if i > 0 {
			from = fmt.Sprintf("${c%d.output.items[0].id}", i-1)
		}
		fmt.Fprintf(&b, `{"id":"c%d","tool":"http_get","args":{"url":"https://api.example/items/%d","limit":%d,"from":"%s"}}`, i, i, i, from)
	}
	b.WriteString("]}")
	p, errs := Parse(b.Bytes(), "many")
	if len(errs) > 0 {
		panic(errs[0].In("many"))
	}
	return p
}

func BenchmarkParse(b *testing.B) {
	for _, n := range []int{100, 10_000} {
		p := manyCalls(n)
		asJSON, _ := p.MarshalJSON()
		// Block YAML as people write it.
		var y bytes.Buffer
		y.WriteString("version: 1\ncalls:\n")
		for i := range p.Calls {
			c := &p.Calls[i]
			fmt.Fprintf(&y, "  - id: %s\n    tool: %s\n    args:\n", c.ID, c.Tool)
			for k, v := range c.Args.Items {
				fmt.Fprintf(&y, "      %s: %s\n", c.Args.Keys[k], v.Text)
			}
		}
		for _, in := range []struct {
			name string
			src  []byte
		}{{"json", asJSON}, {"yaml", y.Bytes()}} {
			b.Run(fmt.Sprintf("%s/%d", in.name, n), func(b *testing.B) {
				b.SetBytes(int64(len(in.src)))
				b.ReportAllocs()
				for b.Loop() {
					if _, errs := Parse(in.src, "p"); len(errs) > 0 {
						b.Fatal(errs[0])
					}
				}
			})
		}
	}
}

func BenchmarkDigest(b *testing.B) {
	p := manyCalls(10_000)
	text, _ := p.MarshalJSON()
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		plan.Digest(p)
	}
}

func TestParseStreamedCallsKeepTheRest(t *testing.T) {
	// The calls of JSON share an arena that is reset after each; what stands
	// before and after them must survive that. YAML reads the same text whole.
	var b strings.Builder
	b.WriteString(`{"version": 1, "texts": [{"kind": "pasted", "text": "before"}], "env": {"vars": {"A": "1", "B": "2"}}, "calls": [`)
	for i := range 400 {
		fmt.Fprintf(&b, `{"tool": "t%d", "args": {"a": [%d, {"b": ["x%d", "y"]}], "c": "d"}, "output": {"k": [%d]}}, `, i, i, i, i)
	}
	b.WriteString(`{"tool": "last"}], "inputs": {"in": {"labels": ["l"], "default": {"d": [1]}}}, "agents": [{"name": "w", "parent": "v"}]}`)
	fromJSON := mustParse(t, b.String())
	d := newDecoder([]byte(b.String()))
	d.parseYAML()
	d.finish()
	require.Empty(t, d.errs)
	d.plan.Source, d.plan.Format = fromJSON.Source, fromJSON.Format
	clearPositions(d.plan)
	clearPositions(fromJSON)
	require.Equal(t, d.plan, fromJSON)
}
