package mcp

import (
	"bytes"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// questionName is the name of the proxy's question among those of a result.
const questionName = "planlint"

// question is a call that waits for a person's answer in a second round.
type question struct {
	call  *call
	reply reply
}

// firstRound answers a call with the question, and keeps it for the second
// round under a word that can't be guessed.
func (r *running) firstRound(id jsonrpc.ID, c *call, reply reply) *jsonrpc.Response {
	word, err := nonce()
	if err == nil {
		var result json.RawMessage
		result, err = json.Marshal(map[string]any{
			"resultType":    "input_required",
			"inputRequests": map[string]any{questionName: map[string]any{"method": "elicitation/create", "params": elicitation(reply.Message)}},
			"requestState":  word,
		})
		if err == nil {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.questions[word] = &question{c, reply}
			return &jsonrpc.Response{ID: id, Result: result}
		}
	}
	return refused(id, text(reply.What, reply.Why+"; the user could not be asked", reply.Instead))
}

// questioned returns the question that a call is the second round of, nil for
// none. Each is answered once.
func (r *running) questioned(c *call) *question {
	r.mu.Lock()
	defer r.mu.Unlock()
	q := r.questions[c.state]
	delete(r.questions, c.state)
	return q
}

// secondRound takes the person's answer. The call has to be the one that was
// asked about; the server gets it without what the proxy added.
func (r *running) secondRound(m *jsonrpc.Request, c *call, q *question) (*call, *jsonrpc.Response) {
	if c.tool != q.call.tool || !bytes.Equal(c.args, q.call.args) {
		r.record(q.call, "refused", nil)
		return nil, refused(m.ID, text(c.tool, "it is not the call that the user was asked about", "make the call anew"))
	}
	if c.answer == nil {
		return r.settled(m.ID, q.call, q.reply, "the user did not answer")
	}
	why := verdict(&jsonrpc.Response{Result: c.answer})
	if why == "" {
		stripped, err := withoutRounds(m.Params)
		if err != nil {
			why = "the call could not be written anew"
		}
		m.Params = stripped
	}
	return r.settled(m.ID, q.call, q.reply, why)
}

// withoutRounds takes the answer to the proxy's question out of a call.
func withoutRounds(params json.RawMessage) (json.RawMessage, error) {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(params, &all); err != nil {
		return nil, err
	}
	delete(all, "inputResponses")
	delete(all, "requestState")
	return json.Marshal(all)
}
