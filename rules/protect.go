package rules

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/shell"
	"github.com/planlint/planlint/tool"
)

// Place is a protected place as a policy writes it.
type Place struct {
	// Name is what an allow accepts, without "protected:".
	Name string
	// Paths are globs as in rules; case never counts.
	Paths []string
	// Authority: who changes it changes who may do what.
	Authority bool
	// Deny: a change is refused, not asked about.
	Deny bool
	// Whole limits the place to what removes or changes the folders themselves
	// with all that they hold; what lies in them is not meant. Paths are then no
	// globs.
	Whole bool
	// Content limits the place to changes of a part of the file; see Contents.
	Content string
	// Checked: the paths are known to be globs, and compiled when first asked.
	Checked bool
	Pos     tool.Origin
}

// Places are protected places, ready for use. Immutable; nil protects nothing.
type Places struct {
	globs []placeGlob
	// byPart holds, by one literal part of the pattern in lower case, the globs
	// that a path with that part may match; rest are those without any, by their
	// place in restAt.
	byPart map[string][]int32
	// lengths has, by the first byte of the parts in byPart, a bit for each length.
	lengths [256]uint64
	rest    []*tool.PathGlob
	restAt  []int32
	index   func() *tool.PathIndex // of rest, made when a path first comes near
	// roots are the folders of places that mean folders as a whole.
	roots []root
}

type root struct {
	place *Place
	path  string // in lower case, absolute or from "~"
}

type placeGlob struct {
	place *Place
	glob  *tool.PathGlob
	// folders are the literal folders that a pattern goes through, "**/" taken
	// off: .github and .github/workflows for **/.github/workflows/*.yml.
	folders []string
	// name is the pattern's last part in lower case, empty if it has wildcards.
	name string
	// begin is what stands before the first wildcard of a last part that has one.
	begin string
	// start is "//" or "~/" where the pattern begins at the root or at home, so
	// that no folder that is only called alike counts.
	start string
}

// CompilePlaces compiles protected places.
func CompilePlaces(list []Place) (*Places, []Problem) {
	p := &Places{byPart: make(map[string][]int32)}
	var problems []Problem
	for i := range list {
		place := &list[i]
		if place.Content != "" && contentTest(place.Content) == nil {
			problems = append(problems, Problem{Pos: place.Pos, Field: "content", Message: fmt.Sprintf("unknown content %q", place.Content)})
		}
		for _, text := range place.Paths {
			if place.Whole {
				p.roots = append(p.roots, root{place, rootPath(text)})
				continue
			}
			if err := p.add(place, text); err != nil {
				problems = append(problems, Problem{Pos: place.Pos, Field: "paths", Message: err.Error()})
			}
		}
	}
	p.index = sync.OnceValue(func() *tool.PathIndex { return tool.NewPathIndex(p.rest) })
	for part := range p.byPart {
		p.lengths[part[0]] |= 1 << min(len(part), 63)
	}
	return p, problems
}

// rootPath cleans the path of a folder: "//" is the root, "~" the user's home.
func rootPath(text string) string {
	if text = strings.ToLower(text); text[0] == '/' {
		return path.Clean("/" + strings.TrimLeft(text, "/"))
	}
	return path.Clean(text)
}

func (p *Places) add(place *Place, text string) error {
	glob, err := tool.DeferPath(text), error(nil)
	if !place.Checked {
		glob, err = tool.CompilePath(text)
	}
	if err != nil {
		return err
	}
	at := int32(len(p.globs))
	g := placeGlob{place: place, glob: glob, folders: foldersOf(text), name: literalName(text)}
	if last := strings.ToLower(path.Base(text)); g.name == "" {
		g.begin = last[:strings.IndexAny(last, pathWild)]
	}
	if strings.HasPrefix(text, "//") || strings.HasPrefix(text, "~/") {
		g.start = text[:2]
	}
	p.globs = append(p.globs, g)
	part := literalPart(text)
	if part == "" {
		p.rest, p.restAt = append(p.rest, glob), append(p.restAt, at)
		return nil
	}
	p.byPart[part] = append(p.byPart[part], at)
	for _, f := range g.folders {
		// A folder that is removed or replaced whole has only the first parts.
		first, _, _ := strings.Cut(f, "/")
		if list := p.byPart[first]; len(list) == 0 || list[len(list)-1] != at {
			p.byPart[first] = append(list, at)
		}
	}
	return nil
}

// literalPart is the part of a pattern that few other paths have: the longest
// that holds no wildcard.
func literalPart(text string) string {
	best := ""
	for _, part := range strings.Split(strings.ToLower(text), "/") {
		if part != "~" && len(part) > len(best) && !strings.ContainsAny(part, pathWild) {
			best = part
		}
	}
	return best
}

func literalName(text string) string {
	if last := strings.ToLower(path.Base(text)); !strings.ContainsAny(last, pathWild) {
		return last
	}
	return ""
}

// foldersOf lists the folders that a pattern leads through, shortest first.
func foldersOf(text string) (folders []string) {
	rest := strings.ToLower(strings.TrimLeft(strings.TrimPrefix(strings.TrimPrefix(text, "**/"), "~/"), "/"))
	parts := strings.Split(rest, "/")
	for i, part := range parts[:len(parts)-1] {
		if strings.ContainsAny(part, pathWild) {
			break
		}
		folders = append(folders, strings.Join(parts[:i+1], "/"))
	}
	return folders
}

// Touched lists the protected places that a call changes, each once, in the
// order of the call's paths. Reading is no change, making an empty folder
// neither.
func (p *Places) Touched(c *plan.Call, r *tool.Resolved) []Protection {
	if p == nil || c == nil || r == nil || !mayChange(r) {
		return nil
	}
	t := toucher{places: p, call: c, res: r}
	if r.Env != nil {
		t.env = *r.Env
	}
	t.env.CaseInsensitive = true // an agent must not win by writing .CLAUDE
	for i := range r.Paths {
		t.use(&r.Paths[i])
	}
	return t.found
}

// mayChange reports whether a call can change a file at all. A command may give one
// a second name without writing it.
func mayChange(r *tool.Resolved) bool {
	for i := range r.Paths {
		if u := &r.Paths[i]; u.Access&(tool.Write|tool.Delete) != 0 || u.Command >= 0 {
			return true
		}
	}
	return false
}

// toucher looks for what one call changes.
type toucher struct {
	places *Places
	call   *plan.Call
	res    *tool.Resolved
	env    plan.Env
	found  []Protection
}

func (t *toucher) use(u *tool.PathUse) {
	kind := t.kind(u)
	if u.Access&(tool.Write|tool.Delete) == 0 && kind != hardLinked || kind == madeFolder {
		return
	}
	t.path(u, u.Path, kind)
	for _, link := range u.Links {
		t.path(u, link, kind)
	}
}

// useKind says what a write is beside that it is one.
type useKind uint8

const (
	plainWrite useKind = iota
	// whole: a folder may be replaced or removed with all that it holds.
	whole
	// madeFolder: an empty folder is made, or a harmless setting.
	madeFolder
	// hardLinked: it gets a second name, by which it can be written.
	hardLinked
)

func (t *toucher) kind(u *tool.PathUse) useKind {
	st := (*shell.Step)(nil)
	if u.Command >= 0 {
		st = step(t.res, u.Command)
	}
	if st == nil {
		if u.Append && !u.Guess || u.Guess {
			return plainWrite
		}
		return whole
	}
	kind := plainWrite
	for i := range st.Effects {
		e := &st.Effects[i]
		switch {
		case e.Target == u.Path && e.Detail == "setting" && st.Class != shell.ClassAuthority:
			return madeFolder // git config user.name: the class says what a key may do
		case e.Kind == shell.Link && e.Detail == "hard" && e.Source == u.Path && u.Access&(tool.Write|tool.Delete) == 0:
			return hardLinked
		case e.Target != u.Path:
		case e.Kind == shell.Create && st.Name == "mkdir":
			return madeFolder
		case e.Kind == shell.Move, e.Kind == shell.Delete, e.Kind == shell.Copy, e.Kind == shell.Link,
			e.Kind == shell.Unpack, e.Kind == shell.Chmod && e.Recursive:
			kind = whole
		}
	}
	return kind
}

// path tests one path that a use changes.
func (t *toucher) path(u *tool.PathUse, name string, kind useKind) {
	folder := kind == whole || u.Tree
	if u.Tree || len(u.Links) > 0 {
		one := *u
		one.Path, one.Links = name, nil
		one.Tree = false // the folders are compared below
		u = &one
	}
	if folder || u.Glob {
		t.root(u)
	}
	if u.Glob {
		t.wild(u, folder)
		return
	}
	low := strings.ToLower(name)
	for rest, more := low, true; more; {
		var part string
		part, rest, more = strings.Cut(rest, "/")
		if part == "" || t.places.lengths[part[0]]&(1<<min(len(part), 63)) == 0 {
			continue
		}
		for _, i := range t.places.byPart[part] {
			t.glob(&t.places.globs[i], u, folder)
		}
	}
	var room [16]int32
	for _, i := range t.places.index().Of(low, room[:0]) {
		t.glob(&t.places.globs[t.places.restAt[i]], u, false)
	}
}

// root tests whether a folder is used up as a whole: by its name, or by a glob
// of all that it holds.
func (t *toucher) root(u *tool.PathUse) {
	if !u.Known || u.Append && u.Access&tool.Delete == 0 && !t.recursive(u) {
		return
	}
	name := strings.ToLower(path.Clean(u.Path))
	if u.Glob {
		last := path.Base(name)
		if strings.Trim(last, "*.{},[]!") != "" {
			return
		}
		name = path.Dir(name)
	}
	home := strings.ToLower(t.env.Home)
	for i := range t.places.roots {
		r := &t.places.roots[i]
		if name == r.path || r.path == "~" && home != "" && (name == home || name == path.Dir(home)) {
			t.add(r.place, u.Path, "")
		}
	}
}

// recursive reports whether a command changes a folder with all below it in
// place: chmod -R, chown -R.
func (t *toucher) recursive(u *tool.PathUse) bool {
	st := step(t.res, max(u.Command, 0))
	if st == nil || u.Command < 0 {
		return false
	}
	for i := range st.Effects {
		if e := &st.Effects[i]; e.Target == u.Path && e.Recursive && e.Kind == shell.Chmod {
			return true
		}
	}
	return false
}

func (t *toucher) glob(g *placeGlob, u *tool.PathUse, folder bool) {
	if !u.Known || u.Path == "" {
		return // an unknown path closes the call already
	}
	switch {
	case g.glob.Reaches(&t.env, u) == tool.Matches:
		t.add(g.place, u.Path, "")
	case folder && g.through(u.Path, t.env.Home):
		t.add(g.place, u.Path, g.glob.String())
	}
}

// through reports whether a folder is one that the pattern leads through.
func (g *placeGlob) through(folder, home string) bool {
	folder = strings.ToLower(folder)
	base := ""
	switch {
	case g.start == "~/" && home != "":
		base = strings.ToLower(strings.TrimSuffix(home, "/"))
		fallthrough
	case g.start == "//":
		rest, ok := strings.CutPrefix(folder, base+"/")
		return ok && slices.Contains(g.folders, rest)
	}
	for _, f := range g.folders {
		if folder == f || strings.HasSuffix(folder, "/"+f) {
			return true
		}
	}
	return false
}

// wild is for a glob, which may name a protected file: in a protected folder,
// by its last name, or by what its last part says before a wildcard. One whose
// last part begins with * means the ordinary files of a folder.
func (t *toucher) wild(u *tool.PathUse, folder bool) {
	dir, last := literalFolder(u.Path), strings.ToLower(path.Base(u.Path))
	plain := !strings.ContainsAny(last, pathWild)
	in, named := tool.PathUse{Path: path.Join(dir, "any"), Known: true}, tool.PathUse{Path: path.Join(dir, last), Known: true}
	for i := range t.places.globs {
		g := &t.places.globs[i]
		switch {
		case g.glob.Reaches(&t.env, &in) == tool.Matches,
			plain && (g.glob.Reaches(&t.env, &named) == tool.Matches || folder && g.through(named.Path, t.env.Home)):
		case !plain && last[0] != '*' && g.mayBe(path.Clean(dir), last):
		default:
			continue
		}
		t.add(g.place, u.Path, "")
	}
}

// mayBe reports whether a last part with wildcards may name the pattern's file:
// anywhere if that is a plain name, else in its folder if both begin alike.
func (g *placeGlob) mayBe(dir, last string) bool {
	if g.name != "" {
		ok, err := path.Match(last, g.name)
		return ok && err == nil
	}
	mine, theirs := g.begin, last[:strings.IndexAny(last, pathWild)]
	n := min(len(mine), len(theirs))
	return n > 0 && mine[:n] == theirs[:n] && len(g.folders) > 0 && strings.HasSuffix(strings.ToLower(dir), "/"+g.folders[len(g.folders)-1])
}

// literalFolder is the folder above the first wildcard of a path.
func literalFolder(name string) string {
	i := strings.IndexAny(name, pathWild)
	if i < 0 {
		return path.Dir(name)
	}
	return name[:strings.LastIndexByte(name[:i], '/')+1]
}

// add notes that a change of name changes a place; below is the pattern of the
// place where that lies in the folder name.
func (t *toucher) add(place *Place, name, below string) {
	for i := range t.found {
		if t.found[i].Name == place.Name {
			return
		}
	}
	if test := contentTest(place.Content); test != nil && test(t.call, t.res, name) {
		return
	}
	t.found = append(t.found, Protection{Name: place.Name, Authority: place.Authority, Deny: place.Deny, Path: name, Below: below})
}

// Contents lists the names that Place.Content may have.
func Contents() []string { return []string{"package-scripts"} }

// contentTest returns the test of that name: it reports whether the change of a
// file is harmless. It is nil for none.
func contentTest(name string) func(c *plan.Call, r *tool.Resolved, file string) bool {
	if name == "package-scripts" {
		return tool.KeepsScripts
	}
	return nil
}
