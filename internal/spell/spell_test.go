package spell

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNearest(t *testing.T) {
	fields := []string{"id", "tool", "args", "after", "agent", "output", "outcome", "risk_class", "read_only"}
	tests := []struct{ word, want string }{
		{"tol", "tool"},
		{"toool", "tool"},
		{"otol", "tool"}, // a swap is one edit
		{"Args", "args"},
		{"risk-class", "risk_class"},
		{"riskclass", "risk_class"},
		{"risk_clsas", "risk_class"},
		{"ID", "id"},
		{"it", "id"},
		{"ouptut", "output"},
		{"outcom", "outcome"},
		{"zebra", ""},
		{"x", ""},
		{"", ""},
		{strings.Repeat("tool", 20), ""},
	}
	for _, tt := range tests {
		require.Equal(t, tt.want, Nearest(tt.word, fields), "word %q", tt.word)
	}
}

func TestNearestTieTakesTheFirst(t *testing.T) {
	require.Equal(t, "bat", Nearest("xat", []string{"bat", "cat"}))
	require.Equal(t, "cat", Nearest("xat", []string{"cat", "bat"}))
}

func TestNearestEmptyList(t *testing.T) {
	require.Empty(t, Nearest("word", nil))
	require.Empty(t, Nearest("word", []string{""}))
}

func TestHint(t *testing.T) {
	require.Equal(t, `did you mean "tool"? one of id, tool`, Hint("tol", []string{"id", "tool"}))
	require.Equal(t, `one of id, tool`, Hint("zebra", []string{"id", "tool"}))
	require.Empty(t, Hint("zebra", nil))
	many := make([]string, maxListed+2)
	for i := range many {
		many[i] = "w"
	}
	require.True(t, strings.HasSuffix(Hint("zebra", many), "w and 2 more"))
}

func FuzzNearest(f *testing.F) {
	f.Add("tol", "tool", "args")
	f.Add("\xff\xfe", "é", "")
	f.Fuzz(func(t *testing.T, word, a, b string) {
		got := Nearest(word, []string{a, b})
		require.True(t, got == "" || got == a || got == b)
		if a != "" && len(a) <= MaxWord {
			require.Equal(t, a, Nearest(a, []string{a, b}), "a word is nearest to itself")
		}
	})
}
