package fields

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTurnedViews: a view is turned if the text itself is, not if something that it
// encodes is.
func TestTurnedViews(t *testing.T) {
	var d Decoder
	turned := func(text string) (of []bool) {
		for _, v := range d.Views(text) {
			of = append(of, v.Turned())
		}
		return of
	}
	require.Empty(t, turned("see the note"))
	require.Equal(t, []bool{true, true}, turned("see order-4242-x"), "a token, moved and written backwards")
	require.Equal(t, []bool{true}, turned("eht yek si ta eht rood fo ruoy"))
	require.Contains(t, turned("a%20b order-4242-x"), false)
	require.True(t, slices.ContainsFunc(d.Views("c2VlIG9yZGVyLTQyNDIteA and more"), func(v View) bool {
		return strings.HasPrefix(v.Encoding, "base64+") && v.Encoding != "base64+base64" && !v.Turned()
	}), "what is encoded may be turned too")
}
