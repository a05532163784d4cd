package match

import "github.com/planlint/planlint/internal/fields"

// bits is a set of hashes that may say yes too often: eight bits a hash or more, two
// of them set in one word (a blocked Bloom filter; Putze, Sanders, Singler 2009). It
// is small, since what counts is that it stays in the processor's cache.
type bits struct {
	words []uint64
	shift uint
	empty bool
}

// maxBits bounds a set; where there are more hashes it only says yes more often.
const maxBits = 1 << 26

// reset makes an empty set for n hashes.
func (b *bits) reset(n int) {
	size := 16
	b.shift, b.empty = 64-4, n == 0
	for 64*size < min(8*n, maxBits) {
		size *= 2
		b.shift--
	}
	if cap(b.words) < size {
		b.words = make([]uint64, size)
		return
	}
	b.words = b.words[:size]
	clear(b.words)
}

func pair(h Run) uint64 { return 1<<(h>>8&63) | 1<<(h>>14&63) }

func (b *bits) add(h Run) { b.words[h>>b.shift] |= pair(h) }

func (b *bits) has(h Run) bool {
	p := pair(h)
	return b.words[h>>(b.shift&63)]&p == p
}

// table numbers hashes from 0 on: open addressing, at most half full. Its zero value
// is empty.
type table struct {
	keys []Run
	// numbers has, by the place of a key, one more than its number.
	numbers []int32
	used    int
}

// find returns the number of a hash, -1 if it has none.
func (t *table) find(h Run) int32 {
	if t.used == 0 {
		return -1
	}
	return t.numbers[t.at(h)] - 1
}

// number returns the number of a hash, the next one if it had none.
func (t *table) number(h Run) int32 {
	if 2*(t.used+1) > len(t.keys) {
		t.grow()
	}
	at := t.at(h)
	if t.numbers[at] == 0 {
		t.used++
		t.keys[at], t.numbers[at] = h, int32(t.used)
	}
	return t.numbers[at] - 1
}

// at returns where a hash stands, or would.
func (t *table) at(h Run) int {
	mask := len(t.keys) - 1
	at := int(h>>7) & mask
	for t.keys[at] != 0 && t.keys[at] != h {
		at = (at + 1) & mask
	}
	return at
}

func (t *table) clear() {
	clear(t.keys)
	clear(t.numbers)
	t.used = 0
}

func (t *table) grow() {
	keys, numbers := t.keys, t.numbers
	size := max(64, 2*len(keys))
	t.keys, t.numbers = make([]Run, size), make([]int32, size)
	for i, h := range keys {
		if h != 0 {
			at := t.at(h)
			t.keys[at], t.numbers[at] = h, numbers[i]
		}
	}
}

// Set is a set of runs of at most Gram words. Its zero value is empty.
type Set struct {
	runs    map[Run]struct{}
	lengths uint8
	// firsts has a bit of the hash of each run's first word.
	firsts uint64
}

func firstBit(w *fields.Word) uint64 { return 1 << (w.Hash >> 32 & 63) }

// Add adds a run of at least one word.
func (s *Set) Add(words []fields.Word) {
	if s.runs == nil {
		s.runs = map[Run]struct{}{}
	}
	s.runs[Hash(words)] = struct{}{}
	s.lengths |= 1 << len(words)
	s.firsts |= firstBit(&words[0])
}

// Len is how many runs there are.
func (s *Set) Len() int { return len(s.runs) }

// In calls visit for the runs of the set that stand in words, from and to being
// indexes of theirs.
func (s *Set) In(words []fields.Word, visit func(h Run, from, to int)) {
	for i := range words {
		if s.firsts&firstBit(&words[i]) == 0 {
			continue
		}
		sum := uint64(0)
		for n := 1; n <= Gram && i+n <= len(words) && s.lengths>>n != 0; n++ {
			sum = sum*prime + words[i+n-1].Hash
			if s.lengths&(1<<n) == 0 {
				continue
			}
			h := finish(sum, n)
			if _, in := s.runs[h]; in {
				visit(h, i, i+n)
			}
		}
	}
}
