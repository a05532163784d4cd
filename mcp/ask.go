package mcp

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// askFor is how long a person's answer is waited for.
const askFor = 10 * time.Minute

// ask puts a call to the person by elicitation. It returns "" where the person
// accepts, else why the call must not run.
func (r *running) ask(ctx context.Context, message string) string {
	params, err := json.Marshal(elicitation(message))
	if err != nil {
		return "the question could not be written"
	}
	id, answer, err := r.question()
	if err != nil {
		return "the user could not be asked"
	}
	defer r.forget(id)
	if err := r.client.Write(ctx, &jsonrpc.Request{ID: id, Method: "elicitation/create", Params: params}); err != nil {
		return "the user could not be asked"
	}
	timer := time.NewTimer(askFor)
	defer timer.Stop()
	select {
	case m := <-answer:
		return verdict(m)
	case <-timer.C:
		return "the user did not answer in time"
	case <-ctx.Done():
		return "the call was cancelled"
	}
}

// elicitation is a question that is answered by yes or no.
func elicitation(message string) map[string]any {
	return map[string]any{"message": message, "requestedSchema": map[string]any{"type": "object", "properties": map[string]any{}}}
}

// verdict reads the answer: only accept is one.
func verdict(m *jsonrpc.Response) string {
	if m.Error != nil {
		return "the user could not be asked"
	}
	var result struct {
		Action string `json:"action"`
	}
	switch err := json.Unmarshal(m.Result, &result); {
	case err != nil:
		return "the user's answer could not be read"
	case result.Action == "accept":
		return ""
	case result.Action == "decline":
		return "the user declined it"
	}
	return "the user did not answer"
}

// question makes an id of the proxy's own. It can't be guessed: a server that
// asked the person something under this id would get its answer taken for one to
// the proxy's question.
func (r *running) question() (jsonrpc.ID, <-chan *jsonrpc.Response, error) {
	word, err := nonce()
	if err != nil {
		return jsonrpc.ID{}, nil, err
	}
	id, err := jsonrpc.MakeID(word)
	if err != nil {
		return id, nil, err
	}
	answer := make(chan *jsonrpc.Response, 1)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.asked[key(id)] = answer
	return id, answer, nil
}

// nonce is a word that nobody can guess.
func nonce() (string, error) {
	var b [16]byte
	_, err := rand.Read(b[:])
	return "planlint-" + hex.EncodeToString(b[:]), err
}

func (r *running) forget(id jsonrpc.ID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.asked, key(id))
}

// answered takes an answer to a question of the proxy's own.
func (r *running) answered(m *jsonrpc.Response) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	answer, own := r.asked[key(m.ID)]
	if own {
		delete(r.asked, key(m.ID))
		answer <- m
	}
	return own
}
