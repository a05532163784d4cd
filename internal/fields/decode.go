package fields

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"encoding/base64"
	"encoding/hex"
	"hash/maphash"
	"io"
	"strings"
	"unicode/utf8"
)

// View is what a part of a text holds in some encoding or disguise: Start to End
// in the outer text.
type View struct {
	Text, Encoding string
	Start, End     int
}

// Turned reports whether the text itself, or a token of it, has its letters moved by
// 13 or is written backwards.
func (v View) Turned() bool { return v.Encoding == rotated || v.Encoding == backwards }

// Disguised reports whether the text itself, or a part of it, is only written in
// another way, and encodes nothing.
func (v View) Disguised() bool {
	return v.Turned() || v.Encoding == spacedOut || IsAccountForm(v.Encoding)
}

// The disguises of a text.
const (
	rotated   = "rot13"
	backwards = "reversed"
	spacedOut = "spaced"
)

// The bounds of decoding.
const (
	// minEncoded is the length from which a token is tried as encoded text,
	// minPercent that from which a text is.
	minEncoded = 12
	minPercent = 4
	// maxUnzipped is up to where a compressed token is unpacked, in bytes.
	maxUnzipped = 1 << 20
	// maxViews is how many views one text has at most.
	maxViews = 64
	// maxNestedViews is how often what was decoded is decoded again.
	maxNestedViews = 3
)

// Views returns what a text holds in base64, hex and percent encoding, also
// compressed, one inside of the other, and in the disguises of disguise.go.
func Views(text string) []View {
	var d Decoder
	return d.Views(text)
}

// Decoder finds views; its zero value is ready. It saves memory where many texts
// are looked at, and time where they repeat.
type Decoder struct {
	views []View
	// room is where turned text is written, many texts to one piece of memory.
	room strings.Builder
	// known are the views of some texts that were looked at, by a hash of them, and
	// texts is how many they are; the views stand in kept.
	known []viewed
	texts int
	seed  maphash.Seed
	kept  []View
}

// viewed is a text whose views are known.
type viewed struct {
	text  string
	views []View
}

// The bounds of what a Decoder remembers: how many texts, at first and at most, and
// how long each.
const (
	minKnown     = 64
	maxKnown     = 1024
	maxKnownText = 256
)

// Views is Views; the slice may be good until the next call only, the texts are for
// ever.
func (d *Decoder) Views(text string) []View {
	if len(text) < minPercent || len(text) > maxKnownText {
		return d.find(text)
	}
	if 2*d.texts >= len(d.known) && len(d.known) < maxKnown {
		d.grow()
	}
	known := d.place(text)
	if known.text != text {
		if known.text == "" {
			d.texts++
		}
		*known = viewed{text, d.keep(d.find(text))}
	}
	return known.views
}

func (d *Decoder) place(text string) *viewed {
	return &d.known[maphash.String(d.seed, text)%uint64(len(d.known))]
}

func (d *Decoder) grow() {
	old := d.known
	d.known, d.texts = make([]viewed, max(minKnown, 4*len(old))), 0
	if old == nil {
		d.seed = maphash.MakeSeed()
	}
	for _, v := range old {
		if v.text != "" {
			*d.place(v.text) = v
			d.texts++
		}
	}
}

// keep copies views to where they stay.
func (d *Decoder) keep(views []View) []View {
	if len(views) == 0 {
		return nil
	}
	if cap(d.kept)-len(d.kept) < len(views) {
		d.kept = make([]View, 0, max(64, len(views), min(2*cap(d.kept), maxKnown)))
	}
	from := len(d.kept)
	d.kept = append(d.kept, views...)
	return d.kept[from:len(d.kept):len(d.kept)]
}

// Forget drops all texts, so that the decoder can be kept for others. Views that it
// returned may not be used any more.
func (d *Decoder) Forget() {
	clear(d.known)
	clear(d.views[:cap(d.views)])
	clear(d.kept[:cap(d.kept)])
	d.kept, d.texts, d.room = d.kept[:0], 0, strings.Builder{}
}

func (d *Decoder) find(text string) []View {
	d.views = d.views[:0]
	if len(text) >= minPercent {
		looks := lookAt(text)
		d.decode(text, &looks, 0)
		d.disguises(text, &looks)
	}
	return d.views
}

// looks are what a text looks like: what it may hold at all.
type looks struct {
	// encoded is the length of the longest run of digits of base64.
	encoded int
	percent bool
	// telling: it has a digit or an @.
	telling bool
	// usual and turned count the usual letters of English, and what they are moved
	// by 13.
	usual, turned int
	// backwards is how many usual words there are that were written backwards.
	backwards int
	// spaced is the longest run of single characters with a separator behind each.
	spaced int
}

const (
	looksUsual byte = 1 << iota
	looksTurned
	looksEncoded
	looksSeparate
	looksTelling
	looksPercent
)

// lookTable has what each byte says of a text.
var lookTable = func() (t [256]byte) {
	for c := range t {
		if encodedByte(byte(c)) {
			t[c] |= looksEncoded
		}
		if separates(byte(c)) {
			t[c] |= looksSeparate
		}
		if digit(byte(c)) || c == '@' {
			t[c] |= looksTelling
		}
	}
	for bit, letters := range map[byte]string{looksUsual: "etaoinsETAOINS", looksTurned: "rgnbvafRGNBVAF"} {
		for _, c := range []byte(letters) {
			t[c] |= bit
		}
	}
	t['%'] |= looksPercent
	return t
}()

// lookAt reads a text once.
func lookAt(text string) (l looks) {
	all, run, spaced := byte(0), 0, 0
	separator, space, word := -1, -1, 0
	for at := 0; at < len(text); at++ {
		k := lookTable[text[at]]
		all |= k
		l.usual += int(k & looksUsual)
		l.turned += int(k & looksTurned >> 1)
		run = (run + 1) * int(k&looksEncoded/looksEncoded)
		l.encoded = max(l.encoded, run)
		if k&looksSeparate == 0 {
			continue
		}
		if at-separator == 2 {
			spaced++
			l.spaced = max(l.spaced, spaced)
		} else {
			spaced = 0
		}
		separator = at
		if text[at] == ' ' {
			word = l.word(text[space+1:at], word)
			space = at
		}
	}
	l.word(text[space+1:], word)
	l.percent, l.telling = all&looksPercent != 0, all&looksTelling != 0
	return l
}

// word counts a word that was written backwards: of the same word twice in a row
// one counts, since a space belongs to one word. It returns the word's number.
func (l *looks) word(w string, last int) int {
	n := turnedWord(w)
	if n == last {
		return 0
	}
	if n != 0 {
		l.backwards++
	}
	return n
}

// decode appends the views of a text that depth encodings led to.
func (d *Decoder) decode(text string, looks *looks, depth int) {
	if depth == maxNestedViews {
		return
	}
	if looks.percent {
		if t, ok := unpercent(text); ok {
			d.nest(View{t, "percent", 0, len(text)}, depth)
		}
	}
	if looks.encoded < minEncoded {
		return
	}
	for at := 0; at < len(text); {
		start := at
		for at < len(text) && encodedByte(text[at]) {
			at++
		}
		if at-start >= minEncoded {
			d.token(text, start, at, depth)
		}
		if at == start {
			at++
		}
	}
}

// token decodes a token, or else its parts between slashes: in a path the slash
// is no digit.
func (d *Decoder) token(text string, start, end, depth int) {
	if t, encoding := decodeToken(text[start:end]); encoding != "" {
		d.nest(View{t, encoding, start, end}, depth)
		return
	}
	if strings.IndexByte(text[start:end], '/') < 0 {
		return
	}
	for start < end {
		part := strings.IndexByte(text[start:end], '/')
		if part < 0 {
			part = end - start
		}
		if part >= minEncoded {
			if t, encoding := decodeToken(text[start : start+part]); encoding != "" {
				d.nest(View{t, encoding, start, start + part}, depth)
			}
		}
		start += part + 1
	}
}

// nest appends a view, and what its text holds in turn.
func (d *Decoder) nest(v View, depth int) {
	if len(d.views) >= maxViews {
		return
	}
	d.views = append(d.views, v)
	first := len(d.views)
	looks := lookAt(v.Text)
	if d.decode(v.Text, &looks, depth+1); depth == 0 {
		d.disguises(v.Text, &looks)
	}
	for i := first; i < len(d.views); i++ {
		inner := &d.views[i]
		inner.Encoding = v.Encoding + "+" + inner.Encoding
		inner.Start, inner.End = v.Start, v.End
	}
}

func encodedByte(c byte) bool {
	return wordBytes[c] != 0 || c == '+' || c == '/' || c == '-' || c == '_'
}

func decodeToken(s string) (text, encoding string) {
	if len(s)%2 == 0 && hexDigits(s) {
		if raw, err := hex.DecodeString(s); err == nil {
			if t, ok := plain(raw); ok {
				return t, "hex"
			}
		}
	}
	if !promising(s) {
		return "", ""
	}
	for _, enc := range [...]*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		raw, err := enc.DecodeString(s)
		if err != nil {
			continue
		}
		if t, ok := plain(raw); ok {
			return t, "base64"
		}
		if t, packing := Unpack(raw); packing != "" {
			return t, packing + "+base64"
		}
	}
	return "", ""
}

func hexDigits(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i] | 0x20; (s[i] < '0' || s[i] > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

// sextets are the values of the digits of base64, in both alphabets; 0xff is none.
var sextets = func() (t [256]byte) {
	for i := range t {
		t[i] = 0xff
	}
	for i, c := range []byte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/") {
		t[c] = byte(i)
	}
	t['-'], t['_'] = t['+'], t['/']
	return t
}()

// promising is a cheap necessary condition of a token being text or compressed
// text in base64: its first bytes are. Nearly no word passes, and none costs
// memory.
func promising(token string) bool {
	const head = 16
	if len(token) < head {
		return true
	}
	var raw [head / 4 * 3]byte
	for i, k := 0, 0; i < head; i, k = i+4, k+3 {
		a, b, c, d := sextets[token[i]], sextets[token[i+1]], sextets[token[i+2]], sextets[token[i+3]]
		if a|b|c|d == 0xff {
			return false
		}
		raw[k], raw[k+1], raw[k+2] = a<<2|b>>4, b<<4|c>>2, c<<6|d
	}
	if raw[0] == 0x1f && raw[1] == 0x8b || raw[0] == 0x78 {
		return true
	}
	for at := 0; at < len(raw); {
		r, size := utf8.DecodeRune(raw[at:])
		if r == utf8.RuneError && size == 1 {
			return !utf8.FullRune(raw[at:]) // the rest of it may follow
		}
		at += size
	}
	return true
}

// Unpack returns the text of gzip or zlib data, up to a bound; packing is empty
// for other bytes.
func Unpack(raw []byte) (text, packing string) {
	var r io.Reader
	switch {
	case len(raw) > 18 && raw[0] == 0x1f && raw[1] == 0x8b:
		z, err := gzip.NewReader(bytes.NewReader(raw))
		if err != nil {
			return "", ""
		}
		r, packing = z, "gzip"
	case len(raw) > 8 && raw[0] == 0x78 && (int(raw[0])<<8|int(raw[1]))%31 == 0:
		z, err := zlib.NewReader(bytes.NewReader(raw))
		if err != nil {
			return "", ""
		}
		r, packing = z, "zlib"
	default:
		return "", ""
	}
	out, err := io.ReadAll(io.LimitReader(r, maxUnzipped))
	if err != nil && len(out) == 0 {
		return "", ""
	}
	t, ok := plain(out)
	if !ok {
		return "", ""
	}
	return t, packing
}

// plain reports whether bytes are text, and not what any word decodes to.
func plain(raw []byte) (string, bool) {
	if len(raw) < 4 || !utf8.Valid(raw) {
		return "", false
	}
	odd := 0
	for _, c := range raw {
		if c < 0x20 && c != '\n' && c != '\t' && c != '\r' || c == 0x7f {
			odd++
		}
	}
	return string(raw), odd*20 <= len(raw)
}

func unpercent(s string) (string, bool) {
	var b strings.Builder
	found := false
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if raw, err := hex.DecodeString(s[i+1 : i+3]); err == nil {
				b.Write(raw)
				i += 2
				found = true
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String(), found
}
