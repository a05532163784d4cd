package origin

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planlint/planlint/internal/fields"
	"github.com/planlint/planlint/internal/match"
)

// What hide leaves out: the atoms of one token have the words of the token.
func TestAtomsOfOneTokenAreTheToken(t *testing.T) {
	pieces := []string{"https://", "http://", "www.", "mailto:", "ftp://", "a", "Kim", "corp", "example", ".", "/", "-", "_", "+", "@", ":", "?", "=", "&", "%", "#", "~", "$", "7", "2024", "txt", "com", "é", " ", ",", "\\n"}
	rng := rand.New(rand.NewPCG(1, 2))
	tokens, atoms := 0, 0
	for range 200_000 {
		var b strings.Builder
		for range 1 + rng.IntN(9) {
			b.WriteString(pieces[rng.IntN(len(pieces))])
		}
		text := b.String()
		words := fields.AppendWords(nil, fields.Bare(text))
		if !oneToken(text) || len(words) == 0 {
			continue
		}
		tokens++
		fields.Atoms(text, func(at fields.Atom) {
			atoms++
			own := fields.AppendWords(nil, fields.Bare(text[at.Start:at.End]))
			require.Equal(t, match.Hash(words), match.Hash(own), "%q in %q", text[at.Start:at.End], text)
		})
	}
	require.Greater(t, tokens, 10_000)
	require.Greater(t, atoms, 1000)
}
