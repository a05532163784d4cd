package fields

import (
	"math"
	"strconv"
	"strings"
)

// Numeral is a number of a text by its value.
type Numeral struct {
	Value      float64
	Start, End int
}

// Numbers calls visit for every number of a text: digits with a decimal part
// and separators of thousands, not a part of a word. A separator that could be
// both is read both ways.
func Numbers(text string, visit func(Numeral)) {
	for at := 0; at < len(text); at++ {
		if !digit(text[at]) || at > 0 && partOfWord(text[at-1]) {
			continue
		}
		start := at
		for at < len(text) && (digit(text[at]) || (text[at] == '.' || text[at] == ',') && at+1 < len(text) && digit(text[at+1])) {
			at++
		}
		if at < len(text) && partOfWord(text[at]) && text[at]|0x20 != 'k' {
			for at < len(text) && partOfWord(text[at]) {
				at++
			}
			continue
		}
		values(text[start:at], func(v float64) { visit(Numeral{Value: v, Start: start, End: at}) })
	}
}

func partOfWord(c byte) bool {
	return c == '_' || wordBytes[c] != 0 || c >= 0x80 && c != 0xA3 && c != 0xAC
}

// values visits the readings of a number as written.
func values(s string, visit func(float64)) {
	if len(s) > 24 {
		return
	}
	last := strings.LastIndexAny(s, ".,")
	if last < 0 {
		emit(s, visit)
		return
	}
	whole := strings.NewReplacer(".", "", ",", "")
	emit(whole.Replace(s[:last])+"."+s[last+1:], visit)
	if len(s)-last == 4 { // 1,200 or 1.200
		emit(whole.Replace(s), visit)
	}
}

func emit(s string, visit func(float64)) {
	if v, err := strconv.ParseFloat(s, 64); err == nil && !math.IsInf(v, 0) {
		visit(v)
	}
}

// NumberHash makes a number comparable with the hashes of words.
func NumberHash(v float64) uint64 {
	return (math.Float64bits(math.Round(v*1e6)/1e6)^0x9e3779b97f4a7c15)*hashPrime | 1
}

// Date is a day of a year, by month and day; the year is not compared.
type Date struct{ Month, Day int }

// Hash makes a date comparable with the hashes of words.
func (d Date) Hash() uint64 { return uint64(d.Month*32+d.Day)*0xd1342543de82ef95 | 1 }

var months = []string{"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"}

const monthNames = " january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec "

// month returns the number of an English month's name, 0 for none.
func month(s string) int {
	s = strings.ToLower(s)
	if len(s) < 3 || !strings.Contains(monthNames, " "+s+" ") {
		return 0
	}
	for i, m := range months {
		if strings.HasPrefix(s, m) {
			return i + 1
		}
	}
	return 0
}

// Dates calls visit for every date of a text: 2031-04-02, 02.04.2031, 4/2/2031
// (both readings), April 2nd, the 2nd of April, "13th to the 17th of May".
func Dates(text string, visit func(Date)) {
	d := dates{text: text, visit: visit}
	for i := range d.last {
		d.last[i].start = -1
	}
	Words(text, func(w Word) bool { d.word(w); return true })
}

type dates struct {
	text  string
	visit func(Date)
	// last are the three words before, the nearest first.
	last [3]dateWord
	// pending are days that wait for a month.
	pending []int
	wait    int
}

type dateWord struct {
	start, end int
	n          int // the number, -1 for none
	month      int
	size       int
}

func (d *dates) word(w Word) {
	text := d.text[w.Start:w.End]
	x := dateWord{start: int(w.Start), end: int(w.End), n: -1, size: len(text)}
	if digit(text[0]) {
		x.n = ordinal(text)
	} else {
		x.month = month(text)
	}
	a, b := d.last[0], d.last[1]
	switch {
	case x.n > 0 && a.start >= 0 && b.start >= 0 && a.n > 0 && b.n > 0 && d.joined(b, a) && d.joined(a, x):
		d.numeric(b, a, x)
	case x.month > 0:
		for _, day := range d.pending {
			d.add(x.month, day)
		}
	case x.n > 0 && x.n <= 31 && a.start >= 0 && a.month > 0:
		d.add(a.month, x.n)
	}
	d.keep(x)
}

// keep remembers days that a month may follow within a few words.
func (d *dates) keep(x dateWord) {
	switch {
	case x.n > 0 && x.n <= 31 && x.size <= 4:
		if d.wait == 0 {
			d.pending = d.pending[:0]
		}
		d.pending, d.wait = append(d.pending, x.n), 4
		if len(d.pending) > 4 {
			d.pending = d.pending[1:]
		}
	case d.wait > 0:
		if d.wait--; d.wait == 0 {
			d.pending = d.pending[:0]
		}
	}
	if x.month > 0 {
		d.pending, d.wait = d.pending[:0], 0
	}
	d.last[2], d.last[1], d.last[0] = d.last[1], d.last[0], x
}

func (d *dates) joined(a, b dateWord) bool {
	return b.start-a.end == 1 && strings.IndexByte("-/.", d.text[a.end]) >= 0
}

func (d *dates) numeric(a, b, c dateWord) {
	switch {
	case a.size == 4:
		d.add(b.n, c.n)
	case c.size == 4 || c.size == 2:
		d.add(a.n, b.n)
		if a.n != b.n {
			d.add(b.n, a.n)
		}
	}
}

func (d *dates) add(month, day int) {
	if month >= 1 && month <= 12 && day >= 1 && day <= 31 {
		d.visit(Date{Month: month, Day: day})
	}
}

// ordinal reads 2, 02, 2nd; -1 for other words.
func ordinal(s string) int {
	n := 0
	for n < len(s) && digit(s[n]) {
		n++
	}
	if n > 4 || n < len(s) && !strings.Contains(" st nd rd th t ", " "+strings.ToLower(s[n:])+" ") {
		if n == 2 && len(s) > 2 && s[2] == 'T' {
			v, _ := strconv.Atoi(s[:2]) // 2031-04-02T10:00
			return v
		}
		return -1
	}
	v, err := strconv.Atoi(s[:n])
	if err != nil {
		return -1
	}
	return v
}
