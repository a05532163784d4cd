package tool

import (
	"strings"

	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/taint"
)

// fileKind is how the names of files' cells begin.
const fileKind = "file:"

// AnyFile is the cell of a path that is not known: a tree that holds every file.
const AnyFile = "file:/"

// FileCell returns the cell of a file that a call touches: where its path leads
// through known links, in lower case where the file system does not tell case
// apart, a folder's tree for a glob.
func FileCell(env *plan.Env, u *PathUse) taint.Cell {
	if !u.Known {
		return taint.Cell{Name: AnyFile, Tree: true}
	}
	name := u.Path
	if len(u.Links) > 0 {
		name = u.Links[len(u.Links)-1]
	}
	if env.CaseInsensitive {
		name = strings.ToLower(name)
	}
	tree := u.Tree
	if u.Glob {
		name, tree = literalDir(name), true
	}
	if name == "." && tree {
		// The working directory, and the plan does not say which that is.
		return taint.Cell{Name: AnyFile, Tree: true}
	}
	return taint.Cell{Name: fileKind + name, Tree: tree}
}

// fileCells adds the files that the call's arguments name to what its step reads
// and writes.
func (k *call) fileCells() {
	for i := range k.r.Paths {
		u := &k.r.Paths[i]
		cell := k.fileCell(u)
		if u.Access&(Read|Execute) != 0 {
			k.read(cell)
		}
		if u.Access&(Write|Delete) != 0 {
			if u.Links != nil && u.Access&Delete != 0 {
				// Deleting a link leaves what it leads to.
				cell = &taint.Cell{Name: fileKind + u.Path, Tree: cell.Tree}
			}
			k.write(cell, u.Access, u.Append || !u.Known || u.Glob)
		}
	}
}

// read adds a cell to what the call's step reads, on a copy of the shared list.
func (k *call) read(cell *taint.Cell) {
	if !k.ownReads {
		k.ownReads = true
		k.reads = append(k.reads[:0], k.step.Reads...)
	}
	k.reads = append(k.reads, fromCell(cell))
	k.step.Reads = k.reads
}

func fromCell(cell *taint.Cell) taint.Operand {
	return taint.Operand{Kind: taint.FromCell, Cell: cell}
}

func fromSlot(slot int) taint.Operand {
	return taint.Operand{Kind: taint.FromSlot, Index: int32(slot)}
}

// write adds a write. One that may not happen keeps what was there.
func (k *call) write(cell *taint.Cell, access Access, keeps bool) {
	keeps = keeps || k.uncertain()
	w := taint.Write{Cell: cell, Mode: taint.Overwrite}
	switch {
	case access&Write == 0 && keeps:
		return
	case access&Write == 0:
		w.Mode = taint.Delete
	case keeps:
		w.Mode = taint.Append
	}
	k.step.Writes = append(k.step.Writes, w)
}

// uncertain reports whether the call may not run, or not to its end.
func (k *call) uncertain() bool {
	c := k.c
	return c.When() != "" || c.Branch() != nil || c.Each() != nil || c.Compete || c.Outcome == plan.Failed || c.Outcome == plan.Unknown
}

// urlCells adds the addresses that the call contacts as cells: a read-only tool
// reads them, another also writes.
func (k *call) urlCells() {
	for _, i := range k.e.with[URL] {
		a := &k.e.c.Args[i]
		access := a.Access
		if access == 0 {
			access = Read
			if !k.e.c.ReadOnly {
				access |= Write
			}
		}
		texts, _ := k.argTexts(i)
		for _, text := range texts {
			k.urlCell(text, access)
		}
	}
}

func (k *call) urlCell(text string, access Access) {
	name, ok := urlName(text)
	if !ok {
		return
	}
	cell := k.newCell(taint.Cell{Name: name})
	if access&Read != 0 {
		k.read(cell)
	}
	if access&Write != 0 {
		k.write(cell, Write, true)
	}
}

// urlName normalises an address: scheme and host in lower case, no user, no
// fragment.
func urlName(text string) (string, bool) {
	host, ok := HostOf(text)
	if !ok || strings.Contains(text, Hole) {
		return "", false
	}
	scheme, rest, _ := strings.Cut(strings.TrimSpace(text), "://")
	rest, _, _ = strings.Cut(rest, "#")
	path := ""
	if i := strings.IndexAny(rest, "/?"); i >= 0 {
		path = rest[i:]
		rest = rest[:i]
	}
	if _, port, ok := strings.Cut(rest[strings.LastIndexByte(rest, '@')+1:], ":"); ok && port != "443" && port != "80" {
		host += ":" + port
	}
	if path == "" {
		path = "/"
	}
	return "url:" + strings.ToLower(scheme) + "://" + host + path, true
}

// declaredCells adds the cells that the contract names.
func (k *call) declaredCells() {
	for i, eff := range k.e.c.Cells {
		cells := k.cellsOf(k.e.cells[i], eff.Tree)
		for c := range cells {
			cell := &cells[c]
			if eff.Access&Read != 0 {
				k.read(cell)
			}
			if eff.Access&(Write|Delete) != 0 {
				k.write(cell, eff.Access, eff.Append || cell.Tree && !eff.Tree)
			}
		}
	}
}

// cellsOf fills a cell's template; where a value is not known or not given, it
// is the tree of all cells that the name may mean.
func (k *call) cellsOf(t template, tree bool) []taint.Cell {
	names, ok := k.fill(t)
	if !ok || len(names) == 0 {
		prefix := t.prefix()
		return []taint.Cell{{Name: prefix[:strings.LastIndexAny(prefix, ":/")+1], Tree: true}}
	}
	cells := make([]taint.Cell, len(names))
	for i, n := range names {
		cells[i] = taint.Cell{Name: n, Tree: tree}
	}
	return cells
}

// planCells adds the cells that the plan itself declares for the call. They add
// to what the contract knows, and cut nothing.
func (k *call) planCells() {
	for _, name := range k.c.Reads() {
		k.read(k.namedCell(name))
	}
	for _, name := range k.c.Writes() {
		k.write(k.namedCell(name), Write, true)
	}
}

// namedCell takes a name without a kind for a file's path.
func (k *call) namedCell(name string) *taint.Cell {
	kind, rest, ok := strings.Cut(name, ":")
	if ok && kind != "file" && !strings.Contains(kind, "/") {
		return &taint.Cell{Name: name}
	}
	if !ok || kind != "file" {
		rest = name
	}
	u := k.places.use(rest, "", PathUse{})
	cell := FileCell(&k.plan.Env, &u)
	return &cell
}
