package tool

import (
	"path"
	"strings"
)

// otherSpelling returns the path that Windows takes a name for where that is
// another: "\" separates, dots and spaces at the end of a part fall away, ":name"
// is a stream of the same file, GIT~1 the short name of .git. ok is false where
// the name reads alike everywhere. Which system it is the plan does not say, so
// a name counts as both; that only adds to what restrictions and labels see.
func otherSpelling(name string) (string, bool) {
	if !oddSpelling(name) {
		return "", false
	}
	drive := ""
	if len(name) > 1 && name[1] == ':' {
		drive, name = name[:2], name[2:]
	}
	parts := strings.Split(strings.ReplaceAll(name, `\`, "/"), "/")
	for i, part := range parts {
		parts[i] = plainPart(part)
	}
	other := drive + path.Clean(strings.Join(parts, "/"))
	return other, other != drive+name
}

// spell adds the other spelling of a path to what it may lead to.
func (u *PathUse) spell() {
	if other, ok := otherSpelling(u.Path); ok {
		u.Links = append(u.Links[:len(u.Links):len(u.Links)], other)
	}
}

// oddSpelling is a quick test: most names hold nothing of the kind.
func oddSpelling(name string) bool {
	for i := 0; i < len(name); i++ {
		switch name[i] {
		case '\\', '~':
			return true
		case ':':
			if i > 1 && !strings.HasPrefix(name[i:], "://") {
				return true
			}
		case '.', ' ':
			if i > 0 && name[i-1] != '/' && name[i-1] != '.' && (i+1 == len(name) || name[i+1] == '/' || name[i+1] == '\\' || name[i+1] == '.' || name[i+1] == ' ') {
				return true
			}
		}
	}
	return false
}

// plainPart is one part of a path without what Windows ignores.
func plainPart(part string) string {
	if part == "." || part == ".." || part == "" {
		return part
	}
	if i := strings.IndexByte(part, ':'); i > 0 {
		part = part[:i]
	}
	short := strings.TrimRight(part, ". ")
	if short == "" {
		return part
	}
	if head, n, ok := strings.Cut(short, "~"); ok && len(n) == 1 && '1' <= n[0] && n[0] <= '9' && 0 < len(head) && len(head) <= 6 && strings.IndexByte(head, '.') < 0 {
		return "." + strings.ToLower(head) // the short name of a name that begins with a dot
	}
	return short
}
