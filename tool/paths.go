package tool

import (
	"path"
	"sort"
	"strings"

	"github.com/planlint/planlint/plan"
)

// maxLinks bounds how many links one path may lead through; a longer chain is
// taken for a loop, and the path for unknown.
const maxLinks = 40

// places turns the paths of one plan into absolute ones. Nothing is looked up:
// links are those that the plan knows.
type places struct {
	env *plan.Env
	// links are by folded path; absLinks has both sides absolute, for commands.
	links, absLinks map[string]string
}

func newPlaces(env *plan.Env) *places {
	p := &places{env: env}
	if len(env.Links) == 0 {
		return p
	}
	p.links = make(map[string]string, len(env.Links))
	p.absLinks = make(map[string]string, len(env.Links))
	names := make([]string, 0, len(env.Links))
	for from := range env.Links {
		names = append(names, from)
	}
	sort.Strings(names)
	for _, from := range names {
		at, _ := p.join(from, "")
		at = path.Clean(at)
		p.links[p.fold(at)] = env.Links[from]
		if to, known := p.join(env.Links[from], path.Dir(at)); known {
			p.absLinks[at] = path.Clean(to)
		}
	}
	return p
}

// learn adds links that a command made; both sides are absolute. Links that are
// removed later stay: following one too many only restricts.
func (p *places) learn(links map[string]string) {
	if p.links == nil && len(links) > 0 {
		p.links = make(map[string]string, len(links))
	}
	for from, to := range links {
		p.links[p.fold(from)] = to
	}
}

// fold lowers the case where the file system does not tell it apart.
func (p *places) fold(name string) string {
	if p.env.CaseInsensitive {
		return strings.ToLower(name)
	}
	return name
}

// join makes a path absolute without cleaning it. known is false where it
// depends on something that the plan does not say.
func (p *places) join(text, base string) (joined string, known bool) {
	if strings.Contains(text, Hole) || strings.Contains(base, Hole) {
		return text, false
	}
	text = strings.TrimPrefix(text, "file://")
	if home, rest, ok := cutHome(text, p.env.User); ok {
		if p.env.Home == "" {
			return text, false
		}
		if home {
			return p.env.Home + "/" + rest, true
		}
		return text, false
	}
	if text = slashes(text); isAbs(text) {
		return text, true
	}
	if base != "" {
		base, known = p.join(base, "")
		return base + "/" + text, known
	}
	if p.env.Cwd == "" {
		return text, true
	}
	return slashes(p.env.Cwd) + "/" + text, true
}

// cutHome takes a leading ~, ~user or $HOME off. own is false for another
// user's home, which nobody knows.
func cutHome(text, user string) (own bool, rest string, ok bool) {
	head, rest, _ := strings.Cut(text, "/")
	switch {
	case head == "~" || head == "$HOME" || head == "${HOME}":
		return true, rest, true
	case len(head) > 1 && head[0] == '~' && nameByte(head[1], false):
		return user != "" && head[1:] == user, rest, true
	}
	return false, "", false
}

// slashes writes a Windows path with slashes; only a drive letter or a leading
// double backslash makes a backslash a separator.
func slashes(text string) string {
	drive := len(text) > 2 && text[1] == ':' && nameByte(text[0], false) && (text[2] == '\\' || text[2] == '/')
	if drive || strings.HasPrefix(text, `\\`) {
		return strings.ReplaceAll(text, `\`, "/")
	}
	return text
}

func isAbs(text string) bool {
	return strings.HasPrefix(text, "/") || len(text) > 2 && text[1] == ':' && text[2] == '/' && nameByte(text[0], false)
}

// use fills the path of a PathUse from what an argument says: Path as named,
// Links where it leads.
func (p *places) use(text, base string, u PathUse) PathUse {
	joined, known := p.join(text, base)
	u.Known = known && text != ""
	if !u.Known {
		u.Path = text
		return u
	}
	u.Path = path.Clean(joined)
	if u.Glob {
		return u
	}
	if p.links == nil {
		u.spell()
		return u
	}
	real, ok := p.real(joined)
	u.Known = ok
	if real != u.Path {
		u.Links = []string{real}
	}
	u.spell()
	return u
}

// real follows links part by part, as the system does: a ".." after a link
// leaves the folder that the link leads to.
func (p *places) real(joined string) (string, bool) {
	rest := strings.Split(joined, "/")
	at, hops := "", 0
	if strings.HasPrefix(joined, "/") {
		at = "/"
	}
	for len(rest) > 0 {
		part := rest[0]
		rest = rest[1:]
		if part == "" || part == "." {
			continue
		}
		next := path.Join(at, part)
		to, linked := p.links[p.fold(next)]
		if !linked {
			at = next
			continue
		}
		if hops++; hops > maxLinks {
			return next, false
		}
		to, known := p.join(to, at)
		if !known {
			return next, false
		}
		at = ""
		if strings.HasPrefix(to, "/") {
			at = "/"
		}
		rest = append(strings.Split(to, "/"), rest...)
	}
	return at, true
}

// literalDir returns the folder in which all that a glob matches lies.
func literalDir(glob string) string {
	if i := strings.IndexAny(glob, `*?[{\`); i >= 0 {
		glob = glob[:i]
		if j := strings.LastIndexByte(glob, '/'); j >= 0 {
			return path.Clean(glob[:max(j, 1)])
		}
		return "."
	}
	return glob
}
