package shell

import (
	"path"
	"strings"
)

// path gives the absolute, clean path of a word, below base ("" is the working directory).
// Text that is not known keeps its Hole.
func (w *walker) path(wd Word, base string) string {
	if wd.Fifo {
		return wd.Text
	}
	text := wd.Text
	if base == "" {
		base = w.cwd()
	}
	switch {
	case text == "":
		return base
	case strings.HasPrefix(text, "/"), strings.HasPrefix(text, "~"):
		return cleanPath(text)
	case strings.HasPrefix(text, Hole):
		return text
	}
	return cleanPath(base + "/" + text)
}

// cwd is the working directory, "." where Env does not name one, a Hole once it is lost.
func (w *walker) cwd() string {
	if w.remote {
		return "~"
	}
	return orHole(w.sc.cwd)
}

func (w *walker) abs(text string) string {
	return w.path(Word{Text: text, Known: true}, "")
}

// cleanPath is path.Clean that leaves a Hole's neighbourhood alone: "x/<hole>/.." is not "x".
func cleanPath(p string) string {
	if !strings.Contains(p, "..") && !strings.Contains(p, "//") && !strings.Contains(p, "/.") && !strings.HasPrefix(p, "./") {
		if len(p) > 1 {
			p = strings.TrimRight(p, "/")
		}
		if p == "" {
			return "/"
		}
		return p
	}
	if i := strings.LastIndex(p, Hole); i >= 0 {
		if j := strings.IndexByte(p[i:], '/'); j >= 0 && !strings.Contains(p[i:], "..") {
			return p[:i+j] + path.Clean(p[i+j:])
		}
		return p
	}
	return path.Clean(p)
}

// real follows known links, in Env and made by the line; bounded, so that a loop of links ends.
func (w *walker) real(p string) string {
	for range 8 {
		next := w.followOnce(p)
		if next == p {
			return p
		}
		p = next
	}
	return p
}

func (w *walker) followOnce(p string) string {
	if len(w.env.Links) == 0 && len(w.links) == 0 {
		return p
	}
	for end := len(p); end > 0; end = strings.LastIndexByte(p[:end], '/') {
		if t, ok := w.link(p[:end]); ok {
			return cleanPath(t + p[end:])
		}
	}
	return p
}

func (w *walker) link(p string) (string, bool) {
	t, ok := w.links[p]
	if !ok {
		t, ok = w.env.Links[p]
	}
	if !ok && w.env.FoldCase {
		for k, v := range w.env.Links {
			if strings.EqualFold(k, p) && (!ok || k < t) {
				t, ok = v, true
			}
		}
	}
	if ok && !strings.HasPrefix(t, "/") && !strings.HasPrefix(t, "~") {
		t = path.Dir(p) + "/" + t
	}
	return t, ok
}

func (w *walker) realIfOther(p string) string {
	if r := w.real(p); r != p {
		return r
	}
	return ""
}

// DangerousRemoval reports whether deleting target (a path or a glob, absolute
// or with ~) takes away a file system, a home or a system directory, or all of a directory.
func DangerousRemoval(target, home, cwd string) bool {
	t := strings.TrimSuffix(target, "/")
	if t == "" || t == "~" || t == home && home != "" || t == "." || t == ".." {
		return true
	}
	for _, all := range [...]string{"/*", "/.*", "/**", "/{*,.*}"} {
		t = strings.TrimSuffix(t, all)
	}
	if t != strings.TrimSuffix(target, "/") && (t == cwd || t == "" || t == "*") || t == "*" {
		return true
	}
	if t == "~" || home != "" && (t == home || strings.HasPrefix(home, t+"/")) || t == "" {
		return true
	}
	if cwd != "" && (t == cwd || strings.HasPrefix(cwd, t+"/")) {
		return true
	}
	return systemRoot(t)
}

// systemRoot reports whether p is a top-level directory or one of a system's own trees.
func systemRoot(p string) bool {
	if !strings.HasPrefix(p, "/") {
		return false
	}
	if strings.Count(p, "/") == 1 {
		return true
	}
	switch p {
	case "/usr/bin", "/usr/lib", "/usr/local", "/usr/share", "/usr/sbin", "/var/lib", "/var/log", "/etc/ssh", "/etc/systemd", "/System/Library", "/Users/Shared", "/boot/efi":
		return true
	}
	return path.Dir(p) == "/home" || path.Dir(p) == "/Users" || path.Dir(p) == "/mnt" || path.Dir(p) == "/media"
}

// Dangerous reports whether the step removes something that DangerousRemoval names.
func (s Step) Dangerous(env Env) bool {
	for _, e := range s.Effects {
		if e.Kind != Delete {
			continue
		}
		if DangerousRemoval(e.Target, env.Home, env.Cwd) || e.Real != "" && DangerousRemoval(e.Real, env.Home, env.Cwd) {
			return true
		}
	}
	return false
}
