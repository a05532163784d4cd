// Package mcp stands between an MCP client and an MCP server: every tools/call
// is reviewed with the session's flow before the server sees it.
//
// In: the client's messages on one connection of the official Go SDK, the
// server's on another, and a Hook that reviews calls. Out: the same messages.
//
// # What is changed
//
// A refused tools/call is answered with an isError result in three parts: what,
// why, what can be done instead. A call that asks is put to the person by
// elicitation where the client offers it, else refused with the way to approve.
// Tools above the policy's ceiling are left out of tools/list. Everything else
// passes as it came: requests of either side, notifications, progress,
// cancellation, resources, prompts, sampling. What resources/read and
// prompts/get return is recorded as untrusted text in the session.
//
// # Guarantees
//
// A call reaches the server only after the review allowed it, with the very
// bytes that were reviewed; one that can't be read strictly (a key given twice,
// no name) is refused. A panic, a broken policy, a session that can't be
// recorded refuse too. A definition that differs from planlint.lock, or from
// what the server said before, is a warning to the client's log and to standard
// error.
//
// # Limits
//
// The proxy sees the client's calls of this server only; proxies of one client
// share a session, so that flows between servers count, but not the client's own
// tools (install its hook for those) and not the user's words. Whoever starts
// the server around the proxy is not seen.
package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/planlint/planlint/hook"
)

// Proxy reviews the calls between one client and one server.
type Proxy struct {
	// Server is the server's name as the user calls it; contracts are found by it.
	Server string
	// Session is the id of the session that calls are recorded in, and Cwd the
	// folder that the policy is looked for from.
	Session, Cwd string
	// Hook returns the reviewer of one event; its client is "generic".
	Hook func() *hook.Hook
	// Above reports whether a tool is above the policy's ceiling; nil hides none.
	Above func(server, tool string) bool
	// Changed says how tools differ from what was pinned; nil pins nothing.
	Changed func(server string, list json.RawMessage) []string
	// Log is told what a person should know; never nil.
	Log io.Writer
}

// Run passes messages until either side ends. The error says which side failed;
// the client's end is none.
func (p *Proxy) Run(ctx context.Context, client, server sdk.Connection) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r := &running{Proxy: p, client: client, server: server, waiting: map[string]*waiting{},
		asked: map[string]chan *jsonrpc.Response{}, questions: map[string]*question{}, seen: map[string]string{}}
	done := make(chan error, 2)
	go func() { done <- r.fromClient(ctx) }()
	go func() { done <- r.fromServer(ctx) }()
	err := <-done
	cancel()
	r.calls.Wait()
	_ = server.Close() // what closing says of a connection that has ended is no news
	_ = client.Close()
	return err
}

// running is a proxy at work.
type running struct {
	*Proxy
	client, server sdk.Connection
	calls          sync.WaitGroup

	mu sync.Mutex
	// waiting are the client's requests that are under way, by id.
	waiting map[string]*waiting
	// asked are the proxy's own requests to the client, by id.
	asked map[string]chan *jsonrpc.Response
	// questions are those that wait for a second round, by their word.
	questions map[string]*question
	// canAsk: the client offers elicitation; logs: the server declared logging.
	canAsk, logs bool
	// seen are the digests of definitions that the server gave, by tool.
	seen map[string]string
}

// waiting is one request of the client's.
type waiting struct {
	method string
	// call is the reviewed call, for tools/call.
	call *call
	// cancel ends the review; nil once the server has the request.
	cancel context.CancelFunc
}

func key(id jsonrpc.ID) string { return fmt.Sprintf("%T:%v", id.Raw(), id.Raw()) }

// fromClient handles the client's messages until it ends.
func (r *running) fromClient(ctx context.Context) error {
	for {
		m, err := r.client.Read(ctx)
		if err != nil {
			return ended(ctx, err, nil)
		}
		switch m := m.(type) {
		case *jsonrpc.Request:
			err = r.request(ctx, m)
		case *jsonrpc.Response:
			if !r.answered(m) {
				err = r.server.Write(ctx, m)
			}
		}
		if err != nil {
			return fmt.Errorf("the server can't be written to: %w", err)
		}
	}
}

// request handles one request or notification of the client's.
func (r *running) request(ctx context.Context, m *jsonrpc.Request) error {
	switch {
	case m.Method == "tools/call" && m.IsCall():
		r.toolCall(ctx, m)
		return nil
	case looksLikeCall(m.Method):
		r.stray(ctx, m)
		return nil
	case m.Method == "notifications/cancelled" && r.cancelled(m.Params):
		return nil
	case m.Method == "initialize":
		r.initialize(m.Params)
	}
	if m.IsCall() {
		r.expect(m, nil)
	}
	return r.toServer(ctx, m)
}

// looksLikeCall reports whether a server may take a method for tools/call, however
// it is written.
func looksLikeCall(method string) bool {
	return strings.EqualFold(strings.TrimSpace(method), "tools/call")
}

// stray keeps a call from the server that has no id, so that no answer could tell
// of a refusal, or whose method is misspelt: it can't be reviewed as a call.
func (r *running) stray(ctx context.Context, m *jsonrpc.Request) {
	const why = "a tools/call needs an id and exactly that method"
	r.log("a %q was not passed on: %s", m.Method, why)
	if m.IsCall() {
		r.toClient(ctx, refused(m.ID, text("tools/call", why, "send it as the protocol has it")))
	}
}

// toServer writes a message to the server. A request that can't be sent is
// answered with an error, so that the client does not wait for ever.
func (r *running) toServer(ctx context.Context, m *jsonrpc.Request) error {
	if _, http := r.server.(*httpConnection); !http {
		return r.server.Write(ctx, m)
	}
	// Over HTTP a write lasts until the server answers.
	send := func() {
		if err := r.server.Write(ctx, m); err != nil && m.IsCall() {
			r.take(m.ID)
			r.toClient(ctx, &jsonrpc.Response{ID: m.ID, Error: &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: err.Error()}})
		}
	}
	if !m.IsCall() || m.Method == "initialize" {
		send()
		return nil
	}
	r.calls.Go(send)
	return nil
}

func (r *running) toClient(ctx context.Context, m jsonrpc.Message) {
	if err := r.client.Write(ctx, m); err != nil && ctx.Err() == nil {
		r.log("the client can't be written to: %v", err)
	}
}

func (r *running) log(format string, args ...any) {
	fmt.Fprintf(r.Log, "planlint mcp: "+format+"\n", args...)
}

func (r *running) expect(m *jsonrpc.Request, c *call) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.waiting[key(m.ID)] = &waiting{method: m.Method, call: c}
}

// take returns the request that an answer is for, nil for none.
func (r *running) take(id jsonrpc.ID) *waiting {
	r.mu.Lock()
	defer r.mu.Unlock()
	w := r.waiting[key(id)]
	delete(r.waiting, key(id))
	return w
}

// reviewing reports whether a request has not been given to the server yet.
func (r *running) reviewing(id jsonrpc.ID) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	w := r.waiting[key(id)]
	return w != nil && w.cancel != nil
}

// fromServer handles the server's messages until it ends.
func (r *running) fromServer(ctx context.Context) error {
	for {
		m, err := r.server.Read(ctx)
		if err != nil {
			return ended(ctx, err, errors.New("the server ended"))
		}
		if m, ok := m.(*jsonrpc.Response); ok {
			r.response(ctx, m)
		}
		if m, ok := m.(*jsonrpc.Request); ok {
			r.toClient(ctx, m)
		}
	}
}

// response passes on an answer of the server's, and takes from it what the
// session has to know.
func (r *running) response(ctx context.Context, m *jsonrpc.Response) {
	if r.reviewing(m.ID) {
		r.log("the server answered a call that it was not given; the answer is dropped")
		return
	}
	if w := r.take(m.ID); w != nil {
		switch w.method {
		case "initialize", "server/discover":
			r.initialized(m.Result)
		case "tools/list":
			m = r.list(ctx, m)
		case "tools/call":
			r.result(w.call, m)
		case "resources/read", "prompts/get":
			r.read(w.method, m)
		}
	}
	r.toClient(ctx, m)
}

// initialize learns what the client can do.
func (r *running) initialize(params json.RawMessage) {
	var p struct {
		Capabilities clientCapabilities `json:"capabilities"`
	}
	_ = json.Unmarshal(params, &p) // the server says what is wrong with it
	r.mu.Lock()
	defer r.mu.Unlock()
	r.canAsk = p.Capabilities.asks()
}

// clientCapabilities are what the proxy has to know of a client.
type clientCapabilities struct {
	Elicitation *struct {
		Form *struct{} `json:"form"`
		URL  *struct{} `json:"url"`
	} `json:"elicitation"`
}

// asks reports whether a client puts a form to the person; one that says
// nothing of forms and nothing of addresses does.
func (c *clientCapabilities) asks() bool {
	e := c.Elicitation
	return e != nil && (e.Form != nil || e.URL == nil)
}

// initialized learns what the server declares.
func (r *running) initialized(result json.RawMessage) {
	var s struct {
		Capabilities struct {
			Logging json.RawMessage `json:"logging"`
		} `json:"capabilities"`
	}
	_ = json.Unmarshal(result, &s) // the client says what is wrong with it
	r.mu.Lock()
	defer r.mu.Unlock()
	r.logs = s.Capabilities.Logging != nil
}

// ended says what the end of a connection means.
func ended(ctx context.Context, err, atEnd error) error {
	if ctx.Err() != nil {
		return nil
	}
	if errors.Is(err, io.EOF) || errors.Is(err, sdk.ErrConnectionClosed) {
		return atEnd
	}
	if atEnd == nil {
		return fmt.Errorf("the client can't be read: %w", err)
	}
	return fmt.Errorf("the server can't be read: %w", err)
}
