package transcript

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/planlint/planlint/plan"
)

// Messages reads conversations as the model APIs have them: OpenAI chat
// completions and their many cousins (AgentDojo, tau2, Inspect, Invariant),
// and Anthropic messages. A message of role user is the user's, since such
// logs have no harness of their own, but what known clients wrap in elements
// is told apart.
type Messages struct {
	// PromptKind is what role user means: the user's words, unless the caller
	// knows better.
	PromptKind plan.TextKind
	n          int
}

// Shape implements Client: messages are small, all of them is wanted.
func (m *Messages) Shape() Shape { return nil }

// Close implements Client.
func (m *Messages) Close(Emit) {}

// Record implements Client; the record is one message.
func (m *Messages) Record(r *Record, emit Emit) { m.Message(&r.Value, emit) }

// Message reads one message. Each one of the model is a turn.
func (m *Messages) Message(v *plan.Value, emit Emit) {
	turn := "message " + strconv.Itoa(m.n)
	m.n++
	content := member(v, "content")
	switch role := str(v, "role"); role {
	case "system", "developer":
		emitText(content, "", plan.TextSystem, "", emit)
	case "user", "human":
		m.user(v, content, turn, emit)
	case "assistant", "model", "ai":
		m.assistant(v, content, "", turn, emit)
	case "tool", "function":
		m.result(v, content, emit)
	default:
		if role == "" && str(v, "type") != "" {
			role = "type " + str(v, "type")
		}
		emit(Event{Kind: Stray, Message: "message role " + quote(role), Pos: v.Pos})
		emitText(content, "", plan.TextUnknown, role, emit)
	}
}

func (m *Messages) user(v, content *plan.Value, turn string, emit Emit) {
	kind := m.PromptKind
	for i := range items(content) {
		if b := &content.Items[i]; str(b, "type") == "tool_result" {
			emit(anthropicResult(b, ""))
			kind = plan.TextUnknown
		}
	}
	emitMessage(content, "", kind, emit)
	if calls := member(v, "tool_calls"); len(items(calls)) > 0 {
		// A simulated user with tools of its own (tau2).
		m.calls(v, "user", turn, emit)
	}
}

func (m *Messages) assistant(v, content *plan.Value, agent, turn string, emit Emit) {
	if content != nil && content.Kind == plan.String {
		emitText(content, agent, plan.TextModel, "", emit)
	}
	assistantBlocks(items(content), agent, turn, plan.TextModel, nil, emit)
	m.calls(v, agent, turn, emit)
}

func (m *Messages) calls(v *plan.Value, agent, turn string, emit Emit) {
	calls := items(member(v, "tool_calls"))
	for i := range calls {
		emit(chatCall(&calls[i], agent, turn))
	}
	if f := member(v, "function_call"); present(f) && len(calls) == 0 {
		emit(chatCall(f, agent, turn))
	}
}

// chatCall reads {id, function: {name, arguments}} and its flat forms.
func chatCall(c *plan.Value, agent, turn string) Event {
	e := Event{Kind: Call, Agent: agent, Turn: turn, ID: str(c, "id"), Pos: c.Pos}
	f := member(c, "function")
	e.Tool = cmp.Or(str(f, "name"), str(c, "function"), str(c, "name"), str(c, "custom", "name"))
	e.Server = str(c, "server")
	var args *plan.Value
	for _, a := range []*plan.Value{at(f, "arguments"), at(c, "arguments"), at(c, "args"), at(c, "input"), at(c, "custom", "input")} {
		if args == nil && a != nil {
			args = a
		}
	}
	e.Value, e.RawArgs = arguments(args, c.Pos)
	return e
}

func (m *Messages) result(v, content *plan.Value, emit Emit) {
	e := Event{Kind: Result, Pos: v.Pos, Outcome: plan.Ran, Labels: ifcLabels(v, content)}
	e.ID = cmp.Or(str(v, "tool_call_id"), str(v, "tool_call", "id"), str(v, "id"))
	e.Tool = cmp.Or(str(v, "tool_name"), str(v, "tool_call", "function"), str(v, "name"), str(v, "function"))
	if content == nil {
		content, e.NoOutput = &plan.Value{Kind: plan.String, Pos: v.Pos}, true
	}
	if isData(content) {
		e.Value = *content // as it is, with its fields
	} else {
		e.Value, e.Cut = output(content)
		e.Cut = e.Cut || isCut(e.Value.Text)
	}
	if err := member(v, "error"); present(err) && err.Text != "false" && (err.Text != "" || err.Kind == plan.Object) {
		e.Outcome = plan.Failed
		if e.Value.Text == "" {
			e.Value = oneText(err, leaves(err))
		}
	}
	emit(e)
}

// isData reports whether a tool message's content is what the tool returned as data,
// and no list of parts that a model is shown: a part says its type, or is a text only.
func isData(content *plan.Value) bool {
	switch content.Kind {
	case plan.Object:
		return !isPart(content)
	case plan.List:
		return len(content.Items) > 0 && !slices.ContainsFunc(content.Items, func(v plan.Value) bool { return isPart(&v) })
	}
	return false
}

func isPart(v *plan.Value) bool {
	if v.Kind != plan.Object {
		return v.Kind == plan.String
	}
	typ := str(v, "type")
	if typ == "" {
		return len(v.Items) == 1 && member(v, "text") != nil
	}
	return slices.ContainsFunc(partMembers[typ], func(key string) bool { return member(v, key) != nil })
}

// partMembers are the types of parts, and what a part of that type has.
var partMembers = map[string][]string{
	"text": {"text", "content"}, "input_text": {"text"}, "output_text": {"text"}, "json": {"json"},
	"image": {"source", "data", "image"}, "image_url": {"image_url"}, "input_image": {"image_url", "file_id"}, "audio": {"data", "audio"}, "input_audio": {"input_audio"},
	"video": {"source", "data"}, "document": {"source"}, "file": {"file"}, "input_file": {"file_id", "file_data", "file_url"}, "resource": {"resource"},
	"resource_link": {"uri"}, "tool_result": {"content"},
}
