package tool

import (
	"strings"

	"github.com/planlint/planlint/taint"
)

// The bounds of the places that a fileTable has.
const (
	minFileFacts = 16
	maxFileFacts = 1 << 9
)

// fileTable remembers, by path, what the plan's env and the policy's sources say
// of a file, since a session touches the same files again and again. A path has
// one place; where another one took it, the file is looked up anew, with the same
// answer.
type fileTable struct {
	facts []fileFacts // a power of two of them
}

// fileFacts are what depends on nothing but the path of a plain use.
type fileFacts struct {
	path string
	// cell is the name of its cell, empty while it was not asked.
	cell string
	// sources are those of a read, once asked.
	sources []taint.Source
	asked   bool
}

// newFileTable returns a table for a plan of so many calls.
func newFileTable(calls int) fileTable {
	n := minFileFacts
	for n < calls/2 && n < maxFileFacts {
		n *= 2
	}
	return fileTable{make([]fileFacts, n)}
}

// of returns the facts of a use, good until the next use is asked; nil where they
// may depend on more than its path (a folder, a glob, a link, something unknown).
func (t *fileTable) of(u *PathUse) *fileFacts {
	if !u.Known || u.Tree || u.Glob || len(u.Links) > 0 {
		return nil
	}
	f := &t.facts[placeOf(u.Path)&(len(t.facts)-1)]
	if f.path != u.Path {
		*f = fileFacts{path: u.Path}
	}
	return f
}

// placeOf mixes the end of a path, where paths differ most.
func placeOf(path string) int {
	h := uint32(len(path))
	for i := max(0, len(path)-16); i < len(path); i++ {
		h = h*31 + uint32(path[i])
	}
	return int((h ^ h>>9) >> 1) // not negative where int has 32 bits
}

// fileCell is FileCell, with the names of plain files kept.
func (k *call) fileCell(u *PathUse) taint.Cell {
	f := k.files.of(u)
	if f == nil {
		return FileCell(&k.plan.Env, u)
	}
	if f.cell == "" {
		name := u.Path
		if k.plan.Env.CaseInsensitive {
			name = strings.ToLower(name)
		}
		f.cell = k.names.join(fileKind, name)
	}
	return taint.Cell{Name: f.cell}
}

// nameRoom holds names that are put together, many in one piece of memory. They
// live as long as the piece.
type nameRoom struct{ room strings.Builder }

// nameRoomSize is the size of a piece in bytes.
const nameRoomSize = 2 << 10

func (r *nameRoom) join(kind, rest string) string {
	n := len(kind) + len(rest)
	if n > nameRoomSize/4 {
		return kind + rest
	}
	if r.room.Cap()-r.room.Len() < n {
		r.room = strings.Builder{}
		r.room.Grow(nameRoomSize)
	}
	from := r.room.Len()
	r.room.WriteString(kind)
	r.room.WriteString(rest)
	return r.room.String()[from:]
}
