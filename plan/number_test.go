package plan

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCanonicalNumber(t *testing.T) {
	tests := []struct{ in, want string }{
		{"1", "1"}, {"1.0", "1"}, {"1e0", "1"}, {"10e-1", "1"}, {"100", "100"}, {"1E2", "100"},
		{"-0", "0"}, {"0.0e5", "0"}, {"-1.50", "-1.5"}, {"0.1", "0.1"}, {"1e-7", "1e-7"}, {"0.000001", "0.000001"},
		{"1e21", "1e+21"}, {"1e20", "100000000000000000000"},
		// These two are one float64 and must not be one digest.
		{"9007199254740992", "9007199254740992"}, {"9007199254740993", "9007199254740993e0"},
		{"0.1000000000000000055", "1000000000000000055e-19"},
		{"1e400", "1e400"}, {"10e399", "1e400"}, {"1e-400", "1e-400"},
		{"1e99999999999999999999", "1e99999999999999999999"},
		{"0x1f", "0x1f"}, {"", ""}, {"01", "01"},
	}
	for _, tt := range tests {
		require.Equal(t, tt.want, canonicalNumber(tt.in), tt.in)
	}
}

func TestIsNumber(t *testing.T) {
	for _, yes := range []string{"0", "-0", "12", "1.5", "1e5", "1E+5", "-1.25e-3"} {
		require.True(t, IsNumber(yes), yes)
	}
	for _, no := range []string{"", "-", "01", "+1", ".5", "1.", "1e", "1e+", "0x1", "NaN", "1 ", "1_0"} {
		require.False(t, IsNumber(no), no)
	}
}
