package tool

import (
	"fmt"
	"path"
	"strings"
	"sync"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/planlint/planlint/plan"
)

// Match says how surely a pattern that restricts concerns something.
type Match uint8

// The answers. MayMatch: something unknown, a glob or a whole folder may hold
// what the pattern names.
const (
	NoMatch Match = iota
	MayMatch
	Matches
)

// anchor is where a path pattern starts.
type anchor uint8

const (
	fromRoot anchor = iota // the project, the plan's working directory
	fromHome
	fromSlash
)

// Bounds on one pattern; a longer one is a load error.
const (
	maxPattern  = 4096
	maxBraces   = 64
	maxSegments = 64
)

// PathGlob is a pattern over paths with the meaning of gitignore: without a
// slash it matches at any depth, "/x", "./x" and "x/y" start at the project's
// root, "~/x" at home, "//x" at the file system's root, and a pattern that
// matches a folder matches all below it. Immutable.
type PathGlob struct {
	text   string
	start  anchor
	up     int // leading ".." from the root
	alts   [][]string
	folded [][]string
	// needs has, per alternative, a text that every path it matches holds, empty
	// for none, and the same in lower case.
	needs, foldedNeeds []string
	// floats: as a restriction it holds outside the root as well.
	floats bool
	// later compiles the pattern when it is first asked; nil where it is.
	later *deferred
}

// deferred is a pattern that is compiled when it is first asked.
type deferred struct {
	once sync.Once
	glob *PathGlob
}

// DeferPath is CompilePath for a pattern that is known to be one, such as a
// built-in policy's: most of them no plan ever asks. If it is none after all, it
// matches every path.
func DeferPath(text string) *PathGlob {
	return &PathGlob{text: text, later: new(deferred)}
}

// made returns the compiled pattern.
func (g *PathGlob) made() *PathGlob {
	if g.later == nil {
		return g
	}
	g.later.once.Do(func() {
		var err error
		if g.later.glob, err = CompilePath(g.text); err != nil {
			g.later.glob, _ = CompilePath("//**")
		}
	})
	return g.later.glob
}

// CompilePath reads a path pattern.
func CompilePath(text string) (*PathGlob, error) {
	g := &PathGlob{text: text}
	if text == "" || strings.ContainsAny(text, "\x00\n") {
		return nil, fmt.Errorf("path pattern %q is empty or not a path", text)
	}
	if len(text) > maxPattern {
		return nil, fmt.Errorf("path pattern %.40q... has more than %d bytes", text, maxPattern)
	}
	if text[0] == '!' {
		return nil, fmt.Errorf("path pattern %q: negation is not supported; write the opposite rule", text)
	}
	rest := g.anchor(text)
	all, err := expandBraces(rest, nil)
	if err != nil {
		return nil, fmt.Errorf("path pattern %q: %w", text, err)
	}
	g.alts, g.needs = make([][]string, len(all)), make([]string, len(all))
	for i, alt := range all {
		if g.alts[i], err = g.segments(alt); err != nil {
			return nil, fmt.Errorf("path pattern %q: %w", text, err)
		}
		g.needs[i] = needOf(g.alts[i])
	}
	g.fold(text)
	return g, nil
}

// fold sets the alternatives in lower case; most patterns are so as written.
func (g *PathGlob) fold(text string) {
	if strings.ToLower(text) == text {
		g.folded, g.foldedNeeds = g.alts, g.needs
		return
	}
	g.folded, g.foldedNeeds = make([][]string, len(g.alts)), make([]string, len(g.alts))
	for i, alt := range g.alts {
		low := make([]string, len(alt))
		for j, s := range alt {
			low[j] = strings.ToLower(s)
		}
		g.folded[i], g.foldedNeeds[i] = low, strings.ToLower(g.needs[i])
	}
}

// String returns the pattern as written.
func (g *PathGlob) String() string { return g.text }

// anchor sets where the pattern starts and returns the rest.
func (g *PathGlob) anchor(text string) string {
	switch text = slashes(text); {
	case strings.HasPrefix(text, "//"):
		g.start = fromSlash
		return strings.TrimLeft(text, "/")
	case isAbs(text) && text[0] != '/':
		g.start = fromSlash
		return text
	case text == "~" || strings.HasPrefix(text, "~/"):
		g.start = fromHome
		return strings.TrimLeft(text[1:], "/")
	case text[0] == '/':
		return text[1:]
	}
	if inner := strings.TrimSuffix(text, "/"); !strings.Contains(inner, "/") && inner != "." && inner != ".." {
		g.floats = true
		return "**/" + inner
	}
	g.floats = strings.HasPrefix(text, "**/")
	for text = strings.TrimPrefix(text, "./"); text == ".." || strings.HasPrefix(text, "../"); {
		g.up++
		text = strings.TrimPrefix(text[2:], "/")
	}
	return text
}

func (g *PathGlob) segments(alt string) (segs []string, err error) {
	segs = make([]string, 0, strings.Count(alt, "/")+1)
	for s := range strings.SplitSeq(alt, "/") {
		switch {
		case s == "" || s == ".":
		case s == "..":
			return nil, fmt.Errorf(".. is only understood at its start")
		case s == "**" && len(segs) > 0 && segs[len(segs)-1] == "**":
		case !doublestar.ValidatePattern(s):
			return nil, fmt.Errorf("%q is not a pattern", s)
		default:
			segs = append(segs, s)
		}
	}
	if len(segs) > maxSegments {
		return nil, fmt.Errorf("more than %d parts", maxSegments)
	}
	return segs, nil
}

// needOf returns the longest text without wildcards of a pattern: a path that
// does not hold it needs no closer look.
func needOf(segs []string) (need string) {
	for _, s := range segs {
		if strings.ContainsAny(s, `[{\`) {
			continue
		}
		for len(s) > 0 {
			end := strings.IndexAny(s, "*?")
			if end < 0 {
				end = len(s)
			}
			if end > len(need) {
				need = s[:end]
			}
			s = s[min(end+1, len(s)):]
		}
	}
	return need
}

// lacks reports whether a path holds none of the texts that the pattern needs,
// so that it can't match. Folders and globs may stand for more than they say.
func (g *PathGlob) lacks(env *plan.Env, u *PathUse, name string) bool {
	if u.Tree || u.Glob {
		return false
	}
	if env.CaseInsensitive {
		return holdsNone(strings.ToLower(name), g.foldedNeeds)
	}
	return holdsNone(name, g.needs)
}

func holdsNone(name string, needs []string) bool {
	for _, need := range needs {
		if strings.Contains(name, need) {
			return false
		}
	}
	return true
}

// expandBraces writes {a,b} out.
func expandBraces(text string, out []string) ([]string, error) {
	open, end, commas := braces(text)
	if open < 0 {
		if len(out) == maxBraces {
			return nil, fmt.Errorf("more than %d alternatives", maxBraces)
		}
		return append(out, text), nil
	}
	if end < 0 {
		return nil, fmt.Errorf("{ without }")
	}
	var err error
	at := open + 1
	for _, comma := range append(commas, end) {
		if out, err = expandBraces(text[:open]+text[at:comma]+text[end+1:], out); err != nil {
			return nil, err
		}
		at = comma + 1
	}
	return out, nil
}

// braces finds the first brace, its end and the commas between; end is -1 if
// there is none.
func braces(text string) (open, end int, commas []int) {
	open, end = -1, -1
	depth := 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\':
			i++
		case c == '{':
			if depth++; depth == 1 {
				open = i
			}
		case c == '}' && depth > 0:
			if depth--; depth == 0 {
				return open, i, commas
			}
		case c == ',' && depth == 1:
			commas = append(commas, i)
		}
	}
	return open, end, commas
}

// Covers reports whether all that a use touches is what the pattern names: its
// path, all that it leads to, and everything below where the use is of a tree.
// What is not known is never covered.
func (g *PathGlob) Covers(env *plan.Env, u *PathUse) bool {
	g = g.made()
	if !u.Known || u.Guess || !g.coversPath(env, u, u.Path) {
		return false
	}
	for _, link := range u.Links {
		if !g.coversPath(env, u, link) {
			return false
		}
	}
	return true
}

// coversRead is Covers for a floating pattern anywhere in the file system.
func (g *PathGlob) coversRead(env *plan.Env, u *PathUse) bool {
	g = g.made()
	if !u.Known || g.reachesPath(env, u, u.Path) != Matches {
		return false
	}
	for _, link := range u.Links {
		if g.reachesPath(env, u, link) != Matches {
			return false
		}
	}
	return true
}

func (g *PathGlob) coversPath(env *plan.Env, u *PathUse, name string) bool {
	if u.Glob {
		name = literalDir(name)
	}
	rel, ok := g.relative(env, name)
	if !ok {
		return false
	}
	for _, alt := range g.of(env) {
		at, _ := run(alt, rel)
		if at < 0 {
			continue
		}
		whole := at == len(rel) && !u.Tree && !u.Glob
		if whole || len(alt) == 0 || alt[len(alt)-1] == "**" || !hasMeta(alt[len(alt)-1]) {
			return true
		}
	}
	return false
}

// Reaches says whether a use touches what the pattern names, or may.
func (g *PathGlob) Reaches(env *plan.Env, u *PathUse) Match {
	g = g.made()
	if !u.Known {
		return MayMatch
	}
	best := g.reachesPath(env, u, u.Path)
	for _, link := range u.Links {
		best = max(best, g.reachesPath(env, u, link))
	}
	return best
}

func (g *PathGlob) reachesPath(env *plan.Env, u *PathUse, name string) Match {
	if g.lacks(env, u, name) {
		return NoMatch
	}
	rel, ok := g.relative(env, name)
	sure := Matches
	if far, remote := strings.CutPrefix(name, "~/"); remote && g.start == fromHome {
		rel, ok = split(env, far), true // home on another host
	}
	if !ok {
		switch {
		case g.floats:
			rel = split(env, name)
		case g.unplaced(env):
			// Where the pattern starts is not known: any place may be it.
			sure = MayMatch
		case u.Tree || u.Glob:
			return g.below(env, u, name)
		default:
			return NoMatch
		}
	}
	best := NoMatch
	for _, alt := range g.of(env) {
		if sure == MayMatch {
			alt, rel = append([]string{"**"}, alt...), split(env, name)
		}
		best = max(best, min(sure, reach(alt, rel, u)))
	}
	return best
}

// below handles a tree or glob above the place where the pattern starts.
func (g *PathGlob) below(env *plan.Env, u *PathUse, name string) Match {
	if u.Glob {
		name = literalDir(name)
	}
	base := g.base(env)
	if name == "/" || base == name || strings.HasPrefix(base, strings.TrimSuffix(name, "/")+"/") {
		return MayMatch
	}
	return NoMatch
}

// unplaced reports whether the folder that the pattern starts from is unknown.
func (g *PathGlob) unplaced(env *plan.Env) bool {
	return g.start == fromHome && env.Home == "" || g.start == fromRoot && env.Cwd == ""
}

func (g *PathGlob) of(env *plan.Env) [][]string {
	g = g.made()
	if env.CaseInsensitive {
		return g.folded
	}
	return g.alts
}

func (g *PathGlob) base(env *plan.Env) string {
	base := ""
	switch g.start {
	case fromRoot:
		base = path.Clean(slashes(env.Cwd))
	case fromHome:
		base = path.Clean(slashes(env.Home))
	}
	for range g.up {
		base = path.Dir(base)
	}
	if env.CaseInsensitive {
		base = strings.ToLower(base)
	}
	return base
}

// relative returns the parts of a path below where the pattern starts.
func (g *PathGlob) relative(env *plan.Env, name string) ([]string, bool) {
	if env.CaseInsensitive {
		name = strings.ToLower(name)
	}
	if g.start == fromSlash {
		return split(env, name), isAbs(name)
	}
	if g.start == fromRoot && env.Cwd == "" {
		return split(env, name), !isAbs(name) && g.up == 0 && name != ".." && !strings.HasPrefix(name, "../")
	}
	if g.unplaced(env) {
		return nil, false
	}
	base := g.base(env)
	if base == name {
		return nil, true
	}
	rest, ok := strings.CutPrefix(name, strings.TrimSuffix(base, "/"))
	if !ok || !strings.HasPrefix(rest, "/") {
		return split(env, name), false
	}
	return split(env, rest[1:]), true
}

func split(env *plan.Env, name string) []string {
	if env.CaseInsensitive {
		name = strings.ToLower(name)
	}
	name = strings.Trim(name, "/")
	if name == "" || name == "." {
		return nil
	}
	return strings.Split(name, "/")
}
