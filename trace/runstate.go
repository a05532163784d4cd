package trace

import (
	"cmp"
	"strings"

	"github.com/planlint/planlint/internal/transcript"
	"github.com/planlint/planlint/plan"
)

// runState reads the saved state of a paused run of the OpenAI Agents SDK: what
// ran is in it, and what waits for approval.
func (r *reader) runState(values []plan.Value) []*plan.Plan {
	var plans []*plan.Plan
	for i := range values {
		v := &values[i]
		if !has(v, "$schemaVersion") {
			continue
		}
		b := r.builder()
		s := stateReader{emit: b.Add, prompt: r.opts.promptKind(), seen: make(map[string]bool)}
		s.input(firstOf(v, []string{"original_input", "originalInput"}))
		s.items(firstOf(v, []string{"generated_items", "generatedItems"}))
		s.pending(firstOf(v, []string{"current_step", "currentStep"}))
		plans = append(plans, b.Plan())
	}
	return plans
}

// stateReader emits the events of one state.
type stateReader struct {
	emit   transcript.Emit
	prompt plan.TextKind
	seen   map[string]bool
	turn   int
	key    string
}

// input is the user's text, or the items that the run began with.
func (s *stateReader) input(v *plan.Value) {
	if v == nil {
		return
	}
	if v.Kind == plan.String {
		s.text(v, s.prompt, "")
		return
	}
	s.items(v)
}

func (s *stateReader) items(v *plan.Value) {
	list := transcript.Items(v)
	for i := range list {
		s.item(&list[i])
	}
}

// item reads one item, wrapped in the SDK's or as the API has it.
func (s *stateReader) item(item *plan.Value) {
	raw := item
	if inner := firstOf(item, []string{"raw_item", "rawItem"}); isObject(inner) {
		raw = inner
	}
	agent := agentOf(item)
	switch typ := cmp.Or(transcript.Str(raw, "type"), transcript.Str(item, "type")); typ {
	case "function_call", "custom_tool_call", "hosted_tool_call", "mcp_call", "mcp_approval_request", "tool_call_item":
		s.call(raw, item, agent)
	case "function_call_output", "function_call_result", "custom_tool_call_output":
		s.result(raw, item, agent)
	case "message", "message_output_item", "":
		kind := plan.TextModel
		if role := transcript.Str(raw, "role"); role == "user" {
			kind = s.prompt
		} else if role == "system" || role == "developer" {
			kind = plan.TextSystem
		}
		s.text(transcript.Member(raw, "content"), kind, agent)
	case "reasoning", "reasoning_item":
	default:
		s.emit(transcript.Event{Kind: transcript.Stray, Message: "item type " + typ, Pos: item.Pos})
	}
}

func agentOf(item *plan.Value) string {
	a := transcript.Member(item, "agent")
	if a == nil {
		return ""
	}
	if a.Kind == plan.String {
		return a.Text
	}
	return transcript.Str(a, "name")
}

func (s *stateReader) text(v *plan.Value, kind plan.TextKind, agent string) {
	if v == nil {
		return
	}
	s.emit(transcript.Event{Kind: transcript.Text, TextKind: kind, Agent: "", Pos: v.Pos,
		Value: plan.Value{Kind: plan.String, Text: wordsOf(v), Pos: v.Pos}})
}

// wordsOf is the text of a message: a string, or the text of its parts.
func wordsOf(v *plan.Value) string {
	if v.Kind != plan.List {
		return transcript.Leaves(v)
	}
	var words []string
	for i := range v.Items {
		if t := firstOf(&v.Items[i], []string{"text", "transcript", "refusal"}); t != nil {
			words = append(words, transcript.Leaves(t))
		}
	}
	return strings.Join(words, "\n")
}

// call emits a call once; those between two results were fixed together.
func (s *stateReader) call(raw, item *plan.Value, agent string) {
	id := cmp.Or(transcript.Str(raw, "call_id"), transcript.Str(raw, "callId"), transcript.Str(raw, "id"))
	if id != "" && s.seen[id] {
		return
	}
	s.seen[id] = true
	e := transcript.Event{Kind: transcript.Call, ID: id, Turn: s.turnKey(), Pos: raw.Pos,
		Tool:   cmp.Or(transcript.Str(raw, "name"), transcript.Str(item, "tool_name"), transcript.Str(item, "toolName")),
		Server: transcript.Str(raw, "server_label")}
	e.Value, e.RawArgs = callArgs(firstOf(raw, []string{"arguments", "input"}), raw.Pos)
	s.emit(e)
}

func (s *stateReader) turnKey() string {
	if s.key == "" {
		s.turn++
		s.key = "turn " + string(rune('0'+s.turn%10)) + string(rune('a'+s.turn/10%26))
	}
	return s.key
}

func (s *stateReader) result(raw, item *plan.Value, agent string) {
	s.key = ""
	e := transcript.Event{Kind: transcript.Result, Outcome: plan.Ran, Pos: raw.Pos,
		ID: cmp.Or(transcript.Str(raw, "call_id"), transcript.Str(raw, "callId"))}
	out := firstOf(raw, []string{"output"})
	if out == nil {
		out = firstOf(item, []string{"output"})
	}
	if out == nil {
		e.NoOutput, out = true, raw
	}
	e.Value = plan.Value{Kind: plan.String, Text: transcript.Leaves(out), Pos: out.Pos}
	s.emit(e)
}

// pending are the calls of the step at which the run stopped.
func (s *stateReader) pending(v *plan.Value) {
	data := firstOf(v, []string{"data"})
	if data == nil {
		data = v
	}
	list := transcript.Items(firstOf(data, []string{"interruptions"}))
	for i := range list {
		raw := firstOf(&list[i], []string{"raw_item", "rawItem"})
		if !isObject(raw) {
			raw = &list[i]
		}
		s.call(raw, &list[i], agentOf(&list[i]))
	}
}
