package fields

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"encoding/base64"
	"encoding/hex"
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

// The bounds of decoding.
const (
	// minEncoded is the length from which a token is tried as encoded text.
	minEncoded = 12
	// maxUnzipped is up to where a compressed token is unpacked, in bytes.
	maxUnzipped = 1 << 20
	// maxViews is how many views one text has at most.
	maxViews = 64
	// maxNestedViews is how often what was decoded is decoded again.
	maxNestedViews = 3
)

// Views returns what a text holds in base64, hex and percent encoding, also
// compressed, one inside of the other, and in the disguises of Disguises.
func Views(text string) []View {
	views := appendViews(nil, text, 0)
	return AppendDisguises(views, text)
}

func appendViews(views []View, text string, depth int) []View {
	if depth == maxNestedViews {
		return views
	}
	add := func(decoded, encoding string, start, end int) {
		if len(views) >= maxViews {
			return
		}
		views = append(views, View{decoded, encoding, start, end})
		for _, inner := range appendViews(nil, decoded, depth+1) {
			inner.Encoding = encoding + "+" + inner.Encoding
			inner.Start, inner.End = start, end
			if len(views) < maxViews {
				views = append(views, inner)
			}
		}
	}
	if t, ok := unpercent(text); ok {
		add(t, "percent", 0, len(text))
	}
	for at := 0; at < len(text); {
		start := at
		for at < len(text) && encodedByte(text[at]) {
			at++
		}
		if at-start >= minEncoded {
			if t, encoding := decodeToken(text[start:at]); encoding != "" {
				add(t, encoding, start, at)
			}
		}
		if at == start {
			at++
		}
	}
	return views
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
	for _, enc := range [...]*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		if !Promising(enc, s) {
			continue
		}
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

// Promising is a cheap necessary condition of a token being text or compressed
// text in base64: its first bytes are. Nearly no word passes, and none costs
// memory.
func Promising(enc *base64.Encoding, token string) bool {
	const head = 16
	if len(token) < head {
		return true
	}
	var src [head]byte
	var raw [head]byte
	copy(src[:], token)
	n, err := enc.Decode(raw[:], src[:])
	if err != nil {
		return false
	}
	if raw[0] == 0x1f && raw[1] == 0x8b || raw[0] == 0x78 {
		return true
	}
	for at := 0; at < n; {
		r, size := utf8.DecodeRune(raw[at:n])
		if r == utf8.RuneError && size == 1 {
			return !utf8.FullRune(raw[at:n]) // the rest of it may follow
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
	if strings.Count(s, "%") < 1 {
		return "", false
	}
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

// Disguises returns what a text holds in letters moved by 13, written backwards,
// or spaced out. To keep it cheap and telling they are tried only where the text
// looks like it: tokens with digits or signs, prose whose letters are unusual.
func Disguises(text string) []View { return AppendDisguises(nil, text) }

// AppendDisguises is Disguises into a slice that the caller has.
func AppendDisguises(views []View, text string) []View {
	if len(text) < 8 || len(text) > 1<<16 {
		return views
	}
	if t, ok := unspaced(text); ok {
		views = append(views, View{t, "spaced", 0, len(text)})
	}
	if moved(text) {
		views = append(views, View{rot13(text), "rot13", 0, len(text)})
	}
	if backwards(text) {
		views = append(views, View{reversed(text), "reversed", 0, len(text)})
	}
	return appendTokens(views, text)
}

// maxTokens is how many tokens of a text are turned and moved.
const maxTokens = 16

// appendTokens turns and moves tokens that look like keys or addresses.
func appendTokens(views []View, text string) []View {
	tokens := 0
	for at := 0; at < len(text) && tokens < maxTokens; {
		start := at
		for at < len(text) && tokenByte(text[at]) {
			at++
		}
		if at == start {
			at++
			continue
		}
		token := text[start:at]
		if len(token) < 10 || len(token) > 512 || !strings.ContainsAny(token, "0123456789@") {
			continue
		}
		tokens++
		views = append(views, View{rot13(token), "rot13", start, at}, View{reversed(token), "reversed", start, at})
	}
	return views
}

// moved reports whether the letters of a text are more usual moved by 13.
func moved(text string) bool {
	usual, turned := 0, 0
	for i := 0; i < len(text); i++ {
		w := letterWeights[text[i]]
		usual += int(w & 1)
		turned += int(w >> 1)
	}
	return turned > 2*usual
}

// letterWeights has 1 for the usual letters of English, 2 for what they are moved
// by 13, 3 for those that are both.
var letterWeights = func() (t [256]byte) {
	for i, letters := range []string{"etaoinsETAOINS", "rgnbvafRGNBVAF"} {
		for _, c := range []byte(letters) {
			t[c] |= 1 << i
		}
	}
	return t
}()

// backwards looks for usual words written backwards.
func backwards(text string) bool {
	n, last := 0, 0
	for at := 0; at <= len(text); {
		end := strings.IndexByte(text[at:], ' ')
		if end < 0 {
			end = len(text) - at
		}
		// A space belongs to one word: of the same word twice in a row one counts.
		if w := turnedWord(text[at : at+end]); w == last {
			last = 0
		} else {
			last = w
		}
		if last != 0 {
			n++
		}
		at += end + 1
	}
	return n >= 2
}

// turnedWord returns the number of a usual word that was written backwards, 0
// for none.
func turnedWord(w string) int {
	if len(w) < 2 || len(w) > 4 {
		return 0
	}
	var low [4]byte
	for i := 0; i < len(w); i++ {
		low[i] = w[i]
		if 'A' <= w[i] && w[i] <= 'Z' {
			low[i] |= 0x20
		}
	}
	switch string(low[:len(w)]) {
	case "eht":
		return 1
	case "dna":
		return 2
	case "fo":
		return 3
	case "ot":
		return 4
	case "ruoy":
		return 5
	case "si":
		return 6
	case "rof":
		return 7
	case "htiw":
		return 8
	}
	return 0
}

// ascii reports whether a text has no byte from 0x80 on.
func ascii(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func rot13(s string) string {
	if ascii(s) {
		var b strings.Builder
		b.Grow(len(s))
		for i := 0; i < len(s); i++ {
			c := s[i]
			if low := c | 0x20; 'a' <= low && low <= 'z' {
				c = c&0x20 | 0x40 | (1 + (c&0x1f+12)%26)
			}
			b.WriteByte(c)
		}
		return b.String()
	}
	return strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z':
			return 'a' + (r-'a'+13)%26
		case 'A' <= r && r <= 'Z':
			return 'A' + (r-'A'+13)%26
		}
		return r
	}, s)
}

func reversed(s string) string {
	if ascii(s) {
		var b strings.Builder
		b.Grow(len(s))
		for i := len(s) - 1; i >= 0; i-- {
			b.WriteByte(s[i])
		}
		return b.String()
	}
	r := []rune(s)
	for i, j := 0, len(r)-1; i < j; i, j = i+1, j-1 {
		r[i], r[j] = r[j], r[i]
	}
	return string(r)
}

// unspaced joins runs of single characters with one separator between them.
func unspaced(text string) (string, bool) {
	const least = 8
	var b strings.Builder
	kept, found := 0, false // text[kept:at] is still to be copied
	for at := 0; at < len(text); {
		n := at
		if at+1 < len(text) && separates(text[at+1]) {
			sep := text[at+1]
			for n+2 < len(text) && text[n] != ' ' && text[n+1] == sep && text[n+2] != ' ' {
				n += 2
			}
		}
		if (n-at)/2+1 < least || n+1 < len(text) && tokenByte(text[n+1]) && text[n+1] != text[at+1] {
			at++
			continue
		}
		b.WriteString(text[kept:at])
		for i := at; i <= n; i += 2 {
			b.WriteByte(text[i])
		}
		found = true
		at = n + 1
		kept = at
	}
	if !found {
		return "", false
	}
	b.WriteString(text[kept:])
	return b.String(), true
}

func separates(c byte) bool {
	switch c {
	case ' ', '-', '.', ',', '_', '|':
		return true
	}
	return false
}
