// Package docs embeds the pages that `planlint explain` shows: one a rule in
// rules/, and diagnostics.md with a section for each diagnostic.
package docs

import (
	"embed"
	"io/fs"
	"slices"
	"strings"
)

//go:embed rules/*.md diagnostics.md
var pages embed.FS

// Page returns the page of a rule or diagnostic in Markdown; ok is false where
// there is none.
func Page(id string) (text string, ok bool) {
	if page, err := pages.ReadFile("rules/" + id + ".md"); err == nil {
		return string(page), true
	}
	all, err := pages.ReadFile("diagnostics.md")
	if err != nil {
		return "", false
	}
	_, section, found := strings.Cut(string(all), "\n## "+id+" ")
	if !found {
		return "", false
	}
	section, _, _ = strings.Cut(section, "\n## ")
	return "# " + id + " " + strings.TrimRight(section, "\n") + "\n", true
}

// IDs returns every id that has a page, sorted.
func IDs() []string {
	var ids []string
	entries, _ := fs.ReadDir(pages, "rules")
	for _, e := range entries {
		ids = append(ids, strings.TrimSuffix(e.Name(), ".md"))
	}
	all, _ := pages.ReadFile("diagnostics.md")
	for _, line := range strings.Split(string(all), "\n") {
		if heading, ok := strings.CutPrefix(line, "## PL"); ok {
			id, _, _ := strings.Cut(heading, " ")
			ids = append(ids, "PL"+id)
		}
	}
	slices.Sort(ids)
	return ids
}
