package rules

import (
	"errors"
	"strings"
)

// hostGlob is a pattern over whole host names: "x.example", "*.x.example".
type hostGlob struct {
	glob    string
	exact   bool
	literal int
}

func newHostGlob(text string) (*hostGlob, error) {
	glob := strings.ToLower(strings.TrimSuffix(text, "."))
	if strings.ContainsAny(glob, "/@ ") || strings.Contains(glob, "://") {
		return nil, errors.New("matches nothing: a host stands without scheme, user and path")
	}
	return &hostGlob{glob: glob, exact: !hasWildcard(glob), literal: literalPrefix(glob, "*?")}, nil
}

// any reports whether the pattern is for every host.
func (h *hostGlob) any() bool { return h.glob == "*" }

// covers reports whether the host may be contacted by this pattern alone; a
// name with anything but letters, digits, dots and hyphens never is.
func (h *hostGlob) covers(host string) bool {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	return plainHost(host) && wildcard(h.glob, host)
}

// reaches reports whether a restriction on the pattern concerns the host.
func (h *hostGlob) reaches(host string) reach {
	if wildcard(h.glob, strings.ToLower(strings.TrimSuffix(host, "."))) {
		return reachYes
	}
	if !plainHost(host) {
		return reachMay
	}
	return reachNo
}

func plainHost(host string) bool {
	for i := 0; i < len(host); i++ {
		c := host[i]
		ok := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' ||
			c == '.' || c == '-' || c == '_' || c == ':' || c == '[' || c == ']'
		if !ok {
			return false
		}
	}
	return host != ""
}
