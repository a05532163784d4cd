package taint

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planlint/planlint/plan"
)

func TestExtendLeavesSharedResultsAlone(t *testing.T) {
	shared := &Result{Output: append(make([]Source, 0, 4), Source{Labels: Of(Private)})}
	a, b := Facts{Result: shared}, Facts{Result: shared}
	own := a.Extend()
	own.Output = append(own.Output, Source{Labels: Of(Secret)})
	own = b.Extend()
	own.Output = append(own.Output, Source{Labels: Of(Untrusted)})
	require.Len(t, shared.Output, 1)
	require.Equal(t, Of(Secret), a.Output()[1].Labels)
	require.Equal(t, Of(Untrusted), b.Output()[1].Labels)
}

func TestFactsWithoutResultOrChange(t *testing.T) {
	f, st := &Facts{}, &Step{}
	require.Nil(t, f.Output())
	require.Nil(t, f.Fields())
	require.Empty(t, f.Spawns())
	require.Nil(t, st.Adds())
	require.Zero(t, st.Removes())
	require.Empty(t, st.RemovesWhy())
	st.Extend().Removes = Of(Secret)
	require.Equal(t, Of(Secret), st.Removes())
}

// BuildFrom keeps the facts where they stand, and makes those of a plain tool
// where there are none.
func TestBuildFromKeepsFacts(t *testing.T) {
	p := &plan.Plan{Calls: []plan.Call{{Index: 0, Tool: "a"}, {Index: 1, Tool: "b", Turn: 1, Args: plan.Str("x")}}}
	own := Facts{Steps: []Step{{}}}
	g := BuildFrom(p, func(call int) *Facts {
		if call == 0 {
			return &own
		}
		return nil
	}, nil)
	require.Same(t, &own, g.Facts(0))
	require.Len(t, g.Facts(1).Slots, 1)
	require.Len(t, g.Facts(1).Steps, 1)
}
