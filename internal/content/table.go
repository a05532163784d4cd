package content

import "strings"

// table finds the literals of patterns. It is indexed by the low five bits of
// three bytes, which folds the case of letters; an entry is a bucket, 0 for none.
type table struct {
	index   [1 << 15]uint8
	buckets [][]entry
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
	key := (int(literal[0])&31)<<10 | (int(literal[1])&31)<<5 | int(literal[2])&31
	if t.index[key] == 0 {
		if len(t.buckets) <= maxBuckets {
			t.buckets = append(t.buckets, nil)
		}
		t.index[key] = uint8(len(t.buckets) - 1)
	}
	b := t.index[key]
	t.buckets[b] = append(t.buckets[b], entry{literal, p})
}

// each calls visit for every literal in the text, with the offsets where it
// starts and ends.
func (t *table) each(text string, visit func(p *pattern, start, end int)) {
	key := 0
	for i := 0; i < len(text); i++ {
		key = (key<<5 | int(text[i])&31) & (1<<15 - 1)
		if t.index[key] == 0 || i < 2 {
			continue
		}
		for _, e := range t.buckets[t.index[key]] {
			start, end := i-2, i-2+len(e.literal)
			if end <= len(text) && e.stands(text[start:end]) {
				visit(e.pattern, start, end)
			}
		}
	}
}

func (e *entry) stands(text string) bool {
	if e.pattern.fold {
		return strings.EqualFold(text, e.literal)
	}
	return text == e.literal
}
