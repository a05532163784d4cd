package transcript

import (
	"strings"

	"github.com/planlint/planlint/plan"
)

// assistantBlocks reads the content blocks of an Anthropic message of role
// assistant. Results of the provider's tools stand between its calls; what the
// model asked for behind one it asked for knowing it, so a new turn begins.
func assistantBlocks(blocks []plan.Value, agent, turn string, words plan.TextKind, skip func(*plan.Value) bool, emit Emit) {
	for i := range blocks {
		b := &blocks[i]
		if skip != nil && skip(b) {
			continue
		}
		assistantBlock(b, agent, turn, words, emit)
		if isResult(str(b, "type")) {
			turn += "+"
		}
	}
}

func isResult(typ string) bool { return typ == "tool_result" || strings.HasSuffix(typ, "_tool_result") }

// assistantBlock reads one of them.
func assistantBlock(b *plan.Value, agent, turn string, words plan.TextKind, emit Emit) {
	typ := str(b, "type")
	switch {
	case b.Kind == plan.String:
		emitText(b, agent, words, "", emit)
	case typ == "text" || typ == "output_text" || typ == "":
		emitText(b, agent, words, "", emit)
	case typ == "tool_use" || typ == "server_tool_use" || typ == "mcp_tool_use" || typ == "tool_call":
		emit(anthropicCall(b, agent, turn))
	case isResult(typ):
		// A tool of the provider: its result is inside the model's message, and
		// its text comes from outside all the same.
		emit(anthropicResult(b, agent))
	case typ == "thinking" || typ == "redacted_thinking" || typ == "reasoning" || typ == "refusal" || typ == "image_url":
	default:
		emit(Event{Kind: Stray, Message: "assistant block type " + quote(typ), Pos: b.Pos})
	}
}

func anthropicCall(b *plan.Value, agent, turn string) Event {
	e := Event{Kind: Call, Agent: agent, Turn: turn, ID: str(b, "id"), Tool: str(b, "name"), Server: str(b, "server_name"), Pos: b.Pos}
	e.Value, e.RawArgs = arguments(member(b, "input"), b.Pos)
	return e
}

// arguments makes the arguments of a call from a JSON object, from the text of
// one, or, if it is neither, from the text as it stands.
func arguments(v *plan.Value, at plan.Position) (args plan.Value, raw bool) {
	if v == nil || v.Kind == plan.Null {
		return plan.Value{Kind: plan.Object, Pos: at}, false
	}
	switch v.Kind {
	case plan.Object:
		return *v, false
	case plan.String:
		return parseArguments(v)
	}
	return *v, true
}

// parseArguments reads an object out of a string. Its parts have the string's
// own position: what stands there is escaped.
func parseArguments(v *plan.Value) (plan.Value, bool) {
	if strings.TrimSpace(v.Text) == "" {
		return plan.Value{Kind: plan.Object, Pos: v.Pos}, false
	}
	d := NewDecoder(v.Text, 1)
	args, err := d.One(nil)
	if err != nil || args.Kind != plan.Object || d.Irregular()&(TooDeep|DuplicateKey) != 0 {
		return *v, true
	}
	place(&args, v.Pos)
	return args, false
}

func place(v *plan.Value, at plan.Position) {
	v.Pos = at
	for i := range v.Items {
		place(&v.Items[i], at)
	}
}

func anthropicResult(b *plan.Value, agent string) Event {
	e := Event{Kind: Result, Agent: agent, ID: str(b, "tool_use_id"), Outcome: plan.Ran, Pos: b.Pos, Labels: ifcLabels(b)}
	if flag(b, "is_error") || strings.HasSuffix(str(b, "content", "type"), "_error") {
		e.Outcome = plan.Failed
	}
	content := member(b, "content")
	if content == nil {
		content = &plan.Value{Kind: plan.String, Pos: b.Pos}
	}
	e.Value, e.Cut = output(content)
	e.Cut = e.Cut || isCut(e.Value.Text)
	return e
}

// output is what the model saw of a result: a string, or the text parts of a
// list, one a line. Parts that hold no text (images) make it incomplete.
func output(content *plan.Value) (v plan.Value, cut bool) {
	if content.Kind == plan.String || content.Kind == plan.Null {
		return oneText(content, content.Text), false
	}
	if content.Kind != plan.List {
		return oneText(content, leaves(content)), false
	}
	if len(content.Items) == 1 {
		text, ok := partText(&content.Items[0])
		if t := member(&content.Items[0], "text"); t != nil && t.Kind == plan.String {
			return *t, false
		}
		return oneText(content, text), !ok
	}
	var b strings.Builder
	for i := range content.Items {
		text, ok := partText(&content.Items[i])
		cut = cut || !ok
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(text)
	}
	return oneText(content, b.String()), cut
}

// partText is the text of one part of a content list; ok is false where the
// part holds something that is no text.
func partText(p *plan.Value) (text string, ok bool) {
	switch str(p, "type") {
	case "text", "input_text", "output_text", "":
		for _, key := range []string{"text", "content"} {
			if t := member(p, key); t != nil {
				return leaves(t), true
			}
		}
		return leaves(p), true
	case "image", "image_url", "input_image", "input_audio", "audio", "document", "file", "input_file", "resource_link", "video":
		// Never the bytes; a document may hold plain text.
		return strings.TrimSpace(str(p, "source", "data_text") + documentText(p)), false
	}
	return leaves(p), true
}

func documentText(p *plan.Value) string {
	if str(p, "source", "type") == "text" {
		return str(p, "source", "data")
	}
	return ""
}

// emitText emits a string, or the text parts of a list, as one text each.
func emitText(v *plan.Value, agent string, kind plan.TextKind, origin string, emit Emit) {
	if !present(v) {
		return
	}
	for i := range items(v) {
		emitText(&v.Items[i], agent, kind, origin, emit)
	}
	if v.Kind == plan.List {
		return
	}
	if text, _ := partValue(v); text.Text != "" {
		emit(Event{Kind: Text, Agent: agent, TextKind: kind, Value: text, Origin: origin, Pos: v.Pos})
	}
}

// partValue is the text of a content part with its own place.
func partValue(v *plan.Value) (plan.Value, bool) {
	if v.Kind == plan.String {
		return *v, true
	}
	for _, key := range []string{"text", "content"} {
		if t := member(v, key); t != nil && t.Kind == plan.String && str(v, "source") == "" {
			return *t, true
		}
	}
	text, ok := partText(v)
	return oneText(v, text), ok
}

// emitMessage emits what stands in a message of role user: words, cut into
// what a person may have typed and what a client wrapped, and attachments.
func emitMessage(content *plan.Value, agent string, kind plan.TextKind, emit Emit) {
	if !present(content) {
		return
	}
	if content.Kind == plan.String {
		emitWords(content, agent, kind, emit)
		return
	}
	for i := range items(content) {
		part := &content.Items[i]
		text, isText := partValue(part)
		switch {
		case str(part, "type") == "tool_result":
		case isText:
			emitWords(&text, agent, kind, emit)
		default:
			emit(Event{Kind: Text, Agent: agent, TextKind: plan.TextAttachment, Value: text, Origin: str(part, "type"), Pos: part.Pos})
		}
	}
}
