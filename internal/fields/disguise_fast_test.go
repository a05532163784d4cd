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
		looks := lookAt(text)
		require.Equal(t, want, looks.backwards >= 2, text)
	}
	var d Decoder
	require.Equal(t, "nopqrstuvwxyzabcdefghijklm NOPQ-19", d.rot13("abcdefghijklmnopqrstuvwxyz ABCD-19"))
	require.Equal(t, "é nop", d.rot13("é abc"))
	require.Equal(t, "cba", d.reversed("abc"))
	require.Equal(t, "cé", d.reversed("éc"))
}

// TestPromising: a token that is not promising is no text in base64, whatever
// stands behind its first bytes.
func TestPromising(t *testing.T) {
	for _, text := range []string{"a text of some length", "zwölf Boxkämpfer jagen", "0123456789a€ and more text"} {
		require.True(t, promising(base64.RawStdEncoding.EncodeToString([]byte(text))), text)
	}
	require.True(t, promising("short"))
	require.False(t, promising("deploymentConfiguration"))
}

func BenchmarkViews(b *testing.B) {
	for name, text := range map[string]string{
		"path":  "/home/dev/app/internal/report/mask_17.go",
		"mail":  "kim.lee17@corp.example",
		"prose": "Please have a look at the numbers of the second quarter before we meet the others on Monday, thanks",
		"code":  "func (d *Decoder) begin(n int) int {\n\tconst piece = 4 << 10\n\tif d.room.Cap()-d.room.Len() < n {\n\t\td.room.Grow(max(n, piece))\n\t}\n\treturn d.room.Len()\n}\n",
	} {
		b.Run(name, func(b *testing.B) {
			var d Decoder
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				d.find(text)
			}
		})
	}
}
