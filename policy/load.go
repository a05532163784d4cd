package policy

import (
	"fmt"
	"os"
	"path/filepath"

	"gopkg.in/yaml.v3"

	"github.com/planlint/planlint"
	"github.com/planlint/planlint/internal/compiled"
	"github.com/planlint/planlint/tool"
)

// Options say what a policy is made of. The zero value is the built-in default
// policy with the user's own file, if there is one.
type Options struct {
	// Files are policy files that the user named: trusted, lowest first.
	Files []string
	// Dir is where the search for a project's planlint.yaml starts; "" for none.
	Dir string
	// UserDir holds the user's own planlint.yaml and trust.yaml; "" for none.
	// UserConfigDir gives the usual one.
	UserDir string
	// Session is a document for this run alone, as YAML; nil for none.
	Session []byte
	// Base is the built-in policy where no trusted layer extends one: "default".
	Base string
	// FS reads files; nil reads the machine's.
	FS FS
}

// UserConfigDir returns the folder of planlint in the user's configuration:
// $XDG_CONFIG_HOME/planlint or its like on other systems; "" where there is none.
func UserConfigDir() string {
	dir, err := os.UserConfigDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "planlint")
}

// Loaded is a policy with what it is made of.
type Loaded struct {
	Policy *planlint.Policy
	// Document is the merged table without built-in contracts.
	Document *compiled.Document
	// Layers are the files, lowest first.
	Layers []Layer
	// Tests are the tests of trusted and untrusted layers alike, by file.
	Tests []Test
}

// Test is one entry of a policy's tests.
type Test struct {
	File string
	Node *yaml.Node
}

// Load loads a policy. The policy is nil where a problem is an error; problems
// with an id are diagnostics.
func Load(o Options) (*planlint.Policy, []Problem) {
	l, problems := Read(o)
	if l == nil {
		return nil, problems
	}
	return l.Policy, problems
}

// Builtin returns a built-in policy: default, coding-agent or strict.
func Builtin(name string) (*planlint.Policy, error) {
	doc, err := compiled.BuiltinDocument(name)
	if err != nil {
		return nil, err
	}
	doc.Name = "builtin:" + name
	p, problems := build(doc)
	if len(problems) > 0 {
		return nil, problems[0]
	}
	return p, nil
}

// Read loads a policy and keeps what it is made of. It is nil where a problem is
// an error.
func Read(o Options) (*Loaded, []Problem) {
	if o.FS == nil {
		o.FS = OS{}
	}
	if o.Base == "" {
		o.Base = compiled.Presets()[0]
	}
	all, problems := layersOf(o)
	base, more := baseOf(o, all)
	problems = append(problems, more...)
	pack, err := compiled.BuiltinPack()
	if err != nil {
		problems = append(problems, compiled.Problem{Message: fmt.Sprintf("built-in policy: %v", err)})
	}
	if err != nil || base == nil {
		return nil, all.sources.finish(problems, all.order)
	}
	merged, more := merge(*base, pack, all.layers)
	problems = append(problems, more...)
	merged.Name = nameOf(o, all.layers)
	p, more := build(&merged)
	problems = append(problems, withoutFollowups(problems, more, all.layers)...)
	problems = append(problems, errorsOfIgnored(o, all, pack, problems)...)
	shown := all.sources.finish(problems, all.order)
	if len(Errors(shown)) > 0 || p == nil {
		return nil, shown
	}
	out := &Loaded{Policy: p, Document: &merged, Layers: all.layers}
	for _, l := range all.layers {
		for _, n := range l.tests {
			out.Tests = append(out.Tests, Test{File: l.File, Node: n})
		}
	}
	return out, shown
}

// errorsOfIgnored returns what is wrong in entries that are ignored since nobody
// trusts them: a mistake is one all the same, and is not to come up on the day that
// the file is trusted.
func errorsOfIgnored(o Options, g *gather, pack *compiled.Pack, known []compiled.Problem) []compiled.Problem {
	untrusted := false
	layers := append([]Layer(nil), g.layers...)
	for i := range layers {
		untrusted = untrusted || !layers[i].Trusted
		layers[i].Trusted = true
	}
	base, _ := baseOf(o, g)
	if !untrusted || base == nil {
		return nil
	}
	merged, problems := merge(*base, pack, layers)
	_, more := build(&merged)
	problems = append(problems, withoutFollowups(append(problems, known...), more, layers)...)
	seen := make(map[compiled.Problem]bool, len(known))
	for _, p := range known {
		seen[p] = true
	}
	var out []compiled.Problem
	for _, p := range problems {
		if p.ID == "" && !seen[p] {
			seen[p] = true
			out = append(out, p)
		}
	}
	return out
}

// layersOf reads all files, lowest layer first.
func layersOf(o Options) (*gather, []compiled.Problem) {
	g := &gather{fs: o.FS, kind: LayerUser, trusted: true, seen: make(map[string]bool), sources: make(sources)}
	if o.UserDir != "" {
		path := filepath.Join(o.UserDir, FileName)
		if _, err := o.FS.ReadFile(path); err == nil || !os.IsNotExist(err) {
			g.file(path, nil, compiled.Text{})
		}
	}
	for _, path := range o.Files {
		g.file(path, nil, compiled.Text{})
	}
	if o.Dir != "" {
		g.project(o)
	}
	if o.Session != nil {
		layer, problems := read("session", o.Session)
		layer.Kind, layer.Trusted = LayerSession, true
		g.sources["session"] = o.Session
		g.order = append(g.order, "session")
		g.layers, g.problems = append(g.layers, layer), append(g.problems, problems...)
	}
	return g, g.problems
}

// project adds the project's file and what it extends, trusted only if pinned.
func (g *gather) project(o Options) {
	path, err := Find(o.FS, o.Dir)
	if err != nil {
		g.problems = append(g.problems, compiled.Problem{At: tool.Origin{File: o.Dir}, Message: err.Error()})
		return
	}
	if path == "" || g.seen[path] {
		return
	}
	if !inside(g.fs, filepath.Dir(path), path) {
		g.problems = append(g.problems, compiled.Problem{At: tool.Origin{File: path},
			Message: "the file is a link that leaves the project's folder", Hint: "extend a file of the project, or name the file with --policy"})
		return
	}
	cwd := ""
	if !filepath.IsAbs(o.Dir) {
		cwd, _ = os.Getwd()
	}
	sub := projectLayers(g.fs, path, cwd)
	for name, data := range sub.sources {
		g.sources[name] = data
	}
	trusted, err := isTrusted(o, sub.within, sub.layers)
	if err != nil {
		g.problems = append(g.problems, compiled.Problem{At: tool.Origin{File: filepath.Join(o.UserDir, TrustFile)}, Message: err.Error()})
	}
	for i := range sub.layers {
		sub.layers[i].Trusted = trusted
	}
	if trusted {
		g.presets = append(g.presets, sub.presets...)
	} else {
		g.vain = append(g.vain, sub.presets...)
	}
	g.layers = append(g.layers, sub.layers...)
	g.order = append(g.order, sub.order...)
	g.problems = append(g.problems, sub.problems...)
}

// baseOf returns the built-in policy that the layers stand on: the strictest
// join of those that trusted layers extend.
func baseOf(o Options, g *gather) (*compiled.Document, []compiled.Problem) {
	names := []string{}
	for _, p := range g.presets {
		names = append(names, p.S[len("builtin:"):])
	}
	if len(names) == 0 {
		names = []string{o.Base}
	}
	var problems []compiled.Problem
	base, err := compiled.BuiltinDocument(names[0])
	if err != nil {
		return nil, []compiled.Problem{{Message: err.Error(), Hint: compiled.OneOf(names[0], compiled.Presets())}}
	}
	for _, name := range names[1:] {
		if name == names[0] {
			continue
		}
		other, err := compiled.BuiltinDocument(name)
		if err != nil {
			return nil, []compiled.Problem{{Message: err.Error()}}
		}
		base = joinPresets(base, other)
	}
	for _, p := range g.vain {
		if p.S != "builtin:"+names[0] {
			problems = append(problems, compiled.Problem{ID: DiagPreset, At: p.At, Length: len(p.S),
				Message: fmt.Sprintf("%s is ignored: %q is in force", p.S, "builtin:"+names[0]), Hint: untrustedHint})
		}
	}
	return base, problems
}

// joinPresets joins two built-in policies: the stricter of each setting and
// gate, and the rules that restrict.
func joinPresets(a, b *compiled.Document) *compiled.Document {
	out, _ := merge(*a, nil, []Layer{{Kind: LayerBuiltin, document: compiled.Document{
		Settings: b.Settings, Gates: b.Gates, Rules: b.Rules,
	}}})
	return &out
}

// nameOf names the policy after its topmost file.
func nameOf(o Options, layers []Layer) string {
	for i := len(layers) - 1; i >= 0; i-- {
		if layers[i].Kind != LayerSession {
			return layers[i].File
		}
	}
	return "builtin:" + o.Base
}

// build makes the policy of a merged document.
func build(d *compiled.Document) (*planlint.Policy, []compiled.Problem) {
	pack, err := compiled.BuiltinPack()
	if err != nil {
		return nil, []compiled.Problem{{Message: err.Error()}}
	}
	u, problems := compiled.Universe(d)
	conds := newConditions(u, &vocabulary{document: d, pack: pack})
	p, more := compiled.Build(d, u, pack, conds)
	conds.seal()
	if len(problems) > 0 {
		return nil, append(problems, more...)
	}
	return p, more
}
