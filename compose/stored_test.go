package compose

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestStoredConditions: what go generate checked can be taken back;
// internal/gen's test holds the file to the packs.
func TestStoredConditions(t *testing.T) {
	lines := 0
	for line := range strings.Lines(storedConditions) {
		var s stored
		require.NoError(t, json.Unmarshal([]byte(line), &s))
		scope, ok := ParseScope(s.Scope)
		require.True(t, ok)
		cond := &condition{language: testCompiler(t).language, scope: scope, text: s.Text, at: at(1, 1), options: Options{Builtin: true}}
		require.True(t, cond.restored(), "%s: %q", scope, s.Text)
		lines++
	}
	require.NotZero(t, lines)
	_, ok := storedKey{ScopeFlow, `flow.`}.find()
	require.False(t, ok, "a part of a text is not the text")
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

// TestKnownTexts: a text that was checked before is still compared with the
// words of the policy that it stands in now.
func TestKnownTexts(t *testing.T) {
	const text = `call.tool == "send_email" && call.args.subject == "known-texts"`
	_, err := testCompiler(t).Condition(ScopeCall, text, at(1, 1), Options{})
	require.NoError(t, err)
	_, remembered := good.get(storedKey{ScopeCall, text})
	require.True(t, remembered)
	_, err = testCompiler(t).Condition(ScopeCall, text, at(1, 1), Options{})
	require.NoError(t, err)
	_, err = NewCompiler(testUniverse(t), words{"send_email": {"to", "body"}}).Condition(ScopeCall, text, at(1, 1), Options{})
	require.ErrorContains(t, err, "subject")
}
