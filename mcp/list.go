package mcp

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// list takes the tools above the ceiling out of an answer to tools/list, and
// warns of definitions that changed. An answer that can't be read passes as it
// came: its tools are reviewed when they are called.
func (r *running) list(ctx context.Context, m *jsonrpc.Response) *jsonrpc.Response {
	var result map[string]json.RawMessage
	var tools []json.RawMessage
	if m.Error != nil || json.Unmarshal(m.Result, &result) != nil || json.Unmarshal(result["tools"], &tools) != nil {
		return m
	}
	r.warn(ctx, r.changes(result["tools"], tools))
	shown := make([]json.RawMessage, 0, len(tools))
	for _, t := range tools {
		if r.Above == nil || !r.Above(r.Server, r.qualified(toolName(t))) {
			shown = append(shown, t)
		}
	}
	if len(shown) == len(tools) {
		return m
	}
	r.log("%d of %d tools are above the policy's ceiling and are hidden", len(tools)-len(shown), len(tools))
	list, err := json.Marshal(shown)
	if err != nil {
		return m
	}
	result["tools"] = list
	data, err := json.Marshal(result)
	if err != nil {
		return m
	}
	changed := *m
	changed.Result = data
	return &changed
}

func toolName(definition json.RawMessage) string {
	var t struct {
		Name string `json:"name"`
	}
	_ = json.Unmarshal(definition, &t) // no name: nobody can call it
	return t.Name
}

// changes says what differs from the lock, and from what the server said before.
func (r *running) changes(list json.RawMessage, tools []json.RawMessage) []string {
	var out []string
	if r.Changed != nil {
		out = r.Changed(r.Server, list)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, t := range tools {
		name, sum := toolName(t), sha256.Sum256(t)
		digest := hex.EncodeToString(sum[:])
		if was, known := r.seen[name]; known && was != digest {
			out = append(out, fmt.Sprintf("tool %q changed its definition while the server ran", name))
		}
		r.seen[name] = digest
	}
	return out
}

// warn tells a person: on standard error, and in the client's log where the
// server declared logging, since a client expects none else.
func (r *running) warn(ctx context.Context, changes []string) {
	if len(changes) == 0 {
		return
	}
	message := strings.Join(changes, "; ") + "; read the new definitions before you rely on them, then run planlint tools lock"
	r.log("warning: %s", message)
	r.mu.Lock()
	logs := r.logs
	r.mu.Unlock()
	params, err := json.Marshal(map[string]any{"level": "warning", "logger": "planlint", "data": message})
	if logs && err == nil {
		r.toClient(ctx, &jsonrpc.Request{Method: "notifications/message", Params: params})
	}
}
