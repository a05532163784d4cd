package content

import "strings"

// table finds the literals of patterns. It is indexed by the low five bits of
// three bytes, which folds the case of letters; an entry is a bucket, 0 for none.
type table struct {
	index   [1 << 15]uint8
	buckets [][]entry
	// turned has a bit for each three bytes that begin a literal which is written
	// backwards, or whose letters are moved by 13; odd says that such a literal
	// may begin otherwise.
	turned [1 << 12]uint8
	odd    bool
}

// entry is one literal of one pattern.
type entry struct {
	literal string
	pattern *pattern
}

// maxBuckets is how many different beginnings a table can tell apart; further
// ones share the last bucket.
const maxBuckets = 255

func newTable(patterns []pattern) *table {
	t := &table{buckets: make([][]entry, 1, maxBuckets+1)}
	for i := range patterns {
		for _, literal := range patterns[i].literals {
			t.add(literal, &patterns[i])
		}
	}
	return t
}

func (t *table) add(literal string, p *pattern) {
	key := keyOf(literal[0], literal[1], literal[2])
	t.turn(literal)
	if t.index[key] == 0 {
		if len(t.buckets) <= maxBuckets {
			t.buckets = append(t.buckets, nil)
		}
		t.index[key] = uint8(len(t.buckets) - 1)
	}
	b := t.index[key]
	t.buckets[b] = append(t.buckets[b], entry{literal, p})
}

func keyOf(a, b, c byte) int { return int(a&31)<<10 | int(b&31)<<5 | int(c&31) }

// turn notes how a literal begins where a text is turned.
func (t *table) turn(literal string) {
	a, b, c := literal[0], literal[1], literal[2]
	t.odd = t.odd || (a|b|c) >= 0x80
	for _, key := range [...]int{keyOf(c, b, a), keyOf(moved(a), moved(b), moved(c))} {
		t.turned[key>>3] |= 1 << (key & 7)
	}
}

// moved moves a letter by 13.
func moved(c byte) byte {
	if low := c | 0x20; 'a' <= low && low <= 'z' {
		return c&0x20 | 0x40 | (1 + (c&0x1f+12)%26)
	}
	return c
}

// each calls visit for every literal in the text, with the offsets where it
// starts and ends.
func (t *table) each(text string, visit func(p *pattern, start, end int)) {
	if len(text) < 3 {
		return
	}
	key := keyOf(0, text[0], text[1])
	for i := 2; i < len(text); i++ {
		key = (key<<5 | int(text[i])&31) & (1<<15 - 1)
		if t.index[key] != 0 {
			t.at(text, i-2, t.buckets[t.index[key]], visit)
		}
	}
}

// at calls visit for those literals that stand at a place.
func (t *table) at(text string, start int, bucket []entry, visit func(p *pattern, start, end int)) {
	for i := range bucket {
		e := &bucket[i]
		if end := start + len(e.literal); end <= len(text) && e.stands(text[start:end]) {
			visit(e.pattern, start, end)
		}
	}
}

// mayTurn reports whether there may be literals in the text when it is turned.
func (t *table) mayTurn(text string) bool {
	if len(text) < 3 {
		return t.odd
	}
	key, bits := keyOf(0, text[0], text[1]), uint8(0)
	for i := 2; i < len(text); i++ {
		key = (key<<5 | int(text[i])&31) & (1<<15 - 1)
		bits |= t.turned[key>>3] >> (key & 7)
	}
	return t.odd || bits&1 != 0
}

func (e *entry) stands(text string) bool {
	if e.pattern.fold {
		return strings.EqualFold(text, e.literal)
	}
	return text == e.literal
}
