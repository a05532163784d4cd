package taint

import "github.com/planlint/planlint/plan"

// Slot is a group of arguments that are told apart.
type Slot struct {
	// Name is the argument's path as shown to people: "body", "emails[*].to".
	Name string
	// one is the only value, as nearly all slots have.
	one  [1]*plan.Value
	rare *slotRare
	// Known: fully accounted for by the schema's enums or the policy's
	// constants (a program name, an option, a known remote), so that no context
	// edge enters it.
	Known bool
	// Tag is for those who made the facts; this package does not look at it.
	Tag uint8
}

// slotRare is what few slots have.
type slotRare struct {
	values  []*plan.Value // where there are several
	sources []Source
	parts   []Part
}

// NewSlot returns a slot of that name and those values.
func NewSlot(name string, values ...*plan.Value) Slot {
	s := Slot{Name: name}
	for _, v := range values {
		s.Add(v)
	}
	return s
}

// Values returns the slot's values inside the call's Args, in file order. The
// list is the slot's own.
func (s *Slot) Values() []*plan.Value {
	switch {
	case s.rare != nil && s.rare.values != nil:
		return s.rare.values
	case s.one[0] == nil:
		return nil
	}
	return s.one[:]
}

// Add adds a value.
func (s *Slot) Add(v *plan.Value) {
	switch {
	case s.one[0] == nil:
		s.one[0] = v
	case s.extra().values == nil:
		s.rare.values = []*plan.Value{s.one[0], v}
	default:
		s.rare.values = append(s.rare.values, v)
	}
}

// Sources returns labels that the values have by themselves: a key in them was
// recognised.
func (s *Slot) Sources() []Source {
	if s.rare == nil {
		return nil
	}
	return s.rare.sources
}

// AddSources adds to Sources.
func (s *Slot) AddSources(sources ...Source) {
	if len(sources) > 0 {
		rare := s.extra()
		rare.sources = append(rare.sources, sources...)
	}
}

// Parts returns, where they are given, the parts of the slot's one text that
// count: what stands elsewhere in it comes from nowhere.
func (s *Slot) Parts() []Part {
	if s.rare == nil {
		return nil
	}
	return s.rare.parts
}

// SetParts says which parts of the slot's one text count.
func (s *Slot) SetParts(parts []Part) { s.extra().parts = parts }

func (s *Slot) extra() *slotRare {
	if s.rare == nil {
		s.rare = &slotRare{}
	}
	return s.rare
}

// Part is a part of a text, in bytes.
type Part struct{ Start, End int32 }

// touches reports whether a part of a text is or overlaps one that counts.
func (s *Slot) touches(start, end int) bool {
	parts := s.Parts()
	for _, p := range parts {
		if int(p.Start) < end && start < int(p.End) {
			return true
		}
	}
	return len(parts) == 0
}
