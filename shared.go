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
	names    few[taint.Set, []string]
	carried  few[carried, *finding.Carried]
	// answers are the first maxShared different ones.
	answers few[finding.Answer, *finding.Answer]
}

// carried are the labels of a call's arguments, output and context.
type carried struct{ in, out, context taint.Set }

func (s *shared) labels(in, out, context taint.Set) *finding.Carried {
	key := carried{in, out, context}
	c, ok := s.carried.get(&key)
	if !ok {
		c = &finding.Carried{LabelsIn: s.namesOf(in), LabelsOut: s.namesOf(out), LabelsContext: s.namesOf(context)}
		s.carried.put(&key, c)
	}
	return c
}

func (s *shared) namesOf(set taint.Set) []string {
	names, ok := s.names.get(&set)
	if !ok {
		names = s.universe.Names(set)
		s.names.put(&set, names)
	}
	return names
}

// answer returns the answer, or an equal one that was given before.
func (s *shared) answer(a *finding.Answer) *finding.Answer {
	given, ok := s.answers.get(a)
	if !ok {
		own := *a
		given = &own
		if s.answers.len() < maxShared {
			s.answers.put(a, given)
		}
	}
	return given
}

// few is a map that is nearly always asked for one of its first keys. They are
// compared one by one.
type few[K comparable, V any] struct {
	keys   [8]K
	values [8]V
	n      int
	more   map[K]V
}

func (f *few[K, V]) len() int { return f.n + len(f.more) }

func (f *few[K, V]) get(key *K) (V, bool) {
	for i := range f.keys[:f.n] {
		if f.keys[i] == *key {
			return f.values[i], true
		}
	}
	v, ok := f.more[*key]
	return v, ok
}

// put adds a key that is not there yet.
func (f *few[K, V]) put(key *K, v V) {
	if f.n < len(f.keys) {
		f.keys[f.n], f.values[f.n] = *key, v
		f.n++
		return
	}
	if f.more == nil {
		f.more = make(map[K]V)
	}
	f.more[*key] = v
}
