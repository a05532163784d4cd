// Package install puts planlint into the configuration of agent clients, takes
// it out again, and checks that it works.
//
// In: a client and a scope, the user's or the project's. Out: changes of files,
// each with the old and the new content, which the caller shows and applies.
//
// Files that belong to the client are edited in place: what is not planlint's
// keeps every byte, in order and form. Files that only hold planlint's hook are
// written whole. Installing twice changes nothing; what an older planlint wrote
// is replaced; uninstalling leaves what was there before.
//
// Limits: files with comments are not changed, and said to be so; what a client
// keeps elsewhere (managed settings, trust) is checked at most.
package install

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Scope says whose configuration is meant.
type Scope uint8

// The scopes.
const (
	// User is the user's configuration, for all projects.
	User Scope = iota
	// Project is the configuration of the project in the working folder.
	Project
)

// Site is where things are on this machine.
type Site struct {
	Home, Dir string
	// ConfigHome is $XDG_CONFIG_HOME, "" for its default.
	ConfigHome string
	// Binary is the planlint to call; Fast the planlint-hook beside it, which
	// gives the same answers sooner, "" where there is none.
	Binary, Fast string
}

func (s Site) config() string {
	if filepath.IsAbs(s.ConfigHome) {
		return s.ConfigHome
	}
	return filepath.Join(s.Home, ".config")
}

// Change is one file's old and new content. A nil Old is a new file, a nil New
// one that goes.
type Change struct {
	Path     string
	Old, New []byte
	Mode     os.FileMode
}

// Nothing reports whether the change changes nothing.
func (c *Change) Nothing() bool {
	return bytes.Equal(c.Old, c.New) && (c.Old == nil) == (c.New == nil)
}

// Install returns the changes that put planlint into a client's configuration.
func Install(client string, scope Scope, site Site) ([]Change, error) {
	t, err := targetOf(client, scope, site)
	if err != nil {
		return nil, err
	}
	return t.changes(func(f *file, old []byte) ([]byte, error) { return f.install(old, site) })
}

// Uninstall returns the changes that take it out again.
func Uninstall(client string, scope Scope, site Site) ([]Change, error) {
	t, err := targetOf(client, scope, site)
	if err != nil {
		return nil, err
	}
	return t.changes(func(f *file, old []byte) ([]byte, error) { return f.uninstall(old) })
}

// changes reads each file of a target and returns those that change.
func (t *target) changes(edit func(*file, []byte) ([]byte, error)) ([]Change, error) {
	var list []Change
	for i := range t.files {
		f := &t.files[i]
		old, err := os.ReadFile(f.path)
		if errors.Is(err, fs.ErrNotExist) {
			old, err = nil, nil
		}
		if err != nil {
			return nil, err
		}
		changed, err := edit(f, old)
		if err != nil {
			return nil, fmt.Errorf("%s: %w\nhint: add this by hand:\n%s", f.path, err, f.sample())
		}
		if c := (Change{Path: f.path, Old: old, New: changed, Mode: f.mode()}); !c.Nothing() {
			list = append(list, c)
		}
	}
	return list, nil
}

// Apply writes a change. The file is replaced in one step and keeps its mode; a
// link is followed, so that a linked configuration stays linked.
func (c *Change) Apply() error {
	path := c.Path
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	if c.New == nil {
		return os.Remove(path)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	mode := c.Mode
	if info, err := os.Stat(path); err == nil {
		mode = info.Mode().Perm() | c.Mode&0o111
	}
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // no-op once renamed
	_, err = f.Write(c.New)
	if err = errors.Join(err, f.Chmod(mode), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// Diff shows a change as a unified diff of its changed lines.
func (c *Change) Diff() string {
	var b strings.Builder
	old, now := lines(c.Old), lines(c.New)
	from, to := c.Path, c.Path
	if c.Old == nil {
		from = "/dev/null"
	}
	if c.New == nil {
		to = "/dev/null"
	}
	fmt.Fprintf(&b, "--- %s\n+++ %s\n", from, to)
	diff(&b, old, now)
	return b.String()
}

func lines(text []byte) []string {
	if len(text) == 0 {
		return nil
	}
	return strings.SplitAfter(strings.TrimSuffix(string(text), "\n"), "\n")
}

// hunkRange is a hunk's range of lines as diffs write it: of no lines, the one before.
func hunkRange(from, to int) string {
	if to <= from {
		return fmt.Sprintf("%d,0", from)
	}
	return fmt.Sprintf("%d,%d", from+1, to-from)
}

// diff writes one hunk from the first line that differs to the last. Edits add
// or remove a few lines, so a shorter script is not looked for.
func diff(b *strings.Builder, old, now []string) {
	head := 0
	for head < len(old) && head < len(now) && old[head] == now[head] {
		head++
	}
	tail := 0
	for tail < len(old)-head && tail < len(now)-head && old[len(old)-1-tail] == now[len(now)-1-tail] {
		tail++
	}
	context := max(0, head-2)
	after := min(tail, 2)
	fmt.Fprintf(b, "@@ -%s +%s @@\n", hunkRange(context, len(old)-tail+after), hunkRange(context, len(now)-tail+after))
	write := func(mark string, list []string) {
		for _, line := range list {
			b.WriteString(mark + strings.TrimSuffix(line, "\n") + "\n")
		}
	}
	write(" ", old[context:head])
	write("-", old[head:len(old)-tail])
	write("+", now[head:len(now)-tail])
	write(" ", old[len(old)-tail:len(old)-tail+after])
}
