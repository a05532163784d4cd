package mcp

import (
	"bytes"
	"context"
	stdjson "encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// call is one tools/call under review.
type call struct {
	id, tool string
	args     stdjson.RawMessage
	// asked: a person let it run.
	asked bool
	// rounds: the client speaks the protocol in which a question is an answer to
	// the call, and the call comes again with the person's answer; canAsk is what
	// it says then of elicitation.
	rounds, canAsk bool
	// state and answer are what came with such a second round.
	state  string
	answer stdjson.RawMessage
}

// roundsSince is the first protocol version without requests of the server's.
const roundsSince = "2026-07-28"

// readCall reads the parameters of a tools/call strictly: what the server would
// make of a key that stands twice is its own affair, so such a call is refused.
func readCall(params stdjson.RawMessage) (*call, error) {
	var p struct {
		Name      string         `json:"name"`
		Arguments jsontext.Value `json:"arguments"`
		Meta      struct {
			Version      string             `json:"io.modelcontextprotocol/protocolVersion"`
			Capabilities clientCapabilities `json:"io.modelcontextprotocol/clientCapabilities"`
		} `json:"_meta"`
		Responses map[string]jsontext.Value `json:"inputResponses"`
		State     string                    `json:"requestState"`
	}
	if err := json.Unmarshal(params, &p); err != nil {
		return nil, fmt.Errorf("its parameters can't be read: %w", err)
	}
	if p.Name == "" {
		return nil, errors.New("it names no tool")
	}
	c := &call{tool: p.Name, args: stdjson.RawMessage(p.Arguments), state: p.State, answer: stdjson.RawMessage(p.Responses[questionName]),
		rounds: p.Meta.Version >= roundsSince, canAsk: p.Meta.Capabilities.asks()}
	if len(c.args) == 0 || string(c.args) == "null" {
		c.args = stdjson.RawMessage("{}")
	}
	return c, nil
}

// toolCall reviews a tools/call beside the other messages.
func (r *running) toolCall(ctx context.Context, m *jsonrpc.Request) {
	ctx, cancel := context.WithCancel(ctx)
	r.mu.Lock()
	r.waiting[key(m.ID)] = &waiting{method: m.Method, cancel: cancel}
	r.mu.Unlock()
	r.calls.Go(func() {
		defer cancel()
		c, answer := r.decide(ctx, m)
		switch {
		case ctx.Err() != nil:
			r.take(m.ID) // the client takes no interest in an answer any more
		case answer != nil:
			r.take(m.ID)
			r.toClient(context.WithoutCancel(ctx), answer)
		default:
			r.expect(m, c)
			r.send(context.WithoutCancel(ctx), m)
		}
	})
}

// send hands an allowed call to the server.
func (r *running) send(ctx context.Context, m *jsonrpc.Request) {
	if err := r.server.Write(ctx, m); err != nil {
		if w := r.take(m.ID); w != nil && w.call != nil {
			r.record(w.call, "failed", nil)
		}
		r.toClient(ctx, &jsonrpc.Response{ID: m.ID, Error: &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: err.Error()}})
	}
}

// decide returns the call that may run, or the answer to one that may not yet.
func (r *running) decide(ctx context.Context, m *jsonrpc.Request) (c *call, answer *jsonrpc.Response) {
	defer func() {
		if cause := recover(); cause != nil {
			answer = refused(m.ID, text("the call was not reviewed", fmt.Sprintf("planlint failed: %v", cause), "report this to planlint"))
		}
	}()
	c, err := readCall(m.Params)
	if err != nil {
		return nil, refused(m.ID, text("tools/call", err.Error(), "send each parameter once, with a name and arguments"))
	}
	if q := r.questioned(c); q != nil {
		return r.secondRound(m, c, q)
	}
	c.id = fmt.Sprint(m.ID.Raw())
	reply := r.review(ctx, c)
	switch {
	case reply.Decision == "allow":
		return c, nil
	case reply.Decision == "ask" && c.rounds:
		return nil, r.firstRound(m.ID, c, reply)
	case reply.Decision == "ask":
		return r.settled(m.ID, c, reply, r.ask(ctx, reply.Message))
	}
	return nil, refused(m.ID, text(reply.What, reply.Why, reply.Instead))
}

// settled is what a person's answer makes of a call: why is why not, or empty.
func (r *running) settled(id jsonrpc.ID, c *call, reply reply, why string) (*call, *jsonrpc.Response) {
	if why != "" {
		r.record(c, "refused", nil)
		return nil, refused(id, text(reply.What, reply.Why+"; "+why, reply.Instead))
	}
	c.asked = true
	return c, nil
}

// text is a refusal in its three parts.
func text(what, why, instead string) string {
	return fmt.Sprintf("planlint refused: %s\nwhy: %s\ninstead: %s", what, why, instead)
}

// refused answers a call with an error that the model reads.
func refused(id jsonrpc.ID, text string) *jsonrpc.Response {
	result, err := stdjson.Marshal(map[string]any{
		"content": []any{map[string]string{"type": "text", "text": text}}, "isError": true, "resultType": "complete",
	})
	if err != nil { // can't be: the text is a string
		return &jsonrpc.Response{ID: id, Error: &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "planlint refused the call"}}
	}
	return &jsonrpc.Response{ID: id, Result: result}
}

// cancelled handles the end of the client's interest in a request, and reports
// whether the server need not know of it.
func (r *running) cancelled(params stdjson.RawMessage) bool {
	var p struct {
		ID any `json:"requestId"`
	}
	dec := stdjson.NewDecoder(bytes.NewReader(params))
	if dec.Decode(&p) != nil {
		return false
	}
	id, err := jsonrpc.MakeID(p.ID)
	if err != nil {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	w := r.waiting[key(id)]
	if w == nil || w.cancel == nil {
		return false
	}
	w.cancel()
	return true
}

// qualified is a tool's name as clients write it.
func (p *Proxy) qualified(tool string) string {
	if strings.HasPrefix(tool, "mcp__") {
		return tool
	}
	return "mcp__" + p.Server + "__" + tool
}
