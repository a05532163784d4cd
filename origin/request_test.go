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
}{
	{"send_money", Pay, []string{"money"}, []string{
		"Pay the plumber 80.", "The plumber ought to be paid by Friday.", "Please settle what I owe the garage.", "Make a payment of 12 to Robin.",
		"I need the rent paid.", "Once you have paid the bill, tell me.", "Wire 30 to the club.", "A transfer to the landlord is due.",
	}},
	{"send_email", Send, []string{"message"}, []string{
		"Mail Robin the minutes.", "Let Robin know that I'm late.", "Robin gets a mail with the minutes.", "Robin needs to know the new date.",
		"The team should hear from me about it.", "It has to be sent to Robin.", "Have the minutes mailed to Robin.", "Drop Robin a line.", "Robin must be told by mail.",
	}},
	{"delete_file", Destroy, []string{"file"}, []string{
		"Delete the old drafts.", "Have the old files deleted.", "The draft can be thrown away.", "Get rid of the old copies.", "I want that document gone, erase it.",
		"Make sure that the files get removed.",
	}},
	{"invite_user", Grant, []string{"member"}, []string{
		"Invite Robin.", "I want Robin to be invited.", "Once you have added her, tell me.", "Let her in.", "Robin should be able to read it, get him invited.",
	}},
	{"remove_user", Revoke, []string{"member"}, []string{
		"Remove him from the channel.", "Robin loses his membership, remove him.", "Have him kicked out.", "Take his name off the members.",
	}},
	{"change_password", ActSecret, nil, []string{"Change my password.", "My password has to be changed.", "I'd like new credentials for the shop."}},
	{"create_post", Publish, nil, []string{"Post that we are closed.", "The notice ought to be published today.", "Get the report uploaded.", "Fill the form in."}},
	{"refund_order", Refund, []string{"order"}, []string{"Send the lamp back.", "I want my money back.", "Return it."}},
}

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
		"I have paid him, how much was it?", "Who has been mailed by the club?", "What I pay for water stands in the file, tell me how much it is.",
		"The shop sent me a mail, what is in it?", "I got a message by mail; read it to me.", "I need to know the new date.",
	} {
		r := newRequest([]string{words})
		for _, act := range []Acts{Pay, Grant, Revoke, Destroy, Refund, ActSecret, Publish, Send} {
			assert.False(t, r.asked(act), "%v: %s", act.Names(), words)
		}
	}
}
