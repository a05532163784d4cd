package taint

// needleTable is a set of hashes, open addressing, with a bit filter before it
// and what was found of those that were.
type needleTable struct {
	keys   []uint64
	refs   []int32 // one more than the number in found
	filter []uint64
	shift  uint
	used   int
	found  []needle
}

// needle is a run of words that stands in some argument and some origin.
type needle struct {
	// head and tail are one more than the number of an occurrence.
	head, tail, count int32
	// user is one more than the time since when it stands in the user's words.
	user int32
	// chain is the newest node of the chain of its origins.
	chain []chainNode
}

// chainNode joins the origins of one value up to a time.
type chainNode struct {
	time int32
	node uint32
}

func (t *needleTable) add(h uint64) {
	if 2*(t.used+1) > len(t.keys) {
		t.grow()
	}
	if at := t.at(h); t.keys[at] == 0 {
		t.keys[at] = h
		t.used++
	}
}

// at returns where a hash stands, or would.
func (t *needleTable) at(h uint64) int {
	mask := len(t.keys) - 1
	at := int(h>>7) & mask
	for t.keys[at] != 0 && t.keys[at] != h {
		at = (at + 1) & mask
	}
	return at
}

func (t *needleTable) grow() {
	old := t.keys
	t.keys = make([]uint64, max(1024, 2*len(old)))
	for _, h := range old {
		if h != 0 {
			t.keys[t.at(h)] = h
		}
	}
}

// seal ends adding and makes the filter: sixteen bits a needle, two of them set
// in one word (a blocked Bloom filter).
func (t *needleTable) seal() {
	words := 16
	t.shift = 64 - 4
	for 64*words < 16*t.used {
		words *= 2
		t.shift--
	}
	t.filter = make([]uint64, words)
	t.refs = make([]int32, len(t.keys))
	for _, h := range t.keys {
		if h != 0 {
			t.filter[h>>t.shift] |= filterBits(h)
		}
	}
}

func filterBits(h uint64) uint64 { return 1<<(h>>8&63) | 1<<(h>>14&63) }

// maybe reports whether a hash may be in the set.
func (t *needleTable) maybe(h uint64) bool {
	bits := filterBits(h)
	return t.filter[h>>t.shift]&bits == bits
}

// slot returns where a hash of the set stands, -1 if it is not in it.
func (t *needleTable) slot(h uint64) int {
	if at := t.at(h); t.keys[at] == h {
		return at
	}
	return -1
}

// get returns what was found of a hash, nil if nothing was.
func (t *needleTable) get(h uint64) *needle {
	if t.filter == nil || !t.maybe(h) {
		return nil
	}
	if at := t.slot(h); at >= 0 && t.refs[at] > 0 {
		return &t.found[t.refs[at]-1]
	}
	return nil
}
