package policy

import (
	"sort"

	"github.com/planlint/planlint/internal/compiled"
	"github.com/planlint/planlint/tool"
)

// withoutFollowups drops later problems of entries that had earlier ones: a
// misspelt class is one mistake, and "no class" would be a second telling.
func withoutFollowups(earlier, later []compiled.Problem, layers []Layer) []compiled.Problem {
	var starts []tool.Origin
	for i := range layers {
		d := &layers[i].document
		for j := range d.Tools {
			starts = append(starts, d.Tools[j].Pos)
		}
		for j := range d.Rules {
			starts = append(starts, d.Rules[j].Pos)
		}
		for j := range d.Sources {
			starts = append(starts, d.Sources[j].Pos)
		}
		for j := range d.Sinks {
			starts = append(starts, d.Sinks[j].Pos)
		}
		for j := range d.Compose {
			starts = append(starts, d.Compose[j].Pos)
		}
	}
	sort.Slice(starts, func(i, j int) bool { return before(starts[i], starts[j]) })
	entry := func(at tool.Origin) int {
		return sort.Search(len(starts), func(i int) bool { return before(at, starts[i]) }) - 1
	}
	broken := make(map[int]bool)
	for _, p := range append(append([]compiled.Problem(nil), earlier...), later...) {
		if i := entry(p.At); p.ID == "" && p.Entry.Line == 0 && i >= 0 && starts[i].File == p.At.File {
			broken[i] = true
		}
	}
	var kept []compiled.Problem
	for _, p := range later {
		if i := entry(p.Entry); p.Entry.Line > 0 && i >= 0 && starts[i] == p.Entry && broken[i] {
			continue
		}
		kept = append(kept, p)
	}
	return kept
}

func before(a, b tool.Origin) bool {
	if a.File != b.File {
		return a.File < b.File
	}
	if a.Line != b.Line {
		return a.Line < b.Line
	}
	return a.Column < b.Column
}
