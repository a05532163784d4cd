package origin

import "strings"

// What people wish for in other forms than a command.

// passive reports whether the participle at a place is of what the user wants done:
// "have it deleted", "it ought to be sent", "once you have invited her"; not of what
// somebody did.
func (r *request) passive(i int) bool {
	if w := r.words[i]; r.begins[i] || strings.HasSuffix(w, "s") || w == "wrote" || w == "gave" || w == "got" || w == "received" || w == "said" {
		return false // no participle, or none of an act
	}
	switch r.words[i-1] {
	case "be", "being", "get", "gets", "getting", "become", "becomes":
		return true
	}
	for k := i - 1; k >= 0 && k >= i-maxBetween; k-- {
		w := r.words[k]
		switch {
		case w == "you":
			return i-k <= 3 && !(k > 0 && r.words[k-1] == "did")
		case relative[w]:
			return false
		case causing[w] && k < i-1:
			return k == 0 || r.begins[k] || wanting[w] || !tellers[r.words[k-1]]
		}
		if r.begins[k] {
			return false
		}
	}
	return false
}

// maxBetween is how many words may stand between "have" and what is to be done.
const maxBetween = 8

// causing are verbs of who lets something be done by others.
var causing = map[string]bool{"have": true, "get": true, "want": true, "need": true, "wants": true, "needs": true, "like": true, "see": true, "ensure": true, "sure": true}

// wanting are those that a wish of one's own begins with.
var wanting = map[string]bool{"want": true, "need": true, "like": true}

// relative begin a clause about something.
var relative = map[string]bool{"that": true, "which": true, "who": true, "what": true, "where": true, "from": true, "by": true, "he": true, "she": true, "they": true, "i": true, "we": true, "it's": true, "and": true, "or": true}

// tellers are those who tell what they have, where they don't want it.
var tellers = map[string]bool{"i": true, "we": true, "they": true, "he": true, "she": true, "who": true, "you": true}

// reaches reports whether a message is to reach somebody: "she gets a mail", "they
// should hear from me", "let him have it by mail". What reaches the user himself is
// not meant.
func (r *request) reaches() bool {
	for i, w := range r.words {
		switch {
		case messages[w] && !r.forbidden(i):
			if i > 0 && r.words[i-1] == "by" && !r.within(i, 6, arriving) {
				return true
			}
			if r.within(i, 5, receiving) && !r.within(i, 7, tellers) && !r.within(i, 5, relative) {
				return true
			}
		case w == "hear" || w == "hears":
			if i+2 < len(r.words) && r.words[i+1] == "from" && (r.words[i+2] == "me" || r.words[i+2] == "us") {
				return true
			}
		case w == "know" && i >= 2 && r.words[i-1] == "to" && (r.words[i-2] == "needs" || r.words[i-2] == "need" || r.words[i-2] == "ought" || r.words[i-2] == "has" || r.words[i-2] == "have"):
			if i < 3 || !tellers[r.words[i-3]] {
				return true
			}
		}
	}
	return false
}

// within reports whether one of the words stands at most n words before a place, in
// the same sentence.
func (r *request) within(i, n int, words map[string]bool) bool {
	for k := i - 1; k >= 0 && k >= i-n; k-- {
		if r.begins[k+1] {
			return false
		}
		if words[r.words[k]] {
			return true
		}
	}
	return false
}

// messages are what reaches somebody.
var messages = map[string]bool{"mail": true, "email": true, "message": true, "note": true, "line": true, "dm": true, "text": true, "word": true, "reply": true, "answer": true}

// receiving are verbs of who gets something, or gives it.
var receiving = map[string]bool{"get": true, "gets": true, "getting": true, "have": true, "receive": true, "receives": true, "give": true, "drop": true, "shoot": true,
	"put": true, "compose": true, "write": true, "owe": true, "need": true, "needs": true, "want": true, "dispatch": true, "issue": true, "convey": true}

// arriving are verbs of what came to the user.
var arriving = map[string]bool{"came": true, "comes": true, "come": true, "arrived": true, "arrives": true, "got": true, "received": true, "sent": true, "sends": true, "gave": true, "have": true,
	"told": true, "i": true, "me": true, "us": true, "my": true}
