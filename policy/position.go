package policy

import (
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"github.com/planlint/planlint/tool"
)

// origin returns where a node's text starts: inside of quotes, and on the line
// after | or >. Columns are in bytes, where YAML counts characters.
func (d *decoder) origin(n *yaml.Node) tool.Origin {
	at := tool.Origin{File: d.name, Line: n.Line, Column: n.Column}
	switch {
	case n.Kind != yaml.ScalarNode:
	case n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 && n.Line < len(d.lines):
		text := d.lines[n.Line]
		return tool.Origin{File: d.name, Line: n.Line + 1, Column: len(text) - len(strings.TrimLeft(text, " ")) + 1}
	case n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0:
		at.Column++
	}
	if at.Line >= 1 && at.Line <= len(d.lines) {
		at.Column = d.byteColumn(at.Line, at.Column)
	}
	return at
}

// byteColumn turns a column in characters into one in bytes. Each line is looked
// at once, since one line may hold the whole file.
func (d *decoder) byteColumn(number, column int) int {
	offsets, known := d.columns[number]
	if !known {
		if line := d.lines[number-1]; utf8.RuneCountInString(line) < len(line) {
			for i := range line {
				offsets = append(offsets, i)
			}
		}
		d.columns[number] = offsets
	}
	if column < 1 || column > len(offsets) {
		return column + max(0, d.extra(number, len(offsets)))
	}
	return offsets[column-1] + 1
}

// extra is how many bytes more than characters a line has whose characters were
// counted.
func (d *decoder) extra(number, characters int) int {
	if characters == 0 {
		return 0
	}
	return len(d.lines[number-1]) - characters
}
