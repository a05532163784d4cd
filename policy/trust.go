package policy

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/planlint/planlint/internal/compiled"
	"github.com/planlint/planlint/internal/lockfile"
)

// TrustFile is where pinned digests are kept, in the user's folder.
const TrustFile = "trust.yaml"

// trustFile is what TrustFile holds.
type trustFile struct {
	Version int   `yaml:"version"`
	Trusted []Pin `yaml:"trusted"`
}

// Pin is one project whose policy the user trusts, as it was then.
type Pin struct {
	// Dir is the folder of the project's planlint.yaml, links resolved.
	Dir string `yaml:"dir"`
	// Digest covers that file and all that it extends.
	Digest string `yaml:"digest"`
	// Files are those files, relative to Dir, for people.
	Files []string `yaml:"files"`
}

// Trust pins the policy of a project, found upwards from dir, in the user's
// folder, and returns the pin. Problems of the policy do not keep it from being
// pinned; a policy that cannot be read does.
func Trust(o Options) (Pin, error) {
	if o.FS == nil {
		o.FS = OS{}
	}
	if o.UserDir == "" {
		return Pin{}, errors.New("no folder for the user's configuration is known")
	}
	path, err := Find(o.FS, o.Dir)
	if err != nil {
		return Pin{}, err
	}
	if path == "" {
		return Pin{}, fmt.Errorf("no %s in %q or above it", FileName, o.Dir)
	}
	g := projectLayers(o.FS, path, "")
	for _, p := range g.problems {
		if len(g.layers) == 0 {
			return Pin{}, p
		}
	}
	pin := pinOf(o.FS, filepath.Dir(path), g.layers)
	return pin, changeTrust(o.UserDir, func(t *trustFile) { t.put(pin) })
}

// Distrust removes the pin of a project. It reports whether there was one.
func Distrust(o Options) (bool, error) {
	if o.FS == nil {
		o.FS = OS{}
	}
	path, err := Find(o.FS, o.Dir)
	if err != nil || path == "" {
		return false, err
	}
	dir := resolved(o.FS, filepath.Dir(path))
	removed := false
	err = changeTrust(o.UserDir, func(t *trustFile) { removed = t.remove(dir) })
	return removed, err
}

// isTrusted reports whether the user has pinned exactly these files.
func isTrusted(o Options, dir string, layers []Layer) (bool, error) {
	if o.UserDir == "" {
		return false, nil
	}
	data, err := o.FS.ReadFile(filepath.Join(o.UserDir, TrustFile))
	if errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	t, err := parseTrust(data)
	if err != nil {
		return false, err
	}
	want := pinOf(o.FS, dir, layers)
	for _, p := range t.Trusted {
		if p.Dir == want.Dir {
			return p.Digest == want.Digest, nil
		}
	}
	return false, nil
}

// pinOf returns the pin of layers as they were read.
func pinOf(files FS, dir string, layers []Layer) Pin {
	pin := Pin{Dir: resolved(files, dir)}
	var parts []string
	for _, l := range layers {
		rel, err := filepath.Rel(dir, l.File)
		if err != nil {
			rel = l.File
		}
		rel = filepath.ToSlash(rel)
		pin.Files = append(pin.Files, rel)
		parts = append(parts, fmt.Sprintf("%d:%s %s\n", len(rel), rel, l.Digest))
	}
	sort.Strings(pin.Files)
	sort.Strings(parts)
	h := sha256.New()
	for _, p := range parts {
		h.Write([]byte(p))
	}
	pin.Digest = "sha256:" + hex.EncodeToString(h.Sum(nil))
	return pin
}

func resolved(files FS, dir string) string {
	if r, ok := files.(interface{ Resolve(string) (string, error) }); ok {
		if real, err := r.Resolve(dir); err == nil {
			dir = real
		}
	}
	return filepath.Clean(dir)
}

func parseTrust(data []byte) (*trustFile, error) {
	t := new(trustFile)
	dec := yaml.NewDecoder(bytes.NewReader(data))
	dec.KnownFields(true)
	if err := dec.Decode(t); err != nil {
		return nil, fmt.Errorf("cannot be read: %w", err)
	}
	if t.Version != 1 {
		return nil, fmt.Errorf("unknown version %d", t.Version)
	}
	return t, nil
}

func (t *trustFile) put(p Pin) {
	t.remove(p.Dir)
	t.Trusted = append(t.Trusted, p)
	sort.Slice(t.Trusted, func(i, j int) bool { return t.Trusted[i].Dir < t.Trusted[j].Dir })
}

func (t *trustFile) remove(dir string) (removed bool) {
	kept := t.Trusted[:0]
	for _, p := range t.Trusted {
		if p.Dir == dir {
			removed = true
			continue
		}
		kept = append(kept, p)
	}
	t.Trusted = kept
	return removed
}

// changeTrust changes the trust file under a lock, and replaces it whole.
func changeTrust(userDir string, change func(*trustFile)) error {
	if userDir == "" {
		return errors.New("no folder for the user's configuration is known")
	}
	if err := os.MkdirAll(userDir, 0o700); err != nil {
		return err
	}
	path := filepath.Join(userDir, TrustFile)
	ctx, cancel := context.WithTimeout(context.Background(), lockWait)
	defer cancel()
	unlock, err := lockfile.Lock(ctx, path+".lock")
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	defer unlock()
	defer os.Remove(path + ".lock") // a folder of configuration stays tidy
	t := &trustFile{Version: 1}
	data, err := os.ReadFile(path)
	if err == nil {
		if t, err = parseTrust(data); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	} else if !errors.Is(err, os.ErrNotExist) {
		return err
	}
	change(t)
	out, err := yaml.Marshal(t)
	if err != nil {
		return err
	}
	return replaceFile(path, append([]byte("# Projects whose planlint.yaml you trust; written by planlint trust.\n"), out...))
}

// replaceFile writes a file beside and renames it, so that a reader sees the
// old or the new content.
func replaceFile(path string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // no-op once renamed
	if _, err := f.Write(data); err != nil {
		f.Close()
		return err
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// lockWait is how long another process may hold the trust store.
const lockWait = 5 * time.Second

// projectLayers reads the policy of a project and what it extends.
func projectLayers(files FS, path, cwd string) *gather {
	g := &gather{fs: files, cwd: cwd, kind: LayerProject, within: filepath.Dir(path), seen: make(map[string]bool), sources: make(sources)}
	g.file(path, nil, compiled.Text{})
	return g
}
