package report_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/planlint/planlint/report"
)

var escapes = map[string]string{
	"plain text":       "plain text",
	"ünï 日本 \u3000x":   "ünï 日本 \u3000x",
	"a\nb\r\tc":        `a\nb\r\tc`,
	"\x1b[31mred":      `\x1b[31mred`,
	"\x00\x7f":         `\x00\x7f`,
	"\u009b31m":        `\u009b31m`,
	"\u202eabc\u2066":  `\u202eabc\u2066`,
	"a\u200bb\ufeff":   `a\u200bb\ufeff`,
	"\u2028\u2029":     `\u2028\u2029`,
	"\U000e0041":       `\U000e0041`,
	"bad \xff\xc3 end": `bad \xff\xc3 end`,
	"nbsp\u00a0":       `nbsp\u00a0`,
}

func TestEscape(t *testing.T) {
	for in, want := range escapes {
		require.Equal(t, want, report.Escape(in))
	}
}

func FuzzEscape(f *testing.F) {
	for in := range escapes {
		f.Add(in)
	}
	f.Add(hostile)
	f.Fuzz(func(t *testing.T, text string) {
		out := report.Escape(text)
		require.True(t, utf8.ValidString(out))
		for _, r := range out {
			require.True(t, unicode.IsPrint(r) || r == '\u3000', "%q", r)
		}
		require.Equal(t, out, report.Escape(out), "what is escaped stays")
		require.GreaterOrEqual(t, len(out), len(strings.TrimSpace(text))/2)
	})
}
