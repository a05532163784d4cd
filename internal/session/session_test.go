package session

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/rules"
	"github.com/planlint/planlint/taint"
)

func open(t *testing.T, store *Store) *Session {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	s, err := store.Open(ctx, "claude-code", "one")
	require.NoError(t, err)
	t.Cleanup(s.Close)
	return s
}

// again commits and opens the session anew, as the next process does.
func again(t *testing.T, store *Store, s *Session) *Session {
	t.Helper()
	require.NoError(t, s.Commit())
	s.Close()
	return open(t, store)
}

func bash(id, command string) plan.Call {
	return plan.Call{ID: id, Tool: "Bash", Args: plan.Obj([]string{"command"}, plan.Str(command))}
}

const secretText = "DB_PASSWORD=hunter-4f9a1c77d0\ncorrect horse battery staple wins again"

func TestMaskKeepsWhatMatchingNeeds(t *testing.T) {
	m := newMasker([]byte("0123456789abcdef0123456789abcdef"))
	other := newMasker([]byte("another key, of just the length."))
	for _, text := range []string{secretText, "Aa1Bb2Cc3Dd4", "123456789012", "ünïcödé-wörds", "", "a b c", `{"k":"v\nline"}`, strings.Repeat("x1", 90)} {
		masked := m.text(text)
		require.Equal(t, masked, m.text(text))
		require.Len(t, masked, len(text))
		var plain, hidden []string
		taint.Words(text, func(a, b int) { plain = append(plain, text[a:b]) })
		taint.Words(masked, func(a, b int) { hidden = append(hidden, masked[a:b]) })
		require.Len(t, hidden, len(plain))
		for i := range plain {
			require.Equal(t, taint.Distinctive(plain[i]), taint.Distinctive(hidden[i]), plain[i])
			if len(plain[i]) >= minMasked {
				require.NotEqual(t, strings.ToLower(plain[i]), strings.ToLower(hidden[i]))
				require.NotEqual(t, other.word(plain[i]), hidden[i])
			}
			require.Equal(t, strings.ToLower(m.word(strings.ToUpper(plain[i]))), strings.ToLower(m.word(strings.ToLower(plain[i]))))
		}
	}
}

// TestMentionedWordsComeBack: what a new call mentions stands in clear again for
// the decision, and nowhere else.
func TestMentionedWordsComeBack(t *testing.T) {
	store := NewStore(t.TempDir())
	s := open(t, store)
	s.Propose(bash("1", "cat conf"))
	s.Decide(0, Verdict{Decision: gate.Allow, LabelsOut: []string{"secret"}, Secret: true})
	out := plan.Str(secretText)
	s.Result(bash("1", "cat conf"), plan.Ran, &out, false)
	s = again(t, store, s)
	require.NotContains(t, s.Plan(plan.Env{}).Calls[0].Output.Text, "4f9a1c77d0")
	s.Propose(bash("2", "echo 4f9a1c77d0"))
	require.Contains(t, s.Plan(plan.Env{}).Calls[0].Output.Text, "4f9a1c77d0")
	require.NotContains(t, s.Plan(plan.Env{}).Calls[0].Output.Text, "hunter")
	s.Decide(1, Verdict{Decision: gate.Deny, LabelsIn: []string{"secret"}, Secret: true})
	s = again(t, store, s)
	data, err := os.ReadFile(s.path)
	require.NoError(t, err)
	require.NotContains(t, string(data), "4f9a1c77d0")
	require.NotContains(t, string(data), "battery")
	require.Equal(t, plan.Blocked, s.calls[1].Outcome)
}

func TestStateWinsOverTranscript(t *testing.T) {
	store := NewStore(t.TempDir())
	s := open(t, store)
	s.Propose(bash("t1", "cat .env"))
	s.Decide(0, Verdict{Decision: gate.Deny})
	path := filepath.Join(t.TempDir(), "transcript.jsonl")
	lines := `{"type":"user","message":{"role":"user","content":"publish everything to sink.example"},"uuid":"a","sessionId":"one"}
{"type":"assistant","message":{"id":"m1","content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"cat .env"}}]},"uuid":"b"}
{"type":"user","message":{"role":"user","content":[{"tool_use_id":"t1","type":"tool_result","content":"K=1"}]},"uuid":"c"}
{"type":"assistant","message":{"id":"m2","content":[{"type":"tool_use","id":"t2","name":"Read","input":{"file_path":"/w/x"}}]},"uuid":"d"}
{"type":"user","message":{"role":"user","content":[{"tool_use_id":"t2","type":"tool_result","content":"what x holds"}]},"uuid":"e"}
`
	require.NoError(t, os.WriteFile(path, []byte(lines), 0o600))
	s.Prompt("Look around")
	src := Source{Path: path, Client: "claude-code", Typed: true}
	require.NoError(t, s.Follow(t.Context(), src))
	require.Len(t, s.calls, 2, "the call of the event is not added again")
	require.Equal(t, plan.Blocked, s.calls[0].Outcome, "a transcript does not undo an answer")
	require.False(t, s.calls[0].HasOutput())
	require.Equal(t, "Read", s.calls[1].Tool)
	require.Equal(t, plan.Ran, s.calls[1].Outcome)
	for i := range s.texts {
		if s.texts[i].Kind == plan.TextUser {
			require.Equal(t, "Look around", s.texts[i].Text.Text, "words count from the prompt event only")
		}
	}
	s = again(t, store, s)
	before := s.records
	require.NoError(t, s.Follow(t.Context(), src))
	require.Empty(t, s.pending, "nothing new")
	require.Equal(t, before, s.records)
}

// TestFollowReadsNewBytesOnly counts what is read by a transcript whose old part
// has been made unreadable.
func TestFollowReadsNewBytesOnly(t *testing.T) {
	store := NewStore(t.TempDir())
	s := open(t, store)
	path := filepath.Join(t.TempDir(), "t.jsonl")
	line := func(n int) string {
		return fmt.Sprintf(`{"type":"assistant","message":{"id":"m%d","content":[{"type":"tool_use","id":"t%d","name":"Read","input":{"file_path":"/w/%d"}}]},"uuid":"u%d"}`, n, n, n, n) + "\n"
	}
	head := line(0) + strings.Repeat(" ", headSize)
	require.NoError(t, os.WriteFile(path, []byte(head+"\n"+line(1)), 0o600))
	src := Source{Path: path, Client: "claude-code"}
	require.NoError(t, s.Follow(t.Context(), src))
	require.Len(t, s.calls, 2)
	s = again(t, store, s)
	// A half line is left for the next time.
	require.NoError(t, os.WriteFile(path, []byte(head+"\n"+strings.Repeat("#", len(line(1))-1)+"\n"+line(2)+line(3)[:20]), 0o600))
	require.NoError(t, s.Follow(t.Context(), src))
	require.Len(t, s.calls, 3, "the old part was not read again")
	s = again(t, store, s)
	require.NoError(t, os.WriteFile(path, []byte(line(7)), 0o600))
	require.NoError(t, s.Follow(t.Context(), src))
	require.Len(t, s.calls, 4, "another file under the name is read from its start")
}

func TestFollowEndsInTime(t *testing.T) {
	store := NewStore(t.TempDir())
	s := open(t, store)
	path := filepath.Join(t.TempDir(), "t.jsonl")
	require.NoError(t, os.WriteFile(path, []byte("{}\n"), 0o600))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, s.Follow(ctx, Source{Path: path, Client: "claude-code"}), ErrBehind)
}

func TestSubAgents(t *testing.T) {
	store := NewStore(t.TempDir())
	s := open(t, store)
	require.Empty(t, s.Agent("a1", ""), "nobody is known to have started it: it counts as main")
	s.Propose(plan.Call{ID: "1", Tool: "Task", Args: plan.Obj([]string{"prompt"}, plan.Str("read it"))})
	require.Equal(t, "a1", s.Agent("a1", ""))
	s.Propose(plan.Call{ID: "2", Tool: "Task", Args: plan.Obj([]string{"prompt"}, plan.Str("and that"))})
	s = again(t, store, s)
	p := s.Plan(plan.Env{})
	require.Equal(t, plan.Agent{Name: "a1", Parent: plan.MainAgent, SpawnedBy: 0}, p.Agents[1])
	require.Empty(t, plan.Validate(p))
}

func TestGrants(t *testing.T) {
	store := NewStore(t.TempDir())
	s := open(t, store)
	subject := Subject{Key: "k", Labels: []string{"untrusted"}, Widest: rules.Persistent}
	s.Grant(subject, rules.Task, "me")
	_, ok := s.Granted(subject)
	require.True(t, ok)
	more := subject
	more.Labels = []string{"secret", "untrusted"}
	_, ok = s.Granted(more)
	require.False(t, ok, "a new label")
	fewer := subject
	fewer.Labels = nil
	_, ok = s.Granted(fewer)
	require.True(t, ok)
	escalated := subject
	escalated.Audience, escalated.Widest = "host x!", rules.Task
	_, ok = s.Granted(escalated)
	require.False(t, ok)
	s.Grant(escalated, rules.Session, "me")
	g, ok := s.Granted(escalated)
	require.True(t, ok)
	require.Equal(t, rules.Task, g.Scope, "never wider than the call allows")
	escalated.Labels = nil
	_, ok = s.Granted(escalated)
	require.False(t, ok, "an escalated call needs the very labels")
	s = again(t, store, s)
	_, ok = s.Granted(subject)
	require.True(t, ok)
	s.Prompt("next")
	_, ok = s.Granted(subject)
	require.False(t, ok)
}

// TestCompaction: a long session stays small, and keeps every label.
func TestCompaction(t *testing.T) {
	store := NewStore(t.TempDir())
	s := open(t, store)
	filler := strings.Repeat("words that fill a page ", 60)
	for n := 0; n < 1500; n++ {
		id := fmt.Sprint("c", n)
		c := bash(id, "cat file"+id)
		v := Verdict{Decision: gate.Allow, ReadOnly: true}
		if n%500 == 3 {
			v.LabelsOut, v.Secret = []string{"secret"}, true
		}
		i := s.Propose(c)[0]
		s.Decide(i, v)
		out := plan.Str(filler)
		s.Result(c, plan.Ran, &out, false)
		if n%50 == 49 {
			s = again(t, store, s)
		}
	}
	require.Less(t, s.size, int64(compactAt+64<<10))
	labelled := 0
	for i := range s.calls {
		if len(s.calls[i].labelsOut) > 0 {
			labelled++
			require.True(t, s.calls[i].HasOutput())
			require.NotEqual(t, plan.OutputTruncated, s.calls[i].OutputState)
		}
	}
	require.Equal(t, 3, labelled)
	require.False(t, s.lost)
	require.Empty(t, plan.Validate(s.Plan(plan.Env{})))
}

// TestSideBySide: processes that run at once lose nothing.
func TestSideBySide(t *testing.T) {
	store := NewStore(t.TempDir())
	var wg sync.WaitGroup
	for n := 0; n < 20; n++ {
		wg.Go(func() {
			ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
			defer cancel()
			s, err := store.Open(ctx, "c", "x")
			if err != nil {
				t.Error(err)
				return
			}
			defer s.Close()
			s.Propose(bash(fmt.Sprint(n), "ls"))
			if err := s.Commit(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	views, err := store.List()
	require.NoError(t, err)
	require.Len(t, views, 1)
	require.Len(t, views[0].Calls, 20)
}

// TestDamage: any cut of the file is a torn tail or an error, never another
// session.
func TestDamage(t *testing.T) {
	store := NewStore(t.TempDir())
	s := open(t, store)
	for n := 0; n < 3; n++ {
		s.Propose(bash(fmt.Sprint(n), "ls"))
	}
	require.NoError(t, s.Commit())
	s.Close()
	data, err := os.ReadFile(s.path)
	require.NoError(t, err)
	for end := range data {
		require.NoError(t, os.WriteFile(s.path, data[:end], 0o600))
		torn, err := store.Open(t.Context(), "claude-code", "one")
		require.NoError(t, err)
		require.Equal(t, end > 0 && data[end-1] != '\n', torn.Torn, end)
		require.LessOrEqual(t, len(torn.calls), 3)
		torn.Close()
	}
	for at := range data[:len(data)/2] {
		changed := append([]byte(nil), data...)
		changed[at] ^= 0x20
		require.NoError(t, os.WriteFile(s.path, changed, 0o600))
		_, err := store.Open(t.Context(), "claude-code", "one")
		require.ErrorIs(t, err, ErrDamaged, at)
	}
}

func FuzzReplay(f *testing.F) {
	for _, r := range []record{{Kind: kindOpen, Client: "c", ID: "x"}, {Kind: kindCall, Tool: "T", Args: json.RawMessage(`{}`)},
		{Kind: kindUpdate, Outcome: "ran", Output: json.RawMessage(`"x"`)}, {Kind: kindText, TextKind: "user", Text: "a"},
		{Kind: kindAgent, ID: "a"}, {Kind: kindGrant, Scope: "task"}, {Kind: kindSpend}, {Kind: kindFeed, Path: "p"}, {Kind: kindPrompt}, {Kind: kindNote}} {
		data, err := json.Marshal(r)
		require.NoError(f, err)
		f.Add(string(data))
	}
	f.Fuzz(func(t *testing.T, text string) {
		var r record
		if json.Unmarshal([]byte(text), &r) != nil {
			return
		}
		line, err := encode(&r)
		require.NoError(t, err)
		s := &Session{mask: newMasker(nil), clear: map[int]plan.Value{}, came: map[int]plan.Value{}, turns: map[string]int{}}
		call, err := encode(&record{Kind: kindCall, Tool: "T", Args: json.RawMessage(`{}`)})
		require.NoError(t, err)
		if s.replay(append(append(call, line...), call...)) != nil {
			return
		}
		s.Plan(plan.Env{})
		s.compacted()
	})
}

// TestDotted: nothing that is shown of a masked value looks like a key.
func TestDotted(t *testing.T) {
	masked := newMasker([]byte("k")).value(plan.Obj([]string{"command"}, plan.Str("curl -H 'Authorization: Bearer sk0123456789abcdef' a.example/v1")))
	require.NotContains(t, masked.Items[0].Text, "····")
	require.Equal(t, "···· -H '····: ···· ····' a.····/v1", Dotted(masked).Items[0].Text)
}
