package tool

import (
	"strings"

	"github.com/planlint/planlint/shell"
	"github.com/planlint/planlint/taint"
)

// cloneCell is what a cloned repository holds as code: it is read only where a
// file of it is run by its name, so that reading and building a clone stays
// ordinary work.
func cloneCell(dir string) *taint.Cell { return &taint.Cell{Name: "clone:" + dir} }

// clones writes the cell of a repository that a step clones, unless it is one of
// the user's own, and reads that of which it runs a file. The labels are those of
// what the cloning step fetches.
func (l *lowering) clones(st *shell.Step, out *taint.Step) {
	for i := range st.Effects {
		e := &st.Effects[i]
		if e.Kind == shell.Exec && e.Clone != "" {
			out.Reads = append(out.Reads, fromCell(cloneCell(e.Clone)))
		}
		if e.Kind != shell.Create || e.Clone == "" || l.ownRepository(strings.TrimPrefix(e.Detail, "clone of ")) {
			continue
		}
		out.Writes = append(out.Writes, taint.Write{Cell: cloneCell(e.Clone), Mode: taint.Append})
	}
}

// ownRepository reports whether an address belongs to the owner of a remote that
// the plan says was there before: its code is the user's as much as the workspace is.
// Remotes that calls added don't count.
func (l *lowering) ownRepository(url string) bool {
	owner := ownerOf(url)
	if owner == "" {
		return false
	}
	for _, known := range l.plan.Env.Remotes {
		if ownerOf(known) == owner {
			return true
		}
	}
	return false
}

// ownerOf is the repository's principal without its last part, "" where it has none.
func ownerOf(url string) string {
	repo := strings.ToLower(repository(url))
	i := strings.LastIndexByte(repo, '/')
	if i < 0 {
		return ""
	}
	return repo[:i]
}
