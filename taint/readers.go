package taint

import (
	"maps"
	"slices"
	"strconv"
)

// The numbers of the two readers that every table has.
const (
	everyoneID uint32 = iota
	nobodyID
)

// readerTable numbers sets of readers, so that a node keeps four bytes, and
// remembers intersections.
type readerTable struct {
	sets  []Readers
	index map[string]uint32
	memo  map[uint64]uint32
}

func newReaderTable() *readerTable {
	return &readerTable{sets: []Readers{AnyReader, {}}}
}

// clone returns a table with the same numbers, to be added to apart.
func (t *readerTable) clone() *readerTable {
	c := &readerTable{sets: append([]Readers(nil), t.sets...)}
	if len(t.index) > 0 {
		c.index = maps.Clone(t.index)
	}
	return c
}

// id returns the number of a set.
func (t *readerTable) id(r Readers) uint32 {
	switch {
	case r.everyone:
		return everyoneID
	case len(r.names) == 0:
		return nobodyID
	}
	key := readersKey(r.names)
	if id, ok := t.index[key]; ok {
		return id
	}
	if len(t.sets) >= maxReaders {
		return nobodyID
	}
	if t.index == nil {
		t.index = make(map[string]uint32)
	}
	id := uint32(len(t.sets))
	t.sets = append(t.sets, r)
	t.index[key] = id
	return id
}

// readersKey joins names so that no two lists have the same key.
func readersKey(names []string) string {
	var key []byte
	for _, n := range names {
		key = strconv.AppendInt(key, int64(len(n)), 10)
		key = append(append(key, ':'), n...)
	}
	return string(key)
}

// intersect returns the number of the readers that are in both.
func (t *readerTable) intersect(a, b uint32) uint32 {
	switch {
	case a == b || b == everyoneID:
		return a
	case a == everyoneID:
		return b
	case a == nobodyID || b == nobodyID:
		return nobodyID
	}
	key := uint64(min(a, b))<<32 | uint64(max(a, b))
	if id, ok := t.memo[key]; ok {
		return id
	}
	if t.memo == nil {
		t.memo = make(map[uint64]uint32)
	}
	id := t.id(t.sets[a].Intersect(t.sets[b]))
	t.memo[key] = id
	return id
}

// equal reports whether two sets have the same members.
func (r Readers) equal(o Readers) bool {
	return r.everyone == o.everyone && slices.Equal(r.names, o.names)
}

// narrower reports whether a set has fewer members than another.
func (t *readerTable) narrower(a, b uint32) bool {
	if a == b || a == everyoneID {
		return false
	}
	return b == everyoneID || len(t.sets[a].names) < len(t.sets[b].names)
}

// defaultReaders is what a source's readers mean for one label: nobody stands
// for "not declared" where the label is neither private nor secret.
func (u *Universe) defaultReaders(l Label, id uint32) uint32 {
	if id == nobodyID && (u.integrity.Has(l) || int(l) < len(u.level) && u.level[l] < levels["private"]) {
		return everyoneID
	}
	return id
}
