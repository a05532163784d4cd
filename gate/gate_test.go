package gate_test

import (
	"encoding/json"
	"testing"
	"testing/quick"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/planlint/planlint/gate"
)

// small keeps random requirements in a range where they meet.
func small(effect, oob bool, approvals, cooldown uint8) gate.Requirements {
	return gate.Requirements{
		EffectReview: effect, OutOfBand: oob, Approvals: int(approvals % 4), Cooldown: time.Duration(cooldown%4) * time.Second,
	}
}

type raw struct {
	E, O bool
	A, C uint8
}

func (r raw) req() gate.Requirements { return small(r.E, r.O, r.A, r.C) }

func TestJoinLaws(t *testing.T) {
	check := func(f any) { t.Helper(); require.NoError(t, quick.Check(f, nil)) }
	check(func(a, b, c raw) bool {
		x, y, z := a.req(), b.req(), c.req()
		return x.Join(y).Join(z) == x.Join(y.Join(z))
	})
	check(func(a, b raw) bool { return a.req().Join(b.req()) == b.req().Join(a.req()) })
	check(func(a raw) bool { return a.req().Join(a.req()) == a.req() })
	check(func(a raw) bool { return a.req().Join(gate.Requirements{}) == a.req() })
	check(func(a, b raw) bool {
		j := a.req().Join(b.req())
		return j.Covers(a.req()) && j.Covers(b.req())
	})
	check(func(a, b raw) bool { // the join is the least that covers both
		x, y, j := a.req(), b.req(), a.req().Join(b.req())
		return !(x.Covers(y) && y.Covers(x)) || x == y && j == x
	})
	check(func(a, b raw) bool { // joining never loosens the decision
		return a.req().Join(b.req()).Decision() <= a.req().Decision()
	})
}

func TestCovers(t *testing.T) {
	public := gate.Requirements{Approvals: 1, Cooldown: 30 * time.Second}
	require.True(t, public.Covers(gate.Requirements{}))
	require.True(t, public.Covers(public))
	require.False(t, gate.Requirements{}.Covers(public))
	require.False(t, public.Covers(gate.Requirements{EffectReview: true}))
	require.False(t, gate.Requirements{OutOfBand: true}.Covers(public), "no part replaces another")
}

func TestZeroValues(t *testing.T) {
	var d gate.Decision
	require.Equal(t, gate.Deny, d)
	require.Equal(t, "deny", d.String())
	require.Equal(t, "deny", gate.Decision(9).String(), "what is no decision denies")
	require.Equal(t, gate.Deny, gate.Strictest(gate.Allow, gate.Deny))
	require.Equal(t, gate.Ask, gate.Strictest(gate.Allow, gate.Ask))

	require.True(t, gate.Requirements{}.None())
	require.Equal(t, gate.Allow, gate.Requirements{}.Decision())
	require.Equal(t, gate.Ask, gate.Requirements{Cooldown: 1}.Decision())

	var c gate.Class
	require.Equal(t, "unset", c.String())
	require.Equal(t, "unset", gate.Class(99).String())
	table := gate.DefaultTable()
	require.True(t, table.For(gate.ClassUnset).OutOfBand, "a class that nobody set is not the lenient one")
	require.True(t, table.For(gate.Class(99)).OutOfBand)
}

func TestNamesRoundTrip(t *testing.T) {
	require.Len(t, gate.Classes(), 6)
	for i, name := range gate.Classes() {
		c, err := gate.ParseClass(name)
		require.NoError(t, err)
		require.Equal(t, gate.Class(i+1), c)
		require.Equal(t, name, c.String())
	}
	for _, bad := range []string{"", "unset", "Compensating", "compensating "} {
		_, err := gate.ParseClass(bad)
		require.Error(t, err, bad)
	}
	for _, d := range []gate.Decision{gate.Deny, gate.Ask, gate.Allow} {
		got, err := gate.ParseDecision(d.String())
		require.NoError(t, err)
		require.Equal(t, d, got)
	}
	_, err := gate.ParseDecision("Allow")
	require.Error(t, err)
}

func TestDefaultTable(t *testing.T) {
	table := gate.DefaultTable()
	for class, want := range map[gate.Class]string{
		gate.ReversibleInternal: "none", gate.Compensating: "none", gate.TimeWindowUndoable: "none",
		gate.IrreversibleInternal: "effect review", gate.IrreversiblePublic: "1 approval, 30 s cool-down",
		gate.AuthorityModifying: "out of band",
	} {
		require.Equal(t, want, table.For(class).String())
	}
	require.Equal(t, "effect review, 1 approval, 30 s cool-down", table.Strictest.String())
}

func TestWords(t *testing.T) {
	require.Equal(t, []string{"2 approvals", "1 h cool-down"}, gate.Requirements{Approvals: 2, Cooldown: time.Hour}.Words())
	require.Equal(t, []string{"5 min cool-down"}, gate.Requirements{Cooldown: 5 * time.Minute}.Words())
	require.Equal(t, []string{"1.5s cool-down"}, gate.Requirements{Cooldown: 1500 * time.Millisecond}.Words())
}

func TestGateJSON(t *testing.T) {
	full := gate.Gate{
		Requirements: gate.Requirements{EffectReview: true, Approvals: 2, Cooldown: 90 * time.Second, OutOfBand: true},
		Obligations:  gate.Obligations{Audit: true, Compensation: "undo_it", UndoWindow: time.Hour},
	}
	data, err := json.Marshal(full)
	require.NoError(t, err)
	require.JSONEq(t, `{"effect_review":true,"approvals":2,"cooldown":"1m30s","out_of_band":true,
		"audit":true,"compensation":"undo_it","undo_window":"1h0m0s"}`, string(data))
	for _, g := range []gate.Gate{{}, full, {Obligations: gate.Obligations{Audit: true}}} {
		data, err := json.Marshal(g)
		require.NoError(t, err)
		var back gate.Gate
		require.NoError(t, json.Unmarshal(data, &back))
		require.Equal(t, g, back)
	}
	for _, bad := range []string{`{"approvals":-1}`, `{"cooldown":"30"}`, `{"cooldown":"-3s"}`, `{"undo_window":"x"}`, `{"approval":1}`, `[]`} {
		var g gate.Gate
		require.Error(t, json.Unmarshal([]byte(bad), &g), bad)
	}
}

func FuzzGateJSON(f *testing.F) {
	f.Add([]byte(`{"approvals":1,"cooldown":"30s"}`))
	f.Add([]byte(`{"undo_window":"1h","audit":true}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var g gate.Gate
		if json.Unmarshal(data, &g) != nil {
			return
		}
		out, err := json.Marshal(g)
		require.NoError(t, err)
		var back gate.Gate
		require.NoError(t, json.Unmarshal(out, &back))
		require.Equal(t, g, back)
	})
}
