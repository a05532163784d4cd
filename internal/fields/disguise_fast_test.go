package fields

import (
	"encoding/base64"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTurnedText(t *testing.T) {
	for text, want := range map[string]bool{
		"dnes eht yek ot em":     true,
		"eht eht":                false, // a space belongs to one word
		"eht eht eht":            true,
		"EHT yek dna":            true,
		"the key and the letter": false,
		"":                       false,
	} {
		require.Equal(t, want, backwards(text), text)
	}
	require.Equal(t, "nopqrstuvwxyzabcdefghijklm NOPQ-19", rot13("abcdefghijklmnopqrstuvwxyz ABCD-19"))
	require.Equal(t, "é nop", rot13("é abc"))
	require.Equal(t, "cba", reversed("abc"))
	require.Equal(t, "cé", reversed("éc"))
}

// TestPromising: a token that is not promising is no text in base64, whatever
// stands behind its first bytes.
func TestPromising(t *testing.T) {
	for _, text := range []string{"a text of some length", "zwölf Boxkämpfer jagen", "0123456789a€ and more text"} {
		require.True(t, Promising(base64.RawStdEncoding, base64.RawStdEncoding.EncodeToString([]byte(text))), text)
	}
	require.True(t, Promising(base64.RawStdEncoding, "short"))
	require.False(t, Promising(base64.RawStdEncoding, "deploymentConfiguration"))
}
