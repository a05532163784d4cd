package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// entry is one program or subcommand as the YAML has it.
type entry struct {
	About    string               `yaml:"about"`    // for readers
	Flags    string               `yaml:"flags"`    // words, see programs/README.md
	Class    string               `yaml:"class"`    // risk class of what only the entry knows
	Args     string               `yaml:"args"`     // roles of operands
	Opts     string               `yaml:"opts"`     // lines of spellings, "-> effects"
	When     string               `yaml:"when"`     // lines of conditions, "-> effects"
	Does     string               `yaml:"does"`     // effects of every run, short for when: always
	Names    string               `yaml:"names"`    // the names, where the key is only a title
	Same     string               `yaml:"same"`     // key of the entry that this is another name of
	Handler  string               `yaml:"handler"`  // code in package shell
	Sub      map[string]yaml.Node `yaml:"sub"`      // subcommands
	Harmless string               `yaml:"harmless"` // why no option writes, sends or runs
	Examples map[string]string    `yaml:"examples"` // command to effects; tests run them
}

const (
	groupSep = "\x1f"
	fxSep    = "\x1e"
)

// flattener collects lines by key.
type flattener struct {
	file  string
	lines map[string]string
	errs  []error
}

func flatten(dirs []string) (string, error) {
	f := &flattener{lines: map[string]string{}}
	for _, dir := range dirs {
		files, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
		if err != nil {
			return "", err
		}
		slices.Sort(files)
		for _, name := range files {
			f.readFile(name)
		}
	}
	if len(f.errs) > 0 {
		return "", errors.Join(f.errs...)
	}
	return f.table(), nil
}

// table writes the offset of the body, the index and the body; see findLine in package shell.
func (f *flattener) table() string {
	keys := make([]string, 0, len(f.lines))
	for k := range f.lines {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	var index, body strings.Builder
	for _, k := range keys {
		fmt.Fprintf(&index, "%s\t%d\n", k, body.Len())
		body.WriteString(f.lines[k] + "\n")
	}
	return fmt.Sprintf("%08d\n", 9+index.Len()) + index.String() + body.String()
}

func (f *flattener) fail(n *yaml.Node, format string, args ...any) {
	f.errs = append(f.errs, fmt.Errorf("%s:%d:%d: %s", f.file, n.Line, n.Column, fmt.Sprintf(format, args...)))
}

func (f *flattener) readFile(name string) {
	f.file = name
	data, err := os.ReadFile(name)
	if err != nil {
		f.errs = append(f.errs, err)
		return
	}
	var root yaml.Node
	if err := yaml.Unmarshal(data, &root); err != nil {
		f.errs = append(f.errs, fmt.Errorf("%s: %w", name, err))
		return
	}
	if len(root.Content) == 0 || root.Content[0].Kind != yaml.MappingNode {
		f.fail(&root, "want a map from program names to entries")
		return
	}
	top := root.Content[0]
	for i := 0; i+1 < len(top.Content); i += 2 {
		f.entry("", top.Content[i], top.Content[i+1])
	}
}

// entry flattens one entry below prefix; names are separated by commas, all but
// the first are other spellings. It returns the names.
func (f *flattener) entry(prefix string, key, node *yaml.Node) []string {
	var e entry
	if node.Kind == yaml.ScalarNode && node.Value != "" && node.Tag == "!!str" {
		node = shorthand(node)
	}
	if err := strict(node, &e); err != nil {
		f.fail(node, "%v", err)
		return nil
	}
	names := split(key.Value)
	if e.Names != "" {
		names = split(strings.ReplaceAll(e.Names, "\n", " "))
	}
	if len(names) == 0 {
		f.fail(key, "empty name")
		return nil
	}
	first := prefix + names[0]
	if e.Same != "" {
		for _, n := range names {
			f.put(key, prefix+n, "="+e.Same)
		}
		return names
	}
	handler := e.Handler
	var globs []string
	flags := e.Flags
	if armed(e.Opts) {
		flags += " armed"
	}
	if len(e.Sub) > 0 {
		flags += " sub"
		globs = f.subs(first, node)
	}
	when := e.When
	if e.Does != "" {
		when = "always -> " + e.Does + "\n" + when
	}
	f.put(key, first, strings.Join([]string{
		pad(flags), e.Class, fields(e.Args), f.groups(node, e.Opts, true), f.groups(node, when, false), handler, strings.Join(globs, " "),
	}, "\t"))
	for _, other := range names[1:] {
		f.put(key, prefix+other, "="+first)
	}
	return names
}

// shorthand is an entry given as text alone: "ro", or effects.
func shorthand(n *yaml.Node) *yaml.Node {
	out := &yaml.Node{Kind: yaml.MappingNode, Line: n.Line, Column: n.Column}
	add := func(k, v string) {
		out.Content = append(out.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: k, Tag: "!!str"}, &yaml.Node{Kind: yaml.ScalarNode, Value: v, Tag: "!!str", Line: n.Line, Column: n.Column})
	}
	args, does, _ := strings.Cut(n.Value, "->")
	add("args", strings.TrimSpace(args))
	class := ""
	var rest []string
	for _, t := range strings.Fields(does) {
		if strings.Contains(t, "-internal") || t == "compensating" || t == "irreversible-public" || t == "authority-modifying" || t == "time-window-undoable" {
			class = t
			continue
		}
		rest = append(rest, t)
	}
	if class != "" {
		add("class", class)
	}
	if len(rest) > 0 {
		add("does", strings.Join(rest, " "))
	}
	return out
}

func (f *flattener) subs(first string, node *yaml.Node) []string {
	var globs []string
	for i := 0; i+1 < len(node.Content); i += 2 {
		if node.Content[i].Value != "sub" {
			continue
		}
		list := node.Content[i+1]
		for j := 0; j+1 < len(list.Content); j += 2 {
			for _, n := range f.entry(first+" ", list.Content[j], list.Content[j+1]) {
				if strings.Contains(n, "*") {
					globs = append(globs, n)
				}
			}
		}
	}
	return globs
}

// strict decodes and refuses unknown fields.
func strict(node *yaml.Node, e *entry) error {
	if node.Kind == yaml.MappingNode {
		for i := 0; i < len(node.Content); i += 2 {
			switch k := node.Content[i].Value; k {
			case "about", "flags", "class", "args", "opts", "when", "does", "handler", "names", "same", "sub", "harmless", "examples":
			default:
				return fmt.Errorf("unknown field %q", k)
			}
		}
	}
	return node.Decode(e)
}

func (f *flattener) put(key *yaml.Node, name, line string) {
	if _, dup := f.lines[name]; dup {
		f.fail(key, "program %q has two entries", name)
		return
	}
	if strings.ContainsAny(line, "\n") {
		f.fail(key, "program %q: line break in a field", name)
		return
	}
	f.lines[name] = line
}

// armed reports whether an option writes, sends or runs something, so that an
// unknown word, which might be that option, can't be called harmless.
func armed(opts string) bool {
	for line := range strings.SplitSeq(opts, "\n") {
		_, fx, _ := strings.Cut(line, "->")
		for _, term := range strings.Fields(fx) {
			switch term {
			case "text", "num", "skip", "help", "names", "token", "stop", "dry", "live", "read", "readr", "cwd":
			default:
				if !strings.HasPrefix(term, "args:") || strings.ContainsAny(term, "wdecs") && !strings.Contains(term, "read") {
					return true
				}
			}
		}
	}
	return false
}

// groups turns "spellings -> effects" lines into the embedded form. Options
// without effects are joined into one group.
func (f *flattener) groups(node *yaml.Node, text string, opts bool) string {
	var out []string
	plain := ""
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		left, right, has := strings.Cut(line, "->")
		left, right = fields(left), fields(right)
		if opts && !has {
			plain += " " + left
			continue
		}
		if right == "" {
			f.fail(node, "no effect after -> in %q", line)
			continue
		}
		if opts {
			left = pad(left)
		}
		out = append(out, left+fxSep+right)
	}
	if plain != "" {
		out = append(out, pad(plain))
	}
	return strings.Join(out, groupSep)
}

func fields(s string) string { return strings.Join(strings.Fields(s), " ") }

func pad(s string) string {
	if s = fields(s); s == "" {
		return ""
	}
	return " " + s + " "
}

func split(s string) []string {
	var out []string
	for n := range strings.SplitSeq(s, ",") {
		if n = strings.TrimSpace(n); n != "" {
			out = append(out, n)
		}
	}
	return out
}
