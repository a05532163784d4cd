package plan

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// call returns a call at line n whose argument is a text with references.
func call(n int, id, text string, after ...int) Call {
	refs, err := ParseRefs(text)
	if err != nil {
		panic(err)
	}
	for i := range refs {
		refs[i].Pos = Position{Line: int32(n), Column: int32(50 + refs[i].Start)}
	}
	arg := Value{Kind: String, Text: text, Ext: &Ext{Refs: refs}}
	return Call{ID: id, Tool: "t", Turn: n, Rare: &Rare{After: after}, Args: Obj([]string{"x"}, arg), Pos: Position{Line: int32(n), Column: 1}}
}

func messages(errs []Error) []string {
	var out []string
	for _, e := range errs {
		out = append(out, e.Error())
	}
	return out
}

func TestValidateErrors(t *testing.T) {
	tests := []struct {
		name string
		plan Plan
		want []string
	}{
		{"good", Plan{Calls: []Call{call(1, "a", ""), call(2, "b", "${a.output.x}", 0)}}, nil},
		{"duplicate id", Plan{Calls: []Call{call(1, "a", ""), call(2, "a", "")}}, []string{`2:1: call id "a" is used twice, first at 1:1`}},
		{"empty id", Plan{Calls: []Call{call(1, "", "")}}, []string{`1:1: a call with an empty id`}},
		{"dangling", Plan{Calls: []Call{call(1, "a", "${b.output} ${c}")}}, []string{
			`1:50: reference to "b", which is no call, input or item of this plan`,
			`1:62: reference to "c", which is no call, input or item of this plan`,
		}},
		{"forward", Plan{Calls: []Call{call(1, "a", "${b.output}"), call(2, "b", "")}}, []string{
			`1:50: call "a" (1:1) refers to call "b" (2:1), which comes later`,
		}},
		{"self", Plan{Calls: []Call{call(1, "a", "${a.output}")}}, []string{`1:50: call "a" refers to itself`}},
		{"forward after", Plan{Calls: []Call{call(1, "a", "", 1), call(2, "b", "")}}, []string{
			`1:1: call "a" (1:1) is after call "b" (2:1), which comes later`,
		}},
		{"after cycle, reported once", Plan{Calls: []Call{call(1, "a", "", 2), call(2, "b", "", 0), call(3, "c", "${b.output}", 1)}}, []string{
			`1:1: cycle: "a" (1:1) needs "c" (3:1) needs "b" (2:1) needs "a" (1:1)`,
		}},
		{"two cycles", Plan{Calls: []Call{call(1, "a", "", 1), call(2, "b", "", 0), call(3, "c", "", 3), call(4, "d", "", 2)}}, []string{
			`1:1: cycle: "a" (1:1) needs "b" (2:1) needs "a" (1:1)`,
			`3:1: cycle: "c" (3:1) needs "d" (4:1) needs "c" (3:1)`,
		}},
		{"after nowhere", Plan{Calls: []Call{call(1, "a", "", 7)}}, []string{`1:1: call "a" is after a call that is not in the plan`}},
		{"no output", Plan{Calls: []Call{call(1, "a", ""), call(2, "b", "${a.x}")}}, []string{`2:50: reference to call "a" without ".output"`}},
		{"input twice", Plan{Inputs: []Input{{Name: "v"}, {Name: "v"}}}, []string{`input "v" is declared twice`}},
		{"input is a call", Plan{Inputs: []Input{{Name: "a"}}, Calls: []Call{call(1, "a", "")}}, []string{`input "a" has the name of the call at 1:1`}},
		{"no tool", Plan{Calls: []Call{{ID: "a"}}}, []string{`call "a" names no tool`}},
		{"compete alone", Plan{Calls: []Call{{ID: "a", Tool: "t", Compete: true}}}, []string{`call "a" competes with nothing`}},
		{"turns fall", Plan{Calls: []Call{{ID: "a", Tool: "t", Turn: 1}, {ID: "b", Tool: "t"}}}, []string{`call "b" is in turn 0, after a call of turn 1`}},
		{"interrupted group", Plan{Calls: []Call{{ID: "a", Tool: "t", Group: "g"}, {ID: "b", Tool: "t"}, {ID: "c", Tool: "t", Group: "g"}}}, []string{
			`parallel group "g" is interrupted by call "b"`,
		}},
		{"agent before its start", Plan{Agents: []Agent{{Name: "w", SpawnedBy: 1}}, Calls: []Call{{ID: "a", Tool: "t", Agent: "w"}, {ID: "b", Tool: "t"}}}, []string{
			`call "a" of agent "w" does not come after the call that starts the agent`,
		}},
		{"text after the end", Plan{Texts: []Text{{Before: 1}}}, []string{"a text stands before a call that is not in the plan"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			require.Equal(t, tt.want, messages(Validate(&tt.plan)))
		})
	}
}

func TestValidateSiblings(t *testing.T) {
	p := Plan{Calls: []Call{call(1, "a", ""), call(2, "b", "${a.output}")}}
	p.Calls[0].Group, p.Calls[1].Group = "g", "g"
	require.Equal(t, []string{`2:50: reference to call "a" of the same parallel group "g"`}, messages(Validate(&p)))
}

func TestValidateResolves(t *testing.T) {
	p := Plan{
		Inputs: []Input{{Name: "vendor"}},
		Calls:  []Call{call(1, "list", "${vendor.output.mail}"), call(2, "send", "${list.output.x} ${it.to}")},
		Texts:  []Text{{Kind: TextUser, Before: 1, Agent: "helper"}, {Kind: TextSystem}},
	}
	each, _ := ParseRef("list.output.items")
	p.Calls[1].Rare = &Rare{Each: &each, As: "it", After: []int{0, 0}}
	require.Empty(t, Validate(&p))

	require.Equal(t, "output.mail", p.Calls[0].Args.Items[0].Refs()[0].Path.String())
	require.Equal(t, -1, p.Calls[0].Args.Items[0].Refs()[0].Call)
	refs := p.Calls[1].Args.Items[0].Refs()
	require.Equal(t, 0, refs[0].Call)
	require.Equal(t, "x", refs[0].Path.String())
	require.Equal(t, -1, refs[1].Call)
	require.Equal(t, 0, each.Call)
	require.Equal(t, []int{0}, p.Calls[1].After())
	require.Equal(t, []Agent{{Name: "main", SpawnedBy: -1}, {Name: "helper", SpawnedBy: -1}}, p.Agents)
	require.Equal(t, TextSystem, p.Texts[0].Kind, "texts are sorted by Before")

	before := Digest(&p)
	require.Empty(t, Validate(&p), "a second time changes nothing")
	require.Equal(t, before, Digest(&p))
	require.Equal(t, "output.mail", p.Calls[0].Args.Items[0].Refs()[0].Path.String())
}

func TestValidateDepth(t *testing.T) {
	deep := Str("x")
	for range MaxDepth {
		deep = Value{Kind: List, Items: []Value{deep}}
	}
	p := Plan{Calls: []Call{{ID: "a", Tool: "t", Args: deep, Output: deep}}}
	require.Empty(t, Validate(&p))
	deeper := Value{Kind: List, Items: []Value{deep}}
	p = Plan{Calls: []Call{{ID: "a", Tool: "t", Args: deeper, Output: deeper}}}
	require.Equal(t, []string{"nested deeper than 256 levels"}, messages(Validate(&p)))
}

func TestValidateLongCycleIsIterative(t *testing.T) {
	const n = 200_000
	p := Plan{Calls: make([]Call, n)}
	for i := range p.Calls {
		p.Calls[i] = Call{ID: fmt.Sprint("c", i), Tool: "t", Turn: i, Rare: &Rare{After: []int{(i + 1) % n}}}
	}
	errs := Validate(&p)
	require.Len(t, errs, 1)
	require.True(t, strings.HasPrefix(errs[0].Message, `cycle: "c0" `), errs[0].Message)
	require.Less(t, len(errs[0].Message), 400)
}

func TestSortErrors(t *testing.T) {
	var errs []Error
	for i := range 3 * MaxErrors {
		errs = append(errs, Error{Pos: Position{Line: int32(3*MaxErrors - i), Column: 1}, Message: "x"})
	}
	errs = append(errs, errs[0], Error{Message: "no place"})
	got := SortErrors(errs)
	require.Len(t, got, MaxErrors+1)
	require.Equal(t, "no place", got[0].Message)
	require.Equal(t, "and 101 more errors", got[MaxErrors].Message)
}

func TestErrorIn(t *testing.T) {
	e := Error{Pos: Position{Line: 3, Column: 5}, Message: "bad", Hint: "do better"}
	require.Equal(t, "p.yaml:3:5: bad\nhint: do better", e.In("p.yaml"))
	require.Equal(t, "p.yaml: bad", Error{Message: "bad"}.In("p.yaml"))
}

func TestDefaultTurns(t *testing.T) {
	calls := []Call{{}, {Group: "g"}, {Agent: "w"}, {Group: "g"}, {}, {Agent: "main"}, {Agent: "w"}}
	require.Equal(t, []int{0, 1, 0, 1, 2, 3, 1}, DefaultTurns(calls))
}

func TestWords(t *testing.T) {
	p := Plan{Texts: []Text{
		{Kind: TextUser, Text: "one"}, {Kind: TextPasted, Text: "two"},
		{Kind: TextUser, Text: "three", Before: 1}, {Kind: TextUser, Text: "other", Agent: "w", Before: 1}, {Kind: TextUser, Text: "late", Before: 2},
	}}
	var got []string
	for _, w := range Words(&p, "main", 1) {
		got = append(got, w.Text)
	}
	require.Equal(t, []string{"one", "three"}, got)
}
