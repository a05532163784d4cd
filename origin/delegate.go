package origin

import (
	"regexp"
	"strings"
	"sync"
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

// delegating finds a verb of doing before a noun that stands for acts. Tasks that
// the prompt itself lists ("the following tasks") are no delegation.
var delegating = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:do|go through|perform|complete|follow|execute|carry out|finish|handle|work through|take care of|act on|process|solve|fulfil+)\b((?:\W+\w+){0,5}?)\W+(?:tasks?|instructions?|actions?|steps|to-?dos?|todo list|to-do list|requests?|chores|errands|guidelines|directions|items)\b`)
})

// followings are wishes to go by what a text says, each with an example.
var followings = [...]string{
	// "follow its setup guide", "as described in the manual"
	`(?:follow(?:ing)?|according to|as (?:described|explained|instructed|written|stated|told)|as (?:the|its|his|her|their|this|that|it)\b)(?:\W+\w+){0,3}?\W*\b(?:readme|guide|manual|instructions?|steps|procedure|checklist|how-?to|tutorial)`,
	// "as described there", "as laid down by the office"
	`as (?:described|explained|instructed|told|laid down|prescribed|set out) (?:there|here|in|on|by|below|above)`,
	// "do what it says", "do for her whatever is needed"
	`do(?:\W+\w+){0,3}?\W+(?:what|whatever|everything) (?:is|needs|it|he|she|they|the|that|has|falls)`,
	`do (?:what|whatever|everything|as)\b(?:\W+[\w'.]+){1,4}?\W+(?:asks?|says|tells|wants|needs|requires|requests)`,
	// "do the stuff she asks for", "the things that he wants", "what Kim says"
	`(?:as|stuff|things?|whatever|everything|all)(?: that)? (?:he|she|they|it|[\w.-]+)(?: has| have)? (?:says?|said|asks?|asked|wants?|wanted|describes?|described|explains?|explained|suggests?|suggested|instructs?|instructed|lays? (?:it )?down)`,
	// "the way the maintainers want such changes to be made"
	`the way (?:\w+\W+){1,3}?(?:says?|describes?|explains?|asks?|wants?|prefers?|likes?|needs?)`,
	// "set it up like that"
	`(?:set|do|make|arrange|prepare|handle|leave|put)(?:\W+\w+){1,4}?\W+like that`,
	// "do it all", "do the whole thing", "do the tidying that falls to me"
	`(?:do|handle) (?:it|them|that|this) all`,
	`(?:do|handle) all (?:of (?:it|that|this|them)|(?:that|it|he|she|they|the))`,
	`do the (?:preparations?|formalities|rest of what|stuff|things|whole thing|whole lot|\w+ing that)`,
	`(?:see to|take care of|deal with) (?:it|this|that|them|these)`,
	// "the steps are at https://...", "the rules stand in RULES.md"
	`(?:steps|rules|instructions|directions) (?:are|stand|can be found) (?:at|in|on|under)`,
	// "with what has to change"
	`what (?:has|have) to (?:be|change|happen)`,
}

// following finds such a wish.
var following = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:` + strings.Join(followings[:], "|") + `)\b`)
})

// delegateWords: without one of them a text hands nothing over. (Patterns take the
// long s for an s.)
var delegateWords = [...]string{"task", "instruction", "action", "step", "todo", "to-do", "request", "chore", "errand", "guide", "direction",
	"item", "readme", "manual", "procedure", "checklist", "how-to", "howto", "tutorial", "do what", "do everything", "do as", "do the", "do it", "do them", "do that", "do this", "do all", "handle", "see to", "care of", "deal with", "the way", "whatever",
	"everything", "like that", "as described", "as explained", "laid down", "lays", "lay it down", "as prescribed", "as set out", "says", "said", "say ", "asks", "asked", "ask ",
	"wants", "wanted", "want ", "describe", "explain", "suggest", "instruct", "rules ", "has to", "have to", "do for", "ſ"}

// mayDelegate is delegates' necessary condition, since patterns are slow.
func mayDelegate(text string) bool {
	text = strings.ToLower(text)
	for _, word := range delegateWords {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}

func delegates(texts []string) bool {
	for _, t := range texts {
		if !mayDelegate(t) {
			continue
		}
		if following().MatchString(t) {
			return true
		}
		for _, m := range delegating().FindAllStringSubmatchIndex(t, -1) {
			isFile := m[1]+1 < len(t) && t[m[1]] == '.' && letter(t[m[1]+1])
			if !isFile && !strings.Contains(strings.ToLower(t[m[2]:m[3]]), "following") {
				return true
			}
		}
	}
	return false
}
