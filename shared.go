package planlint

import (
	"github.com/planlint/planlint/finding"
	"github.com/planlint/planlint/taint"
)

// shared keeps what the reports of many calls have in common in one place: most
// calls of a plan carry one of a few sets of labels and are answered alike.
type shared struct {
	universe *taint.Universe
	names    map[taint.Set][]string
	carried  map[carried]*finding.Carried
	// answers is the last answer by rule.
	answers map[string]*finding.Answer
}

// carried are the labels of a call's arguments, output and context.
type carried struct{ in, out, context taint.Set }

func newShared(u *taint.Universe) *shared {
	return &shared{universe: u, names: map[taint.Set][]string{},
		carried: map[carried]*finding.Carried{}, answers: map[string]*finding.Answer{}}
}

func (s *shared) labels(in, out, context taint.Set) *finding.Carried {
	key := carried{in, out, context}
	c, ok := s.carried[key]
	if !ok {
		c = &finding.Carried{LabelsIn: s.namesOf(in), LabelsOut: s.namesOf(out), LabelsContext: s.namesOf(context)}
		s.carried[key] = c
	}
	return c
}

func (s *shared) namesOf(set taint.Set) []string {
	names, ok := s.names[set]
	if !ok {
		names = s.universe.Names(set)
		s.names[set] = names
	}
	return names
}

// answer returns the answer, or an equal one that its rule gave last.
func (s *shared) answer(a *finding.Answer) *finding.Answer {
	if last := s.answers[a.Rule]; last != nil && *last == *a {
		return last
	}
	own := *a
	s.answers[a.Rule] = &own
	return &own
}
