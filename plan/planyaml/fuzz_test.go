package planyaml

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planlint/planlint/plan"
)

// FuzzParse holds: no panic; either a plan or errors; errors are sorted and stand
// inside the file; every value has a position; print then parse is identity.
func FuzzParse(f *testing.F) {
	for _, tt := range badPlans {
		f.Add([]byte(tt.src))
	}
	for _, path := range goldenInputs(f) {
		src, err := os.ReadFile(path)
		require.NoError(f, err)
		f.Add(src)
	}
	f.Add([]byte("version: 1\ncalls: []\n"))
	f.Add([]byte("version: 1\ncalls:\n  - tool: t\n    args: \"a\\\n      ${b.output}\"\n"))
	f.Add([]byte("version: 1\ncalls:\n  - tool: t\n    args: >-\n      a\n\n      b\u2028c\u0085d\n"))
	f.Fuzz(func(t *testing.T, src []byte) {
		p, errs := Parse(src, "fuzz")
		require.Equal(t, p == nil, len(errs) > 0)
		at := plan.Position{}
		for _, e := range errs {
			require.NotEmpty(t, e.Message)
			require.GreaterOrEqual(t, e.Pos.Line, at.Line)
			at = e.Pos
		}
		if p == nil {
			return
		}
		for i := range p.Calls {
			require.True(t, p.Calls[i].Pos.Known())
			p.Calls[i].Args.Walk(func(_ plan.Path, v *plan.Value) bool {
				require.True(t, v.Pos.Known())
				for _, ref := range v.Refs() {
					require.True(t, ref.Pos.Known())
				}
				return true
			})
		}
		requireRoundTrip(t, p)
	})
}
