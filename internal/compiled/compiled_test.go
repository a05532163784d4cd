package compiled_test

import (
	"errors"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planlint/planlint/finding"
	"github.com/planlint/planlint/internal/compiled"
	"github.com/planlint/planlint/taint"
	"github.com/planlint/planlint/tool"
)

// numberer knows only that a condition is there: what the small hook binary has.
type numberer struct{ count tool.Cond }

func (n *numberer) Condition(compiled.Condition) (tool.Cond, error) {
	n.count++
	return n.count, nil
}

func (n *numberer) Holds(tool.Cond, *tool.Subject) (bool, error) {
	return false, errors.New("conditions need the full planlint")
}

// TestBuildWithoutCEL builds every built-in policy with the contracts decoded by
// many at once.
func TestBuildWithoutCEL(t *testing.T) {
	pack, err := compiled.BuiltinPack()
	require.NoError(t, err)
	names := pack.Names()
	require.Greater(t, len(names), 500)
	for _, preset := range compiled.Presets() {
		doc, err := compiled.BuiltinDocument(preset)
		require.NoError(t, err)
		u, problems := compiled.Universe(doc)
		require.Empty(t, problems)
		p, problems := compiled.Build(doc, u, pack, &numberer{})
		require.Empty(t, problems)
		var wait sync.WaitGroup
		for range 4 {
			wait.Add(1)
			go func() {
				defer wait.Done()
				for _, name := range names {
					if c := p.Registry.Contract(name); c == nil || c != p.Registry.Contract(c.Name) {
						t.Errorf("contract %q is not one", name)
					}
				}
			}()
		}
		wait.Wait()
	}
}

func TestPackFindsExactNamesOnly(t *testing.T) {
	pack, err := compiled.NewPack([]compiled.Tool{
		{Name: compiled.T("b"), Alias: []compiled.Text{compiled.T("a-b"), compiled.T("b c")}},
		{Name: compiled.T("bb")},
		{Name: compiled.T("ä")},
	})
	require.NoError(t, err)
	require.Equal(t, []string{"a-b", "b", "b c", "bb", "ä"}, pack.Names())
	for name, want := range map[string]string{"b": "b", "a-b": "b", "b c": "b", "bb": "bb", "ä": "ä"} {
		got, ok := pack.Tool(name)
		require.True(t, ok, name)
		require.Equal(t, want, got.Name.S)
	}
	for _, name := range []string{"", "a", "B", "b ", "bbb", "zz", "b\t0", "\n"} {
		_, ok := pack.Tool(name)
		require.False(t, ok, name)
	}
	for _, twice := range [][]compiled.Tool{
		{{Name: compiled.T("x")}, {Name: compiled.T("x")}},
		{{Name: compiled.T("x")}, {Name: compiled.T("y"), Alias: []compiled.Text{compiled.T("x")}}},
		{{Name: compiled.T("x\ty")}},
	} {
		_, err := compiled.NewPack(twice)
		require.Error(t, err)
	}
}

// TestWordsFollowTheirConstants: words are numbered by their place.
func TestWordsFollowTheirConstants(t *testing.T) {
	for i, w := range compiled.Words("severity") {
		s, ok := finding.ParseSeverity(w)
		require.True(t, ok)
		require.Equal(t, i, int(s))
	}
	for i, w := range compiled.Words("precision") {
		p, ok := taint.ParsePrecision(w)
		require.True(t, ok)
		require.Equal(t, i+1, int(p))
	}
	for _, set := range []string{"resolution", "unmatched", "mode", "on", "gate_choice", "access", "class", "role", "sink"} {
		require.NotEmpty(t, compiled.Words(set), set)
	}
	require.Empty(t, compiled.Words("nothing"))
}

func BenchmarkBuiltin(b *testing.B) {
	pack, err := compiled.BuiltinPack()
	require.NoError(b, err)
	b.ReportAllocs()
	for b.Loop() {
		doc, err := compiled.BuiltinDocument("default")
		if err != nil {
			b.Fatal(err)
		}
		u, _ := compiled.Universe(doc)
		p, problems := compiled.Build(doc, u, pack, &numberer{})
		if problems != nil || p.Registry.Contract("send_email") == nil {
			b.Fatal(problems)
		}
	}
}
