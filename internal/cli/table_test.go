package cli

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

func TestTableFitsItsWidth(t *testing.T) {
	table := table{shrink: []int{1, 0}}
	table.row("NAME", "ARGUMENTS", "ANSWER")
	table.row(strings.Repeat("n", 30), strings.Repeat("a", 60), "allow")
	for _, width := range []int{0, 30, 60, 80} {
		var b bytes.Buffer
		require.NoError(t, table.write(&b, width))
		for line := range strings.Lines(b.String()) {
			if width > 0 {
				require.LessOrEqual(t, utf8.RuneCountInString(strings.TrimSpace(line)), width)
			}
		}
		require.Equal(t, width == 0, !strings.Contains(b.String(), "…"))
		require.Contains(t, b.String(), "allow")
	}
}

func TestMessagesAreFolded(t *testing.T) {
	long := "hint: one of " + strings.Repeat("alpha, ", 20) + "omega\n"
	for _, c := range []struct{ in, want string }{
		{"note: short\n", "note: short\n"},
		{"no message: " + long, "no message: " + long},
		{"Write it? [y/N] ", "Write it? [y/N] "},
		{"error: " + strings.Repeat("x", 90) + " y\n", "error:\n  " + strings.Repeat("x", 90) + "\n  y\n"},
	} {
		var b bytes.Buffer
		f := &foldedWriter{w: &b, width: 60}
		_, err := f.Write([]byte(c.in))
		require.NoError(t, err)
		f.flush()
		require.Equal(t, c.want, b.String())
	}
	var b bytes.Buffer
	f := &foldedWriter{w: &b, width: 60}
	for _, part := range []string{long[:20], long[20:], "| snippet\n"} {
		_, err := f.Write([]byte(part))
		require.NoError(t, err)
	}
	require.Equal(t, strings.Fields(long+"| snippet"), strings.Fields(b.String()), "no word is lost")
	for line := range strings.Lines(b.String()) {
		require.LessOrEqual(t, len(line), 61)
	}
}
