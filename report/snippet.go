package report

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/planlint/planlint/finding"
	"github.com/planlint/planlint/plan"
)

// snippet is a source line with what a finding is about underlined, ready to
// print: gutter, line, carets and note.
func (t *textWriter) snippet(m *masker, at finding.Position, note string) {
	if !at.Known() || t.o.Source == nil {
		t.indented("by", note)
		return
	}
	line, ok := lineOf(t.o.Source(at.File), int(at.Line))
	if !ok {
		t.indented("by", note)
		return
	}
	shown, from, length := window(m.line(line, at.Line), int(at.Column)-1, int(at.Length), t.o.Width-12)
	number := fmt.Sprint(at.Line)
	gutter := strings.Repeat(" ", max(4, len(number)))
	t.printf("%s |\n", gutter)
	t.printf("%s | %s\n", strings.Repeat(" ", len(gutter)-len(number))+number, shown)
	carets := strings.Repeat("^", max(length, 1))
	t.printf("%s | %s%s", gutter, strings.Repeat(" ", from), t.paint(cyan, carets))
	if note = cut(note, t.o.Width-8); note != "" {
		if from+len(carets)+1+width(note) > t.o.Width-8 {
			t.printf("\n%s | %s", gutter, strings.Repeat(" ", max(0, min(from, t.o.Width-8-width(note)))))
		} else {
			t.printf(" ")
		}
		t.printf("%s", note)
	}
	t.printf("\n%s |\n", gutter)
}

// lineOf returns a line of a source, from 1.
func lineOf(src []byte, number int) (string, bool) {
	if src == nil || number < 1 {
		return "", false
	}
	for ; number > 1; number-- {
		i := bytes.IndexByte(src, '\n')
		if i < 0 {
			return "", false
		}
		src = src[i+1:]
	}
	if i := bytes.IndexByte(src, '\n'); i >= 0 {
		src = src[:i]
	}
	return string(bytes.TrimSuffix(src, []byte("\r"))), true
}

// window escapes a line, cuts it to width runes around the place from (bytes),
// and returns where the place is then, in runes.
func window(line string, from, length, limit int) (shown string, at, size int) {
	from = min(max(from, 0), len(line))
	to := min(from+length, len(line))
	start, end := 0, len(line)
	if end > 4*limit { // a trace's line may have megabytes: only what is near is looked at
		start = max(0, from-2*limit)
		end = min(len(line), max(to, from)+2*limit)
	}
	trim := len(line[start:from]) - len(strings.TrimLeft(line[start:from], " "))
	if start == 0 {
		start += trim
	}
	before, middle, after := Escape(whole(line[start:from])), Escape(line[from:to]), Escape(whole(line[to:end]))
	// What stands before the place gives way first, then what stands behind it.
	room := max(limit/3, limit-width(middle)-min(width(after), limit/8))
	if width(before) > room || start > 0 && start != trim {
		before = "…" + lastRunes(before, room-1)
	}
	middle = cut(middle, max(limit-width(before), limit/3))
	at, size = width(before), width(middle)
	return cut(before+middle+after, limit), at, size
}

// whole drops the halves of characters at the ends of a cut.
func whole(text string) string {
	for len(text) > 0 && !utf8.RuneStart(text[0]) {
		text = text[1:]
	}
	return text
}

func lastRunes(text string, n int) string {
	skip := width(text) - n
	if skip <= 0 {
		return text
	}
	for i := range text {
		if skip == 0 {
			return text[i:]
		}
		skip--
	}
	return ""
}

// maxErrorLine is the width of a line that Snippet shows.
const maxErrorLine = 100

// secretText is a value under a name that says that it is secret.
var secretText = regexp.MustCompile(`(?i)((?:password|passwd|passphrase|secret|token|api[-_]?key|private[-_]?key|credential|authorization)\w*["']?\s*[:=]\s*)([^,}\s][^,}]*)`)

// Snippet returns the line of a source that a position names, escaped, with the
// place underlined; three lines with a gutter. It is for errors: no plan is there
// yet that could say what is confidential, so values under names like password are
// left out. It is empty where the source has no such line.
func Snippet(src []byte, at plan.Position) string {
	line, ok := lineOf(src, int(at.Line))
	if !ok || strings.TrimSpace(line) == "" {
		return ""
	}
	line = secretText.ReplaceAllStringFunc(line, func(found string) string {
		parts := secretText.FindStringSubmatch(found)
		return parts[1] + strings.Repeat(".", len(parts[2]))
	})
	shown, from, length := window(line, int(at.Column)-1, int(at.Length), maxErrorLine)
	number := fmt.Sprint(at.Line)
	gutter := strings.Repeat(" ", len(number))
	return fmt.Sprintf("%s |\n%s | %s\n%s | %s%s\n", gutter, number, shown, gutter, strings.Repeat(" ", from), strings.Repeat("^", max(length, 1)))
}
