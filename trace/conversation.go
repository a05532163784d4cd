package trace

import (
	"cmp"
	"hash/maphash"
	"strconv"
	"strings"

	"github.com/planlint/planlint/internal/transcript"
	"github.com/planlint/planlint/plan"
)

// conversation is one list of messages and what stands beside it.
type conversation struct {
	id       string
	system   *plan.Value
	messages []plan.Value
	failed   string
	pos      plan.Position
}

// conversations reads message lists: a list, lines of messages, objects that
// hold one, logs of requests. Where a list begins with all of an earlier one,
// as each request of a log repeats the ones before, the earlier is left out.
func (r *reader) conversations(src []byte) []*plan.Plan {
	var notes []transcript.Event
	keep := func(e transcript.Event) { notes = append(notes, e) }
	var values []plan.Value
	if isLines(src) {
		c := &collector{}
		f := transcript.NewFeeder(listClient{c}, keep)
		f.Feed(src)
		f.Close()
		values = c.values
	} else {
		values = r.document(src, nil, keep)
	}
	var plans []*plan.Plan
	list := longest(gather(values, keep))
	for i := range list {
		b := r.builder()
		if i == 0 {
			for _, e := range notes {
				b.Add(e)
			}
		}
		p := r.conversation(&list[i], b)
		if p.ID == "" && len(list) > 1 {
			p.ID = strconv.Itoa(i + 1)
		}
		plans = append(plans, p)
	}
	return plans
}

// listClient lets lines be lists too.
type listClient struct{ *collector }

// Lists implements transcript.ListClient.
func (listClient) Lists() {}

func (r *reader) conversation(c *conversation, b *transcript.Builder) *plan.Plan {
	b.Add(transcript.Event{Kind: transcript.Session, ID: c.id, Pos: c.pos})
	if c.system != nil {
		b.Add(transcript.Event{Kind: transcript.Text, TextKind: plan.TextSystem, Pos: c.system.Pos,
			Value: plan.Value{Kind: plan.String, Text: transcript.Leaves(c.system), Pos: c.system.Pos}})
	}
	client := r.client()
	for i := range c.messages {
		client.Record(&transcript.Record{Value: c.messages[i]}, b.Add)
	}
	return b.Plan()
}

// gather makes conversations of a file's records; others are told of.
func gather(values []plan.Value, emit transcript.Emit) []conversation {
	var out []conversation
	loose := conversation{}
	for i := range values {
		v := &values[i]
		switch c, ok := contained(v); {
		case ok:
			out = append(out, c)
		case v.Kind == plan.Object && (has(v, "role") || has(v, "type")):
			loose.messages = append(loose.messages, *v)
		default:
			emit(transcript.Event{Kind: transcript.Stray, Message: "a record without messages, role or type", Pos: v.Pos})
		}
	}
	if len(loose.messages) > 0 {
		loose.pos = loose.messages[0].Pos
		out = append([]conversation{loose}, out...)
	}
	return out
}

// contained finds the conversation that a record holds.
func contained(v *plan.Value) (conversation, bool) {
	c := conversation{pos: v.Pos}
	if v.Kind == plan.List {
		c.messages = v.Items
		return c, len(v.Items) > 0
	}
	body := v
	if req := transcript.Member(v, "request"); isObject(req) {
		body = req
		if inner := transcript.Member(req, "body"); isObject(inner) {
			body = inner
		}
	}
	list := transcript.Member(body, "messages")
	if list == nil || list.Kind != plan.List {
		return c, false
	}
	c.id = runID(v)
	c.messages = append([]plan.Value(nil), list.Items...)
	for _, key := range []string{"system", "system_prompt"} {
		if s := transcript.Member(body, key); s != nil && c.system == nil {
			c.system = s
		}
	}
	if answer := answered(v); answer != nil {
		c.messages = append(c.messages, *answer)
	}
	return c, true
}

// answered is the message that a logged response holds.
func answered(v *plan.Value) *plan.Value {
	resp := transcript.Member(v, "response")
	if inner := transcript.Member(resp, "body"); isObject(inner) {
		resp = inner
	}
	if choices := transcript.Items(transcript.Member(resp, "choices")); len(choices) > 0 {
		return transcript.Member(&choices[0], "message")
	}
	if has(resp, "role", "content") {
		return resp
	}
	return nil
}

// runID names a run: its own id, or suite, tasks and attack of AgentDojo.
func runID(v *plan.Value) string {
	if id := cmp.Or(transcript.Str(v, "id"), transcript.Str(v, "sessionId"), transcript.Str(v, "session_id"), transcript.Str(v, "trace_id")); id != "" {
		return id
	}
	var parts []string
	for _, key := range []string{"suite_name", "pipeline_name", "user_task_id", "attack_type", "injection_task_id"} {
		if s := transcript.Str(v, key); s != "" {
			parts = append(parts, s)
		}
	}
	return strings.Join(parts, "/")
}

// longest leaves out conversations that are the beginning of another one, by
// running hashes of their messages: linear in all of them.
func longest(list []conversation) []conversation {
	if len(list) < 2 {
		return list
	}
	seed := maphash.MakeSeed()
	whole := map[uint64][]int{}
	sums := make([][]uint64, len(list))
	for i := range list {
		sums[i] = prefixSums(seed, list[i].messages)
		if n := len(sums[i]); n > 0 {
			whole[sums[i][n-1]] = append(whole[sums[i][n-1]], i)
		}
	}
	drop := make([]bool, len(list))
	for i := range list {
		for _, s := range sums[i][:max(len(sums[i])-1, 0)] {
			for _, j := range whole[s] {
				drop[j] = j != i
			}
			delete(whole, s) // each is dropped once
		}
	}
	kept := list[:0]
	for i := range list {
		if !drop[i] {
			kept = append(kept, list[i])
		}
	}
	return kept
}

func prefixSums(seed maphash.Seed, messages []plan.Value) []uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	sums := make([]uint64, len(messages))
	for i := range messages {
		m := &messages[i]
		for _, key := range []string{"role", "content", "tool_calls", "tool_call_id"} {
			h.WriteString(transcript.Leaves(transcript.Member(m, key)))
			h.WriteByte(0)
		}
		sums[i] = h.Sum64()
	}
	return sums
}
