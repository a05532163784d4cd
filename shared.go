package planlint

import (
	"github.com/planlint/planlint/finding"
	"github.com/planlint/planlint/taint"
)

// maxShared is how many answers are remembered to be given again: reasons that quote
// their call would fill the memory that sharing saves.
const maxShared = 256

// shared keeps what the reports of many calls have in common in one place: most
// calls of a plan carry one of a few sets of labels and are answered alike.
type shared struct {
	universe *taint.Universe
	names    map[taint.Set][]string
	carried  map[carried]*finding.Carried
	// answers are the first maxShared different ones.
	answers map[finding.Answer]*finding.Answer
}

// carried are the labels of a call's arguments, output and context.
type carried struct{ in, out, context taint.Set }

func newShared(u *taint.Universe) *shared {
	return &shared{universe: u, names: map[taint.Set][]string{},
		carried: map[carried]*finding.Carried{}, answers: map[finding.Answer]*finding.Answer{}}
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

// answer returns the answer, or an equal one that was given before.
func (s *shared) answer(a *finding.Answer) *finding.Answer {
	if given := s.answers[*a]; given != nil {
		return given
	}
	own := *a
	if len(s.answers) < maxShared {
		s.answers[own] = &own
	}
	return &own
}
