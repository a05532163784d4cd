package match

import "github.com/planlint/planlint/internal/fields"

// Gram is how many words in a row are looked for at once, MaxWords the longest
// run that is: of a longer one the first words are.
const (
	Gram     = 6
	MaxWords = 48
)

// Run is the hash of a run of words, of a number or of a date. It is never 0.
type Run uint64

// Hash returns the hash of a run of words: a polynomial of the words' hashes, so
// that it can be kept rolling (Karp and Rabin 1987), mixed with their number.
func Hash(words []fields.Word) Run {
	sum := uint64(0)
	for i := range words {
		sum = sum*prime + words[i].Hash
	}
	return finish(sum, len(words))
}

// Windows calls visit for every Gram words in a row, the first of which is word i.
func Windows(words []fields.Word, visit func(h Run, i int)) {
	if len(words) < Gram {
		return
	}
	sum := uint64(0)
	for i := range words {
		sum = sum*prime + words[i].Hash
		if i >= Gram {
			sum -= words[i-Gram].Hash * power[Gram]
		}
		if i >= Gram-1 {
			visit(finish(sum, Gram), i+1-Gram)
		}
	}
}

// Find returns where a run of n words stands in others, from a position on; -1
// for nowhere.
func Find(words []fields.Word, h Run, n, from int) int {
	for at := from; n > 0 && at+n <= len(words); at++ {
		if Hash(words[at:at+n]) == h {
			return at
		}
	}
	return -1
}

const prime = 0x9e3779b97f4a7c15

// power[n] is prime to the n.
var power = func() (p [Gram + 1]uint64) {
	p[0] = 1
	for n := 1; n <= Gram; n++ {
		p[n] = p[n-1] * prime
	}
	return p
}()

func finish(sum uint64, n int) Run {
	h := (sum + uint64(n)) * 0xbf58476d1ce4e5b9
	return Run(h ^ h>>29 | 1)
}

// tailWords is how many words at the end of a run are looked up before the run.
const tailWords = 4

// bits is a set of hashes that may say yes too often: eight bits a hash, two of
// them set in one word (a blocked Bloom filter; Putze, Sanders, Singler 2009). It
// is small, since what counts is that it stays in the processor's cache.
type bits struct {
	words []uint64
	shift uint
}

// maxBits bounds a set; where there are more hashes it only says yes more often.
const maxBits = 1 << 26

func newBits(n int) bits {
	b := bits{shift: 64 - 4}
	size := 16
	for 64*size < min(8*n, maxBits) {
		size *= 2
		b.shift--
	}
	b.words = make([]uint64, size)
	return b
}

func pair(h uint64) uint64 { return 1<<(h>>8&63) | 1<<(h>>14&63) }

func (b *bits) add(h uint64) { b.words[h>>b.shift] |= pair(h) }

func (b *bits) has(h uint64) bool {
	p := pair(h)
	return b.words[h>>(b.shift&63)]&p == p
}

// Index is a set of runs: an open-addressed table of hashes. Before it stand two
// sets of bits: of the last four words of all runs (all, where there are fewer), by
// their number; and of all runs. A run of more
// than Gram words is found by its first ones.
type Index struct {
	keys []Run
	// found is one more than the number of what was found of a key.
	found []int32
	used  int
	// longer has, by the hash of the first words of longer runs, bit n set where a
	// run of n words begins so.
	longer map[Run]uint64
	// begins are those first words.
	begins bits
	// ends are the last words of the runs, by their number, until they are sealed.
	ends  [tailWords + 1][]uint64
	tails [tailWords + 1]bits
	runs  bits
	// lengths has bit n set where some run has n words.
	lengths        uint8
	numbers, dates bool
}

// Len is how many runs there are.
func (x *Index) Len() int { return x.used }

// Add adds a run of words and returns it.
func (x *Index) Add(words []fields.Word) Run {
	words = words[:min(len(words), MaxWords)]
	n := len(words)
	if n <= Gram {
		h := Hash(words)
		x.AddRun(h, words)
		return h
	}
	begin, whole := Hash(words[:Gram]), Hash(words)
	x.AddRun(begin, words[:Gram])
	x.insert(whole)
	if x.longer == nil {
		x.longer = map[Run]uint64{}
	}
	x.longer[begin] |= 1 << n
	return whole
}

// AddRun is Add of at most Gram words whose hash is known.
func (x *Index) AddRun(h Run, words []fields.Word) {
	if !x.insert(h) {
		return
	}
	n := len(words)
	x.lengths |= 1 << n
	last := words[max(0, n-tailWords):]
	x.ends[len(last)] = append(x.ends[len(last)], uint64(Hash(last)))
}

// AddNumber adds a number, found in texts by its value.
func (x *Index) AddNumber(v float64) Run {
	x.numbers = true
	h := Run(fields.NumberHash(v))
	x.insert(h)
	return h
}

// AddDate adds a date, found in texts by month and day.
func (x *Index) AddDate(d fields.Date) Run {
	x.dates = true
	h := Run(d.Hash())
	x.insert(h)
	return h
}

// insert adds a hash and reports whether it is new.
func (x *Index) insert(h Run) bool {
	if 2*(x.used+1) > len(x.keys) {
		x.grow()
	}
	at := x.at(h)
	if x.keys[at] != 0 {
		return false
	}
	x.keys[at] = h
	x.used++
	return true
}

// at returns where a hash stands, or would.
func (x *Index) at(h Run) int {
	mask := len(x.keys) - 1
	at := int(h>>7) & mask
	for x.keys[at] != 0 && x.keys[at] != h {
		at = (at + 1) & mask
	}
	return at
}

func (x *Index) grow() {
	old := x.keys
	x.keys = make([]Run, max(256, 2*len(old)))
	for _, h := range old {
		if h != 0 {
			x.keys[x.at(h)] = h
		}
	}
}

// Seal ends adding.
func (x *Index) Seal() {
	x.runs = newBits(x.used)
	x.found = make([]int32, len(x.keys))
	for _, h := range x.keys {
		if h != 0 {
			x.runs.add(uint64(h))
		}
	}
	x.begins = newBits(len(x.longer))
	for h := range x.longer {
		x.begins.add(uint64(h))
	}
	for kind, ends := range x.ends {
		x.tails[kind] = newBits(len(ends))
		for _, h := range ends {
			x.tails[kind].add(h)
		}
		x.ends[kind] = nil
	}
}

// Has reports whether a run is in the set, once it is sealed.
func (x *Index) Has(h Run) bool { return x.slot(h) >= 0 }

// slot returns where a run of the set stands, -1 if it is not in it.
func (x *Index) slot(h Run) int {
	if x.found == nil || !x.runs.has(uint64(h)) {
		return -1
	}
	if at := x.at(h); x.keys[at] == h {
		return at
	}
	return -1
}

// In calls visit for the runs of the set that stand in words, from and to being
// indexes of theirs.
func (x *Index) In(words []fields.Word, visit func(h Run, from, to int)) {
	for i := range words {
		sum := uint64(0)
		for n := 1; n <= Gram && i+n <= len(words) && x.lengths>>n != 0; n++ {
			sum = sum*prime + words[i+n-1].Hash
			if x.lengths&(1<<n) == 0 {
				continue
			}
			if h := finish(sum, n); x.Has(h) {
				visit(h, i, i+n)
			}
		}
	}
}

// recent are the last words of a text that is read, in a ring.
type recent struct {
	hash  [8]uint64
	start [8]int32
	n     int
}

// each reads words of a text one after the other and calls visit for every run
// of the set, at most Gram words long, that ends there, with its place in the set
// and the bytes that it stands in. Where the last words end no run, which is so
// nearly always, nothing is computed of longer ones.
func (x *Index) each(r *recent, words []fields.Word, visit func(slot int, start, end int32)) {
	one, two, three := x.lengths&2 != 0, x.lengths&4 != 0, x.lengths&8 != 0
	four := x.tails[tailWords]
	a, b, c := r.hash[(r.n-3)&7], r.hash[(r.n-2)&7], r.hash[(r.n-1)&7]
	for i := range words {
		w := &words[i]
		r.hash[r.n&7], r.start[r.n&7] = w.Hash, w.Start
		r.n++
		sum := w.Hash
		if one {
			x.short(r, sum, 1, w.End, visit)
		}
		if sum += c * power[1]; two {
			x.short(r, sum, 2, w.End, visit)
		}
		if sum += b * power[2]; three {
			x.short(r, sum, 3, w.End, visit)
		}
		sum += a * power[3]
		if four.has(uint64(finish(sum, tailWords))) {
			x.ending(r, sum, w.End, visit)
		}
		a, b, c = b, c, w.Hash
	}
}

// short visits a run of fewer words than tails have, that ends with the last word
// read; sum is its polynomial.
func (x *Index) short(r *recent, sum uint64, n int, end int32, visit func(slot int, start, end int32)) {
	if h := finish(sum, n); x.tails[n].has(uint64(h)) && n <= r.n {
		x.hit(h, r.start[(r.n-n)&7], end, visit)
	}
}

// ending visits the runs of as many words as tails have, or more, that end with
// the last word read; sum is the polynomial of a tail.
func (x *Index) ending(r *recent, sum uint64, end int32, visit func(slot int, start, end int32)) {
	for n := tailWords; n <= Gram && n <= r.n; n++ {
		if n > tailWords {
			sum += r.hash[(r.n-n)&7] * power[n-1]
		}
		if x.lengths&(1<<n) != 0 {
			x.hit(finish(sum, n), r.start[(r.n-n)&7], end, visit)
		}
	}
}

func (x *Index) hit(h Run, start, end int32, visit func(slot int, start, end int32)) {
	if at := x.slot(h); at >= 0 {
		visit(at, start, end)
	}
}
