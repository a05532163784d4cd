package report

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Escape returns the text with everything that is not plainly visible written
// as an escape: control characters, ANSI sequences, line and paragraph
// separators, bidi overrides and isolates, zero-width and tag characters, and
// bytes that are no UTF-8. The result is one line and prints as it reads.
func Escape(text string) string {
	if plain(text) {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, text[i])
		case visible(r):
			b.WriteString(text[i : i+size])
		default:
			b.WriteString(escaped(r))
		}
		i += size
	}
	return b.String()
}

func plain(text string) bool {
	for i := 0; i < len(text); i++ {
		if text[i] < ' ' || text[i] >= 0x7f {
			return false
		}
	}
	return true
}

// visible reports whether a character prints as itself and moves nothing.
// Blanks other than the space and the ideographic one are not.
func visible(r rune) bool { return r == '\u3000' || r != utf8.RuneError && unicode.IsPrint(r) }

func escaped(r rune) string {
	switch {
	case r == '\n':
		return `\n`
	case r == '\r':
		return `\r`
	case r == '\t':
		return `\t`
	case r < 0x80:
		return fmt.Sprintf(`\x%02x`, r)
	case r <= 0xffff:
		return fmt.Sprintf(`\u%04x`, r)
	}
	return fmt.Sprintf(`\U%08x`, r)
}

// clip escapes the text and cuts it to at most width runes, with a mark where
// something was cut.
func clip(text string, width int) string {
	if len(text) > 8*width {
		text = strings.ToValidUTF8(text[:8*width], "") + "…"
	}
	return cut(Escape(text), width)
}

// cut cuts text that is already escaped.
func cut(text string, width int) string {
	if utf8.RuneCountInString(text) <= width {
		return text
	}
	n := 0
	for i := range text {
		if n == width-1 {
			return text[:i] + "…"
		}
		n++
	}
	return text
}

// width counts the runes of escaped text.
func width(text string) int { return utf8.RuneCountInString(text) }

// wrap breaks escaped text at blanks into lines of at most width runes; a word
// that is longer stands alone.
func wrap(text string, limit int) []string {
	var lines []string
	line := ""
	words := strings.Fields(text)
	for i := 0; i < len(words); i++ {
		word := words[i]
		if strings.Trim(word, "(0123456789") == "" && i+1 < len(words) {
			i++
			word += " " + words[i] // a call's number stays with its name
		}
		if line != "" && width(line)+1+width(word) > limit {
			lines = append(lines, line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}
