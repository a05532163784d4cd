package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"

	"github.com/planlint/planlint"
	"github.com/planlint/planlint/finding"
	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/policy"
	"github.com/planlint/planlint/shell"
)

// wrapped are commands that run another one elsewhere, as somebody else, or for
// each of many: what is suggested names the whole.
var wrapped = []struct{ line, want string }{
	{"ssh prod.example 'rm -rf /srv/x'", `{decision: allow, tool: "Bash", command: "ssh prod.example rm -rf /srv/x"}`},
	{"kubectl exec pod -- cat /etc/passwd", `{decision: allow, tool: "Bash", command: "kubectl exec pod -- cat /etc/passwd"}`},
	{"sudo make install", `{decision: allow, tool: "Bash", command: "sudo make install"}`},
	{"docker run --rm -v $PWD:/x img sh -c 'make all'", `{decision: allow, tool: "Bash", command: "docker run --rm -v /srv/app:/x img sh -c make all"}`},
	{"timeout 60 make deploy", `{decision: allow, tool: "Bash", command: "timeout 60 make deploy"}`},
	{"bash -c 'cd x && make deploy'", `{decision: allow, tool: "Bash", command: "bash -c make deploy"}`},
	{"npm publish && git push --tags", `{decision: allow, tool: "Bash", command: "npm publish"}, {decision: allow, tool: "Bash", command: "git push --tags"}`},
	{`cp a.txt "/opt/my file.txt"`, `{decision: allow, tool: "Bash", command: "cp a.txt '/opt/my file.txt'"}`},
	{"find src -type f -exec chmod 755 {} +", ""}, // the files are not words of the line
	{"find . -exec make install ';'", ""},
	{"cp '*.txt' /opt/x", ""}, // a star in a pattern is never just that
}

func TestSuggestionsNameTheWhole(t *testing.T) {
	s := newSuggester(t, "default")
	for _, w := range wrapped {
		require.Equal(t, w.want, s.check(t, w.line, "").Calls[0].Suggest, "%q", w.line)
		s.tried(t, w.line)
	}
}

// TestSuggestionsAnswer adds, for each command of the test data that asks, the
// suggested rules to the policy. The command must then be allowed, and what it
// wraps must not be because of them.
func TestSuggestionsAnswer(t *testing.T) {
	s := newSuggester(t, "coding-agent")
	asks, offered := 0, 0
	for _, line := range allCommands(t) {
		asked, suggested := s.tried(t, line)
		if asked {
			asks++
		}
		if suggested {
			offered++
		}
	}
	t.Logf("%d commands ask, %d with a suggestion", asks, offered)
	require.Greater(t, asks, 200)
	require.Greater(t, 4*offered, asks)
}

// suggester decides commands under a built-in policy with some rules added.
type suggester struct {
	corpus *corpus
	base   string
	plain  *planlint.Checker
}

func newSuggester(t *testing.T, base string) *suggester {
	pol, err := policy.Builtin(base)
	require.NoError(t, err)
	return &suggester{readCorpus(t), base, planlint.New(*pol)}
}

func (s *suggester) check(t *testing.T, line, extra string) finding.PlanReport {
	text := "version: 1\nextends: [builtin:" + s.base + "]\nrules: [" + extra + "]\n"
	pol, problems := loader{}.load([]byte(text))
	require.Empty(t, problems, text)
	return planlint.New(*pol).Check(context.Background(), s.corpus.plan(line))
}

// tried checks one command, and what is suggested for it.
func (s *suggester) tried(t *testing.T, line string) (asked, suggested bool) {
	before := s.plain.Check(context.Background(), s.corpus.plan(line))
	c := &before.Calls[0]
	if c.Decision != gate.Ask || c.Suggest == "" {
		return c.Decision == gate.Ask, false
	}
	after := s.check(t, line, c.Suggest)
	require.Equal(t, gate.Allow, after.Verdict, "%q with %s", line, c.Suggest)
	for _, inner := range s.inner(line) {
		if s.plain.Check(context.Background(), s.corpus.plan(inner)).Verdict == gate.Allow {
			continue
		}
		got := s.check(t, inner, c.Suggest)
		require.NotEqual(t, gate.Allow, got.Verdict, "%q with %s of %q", inner, c.Suggest, line)
	}
	return true, true
}

// inner lists the commands that a line runs by others.
func (s *suggester) inner(line string) (list []string) {
	script := shell.Parse(line, shell.Env{Cwd: s.corpus.Env.Cwd, Home: s.corpus.Env.Home})
	for i := range script.Steps {
		st := &script.Steps[i]
		if len(st.Outer) == 0 {
			continue
		}
		words := []string{st.Program}
		for _, arg := range st.Args {
			words = append(words, "'"+strings.ReplaceAll(arg.Text, "'", `'\''`)+"'")
		}
		list = append(list, strings.Join(words, " "))
	}
	return list
}

// allCommands lists the commands of testdata, each once.
func allCommands(t *testing.T) (list []string) {
	files, err := filepath.Glob("../../testdata/gatecases/*.yaml")
	require.NoError(t, err)
	seen := map[string]bool{}
	for _, name := range append(files, "../../testdata/commands/everyday.yaml") {
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		var root yaml.Node
		require.NoError(t, yaml.Unmarshal(data, &root))
		commandsOf(&root, false, func(line string) {
			if !seen[line] {
				seen[line] = true
				list = append(list, line)
			}
		})
	}
	return list
}

// commandsOf visits the commands below a node: items of "plan", and "cmd",
// "command" and "allow" wherever they stand.
func commandsOf(n *yaml.Node, calls bool, visit func(string)) {
	if n.Kind == yaml.MappingNode {
		for i := 0; i+1 < len(n.Content); i += 2 {
			key := n.Content[i].Value
			commandsOf(n.Content[i+1], key == "plan" || key == "cmd" || key == "command" || key == "allow", visit)
		}
		return
	}
	for _, item := range n.Content {
		commandsOf(item, calls, visit)
	}
	if n.Kind != yaml.ScalarNode || !calls {
		return
	}
	name, rest, ok := strings.Cut(n.Value, ": ")
	switch {
	case ok && name == "Bash":
		visit(rest)
	case !ok || mainArgument[name] == "":
		visit(n.Value)
	}
}
