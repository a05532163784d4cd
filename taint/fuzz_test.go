package taint

import (
	"encoding/base64"
	"fmt"
	"math/rand"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/planlint/planlint/plan"
	"github.com/stretchr/testify/require"
)

// FuzzPlan makes random plans from a seed and a text that stands in outputs and
// arguments: no panic, hops join up, and the solver agrees with walking from
// every source.
func FuzzPlan(f *testing.F) {
	for _, s := range []string{"", "token1x77", `{"a":"token1x77"}`, "a@b.example", "\\u0041\\n", "%41%4", "ümläut zq81kk3m"} {
		f.Add(int64(1), uint8(6), s)
	}
	f.Fuzz(func(t *testing.T, seed int64, calls uint8, text string) {
		r := rand.New(rand.NewSource(seed))
		w := randomWorld(r, 1+int(calls%24))
		for i := range w.plan.Calls {
			if r.Intn(3) == 0 {
				step1{w, i}.output(text)
			}
			if r.Intn(3) == 0 && w.plan.Calls[i].Args.Items[0].Ext == nil {
				w.plan.Calls[i].Args.Items[0].Text = text
			}
		}
		l := w.labels()
		want := walkEverySource(l.graph)
		have := 0
		for id := range l.graph.nodes {
			have += len(l.of(uint32(id)))
		}
		require.Len(t, want, have)
		checkPaths(t, l)
	})
}

// FuzzMatch: what stands in an output and, whole or as JSON text or encoded, in
// a later argument is found whenever it is distinctive; and nothing panics.
func FuzzMatch(f *testing.F) {
	f.Add("sk_demo_9f8e7d6c5b4a", "before ", " after", uint8(0))
	f.Add("Jonathan Appleseed", "", "", uint8(1))
	f.Add("we meet the lawyers on monday morning", "x", "y", uint8(2))
	f.Fuzz(func(t *testing.T, value, before, after string, how uint8) {
		words := appendWords(nil, value, nil)
		sure := len(words) == 1 && distinctive(&words[0])
		w := newWorld()
		w.add("read", "id=1").gives(Of(Secret)).output(value)
		w.add("send", "x=").sends()
		arg := before + " " + value + " " + after
		if how%3 == 1 {
			arg = base64.StdEncoding.EncodeToString([]byte(value + " "))
			sure = sure && len(arg) >= minHidden+2 && utf8.ValidString(value) && strings.IndexFunc(value, unicode.IsControl) < 0
		}
		w.plan.Calls[1].Args.Items[0] = plan.Str(arg)
		l := w.labels()
		if sure && value != "1" {
			require.True(t, l.Slot(1, 0, Value).Has(Secret), "%q in %q", value, arg)
		}
	})
}

// FuzzCells: the segment tree of versions agrees with replaying all writes over
// every single place.
func FuzzCells(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
	f.Add([]byte("Ac\x1c\x17012c$\x05C000000"))
	f.Fuzz(func(t *testing.T, ops []byte) {
		if len(ops) > 40 {
			return
		}
		w := newWorld()
		w.plan.Fixed = true
		exact := true
		for i, op := range ops {
			s := w.add(string(rune('A' + i)))
			s.gives(Of(Secret))
			cell := randomCells[int(op>>2)%len(randomCells)]
			if op&3 == 3 {
				s.reads(cell)
			} else {
				s.fact().Steps[0].Extend().Adds = []Source{{Labels: Of(Label(i % 60))}}
				s.writes(cell, WriteMode(op&3))
				exact = exact && (!cellOf(cell).Tree || WriteMode(op&3) != Append)
			}
		}
		l, o := w.labels(), solveStraight(w)
		for i := range w.plan.Calls {
			thing := fmt.Sprintf("out %d", i)
			if exact {
				o.check(t, l, l.graph.calls[i].out, int64(i), thing)
			}
			for key := range o.get(thing) {
				var label, prec int
				fmt.Sscanf(key, "%d/%d", &label, &prec)
				_, ok := l.entry(l.graph.calls[i].out, Label(label), Precision(prec))
				require.True(t, ok, "%s: %s", thing, key)
			}
		}
	})
}
