package session

import (
	"slices"

	"github.com/planlint/planlint/rules"
)

// Subject is what an approval is of: the same tool identity, paths, hosts,
// programs and recipients, with no new labels, and for an escalated call the
// same audience.
type Subject struct {
	// Key is a digest of the tool and what it touches.
	Key string `json:"key"`
	// Labels are those of the arguments, context included.
	Labels []string `json:"labels,omitempty"`
	// Audience is set for an escalated call.
	Audience string `json:"audience,omitempty"`
	// Widest is the longest scope that the call allows.
	Widest rules.Scope `json:"widest"`
	// Shown is the call as a person reads it; Rule a narrow rule that would
	// answer it, "" for none.
	Shown string `json:"shown,omitempty"`
	Rule  string `json:"rule,omitempty"`
}

// grant is a remembered answer.
type grant struct {
	Subject
	scope rules.Scope
	task  int
	by    string
	spent bool
}

var scopes = []rules.Scope{rules.Once, rules.Task, rules.Session}

func (s *Session) applyGrant(r *record) {
	g := grant{task: r.Task, by: r.By}
	if r.Subject != nil {
		g.Subject = *r.Subject
	}
	for _, scope := range scopes {
		if scope.String() == r.Scope {
			g.scope = scope
		}
	}
	s.grants = append(s.grants, g)
}

// approve remembers that a person let an asked call run, until the user's next
// prompt.
func (s *Session) approve(subject *Subject) {
	s.Grant(*subject, min(rules.Task, subject.Widest), "the client's prompt")
}

// Grant remembers a person's approval. It is never wider than the subject
// allows.
func (s *Session) Grant(subject Subject, scope rules.Scope, by string) {
	scope = min(scope, subject.Widest, rules.Session)
	s.add(record{Kind: kindGrant, Subject: &subject, Scope: scope.String(), Task: s.task, By: by})
}

// Granted returns the remembered approval of a subject with no new labels.
func (s *Session) Granted(subject Subject) (rules.Grant, bool) {
	for i := range s.grants {
		g := &s.grants[i]
		if g.spent || g.Key != subject.Key || g.Audience != subject.Audience || g.scope > subject.Widest {
			continue
		}
		if g.scope == rules.Task && g.task != s.task {
			continue
		}
		if !subset(subject.Labels, g.Labels) || subject.Audience != "" && !subset(g.Labels, subject.Labels) {
			continue
		}
		return rules.Grant{Scope: g.scope, By: g.by}, true
	}
	return rules.Grant{}, false
}

// Spend uses up a grant that holds once.
func (s *Session) Spend(subject Subject) {
	for i := range s.grants {
		if g := &s.grants[i]; !g.spent && g.scope == rules.Once && g.Key == subject.Key {
			s.add(record{Kind: kindSpend, At: i})
			return
		}
	}
}

func (s *Session) spend(i int) {
	if i >= 0 && i < len(s.grants) {
		s.grants[i].spent = true
	}
}

// endTask lets the approvals of the task before end.
func (s *Session) endTask() {
	for i := range s.grants {
		if s.grants[i].scope == rules.Task && s.grants[i].task != s.task {
			s.grants[i].spent = true
		}
	}
}

func subset(a, b []string) bool {
	for _, x := range a {
		if !slices.Contains(b, x) {
			return false
		}
	}
	return true
}
