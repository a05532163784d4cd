package plan

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

func one(args Value) *Plan { return &Plan{Calls: []Call{{ID: "a", Tool: "t", Args: args}}} }

func num(s string) Value { return Value{Kind: Number, Text: s} }

func TestCallDigestIsPinned(t *testing.T) {
	// An approval outlives a release: a change here voids all that were given.
	p := one(Obj([]string{"to", "n"}, Str("ops@partner.example"), num("1.0")))
	require.Equal(t, `{"agent":"main","args":{"n":1,"to":"ops@partner.example"},"tool":"t"}`, canonicalCall(p, 0))
	require.Equal(t, "sha256:c9981f42b6d8913f6d3a9177307c380164a4ea3327c68d5ab09c556b1d4dc223", CallDigest(p, 0))
}

func canonicalCall(p *Plan, i int) string {
	w := &writer{plan: p, canonical: true}
	writeObject(w, p, &p.Calls[i], digestedFields)
	return string(w.b)
}

func TestCallDigestEqual(t *testing.T) {
	a := one(Obj([]string{"x", "y"}, Str("1"), num("10")))
	b := one(Obj([]string{"y", "x"}, num("1e1"), Str("1")))
	b.Calls[0].ID, b.Calls[0].Pos, b.Calls[0].Outcome, b.Calls[0].Agent = "other", Position{Line: 3}, Ran, "main"
	b.Calls[0].Args.Items[0].Pos = Position{Line: 9}
	require.Equal(t, CallDigest(a, 0), CallDigest(b, 0))
}

func TestCallDigestDiffers(t *testing.T) {
	refs := func(text string) Value {
		r, err := ParseRefs(text)
		require.NoError(t, err)
		return Value{Kind: String, Text: text, Ext: &Ext{Refs: r}}
	}
	values := []Value{
		num("9007199254740992"), num("9007199254740993"), Str("9007199254740992"), Str("1"), num("1"),
		Str("${a.output}"), refs("${a.output}"), refs("${a.output.x}"), Str("$${a.output}"),
		Str("\xff"), Str("\xfe"), Str("\ufffd"), Str(`\xff`), Str("é"), Str("e\u0301"),
		{Kind: Null}, {Kind: Bool, Text: "true"}, {Kind: Bool, Text: "false"}, {Kind: List}, {Kind: Object},
		{Kind: List, Items: []Value{Str("a"), Str("b")}}, {Kind: List, Items: []Value{Str("b"), Str("a")}},
		{Kind: UnknownValue}, {Kind: UnknownValue, Ext: &Ext{Unknown: &UnknownSource{By: "model"}}},
		Obj([]string{"$unknown"}, Value{Kind: Object}), Obj([]string{"$$unknown"}, Value{Kind: Object}), Obj([]string{"$ref"}, Str("a.output")),
	}
	seen := map[string]string{}
	for _, v := range values {
		p := one(Obj([]string{"v"}, v))
		digest, form := CallDigest(p, 0), canonicalCall(p, 0)
		require.Empty(t, seen[digest], form)
		seen[digest] = form
	}
	p := one(Str("x"))
	digests := map[string]bool{CallDigest(p, 0): true}
	for _, change := range []func(c *Call){
		func(c *Call) { c.Tool = "u" }, func(c *Call) { c.Server = "t" }, func(c *Call) { c.Agent = "w" }, func(c *Call) { c.RawArgs = true },
	} {
		p := one(Str("x"))
		change(&p.Calls[0])
		require.False(t, digests[CallDigest(p, 0)])
		digests[CallDigest(p, 0)] = true
	}
}

func TestDigest(t *testing.T) {
	p := &Plan{ID: "p", Calls: []Call{{ID: "a", Tool: "t"}, {ID: "b", Tool: "u", Turn: 1}}}
	first := Digest(p)
	require.Regexp(t, `^sha256:[0-9a-f]{64}$`, first)
	p.Source, p.Format, p.Notes = "x.yaml", "planlint", []Note{{ID: "PL9001"}}
	require.Equal(t, first, Digest(p))
	for _, change := range []func(p *Plan){
		func(p *Plan) { p.Fixed = true },
		func(p *Plan) { p.Calls[0], p.Calls[1] = p.Calls[1], p.Calls[0] },
		func(p *Plan) { p.Calls[1].Turn = 0 },
		func(p *Plan) { p.Calls[1].Extend().After = []int{0} },
		func(p *Plan) { p.Calls[1].Outcome = Ran },
		func(p *Plan) { p.Texts = []Text{{Kind: TextUser, Text: "hi"}} },
	} {
		q := &Plan{ID: "p", Calls: []Call{{ID: "a", Tool: "t"}, {ID: "b", Tool: "u", Turn: 1}}}
		change(q)
		require.NotEqual(t, first, Digest(q))
	}
}

func TestDigestStreams(t *testing.T) {
	// Longer than flushAt, so that the digest is computed in pieces.
	p := &Plan{}
	for i := range 5000 {
		p.Calls = append(p.Calls, Call{ID: string(rune('a'+i%26)) + num("1").Text, Tool: "some_tool", Turn: i, Args: Obj([]string{"k"}, Str("value"))})
	}
	whole := &writer{plan: p, canonical: true, turns: DefaultTurns(p.Calls)}
	writeObject(whole, p, p, sortedPlanFields)
	require.Greater(t, len(whole.b), flushAt)
	require.Equal(t, digestOf(whole.b), Digest(p))
}

func TestLessUTF16(t *testing.T) {
	// RFC 8785, 3.2.3: U+1F600 (surrogates d83d de00) sorts before U+FB33.
	require.True(t, lessUTF16("\U0001F600", "\uFB33"))
	require.False(t, lessUTF16("\uFB33", "\U0001F600"))
	require.True(t, lessUTF16("1", "\u00f6"))
	require.True(t, lessUTF16("", "a"))
	require.False(t, lessUTF16("a", "a"))
}

func TestMarshalJSONEscapes(t *testing.T) {
	p := one(Obj([]string{"q\"\\\n\x01"}, Str("\b\t\n\f\r\x7f<é\xff")))
	text, err := p.MarshalJSON()
	require.NoError(t, err)
	require.Contains(t, string(text), `{"q\"\\\n\u0001":"\b\t\n\f\r`+"\x7f<é\ufffd\"}")
	require.True(t, json.Valid(text))
	again, err := json.Marshal(*p)
	require.NoError(t, err)
	require.True(t, json.Valid(again))
}

func digestOf(b []byte) string {
	sum := sha256.Sum256(b)
	return "sha256:" + hex.EncodeToString(sum[:])
}
