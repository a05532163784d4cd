package compiled

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planlint/planlint/tool"
)

// TestScannerIsJSON: the scanner takes every built-in policy and contract whole,
// and reads of them what encoding/json does.
func TestScannerIsJSON(t *testing.T) {
	for _, text := range []string{presetDefault, presetCodingAgent, presetStrict} {
		sameAsJSON(t, text, (*scanner).document)
	}
	sameAsJSON(t, strings.TrimSpace(contractsConditions), (*scanner).named)
	lines := 0
	for line := range strings.Lines(contractsLines) {
		sameAsJSON(t, strings.TrimSuffix(line, "\n"), (*scanner).tool)
		lines++
	}
	require.Greater(t, lines, 300)
}

func sameAsJSON[T any](t *testing.T, text string, fields func(*scanner, *T)) {
	t.Helper()
	var got, want T
	r := &scanner{s: text}
	fields(r, &got)
	require.False(t, r.bad, "not taken: %.200s", text)
	require.Empty(t, strings.TrimSpace(r.s[r.i:]))
	require.NoError(t, json.Unmarshal([]byte(text), &want))
	require.Equal(t, want, got)
}

// TestBuiltinPatterns: the patterns that are compiled when first asked are some.
func TestBuiltinPatterns(t *testing.T) {
	for _, name := range Presets() {
		d, err := BuiltinDocument(name)
		require.NoError(t, err)
		require.NotEmpty(t, d.Protected)
		for _, p := range d.Protected {
			require.True(t, p.Builtin)
			for _, text := range p.Paths {
				_, err := tool.CompilePath(text.S)
				require.NoError(t, err)
			}
		}
	}
}

// TestScannerFallsBack: what the scanner does not know is decoded all the same,
// and what is no JSON is an error.
func TestScannerFallsBack(t *testing.T) {
	for text, want := range map[string]string{
		`{"name":"a\"\u00e4"}`:                      `a"ä`,
		`{"name": "spaces"}`:                        "spaces",
		`{"name":"b","colour":"red"}`:               "b",
		`{"name":"c","alias":[]}`:                   "c",
		`{"name":"d","alias":[ "x" ],"version":2 }`: "d",
	} {
		var v Tool
		require.NoError(t, fromJSON(text, &v, (*scanner).tool), text)
		require.Equal(t, want, v.Name.S)
	}
	for _, text := range []string{``, `{`, `[`, `{"name"`, `{"name":"`, `{"name":"a`, `{"name":"a\`, `{"name":"a"`, `{"name":"a",}`, `{"alias":["a"`, `{"alias":["a" "b"]}`,
		`{"version":x}`, `{"read_only":1}`, `{"name":"a"}}`, `{"pos":{"Line":"x"}}`} {
		var v Tool
		require.Error(t, fromJSON(text, &v, (*scanner).tool), text)
	}
}

// FuzzScanner: no input makes it panic, and what it takes is what encoding/json
// reads.
func FuzzScanner(f *testing.F) {
	f.Add(presetStrict)
	for line := range strings.Lines(contractsLines) {
		if len(line)%7 == 0 {
			f.Add(line)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !json.Valid([]byte(text)) || strings.Contains(text, "\\u") {
			var v Tool
			(*scanner).tool(&scanner{s: text}, &v)
			return
		}
		var got, want Tool
		r := &scanner{s: text}
		if r.tool(&got); r.bad || strings.TrimSpace(r.s[r.i:]) != "" || json.Unmarshal([]byte(text), &want) != nil {
			return
		}
		require.Equal(t, want.Name, got.Name)
		require.Equal(t, len(want.Alias), len(got.Alias))
	})
}
