package report

import (
	"path/filepath"
	"strings"
)

// artifactURI returns the relative reference for a file: percent-encoded, with
// slashes, and never taken for a scheme or an authority (RFC 3986, 4.2).
func artifactURI(file string) string {
	path := filepath.ToSlash(file)
	path = strings.TrimPrefix(path, "./")
	var b strings.Builder
	for i := 0; i < len(path); i++ {
		c := path[i]
		if uriByte(c) {
			b.WriteByte(c)
			continue
		}
		const digits = "0123456789ABCDEF"
		b.Write([]byte{'%', digits[c>>4], digits[c&15]})
	}
	uri := b.String()
	switch {
	case strings.HasPrefix(uri, "//"):
		return "file:///" + strings.TrimLeft(uri, "/")
	case strings.HasPrefix(uri, "/"):
		return "file://" + uri
	}
	return uri
}

// uriByte reports whether a byte stands for itself in a path; a colon is
// encoded, so that no name can be taken for a scheme.
func uriByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("-._~/@!$'()*+,=", c) >= 0
}
