package rules

import (
	"errors"
	"path"
	"strings"

	"github.com/planlint/planlint/shell"
	"github.com/planlint/planlint/tool"
)

// commandPattern is a pattern over one simple command: shell.Pattern where the
// line was parsed by package shell, else the same word by word. "go test" is
// exactly these words, "go test:*" and "go test *" begin with them, "go test*"
// begins with go and a word that begins with test; a lone * between words
// stands for one or more words. A word with blanks stands in quotes.
type commandPattern struct {
	shell shell.Pattern
	words []string
	// rest: any further words may follow.
	rest    bool
	exact   bool
	literal int
	any     bool
}

// maxRuns bounds the lone * of a pattern, and so the cost of matching.
const maxRuns = 3

func newCommandPattern(text string) (*commandPattern, error) {
	body := strings.TrimSpace(text)
	p := &commandPattern{}
	if inner, ok := strings.CutSuffix(body, ":*"); ok {
		body, p.rest = inner, true
	}
	p.words = shell.PatternFields(body)
	if n := len(p.words); n > 0 && strings.HasSuffix(p.words[n-1], "*") {
		p.rest = true
		if n > 1 && p.words[n-1] == "*" {
			p.words = p.words[:n-1]
		}
	}
	if err := p.check(); err != nil {
		return nil, err
	}
	joined := strings.Join(p.words, " ")
	p.literal = literalPrefix(joined, "*?")
	p.exact = !p.rest && p.literal == len(joined)
	p.any = strings.Trim(joined, "* ") == ""
	if p.rest && joined != "*" {
		joined += " *"
	}
	for i, w := range p.words {
		p.words[i] = shell.Unquote(w)
	}
	var err error
	p.shell, err = shell.CompilePattern(joined)
	return p, err
}

func (p *commandPattern) check() error {
	if len(p.words) == 0 {
		return errors.New("empty command")
	}
	runs := 0
	for _, w := range p.words {
		if w == "*" {
			runs++
		}
		if operator(w) {
			return errors.New("matches nothing: a line is split at " + w + " before its commands are compared")
		}
	}
	if runs > maxRuns {
		return errors.New("too many lone *, at most 3")
	}
	return nil
}

func operator(word string) bool {
	switch word {
	case "&&", "||", "|", "|&", "&", ";", ">", ">>", "<":
		return true
	}
	return false
}

// step returns the parsed command that goes with Commands[i], nil for none.
func step(r *tool.Resolved, i int) *shell.Step {
	if r.Script() == nil || len(r.Script().Steps) != len(r.Commands()) {
		return nil
	}
	return &r.Script().Steps[i]
}

// covers reports whether the pattern alone says yes to a command, by the raw
// program name.
func (p *commandPattern) covers(r *tool.Resolved, i int) bool {
	if r.Script() != nil && r.Script().Broken {
		return false
	}
	if st := step(r, i); st != nil {
		return p.shell.MatchAllow(*st)
	}
	c := &r.Commands()[i]
	return len(c.Words) > 0 && !strings.ContainsAny(c.Words[0], tool.Hole) && p.match(p.words, c.Words)
}

// reaches reports how surely a restriction with this pattern concerns a
// command; the program is compared by its base name too.
func (p *commandPattern) reaches(r *tool.Resolved, i int) reach {
	if st := step(r, i); st != nil {
		if st.Bare() {
			return reachNo
		}
		return reach(p.shell.MatchStep(*st))
	}
	c := &r.Commands()[i]
	switch {
	case len(c.Words) == 0 || strings.Contains(c.Words[0], tool.Hole):
		return reachMay
	case p.match(p.words, c.Words):
		return reachYes
	}
	words := append([]string{path.Base(c.Words[0])}, c.Words[1:]...)
	if p.match(p.words, words) {
		return reachYes
	}
	return reachNo
}

func (p *commandPattern) match(pat, words []string) bool {
	for len(pat) > 0 {
		if pat[0] == "*" && len(pat) > 1 {
			return p.matchRun(pat[1:], words)
		}
		if len(words) == 0 || !wildcard(pat[0], words[0]) {
			return false
		}
		pat, words = pat[1:], words[1:]
	}
	return p.rest || len(words) == 0
}

// matchRun lets a lone * take one or more words, as few as possible first.
func (p *commandPattern) matchRun(pat, words []string) bool {
	for n := 1; n <= len(words); n++ {
		if p.match(pat, words[n:]) {
			return true
		}
	}
	return false
}
