package compose

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planlint/planlint/taint"
	"github.com/planlint/planlint/tool"
)

// TestCountedRepetition: x{4} loads, and one that is too large does not.
func TestCountedRepetition(t *testing.T) {
	u, err := taint.NewUniverse()
	require.NoError(t, err)
	c := NewCompiler(u, nil)
	_, err = c.Condition(ScopeRule, `call.tool.matches("^[0-9]{4}-[0-9]{2}$")`, tool.Origin{}, Options{})
	require.NoError(t, err)
	_, err = c.Condition(ScopeRule, `call.tool.matches("`+strings.Repeat("[a-z0-9]{200}", 6)+`")`, tool.Origin{}, Options{})
	require.ErrorContains(t, err, "at most 1000 instructions")
}
