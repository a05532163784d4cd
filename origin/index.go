package origin

import "github.com/planlint/planlint/internal/fields"

// prefix is how many words of a phrase are hashed together; the rest is compared
// where they are found.
const prefix = 4

// maxWords is the longest phrase that is looked for as a whole.
const maxWords = 48

// maxHits is how many leaves are kept a phrase; more say nothing new, since a
// value of so many places is common. A note says that the cap was met.
const maxHits = 256

// phrase is a run of words, a number or a date that is looked for.
type phrase struct {
	words []uint64
	hits  []int32
	// next is one more than the number of a phrase with the same hash.
	next int32
	full bool
}

// index finds phrases in texts: the first words of every phrase are hashed, a
// text is read once, and what meets a known hash is hashed on to the lengths that
// phrases with that beginning have. So it costs no more that a million phrases
// begin alike, as the addresses of one host do.
type index struct {
	phrases []phrase
	// begins has, by the hash of the first words, bit n set where a phrase of n
	// words begins so.
	begins map[uint64]uint64
	// byHash is one more than the number of the last phrase with a hash of all its
	// words.
	byHash map[uint64]int32
	// slab is where the words of phrases are cut from.
	slab    []uint64
	filter  []uint64
	shift   uint
	lengths [prefix + 1]bool
	numbers map[uint64]int32
	dates   map[uint64]int32
	scratch []fields.Word
	capped  bool
}

func newIndex() *index {
	return &index{begins: map[uint64]uint64{}, byHash: map[uint64]int32{}, numbers: map[uint64]int32{}, dates: map[uint64]int32{}}
}

func mix(h, w uint64) uint64 {
	h = (h ^ w) * 0x9e3779b97f4a7c15
	return h ^ h>>29
}

// add returns the number of a phrase, -1 for one without words.
func (x *index) add(words []fields.Word) int32 {
	if len(words) == 0 {
		return -1
	}
	if len(words) > maxWords {
		words = words[:maxWords]
	}
	begin, whole := hashes(words)
	for id := x.byHash[whole]; id > 0; id = x.phrases[id-1].next {
		if equal(x.phrases[id-1].words, words) {
			return id - 1
		}
	}
	id := int32(len(x.phrases))
	x.phrases = append(x.phrases, phrase{words: x.keep(words), next: x.byHash[whole]})
	x.byHash[whole] = id + 1
	x.begins[begin] |= 1 << len(words)
	x.lengths[min(len(words), prefix)] = true
	return id
}

// hashes returns those of the first words and of all.
func hashes(words []fields.Word) (begin, whole uint64) {
	for i := range words {
		whole = mix(whole, words[i].Hash)
		if i < prefix {
			begin = whole
		}
	}
	return begin, whole
}

// keep copies the hashes of words.
func (x *index) keep(words []fields.Word) []uint64 {
	if cap(x.slab)-len(x.slab) < len(words) {
		x.slab = make([]uint64, 0, min(max(2*cap(x.slab), 4*maxWords), 1<<14))
	}
	from := len(x.slab)
	for i := range words {
		x.slab = append(x.slab, words[i].Hash)
	}
	return x.slab[from:len(x.slab):len(x.slab)]
}

func equal(phrase []uint64, words []fields.Word) bool {
	if len(phrase) != len(words) {
		return false
	}
	for i, h := range phrase {
		if words[i].Hash != h {
			return false
		}
	}
	return true
}

func (x *index) addValue(table map[uint64]int32, h uint64) int32 {
	if id, ok := table[h]; ok {
		return id
	}
	id := int32(len(x.phrases))
	x.phrases = append(x.phrases, phrase{})
	table[h] = id
	return id
}

// seal ends adding.
func (x *index) seal() {
	bits := 1 << 12
	x.shift = 64 - 12
	for bits < 32*len(x.begins) {
		bits *= 2
		x.shift--
	}
	x.filter = make([]uint64, bits/64)
	for h := range x.begins {
		b := (h * 0x9e3779b97f4a7c15) >> x.shift
		x.filter[b/64] |= 1 << (b % 64)
	}
}

// scan notes the phrases that stand in a leaf's text.
func (x *index) scan(leaf int32, text string) {
	x.scratch = fields.AppendWords(x.scratch[:0], text)
	words := x.scratch
	digits := false
	for i := range words {
		h := uint64(0)
		for n := 1; n <= prefix && i+n <= len(words); n++ {
			h = mix(h, words[i+n-1].Hash)
			if !x.lengths[n] {
				continue
			}
			if b := (h * 0x9e3779b97f4a7c15) >> x.shift; x.filter[b/64]&(1<<(b%64)) != 0 {
				x.meet(leaf, h, words[i:], n)
			}
		}
		digits = digits || text[words[i].Start]-'0' < 10
	}
	if !digits {
		return
	}
	if len(x.numbers) > 0 {
		fields.Numbers(text, func(n fields.Numeral) {
			if id, ok := x.numbers[fields.NumberHash(n.Value)]; ok {
				x.hit(id, leaf)
			}
		})
	}
	if len(x.dates) > 0 {
		fields.Dates(text, func(d fields.Date) {
			if id, ok := x.dates[d.Hash()]; ok {
				x.hit(id, leaf)
			}
		})
	}
}

// meet notes the phrases that begin with n words of that hash and stand here.
func (x *index) meet(leaf int32, h uint64, words []fields.Word, n int) {
	lengths := x.begins[h]
	if n < prefix {
		lengths &= 1 << n
	}
	for at := n; lengths>>at != 0 && at <= len(words); at++ {
		if at > n {
			h = mix(h, words[at-1].Hash)
		}
		if lengths&(1<<at) == 0 {
			continue
		}
		for id := x.byHash[h]; id > 0; id = x.phrases[id-1].next {
			if equal(x.phrases[id-1].words, words[:at]) {
				x.hit(id-1, leaf)
			}
		}
	}
}

func (x *index) hit(id, leaf int32) {
	p := &x.phrases[id]
	if n := len(p.hits); n > 0 && p.hits[n-1] == leaf {
		return
	}
	if len(p.hits) >= maxHits {
		p.full, x.capped = true, true
		return
	}
	p.hits = append(p.hits, leaf)
}

// hits returns the leaves that hold a phrase.
func (x *index) hits(id int32) []int32 {
	if id < 0 {
		return nil
	}
	return x.phrases[id].hits
}
