package rules

import (
	"path"
	"strings"

	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/tool"
)

// reach says how surely a restriction concerns a part of a call. A deny that
// may concern the call asks.
type reach = tool.Match

const (
	reachNo  = tool.NoMatch
	reachMay = tool.MayMatch
	reachYes = tool.Matches
)

// outsideWorkspace is the path pattern for everything outside of the working
// directory.
const outsideWorkspace = "@outside"

// pathGlob is a compiled path pattern: tool.PathGlob with what resolution needs
// to know of its text.
type pathGlob struct {
	// glob is nil for @outside, and where same is set.
	glob *tool.PathGlob
	// same is the one path that the pattern names, with all below it: see samePath.
	same string
	// absolute is the second reading of a pattern with one leading slash. It
	// always restricts, and grants only where within holds.
	absolute *tool.PathGlob
	root     string
	// exact: no wildcard; literal: bytes before the first one.
	exact   bool
	literal int
	// any: the pattern is * or ** and names nothing.
	any bool
	// folder: the pattern names all that is in a folder.
	folder bool
	// name is the pattern's last part where that is a plain name: a path without
	// it can't match, which spares most calls the glob.
	name string
}

const pathWild = "*?[{\\"

func newPathGlob(text string) (*pathGlob, error) {
	if text == outsideWorkspace {
		return &pathGlob{}, nil
	}
	glob, err := tool.CompilePath(text)
	if err != nil {
		return nil, err
	}
	g := &pathGlob{glob: glob}
	body := strings.TrimPrefix(strings.TrimPrefix(text, "./"), "~/")
	g.literal = literalPrefix(body, pathWild)
	g.exact = g.literal == len(body) && !strings.HasSuffix(body, "/")
	g.any = strings.Trim(body, "*/") == "" && !strings.HasPrefix(text, "~")
	g.folder = strings.Trim(path.Base(body), "*") == ""
	if last := path.Base(body); !strings.ContainsAny(body, "{\\") && !strings.ContainsAny(last, pathWild) && last != "." && last != ".." && last != "/" {
		g.name = last
	}
	if strings.HasPrefix(text, "/") && !strings.HasPrefix(text, "//") {
		g.root = text[:literalPrefix(text, pathWild)]
		g.absolute, err = tool.CompilePath("/" + text)
	}
	return g, err
}

// covers reports whether the pattern alone says yes to a use.
func (g *pathGlob) covers(u *tool.PathUse, env *plan.Env) bool {
	if u.Guess || !u.Known {
		return false
	}
	if g.same != "" {
		return g.holds(u)
	}
	if g.glob == nil {
		return !u.Glob && !u.Tree && coversOutside(u, env)
	}
	return g.glob.Covers(env, u) || g.within(env) && g.absolute.Covers(env, u)
}

// samePath is newPathGlob, without a glob, for a grant of one path by the pattern
// that shownPath made of it. It is ok only where neither that path nor the working
// directory has bytes or parts that a pattern might read in another way.
func samePath(name, pattern string, env *plan.Env) (g pathGlob, ok bool) {
	ok = len(name) > 1 && len(name) <= maxSame && plainPath(name) && !env.CaseInsensitive && plainPath(env.Cwd) &&
		(path.IsAbs(name) || env.Cwd == "")
	return pathGlob{same: name, exact: true, literal: len(strings.TrimPrefix(pattern, "./"))}, ok
}

// maxSame and maxParts are well below what a pattern may have.
const (
	maxSame  = 1 << 9
	maxParts = 32
)

// plainPath reports whether a path is clean, of everyday bytes, and has no part
// that begins with a dot.
func plainPath(p string) bool {
	begins, parts := true, 0 // begins: a part does
	for i := 0; i < len(p); i++ {
		switch c := p[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '_', c == '-':
			begins = false
		case c == '/' && (i == 0 || !begins):
			begins = true
			parts++
		case begins || c != '.':
			return false
		}
	}
	return (!begins || len(p) < 2) && parts < maxParts
}

// holds is covers for the one path and what is below it.
func (g *pathGlob) holds(u *tool.PathUse) bool {
	if !below(u.Path, g.same) {
		return false
	}
	for _, link := range u.Links {
		if !below(link, g.same) {
			return false
		}
	}
	return true
}

// within reports whether an absolute pattern stays in the working directory or
// the home: then "/srv/app/**" can't have meant a folder of the project.
func (g *pathGlob) within(env *plan.Env) bool {
	return g.absolute != nil &&
		(env.Cwd != "" && below(g.root, env.Cwd) || env.Home != "" && below(g.root, env.Home))
}

func coversOutside(u *tool.PathUse, env *plan.Env) bool {
	for i := -1; i < len(u.Links); i++ {
		p := u.Path
		if i >= 0 {
			p = u.Links[i]
		}
		if env.Cwd == "" || !path.IsAbs(p) || below(p, env.Cwd) {
			return false
		}
	}
	return true
}

// reaches reports how surely a restriction with this pattern concerns a use.
func (g *pathGlob) reaches(u *tool.PathUse, env *plan.Env) reach {
	if g.glob == nil {
		return reachesOutside(u, env)
	}
	if u.Names && !g.folder {
		return reachNo // a listing shows no content of a file
	}
	if g.name != "" && u.Known && !u.Tree && !u.Glob && !env.CaseInsensitive && !g.named(u) {
		return reachNo
	}
	best := g.glob.Reaches(env, u)
	if g.absolute != nil {
		best = max(best, g.absolute.Reaches(env, u))
	}
	return best
}

// named reports whether the pattern's last name stands anywhere in the paths.
func (g *pathGlob) named(u *tool.PathUse) bool {
	for _, l := range u.Links {
		if strings.Contains(l, g.name) {
			return true
		}
	}
	return strings.Contains(u.Path, g.name)
}

func reachesOutside(u *tool.PathUse, env *plan.Env) reach {
	best := outsideReach(u.Path, u.Tree, env)
	for _, l := range u.Links {
		best = max(best, outsideReach(l, u.Tree, env))
	}
	if !u.Known || u.Glob {
		return max(reachMay, min(best, reachMay))
	}
	return best
}

func outsideReach(p string, tree bool, env *plan.Env) reach {
	switch {
	case env.Cwd == "" && !path.IsAbs(p):
		if strings.HasPrefix(p, "..") {
			return reachYes
		}
		return reachNo
	case env.Cwd == "":
		return reachMay
	case !below(p, env.Cwd) || tree && p != env.Cwd && below(env.Cwd, p):
		return reachYes
	}
	return reachNo
}

// below reports whether p is dir or under it; whole parts are compared.
func below(p, dir string) bool {
	rest, ok := strings.CutPrefix(p, strings.TrimSuffix(dir, "/"))
	return ok && (rest == "" || rest[0] == '/')
}
