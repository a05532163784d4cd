package tool

import (
	"slices"
	"strings"

	"github.com/planlint/planlint/taint"
)

// The bounds of the places that a fileTable has.
const (
	minFileFacts = 16
	maxFileFacts = 1 << 11
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
	// cell is its cell, nil while it was not asked; read: with its sources.
	cell *taint.Cell
	read bool
}

// tableSize returns how many places a table has for a plan of so many calls.
func tableSize(calls int) int {
	n := minFileFacts
	for n < calls/2 && n < maxFileFacts {
		n *= 2
	}
	return n
}

// of returns the facts of a use whose path has that place, good until the next use is asked; nil where they
// may depend on more than its path (a folder, a glob, a link, something unknown).
func (t *fileTable) of(u *PathUse, place int) *fileFacts {
	if !u.Known || u.Tree || u.Glob || len(u.Links) > 0 {
		return nil
	}
	f := &t.facts[place&(len(t.facts)-1)]
	if f.path != u.Path {
		*f = fileFacts{path: u.Path}
	}
	return f
}

// fileCell is FileCell, with what a read of it gives; calls share those of plain
// files.
func (k *call) fileCell(u *PathUse) *taint.Cell {
	f, reads := k.files.of(u, k.placeOf(u.Path)), u.Access&(Read|Execute) != 0
	if f == nil {
		cell := FileCell(&k.plan.Env, u)
		if reads {
			cell.Sources = k.pathSources(u)
		}
		return k.newCell(cell)
	}
	if f.cell == nil {
		name := u.Path
		if k.plan.Env.CaseInsensitive {
			name = strings.ToLower(name)
		}
		f.cell = k.newCell(taint.Cell{Name: k.names.join(fileKind, name)})
	}
	if reads && !f.read {
		f.read, f.cell.Sources = true, slices.Clip(k.pathSources(u))
	}
	return f.cell
}

// newCell keeps a cell.
func (r *resolver) newCell(cell taint.Cell) *taint.Cell {
	one := r.slabs.cells.take(1)
	one[0] = cell
	return &one[0]
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
