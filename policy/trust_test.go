package policy

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planlint/planlint"
	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/plan/planyaml"
)

// project writes files into a new folder and returns it.
func project(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	return dir
}

func ids(problems []Problem) []string {
	var out []string
	for _, p := range problems {
		out = append(out, p.ID)
	}
	return out
}

const loose = `version: 1
extends: [builtin:coding-agent, ./more.yaml]
settings: {unmatched: allow, unknown_tool: deny, mode: unattended, resolution: deny-overrides, precision: value}
audiences: {"git:origin": [staff], "git:public": [everyone]}
gates: {irreversible-public: {approvals: 2}, irreversible-internal: {approvals: 1}}
tools:
  - {refines: send_email, risk_class: compensating, class_when: [{if: "true", risk_class: reversible-internal}]}
  - {refines: query_order, risk_class: authority-modifying}
  - {name: mystery, risk_class: reversible-internal, read_only: true, output: [{labels: [secret]}]}
  - {refines: read_email, sanitizes: [{labels: [private], reason: we say so}]}
rules:
  - {decision: allow, tool: send_email}
  - {decision: deny, tool: refund}
permissions:
  allow: ["Bash(curl:*)"]
  ask: ["Bash(git push:*)"]
compose:
  - {id: PL1001, title: ours, labels: [secret], sink: [external], gate: none, why: w}
`

func TestUntrustedProjectMayOnlyTighten(t *testing.T) {
	dir := project(t, map[string]string{"planlint.yaml": loose, "more.yaml": "version: 1\nrules: [{decision: allow, tool: \"*\"}]\n", "a/b/x.txt": ""})
	l, problems := Read(Options{Dir: filepath.Join(dir, "a", "b")})
	require.Empty(t, Errors(problems), printed(problems))
	require.NotNil(t, l)
	require.Equal(t, []string{
		DiagAllow,                                         // more.yaml is below
		DiagPreset, DiagSetting, DiagSetting, DiagSetting, // builtin:coding-agent; unmatched, resolution, precision
		DiagAudience, DiagGate, DiagGate, // git:origin; less than the cool-down and the effect review in force
		DiagContract, DiagContract, DiagContract, DiagContract, // class, class_when, mystery, sanitizer
		DiagAllow, DiagAllow, DiagRule,
	}, ids(problems), printed(problems))

	s := l.Document.Settings
	require.Equal(t, "ask", s.Unmatched.S)
	require.Equal(t, "deny", s.UnknownTool.S, "stricter: counts")
	require.Equal(t, "unattended", s.Mode.S, "stricter: counts")
	require.Equal(t, "most-specific", s.Resolution.S)
	require.Empty(t, s.Precision.S)

	public := l.Policy.Gates.For(gate.IrreversiblePublic)
	require.Equal(t, 2, public.Approvals)
	require.NotZero(t, public.Cooldown, "the cool-down stays")
	require.Equal(t, 1, l.Policy.Gates.For(gate.IrreversibleInternal).Approvals)
	require.True(t, l.Policy.Gates.For(gate.IrreversibleInternal).EffectReview)

	require.Equal(t, gate.IrreversiblePublic, l.Policy.Registry.Contract("send_email").Class)
	require.Empty(t, l.Policy.Registry.Contract("send_email").ClassWhen)
	require.Equal(t, gate.AuthorityModifying, l.Policy.Registry.Contract("query_order").Class, "raised: counts")
	require.Nil(t, l.Policy.Registry.Contract("mystery"), "stays unknown")
	require.Empty(t, l.Policy.Registry.Contract("read_email").Sanitizes)

	var secret bool
	for _, src := range l.Document.Sources {
		secret = secret || src.Match.S == "mystery" && src.Labels[0].S == "secret"
	}
	require.True(t, secret, "labels of an untrusted contract count")
	for _, r := range l.Document.Rules {
		if r.Pos.File == filepath.Join(dir, FileName) {
			require.NotEqual(t, "allow", r.Decision.S)
			require.True(t, r.Restrict)
		}
	}
	count := 0
	for _, r := range l.Policy.Compose {
		if r.ID == "PL1001" {
			count++
		}
	}
	require.Equal(t, 2, count, "the built-in rule stays beside it")
}

func TestTrustPinsTheDigest(t *testing.T) {
	dir := project(t, map[string]string{
		"planlint.yaml": "version: 1\nextends: [./more.yaml]\nrules: [{decision: allow, tool: send_email}]\n",
		"more.yaml":     "version: 1\nsettings: {unmatched: class}\n",
	})
	o := Options{Dir: dir, UserDir: filepath.Join(t.TempDir(), "planlint")}
	l, problems := Read(o)
	require.NotNil(t, l)
	require.Equal(t, []string{DiagSetting, DiagAllow}, ids(problems), printed(problems))

	pin, err := Trust(o)
	require.NoError(t, err)
	require.Equal(t, []string{"more.yaml", "planlint.yaml"}, pin.Files)
	l, problems = Read(o)
	require.Empty(t, problems)
	require.Equal(t, "class", l.Document.Settings.Unmatched.S)

	// A change of what it extends is a change of the project's layer.
	require.NoError(t, os.WriteFile(filepath.Join(dir, "more.yaml"), []byte("version: 1\nsettings: {unmatched: allow}\n"), 0o644))
	l, problems = Read(o)
	require.Len(t, problems, 2)
	require.Equal(t, "ask", l.Document.Settings.Unmatched.S)

	removed, err := Distrust(o)
	require.NoError(t, err)
	require.True(t, removed)
	removed, err = Distrust(o)
	require.NoError(t, err)
	require.False(t, removed)
}

func TestTrustFileIsWrittenWhole(t *testing.T) {
	userDir := t.TempDir()
	var wait sync.WaitGroup
	for range 8 {
		dir := project(t, map[string]string{"planlint.yaml": "version: 1\n"})
		wait.Add(1)
		go func() {
			defer wait.Done()
			_, err := Trust(Options{Dir: dir, UserDir: userDir})
			if err != nil {
				t.Error(err)
			}
		}()
	}
	wait.Wait()
	data, err := os.ReadFile(filepath.Join(userDir, TrustFile))
	require.NoError(t, err)
	parsed, err := parseTrust(data)
	require.NoError(t, err)
	require.Len(t, parsed.Trusted, 8)
	entries, err := os.ReadDir(userDir)
	require.NoError(t, err)
	require.Len(t, entries, 1, "neither lock nor temporary files stay")
}

func TestBrokenTrustFileFailsClosed(t *testing.T) {
	dir := project(t, map[string]string{"planlint.yaml": "version: 1\n"})
	userDir := project(t, map[string]string{TrustFile: "trusted: 3\n"})
	p, problems := Load(Options{Dir: dir, UserDir: userDir})
	require.Nil(t, p)
	require.Len(t, Errors(problems), 1)
}

func TestProjectMustNotLeaveItsFolder(t *testing.T) {
	outside := project(t, map[string]string{"secret.yaml": "version: 1\npassword: hunter2\n"})
	dir := project(t, map[string]string{"planlint.yaml": "version: 1\nextends: [../x.yaml, ./link.yaml]\n"})
	require.NoError(t, os.Symlink(filepath.Join(outside, "secret.yaml"), filepath.Join(dir, "link.yaml")))
	p, problems := Load(Options{Dir: dir})
	require.Nil(t, p)
	require.Len(t, problems, 2)
	for _, q := range problems {
		require.Contains(t, q.Message, "leaves the project's folder")
	}
}

func TestObserveIsNotForProjects(t *testing.T) {
	dir := project(t, map[string]string{"planlint.yaml": "version: 1\nsettings: {mode: observe}\n"})
	o := Options{Dir: dir, UserDir: t.TempDir()}
	_, err := Trust(o)
	require.NoError(t, err)
	l, problems := Read(o)
	require.Equal(t, []string{DiagSetting}, ids(problems))
	require.Equal(t, "default", l.Document.Settings.Mode.S)
}

func TestNamedFilesAreTrusted(t *testing.T) {
	dir := project(t, map[string]string{"p.yaml": "version: 1\nsettings: {unmatched: allow, mode: observe}\nrules: [{decision: allow, tool: \"*\"}]\n"})
	l, problems := Read(Options{Files: []string{filepath.Join(dir, "p.yaml")}})
	require.Empty(t, problems)
	require.Equal(t, "allow", l.Document.Settings.Unmatched.S)
	require.Equal(t, "observe", l.Document.Settings.Mode.S)
}

func TestLayersAddUp(t *testing.T) {
	user := project(t, map[string]string{"planlint.yaml": "version: 1\nsettings: {unmatched: class}\nrules: [{decision: allow, tool: a}]\n"})
	dir := project(t, map[string]string{"planlint.yaml": "version: 1\nrules: [{decision: deny, tool: b}]\n"})
	l, problems := Read(Options{UserDir: user, Dir: dir, Session: []byte("version: 1\nsettings: {mode: read-only}\n")})
	require.Empty(t, problems)
	require.Equal(t, []LayerKind{LayerUser, LayerProject, LayerSession}, []LayerKind{l.Layers[0].Kind, l.Layers[1].Kind, l.Layers[2].Kind})
	require.Equal(t, "class", l.Document.Settings.Unmatched.S)
	require.Equal(t, "read-only", l.Document.Settings.Mode.S)
	require.Len(t, l.Document.Rules, 2)
}

func TestUntrustedRulesNeverLoosen(t *testing.T) {
	user := project(t, map[string]string{"planlint.yaml": "version: 1\nsettings: {unmatched: deny}\nrules: [{decision: deny, tool: \"send_*\"}]\n"})
	dir := project(t, map[string]string{"planlint.yaml": "version: 1\nrules: [{decision: ask, tool: send_email}, {decision: ask, tool: Write}, {decision: deny, tool: query_order}]\n"})
	p, problems := Load(Options{UserDir: user, Dir: dir})
	require.Empty(t, problems)
	plan, errs := planyaml.Parse([]byte(`version: 1
calls:
  - {tool: send_email, args: {to: [a@b.example], body: x}}
  - {tool: Write, args: {file_path: /x, content: y}}
  - {tool: query_order, args: {id: 1}}
`), "plan.yaml")
	require.Empty(t, errs)
	r := planlint.New(*p).Check(context.Background(), plan)
	require.Equal(t, "deny deny deny", decisions(r), "an ask of an untrusted layer is no way around a deny")
}
