package policy

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planlint/planlint/gate"
)

func TestLoadEverySection(t *testing.T) {
	l, problems := Read(Options{Files: []string{"testdata/good/design.yaml"}})
	for _, p := range problems {
		t.Log(p.Error())
	}
	require.NotNil(t, l)
	require.Empty(t, problems)
	require.Equal(t, "deny", l.Document.Settings.UnknownTool.S, "the stricter of two layers counts")
	require.Len(t, l.Tests, 1)
	require.NotNil(t, l.Policy.Registry.Contract("Bash"), "built-in contracts are there")
	require.Equal(t, 1, l.Policy.Gates.For(gate.IrreversiblePublic).Approvals)
	require.Equal(t, "testdata/good/design.yaml", l.Policy.Name)
}

func TestBuiltin(t *testing.T) {
	for _, name := range []string{"default", "coding-agent", "strict"} {
		p, err := Builtin(name)
		require.NoError(t, err)
		require.Equal(t, "builtin:"+name, p.Name)
		require.NotEmpty(t, p.Compose)
	}
	_, err := Builtin("nope")
	require.Error(t, err)
}

func BenchmarkBuiltin(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Builtin("default"); err != nil {
			b.Fatal(err)
		}
	}
}

// rules100 is a policy of 100 rules with conditions in every fourth.
func rules100() string {
	var b strings.Builder
	b.WriteString("version: 1\nrules:\n")
	for i := range 100 {
		switch i % 4 {
		case 0:
			fmt.Fprintf(&b, "  - {decision: ask, tool: send_email, when: \"size(call.recipients) > %d\", why: too many at once}\n", i)
		case 1:
			fmt.Fprintf(&b, "  - {decision: deny, path: \"src/gen%d/**\", access: write, why: generated}\n", i)
		case 2:
			fmt.Fprintf(&b, "  - {decision: allow, tool: Bash, command: \"make target%d*\"}\n", i)
		default:
			fmt.Fprintf(&b, "  - {decision: ask, host: \"*.h%d.example\"}\n", i)
		}
	}
	return b.String()
}

func BenchmarkLoad100Rules(b *testing.B) {
	o := Options{Files: []string{"p.yaml"}, FS: memory{"p.yaml": rules100()}}
	b.ReportAllocs()
	for b.Loop() {
		if p, problems := Load(o); p == nil {
			b.Fatal(problems)
		}
	}
}
