package policy

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/planlint/planlint/internal/compiled"
	"github.com/planlint/planlint/tool"
)

// FileName is the name of a policy file that is searched for.
const FileName = "planlint.yaml"

// LayerKind says whose a layer is.
type LayerKind uint8

// The kinds of layer.
const (
	LayerBuiltin LayerKind = iota
	LayerUser
	LayerProject
	LayerSession
)

var layerNames = [...]string{"built-in", "user", "project", "session"}

// String returns the kind's name.
func (k LayerKind) String() string { return layerNames[min(int(k), len(layerNames)-1)] }

// Layer is one file that a policy is made of.
type Layer struct {
	Kind LayerKind
	// File is the path as messages name it; "builtin:NAME" for built-in ones.
	File string
	// Digest is the file's own, "sha256:...".
	Digest string
	// Trusted: all of it counts, and not only what tightens.
	Trusted bool

	document compiled.Document
	tests    []*yaml.Node
	data     []byte
}

// root is what a policy file holds: the document, and tests, which only
// `planlint rules test` reads.
type root struct {
	compiled.Document
	Tests []*yaml.Node `json:"tests" doc:"plans with the decisions that are expected"`
}

// gather reads files and what they extend.
type gather struct {
	fs       FS
	kind     LayerKind
	trusted  bool
	within   string // project layers must not leave it
	cwd      string // what shown makes paths relative to; empty: nothing
	layers   []Layer
	presets  []compiled.Text
	vain     []compiled.Text // presets that an untrusted layer extends
	problems []compiled.Problem
	seen     map[string]bool
	sources  sources
	order    []string
}

// file reads one file and, before it, what it extends. chain are the files that
// led to it, for cycles; from is where it was named.
func (g *gather) file(path string, chain []string, from compiled.Text) {
	if g.refuse(path, chain, from) {
		return
	}
	data, err := g.fs.ReadFile(path)
	if err != nil {
		g.problem(orFile(from, path), fmt.Sprintf("cannot read %q: %s", path, plainError(err)), "")
		return
	}
	g.seen[path] = true
	name := g.shown(path)
	layer, problems := read(name, data)
	layer.File, layer.Kind, layer.Trusted = path, g.kind, g.trusted
	g.sources[name] = data
	g.problems = append(g.problems, problems...)
	for _, e := range layer.document.Extends {
		g.extend(e, path, append(chain, path))
	}
	g.order = append(g.order, name)
	g.layers = append(g.layers, layer)
}

// shown is how messages and reports call a file: relative to the working
// directory where the search started from a relative one, so that a report does
// not depend on where the tree lies.
func (g *gather) shown(path string) string {
	if g.cwd == "" || !filepath.IsAbs(path) {
		return path
	}
	if rel, err := filepath.Rel(g.cwd, path); err == nil {
		return rel
	}
	return path
}

// refuse reports whether a file must not or need not be read.
func (g *gather) refuse(path string, chain []string, from compiled.Text) bool {
	for _, c := range chain {
		if c == path {
			g.problem(from, fmt.Sprintf("%q extends itself", from.S), strings.Join(append(chain, path), " extends "))
			return true
		}
	}
	if len(chain) >= maxExtends || len(g.layers) >= maxLayers {
		g.problem(orFile(from, path), fmt.Sprintf("too many layers: at most %d in a chain and %d in all", maxExtends, maxLayers), "")
		return true
	}
	return g.seen[path]
}

// extend follows one entry of extends.
func (g *gather) extend(e compiled.Text, path string, chain []string) {
	if name, ok := strings.CutPrefix(e.S, "builtin:"); ok {
		for _, p := range compiled.Presets() {
			if p == name {
				g.presets = append(g.presets, e)
				return
			}
		}
		g.problem(e, fmt.Sprintf("unknown built-in policy %q", name), compiled.OneOf(name, compiled.Presets()))
		return
	}
	relative := strings.HasPrefix(e.S, "./") || strings.HasPrefix(e.S, "../")
	if !relative && !(g.trusted && g.within == "" && filepath.IsAbs(e.S)) {
		g.problem(e, fmt.Sprintf("cannot extend %q", e.S), "write builtin:NAME or ./FILE")
		return
	}
	target := e.S
	if relative {
		target = filepath.Join(filepath.Dir(path), filepath.FromSlash(e.S))
	}
	if g.within != "" && !inside(g.fs, g.within, target) {
		g.problem(e, fmt.Sprintf("%q leaves the project's folder", e.S), "a project's policy may extend only files of the project")
		return
	}
	g.file(target, chain, e)
}

// inside reports whether a file lies in a folder, links resolved.
func inside(files FS, dir, path string) bool {
	if r, ok := files.(interface{ Resolve(string) (string, error) }); ok {
		resolvedDir, err1 := r.Resolve(dir)
		resolved, err2 := r.Resolve(path)
		if err1 == nil && err2 == nil {
			dir, path = resolvedDir, resolved
		}
	}
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// read parses and decodes one file.
func read(path string, data []byte) (Layer, []compiled.Problem) {
	sum := sha256.Sum256(data)
	layer := Layer{File: path, Digest: "sha256:" + hex.EncodeToString(sum[:]), data: data}
	node, problems := parse(path, data)
	if node == nil {
		return layer, problems
	}
	var r root
	problems, whole := decode(path, data, node, &r)
	if !whole {
		return layer, problems
	}
	layer.document, layer.tests = r.Document, r.Tests
	return layer, append(problems, withoutFollowups(problems, check(&layer.document), []Layer{layer})...)
}

func (g *gather) problem(t compiled.Text, message, hint string) {
	g.problems = append(g.problems, compiled.Problem{At: t.At, Length: len(t.S), Message: message, Hint: hint})
}

func orFile(from compiled.Text, path string) compiled.Text {
	if from.At.Line > 0 {
		return from
	}
	return compiled.Text{At: tool.Origin{File: path}}
}

// plainError says why a file could not be read without repeating its path.
func plainError(err error) string {
	var pathErr *os.PathError
	if ok := asPathError(err, &pathErr); ok {
		return pathErr.Err.Error()
	}
	return err.Error()
}
