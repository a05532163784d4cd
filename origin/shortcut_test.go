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

// What delegates leaves out: without a telling word neither pattern matches.
func TestPatternsOfDelegationHaveATellingWord(t *testing.T) {
	verbs := []string{"do", "go through", "perform", "complete", "follow", "following", "according to", "as described", "as the", "execute", "carry out", "finish", "handle",
		"work through", "take care of", "act on", "process", "solve", "fulfil", "do what", "do whatever", "do everything", "do as", "the way", "do the"}
	ends := []string{"task", "tasks", "instruction", "instructions", "action", "actions", "steps", "todo", "to-dos", "todo list", "to-do list", "request", "chores", "errands",
		"guidelines", "directions", "items", "readme", "guide", "manual", "procedure", "checklist", "howto", "how-to", "tutorial", "it is", "is necessary", "Ann asks", "it says",
		"she describes", "preparations", "formality", "formalities", "rest of what", "taſks", "tasKs"}
	matched := 0
	for _, verb := range verbs {
		for _, middle := range []string{" ", " all the ", " my new "} {
			for _, end := range ends {
				text := strings.ToUpper(verb[:1]) + verb[1:] + middle + end
				if following().MatchString(text) || delegating().MatchString(text) {
					matched++
					require.True(t, mayDelegate(text), text)
				}
			}
		}
	}
	require.Greater(t, matched, 500)
}
