package tool

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/taint"
)

func TestDiff(t *testing.T) {
	u, err := taint.NewUniverse()
	require.NoError(t, err)
	base := func() *Contract {
		return &Contract{Name: "t", Version: 1, Class: gate.Compensating, Output: []OutputLabel{{Labels: taint.Of(taint.Private), Readers: []string{"user"}}},
			Sinks: []SinkDecl{{Kinds: taint.SinkExternal}}, Audience: []string{"args.to"}, Sanitizes: []Removal{{Labels: taint.Of(taint.PII)}}}
	}
	for _, c := range []struct {
		name   string
		change func(*Contract)
		kind   ChangeKind
		what   string
	}{
		{"class raised", func(c *Contract) { c.Class = gate.IrreversibleInternal }, Breaking, "class raised: compensating -> irreversible-internal"},
		{"class lowered", func(c *Contract) { c.Class = gate.ReversibleInternal }, Weakening, "class lowered: compensating -> reversible-internal"},
		{"label added", func(c *Contract) { c.Output[0].Labels |= taint.Of(taint.Untrusted) }, Breaking, "output label added: untrusted on the output"},
		{"label removed", func(c *Contract) { c.Output = nil }, Weakening, "output label removed: private on the output"},
		{"reader added", func(c *Contract) { c.Output[0].Readers = []string{"user", "staff"} }, Weakening, "reader of the output added: staff"},
		{"sink added", func(c *Contract) { c.Sinks[0].Kinds |= taint.SinkPublic }, Breaking, "sink added: public"},
		{"sink removed", func(c *Contract) { c.Sinks = nil }, Weakening, "sink removed: external"},
		{"sanitizer added", func(c *Contract) { c.Sanitizes[0].Labels |= taint.Of(taint.Secret) }, Weakening, "sanitizer added: secret"},
		{"sanitizer removed", func(c *Contract) { c.Sanitizes = nil }, Breaking, "sanitizer removed: pii"},
		{"audience widened", func(c *Contract) { c.Audience = nil }, Breaking, "audience widened to everyone"},
		{"audience member", func(c *Contract) { c.Audience = append(c.Audience, "args.cc") }, Breaking, "audience added: args.cc"},
		{"read only", func(c *Contract) { c.ReadOnly = true }, Weakening, "read_only: true"},
		{"class_when", func(c *Contract) { c.ClassWhen = []ClassWhen{{Class: gate.ReversibleInternal}} }, Weakening, "class_when added: reversible-internal"},
		{"compensation", func(c *Contract) { c.Compensation = "undo" }, Neutral, `compensation: "" -> "undo"`},
	} {
		now := base()
		c.change(now)
		changes := Diff(Side{base(), u}, Side{now, u})
		require.NotEmpty(t, changes, c.name)
		require.Equal(t, c.kind, changes[0].Kind, c.name)
		require.Equal(t, c.what, changes[0].What, c.name)
		if c.kind == Breaking {
			require.Contains(t, changes[len(changes)-1].What, "a breaking change needs a higher one", c.name)
			now.Version = 2
			for _, change := range Diff(Side{base(), u}, Side{now, u}) {
				require.NotContains(t, change.What, "version", c.name)
			}
		}
	}
	require.Empty(t, Diff(Side{base(), u}, Side{base(), u}))
	require.Equal(t, Added, Diff(Side{}, Side{base(), u})[0].Kind)
	require.Equal(t, Breaking, Diff(Side{base(), u}, Side{})[0].Kind)
}
