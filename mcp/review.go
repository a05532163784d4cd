package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// event is what the reviewer is told, in the protocol of the generic client.
type event struct {
	Event   string      `json:"event"`
	Session string      `json:"session"`
	Cwd     string      `json:"cwd,omitempty"`
	CanAsk  bool        `json:"can_ask,omitempty"`
	Calls   []eventCall `json:"calls,omitempty"`
	Outcome string      `json:"outcome,omitempty"`
	Output  any         `json:"output,omitempty"`
}

type eventCall struct {
	ID     string          `json:"id,omitempty"`
	Tool   string          `json:"tool"`
	Server string          `json:"server,omitempty"`
	Args   json.RawMessage `json:"args"`
}

// reply is what it answers.
type reply struct {
	Decision string `json:"decision"`
	What     string `json:"what"`
	Why      string `json:"why"`
	Instead  string `json:"instead"`
	Message  string `json:"message"`
}

func (r *running) event(kind string, c *call) event {
	return event{Event: kind, Session: r.Session, Cwd: r.Cwd,
		Calls: []eventCall{{ID: c.id, Tool: r.qualified(c.tool), Server: r.Server, Args: c.args}}}
}

// review asks whether a call may run. Anything but a clear answer denies.
func (r *running) review(ctx context.Context, c *call) reply {
	e := r.event("before", c)
	r.mu.Lock()
	e.CanAsk = r.canAsk && !c.rounds || c.rounds && c.canAsk
	r.mu.Unlock()
	stdout, stderr := r.tell(ctx, e)
	var out reply
	if json.Unmarshal(stdout, &out) != nil || out.Decision != "allow" && out.Decision != "ask" {
		out.Decision = "deny"
	}
	if out.Decision == "deny" && out.Why == "" {
		out.What, out.Why, out.Instead = "the call was not reviewed", "planlint gave no answer: "+strings.TrimSpace(stderr), "report this to planlint"
	}
	return out
}

// record tells the session what became of a call.
func (r *running) record(c *call, outcome string, output any) {
	e := r.event("after", c)
	e.Outcome, e.Output = outcome, output
	if _, stderr := r.tell(context.Background(), e); stderr != "" {
		r.log("%s", strings.TrimSpace(stderr))
	}
	if c.asked {
		// No prompt of the user's is seen here that would end what he allowed, so
		// each approval holds for its own call.
		r.tell(context.Background(), event{Event: "prompt", Session: r.Session, Cwd: r.Cwd})
	}
}

func (r *running) tell(ctx context.Context, e event) (stdout []byte, stderr string) {
	data, err := json.Marshal(e)
	if err != nil {
		return nil, err.Error()
	}
	var out, problems bytes.Buffer
	r.Hook().Run(ctx, bytes.NewReader(data), &out, &problems)
	return out.Bytes(), problems.String()
}

// result records what a call returned.
func (r *running) result(c *call, m *jsonrpc.Response) {
	if c == nil {
		return
	}
	if m.Error != nil {
		r.record(c, "failed", m.Error.Error())
		return
	}
	var result struct {
		Content    json.RawMessage `json:"content"`
		Structured json.RawMessage `json:"structuredContent"`
		IsError    bool            `json:"isError"`
	}
	outcome := "ran"
	if json.Unmarshal(m.Result, &result) != nil {
		r.record(c, outcome, json.RawMessage(m.Result))
		return
	}
	if result.IsError {
		outcome = "failed"
	}
	r.record(c, outcome, output(result.Content, result.Structured))
}

// output is what a call returned as a value: its text, or all that there is.
func output(content, structured json.RawMessage) any {
	var items []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	if len(structured) == 0 && json.Unmarshal(content, &items) == nil && len(items) == 1 && items[0].Type == "text" {
		return items[0].Text
	}
	all := map[string]json.RawMessage{}
	if len(content) > 0 {
		all["content"] = content
	}
	if len(structured) > 0 {
		all["structuredContent"] = structured
	}
	return all
}

// read records what the client read of resources and prompts: text of the
// server's, which nothing describes.
func (r *running) read(method string, m *jsonrpc.Response) {
	if m.Error == nil {
		r.record(&call{tool: strings.ReplaceAll(method, "/", "_"), args: json.RawMessage("{}")}, "ran", json.RawMessage(m.Result))
	}
}
