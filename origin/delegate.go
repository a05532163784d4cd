package origin

import (
	"regexp"
	"strings"
	"sync"
)

// delegate turns what the delegate text decided into the signal Delegated.
func (j *judgement) delegate() {
	if !j.delegates || j.out.Signals&attack == 0 {
		return
	}
	for k := range j.out.Parts {
		p := &j.out.Parts[k]
		if p.textOnly() && (p.Standing == None || j.records[j.leaves[p.leaf].record].loose) && j.role(p) != Amount && j.role(p) != When {
			return // another text than the one that the user pointed at
		}
	}
	j.out.Signals = j.out.Signals&^attack | Delegated
}

// delegating finds a verb of doing before a noun that stands for acts. Tasks that
// the prompt itself lists ("the following tasks") are no delegation.
var delegating = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:do|go through|perform|complete|follow|execute|carry out|finish|handle|work through|take care of|act on|process|solve|fulfil+)\b((?:\W+\w+){0,5}?)\W+(?:tasks?|instructions?|actions?|steps|to-?dos?|todo list|to-do list|requests?|chores|errands|guidelines|directions|items)\b`)
})

// following finds the wish to go by what a text describes.
var following = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:follow(?:ing)?|according to|as (?:described|explained|instructed|written|stated|told)|as (?:the|its|his|her|their|this|that|it)\b)((?:\W+\w+){0,3}?)\W*\b(?:readme|guide|manual|instructions?|steps|procedure|checklist|how-?to|tutorial)\b|\bdo (?:what|whatever|everything) (?:is|it|he|she|they|the|that)\b|\bdo (?:what|whatever|everything|as)\b(?:\W+[\w'.]+){1,4}?\W+(?:asks?|says|tells|wants|needs|requires|requests)\b|\bthe way (?:it|the|this|that|they|he|she)\b(?:\W+\w+){0,2}?\W+(?:says?|describes?|explains?|asks?)\b|\bdo the (?:preparations?|formalities|rest of what)\b`)
})

func delegates(texts []string) bool {
	for _, t := range texts {
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
