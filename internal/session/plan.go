package session

import (
	"slices"
	"strconv"
	"strings"

	"github.com/planlint/planlint/plan"
)

func itoa(n int) string { return strconv.Itoa(n) }

// noteLost is the diagnostic of a session that outgrew its bounds.
const noteLost = "PL9055"

// Plan returns the session so far as a plan, with the arguments of this
// process's calls and the outputs that it saw in clear, and in all else the
// words in clear that the arguments mention.
func (s *Session) Plan(env plan.Env) *plan.Plan {
	env.Cwd = cmpOr(s.Cwd, env.Cwd)
	p := &plan.Plan{ID: s.ID, Source: "session " + s.ID, Format: s.Client, Env: env}
	said := s.mentioned()
	for i := range s.calls {
		c := s.calls[i].Call
		c.Index = i
		if out, ok := s.came[i]; ok {
			c.Output = out
		} else {
			c.Output = said.value(c.Output)
		}
		if args, ok := s.clear[i]; ok {
			c.Args = args
		} else if s.calls[i].secret {
			c.Args = said.value(c.Args)
		}
		p.Calls = append(p.Calls, c)
	}
	for i := range s.texts {
		t := s.texts[i].Text
		t.Text = said.text(t.Text)
		p.Texts = append(p.Texts, t)
	}
	slices.SortStableFunc(p.Texts, func(a, b plan.Text) int { return a.Before - b.Before })
	p.Agents = append([]plan.Agent{{Name: plan.MainAgent, SpawnedBy: -1}}, s.agents...)
	if s.lost {
		p.Notes = append(p.Notes, plan.Note{ID: noteLost, Call: -1,
			Message: "the session is longer than planlint keeps; flows from its oldest calls may be missing",
			Hint:    "start a new session for a new task"})
	}
	return p
}

func cmpOr(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// mentions maps the masks of words to the words.
type mentions map[string]string

// mentioned are the words that the calls of this process mention.
func (s *Session) mentioned() mentions {
	m := mentions{}
	for i := range s.clear {
		args := s.clear[i]
		eachMention(&args, func(w string) {
			if len(w) >= minMasked {
				m[strings.ToLower(s.mask.word(w))] = w
			}
		})
	}
	return m
}

func (m mentions) text(s string) string {
	if len(m) == 0 {
		return s
	}
	return replaceWords(s, func(w string) string {
		if clear, ok := m[w]; ok {
			return clear
		}
		if clear, ok := m[strings.ToLower(w)]; ok {
			return clear
		}
		return w
	})
}

func (m mentions) value(v plan.Value) plan.Value {
	if len(m) == 0 {
		return v
	}
	return mapStrings(v, m.text)
}

// sealArguments masks the secrets in the arguments of this process's calls
// before they are written.
func (s *Session) sealArguments() {
	known := secrets{mask: s.mask, words: map[string]bool{}, pairs: map[[2]string]bool{}}
	for i := range s.calls {
		if s.calls[i].secret {
			known.learn(&s.calls[i].Output)
		}
	}
	for k := range s.pending {
		r := &s.pending[k]
		if r.Kind != kindCall {
			continue
		}
		index := len(s.calls) - s.callsFrom(k)
		if !s.calls[index].secret {
			continue
		}
		masked := mapStrings(s.clear[index], known.hide)
		r.Args = JSON(&masked)
		s.calls[index].Args = masked
	}
}

// callsFrom counts the pending call records from one on.
func (s *Session) callsFrom(k int) int {
	n := 0
	for ; k < len(s.pending); k++ {
		if s.pending[k].Kind == kindCall {
			n++
		}
	}
	return n
}
