package taint

import (
	"encoding/base64"
	"encoding/hex"
	"strings"
	"unicode/utf8"

	"github.com/planlint/planlint/internal/fields"
)

const (
	// minEncoded is the length from which a token is tried as encoded text.
	minEncoded = 16
	// maxDecodings is how often what was decoded is decoded again.
	maxDecodings = 2
)

// decodings appends the texts that a text holds in base64 (also of gzip), hex or
// percent encoding, in order, and then those that it holds in disguise: rot13,
// backwards, spaced out. JSON escapes need none: words are the same either way.
func decodings(views []fields.View, s string) []fields.View {
	if t, ok := percent(s); ok {
		views = append(views, fields.View{Text: t, Encoding: "percent", End: len(s)})
	}
	for at := 0; at < len(s); {
		if !encodedByte(s[at]) {
			at++
			continue
		}
		start := at
		for at < len(s) && encodedByte(s[at]) {
			at++
		}
		end := at
		for at < len(s) && s[at] == '=' {
			at++
		}
		views = appendDecoded(views, s, start, end)
	}
	return fields.AppendDisguises(views, s)
}

// appendDecoded decodes a token, or else its parts between slashes: in a URL's
// path the slash is no digit.
func appendDecoded(views []fields.View, s string, start, end int) []fields.View {
	if end-start < minEncoded {
		return views
	}
	if t, enc := decodeToken(s[start:end]); enc != "" {
		return append(views, fields.View{Text: t, Encoding: enc, Start: start, End: end})
	}
	if strings.IndexByte(s[start:end], '/') < 0 {
		return views
	}
	for start < end {
		part := strings.IndexByte(s[start:end], '/')
		if part < 0 {
			part = end - start
		}
		if part >= minEncoded {
			if t, enc := decodeToken(s[start : start+part]); enc != "" {
				views = append(views, fields.View{Text: t, Encoding: enc, Start: start, End: start + part})
			}
		}
		start += part + 1
	}
	return views
}

func encodedByte(c byte) bool {
	return byteClass[c] != 0 && c < 0x80 || c == '+' || c == '/' || c == '-' || c == '_'
}

// decodeToken returns the text that a token encodes and how; "" if none.
func decodeToken(s string) (text, encoding string) {
	if len(s)%2 == 0 && isHex(s) {
		if raw, err := hex.DecodeString(s); err == nil && readable(raw) {
			return string(raw), "hex"
		}
	}
	for _, enc := range [...]*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		if !fields.Promising(enc, s) {
			continue
		}
		raw, err := enc.DecodeString(s)
		if err != nil {
			continue
		}
		if readable(raw) {
			return string(raw), "base64"
		}
		if text, packing := fields.Unpack(raw); packing != "" {
			return text, packing + "+base64"
		}
	}
	return "", ""
}

// readable reports whether bytes are text, and not what any word decodes to.
func readable(raw []byte) bool {
	if !utf8.Valid(raw) {
		return false
	}
	bad := 0
	for _, c := range raw {
		if c < 0x20 && c != '\n' && c != '\t' && c != '\r' || c == 0x7f {
			bad++
		}
	}
	return bad*20 <= len(raw)
}

// percent decodes %XX; ok is false where there is none.
func percent(s string) (text string, ok bool) {
	if strings.IndexByte(s, '%') < 0 {
		return "", false
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) && isHex(s[i+1:i+3]) {
			raw, _ := hex.DecodeString(s[i+1 : i+3])
			b.Write(raw)
			i += 2
			ok = true
			continue
		}
		b.WriteByte(s[i])
	}
	return b.String(), ok
}
