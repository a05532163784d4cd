package transcript

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/planlint/planlint/plan"
)

// Gemini reads chats of Gemini CLI, in JSON and as JSON lines, and those of
// Qwen Code, which have Gemini's parts inside Claude Code's records. A record
// is written again whenever one of its calls moves on; what is new in it is
// read then. What a rewind took back did happen and stays.
type Gemini struct {
	// PromptKind is what typed words are: the user's, unless the caller knows.
	PromptKind plan.TextKind

	// seen are the records and calls that were read: id of the record, and of
	// the call behind a zero byte; answered those with a result.
	seen, answered map[string]bool
	n              int
}

// NewGemini returns a reader for one file.
func NewGemini(prompt plan.TextKind) *Gemini {
	return &Gemini{PromptKind: prompt, seen: map[string]bool{}, answered: map[string]bool{}}
}

// Shape implements Client.
func (g *Gemini) Shape() Shape { return nil }

// Close implements Client.
func (g *Gemini) Close(Emit) {}

// Record implements Client; the record is a line, or a whole session.
func (g *Gemini) Record(r *Record, emit Emit) {
	v := &r.Value
	switch {
	case member(v, "$set") != nil:
		g.each(at(v, "$set", "messages"), emit)
	case member(v, "$rewindTo") != nil:
	case member(v, "parts") != nil || at(v, "message", "parts") != nil || str(v, "provenance") != "":
		g.qwen(v, emit)
	case member(v, "projectHash") != nil || member(v, "messages") != nil:
		emit(Event{Kind: Session, ID: str(v, "sessionId"), Pos: v.Pos})
		g.each(member(v, "messages"), emit)
	default:
		g.message(v, emit)
	}
}

func (g *Gemini) each(list *plan.Value, emit Emit) {
	for i := range items(list) {
		g.message(&list.Items[i], emit)
	}
}

// message reads a record of Gemini's own.
func (g *Gemini) message(v *plan.Value, emit Emit) {
	id := cmp.Or(str(v, "id"), "message "+strconv.Itoa(g.n))
	g.n++
	again := g.seen[id]
	g.seen[id] = true
	content := member(v, "content")
	switch typ := str(v, "type"); typ {
	case "user":
		if !again && !flag(v, "isIgnoredUserContent") {
			g.user(content, g.PromptKind, emit)
		}
	case "gemini":
		if !again {
			emitText(content, "", plan.TextModel, "", emit)
		}
		calls := items(member(v, "toolCalls"))
		for i := range calls {
			g.toolCall(&calls[i], id, emit)
		}
	case "info", "error", "warning", "":
	default:
		emit(Event{Kind: Stray, Message: "record type " + quote(typ), Pos: v.Pos})
	}
}

// toolCall reads a call with its result, as far as they are new.
func (g *Gemini) toolCall(t *plan.Value, turn string, emit Emit) {
	id := str(t, "id")
	key := turn + "\x00" + id
	if !g.seen[key] {
		g.seen[key] = true
		e := Event{Kind: Call, Turn: turn, ID: id, Tool: str(t, "name"), Pos: t.Pos}
		e.Value, e.RawArgs = arguments(member(t, "args"), t.Pos)
		emit(e)
	}
	status := str(t, "status")
	if g.answered[key] || status == "" || strings.HasPrefix(status, "awaiting") || status == "executing" || status == "scheduled" || status == "validating" {
		return
	}
	g.answered[key] = true
	if id != "" {
		g.answered[id] = true
	}
	results := items(member(t, "result"))
	var response *plan.Value
	for i := range results {
		if f := at(&results[i], "functionResponse", "response"); f != nil {
			response = f
			break
		}
	}
	g.result(t, id, response, status == "error", status == "cancelled", emit)
}

// blocked are how Gemini CLI words it that a hook or policy stopped a call.
var blocked = []string{"Tool execution blocked:", "Tool execution denied", "Tool execution stopped"}

func (g *Gemini) result(v *plan.Value, id string, response *plan.Value, failed, refused bool, emit Emit) {
	e := Event{Kind: Result, ID: id, Tool: str(v, "name"), Outcome: plan.Ran, Pos: v.Pos}
	if failed || present(member(response, "error")) {
		e.Outcome = plan.Failed
	}
	switch text := bestOf(response); {
	case text != nil:
		e.Value = oneText(text, leaves(text))
		e.Cut = isCut(e.Value.Text)
	default:
		e.NoOutput = true
	}
	for _, b := range blocked {
		if e.Outcome == plan.Failed && strings.HasPrefix(e.Value.Text, b) {
			e.Outcome, e.ByText = plan.Blocked, true
		}
	}
	if refused {
		e.Outcome, e.ByText = plan.Refused, false
	}
	emit(e)
}

// bestOf is the part of a response that the model reads.
func bestOf(response *plan.Value) *plan.Value {
	for _, key := range []string{"output", "error"} {
		if m := member(response, key); present(m) {
			return m
		}
	}
	if present(response) {
		return response
	}
	return nil
}

// user reads a message of role user: words, and results that no call record
// had.
func (g *Gemini) user(content *plan.Value, kind plan.TextKind, emit Emit) {
	if content != nil && content.Kind == plan.String {
		emitWords(content, "", kind, emit)
		return
	}
	for i := range items(content) {
		part := &content.Items[i]
		if f := member(part, "functionResponse"); f != nil {
			id := str(f, "id")
			if id == "" || !g.answered[id] {
				g.answered[id] = true
				g.result(f, id, member(f, "response"), false, false, emit)
			}
			continue
		}
		one := plan.Value{Kind: plan.List, Items: content.Items[i : i+1], Pos: content.Pos}
		emitMessage(&one, "", kind, emit)
	}
}

// qwen reads a record of Qwen Code, or a bare message of Gemini's API.
func (g *Gemini) qwen(v *plan.Value, emit Emit) {
	id := cmp.Or(str(v, "uuid"), "message "+strconv.Itoa(g.n))
	g.n++
	if g.seen[id] {
		return
	}
	g.seen[id] = true
	if g.n == 1 {
		emit(Event{Kind: Session, ID: str(v, "sessionId"), Cwd: str(v, "cwd"), Pos: v.Pos})
	}
	parts := at(v, "message", "parts")
	if parts == nil {
		parts = member(v, "parts")
	}
	switch typ := cmp.Or(str(v, "type"), str(v, "role")); typ {
	case "user":
		kind := g.PromptKind
		if p := str(v, "provenance"); p != "" && p != "real_user" {
			kind = plan.TextHook
		}
		g.user(parts, kind, emit)
	case "assistant", "model":
		g.model(parts, id, emit)
	case "tool_result", "function":
		g.qwenResult(v, parts, emit)
	case "system":
		if str(v, "subtype") == "chat_compression" {
			emitText(oneLeaf(member(v, "systemPayload")), "", plan.TextSummary, "", emit)
		}
	default:
		emit(Event{Kind: Stray, Message: "record type " + quote(typ), Pos: v.Pos})
	}
}

func (g *Gemini) model(parts *plan.Value, turn string, emit Emit) {
	for i := range items(parts) {
		part := &parts.Items[i]
		f := member(part, "functionCall")
		if f == nil {
			if !flag(part, "thought") {
				emitText(member(part, "text"), "", plan.TextModel, "", emit)
			}
			continue
		}
		e := Event{Kind: Call, Turn: turn, ID: str(f, "id"), Tool: str(f, "name"), Pos: f.Pos}
		e.Value, e.RawArgs = arguments(member(f, "args"), f.Pos)
		emit(e)
	}
}

func (g *Gemini) qwenResult(v, parts *plan.Value, emit Emit) {
	info := member(v, "toolCallResult")
	for i := range items(parts) {
		f := member(&parts.Items[i], "functionResponse")
		if f == nil {
			emitText(&parts.Items[i], "", plan.TextUnknown, "", emit)
			continue
		}
		id := cmp.Or(str(f, "id"), str(info, "callId"))
		if str(info, "executionStatus") == "not_started" {
			e := Event{Kind: Result, ID: id, Tool: str(f, "name"), Outcome: plan.Blocked, Pos: f.Pos}
			if t := bestOf(member(f, "response")); t != nil {
				e.Value = oneText(t, leaves(t))
			}
			emit(e)
			continue
		}
		g.result(f, id, member(f, "response"), str(info, "status") == "error", str(info, "status") == "cancelled", emit)
	}
}
