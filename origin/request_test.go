package origin

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// wishes are words by which people ask for what a tool does, and speak of what it
// does that to.
var wishes = []struct {
	tool  string
	acts  Acts
	about []string
	words []string
}{}

func TestWishes(t *testing.T) {
	for _, c := range wishes {
		for _, words := range c.words {
			r := newRequest([]string{words})
			require.True(t, r.asked(c.acts), "%s: %s", c.tool, words)
			require.True(t, c.acts&^(Destroy|Send|Book) == 0 || r.speaksOf(c.about), "%s about it: %s", c.tool, words)
		}
	}
}

// TestNoWish: tasks that read ask for nothing that others see or that stays.
func TestNoWish(t *testing.T) {
	for _, words := range []string{
		"Summarise the newsletter for me.", "What is in my cart?", "Read the letter from Kim and tell me what he wants.", "List my collaborators.",
		"When is my next meeting?", "How much does the lamp weigh?", "Which of the two hotels is nearer to the station?", "Make sure that I understand the minutes.",
		"Don't delete anything, just look at the folder.", "What did Lea say about the party?", "Check in the event whether somebody comes later.",
		"Find the manual and tell me what E14 means.", "Is there any news about the strike?", "Look up who won.",
	} {
		r := newRequest([]string{words})
		for _, act := range []Acts{Pay, Grant, Revoke, Destroy, Refund, ActSecret, Publish, Send} {
			assert.False(t, r.asked(act), "%v: %s", act.Names(), words)
		}
	}
}
