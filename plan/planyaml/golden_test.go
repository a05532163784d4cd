package planyaml

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planlint/planlint/plan"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestGolden holds how each plan of testdata is printed and where each of its
// values stands.
func TestGolden(t *testing.T) {
	for _, path := range goldenInputs(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			src, err := os.ReadFile(path)
			require.NoError(t, err)
			p, errs := Parse(src, filepath.Base(path))
			require.Empty(t, errs)
			got := printed(t, p) + positions(src, p)
			golden := path + ".golden"
			if *update {
				require.NoError(t, os.WriteFile(golden, []byte(got), 0o644))
			}
			want, err := os.ReadFile(golden)
			require.NoError(t, err)
			require.Equal(t, string(want), got)
			requireRoundTrip(t, p)
		})
	}
}

func goldenInputs(t testing.TB) []string {
	var paths []string
	for _, pattern := range []string{"testdata/*.yaml", "testdata/*.json"} {
		found, err := filepath.Glob(pattern)
		require.NoError(t, err)
		paths = append(paths, found...)
	}
	require.NotEmpty(t, paths)
	return paths
}

func printed(t *testing.T, p *plan.Plan) string {
	text, err := p.MarshalJSON()
	require.NoError(t, err)
	var b bytes.Buffer
	require.NoError(t, json.Indent(&b, text, "", "  "))
	return b.String() + "\n"
}

// positions lists each argument with its place and what stands there.
func positions(src []byte, p *plan.Plan) string {
	var b strings.Builder
	lines := strings.Split(string(src), "\n")
	show := func(what string, pos plan.Position) {
		line := lines[pos.Line-1][pos.Column-1:]
		if pos.Length > 0 {
			line = line[:pos.Length]
		} else {
			line = line[:min(len(line), 8)] + " ..."
		}
		fmt.Fprintf(&b, "%-28s %3d:%-3d %s\n", what, pos.Line, pos.Column, line)
	}
	for i := range p.Calls {
		c := &p.Calls[i]
		show(c.ID, c.Pos)
		c.Args.Walk(func(path plan.Path, v *plan.Value) bool {
			show(c.ID+" "+path.String(), v.Pos)
			for _, ref := range v.Refs() {
				show(c.ID+" "+path.String()+" ref", ref.Pos)
			}
			return true
		})
		if c.HasOutput() {
			show(c.ID+" output", c.OutputPos)
		}
	}
	return b.String()
}

// requireRoundTrip holds the law: print then parse is identity.
func requireRoundTrip(t *testing.T, p *plan.Plan) {
	text, err := p.MarshalJSON()
	require.NoError(t, err)
	again, errs := Parse(text, p.Source)
	require.Empty(t, errs, string(text))
	digest := plan.Digest(p)
	require.Equal(t, digest, plan.Digest(again), string(text))
	clearPositions(p)
	clearPositions(again)
	require.Equal(t, p, again, string(text))
	twice, err := again.MarshalJSON()
	require.NoError(t, err)
	require.Equal(t, string(text), string(twice))
}

func clearPositions(p *plan.Plan) {
	none := plan.Position{}
	if p.Open != nil {
		p.Open.Pos = none
	}
	for i := range p.Inputs {
		p.Inputs[i].Pos = none
		if p.Inputs[i].Default != nil {
			clearValue(p.Inputs[i].Default)
		}
	}
	for i := range p.Texts {
		p.Texts[i].Pos = none
	}
	for i := range p.Notes {
		p.Notes[i].Pos = none
	}
	for i := range p.Calls {
		c := &p.Calls[i]
		c.Pos, c.OutputPos = none, none
		if c.Each() != nil {
			c.Each().Pos = none
			c.Each().Start, c.Each().End = 0, 0 // offsets into what was written
		}
		clearValue(&c.Args)
		clearValue(&c.Output)
	}
}

func clearValue(v *plan.Value) {
	v.Pos = plan.Position{}
	for i := range v.Refs() {
		v.Ext.Refs[i].Pos = plan.Position{}
	}
	for i := range v.Items {
		clearValue(&v.Items[i])
	}
}
