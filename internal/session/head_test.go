package session

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/plan"
)

func sampleHead() *Head {
	return &Head{Client: "claude-code", ID: "s", Cwd: "/srv/app", Calls: 3, Turn: 4, Size: 99, Records: 5, Tail: "0123abcd", Limit: 1 << 20,
		Prompted: true, Feeds: []headFeed{{"/t", "h", 12}}, Known: []uint64{1, 1 << 63}, Open: []uint64{7},
		Facts: Facts{Policy: "p", Labels: []string{"untrusted"}, Prelude: []Line{{Tool: "Bash", Args: []byte(`{"command":"cd x"}`)}}, Written: []uint64{3}},
		Memo:  []Memo{{Key: "k", Rule: "class", ReadOnly: true, Runs: []uint64{9}, Writes: []uint64{8}, Free: []string{"content"}}}}
}

func TestHeadCode(t *testing.T) {
	h := sampleHead()
	data := encodeHead(h)
	require.Equal(t, h, decodeHead(data))
	require.Equal(t, h, decodeHead(append(data[:len(data):len(data)], "left of a longer head"...)))
	for n := range data {
		require.Nil(t, decodeHead(data[:n]), n)
		broken := append([]byte(nil), data...)
		broken[n] ^= 0x10
		require.Nil(t, decodeHead(broken), n)
	}
}

func FuzzHeadCode(f *testing.F) {
	f.Add(encodeHead(sampleHead())[headFront:])
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, body []byte) {
		h, c := new(Head), &headCode{in: body, reading: true}
		c.head(h) // a body with the right sum: no panic, no huge allocation
		if c.bad {
			return
		}
		again := decodeHead(encodeHead(h))
		require.NotNil(t, again)
		require.Equal(t, encodeHead(h), encodeHead(again))
	})
}

// TestAppendIsAsCommit: a call that is appended by the head is the same record
// as one that is committed.
func TestAppendIsAsCommit(t *testing.T) {
	ctx := context.Background()
	store := NewStore(t.TempDir())
	calls := []plan.Call{
		{ID: "a", Tool: "Bash", Args: plan.Obj([]string{"command"}, plan.Str("git status && echo \"<ü>\n\""))},
		{ID: "b", Tool: "mcp__x__y", Server: "x", Args: plan.Obj([]string{"n", "list"}, plan.Value{Kind: plan.Number, Text: "1e3"}, plan.Value{Kind: plan.List})},
		{Tool: "Read", Args: plan.Obj(nil)},
		{Tool: "Read", Args: plan.Obj(nil)},
	}
	verdict := Verdict{Decision: gate.Allow, Rule: "read-only", ReadOnly: true}
	for _, id := range []string{"whole", "heads"} {
		s, err := store.Open(ctx, "generic", id)
		require.NoError(t, err)
		s.At("/srv/app")
		s.Decide(s.Propose(plan.Call{ID: "first", Tool: "Read", Args: plan.Obj(nil)})[0], verdict)
		require.NoError(t, s.Commit())
		s.KeepHead(Facts{Policy: "p"})
		s.Close()
	}
	for _, c := range calls {
		s, err := store.Open(ctx, "generic", "whole")
		require.NoError(t, err)
		s.Decide(s.Propose(c)[0], verdict)
		require.NoError(t, s.Commit())
		out := plan.Str("{\"n\": 1, \"words\": \"some longer words of Output4711\"}")
		if c.ID != "" {
			s.Result(c, plan.Ran, &out, true)
			require.NoError(t, s.Commit())
		}
		s.Close()
		s, head, err := store.OpenHead(ctx, "generic", "heads")
		require.NoError(t, err)
		require.NotNil(t, head)
		require.True(t, s.Fits(head, &c, "/srv/app", Source{}))
		ok, err := s.Append(head, c, verdict, head.Facts)
		require.NoError(t, err)
		require.True(t, ok)
		require.False(t, s.Fits(head, &plan.Call{ID: "first"}, "/srv/app", Source{}), "a known call")
		if c.ID != "" {
			require.True(t, s.FitsResult(head, c.ID, Source{}))
			ok, err := s.AppendResult(head, c.ID, &out, true)
			require.NoError(t, err)
			require.True(t, ok)
			require.False(t, s.FitsResult(head, c.ID, Source{}), "it has its result")
		}
		s.Close()
	}
	read := func(id string) string {
		data, err := os.ReadFile(store.dir + "/" + fileName("generic", id) + logSuffix)
		require.NoError(t, err)
		return string(data)
	}
	whole, byHead := read("whole"), read("heads")
	for range 2 { // which name the session
		_, whole, _ = strings.Cut(whole, "\n")
		_, byHead, _ = strings.Cut(byHead, "\n")
	}
	require.NotEmpty(t, whole)
	require.Equal(t, whole, byHead)
}

// TestStaleHead: a record that another process wrote makes the head stale.
func TestStaleHead(t *testing.T) {
	ctx := context.Background()
	store := NewStore(t.TempDir())
	write := func() *Session {
		s, err := store.Open(ctx, "generic", "s")
		require.NoError(t, err)
		s.Decide(s.Propose(plan.Call{Tool: "Read", Args: plan.Obj(nil)})[0], Verdict{Decision: gate.Allow})
		require.NoError(t, s.Commit())
		return s
	}
	s := write()
	s.KeepHead(Facts{})
	s.Close()
	head := func() *Head {
		s, h, err := store.OpenHead(ctx, "generic", "s")
		require.NoError(t, err)
		s.Close()
		return h
	}
	require.NotNil(t, head())
	write().Close()
	require.Nil(t, head())
}
