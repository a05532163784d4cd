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

// seedWords is how many words of a run are looked up before the run. Of a run of
// Gram words they begin at a multiple of seedStep, counted in the text that the run
// is from, so that runs beside each other share a seed: each holds one, which ends
// at most seedStep-1 words before it.
const (
	seedWords = 4
	seedStep  = Gram - seedWords + 1
)

// Index is what is looked for: the hashes of runs, numbers and dates. What a text
// holds of it is found by sets of bits, which may say yes too often, so that the
// text is read from the cache of the processor: of the seeds of all runs by their
// number of words (the whole run, where there are fewer than seedWords), and then
// of the runs. A run of more than Gram words is found by its first ones.
type Index struct {
	// keys are all that was added, by their number of words, the others at 0; some
	// stand there more than once.
	keys [Gram + 1][]Run
	size int
	// last are the keys that were added last, by a part of the hash.
	last []Run
	// longer has, by the hash of the first words of longer runs, bit n set where a
	// run of n words begins so.
	longer map[Run]uint64
	// seedKeys are the hashes of seeds, by their number of words, until sealed.
	seedKeys [seedWords + 1][]Run
	// lengths has bit n set where some run has n words.
	lengths        uint8
	numbers, dates bool

	// These are there once it is sealed.
	seeds  [seedWords + 1]bits
	runs   [Gram + 1]bits
	begins bits
}

// Len is how many runs were added, some of which are the same.
func (x *Index) Len() int { return x.size }

// Add adds a run of words and returns it.
func (x *Index) Add(words []fields.Word) Run {
	words = words[:min(len(words), MaxWords)]
	if len(words) <= Gram {
		h := Hash(words)
		x.AddRun(h, words, 0, len(words))
		return h
	}
	begin, whole := Hash(words[:Gram]), Hash(words)
	x.AddRun(begin, words, 0, Gram)
	x.add(whole, 0)
	if x.longer == nil {
		x.longer = map[Run]uint64{}
	}
	x.longer[begin] |= 1 << len(words)
	return whole
}

// AddRun is Add of at most Gram words of a text, whose hash is known.
func (x *Index) AddRun(h Run, words []fields.Word, from, to int) {
	n := to - from
	if n == 0 || !x.add(h, n) {
		return
	}
	x.lengths |= 1 << n
	seed := h
	if n > seedWords {
		if from += (seedStep - from%seedStep) % seedStep; from+seedWords > to {
			from = to - seedWords
		}
		seed = Hash(words[from : from+seedWords])
	}
	n = min(n, seedWords)
	if keys := x.seedKeys[n]; len(keys) == 0 || keys[len(keys)-1] != seed {
		x.seedKeys[n] = append(keys, seed)
	}
}

// AddNumber adds a number, found in texts by its value.
func (x *Index) AddNumber(v float64) Run {
	x.numbers = true
	h := Run(fields.NumberHash(v))
	x.add(h, 0)
	return h
}

// AddDate adds a date, found in texts by month and day.
func (x *Index) AddDate(d fields.Date) Run {
	x.dates = true
	h := Run(d.Hash())
	x.add(h, 0)
	return h
}

// manyKeys is from how many keys on it is worth to know those that were added last.
const manyKeys = 1 << 12

// add adds the hash of n words, or of something else, and reports whether it was
// none of those that were added last.
func (x *Index) add(h Run, n int) bool {
	if x.size >= manyKeys {
		if x.last == nil {
			x.last = make([]Run, 4*manyKeys)
		}
		last := &x.last[int(h>>8)%len(x.last)]
		if *last == h {
			return false
		}
		*last = h
	}
	x.keys[n] = append(twice(x.keys[n]), h)
	x.size++
	return true
}

// has reports whether a run of n words seems to be looked for.
func (x *Index) has(h Run, n int) bool { return x.runs[n].has(again(h)) }

// again is another hash of what has a hash: a seed may be the whole run, and one set
// should not repeat the mistakes of the other.
func again(h Run) Run {
	h *= 0x94d049bb133111eb
	return h ^ h>>31
}

// seal ends adding.
func (x *Index) seal() {
	x.last = nil
	for n, keys := range x.keys {
		x.runs[n].reset(len(keys))
		for _, h := range keys {
			x.runs[n].add(again(h))
		}
	}
	for n, keys := range x.seedKeys {
		x.seeds[n].reset(len(keys))
		for _, h := range keys {
			x.seeds[n].add(h)
		}
		if x.seedKeys[n] = keys[:0]; len(keys) > manyKeys {
			x.seedKeys[n] = nil
		}
	}
	x.begins.reset(len(x.longer))
	for h := range x.longer {
		x.begins.add(h)
	}
}

// clear empties the index and keeps its memory.
func (x *Index) clear() {
	for n := range x.keys {
		x.keys[n] = x.keys[n][:0]
	}
	for n := range x.seedKeys {
		x.seedKeys[n] = x.seedKeys[n][:0]
	}
	clear(x.longer)
	x.size, x.last, x.lengths, x.numbers, x.dates = 0, nil, 0, false, false
}
