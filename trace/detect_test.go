package trace

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/planlint/planlint/plan"
	"github.com/stretchr/testify/require"
)

func TestDetectUnread(t *testing.T) {
	for _, c := range []struct {
		src    string
		format Format
		msg    string
	}{
		{`{"resourceSpans":[]}`, otlp, "looks like an OTLP export; planlint can't read it"},
		{`{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"a","inputSchema":{}}]}}`, mcpTools, "looks like a list of tools (MCP tools/list); planlint can't read it"},
		{`{"tools":[{"name":"a","inputSchema":{"type":"object"}}]}`, mcpTools, "looks like a list of tools"},
		{`[{"name":"a","inputSchema":{}}]`, mcpTools, "looks like a list of tools"},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}`, mcpLog, "looks like a log of MCP messages"},
		{`{"jsonrpc":"2.0","method":"session/update","params":{}}`, acpLog, "looks like a log of ACP"},
		{`{"type":"thread.started","thread_id":"x"}`, codexExec, "looks like output of codex exec --json"},
		{`{"role":"user","message":{"content":"x"}}`, cursor, "looks like a Cursor transcript"},
		{`{"trajectory":[],"history":[]}`, sweAgent, "looks like a SWE-agent trajectory"},
		{`{"version":2,"status":"success","eval":{}}`, inspect, "looks like an Inspect log"},
		{`[{"traj":[],"task_id":1,"reward":0}]`, tauBench, "looks like a tau-bench"},
		{`{"schema_version":"ATIF-v1.2","steps":[]}`, atif, "looks like an ATIF"},
		{`[{"type":"function_call","call_id":"x","name":"y","arguments":"{}"}]`, responses, "looks like OpenAI Responses items"},
		{`[{"role":"assistant","content":[{"toolUse":{"name":"x"}}]}]`, bedrock, "looks like Bedrock Converse"},
		{`[{"ts":1,"type":"say","say":"text"}]`, clineUI, "looks like Cline's ui_messages.json"},
		{`{"type":"result","subtype":"success","session_id":"x","result":"done"}`, claudeJSON, "looks like the result of claude -p"},
		{`{"object":"chat.completion.chunk","choices":[]}`, streamChunks, "looks like chunks"},
		{"data: {\"x\":1}\n\n", eventStream, "looks like a stream of API events"},
		{"PK\x03\x04rest", zipFile, "looks like a zip archive"},
		{"hello world", Unknown, "the format of the file is not known"},
		{`{"some":"json"}`, Unknown, "the format of the file is not known"},
		{"", Unknown, "the file is empty"},
		{" \n\n", Unknown, "the file is empty"},
	} {
		require.Equal(t, c.format, Detect([]byte(c.src), "x"), c.src)
		plans, errs := Read([]byte(c.src), "x", Unknown, Options{})
		require.Empty(t, plans)
		require.Len(t, errs, 1)
		require.Contains(t, errs[0].Message, c.msg)
		if c.format == Unknown && strings.TrimSpace(c.src) != "" {
			require.Contains(t, errs[0].Hint, "claude-code, claude-stream, openai-chat")
		}
	}
}

// TestDetectHead: a head that breaks off anywhere behind the first record is
// known for what it is.
func TestDetectHead(t *testing.T) {
	for _, name := range fixtures(t) {
		src, err := os.ReadFile(name)
		require.NoError(t, err)
		want := Detect(src, name)
		for _, size := range []int{len(src) * 9 / 10, len(src) * 3 / 4} {
			require.Equal(t, want, Detect(src[:size], name), "%s, %d bytes", name, size)
		}
		if want == OpenCodeDB {
			continue
		}
		require.Equal(t, want, Detect(append([]byte("\ufeff"), src...), name), name)
		require.Equal(t, want, Detect(src, "renamed.txt"), "not by name: %s", name)
	}
}

func TestReadGzip(t *testing.T) {
	src, err := os.ReadFile("testdata/openai-chat_array.json")
	require.NoError(t, err)
	want, _ := Read(src, "x", Unknown, Options{})
	got, errs := Read(zipped(t, string(src)), "x", Unknown, Options{})
	require.Empty(t, errs)
	require.Equal(t, want, got)
	bomb := zipped(t, strings.Repeat(" ", 64<<20))
	_, errs = Read(bomb, "x", Unknown, Options{})
	require.Contains(t, errs[0].Message, "unpacks to more than")
	_, errs = Read([]byte("\x1f\x8bnothing"), "x", Unknown, Options{})
	require.Contains(t, errs[0].Message, "gzip")
	_, errs = Read(zipped(t, string(zipped(t, string(src)))), "x", Unknown, Options{})
	require.Len(t, errs, 1)
	require.Contains(t, errs[0].Message, "gzipped twice")
}

// TestDetectGzip: a gzipped file is known for what is in it, also by its head.
func TestDetectGzip(t *testing.T) {
	for _, name := range fixtures(t) {
		src, err := os.ReadFile(name)
		require.NoError(t, err)
		packed := zipped(t, string(src))
		require.Equal(t, Detect(src, name), Detect(packed, name), name)
		require.Equal(t, Detect(src, name), Detect(packed[:len(packed)-5], name), name)
	}
}

// TestCutGzip: gzipped data that ends early is an error at every length; what is
// there is read beside it, and data that is damaged is not.
func TestCutGzip(t *testing.T) {
	src, err := os.ReadFile("testdata/agentdojo_labelled.jsonl")
	require.NoError(t, err)
	whole := zipped(t, string(src))
	for size := 2; size < len(whole); size++ {
		_, errs := Read(whole[:size], "x", Unknown, Options{})
		require.NotEmpty(t, errs, "%d of %d bytes", size, len(whole))
		require.Contains(t, errs[0].Message, "the gzip data ends early")
		require.NotEmpty(t, errs[0].Hint)
	}
	plans, errs := Read(whole[:len(whole)-1], "x", Unknown, Options{})
	require.Len(t, errs, 1)
	require.Len(t, plans, 2, "only the checksum is cut")
	for size := range 2 {
		_, errs := Unzip(whole[:size], "x.gz")
		require.Len(t, errs, 1)
		require.Contains(t, errs[0].Message, "the gzip data ends early")
	}
	damaged := append([]byte(nil), whole...)
	damaged[len(damaged)-6] ^= 1
	plans, errs = Read(damaged, "x", Unknown, Options{})
	require.Empty(t, plans)
	require.Contains(t, errs[0].Message, "the gzip data is damaged")
}

// TestCutLine: in every format of lines a last record that was cut off counts as one
// that was not read, with its place.
func TestCutLine(t *testing.T) {
	for _, name := range fixtures(t) {
		if !strings.HasSuffix(name, ".jsonl") {
			continue
		}
		src, err := os.ReadFile(name)
		require.NoError(t, err)
		whole, _ := Read(src, name, Unknown, Options{})
		src = append(bytes.TrimRight(src, "\n"), "\n{\"type\":\"user\",\"text\":\"cu"...)
		plans, errs := Read(src, name, Unknown, Options{})
		require.Empty(t, errs)
		require.Equal(t, whole[0].Lost+1, plans[0].Lost, name)
		lost := Lost(plans[0])
		require.Len(t, lost, 1)
		if plans[0].Lost == 1 {
			require.Equal(t, int32(bytes.Count(src, []byte("\n"))+1), lost[0].Pos.Line, name)
			require.Equal(t, "1 record could not be read, so what it holds was not checked: the text ends inside a string", lost[0].Message)
			require.Contains(t, lost[0].Hint, "it was cut off, or is still being written")
		}
	}
	require.Empty(t, Lost(&plan.Plan{}))
}

// TestForeignRecord: a record among conversations that is none is told of.
func TestForeignRecord(t *testing.T) {
	src, err := os.ReadFile("testdata/agentdojo_labelled.jsonl")
	require.NoError(t, err)
	src = append(bytes.TrimRight(src, "\n"), "\n{\"id\":\"x\",\"mesages\":[]}\n"...)
	plans, errs := Read(src, "x", Unknown, Options{})
	require.Empty(t, errs)
	require.Contains(t, normalise(plans[0]).Notes, "PL9005 call=-1 at=3:1+23: a record without messages, role or type is not known; records of it: 1")
}

func TestUntrustedPrompt(t *testing.T) {
	for _, name := range fixtures(t) {
		src, err := os.ReadFile(name)
		require.NoError(t, err)
		if Detect(src, name) == Native {
			continue
		}
		plans, _ := Read(src, name, Unknown, Options{UntrustedPrompt: true})
		for _, p := range plans {
			for _, text := range p.Texts {
				require.NotEqual(t, plan.TextUser, text.Kind, "%s: %q", name, text.Text)
			}
		}
	}
}

func TestDedupe(t *testing.T) {
	line := func(uuid, id, cmd string) string {
		return `{"type":"assistant","uuid":"` + uuid + `","sessionId":"s","message":{"id":"m` + uuid + `","content":[{"type":"tool_use","id":"` + id + `","name":"Bash","input":{"command":"` + cmd + `"}}]}}` + "\n"
	}
	d := NewDedupe()
	first, _ := Read([]byte(line("1", "toolu_000001", "ls")), "a.jsonl", Unknown, Options{Dedupe: d})
	require.False(t, first[0].Calls[0].Copied)
	fork, _ := Read([]byte(line("1", "toolu_000001", "ls")+line("2", "toolu_000002", "id")), "b.jsonl", Unknown, Options{Dedupe: d})
	require.Len(t, fork[0].Calls, 2, "the copied past stays, since later calls may carry its data")
	require.True(t, fork[0].Calls[0].Copied)
	require.False(t, fork[0].Calls[1].Copied)
}

func TestFormatNames(t *testing.T) {
	for _, f := range Readable() {
		got, ok := ParseFormat(string(f))
		require.True(t, ok)
		require.Equal(t, f, got)
		require.Equal(t, string(f), f.Describe())
	}
	_, ok := ParseFormat("otlp")
	require.False(t, ok)
	_, errs := Read([]byte("{}"), "x", Format("nonsense"), Options{})
	require.Contains(t, errs[0].Message, `unknown format "nonsense"`)
}

// FuzzRead: no panic, whatever the bytes and whatever format is claimed, and
// plans that hold together.
func FuzzRead(f *testing.F) {
	for _, name := range fixtures(f) {
		src, err := os.ReadFile(name)
		require.NoError(f, err)
		f.Add(src, uint8(0))
		f.Add(src, uint8(len(src)))
	}
	f.Fuzz(func(t *testing.T, src []byte, claim uint8) {
		formats := append([]Format{Unknown}, Readable()...)
		plans, errs := Read(src, "fuzz", formats[int(claim)%len(formats)], Options{Dedupe: NewDedupe()})
		for _, p := range plans {
			require.NotNil(t, p)
			if p.Recorded && len(errs) == 0 && p.Format != string(Native) {
				sound(t, p)
			}
		}
	})
}

func BenchmarkRead(b *testing.B) {
	for _, name := range []string{"claude-code_session.jsonl", "openai-chat_log.jsonl"} {
		src, err := os.ReadFile("testdata/" + name)
		require.NoError(b, err)
		b.Run(name, func(b *testing.B) { benchRead(b, src) })
	}
	b.Run("claude-code with 400 B outputs", func(b *testing.B) { benchRead(b, longSession(10000, 400)) })
	b.Run("claude-code with 8 KB outputs", func(b *testing.B) { benchRead(b, longSession(2000, 8192)) })
}

func benchRead(b *testing.B, src []byte) {
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		if plans, _ := Read(src, "bench", Unknown, Options{}); len(plans) == 0 {
			b.Fatal("nothing read")
		}
	}
}

// longSession is a session of n calls with outputs of that many bytes, each
// twice, as Claude Code writes them.
func longSession(n, size int) []byte {
	var s strings.Builder
	out := strings.Repeat(`a line of an output\n`, size/20)
	for i := range n {
		id := strings.Repeat("0", 4) + string(rune('a'+i%26)) + strings.Repeat("1", i%7) + string(rune('a'+i/26%26)) + string(rune('a'+i/676%26))
		s.WriteString(`{"type":"assistant","sessionId":"s","uuid":"a` + id + `","message":{"id":"m` + id + `","content":[{"type":"tool_use","id":"t` + id + `","name":"Bash","input":{"command":"ls"}}]}}` + "\n")
		s.WriteString(`{"type":"user","sessionId":"s","uuid":"u` + id + `","message":{"content":[{"type":"tool_result","tool_use_id":"t` + id + `","content":"` + out + `"}]},"toolUseResult":{"stdout":"` + out + `"}}` + "\n")
	}
	return []byte(s.String())
}
