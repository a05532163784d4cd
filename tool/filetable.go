package tool

import "github.com/planlint/planlint/taint"

// maxFileFacts bounds the files of one plan that are remembered. Further ones are
// looked up each time, with the same answer.
const maxFileFacts = 1 << 14

// fileTable remembers, by path, what the plan's env and the policy's sources say
// of a file, since a session touches the same files again and again.
type fileTable struct {
	facts map[string]*fileFacts
	room  slab[fileFacts]
}

// fileFacts are what depends on nothing but the path of a plain use.
type fileFacts struct {
	cell taint.Cell
	// sources are those of a read, once asked.
	sources []taint.Source
	asked   bool
}

// of returns the facts of a use, nil where they may depend on more than its path
// (a folder, a glob, a link, something unknown) or where the table is full.
func (t *fileTable) of(u *PathUse) *fileFacts {
	if !u.Known || u.Tree || u.Glob || len(u.Links) > 0 {
		return nil
	}
	f := t.facts[u.Path]
	if f != nil || len(t.facts) == maxFileFacts {
		return f
	}
	if t.facts == nil {
		t.facts = make(map[string]*fileFacts)
	}
	f = &t.room.take(1)[0]
	t.facts[u.Path] = f
	return f
}

// fileCell is FileCell, with the names of plain files kept.
func (k *call) fileCell(u *PathUse) taint.Cell {
	f := k.files.of(u)
	if f == nil {
		return FileCell(&k.plan.Env, u)
	}
	if f.cell.Name == "" {
		f.cell = FileCell(&k.plan.Env, u)
	}
	return f.cell
}
