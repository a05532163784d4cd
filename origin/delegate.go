package origin

import (
	"strings"

	"github.com/planlint/planlint/internal/fields"
)

// delegate turns what the delegate text decided into the signal Delegated.
func (j *judgement) delegate() {
	if !j.delegates || j.signals&attack == 0 {
		return
	}
	for k := range j.parts {
		p := &j.parts[k]
		if p.textOnly() && (p.standing == None || j.records[j.leaves[p.leaf].record].loose) && j.role(p) != Amount && j.role(p) != When {
			return // another text than the one that the user pointed at
		}
	}
	j.signals = j.signals&^attack | Delegated
}

// delegates reports whether one of the user's texts hands the choice of acts to
// another text.
func delegates(texts []string) bool {
	for _, t := range texts {
		if newHandover(t).delegates() {
			return true
		}
	}
	return false
}

// handover finds out whether the user hands the choice of acts to a text: he says
// that a text, or who wrote it, knows what is to be done or how, and has that done,
// rather than that he wants to be told. What stands behind a colon is in his own
// words, and so are "the following tasks".
type handover struct {
	wording
	// colons are the words that a colon follows, and then no address.
	colons []bool
}

func newHandover(text string) *handover {
	h := &handover{}
	spans, last := disjoint(addresses(text)), 0
	fields.Words(text, func(w fields.Word) bool {
		start, end := int(w.Start), int(w.End)
		switch word := strings.ToLower(text[start:end]); {
		case !within(start, spans):
			h.add(word, text[last:start], colonAt(text, end, spans))
		case len(h.words) == 0 || h.at(len(h.words)-1) != address:
			h.add(address, text[last:start], false)
		}
		last = end
		return true
	})
	return h
}

// address is the word for an address or path.
const address = "/"

func (h *handover) add(word, before string, colon bool) {
	h.words = append(h.words, word)
	h.begins = append(h.begins, len(h.begins) == 0 || strings.ContainsAny(before, ".?!\n") && strings.ContainsAny(before, " \n"))
	h.colons = append(h.colons, colon)
}

// colonAt reports whether a colon stands at a place of a text, behind marks of
// emphasis at most, and no address behind it.
func colonAt(text string, at int, spans [][2]int) bool {
	rest, ok := strings.CutPrefix(strings.TrimLeft(text[at:], "*_\"')"), ":")
	return ok && !within(len(text)-len(strings.TrimLeft(rest, " \n")), spans)
}

func (h *handover) delegates() bool {
	told, asked, done := false, false, false
	for i := range h.words {
		switch {
		case h.guide(i):
			told = true
			if h.before(i, 7, doing) || h.stands(i) || h.tobe(i) {
				return true // "follow its setup guide", "the steps are at", "the steps should be gone through"
			}
		case h.acts(i) && h.before(i, 6, carrying), h.manner(i), h.open(i), h.left(i):
			return true
		case h.acts(i) && h.words[i] == "do":
			told = true // "there is a to-do list of mine"
		case asking[h.words[i]] && (h.by(i) || h.noted(i)) && !h.question(i):
			if h.before(i, 5, answers) && !h.noted(i) {
				asked = true // "find out what they need", "and do it"
				continue
			}
			told = true // "Kim explains how it is set up"
			if h.before(i, 4, doing) {
				return true
			}
		}
		done = done || told && doing[h.words[i]] && h.refers(i) || asked && h.fulfils(i)
	}
	return done
}

// guide reports whether a text that says what is to be done is spoken of, and one
// that is there already.
func (h *handover) guide(i int) bool {
	return guides[h.words[i]] && !h.own(i) && !h.before(i, 5, making) && !h.before(i, 5, answers)
}

// acts reports whether acts are spoken of that somebody else chose: "the tasks in
// the mail", "my to-do list".
func (h *handover) acts(i int) bool {
	list := h.words[i] == "do" && h.at(i-1) == "to" && h.at(i+1) == "list"
	return (tasks[h.words[i]] || list) && !h.own(i)
}

// stands finds "the steps are at", "the procedure is set out in".
func (h *handover) stands(i int) bool {
	return beings[h.next(i)] && h.behind(i+1, 4, locations)
}

// tobe finds what is said to be done behind a place: "should be worked through".
func (h *handover) tobe(i int) bool {
	for k := i + 1; k < len(h.words) && k <= i+14 && !h.begins[k]; k++ {
		if h.words[k-1] == "be" && finished[h.words[k]] {
			return true
		}
	}
	return false
}

// fulfils finds "do it", "get that done", "take care of it" behind what was to be
// found out.
func (h *handover) fulfils(i int) bool {
	if h.at(i-1) == "to" || h.before(i, 3, self) {
		return false
	}
	switch h.words[i] {
	case "do", "handle", "arrange", "sort", "settle", "fulfil":
		return anaphora[h.next(i)]
	case "get", "have":
		return anaphora[h.next(i)] && finished[h.next(i+1)]
	case "take", "see", "deal", "comply":
		return h.behind(i, 3, anaphora)
	}
	return false
}

// own reports whether what is spoken of follows in the user's own words.
func (h *handover) own(i int) bool {
	return h.colons[i] || h.at(i-1) == "following" || h.at(i-2) == "following" && !articles[h.at(i-1)]
}

// manner finds "as she says", "the way the maintainers want it", "as described in
// the manual", "set it up like that".
func (h *handover) manner(i int) bool {
	w, next := h.words[i], h.next(i)
	switch {
	case next == "" || h.colons[i]:
		return false
	case w == "like" && next == "that":
		return h.before(i, 5, arranging)
	case w == "following" && articles[next]:
		return telltales[h.next(i+1)]
	case next == address:
		return goingBy[w] || w == "at" && starting[h.at(i-1)] || w == "to" && h.at(i-1) == "according" || w == "through" && h.at(i-1) == "work"
	case laidDown[w] && next == "there":
		return beings[h.at(i-1)] || h.at(i-1) == "be" // "it should all be explained there"
	case next == "how" && h.next(i+1) == "":
		return telling[w] && !h.before(i, 3, answers) && (strings.HasSuffix(w, "s") || modal[h.at(i-1)]) // "the letter says how"
	case w == "as" && laidDown[next]:
		return h.behind(i+1, 2, places) && !h.colons[i+2]
	case w == "as", ways[w] && (articles[h.at(i-1)] || h.at(i-1) == "whichever"):
		return !notWho[next] && h.says(i+1, 5)
	}
	return false
}

// open finds "do whatever they need", "give them everything they ask for", "do what
// is necessary", "whichever way she wants it", "what has to change".
func (h *handover) open(i int) bool {
	w, next := h.words[i], h.next(i)
	switch {
	case next == "":
		return false
	case w == "what" && (next == "has" || next == "have"):
		return h.next(i+1) == "to" && happening[h.next(i+2)]
	case (w == "what" || w == "whatever" || w == "everything") && (next == "is" || next == "needs" || next == "has" || next == "falls"):
		return h.before(i, 4, carrying)
	}
	return whatever[w] && h.by(i) && (h.before(i, 6, doing) || h.before(i, 6, working) || next == "way" || h.tobe(i) || h.behind(i, 14, onlyDo))
}

// left finds "do the whole thing", "do the tidying that falls to me", "do all that",
// "do my share".
func (h *handover) left(i int) bool {
	if h.words[i] != "do" && h.words[i] != "handle" {
		return false
	}
	switch noun := h.next(i + 1); h.next(i) {
	case "mine", "ours":
		return true
	case "the", "my":
		return unsaid[noun] || strings.HasSuffix(noun, "ing") && h.next(i+2) == "that"
	case "all":
		return anaphora[noun] || noun == "of" && anaphora[h.next(i+2)]
	}
	return false
}

// refers reports whether the user has done what a word behind a verb refers to: "do
// that", "go by it", "set it up accordingly".
func (h *handover) refers(i int) bool {
	switch h.at(i - 1) {
	case "i", "we", "they":
		return false
	case "to":
		return (h.at(i-2) == "you" || h.at(i-2) == "like") && h.behind(i, 5, anaphora)
	}
	return h.behind(i, 5, anaphora)
}

// by reports whether behind a word somebody else is said to want, say or explain.
func (h *handover) by(i int) bool {
	return !measures[h.at(i+1)] && h.says(i+1, 8)
}

// says reports whether somebody else wants, says or explains something in the n
// words from a place on, before a colon or the end of the sentence.
func (h *handover) says(from, n int) bool {
	for k := from; k < len(h.words) && k < from+n && !h.begins[k]; k++ {
		switch w := h.words[k]; {
		case w == "whose" || w == "i" || w == "me" || w == "you" || w == "we":
			return false
		case h.colons[k]:
			return false
		case telling[w] && k > from && !imperative[h.words[k-1]]:
			return true
		}
	}
	return false
}

// noted reports whether "I wrote down" stands before "how I want it", or "Kim
// explains" before "how the room is prepared".
func (h *handover) noted(i int) bool {
	return (h.before(i, 10, noting) || h.behind(i, 6, promising)) && self[h.next(i)] ||
		mailing[h.at(i-2)] && oneself[h.at(i-1)] || // "she mailed me how to do it"
		!measures[h.at(i+1)] && (h.before(i, 5, explaining) || others[h.at(i-2)] && telling[h.at(i-1)])
}

// question reports whether a word begins a question.
func (h *handover) question(i int) bool {
	return h.begins[i] && questions[h.at(i+1)]
}

var (
	// guides are texts that say how something is done, tasks what is done.
	guides = wordSet("instruction instructions step steps procedure procedures guide guideline guidelines howto tutorial checklist directions protocol requirements rules todo todos chores errands tasks setup")
	tasks  = wordSet("task tasks action actions request requests item items chore chores errand errands readme manual")
	// making are verbs of who writes such a text; answers those of who wants to be told.
	making  = wordSet("write create draft prepare make compose add put translate")
	answers = wordSet("give sum summarising tell tells know see find show summarise summarize summary list explain describe check learn understand wonder look read compare ask asks which")
	// doing are verbs that leave open what is done, carrying those for tasks,
	// arranging those before "like that".
	doing     = wordSet("do does done follow following handle arrange proceed perform complete carry execute finish comply obey observe act process fulfil fulfill go going goes work run take implement apply stick prepare set get per according see deal")
	carrying  = wordSet("do done follow following handle perform complete carry execute finish through care act process solve fulfil fulfill work per according")
	arranging = wordSet("set do make arrange prepare handle leave put")
	// anaphora refer to what was told.
	anaphora = wordSet("that it this them those accordingly so everything all same there way thus rest needful necessary")
	whatever = wordSet("whatever whichever however everything anything all stuff things")
	asking   = wordSet("how what which way things stuff steps changes trouble")
	noting   = wordSet("wrote noted written jotted listed")
	unsaid   = wordSet("preparation preparations formality formalities rest stuff things whole necessary needful share part bit")
	// telling are verbs of who wants something done, or says how.
	telling = union(verbSet("want need ask require request expect tell explain describe list state specify prefer suggest recommend prescribe instruct demand mention wish like work"),
		wordSet("say says said told wrote written writes lays laid takes sets"))
	// explaining are those of them that tell of others only.
	explaining = wordSet("asks requests explains explained describes described lays states specifies instructs prescribes suggests recommends mentions")
	promising  = wordSet("promised agreed offered said committed undertook")
	mailing    = wordSet("mailed emailed wrote sent messaged texted told showed")
	modal      = wordSet("should will must may might")
	goingBy    = wordSet("follow following implement execute per")
	happening  = wordSet("be change happen")
	// beings and locations are what stands between a guide and its place.
	beings    = wordSet("is are stand stands can start starts begin begins")
	starting  = wordSet("start starts begin begins")
	locations = wordSet("at in on under")
	finished  = wordSet("done handled followed completed worked gone sorted met fulfilled settled carried taken dealt observed")
	working   = wordSet("sort make settle meet give hand")
	onlyDo    = wordSet("do")
	// imperative are words behind which a verb is the user's wish.
	imperative = wordSet("and then to please or")
	ways       = wordSet("way manner fashion")
	telltales  = wordSet("description descriptions explanation explanations advice outline wishes notes")
	// laidDown are their participles, places what stands behind them.
	laidDown = wordSet("described explained instructed told laid prescribed set written stated asked required requested shown listed outlined specified directed suggested advised")
	places   = wordSet("there here in on by at")
	// notWho can't be who says something.
	notWho    = wordSet("i we you if a an soon well much many long far often described below above")
	articles  = wordSet("the this that these those his her its their our all exactly")
	measures  = wordSet("much many long old far often big")
	questions = wordSet("is are was were do does did has have can could will would should")
)
