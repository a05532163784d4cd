package tool

import "strings"

// HostOf returns the host that a URL's reader would contact: what stands after
// the last '@' of the authority, in lower case, without port and trailing dot.
// ok is false where there is none, or where programs would read it differently
// (control characters, escapes, characters beyond ASCII): the host is then as
// near as can be told, and grants nothing.
func HostOf(url string) (host string, ok bool) {
	rest, scheme := cutScheme(strings.TrimSpace(url))
	if !scheme {
		return "", false
	}
	ok = true
	// Browsers take any number of slashes, and backslashes for slashes.
	trimmed := strings.TrimLeft(rest, `/\`)
	if rest[:len(rest)-len(trimmed)] != "//" {
		ok = false
	}
	authority := trimmed
	if end := strings.IndexAny(trimmed, `/\?#`); end >= 0 {
		authority = trimmed[:end]
		ok = ok && trimmed[end] != '\\'
	}
	if at := strings.LastIndexByte(authority, '@'); at >= 0 {
		// User information may hold nothing that another reader would take for
		// the end of the authority.
		ok = ok && !strings.ContainsAny(authority[:at], `@;&`)
		authority = authority[at+1:]
	}
	host, plain := CleanHost(cutPort(authority))
	return host, ok && plain && host != ""
}

// cutScheme returns what follows "scheme:" or, for a URL without one that
// starts with two slashes, the text itself.
func cutScheme(url string) (rest string, ok bool) {
	if strings.HasPrefix(url, "//") {
		return url, true
	}
	i := strings.IndexByte(url, ':')
	if i <= 0 {
		return "", false
	}
	for j := 0; j < i; j++ {
		if c := url[j]; !nameByte(c, j > 0) && c != '+' && c != '.' {
			return "", false
		}
	}
	rest = url[i+1:]
	return rest, strings.HasPrefix(rest, "/") || strings.HasPrefix(rest, `\`)
}

func cutPort(authority string) string {
	if strings.HasPrefix(authority, "[") {
		if end := strings.IndexByte(authority, ']'); end > 0 {
			return authority[1:end]
		}
		return authority
	}
	host, _, _ := strings.Cut(authority, ":")
	return host
}

// CleanHost folds a host name for comparison: lower case, no trailing dot, wide
// forms as ASCII, invisible characters dropped. plain is false where something
// other than case and dot had to be folded, or is not ASCII at all.
func CleanHost(host string) (clean string, plain bool) {
	if cleanHost(host) {
		return strings.TrimSuffix(host, "."), true
	}
	plain = true
	var b strings.Builder
	b.Grow(len(host))
	for _, r := range host {
		switch {
		case 'A' <= r && r <= 'Z':
			b.WriteByte(byte(r) + 'a' - 'A')
		case r > ' ' && r < 0x7f && r != '%':
			b.WriteByte(byte(r))
		default:
			plain = false
			b.WriteString(foldWide(r))
		}
	}
	return strings.TrimSuffix(b.String(), "."), plain
}

// cleanHost reports whether a host needs no folding; most don't.
func cleanHost(host string) bool {
	for i := 0; i < len(host); i++ {
		if c := host[i]; c <= ' ' || c >= 0x7f || c == '%' || 'A' <= c && c <= 'Z' {
			return false
		}
	}
	return true
}

// foldWide maps what name look-up folds to ASCII, drops what it ignores, and
// leaves the rest.
func foldWide(r rune) string {
	switch {
	case 0xff01 <= r && r <= 0xff5e:
		return strings.ToLower(string(r - 0xff01 + '!'))
	case r == 0x3002 || r == 0xff0e || r == 0xff61:
		return "."
	case r <= ' ' || r == 0x7f, r == 0xad, 0x200b <= r && r <= 0x200f, 0x202a <= r && r <= 0x202e,
		0x2060 <= r && r <= 0x2064, r == 0xfeff, 0xfe00 <= r && r <= 0xfe0f:
		return ""
	}
	return strings.ToLower(string(r))
}

// hostGlob matches a host against "x.example" or "*.x.example"; both are folded.
func hostGlob(pattern, host string) bool {
	if suffix, wild := strings.CutPrefix(pattern, "*."); wild {
		return strings.HasSuffix(host, "."+suffix) && len(host) > len(suffix)+1
	}
	return pattern == "*" || pattern == host
}
