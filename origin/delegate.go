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

// following finds the wish to go by what a text describes.
var following = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:follow(?:ing)?|according to|as (?:described|explained|instructed|written|stated|told)|as (?:the|its|his|her|their|this|that|it)\b)((?:\W+\w+){0,3}?)\W*\b(?:readme|guide|manual|instructions?|steps|procedure|checklist|how-?to|tutorial)\b|\bdo (?:what|whatever|everything) (?:is|it|he|she|they|the|that)\b|\bdo (?:what|whatever|everything|as)\b(?:\W+[\w'.]+){1,4}?\W+(?:asks?|says|tells|wants|needs|requires|requests)\b|\bthe way (?:it|the|this|that|they|he|she)\b(?:\W+\w+){0,2}?\W+(?:says?|describes?|explains?|asks?)\b|\b(?:do|handle) (?:it|them|that|this) all\b|\b(?:do|handle) all (?:of (?:it|that|this|them)|(?:that|it|he|she|they|the)\b)|\bdo the (?:preparations?|formalities|rest of what)\b`)
})

// delegateWords: without one of them a text hands nothing over. (Patterns take the
// long s for an s.)
var delegateWords = [...]string{"task", "instruction", "action", "step", "todo", "to-do", "request", "chore", "errand", "guide", "direction",
	"item", "readme", "manual", "procedure", "checklist", "how-to", "howto", "tutorial", "do what", "do everything", "do as", "do the", "do it", "do them", "do that", "do this", "do all", "handle", "the way", "ſ"}

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
