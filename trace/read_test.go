package trace

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/planlint/planlint/plan"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the golden files anew")

// normal is a plan as the goldens have it: every field that a reader sets,
// with places as line:column+length.
type normal struct {
	ID     string       `json:"id,omitempty"`
	Format string       `json:"format"`
	Cwd    string       `json:"cwd,omitempty"`
	Agents []string     `json:"agents,omitempty"`
	Calls  []normalCall `json:"calls"`
	Texts  []string     `json:"texts,omitempty"`
	Notes  []string     `json:"notes,omitempty"`
}

type normalCall struct {
	ID      string   `json:"id"`
	Tool    string   `json:"tool"`
	Agent   string   `json:"agent,omitempty"`
	Turn    int      `json:"turn"`
	Args    []string `json:"args,omitempty"`
	RawArgs bool     `json:"raw_args,omitempty"`
	Outcome string   `json:"outcome"`
	Output  string   `json:"output,omitempty"`
	State   string   `json:"state"`
	At      string   `json:"at"`
}

var states = map[plan.OutputState]string{
	plan.OutputAbsent: "absent", plan.OutputRecorded: "recorded", plan.OutputPredicted: "predicted", plan.OutputTruncated: "cut",
}

func at(p plan.Position) string { return fmt.Sprintf("%d:%d+%d", p.Line, p.Column, p.Length) }

func short(s string) string {
	if len(s) > 120 {
		s = s[:60] + "…" + s[len(s)-60:]
	}
	return s
}

func normalise(p *plan.Plan) normal {
	n := normal{ID: p.ID, Format: p.Format, Cwd: p.Env.Cwd, Calls: []normalCall{}}
	if len(p.Agents) > 1 {
		for _, a := range p.Agents {
			n.Agents = append(n.Agents, fmt.Sprintf("%s parent=%q call=%d", a.Name, a.Parent, a.SpawnedBy))
		}
	}
	for i := range p.Calls {
		n.Calls = append(n.Calls, normaliseCall(&p.Calls[i]))
	}
	for _, t := range p.Texts {
		n.Texts = append(n.Texts, fmt.Sprintf("%s before=%d agent=%q origin=%q at=%s: %s", t.Kind, t.Before, t.Agent, t.Origin, at(t.Pos), short(t.Text)))
	}
	for _, note := range p.Notes {
		n.Notes = append(n.Notes, fmt.Sprintf("%s call=%d at=%s: %s", note.ID, note.Call, at(note.Pos), note.Message))
	}
	return n
}

func normaliseCall(c *plan.Call) normalCall {
	n := normalCall{ID: c.ID, Tool: c.Tool, Agent: c.Agent, Turn: c.Turn, RawArgs: c.RawArgs, Outcome: c.Outcome.String(), State: states[c.OutputState], At: at(c.Pos)}
	if c.Server != "" {
		n.Tool = c.Server + "::" + c.Tool
	}
	c.Args.Walk(func(path plan.Path, v *plan.Value) bool {
		if len(v.Items) == 0 && (v.Kind != plan.Object || len(path) > 0) {
			n.Args = append(n.Args, fmt.Sprintf("%s@%s=%s", path, at(v.Pos), short(v.Text)))
		}
		return true
	})
	if c.HasOutput() {
		n.Output = "@" + at(c.OutputPos) + ": " + short(c.Output.Text)
	}
	return n
}

func fixtures(t testing.TB) []string {
	var names []string
	require.NoError(t, filepath.WalkDir("testdata", func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && !strings.HasSuffix(path, ".golden") && !strings.Contains(path, "fuzz") {
			names = append(names, path)
		}
		return err
	}))
	return names
}

func TestGolden(t *testing.T) {
	for _, name := range fixtures(t) {
		t.Run(filepath.Base(name), func(t *testing.T) {
			src, err := os.ReadFile(name)
			require.NoError(t, err)
			plans, errs := Read(src, name, Unknown, Options{})
			require.Empty(t, errs)
			format, _, _ := strings.Cut(filepath.Base(name), ".")
			format, _, _ = strings.Cut(format, "_")
			require.Equal(t, format, string(Detect(src, name)), "a fixture is named after its format")
			var out bytes.Buffer
			enc := json.NewEncoder(&out)
			enc.SetEscapeHTML(false)
			enc.SetIndent("", " ")
			for _, p := range plans {
				sound(t, p)
				require.NoError(t, enc.Encode(normalise(p)))
			}
			golden := name + ".golden"
			if *update {
				require.NoError(t, os.WriteFile(golden, out.Bytes(), 0o644))
			}
			want, err := os.ReadFile(golden)
			require.NoError(t, err)
			require.Equal(t, string(want), out.String())
			pointsAtSource(t, src, plans)
		})
	}
}

// sound checks what every plan of every reader must hold.
func sound(t testing.TB, p *plan.Plan) {
	require.Empty(t, plan.Validate(p), "a reader's plan is valid")
	ids := map[string]bool{}
	turns := map[string]int{}
	for i := range p.Calls {
		c := &p.Calls[i]
		require.Equal(t, i, c.Index)
		require.False(t, ids[c.ID] || c.ID == "", "id %q", c.ID)
		ids[c.ID] = true
		require.GreaterOrEqual(t, c.Turn, turns[c.Agent], "turns of an agent don't go back")
		turns[c.Agent] = c.Turn
	}
	for _, text := range p.Texts {
		require.True(t, text.Before >= 0 && text.Before <= len(p.Calls))
	}
	for i, a := range p.Agents {
		require.Less(t, a.SpawnedBy, len(p.Calls))
		require.Equal(t, i == 0, a.Name == plan.MainAgent)
	}
}

// pointsAtSource checks that every unescaped string argument and output really
// stands where its position says.
func pointsAtSource(t *testing.T, src []byte, plans []*plan.Plan) {
	if plans[0].Format == string(Native) || plans[0].Format == string(OpenCodeDB) || plans[0].Format == string(Cell) || bytes.HasPrefix(src, []byte{0x1f, 0x8b}) {
		return
	}
	lines := bytes.Split(src, []byte("\n"))
	seen := 0
	check := func(v *plan.Value) bool {
		if v.Kind != plan.String || !v.Pos.Known() || len(v.Text) < 4 || strings.ContainsAny(v.Text, "\n\t\"\\<") {
			return true
		}
		line := lines[v.Pos.Line-1]
		start := int(v.Pos.Column) - 1
		require.LessOrEqual(t, start, len(line))
		rest := line[start:]
		if int(v.Pos.Length) <= len(rest) {
			rest = rest[:v.Pos.Length]
		}
		if bytes.Contains(rest, []byte(v.Text)) {
			seen++
		}
		return true
	}
	for _, p := range plans {
		for i := range p.Calls {
			p.Calls[i].Args.Walk(func(_ plan.Path, v *plan.Value) bool { return check(v) })
			check(&p.Calls[i].Output)
		}
	}
	require.Positive(t, seen, "no value stands where it should")
}

func zipped(t testing.TB, s string) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := z.Write([]byte(s))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	return b.Bytes()
}
