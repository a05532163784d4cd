package report

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/planlint/planlint/finding"
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
