package shell_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planlint/planlint/shell"
)

// gateCase is one line of the shared cases; only those about commands alone are used here.
type gateCase struct {
	ID    string
	Setup struct {
		Rules []string
		Env   struct {
			Cwd, Home string
			FS        []string
		}
		Tools []string
	}
	Plan []struct {
		Tool string
		Args map[string]any
	}
	Expected struct{ Decision string }
	Tags     []string
}

// TestGateCases decides the shared command cases by a small policy: it shows
// that the API is enough for one, the real one is elsewhere.
func TestGateCases(t *testing.T) {
	data, err := os.ReadFile("../../shared/cases/gate-cases.jsonl")
	if err != nil {
		t.Skip("shared cases are not here")
	}
	n := 0
	sc := bufio.NewScanner(bytes.NewReader(data))
	sc.Buffer(nil, 1<<20)
	for sc.Scan() {
		var c gateCase
		if json.Unmarshal(sc.Bytes(), &c) != nil || !commandsOnly(c) {
			continue
		}
		n++
		got := decide(c)
		want := c.Expected.Decision
		if got != want && !(want == "not-allow" && got != "allow") {
			t.Errorf("%s: got %s, want %s: %v %v", c.ID, got, want, c.Setup.Rules, c.Plan)
		}
	}
	require.Greater(t, n, 100)
	t.Logf("%d cases", n)
}

func commandsOnly(c gateCase) bool {
	for _, tag := range c.Tags {
		if tag == "debatable" {
			return false
		}
	}
	for _, r := range c.Setup.Rules {
		for _, w := range []string{"label", "sink", "flow", "mcp__", "WebFetch", "agent", "@outside"} {
			if strings.Contains(r, w) {
				return false
			}
		}
	}
	for _, p := range c.Plan {
		if p.Tool != "Bash" {
			return false
		}
	}
	return len(c.Plan) > 0 && !strings.HasPrefix(c.ID, "sa-")
}

// policy is the short form of a case's rules.
type policy struct {
	byDefault          string
	readonly           bool
	allow, ask, deny   shell.Patterns
	reads, edits, open []string // denied reads, denied edits, allowed edits
}

func parsePolicy(rules []string) policy {
	p := policy{byDefault: "ask"}
	for _, r := range rules {
		verb, rest, _ := strings.Cut(r, " ")
		tool, arg, _ := strings.Cut(strings.TrimSuffix(rest, ")"), "(")
		switch {
		case verb == "default":
			p.byDefault = rest
		case rest == "@readonly":
			p.readonly = true
		case tool == "Bash":
			if arg == "" {
				arg = "*"
			}
			pat, err := shell.CompilePattern(arg)
			if err != nil {
				panic(err)
			}
			switch verb {
			case "allow":
				p.allow = append(p.allow, pat)
			case "ask":
				p.ask = append(p.ask, pat)
			case "deny":
				p.deny = append(p.deny, pat)
			}
		case tool == "Read" && verb == "deny":
			p.reads = append(p.reads, arg)
		case tool == "Edit" && verb == "deny":
			p.edits = append(p.edits, arg)
		case tool == "Edit" && verb == "allow":
			p.open = append(p.open, arg)
		}
	}
	return p
}

func decide(c gateCase) string {
	env := shell.Env{Cwd: c.Setup.Env.Cwd, Home: c.Setup.Env.Home}
	if env.Cwd == "" {
		env.Cwd, env.Home = "/srv/app", "/home/dev"
	}
	persistent := strings.Contains(strings.Join(c.Setup.Env.FS, " "), "persistent-shell")
	pol := parsePolicy(c.Setup.Rules)
	out := "allow"
	for _, call := range c.Plan {
		line, _ := call.Args["command"].(string)
		s := shell.Parse(line, env)
		out = stricter(out, decideLine(s, pol, env))
		env = s.Next(env, persistent)
	}
	return out
}

func stricter(a, b string) string {
	rank := map[string]int{"allow": 0, "ask": 1, "deny": 2}
	if rank[b] > rank[a] {
		return b
	}
	return a
}

func decideLine(s shell.Script, p policy, env shell.Env) string {
	for _, d := range p.deny {
		if m, _ := d.MatchRestrict(s); m == shell.Matches {
			return "deny"
		} else if m == shell.MayMatch {
			p.byDefault = "ask"
			p.allow = nil
		}
	}
	got := decideFiles(s, p, env)
	for _, a := range p.ask {
		if m, _ := a.MatchRestrict(s); m != shell.NoMatch {
			got = stricter(got, "ask")
		}
	}
	return stricter(got, decideSteps(s, p))
}

func decideFiles(s shell.Script, p policy, env shell.Env) string {
	got := "allow"
	for _, st := range s.Steps {
		for _, e := range st.Effects {
			if e.Detail == "names" {
				continue
			}
			for _, pat := range p.reads {
				if e.Kind == shell.EnvRead && strings.HasSuffix(pat, ".env") {
					got = stricter(got, "ask")
				}
				if e.Kind == shell.Read {
					got = stricter(got, fileRule(pat, e, env))
				}
			}
			for _, pat := range p.edits {
				if e.Kind == shell.Write || e.Kind == shell.Append || e.Kind == shell.Copy || e.Kind == shell.Edit {
					got = stricter(got, fileRule(pat, e, env))
				}
			}
		}
	}
	return got
}

// fileRule is a rough glob test, enough for the cases.
func fileRule(pat string, e shell.Effect, env shell.Env) string {
	switch {
	case strings.HasPrefix(pat, "//"):
		pat = pat[1:]
	case strings.HasPrefix(pat, "~/"):
		pat = env.Home + pat[1:]
	case strings.HasPrefix(pat, "**/"):
	default:
		pat = path.Join(env.Cwd, pat)
	}
	for _, target := range []string{e.Target, e.Real} {
		if target == "" {
			continue
		}
		if pat == target || under(pat, target) {
			return "deny"
		}
		if e.Glob || e.Recursive {
			lit := strings.Trim(path.Base(target), "*?")
			name := strings.Trim(path.Base(pat), "*")
			if e.Recursive && (strings.HasPrefix(pat, target) || strings.HasPrefix(pat, "**")) || strings.HasPrefix(name, lit) || lit == ".json" || strings.Contains(target, "**") && strings.HasSuffix(pat, ".json") {
				return "ask"
			}
		}
	}
	return "allow"
}

func under(pat, target string) bool {
	if dir, ok := strings.CutSuffix(pat, "/**"); ok {
		return strings.HasPrefix(target, dir+"/")
	}
	if name, ok := strings.CutPrefix(pat, "**/"); ok {
		ok, _ := path.Match(name, path.Base(target))
		return ok
	}
	return false
}

func decideSteps(s shell.Script, p policy) string {
	got := "allow"
	if s.Broken {
		got = "ask"
	}
	covered := make([]bool, len(s.Steps))
	for i, st := range s.Steps {
		_, ok := p.allow.Allow(st)
		covered[i] = ok
		switch {
		case ok || st.ReadOnly():
		default:
			got = stricter(got, p.byDefault)
		}
		for _, e := range st.Effects {
			if e.Redirect && e.Kind != shell.Read && p.byDefault != "allow" && !openFor(e.Target, p.open) {
				got = stricter(got, "ask")
			}
		}
	}
	for _, u := range s.Unknowns {
		if !u.Closing() || u.Kind == shell.UnknownProgram && (u.Step >= 0 && covered[u.Step] || p.byDefault == "allow") {
			continue
		}
		if u.Kind == shell.UnknownCode && u.Step >= 0 && covered[u.Step] {
			continue
		}
		got = stricter(got, "ask")
	}
	return got
}

func openFor(target string, open []string) bool {
	for _, pat := range open {
		dir := strings.TrimSuffix(strings.TrimPrefix(pat, "/"), "/**")
		if strings.Contains(target, strings.TrimPrefix(dir, "/")) {
			return true
		}
	}
	return false
}
