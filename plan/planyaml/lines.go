package planyaml

import (
	"bytes"
	"sort"
	"unicode/utf8"

	"github.com/planlint/planlint/plan"
)

// lines turns byte offsets into positions. Lines end at "\n", as editors and
// compilers count them; columns are bytes.
type lines struct {
	src    []byte
	starts []int32 // offset of each line; built on first use
	last   int     // the line of the last look-up, 0-based
}

func newLines(src []byte) *lines { return &lines{src: src} }

func (l *lines) build() {
	l.starts = make([]int32, 1, bytes.Count(l.src, []byte("\n"))+1)
	for i := 0; ; {
		n := bytes.IndexByte(l.src[i:], '\n')
		if n < 0 {
			return
		}
		i += n + 1
		l.starts = append(l.starts, int32(i))
	}
}

// position returns the place of an offset. Look-ups that go forward are cheap.
func (l *lines) position(offset, length int) plan.Position {
	if l.starts == nil {
		l.build()
	}
	if !l.holds(l.last, offset) {
		if l.holds(l.last+1, offset) {
			l.last++
		} else {
			l.last = sort.Search(len(l.starts), func(i int) bool { return int(l.starts[i]) > offset }) - 1
		}
	}
	return plan.Position{
		Line:   int32(l.last + 1),
		Column: int32(offset - int(l.starts[l.last]) + 1),
		Length: int32(length),
	}
}

func (l *lines) holds(line, offset int) bool {
	return line < len(l.starts) && int(l.starts[line]) <= offset &&
		(line+1 == len(l.starts) || offset < int(l.starts[line+1]))
}

// yamlMarks turns the lines and columns of yaml.v3 into byte offsets. It counts
// columns in characters, and takes more than "\n" for the end of a line.
type yamlMarks struct {
	src          []byte
	starts       []int32
	line, column int // the last look-up: yaml.v3's numbers, from 1
	offset       int
}

func newYAMLMarks(src []byte) *yamlMarks {
	m := &yamlMarks{src: src, starts: []int32{0}}
	for i := 0; i < len(src); {
		n := breakLength(src[i:])
		if n == 0 {
			i++
			continue
		}
		i += n
		m.starts = append(m.starts, int32(i))
	}
	return m
}

// breakLength returns the length of the line break that b begins with, or 0.
func breakLength(b []byte) int {
	switch {
	case b[0] == '\n':
		return 1
	case b[0] == '\r':
		if len(b) > 1 && b[1] == '\n' {
			return 2
		}
		return 1
	case b[0] == 0xc2 && len(b) > 1 && b[1] == 0x85:
		return 2
	case b[0] == 0xe2 && len(b) > 2 && b[1] == 0x80 && (b[2] == 0xa8 || b[2] == 0xa9):
		return 3
	}
	return 0
}

// at returns the offset of a mark. Nodes come in the order of the file, so that
// walking on from the last one keeps a long line linear.
func (m *yamlMarks) at(line, column int) int {
	line = min(max(line, 1), len(m.starts))
	if line != m.line || column < m.column {
		m.line, m.column, m.offset = line, 1, int(m.starts[line-1])
	}
	for m.column < column && m.offset < len(m.src) {
		_, size := utf8.DecodeRune(m.src[m.offset:])
		m.offset += size
		m.column++
	}
	return m.offset
}
