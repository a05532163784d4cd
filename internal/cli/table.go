package cli

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// table lays rows out in columns, two blanks apart. Cells are escaped already.
type table struct {
	rows [][]string
	// shrink are the columns that are cut where the table is too wide, first ones
	// first.
	shrink []int
}

func (t *table) row(cells ...string) { t.rows = append(t.rows, cells) }

// leastCell is what is left of a cell that is cut.
const leastCell = 10

// write writes the table, cut to a width; 0: as wide as it is.
func (t *table) write(w io.Writer, width int) error {
	widths := t.widths(width)
	for _, row := range t.rows {
		var line strings.Builder
		for i, cell := range row {
			cell = cutCell(cell, widths[i])
			line.WriteString(cell)
			line.WriteString(strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)+2))
		}
		if _, err := fmt.Fprintln(w, strings.TrimRight(line.String(), " ")); err != nil {
			return err
		}
	}
	return nil
}

func (t *table) widths(limit int) []int {
	var widths []int
	for _, row := range t.rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	if limit <= 0 || len(widths) == 0 {
		return widths
	}
	over := 2*(len(widths)-1) - limit
	for _, n := range widths {
		over += n
	}
	for _, i := range t.shrink {
		if by := min(over, widths[i]-leastCell); by > 0 {
			widths[i] -= by
			over -= by
		}
	}
	return widths
}

func cutCell(text string, width int) string {
	if utf8.RuneCountInString(text) <= width {
		return text
	}
	return string([]rune(text)[:width-1]) + "…"
}

// foldedWriter breaks the messages that a terminal's lines are too short for:
// errors, warnings, notes and hints. Everything else passes as it is.
type foldedWriter struct {
	w     io.Writer
	width int
	rest  []byte
}

// Write implements io.Writer.
func (f *foldedWriter) Write(p []byte) (int, error) {
	f.rest = append(f.rest, p...)
	for {
		end := strings.IndexByte(string(f.rest), '\n')
		if end < 0 && len(f.rest) > 0 && !isMessage(string(f.rest)) {
			f.flush() // a question, or another program's output
			f.rest = nil
		}
		if end < 0 {
			return len(p), nil
		}
		if _, err := io.WriteString(f.w, foldMessage(string(f.rest[:end]), f.width)+"\n"); err != nil {
			return len(p), err
		}
		f.rest = f.rest[end+1:]
	}
}

// flush writes what no line feed ended.
func (f *foldedWriter) flush() { f.w.Write(f.rest) } //nolint:errcheck // as all of stderr

func foldMessage(line string, width int) string {
	if !isMessage(line) || utf8.RuneCountInString(line) <= width {
		return line
	}
	var out strings.Builder
	column := 0
	for i, w := range strings.Split(line, " ") {
		n := utf8.RuneCountInString(w)
		switch {
		case i == 0:
		case column+1+n > width:
			out.WriteString("\n  ")
			column = 2
		default:
			out.WriteByte(' ')
			column++
		}
		out.WriteString(w)
		column += n
	}
	return out.String()
}

// isMessage reports whether a line begins as messages do.
func isMessage(line string) bool {
	word, _, _ := strings.Cut(line, " ")
	switch word {
	case "error:", "warning:", "note:", "hint:":
		return true
	}
	return false
}
