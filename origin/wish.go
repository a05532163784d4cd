package origin

import (
	"slices"
	"strings"
)

// parse tells the words by which the user wishes something done from those that
// tell what somebody does or did.
func (r *request) parse() {
	r.mute, r.infinitives = make([]bool, len(r.words)), make([]string, len(r.words))
	start := 0 // of the sentence
	for i, w := range r.words {
		if r.begins[i] {
			start = i
		}
		if i > start && participle(w) && !(inquiring[r.words[start]] && i-start <= maxQuestion) && r.passive(i) {
			r.infinitives[i] = infinitive(w)
			r.mute[i] = r.forbidden(i)
			continue
		}
		r.mute[i] = reporting[w] || past(w) || r.forbidden(i) || r.told(i)
	}
}

// maxQuestion is how far behind its first word a question asks for what was done.
const maxQuestion = 6

// answers reports whether a word asks for an answer and for no act: "tell me", "let
// us know", "I'd like to be told".
func (r *request) answers(i int) bool {
	if answering[r.words[i]] {
		return i+1 < len(r.words) && (r.words[i+1] == "me" || r.words[i+1] == "us" || r.words[i] == "let" && r.words[i+1] == "s")
	}
	if i > 2 && answering[r.infinitives[i]] && r.words[i-1] == "be" && r.words[i-2] == "to" {
		return r.before(i-2, 3, self)
	}
	return false
}

// answering are verbs that with "me" ask for an answer.
var answering = wordSet("tell give show let inform send mail email message text write remind read report answer say notify update advise keep ask")

// forbidden reports whether the word is behind a "not" or the like, or asks what
// somebody does or did ("what did Ann say"), or is what the user always does ("what
// I pay").
func (r *request) forbidden(i int) bool {
	if r.inClause(i, 6, nothing) || r.inClause(i, 3, refusing) {
		return true
	}
	if i > 1 && self[r.words[i-1]] && naming[r.words[i-2]] && !r.begins[i-1] {
		return true
	}
	for k := i - 1; k >= max(0, i-3) && !r.begins[i] && !r.commas[k+1]; k-- {
		switch r.words[k] {
		case "did", "does", "avoid", "refrain":
			return true
		case "off", "of":
			if b := r.at(k - 1); b == "hold" || b == "instead" {
				return true
			}
		}
	}
	for k := i - 1; k >= max(0, i-2) && !joining[r.words[k]] && !r.commas[k+1]; k-- {
		switch w := r.words[k]; {
		case w == "not" && r.at(k-1) != "why" || w == "never" && r.at(k+1) != "mind" || w == "without" && r.at(k+1) != "delay" || w == "no" && !r.begins[i] && i-k == 1:
			return true
		case w == "t" && negations[r.at(k-1)] && r.at(k-2) != "why" && r.at(k+1) != "you":
			return true
		}
	}
	return false
}

// inClause is before, as far as the clause goes.
func (r *request) inClause(i, n int, words map[string]bool) bool {
	return r.back(i, n, func(k int) (found, end bool) {
		end = r.commas[k+1] || joining[r.words[k]]
		return !end && words[r.words[k]], end
	})
}

// forbids reports whether the user says of one of the acts that it is not to be done.
func (r *request) forbids(acts Acts) bool { return r.forbiddenActs.of(acts, r.forbidsOne) }

func (r *request) forbidsOne(acts Acts) bool {
	v := vocabularyOnce()
	for i, w := range r.words {
		if !r.forbidden(i) {
			continue
		}
		for a := range v.acts {
			if acts&(1<<a) != 0 && v.acts[a].means(w) {
				return true
			}
		}
	}
	return false
}

var (
	// naming are words that with "I do" name what is done.
	naming = wordSet("what which that much whom who")
	self   = wordSet("i we")
	// nothing stand before what is not to be done: "nothing must be cancelled", "under
	// no circumstances cancel"; so does what somebody refuses.
	nothing   = wordSet("nothing nobody none circumstances")
	negations = wordSet("don doesn didn won shouldn mustn can couldn wouldn isn aren wasn")
	joining   = wordSet("and but then so")
	refusing  = wordSet("refuse refused decline declined forbid forbidden prohibit prohibited")
)

// told reports whether the verb at a place is of what somebody does: "they write",
// "has been mailing", "the ordering".
func (r *request) told(i int) bool {
	w := r.words[i]
	if i == 0 || r.begins[i] {
		return r.followed(i)
	}
	before := r.words[i-1]
	if others[before] {
		return true
	}
	if strings.HasSuffix(w, "ing") {
		if article[before] {
			return i < 2 || r.words[i-2] != "do"
		}
		return lasting[before] || i > 1 && lasting[r.words[i-2]] && !r.begins[i-1] && !self[before]
	}
	return false
}

// followed reports whether a word that begins a sentence is a noun by what follows:
// "Mail from Ann", "Message about the party".
func (r *request) followed(i int) bool {
	return messages[r.words[i]] && afterNouns[r.next(i)]
}

var (
	others     = wordSet("they he she people who everybody everyone others somebody someone")
	article    = wordSet("the a an my your his her their our its this that")
	lasting    = wordSet("been is are was were keeps kept s re")
	afterNouns = wordSet("from came comes arrived says said is was about re has")
)

// participle reports whether a word may be one.
func participle(w string) bool { return irregular[w] != "" || strings.HasSuffix(w, "ed") }

// past reports whether a word tells of what was done, where nothing says that it is to
// be done.
func past(w string) bool {
	return len(w) > 4 && strings.HasSuffix(w, "ed") && !strings.HasSuffix(w, "eed") && w != "embed"
}

// infinitive returns that of a participle, as the vocabulary has it.
func infinitive(w string) string {
	if base := irregular[w]; base != "" {
		return base
	}
	stem := strings.TrimSuffix(w, "ed")
	forms := []string{stem, stem + "e"}
	if n := len(stem); n > 2 && stem[n-1] == stem[n-2] {
		forms = append(forms, stem[:n-1])
	}
	if y, ok := strings.CutSuffix(stem, "i"); ok {
		forms = append(forms, y+"y")
	}
	if i := slices.IndexFunc(forms, vocabularyOnce().asks); i >= 0 {
		return forms[i]
	}
	return stem
}

// irregular are the participles of verbs that people ask with.
var irregular = map[string]string{"paid": "pay", "sent": "send", "bought": "buy", "told": "tell", "given": "give", "made": "make", "written": "write",
	"taken": "take", "put": "put", "thrown": "throw", "gotten": "get", "got": "get", "let": "let", "kept": "keep", "brought": "bring", "set": "set",
	"handed": "hand", "kicked": "kick", "cut": "cut", "gone": "go", "done": "do", "shut": "shut", "withdrawn": "withdraw", "spent": "spend", "lent": "lend",
	"sold": "sell", "chosen": "choose", "undone": "undo", "overwritten": "overwrite", "rid": "rid", "said": "say", "found": "find", "read": "read", "known": "know"}

// passive reports whether the participle at a place is of what the user wants done:
// "have it deleted", "it ought to be sent", "once you have invited her"; not of what
// somebody did. It is none at the start of a sentence.
func (r *request) passive(i int) bool {
	if auxiliary[r.words[i-1]] || i > 1 && adverb(r.words[i-1]) && auxiliary[r.words[i-2]] {
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

func adverb(w string) bool {
	return strings.HasSuffix(w, "ly") || w == "also" || w == "all" || w == "then" || w == "both" || w == "up" || w == "now"
}

// maxBetween is how many words may stand between "have" and what is to be done.
const maxBetween = 8

// reaches reports whether a message is to reach somebody: "she gets a mail", "they
// should hear from me", "let him have it by mail". What reaches the user himself is
// not meant.
func (r *request) reaches() bool {
	for i, w := range r.words {
		switch {
		case messages[w] && !r.forbidden(i):
			if i > 0 && r.words[i-1] == "by" && !r.before(i, 6, arriving) && !r.happened(i, 6) || r.behind(i, 3, going) {
				return true
			}
			if r.before(i, 5, receiving) && !r.before(i, 7, tellers) && !r.before(i, 5, relative) {
				return true
			}
		case w == "hear" || w == "hears":
			if r.next(i) == "from" && sides[r.next(i+1)] {
				return true
			}
		case w == "know" && r.before(i, 3, having) && !r.before(i, 4, tellers):
			return true
		}
	}
	return false
}

// happened reports whether one of the n words before a place tells what somebody
// did, in the same sentence.
func (r *request) happened(i, n int) bool {
	return r.back(i, n, func(k int) (found, end bool) {
		return strings.HasSuffix(r.words[k], "ed") && r.infinitives[k] == "", false
	})
}

var (
	// auxiliary stand before what is to be done, causing are verbs of who lets
	// something be done by others, wanting those that a wish of one's own begins with.
	auxiliary = wordSet("be being get gets getting become becomes end ends")
	causing   = wordSet("have get want prefer need wants needs like see ensure sure")
	wanting   = wordSet("want need like prefer")
	// inquiring begin a question for what was done: "was the dentist cancelled?", "which
	// issues are closed?".
	inquiring = wordSet("was were is are did does which what who")
	// relative begin a clause about something, tellers tell what they have.
	relative = wordSet("that which who what where from by he she they i we it's and or")
	tellers  = wordSet("i we they he she who you")
	// messages are what reaches somebody, receiving verbs of who gets something or
	// gives it, arriving those of what came to the user, going of what goes to others.
	messages  = wordSet("mail email message note line dm text word reply answer")
	receiving = wordSet("get gets getting have receive receives give drop shoot put compose write owe need needs want dispatch issue convey")
	arriving  = wordSet("came comes come arrived arrives got received sent sends gave have told i me us my")
	going     = wordSet("go goes")
	sides     = wordSet("me us you")
	having    = wordSet("needs need ought has have must should")
)

// nounAt reports whether the word before makes a word a noun: "the order", but
// not "after that transfer".
func (r *request) nounAt(i int) bool {
	if r.begins[i] || !beforeNouns[r.words[i-1]] {
		return false
	}
	return !(r.words[i-1] == "that" && i > 1 && (r.words[i-2] == "after" || r.words[i-2] == "before"))
}

// reporting are forms that tell what somebody does or did, and ask for nothing.
var reporting = wordSet("says said tells told asks asked sends sent mailed emailed messaged texted wrote writes posted posts shared gave gives paid bought ordered booked invited received got added opened created deleted removed changed signed")
