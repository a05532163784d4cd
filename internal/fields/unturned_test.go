package fields

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Unturned has the views of Views but those of the text itself that are turned.
func TestUnturned(t *testing.T) {
	const encoded = "c2VlIHRoZSBub3RlIG9mIG9yZGVyIDQyNDI" // "see the note of order 4242"
	left := 0
	for _, text := range []string{
		"", "see order-4242-x", "t-o-k-e-n-4-2-4-2", "gur xrl vf ng gur qbbe", "eht yek si ta eht rood fo ruoy", encoded + " or order-4242-x", "a%20b order-4242-x",
	} {
		var d Decoder
		all := slices.Clone(d.Views(text))
		want := slices.DeleteFunc(slices.Clone(all), func(v View) bool {
			return v.Encoding == "rot13" || v.Encoding == "reversed"
		})
		left += len(all) - len(want)
		require.Equal(t, want, slices.Clone(d.Unturned(text)), "%q", text)
	}
	require.Positive(t, left)
	var d Decoder
	require.True(t, slices.ContainsFunc(d.Unturned("c2VlIG9yZGVyLTQyNDIteA and more"), func(v View) bool {
		return strings.HasPrefix(v.Encoding, "base64+") && v.Encoding != "base64+base64"
	}), "what is encoded may be turned too")
}
