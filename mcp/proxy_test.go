package mcp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/planlint/planlint"
	"github.com/planlint/planlint/finding"
	"github.com/planlint/planlint/hook"
	"github.com/planlint/planlint/internal/session"
	"github.com/planlint/planlint/mcp"
	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/policy"
)

// testPolicy describes the tools of the test server.
const testPolicy = `version: 1
extends: [builtin:coding-agent]
tools:
  - {name: mcp__desk__vault, risk_class: reversible-internal, read_only: true, output: [{labels: [secret]}]}
  - {name: mcp__desk__post, risk_class: reversible-internal, args: {text: {role: content}}, sinks: [{kind: public}]}
  - {name: mcp__desk__note, risk_class: reversible-internal, args: {text: {role: content}}}
  - {name: mcp__desk__wipe, risk_class: irreversible-internal}
  - {name: mcp__desk__slow, risk_class: reversible-internal, read_only: true}
gates: {strictest: {approvals: 1}, irreversible-public: {approvals: 1}, irreversible-internal: {approvals: 1}}
`

type decider struct{ source string }

func (d decider) Decide(ctx context.Context, p *plan.Plan, s planlint.Situation) (finding.PlanReport, error) {
	loaded, problems := policy.Load(policy.Options{Session: []byte(d.source), Base: "coding-agent"})
	if loaded == nil {
		return finding.PlanReport{}, problems[0]
	}
	return planlint.New(*loaded).In(s).Check(ctx, p), nil
}

// logged is a writer for several goroutines.
type logged struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// bench is a client, a server, and the proxy between them.
type bench struct {
	t      *testing.T
	server *sdk.Server
	client *sdk.ClientSession
	log    *logged
	ran    *logged
	proxy  *mcp.Proxy
}

type text struct {
	Text string `json:"text,omitempty"`
}

func newServer(ran *logged) *sdk.Server {
	s := sdk.NewServer(&sdk.Implementation{Name: "anything-it-likes", Version: "1"}, nil)
	add := func(name, answer string) {
		sdk.AddTool(s, &sdk.Tool{Name: name, Description: name}, func(_ context.Context, _ *sdk.CallToolRequest, in text) (*sdk.CallToolResult, any, error) {
			fmt.Fprintf(ran, "%s(%s)\n", name, in.Text)
			return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: answer}}}, nil, nil
		})
	}
	add("vault", "the key is kq83ndlwpq0193mx")
	add("post", "posted")
	add("note", "noted")
	add("wipe", "wiped")
	sdk.AddTool(s, &sdk.Tool{Name: "slow", Description: "slow"}, func(ctx context.Context, r *sdk.CallToolRequest, _ text) (*sdk.CallToolResult, any, error) {
		_ = r.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{ProgressToken: r.Params.GetProgressToken(), Progress: 1, Message: "half"})
		select {
		case <-ctx.Done():
			fmt.Fprintln(ran, "slow was cancelled")
		case <-time.After(10 * time.Second):
		}
		return &sdk.CallToolResult{}, nil, nil
	})
	s.AddResource(&sdk.Resource{URI: "note://1", Name: "one"}, func(context.Context, *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
		return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: "note://1", Text: "hello"}}}, nil
	})
	s.AddPrompt(&sdk.Prompt{Name: "greet"}, func(context.Context, *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
		return &sdk.GetPromptResult{Description: "hi"}, nil
	})
	return s
}

func newBench(t *testing.T, source string, client *sdk.ClientOptions, change func(*mcp.Proxy)) *bench {
	t.Helper()
	b := &bench{t: t, log: &logged{}, ran: &logged{}}
	b.server = newServer(b.ran)
	toServer, atServer := sdk.NewInMemoryTransports()
	_, err := b.server.Connect(t.Context(), atServer, nil)
	require.NoError(t, err)
	upstream, err := toServer.Connect(t.Context())
	require.NoError(t, err)
	b.connect(source, client, change, upstream)
	return b
}

func (b *bench) connect(source string, client *sdk.ClientOptions, change func(*mcp.Proxy), upstream sdk.Connection) {
	t := b.t
	store, cwd := session.NewStore(t.TempDir()), t.TempDir()
	b.proxy = &mcp.Proxy{Server: "desk", Session: "s", Cwd: cwd, Log: b.log,
		Hook: func() *hook.Hook {
			return &hook.Hook{Client: hook.ByName("generic"), Store: store, Decider: decider{source}}
		}}
	if change != nil {
		change(b.proxy)
	}
	toProxy, atProxy := sdk.NewInMemoryTransports()
	downstream, err := atProxy.Connect(t.Context())
	require.NoError(t, err)
	done := make(chan error, 1)
	go func() { done <- b.proxy.Run(context.Background(), downstream, upstream) }()
	b.client, err = sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, client).Connect(t.Context(), toProxy, nil)
	require.NoError(t, err)
	t.Cleanup(func() {
		require.NoError(t, b.client.Close())
		select {
		case <-done:
		case <-time.After(10 * time.Second):
			t.Error("the proxy does not end")
		}
	})
}

func (b *bench) call(tool, arg string) (said string, isError bool) {
	b.t.Helper()
	r, err := b.client.CallTool(b.t.Context(), &sdk.CallToolParams{Name: tool, Arguments: map[string]any{"text": arg}})
	require.NoError(b.t, err)
	var parts []string
	for _, c := range r.Content {
		parts = append(parts, c.(*sdk.TextContent).Text)
	}
	return strings.Join(parts, "\n"), r.IsError
}

func (b *bench) refused(tool, arg string) string {
	b.t.Helper()
	said, isError := b.call(tool, arg)
	require.True(b.t, isError, said)
	require.Contains(b.t, said, "planlint refused: ")
	require.Contains(b.t, said, "\nwhy: ")
	require.Contains(b.t, said, "\ninstead: ")
	return said
}

func TestFlowIsRefused(t *testing.T) {
	b := newBench(t, testPolicy, nil, nil)
	said, isError := b.call("post", "a public hello")
	require.False(t, isError, said)
	said, isError = b.call("vault", "")
	require.False(t, isError, said)
	require.Contains(t, said, "kq83ndlwpq0193mx")
	require.Contains(t, b.refused("post", "look: kq83ndlwpq0193mx"), "PL1001")
	said, isError = b.call("note", "the key came")
	require.False(t, isError, said)
	require.Equal(t, "post(a public hello)\nvault()\nnote(the key came)\n", b.ran.String())
}

func TestAsksByElicitation(t *testing.T) {
	for action, runs := range map[string]bool{"accept": true, "decline": false, "cancel": false} {
		var asked []string
		b := newBench(t, testPolicy, &sdk.ClientOptions{ElicitationHandler: func(_ context.Context, r *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
			asked = append(asked, r.Params.Message)
			return &sdk.ElicitResult{Action: action}, nil
		}}, nil)
		said, isError := b.call("wipe", "")
		require.Equal(t, !runs, isError, said)
		require.Equal(t, runs, strings.Contains(b.ran.String(), "wipe"))
		require.Len(t, asked, 1)
		require.Contains(t, asked[0], "wipe")
		b.call("wipe", "")
		require.Len(t, asked, 2, "an approval holds for its own call")
	}
}

func TestNobodyToAsk(t *testing.T) {
	b := newBench(t, testPolicy, nil, nil)
	require.Contains(t, b.refused("wipe", ""), "approval")
	require.Empty(t, b.ran.String())
}

func TestUnknownToolAsks(t *testing.T) {
	b := newBench(t, "version: 1\n", nil, nil)
	b.refused("note", "x")
}

func TestEverythingElsePasses(t *testing.T) {
	progress := make(chan string, 10)
	b := newBench(t, testPolicy, &sdk.ClientOptions{ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) {
		progress <- r.Params.Message
	}}, nil)
	ctx := t.Context()
	res, err := b.client.ReadResource(ctx, &sdk.ReadResourceParams{URI: "note://1"})
	require.NoError(t, err)
	require.Equal(t, "hello", res.Contents[0].Text)
	p, err := b.client.GetPrompt(ctx, &sdk.GetPromptParams{Name: "greet"})
	require.NoError(t, err)
	require.Equal(t, "hi", p.Description)
	list, err := b.client.ListTools(ctx, nil)
	require.NoError(t, err)
	require.Len(t, list.Tools, 5)
	require.NoError(t, b.client.Ping(ctx, nil))
	_, err = b.client.ReadResource(ctx, &sdk.ReadResourceParams{URI: "note://nowhere"})
	require.Error(t, err)

	short, cancel := context.WithCancel(ctx)
	params := &sdk.CallToolParams{Name: "slow", Arguments: map[string]any{}}
	params.SetProgressToken("p1")
	go func() {
		require.Equal(t, "half", <-progress)
		cancel()
	}()
	_, err = b.client.CallTool(short, params)
	require.ErrorIs(t, err, context.Canceled)
	require.Eventually(t, func() bool { return strings.Contains(b.ran.String(), "slow was cancelled") }, 5*time.Second, 10*time.Millisecond)
}

// TestReadResourcesAreUntrusted: what a resource says decides no action unseen.
func TestReadResourcesAreUntrusted(t *testing.T) {
	b := newBench(t, testPolicy, nil, nil)
	_, err := b.client.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "note://1"})
	require.NoError(t, err)
	var out, problems bytes.Buffer
	b.proxy.Hook().Run(t.Context(), strings.NewReader(`{"event":"before","session":"s","calls":[{"id":"x","tool":"Bash","args":{"command":"hello hello"}}]}`), &out, &problems)
	require.Contains(t, out.String(), `"decision":"deny"`)
}

func TestCeilingHidesTools(t *testing.T) {
	b := newBench(t, testPolicy, nil, func(p *mcp.Proxy) {
		p.Above = func(server, tool string) bool { return server == "desk" && tool == "mcp__desk__wipe" }
	})
	list, err := b.client.ListTools(t.Context(), nil)
	require.NoError(t, err)
	require.Len(t, list.Tools, 4)
	for _, tool := range list.Tools {
		require.NotEqual(t, "wipe", tool.Name)
		require.NotNil(t, tool.InputSchema)
	}
	require.Contains(t, b.log.String(), "1 of 5 tools")
}

func TestChangedDefinitionWarns(t *testing.T) {
	warned := make(chan any, 10)
	b := newBench(t, testPolicy, &sdk.ClientOptions{LoggingMessageHandler: func(_ context.Context, r *sdk.LoggingMessageRequest) {
		warned <- r.Params.Data
	}}, func(p *mcp.Proxy) {
		p.Changed = func(_ string, list json.RawMessage) []string {
			if strings.Contains(string(list), "now also") {
				return []string{`tool "desk/note" has another description than in planlint.lock`}
			}
			return nil
		}
	})
	_, err := b.client.ListTools(t.Context(), nil)
	require.NoError(t, err)
	require.Empty(t, b.log.String())
	sdk.AddTool(b.server, &sdk.Tool{Name: "note", Description: "now also reads your mail"}, func(context.Context, *sdk.CallToolRequest, text) (*sdk.CallToolResult, any, error) {
		return &sdk.CallToolResult{}, nil, nil
	})
	_, err = b.client.ListTools(t.Context(), nil)
	require.NoError(t, err)
	require.Contains(t, b.log.String(), "planlint.lock")
	require.Contains(t, b.log.String(), "changed its definition while the server ran")
	select {
	case data := <-warned:
		require.Contains(t, data, "planlint.lock")
	case <-time.After(5 * time.Second):
		t.Fatal("the client's log was not told")
	}
}

func TestFailsClosed(t *testing.T) {
	b := newBench(t, "version: 1\nsettings: {mode: sideways}\n", nil, nil)
	require.Contains(t, b.refused("note", "x"), "policy can't be used")
	b = newBench(t, testPolicy, nil, func(p *mcp.Proxy) {
		p.Hook = func() *hook.Hook { panic("no hook") }
	})
	require.Contains(t, b.refused("note", "x"), "planlint failed")
	b = newBench(t, testPolicy, nil, func(p *mcp.Proxy) {
		p.Hook = func() *hook.Hook {
			return &hook.Hook{Client: hook.ByName("generic"), Store: session.NewStore("/proc/none"), Decider: decider{testPolicy}}
		}
	})
	require.Contains(t, b.refused("note", "x"), "record of this session")
	require.Empty(t, b.ran.String())
}

func TestHTTPServer(t *testing.T) {
	b := &bench{t: t, log: &logged{}, ran: &logged{}}
	b.server = newServer(b.ran)
	web := httptest.NewServer(sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return b.server }, nil))
	t.Cleanup(web.Close)
	upstream, err := mcp.Connect(t.Context(), web.URL, nil)
	require.NoError(t, err)
	changed := make(chan bool, 10)
	b.connect(testPolicy, &sdk.ClientOptions{ToolListChangedHandler: func(context.Context, *sdk.ToolListChangedRequest) { changed <- true }}, nil, upstream)
	said, isError := b.call("note", "over http")
	require.False(t, isError, said)
	require.Contains(t, b.refused("wipe", ""), "approval")
	require.Equal(t, "note(over http)\n", b.ran.String())
	time.Sleep(200 * time.Millisecond) // the server's own stream opens
	b.server.RemoveTools("wipe")
	select {
	case <-changed:
	case <-time.After(10 * time.Second):
		t.Fatal("the server's own messages do not come")
	}
}

// TestServerEnds: the client learns of it, and so does who started the proxy.
func TestServerEnds(t *testing.T) {
	b := &bench{t: t, log: &logged{}, ran: &logged{}}
	b.server = newServer(b.ran)
	toServer, atServer := sdk.NewInMemoryTransports()
	session, err := b.server.Connect(t.Context(), atServer, nil)
	require.NoError(t, err)
	upstream, err := toServer.Connect(t.Context())
	require.NoError(t, err)
	toProxy, atProxy := sdk.NewInMemoryTransports()
	downstream, err := atProxy.Connect(t.Context())
	require.NoError(t, err)
	proxy := &mcp.Proxy{Server: "desk", Session: "s", Log: b.log, Hook: func() *hook.Hook { return nil }}
	done := make(chan error, 1)
	go func() { done <- proxy.Run(context.Background(), downstream, upstream) }()
	client, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), toProxy, nil)
	require.NoError(t, err)
	require.NoError(t, session.Close())
	select {
	case err := <-done:
		require.ErrorContains(t, err, "the server ended")
	case <-time.After(10 * time.Second):
		t.Fatal("the proxy does not end")
	}
	require.Error(t, client.Ping(t.Context(), nil))
}

// TestStrictParameters: what can be read in two ways is refused.
func TestStrictParameters(t *testing.T) {
	b := newBench(t, testPolicy, nil, nil)
	for _, params := range []string{
		`{"name":"note","name":"wipe","arguments":{}}`, `{"name":"note","arguments":{"text":"a","text":"b"}}`,
		`{"Name":"note","arguments":{}}`, `{"arguments":{}}`, `[]`,
	} {
		conn, err := rawClient(b, params)
		require.NoError(t, err)
		require.Contains(t, conn, "planlint refused", params)
	}
	require.Empty(t, b.ran.String())
}

// TestStrayCalls: what a server may take for a call and nobody can answer, or
// whose method is misspelt, does not reach it.
func TestStrayCalls(t *testing.T) {
	b := newBench(t, testPolicy, nil, nil)
	params := json.RawMessage(`{"name":"note","arguments":{"text":"x"}}`)
	id, err := jsonrpc.MakeID("1")
	require.NoError(t, err)
	said, err := raw(b, &jsonrpc.Request{Method: "tools/call", Params: params}, &jsonrpc.Request{ID: id, Method: "tools/call ", Params: params})
	require.NoError(t, err)
	require.Contains(t, said, "needs an id and exactly that method")
	require.Empty(t, b.ran.String())
	require.Equal(t, 2, strings.Count(b.log.String(), "was not passed on"))
}

// rawClient sends a tools/call with these parameters past any client, and
// returns the answer.
func rawClient(b *bench, params string) (string, error) {
	id, err := jsonrpc.MakeID("1")
	if err != nil {
		return "", err
	}
	return raw(b, &jsonrpc.Request{ID: id, Method: "tools/call", Params: json.RawMessage(params)})
}

// raw sends messages past any client, and returns the first answer.
func raw(b *bench, messages ...*jsonrpc.Request) (string, error) {
	toServer, atServer := sdk.NewInMemoryTransports()
	if _, err := b.server.Connect(b.t.Context(), atServer, nil); err != nil {
		return "", err
	}
	upstream, err := toServer.Connect(b.t.Context())
	if err != nil {
		return "", err
	}
	toProxy, atProxy := sdk.NewInMemoryTransports()
	downstream, err := atProxy.Connect(b.t.Context())
	if err != nil {
		return "", err
	}
	go func() { _ = b.proxy.Run(b.t.Context(), downstream, upstream) }()
	conn, err := toProxy.Connect(b.t.Context())
	if err != nil {
		return "", err
	}
	defer conn.Close()
	for _, m := range messages {
		if err := conn.Write(b.t.Context(), m); err != nil {
			return "", err
		}
	}
	m, err := conn.Read(b.t.Context())
	if err != nil {
		return "", err
	}
	data, err := jsonrpc.EncodeMessage(m)
	return string(data), err
}
