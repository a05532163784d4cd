package tool

import (
	"fmt"
	"strings"
)

// Commander matches simple commands: "git push:*" and "git push *" by leading
// words, "make" by all of them.
type Commander struct {
	words  []string
	prefix bool
}

// CompileCommand reads what stands in Bash(...).
func CompileCommand(text string) (*Commander, error) {
	c := &Commander{}
	for _, end := range []string{":*", " *"} {
		if head, ok := strings.CutSuffix(text, end); ok && !c.prefix {
			text, c.prefix = head, true
		}
	}
	if text == "*" {
		text, c.prefix = "", true
	}
	if c.words = strings.Fields(text); len(c.words) == 0 && !c.prefix {
		return nil, fmt.Errorf("no command in %q", text)
	}
	return c, nil
}

func (c *Commander) any() bool { return len(c.words) == 0 }

// MatchAllow reports whether the pattern covers r.Commands()[i].
func (c *Commander) MatchAllow(r *Resolved, i int) bool {
	return r.Commands()[i].Known && c.match(r.Commands()[i].Words)
}

// MatchRestrict says whether one of the commands is, or may be, the pattern's.
func (c *Commander) MatchRestrict(r *Resolved) Match {
	best := NoMatch
	for i := range r.Commands() {
		best = max(best, c.matchOne(r, i))
	}
	return best
}

func (c *Commander) matchOne(r *Resolved, i int) Match {
	if c.match(r.Commands()[i].Words) {
		return Matches
	}
	return NoMatch
}

func (c *Commander) match(words []string) bool {
	if len(words) < len(c.words) || !c.prefix && len(words) != len(c.words) {
		return false
	}
	for i, w := range c.words {
		if !globText(w, words[i]) {
			return false
		}
	}
	return true
}
