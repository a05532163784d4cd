package tool

import (
	"encoding/json"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/planlint/planlint/plan"
)

// KeepsScripts reports whether a change of a package manifest leaves the
// programs alone that it names. Managers change versions in it, and an edit is
// harmless where all of its changed lines are.
func KeepsScripts(c *plan.Call, r *Resolved, file string) bool {
	if r.Script() != nil {
		return managersOnly(r, file)
	}
	removed, added, ok := changedText(c, r)
	if !ok {
		return false
	}
	if len(removed) == 0 && len(added) == 1 {
		if harmless, parsed := harmlessManifest(added[0]); parsed {
			return harmless
		}
	}
	return harmlessLines(removed, added)
}

// managersOnly reports whether only package managers write the file, and edits
// whose text says that they leave the scripts alone.
func managersOnly(r *Resolved, file string) bool {
	for i := range r.Paths {
		u := &r.Paths[i]
		if u.Path != file || u.Access&(Write|Delete) == 0 {
			continue
		}
		if u.Command < 0 || u.Access&Delete != 0 || !keepsInStep(r, u) {
			return false
		}
	}
	return true
}

func keepsInStep(r *Resolved, u *PathUse) bool {
	words := r.Commands()[u.Command].Words
	switch path.Base(words[0]) {
	case "npm", "pnpm", "yarn", "bun", "composer", "corepack", "ncu", "lerna", "changeset":
		return !u.Redirect && !setsKeys(words[1:])
	case "sed", "gsed":
		return !u.Redirect && slices.ContainsFunc(words[1:], harmlessSubstitution) && !slices.ContainsFunc(words[1:], otherScript)
	case "jq":
		return u.Redirect && harmlessFilter(words)
	case "mv", "cp":
		return len(words) >= 3 && filtered(r, words[len(words)-2], u.Command)
	}
	return false
}

// setsKeys reports whether a package manager is asked to change keys.
func setsKeys(words []string) bool {
	for i, w := range words {
		if w == "set-script" || w == "config" {
			return true
		}
		if w == "pkg" && (i+1 == len(words) || words[i+1] != "get") {
			return true
		}
	}
	return false
}

// filtered reports whether an earlier command of the line wrote a file by a
// harmless filter, and nothing else did.
func filtered(r *Resolved, name string, before int) bool {
	found := false
	for i := range r.Paths {
		u := &r.Paths[i]
		if u.Command >= before || u.Access&Write == 0 || path.Base(u.Path) != path.Base(name) {
			continue
		}
		words := r.Commands()[u.Command].Words
		if path.Base(words[0]) != "jq" || !harmlessFilter(words) {
			return false
		}
		found = true
	}
	return found
}

var (
	assignment   = onDemand(`^\s*\.([A-Za-z]+)((\.[\w-]+|\["[^"\\]+"\])*)\s*=\s*("[^"\\]*"|\$[A-Za-z_]\w*|[0-9.]+|true|false)\s*$`)
	substitution = onDemand(`^s([/|#,])(.*)$`)
)

// harmlessFilter reports whether the program of jq only sets keys that name no
// program.
func harmlessFilter(words []string) bool {
	for _, w := range words[1:] {
		if strings.HasPrefix(w, "-") || !strings.Contains(w, "=") {
			continue
		}
		for _, part := range strings.Split(w, "|") {
			m := assignment().FindStringSubmatch(part)
			if m == nil || !harmlessKey(m[1]) {
				return false
			}
		}
		return true
	}
	return false
}

// harmlessSubstitution reports whether a word is a substitution of sed that puts
// in one harmless entry.
func harmlessSubstitution(word string) bool {
	m := substitution().FindStringSubmatch(word)
	if m == nil {
		return false
	}
	parts := strings.Split(m[2], m[1])
	return len(parts) == 3 && strings.Trim(parts[2], "gI0123456789") == "" && harmlessLine(strings.TrimSpace(parts[1]))
}

// otherScript reports whether a word may be a second script of sed.
func otherScript(word string) bool {
	return word == "-e" || word == "-f" || strings.HasPrefix(word, "--exp") || strings.HasPrefix(word, "--file")
}

// changedText returns what an editing call takes out and puts in; ok is false
// where that is not known.
func changedText(c *plan.Call, r *Resolved) (removed, added []string, ok bool) {
	for i := range r.Slots() {
		role := r.Role(i)
		for _, v := range r.Facts.Slots[i].Values() {
			if role != Content && role != Selector && role != Patch {
				continue
			}
			if v.Kind != plan.String || len(v.Refs()) > 0 {
				return nil, nil, false
			}
			switch role {
			case Selector:
				removed = append(removed, v.Text)
			case Content:
				added = append(added, v.Text)
			case Patch:
				out, in := patchLines(v.Text)
				removed, added = append(removed, out), append(added, in)
			}
		}
	}
	return removed, added, len(added) > 0
}

func patchLines(patch string) (removed, added string) {
	for _, line := range strings.Split(patch, "\n") {
		switch {
		case strings.HasPrefix(line, "---"), strings.HasPrefix(line, "+++"):
		case strings.HasPrefix(line, "-"):
			removed += line[1:] + "\n"
		case strings.HasPrefix(line, "+"):
			added += line[1:] + "\n"
		}
	}
	return removed, added
}

// harmlessLines compares the lines that differ.
func harmlessLines(removed, added []string) bool {
	count := map[string]int{}
	for _, text := range added {
		for _, line := range strings.Split(text, "\n") {
			count[strings.TrimSpace(line)]++
		}
	}
	for _, text := range removed {
		for _, line := range strings.Split(text, "\n") {
			count[strings.TrimSpace(line)]--
		}
	}
	for line, n := range count {
		if n != 0 && !harmlessLine(line) {
			return false
		}
	}
	return true
}

// Keys of a manifest that name no program, and versions, which are none.
var (
	bracketLine = onDemand(`^[\[\]{},]*$`)
	entryLine   = onDemand(`^"([^"\\]+)"\s*:\s*(.*?),?$`)
	versionText = onDemand(`^"(workspace:|npm:[@\w./-]+@)?[\^~<>=v ]*[0-9*x][\w.*+-]*( ?(\|\||-|<|>|=)+ ?[\w.*+-]+)*"$`)
	plainText   = onDemand(`^("[^"\\]*"|true|false|null|[0-9.]+|\[("[^"\\]*"(,\s*)?)*\]|\[|\{|\{\})$`)
	itemLine    = onDemand(`^"[^"\\]*",?$`)
)

func harmlessLine(line string) bool {
	if bracketLine().MatchString(line) || itemLine().MatchString(line) {
		return true
	}
	m := entryLine().FindStringSubmatch(line)
	if m == nil {
		return false
	}
	return versionText().MatchString(m[2]) || harmlessKey(m[1]) && plainText().MatchString(m[2])
}

func harmlessKey(key string) bool {
	switch key {
	case "version", "name", "description", "license", "author", "contributors", "private", "keywords", "homepage",
		"repository", "bugs", "funding", "files", "type", "main", "module", "types", "typings", "sideEffects", "engines",
		"dependencies", "devDependencies", "peerDependencies", "optionalDependencies", "bundledDependencies",
		"url", "email", "node", "npm", "browserslist", "publishConfig", "access", "os", "cpu":
		return true
	}
	return false
}

// harmlessManifest looks at a manifest as a whole; parsed is false where it is
// no JSON object.
func harmlessManifest(text string) (harmless, parsed bool) {
	var top map[string]json.RawMessage
	if json.Unmarshal([]byte(text), &top) != nil {
		return false, false
	}
	for key, value := range top {
		if !harmlessKey(key) && string(value) != "{}" {
			return false, true
		}
	}
	return true, true
}

// manifest reports whether a file is one whose scripts KeepsScripts knows.
func manifest(file string) bool {
	base := path.Base(file)
	return base == "package.json" || base == "composer.json"
}

// onDemand returns a pattern that is compiled when it is first needed, since a
// hook's process pays for every pattern at its start.
func onDemand(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
