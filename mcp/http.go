package mcp

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Connect returns a connection to a server that is reached over HTTP. Header
// values (an authorization) go with every request.
func Connect(ctx context.Context, url string, header http.Header) (sdk.Connection, error) {
	h := &httpConnection{url: url, header: header, incoming: make(chan incoming), done: make(chan struct{})}
	transport := &sdk.StreamableClientTransport{Endpoint: url, HTTPClient: &http.Client{Transport: h}, DisableStandaloneSSE: true}
	conn, err := transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	h.Connection = conn
	h.ctx, h.cancel = context.WithCancel(context.Background())
	go h.pump()
	return h, nil
}

// httpConnection is the SDK's connection with what the SDK's own client adds to
// it: the negotiated version on every request, and the stream of the server's
// own messages.
type httpConnection struct {
	sdk.Connection
	url      string
	header   http.Header
	incoming chan incoming
	ctx      context.Context
	cancel   context.CancelFunc
	done     chan struct{}
	closing  sync.Once

	mu      sync.Mutex
	init    string // id of the initialize request
	version string
}

type incoming struct {
	message jsonrpc.Message
	err     error
}

// RoundTrip adds the headers to the SDK's requests.
func (h *httpConnection) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	h.decorate(req)
	return http.DefaultTransport.RoundTrip(req)
}

func (h *httpConnection) decorate(req *http.Request) {
	for name, values := range h.header {
		req.Header[name] = values
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.version != "" && req.Header.Get("Mcp-Protocol-Version") == "" {
		req.Header.Set("Mcp-Protocol-Version", h.version)
	}
}

// Write sends a message; the server's stream is opened once the client says
// that it is ready.
func (h *httpConnection) Write(ctx context.Context, m jsonrpc.Message) error {
	req, _ := m.(*jsonrpc.Request)
	if req != nil && req.Method == "initialize" {
		h.mu.Lock()
		h.init = key(req.ID)
		h.mu.Unlock()
	}
	err := h.Connection.Write(ctx, m)
	if err == nil && req != nil && req.Method == "notifications/initialized" {
		go h.listen()
	}
	return err
}

// Read returns the server's next message, from whichever stream.
func (h *httpConnection) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case in := <-h.incoming:
		return in.message, in.err
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-h.done:
		return nil, io.EOF
	}
}

// Close ends the session.
func (h *httpConnection) Close() error {
	h.closing.Do(func() { close(h.done) })
	h.cancel()
	return h.Connection.Close()
}

// pump reads the answers to requests.
func (h *httpConnection) pump() {
	for {
		m, err := h.Connection.Read(h.ctx)
		if r, ok := m.(*jsonrpc.Response); ok && err == nil {
			h.negotiated(r)
		}
		if !h.deliver(incoming{m, err}) || err != nil {
			return
		}
	}
}

func (h *httpConnection) deliver(in incoming) bool {
	select {
	case h.incoming <- in:
		return true
	case <-h.done:
		return false
	}
}

// negotiated takes the protocol's version from the answer to initialize.
func (h *httpConnection) negotiated(r *jsonrpc.Response) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.init == "" || key(r.ID) != h.init {
		return
	}
	h.init = ""
	var result struct {
		Version string `json:"protocolVersion"`
	}
	if json.Unmarshal(r.Result, &result) == nil {
		h.version = result.Version
	}
}

// listenAgain is how long a stream that ended is left alone.
const listenAgain = time.Second

// listen reads the stream of the server's own messages for as long as the
// server has one.
func (h *httpConnection) listen() {
	for h.stream() {
		select {
		case <-h.done:
			return
		case <-time.After(listenAgain):
		}
	}
}

// stream reads the stream once and reports whether the server has one: one
// without answers 405.
func (h *httpConnection) stream() bool {
	req, err := http.NewRequestWithContext(h.ctx, http.MethodGet, h.url, nil)
	if err != nil {
		return false
	}
	req.Header.Set("Accept", "text/event-stream")
	if id := h.SessionID(); id != "" {
		req.Header.Set("Mcp-Session-Id", id)
	}
	h.decorate(req)
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		return false
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK || !strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream") {
		return false
	}
	h.events(resp.Body)
	return true
}

// maxEvent is the largest message on the stream, in bytes.
const maxEvent = 16 << 20

// events delivers the data of server-sent events.
func (h *httpConnection) events(body io.Reader) {
	lines := bufio.NewScanner(body)
	lines.Buffer(nil, maxEvent)
	var data []string
	for lines.Scan() {
		line := lines.Text()
		if value, ok := strings.CutPrefix(line, "data:"); ok {
			data = append(data, strings.TrimPrefix(value, " "))
		}
		if line != "" || len(data) == 0 {
			continue
		}
		m, err := jsonrpc.DecodeMessage([]byte(strings.Join(data, "\n")))
		data = nil
		if err == nil && !h.deliver(incoming{message: m}) {
			return
		}
	}
}
