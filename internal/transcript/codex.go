package transcript

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/planlint/planlint/plan"
)

// Codex reads rollouts of Codex: the items that the model saw (response_item),
// and of the other records what says who typed a message and how a call ended.
// Calls in a row, with nothing of the outside between them, are one turn.
type Codex struct {
	// PromptKind is what typed words are: the user's, unless the caller knows.
	PromptKind plan.TextKind

	turn int
	// calling: the last item of the conversation was a call.
	calling bool
	// held is a message of role user that nothing has marked as typed yet.
	held *plan.Value
	// typed is the last text that a record of the client says was typed.
	typed string
	// failed are the calls that the client's own records say failed; calls
	// those that were read.
	failed map[string]bool
	calls  map[string]bool
	begun  bool
	// bare: the old generation without envelopes.
	bare bool
}

// NewCodex returns a reader for one file.
func NewCodex(prompt plan.TextKind) *Codex {
	return &Codex{PromptKind: prompt, failed: map[string]bool{}, calls: map[string]bool{}}
}

var codexItemShape = Shape{
	"type": nil, "id": nil, "call_id": nil, "role": nil, "content": nil, "name": nil, "namespace": nil, "arguments": nil,
	"input": nil, "action": nil, "output": nil, "status": nil, "message": nil, "cwd": nil, "reason": nil, "instructions": nil,
	"function": nil, "result": nil, "invocation": {"server": nil, "tool": nil, "arguments": nil},
	"item": {"type": nil, "id": nil, "content": nil, "exit_code": nil, "status": nil}, "exit_code": nil, "success": nil,
	"internal_chat_message_metadata_passthrough": {"content_item_metadata": nil, "content_item_kinds": nil},
}

var codexShape = func() Shape {
	s := Shape{"payload": codexItemShape, "record_type": nil, "timestamp": nil}
	for k, v := range codexItemShape {
		s[k] = v
	}
	return s
}()

// Shape implements Client.
func (c *Codex) Shape() Shape { return codexShape }

// Close implements Client.
func (c *Codex) Close(emit Emit) { c.flush(emit) }

// Record implements Client.
func (c *Codex) Record(r *Record, emit Emit) {
	v := &r.Value
	payload := member(v, "payload")
	switch typ := str(v, "type"); typ {
	case "session_meta":
		if !c.begun {
			c.begun = true
			emit(Event{Kind: Session, ID: str(payload, "id"), Cwd: str(payload, "cwd"), Pos: v.Pos})
		}
	case "response_item":
		c.item(payload, emit)
	case "event_msg":
		c.event(payload, emit)
	case "compacted":
		// The replaced history is a copy; the summary is the model's.
		c.flush(emit)
		emitText(member(payload, "message"), "", plan.TextSummary, typ, emit)
	case "turn_context", "world_state", "token_usage_record", "inter_agent_communication_metadata", "ghost_snapshot":
	case "":
		if str(v, "record_type") == "" && str(v, "id") == "" {
			emit(Event{Kind: Stray, Message: "record without a type", Pos: v.Pos})
		}
	default:
		c.bare = c.bare || payload == nil
		if payload == nil {
			c.item(v, emit)
			return
		}
		emit(Event{Kind: Stray, Message: "record type " + quote(typ), Pos: v.Pos})
	}
}

// item reads one item of the model's conversation.
func (c *Codex) item(p *plan.Value, emit Emit) {
	if p == nil {
		return
	}
	typ := str(p, "type")
	switch typ {
	case "message":
		c.message(p, emit)
	case "function_call", "custom_tool_call", "local_shell_call", "web_search_call", "tool_search_call", "tool_call", "image_generation_call":
		c.call(p, typ, emit)
	case "function_call_output", "custom_tool_call_output", "tool_search_output", "local_shell_call_output", "tool_result":
		c.output(p, emit)
	case "reasoning", "ghost_snapshot", "compaction", "additional_tools":
	default:
		emit(Event{Kind: Stray, Message: "item type " + quote(typ), Pos: p.Pos})
	}
}

func (c *Codex) call(p *plan.Value, typ string, emit Emit) {
	c.flush(emit)
	if !c.calling {
		c.turn++
	}
	c.calling = true
	e := Event{Kind: Call, Turn: strconv.Itoa(c.turn), Pos: p.Pos,
		ID: cmp.Or(str(p, "call_id"), str(p, "id")), Tool: cmp.Or(str(p, "name"), str(p, "function", "name"), strings.TrimSuffix(typ, "_call")),
		Server: strings.TrimPrefix(str(p, "namespace"), "mcp__")}
	args := member(p, "arguments")
	for _, key := range []string{"action", "input"} {
		if m := member(p, key); args == nil && m != nil {
			args = m
		}
	}
	if typ == "custom_tool_call" && args != nil && args.Kind == plan.String {
		// Free text by design (a patch): one argument, not a broken object.
		e.Value = plan.Value{Kind: plan.Object, Keys: []string{"input"}, Items: []plan.Value{*args}, Pos: args.Pos}
	} else {
		e.Value, e.RawArgs = arguments(args, p.Pos)
	}
	c.calls[e.ID] = true
	emit(e)
	if typ == "web_search_call" || typ == "image_generation_call" {
		emit(Event{Kind: Result, ID: e.ID, Outcome: plan.Ran, NoOutput: true, Pos: p.Pos})
	}
}

var codexExit = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:exited with code|"exit_code":|Exit code:) ?(-?[0-9]+)`)
})

// codexRefusals are how Codex words it that a call did not run.
var codexRefusals = []string{"Command blocked by PreToolUse hook", "Tool call blocked by PreToolUse hook",
	"exec command rejected by user", "patch rejected by user", "rejected by user approval settings"}

func (c *Codex) output(p *plan.Value, emit Emit) {
	c.flush(emit)
	c.calling = false
	e := Event{Kind: Result, ID: str(p, "call_id"), Tool: str(p, "name"), Outcome: plan.Ran, Pos: p.Pos}
	out := member(p, "output")
	if out == nil {
		out = member(p, "result")
	}
	if out == nil {
		out = &plan.Value{Kind: plan.String, Pos: p.Pos}
	}
	e.Value, e.Cut = output(out)
	e.Cut = e.Cut || isCut(e.Value.Text)
	head := e.Value.Text[:min(len(e.Value.Text), 400)]
	if m := codexExit().FindStringSubmatch(head); m != nil && m[1] != "0" || c.failed[e.ID] {
		e.Outcome = plan.Failed
	}
	for _, r := range codexRefusals {
		if strings.HasPrefix(head, r) {
			e.Outcome, e.ByText = plan.Blocked, true
			if strings.Contains(r, "by user") {
				e.Outcome = plan.Refused
			}
		}
	}
	emit(e)
}

// message reads a message item. Of role user it may be typed, or be what the
// harness put there; the client's own marks and records say which.
func (c *Codex) message(p *plan.Value, emit Emit) {
	c.flush(emit)
	content := member(p, "content")
	switch role := str(p, "role"); role {
	case "assistant":
		emitText(content, "", plan.TextModel, "", emit)
	case "user":
		c.calling = false
		meta := at(p, "internal_chat_message_metadata_passthrough", "content_item_metadata")
		if present(meta) {
			c.marked(content, meta, emit)
		} else if content != nil {
			c.held = content
		}
	case "developer", "system":
		c.calling = false
		emitText(content, "", plan.TextSystem, role, emit)
	default:
		emit(Event{Kind: Stray, Message: "message role " + quote(role), Pos: p.Pos})
	}
}

// marked emits a message whose parts say where they come from.
func (c *Codex) marked(content, meta *plan.Value, emit Emit) {
	marks := items(meta)
	for i := range items(content) {
		kind := plan.TextUnknown
		if i < len(marks) {
			switch str(&marks[i], "provenance", "type") {
			case "user":
				kind = c.PromptKind
			case "harness", "skills":
				kind = plan.TextHook
			}
		}
		part := plan.Value{Kind: plan.List, Items: content.Items[i : i+1], Pos: content.Pos}
		emitMessage(&part, "", kind, emit)
	}
}

// flush emits a held message that no record says was typed.
func (c *Codex) flush(emit Emit) {
	if c.held == nil {
		return
	}
	held := c.held
	c.held = nil
	whole, _ := output(held)
	text, typed := strings.TrimSpace(whole.Text), strings.TrimSpace(c.typed)
	switch {
	case c.bare || typed != "" && text == typed:
		c.typed = ""
		emitMessage(held, "", c.PromptKind, emit)
	case typed != "" && strings.HasSuffix(text, typed):
		// An editor's context stands before the typed words.
		c.typed = ""
		emitMessage(held, "", plan.TextAttachment, emit)
		emit(Event{Kind: Text, TextKind: c.PromptKind, Value: oneText(held, typed), Pos: held.Pos})
	default:
		emitMessage(held, "", plan.TextUnknown, emit)
	}
}

// event reads a record of the client about its own doings.
func (c *Codex) event(p *plan.Value, emit Emit) {
	switch str(p, "type") {
	case "user_message":
		c.wasTyped(member(p, "message"), emit)
	case "item_completed":
		item := member(p, "item")
		if str(item, "type") == "CommandExecution" && str(item, "status") == "failed" {
			c.failed[str(item, "id")] = true
		}
	case "exec_command_end", "patch_apply_end":
		code := member(p, "exit_code")
		ok := member(p, "success")
		if code != nil && code.Text != "0" || ok != nil && ok.Text == "false" {
			c.failed[str(p, "call_id")] = true
		}
	case "mcp_tool_call_end":
		c.mcp(p, emit)
	case "turn_aborted":
		c.flush(emit)
		c.calling = false
		emit(Event{Kind: Aborted, Pos: p.Pos})
	}
}

// wasTyped marks the held message, or the next one, as the user's.
func (c *Codex) wasTyped(msg *plan.Value, emit Emit) {
	if msg == nil || msg.Kind != plan.String || msg.Text == "" {
		return
	}
	c.typed = msg.Text
	c.flush(emit)
}

// mcp reads a call of an outside server that has no item of its own.
func (c *Codex) mcp(p *plan.Value, emit Emit) {
	id := str(p, "call_id")
	if c.calls[id] {
		return
	}
	c.calls[id] = true
	c.turn++
	e := Event{Kind: Call, ID: id, Turn: strconv.Itoa(c.turn), Tool: str(p, "invocation", "tool"), Server: str(p, "invocation", "server"), Pos: p.Pos}
	e.Value, e.RawArgs = arguments(at(p, "invocation", "arguments"), p.Pos)
	emit(e)
	out := Event{Kind: Result, ID: id, Outcome: plan.Ran, Pos: p.Pos}
	res := member(p, "result")
	out.Labels = ifcLabels(res, at(res, "Ok"))
	if present(at(res, "Err")) || flag(res, "Ok", "isError") {
		out.Outcome = plan.Failed
	}
	if content := at(res, "Ok", "content"); content != nil {
		out.Value, out.Cut = output(content)
	} else if res != nil {
		out.Value = oneText(res, leaves(res))
	} else {
		out.NoOutput = true
	}
	emit(out)
}
