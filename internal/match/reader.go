package match

import "github.com/planlint/planlint/internal/fields"

// block is how many words are cut before they are looked up.
const block = 256

// reader reads texts for the runs of an index, a block of words at a time and each
// number of words by itself: so the lookups of many words wait for memory together.
type reader struct {
	*Index
	// words are a block of them behind the last ones of the block before. By the same
	// index, sums are the polynomials of the words that end there, and ends has bit n
	// set where a seed of n words seems to end.
	words [Gram - 1 + block]fields.Word
	sums  [Gram - 1 + block]uint64
	ends  [Gram - 1 + block]uint8
}

// visitor is told a run, and the bytes that it stands in.
type visitor func(h Run, start, end int32)

// text calls visit for every run of at most Gram words in a text, in the order of
// their ends. Some may be none of the index.
func (r *reader) text(text string, visit visitor) {
	n, until := 0, -1 // n words are in the block; up to until a run may end
	for at := 0; at < len(text); {
		keep := min(n, Gram-1)
		copy(r.words[:], r.words[n-keep:n])
		until -= n - keep
		var words []fields.Word
		words, at = fields.FillWords(r.words[:keep], text, at)
		n = len(words)
		r.look(words, keep)
		until = r.visit(words, keep, until, visit)
	}
}

// look finds the words, from one on, that seem to end a seed.
func (r *reader) look(words []fields.Word, from int) {
	sums, ends := r.sums[:len(words)], r.ends[:len(words)]
	clear(ends[from:])
	for i := from; i < len(words); i++ {
		sums[i] = words[i].Hash
	}
	for n := 1; n <= seedWords && r.lengths>>n != 0; n++ {
		if n > 1 {
			for i := max(from, n-1); i < len(words); i++ {
				sums[i] += words[i-n+1].Hash * power[n-1]
			}
		}
		seeds, first := &r.seeds[n], max(from, n-1)
		if seeds.empty || first >= len(words) {
			continue
		}
		for i, sum := range sums[first:] {
			if seeds.has(finish(sum, n)) {
				ends[first+i] |= 1 << n
			}
		}
	}
}

// visit visits the runs that end where a seed does, or soon behind one.
func (r *reader) visit(words []fields.Word, from, until int, visit visitor) int {
	for i := from; i < len(words); i++ {
		ends := r.ends[i]
		if ends == 0 && i > until {
			continue
		}
		longest := seedWords - 1
		if ends&(1<<seedWords) != 0 {
			until = i + seedStep - 1
		}
		if i <= until {
			longest = Gram
			ends |= r.lengths &^ (1<<seedWords - 1)
		}
		sum := uint64(0)
		for n := 1; n <= longest && n <= i+1; n++ {
			sum += words[i+1-n].Hash * power[n-1]
			if ends&r.lengths&(1<<n) == 0 {
				continue
			}
			if h := finish(sum, n); r.has(h, n) {
				visit(h, words[i+1-n].Start, words[i].End)
			}
		}
	}
	return until
}
