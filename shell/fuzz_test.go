package shell_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/planlint/planlint/shell"
)

// FuzzParse holds Parse to: no panic, offsets inside the line, inputs that come
// from earlier steps, flows that point at what is there, the same answer twice.
func FuzzParse(f *testing.F) {
	for _, c := range lineCases {
		f.Add(c.line)
	}
	for _, l := range hardLines {
		f.Add(l)
	}
	f.Fuzz(func(t *testing.T, line string) {
		dialects := []shell.Dialect{shell.Bash, shell.Posix, shell.Zsh, shell.PowerShell}
		if len(line) > 4096 {
			dialects = dialects[:1] // long seeds are about size, which TestLineCost measures
		}
		for _, d := range dialects {
			env := testEnv
			env.Dialect = d
			s := shell.Parse(line, env)
			checkScript(t, line, s)
			if d == shell.Bash {
				require.True(t, reflect.DeepEqual(s, shell.Parse(line, env)), "two runs differ")
				next := s.Next(env, true)
				shell.Parse(line, next)
			}
		}
	})
}

func checkScript(t *testing.T, line string, s shell.Script) {
	size := len(line) + 2*strings.Count(line, "\uFFFC")
	for k := range s.Steps {
		st := &s.Steps[k]
		if st.Pos < 0 || st.Pos > st.End || st.End > size {
			t.Fatalf("step %d: %d-%d of %d", k, st.Pos, st.End, size)
		}
		below(t, "input", st.Stdin.Steps, len(s.Steps))
		for _, a := range st.Args {
			below(t, "argument", a.Steps, k)
		}
	}
	for _, f := range s.Flows() {
		for _, w := range f.Writes {
			below(t, "write", w.From, len(f.Reads))
		}
		for _, w := range f.Sends {
			below(t, "send", w.From, len(f.Reads))
		}
	}
	for _, p := range []string{"rm -rf /", "git push:*", "* --force"} {
		pat, err := shell.CompilePattern(p)
		require.NoError(t, err)
		pat.MatchRestrict(s)
	}
}

func below(t *testing.T, what string, list []int, limit int) {
	for _, n := range list {
		if n >= limit {
			t.Fatalf("%s from %d of %d", what, n, limit)
		}
	}
}

// hardLines are inputs that broke a parser or this walk once.
var hardLines = []string{
	"", " ", "#", "(", ")", "$(", "`", "${", "$((", "[[", "a |", "| a", "a &&", "<<EOF", "cat <<EOF\nx", "<(", ">(", "'", `"`, "\\", "a\\", "{a,b}{c,d}{e,f}{g,h}{i,j}{k,l}{m,n}",
	strings.Repeat("(", 300), strings.Repeat("$(", 300), strings.Repeat("if ", 300), strings.Repeat("!", 9000), strings.Repeat("a|", 5000) + "a", strings.Repeat("a&&", 5000) + "a",
	"a() { a; a; }; a", "a() { b; b; }; b() { c; c; }; c() { a; a; }; a", "eval 'eval \"eval a\"'", "alias a=a; a", "alias a='b c' b='a d'; a", "x=a; " + strings.Repeat("x=$x$x$x$x;", 40),
	"x=$(a); " + strings.Repeat("x=$x$x;", 60), "x=$(a); " + strings.Repeat("x+=$x;", 60), "a=($(a)); " + strings.Repeat("a+=(\"${a[@]}\");", 40), "{ " + strings.Repeat("a;", 900) + "} | { " + strings.Repeat("b;", 900) + "}",
	"\x00rm", "r\x00m x", "\uFFFCrm $'\\0' x", "for f in {1..100000}; do rm $f; done", "cat < /dev/tcp/a/b > /dev/udp/c/d", "find . -exec find . -exec rm {} \\; \\;", "xargs xargs xargs rm", "find -", "find /dev/null -delete", "git checkout -- -", "git restore /dev/null", "git diff -- /dev/null ./-", "git clone ../a -", "git clone ../a /dev/null", "gh repo clone a/b -", "git clone https://x.example/a -", "docker run -v /dev/null:/x a", "docker run --mount type=bind,src=/dev/null a", "patch -", "bash -", "sed s", "sed 's/a", "awk '/", "tar x", "trap 'trap x EXIT' EXIT",
	"${x@P}", "x='$(rm a)'; echo ${x@P}", "coproc x { a; }", "select x in a b; do c; done", "case x in (a) b;; c|d) e;& *) f;; esac", "function f { g; }; f", "a=(b c); ${a[@]} x", "[[ -f a && ! -d b ]]", "((x = $(rm a)))", "let x=1", "time -p rm a", "! rm a", "rm a &", "exec 3<>/dev/tcp/h/1; cat k >&3",
}

// standIns are the programs of the comparison with bash. Each only leaves a marker.
var standIns = []string{"alpha", "beta", "gamma", "delta"}

// TestAgainstBash runs lines made of harmless stand-in programs in real bash,
// in an empty directory with a PATH that has nothing else, and compares which
// of them ran with what Parse says: a step that is not conditional ran, and a
// program without a step did not.
func TestAgainstBash(t *testing.T) {
	bash := findBash(t)
	lines := bashLines
	if testing.Short() {
		lines = lines[:20]
	}
	for _, line := range lines {
		compare(t, bash, line)
	}
}

// FuzzAgainstBash does the same for generated lines of the stand-ins.
func FuzzAgainstBash(f *testing.F) {
	for i := range bashLines {
		f.Add([]byte{byte(i), byte(i * 7), byte(i * 13), byte(i * 31), byte(i * 3)})
	}
	f.Fuzz(func(t *testing.T, seed []byte) {
		if len(seed) > 24 {
			return
		}
		compare(t, findBash(t), grammar(seed))
	})
}

func findBash(t *testing.T) string {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not installed")
	}
	return bash
}

// grammar builds a line out of stand-ins and shell syntax only, so that nothing else can run.
func grammar(seed []byte) string {
	g := generator{seed: seed}
	return g.list(0)
}

type generator struct {
	seed []byte
	at   int
}

func (g *generator) pick(n int) int {
	if g.at >= len(g.seed) {
		return 0
	}
	g.at++
	return int(g.seed[g.at-1]) % n
}

func (g *generator) command() string {
	words := []string{standIns[g.pick(len(standIns))], `"` + standIns[g.pick(4)] + `"`, `al\pha`, `$'be\x74a'`, "gam''ma", `'del'"ta"`, "V=1 alpha", "command beta", "exec gamma", "eval 'delta x'", "! alpha", "$V"}
	return words[g.pick(len(words))]
}

func (g *generator) list(depth int) string {
	a := g.item(depth)
	for range g.pick(3) {
		a += []string{"; ", " && ", " || ", " | ", "\n"}[g.pick(5)] + g.item(depth)
	}
	return a
}

func (g *generator) item(depth int) string {
	if depth > 3 {
		return g.command()
	}
	switch g.pick(14) {
	case 1:
		return "( " + g.list(depth+1) + " )"
	case 2:
		return "{ " + g.list(depth+1) + "; }"
	case 3:
		return "if " + g.command() + "; then " + g.list(depth+1) + "; else " + g.command() + "; fi"
	case 4:
		return "for x in 1 2; do " + g.list(depth+1) + "; done"
	case 5:
		return "echo $(" + g.list(depth+1) + ")"
	case 6:
		return "f() { " + g.list(depth+1) + "; }; f"
	case 7:
		return "case x in x) " + g.command() + ";; *) " + g.command() + ";; esac"
	case 8:
		return "V=" + standIns[g.pick(4)] + "; $V"
	case 9:
		return "echo '" + g.command()[:1] + "' # " + standIns[g.pick(4)]
	case 10:
		return "cat_() { :; }; cat_ <<'E'\n$(" + standIns[g.pick(4)] + ")\nE\n"
	case 11:
		return ": <<E\n$(" + standIns[g.pick(4)] + ")\nE\n"
	case 12:
		return "set -e; " + g.command()
	}
	return g.command()
}

var bashLines = []string{
	"alpha", "alpha; beta", "alpha && beta", "false && beta", "true || beta", "alpha | beta", "echo 'alpha'", "echo \"$(alpha)\"", "echo '$(alpha)'", "# alpha", "echo x # alpha", "echo x#$(alpha)",
	"cat_() { beta; }; alpha", "cat_() { beta; }; cat_", "(alpha)", "{ alpha; }", "if alpha; then beta; else gamma; fi", "for i in 1 2; do alpha; done", "for i in; do alpha; done", "while false; do alpha; done",
	"case a in a) alpha;; b) beta;; esac", "V=alpha; $V", "V='alpha beta'; $V", "al''pha", "\\alpha", "$'\\x61lpha'", "{alpha,beta}", "eval 'alpha; beta'", "trap alpha EXIT", "exit 0; alpha", "return_() { return; alpha; }; return_",
	": <<'E'\n$(alpha)\nE", ": <<E\n$(alpha)\nE", ": <<E\n`beta`\nE", "echo ${x:-$(alpha)}", "echo $((1 + $(alpha; echo 1)))", "x=$(alpha)", "x=$(alpha) beta", "alpha() { :; }; alpha", "command alpha", "exec alpha; beta", "alpha &\nwait", "! alpha", "set -e; false; alpha", "unset -f alpha; alpha",
	"alias alpha=beta; alpha", "a=(alpha beta); \"${a[0]}\"", "a=(alpha beta); \"${a[@]}\"", "[[ -n $(alpha) ]]", "echo <(alpha) > /dev/null", "alpha > /dev/null", "time alpha", "coproc alpha; wait", "alpha\\\n; beta", "function f { alpha; }; f", "f() { \"$@\"; }; f alpha", "f() { $1; }; f beta", "set -- alpha; $1", "alpha ; : 'beta", "break; alpha", "command beta || f() { alpha; }; f", "while true; do alpha; break; beta; done",
}

// compare runs the line in bash and holds the claims against the markers.
func compare(t *testing.T, bash, line string) {
	ran, ok := runInBash(t, bash, line)
	if !ok {
		return
	}
	s := shell.Parse(line, shell.Env{Cwd: "/w", Home: "/h"})
	dynamic := s.Broken
	for _, u := range s.Unknowns {
		dynamic = dynamic || u.Kind == shell.UnknownCommand || u.Kind == shell.UnknownCode || u.Kind == shell.UnknownLimit || u.Kind == shell.UnknownParse
	}
	claimed := map[string]bool{}
	for _, st := range s.Steps {
		claimed[st.Name] = true
		if !st.Conditional && !st.Guess && !st.Background && isStandIn(st.Name) && !s.Broken {
			require.True(t, ran[st.Name], "said to run and did not: %s in %q", st.Name, line)
		}
	}
	for _, name := range standIns {
		if ran[name] && !claimed[name] {
			require.True(t, dynamic, "ran and was not seen: %s in %q", name, line)
		}
	}
}

func isStandIn(name string) bool {
	for _, s := range standIns {
		if s == name {
			return true
		}
	}
	return false
}

// runInBash gives the stand-ins that ran; false if bash refused the line.
func runInBash(t *testing.T, bash, line string) (map[string]bool, bool) {
	dir := t.TempDir()
	bin, marks := filepath.Join(dir, "bin"), filepath.Join(dir, "marks")
	require.NoError(t, os.Mkdir(bin, 0o755))
	require.NoError(t, os.Mkdir(marks, 0o755))
	for _, name := range standIns {
		text := "#!" + bash + "\n: > '" + marks + "/" + name + "'\n"
		require.NoError(t, os.WriteFile(filepath.Join(bin, name), []byte(text), 0o755))
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, bash, "--norc", "--noprofile", "-c", line)
	cmd.Dir = dir
	cmd.Env = []string{"PATH=" + bin}
	cmd.WaitDelay = time.Second
	out, err := cmd.CombinedOutput()
	if ctx.Err() != nil || err != nil && strings.Contains(string(out), "syntax error") {
		return nil, false
	}
	ran := map[string]bool{}
	for _, name := range standIns {
		_, err := os.Stat(filepath.Join(marks, name))
		ran[name] = err == nil
	}
	return ran, true
}
