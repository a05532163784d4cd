package fields

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/hex"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func zipped(s string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write([]byte(s))
	_ = z.Close()
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

func TestViews(t *testing.T) {
	const value = "zq-live-77aa91bb and kim@corp.example"
	b64 := base64.StdEncoding.EncodeToString
	for encoding, text := range map[string]string{
		"base64":         "see " + b64([]byte(value)),
		"hex":            "x=" + hex.EncodeToString([]byte(value)),
		"percent":        "?q=" + url.QueryEscape(value),
		"gzip+base64":    zipped(value),
		"base64+hex":     b64([]byte(hex.EncodeToString([]byte(value)))),
		"spaced":         "it is " + strings.Join(strings.Split("zq-live-77aa91bb", ""), " "),
		"rot13":          new(Decoder).rot13("the key of the account is in the notes of the meeting"),
		"reversed":       new(Decoder).reversed("the key of the account is in the notes"),
		"rot13 token":    "take " + new(Decoder).rot13("zq-live-77aa91bb"),
		"reversed token": "take " + new(Decoder).reversed("kim@corp.example"),
	} {
		want := []string{"zq-live-77aa91bb", "kim@corp.example", "the key of the account"}
		found := false
		for _, v := range Views(text) {
			for _, w := range want {
				found = found || strings.Contains(strings.ReplaceAll(v.Text, "+", " "), w)
			}
			require.True(t, 0 <= v.Start && v.Start <= v.End && v.End <= len(text))
		}
		require.True(t, found, encoding)
	}
}

func TestPlainTextHasNoViews(t *testing.T) {
	for _, text := range []string{
		"Please send the report to the office by Monday morning.",
		"a b c", "1 - 2 - 3", "the internationalization of documents", "x, y and z",
	} {
		require.Empty(t, Views(text), text)
	}
}

// FuzzViews holds: no panic, spans inside the text, bounded output.
func FuzzViews(f *testing.F) {
	f.Add("see " + zipped("kim@corp.example") + " s p a c e d o u t %41%42")
	f.Fuzz(func(t *testing.T, text string) {
		for _, v := range Views(text) {
			require.True(t, 0 <= v.Start && v.Start <= v.End && v.End <= len(text))
		}
	})
}
