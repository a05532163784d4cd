package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"

	"github.com/planlint/planlint/shell"
)

const tables = "../../programs"

var exampleEnv = shell.Env{Cwd: "/w", Home: "/home/u", User: "u", Head: "work", Remotes: map[string]string{"origin": "https://git.example/a/b.git"}}

// program is a top-level entry with its names.
type program struct {
	file  string
	names []string
	entry entry
	node  *yaml.Node
}

func programs(t *testing.T) []program {
	files, err := filepath.Glob(tables + "/*.yaml")
	require.NoError(t, err)
	var out []program
	for _, f := range files {
		data, err := os.ReadFile(f)
		require.NoError(t, err)
		var root yaml.Node
		require.NoError(t, yaml.Unmarshal(data, &root))
		top := root.Content[0]
		for i := 0; i+1 < len(top.Content); i += 2 {
			var e entry
			require.NoError(t, strict(top.Content[i+1], &e), f)
			names := split(top.Content[i].Value)
			if e.Names != "" {
				names = split(strings.ReplaceAll(e.Names, "\n", " "))
			}
			if strings.HasPrefix(names[0], "$") {
				continue // variables and lists
			}
			out = append(out, program{filepath.Base(f), names, e, top.Content[i+1]})
		}
	}
	return out
}

// TestExamples runs every example of the table, for every name of its entry.
func TestExamples(t *testing.T) {
	update := os.Getenv("SHELL_EXAMPLES") // a file that gets what is
	var fill strings.Builder
	for _, p := range programs(t) {
		for _, line := range sorted(p.entry.Examples) {
			got := shell.Parse(line, exampleEnv).Describe("/w")
			if update != "" {
				fmt.Fprintf(&fill, "%s\t%s\t%s\n", p.file, line, got)
				continue
			}
			require.Equal(t, p.entry.Examples[line], got, "%s: %s", p.file, line)
		}
	}
	if update != "" {
		require.NoError(t, os.WriteFile(update, []byte(fill.String()), 0o644))
	}
}

// TestEveryName replaces the program of each example by the entry's other
// names: what they do is the same but for the name itself.
func TestEveryName(t *testing.T) {
	for _, p := range programs(t) {
		if p.entry.About == "in builtin.go" {
			continue // each is its own code
		}
		for _, line := range sorted(p.entry.Examples) {
			if strings.Contains(p.entry.Examples[line], "?program") {
				continue // what it runs is the unknown
			}
			first, rest, _ := strings.Cut(line, " ")
			if first != p.names[0] && !slices.Contains(p.names, first) {
				continue // a pipe, a wrapper
			}
			for _, name := range p.names {
				if strings.ContainsAny(name, " [") || name == "let" || name == "time" { // the parser's own
					continue
				}
				s := shell.Parse(name+" "+rest, exampleEnv)
				require.NotEmpty(t, s.Steps, "%s %s", name, rest)
				for _, u := range s.Unknowns {
					require.NotEqual(t, shell.UnknownProgram, u.Kind, "%s %s: %s", name, rest, u.Text)
				}
			}
		}
	}
}

// TestEveryEntryHasExample holds each entry to an example that writes, sends
// or runs, or to its word that there is nothing of the kind.
func TestEveryEntryHasExample(t *testing.T) {
	count := 0
	for _, p := range programs(t) {
		require.NotEmpty(t, p.entry.Examples, "%s: %s has no example", p.file, p.names[0])
		acts := false
		for line := range p.entry.Examples {
			acts = acts || !shell.Parse(line, exampleEnv).ReadOnly()
		}
		if p.entry.Harmless == "" {
			require.True(t, acts, "%s: %s: no example writes, sends or runs, and no word in harmless:", p.file, p.names[0])
		} else {
			require.False(t, armed(p.entry.Opts), "%s: %s is called harmless and has an option that is not", p.file, p.names[0])
		}
		count += len(p.names)
	}
	require.GreaterOrEqual(t, count, 250)
	t.Logf("%d programs", count)
}

// ownEntries is the least number of programs with an entry of their own.
const ownEntries = 250

// TestOwnEntries counts the programs whose entries say what options do: an
// entry that is no list of many programs, has options, and has an example of
// an option or subcommand that acts, or is held to having none that does.
func TestOwnEntries(t *testing.T) {
	count := 0
	var rest []string
	for _, p := range programs(t) {
		switch {
		case p.entry.Names != "" || len(p.names) > 12 || p.entry.Same != "" || !hasOptions(p.entry):
		case p.entry.Harmless != "" || !armedAnywhere(p.entry) || showsOption(p):
			count++
		default:
			rest = append(rest, p.names[0])
		}
	}
	t.Logf("%d entries count; without an example of an option that acts: %s", count, strings.Join(rest, ", "))
	require.GreaterOrEqual(t, count, ownEntries)
}

func hasOptions(e entry) bool { return e.Opts != "" || len(e.Sub) > 0 }

// armedAnywhere reports whether an option or a subcommand of the entry acts.
func armedAnywhere(e entry) bool { return armed(e.Opts) || len(e.Sub) > 0 }

// showsOption reports whether an example that acts uses an option with an effect, or a subcommand.
func showsOption(p program) bool {
	effects := map[string]bool{}
	for line := range strings.SplitSeq(p.entry.Opts, "\n") {
		spellings, fx, has := strings.Cut(line, "->")
		for _, tok := range strings.Fields(spellings) {
			effects[strings.TrimRight(tok, "=[]*")] = has && armed(" -> "+fx)
		}
	}
	for line := range p.entry.Examples {
		s := shell.Parse(line, exampleEnv)
		if s.ReadOnly() {
			continue
		}
		for _, st := range s.Steps {
			if st.Sub != "" && slices.Contains(p.names, st.Name) {
				return true
			}
		}
		for _, word := range strings.Fields(line) {
			name, _, _ := strings.Cut(word, "=")
			if effects[name] || len(name) > 1 && name[0] == '-' && slices.ContainsFunc([]byte(name[1:]), func(c byte) bool { return effects["-"+string(c)] }) {
				return true
			}
		}
	}
	return false
}

// TestTableIsCurrent fails where programs.txt is not what the YAML gives.
func TestTableIsCurrent(t *testing.T) {
	want, err := flatten([]string{tables})
	require.NoError(t, err)
	got, err := os.ReadFile("../../programs.txt")
	require.NoError(t, err)
	require.True(t, want == string(got), "shell/programs.txt is not what shell/programs gives: run go generate ./shell")
}

func sorted(m map[string]string) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
