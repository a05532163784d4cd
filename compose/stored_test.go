package compose

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestStoredConditions: what go generate checked can be taken back, and is what
// checking it anew gives; internal/gen's test holds the file to the packs.
func TestStoredConditions(t *testing.T) {
	require.NotEmpty(t, storedTable())
	for key := range storedTable() {
		cond := &condition{language: testCompiler(t).language, scope: key.scope, text: key.text, at: at(1, 1), options: Options{Builtin: true}}
		_, ok := cond.restored()
		require.True(t, ok, "%s: %q", key.scope, key.text)
	}
}

func TestStoredIsWhatCheckingGives(t *testing.T) {
	const text = `flow.sink.tool == "send_email"`
	c := testCompiler(t)
	_, err := c.Condition(ScopeFlow, text, at(1, 1), Options{Builtin: true})
	require.NoError(t, err)
	_, err = c.Condition(ScopeFlow, `flow.others > 1`, at(1, 1), Options{})
	require.NoError(t, err)
	lines, err := c.Set().Stored()
	require.NoError(t, err)
	require.Contains(t, string(lines), `send_email`)
	require.NotContains(t, string(lines), `flow.others`, "a user's condition is not stored")
}
