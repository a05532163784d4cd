package taint

import (
	"fmt"
	"math/bits"
	"sort"
	"strings"
)

// Label is one thing that data carries: its number in a Universe.
type Label uint8

// MaxLabels is how many labels one Universe can hold: built-in and own ones.
const MaxLabels = 64

// The built-in labels. The bottoms "public", "trusted" and "everyone" are the
// absence of a label.
const (
	Internal Label = iota
	Private
	Secret
	Credential
	PII
	Financial
	SourceCode
	Untrusted
	builtinLabels
)

// Set is a set of labels of one Universe; the zero Set is the lattice's bottom
// and join is bitwise or.
type Set uint64

// Of returns the set of the given labels.
func Of(labels ...Label) Set {
	var s Set
	for _, l := range labels {
		s |= 1 << l
	}
	return s
}

// Has reports whether the label is in the set.
func (s Set) Has(l Label) bool { return s&(1<<l) != 0 }

// Join returns the labels of both.
func (s Set) Join(o Set) Set { return s | o }

// Without returns the set less the labels of o.
func (s Set) Without(o Set) Set { return s &^ o }

// Intersects reports whether a label is in both.
func (s Set) Intersects(o Set) bool { return s&o != 0 }

// Contains reports whether all labels of o are in s.
func (s Set) Contains(o Set) bool { return s&o == o }

// Len returns how many labels the set holds.
func (s Set) Len() int { return bits.OnesCount64(uint64(s)) }

// Each calls f for every label in the set, in ascending order.
func (s Set) Each(f func(Label)) {
	for ; s != 0; s &= s - 1 {
		f(Label(bits.TrailingZeros64(uint64(s))))
	}
}

// LabelKind says which side of the lattice a label is on.
type LabelKind uint8

// The kinds of label.
const (
	Confidentiality LabelKind = iota
	Integrity
)

// LabelDef declares a label of a policy's own.
type LabelDef struct {
	Name string
	Kind LabelKind
	// Level is the built-in confidentiality level that the label implies:
	// "", "internal", "private" or "secret".
	Level string
}

// Universe is the closed set of labels that one policy knows. It is immutable.
type Universe struct {
	names []string
	kinds []LabelKind
	// level is 0 for none, 1 internal, 2 private, 3 secret.
	level     []uint8
	index     map[string]Label
	integrity Set
}

var builtinDefs = [builtinLabels]LabelDef{
	Internal:   {Name: "internal", Level: "internal"},
	Private:    {Name: "private", Level: "private"},
	Secret:     {Name: "secret", Level: "secret"},
	Credential: {Name: "credential", Level: "secret"},
	PII:        {Name: "pii", Level: "private"},
	Financial:  {Name: "financial", Level: "private"},
	SourceCode: {Name: "source-code", Level: "internal"},
	Untrusted:  {Name: "untrusted", Kind: Integrity},
}

var levels = map[string]uint8{"": 0, "public": 0, "internal": 1, "private": 2, "secret": 3}

// NewUniverse returns the built-in labels and the given ones, numbered in order.
// Too many labels, a name given twice and an unknown level are errors.
func NewUniverse(own ...LabelDef) (*Universe, error) {
	u := &Universe{index: make(map[string]Label, len(builtinDefs)+len(own))}
	for _, d := range builtinDefs {
		u.add(d)
	}
	for _, d := range own {
		if _, taken := u.index[d.Name]; taken || bottom(d.Name) {
			return nil, fmt.Errorf("label %q is already defined", d.Name)
		}
		if _, ok := levels[d.Level]; !ok {
			return nil, fmt.Errorf("label %q: unknown level %q", d.Name, d.Level)
		}
		if len(u.names) == MaxLabels {
			return nil, fmt.Errorf("label %q is one too many: at most %d", d.Name, MaxLabels)
		}
		u.add(d)
	}
	return u, nil
}

func (u *Universe) add(d LabelDef) {
	l := Label(len(u.names))
	u.names = append(u.names, d.Name)
	u.kinds = append(u.kinds, d.Kind)
	u.level = append(u.level, levels[d.Level])
	u.index[d.Name] = l
	if d.Kind == Integrity {
		u.integrity |= 1 << l
	}
}

func bottom(name string) bool { return name == "public" || name == "trusted" }

// Lookup returns the set that a label's name stands for: one label, or none for
// the bottoms "public" and "trusted". ok is false where the name is unknown.
func (u *Universe) Lookup(name string) (s Set, ok bool) {
	if bottom(name) {
		return 0, true
	}
	l, ok := u.index[name]
	if !ok {
		return 0, false
	}
	return 1 << l, true
}

// AtLeast returns what a rule means by a label: a level matches itself, every
// higher level and every label that implies one; others match only themselves.
func (u *Universe) AtLeast(l Label) Set {
	s := Set(1) << l
	if l > Secret {
		return s
	}
	for i, level := range u.level {
		if u.kinds[i] == Confidentiality && level >= u.level[l] {
			s |= 1 << Label(i)
		}
	}
	return s
}

// Integrity returns the labels that say data can't be trusted; all others say
// who may not see it.
func (u *Universe) Integrity() Set { return u.integrity }

// Name returns a label's name.
func (u *Universe) Name(l Label) string {
	if int(l) < len(u.names) {
		return u.names[l]
	}
	return fmt.Sprintf("label-%d", l)
}

// Names returns the names of a set's labels, sorted; never nil.
func (u *Universe) Names(s Set) []string {
	names := make([]string, 0, s.Len())
	s.Each(func(l Label) { names = append(names, u.Name(l)) })
	sort.Strings(names)
	return names
}

// All returns every label's name in the order of their numbers.
func (u *Universe) All() []string { return append([]string(nil), u.names...) }

// String writes a set for debugging, with built-in names only.
func (s Set) String() string {
	u, _ := NewUniverse()
	return "{" + strings.Join(u.Names(s), ",") + "}"
}
