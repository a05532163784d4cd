package tool

import "strings"

// SplitAddresses reads a recipient as people and programs write it: one or more
// of name@host, "Name <name@host>", #channel, +49..., separated by commas or
// semicolons. It is strict: where a part could be read in more than one way, ok
// is false, and the caller takes everyone for the audience. Addresses are
// returned in lower case. An empty text is no address, and ok.
func SplitAddresses(text string) (out []string, ok bool) {
	for text != "" {
		part, rest, fine := cutAddress(text)
		if !fine {
			return nil, false
		}
		text = rest
		part = strings.TrimSpace(part)
		if part == "" {
			continue
		}
		addr, fine := bareAddress(part)
		if !fine {
			return nil, false
		}
		out = append(out, addr)
	}
	return out, true
}

// cutAddress returns the text up to the next separator that is neither in
// quotes nor in angle brackets.
func cutAddress(text string) (part, rest string, ok bool) {
	quoted, angle := false, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c < ' ' && c != '\t' || c == 0x7f || c == '\\':
			return "", "", false
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '<':
			if angle {
				return "", "", false
			}
			angle = true
		case c == '>':
			if !angle {
				return "", "", false
			}
			angle = false
		case (c == ',' || c == ';') && !angle:
			return text[:i], text[i+1:], true
		}
	}
	return text, "", !quoted && !angle
}

// bareAddress takes "Name <address>" apart. A display name that itself looks
// like an address is no problem, since only the part in brackets counts; text
// after the brackets, comments and routes are.
func bareAddress(part string) (string, bool) {
	// The first bracket may stand in a quoted name; the last one opens the address.
	if open := strings.LastIndexByte(part, '<'); open >= 0 {
		if !strings.HasSuffix(part, ">") || strings.Count(part[:open], `"`)%2 != 0 {
			return "", false
		}
		part = part[open+1 : len(part)-1]
	} else {
		part = strings.TrimPrefix(strings.ToLower(part), "mailto:")
	}
	part = strings.ToLower(strings.TrimSpace(part))
	if part == "" || strings.HasPrefix(part, "mailto:") || strings.ContainsAny(part, ",;<>") ||
		strings.Contains(part, "@") && strings.ContainsAny(part, "\"()[]:?&%") {
		return "", false
	}
	if strings.Count(part, "@") > 1 || strings.Contains(part, "@") && strings.ContainsAny(part, " \t") {
		return "", false
	}
	if i := strings.IndexByte(part, '@'); i >= 0 && !mailHost(part[i+1:]) {
		return "", false
	}
	return part, true
}

// mailHost reports whether the text is a plain ASCII host name. Others may
// render like a host that they are not. An empty host (a trailing @) is refused;
// "@handle" has its host after the sign and passes.
func mailHost(host string) bool {
	if host == "" {
		return false
	}
	for i := 0; i < len(host); i++ {
		c := host[i]
		if c >= 0x80 || !(nameByte(c, true) || c == '.') {
			return false
		}
	}
	return true
}
