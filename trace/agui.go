package trace

import (
	"cmp"
	"strings"

	"github.com/planlint/planlint/internal/transcript"
	"github.com/planlint/planlint/plan"
)

// agUI reads a stream of AG-UI events. Arguments come in pieces; what has no
// result at the end of a run is what waits for a decision.
func (r *reader) agUI(values []plan.Value) []*plan.Plan {
	b := r.builder()
	s := &uiStream{emit: b.Add, prompt: r.opts.promptKind(), calls: make(map[string]*uiCall)}
	for i := range values {
		s.event(&values[i])
	}
	s.flush()
	return []*plan.Plan{b.Plan()}
}

// uiCall is a call whose arguments are still coming.
type uiCall struct {
	id, tool, turn string
	args           strings.Builder
	pos, argsPos   plan.Position
	done           bool
}

type uiStream struct {
	emit   transcript.Emit
	prompt plan.TextKind
	calls  map[string]*uiCall
	order  []*uiCall
	role   string
	text   strings.Builder
	at     plan.Position
}

// uiIgnored are events about the run and the page.
var uiIgnored = []string{"STEP_", "STATE_", "ACTIVITY_", "THINKING_", "REASONING_", "RAW", "CUSTOM", "RUN_ERROR"}

func (s *uiStream) event(v *plan.Value) {
	id := cmp.Or(transcript.Str(v, "toolCallId"), transcript.Str(v, "tool_call_id"))
	switch typ := transcript.Str(v, "type"); typ {
	case "TOOL_CALL_START":
		c := &uiCall{id: id, tool: cmp.Or(transcript.Str(v, "toolCallName"), transcript.Str(v, "tool_call_name")),
			turn: transcript.Str(v, "parentMessageId"), pos: v.Pos, argsPos: v.Pos}
		s.calls[id] = c
		s.order = append(s.order, c)
	case "TOOL_CALL_ARGS", "TOOL_CALL_CHUNK":
		if c := s.calls[id]; c != nil {
			if d := transcript.Member(v, "delta"); d != nil {
				c.args.WriteString(d.Text)
				c.argsPos = d.Pos
			}
		}
	case "TOOL_CALL_END":
	case "TOOL_CALL_RESULT":
		s.flush()
		content := transcript.Member(v, "content")
		e := transcript.Event{Kind: transcript.Result, ID: id, Outcome: plan.Ran, Pos: v.Pos, NoOutput: content == nil}
		if content != nil {
			e.Value = plan.Value{Kind: plan.String, Text: transcript.Leaves(content), Pos: content.Pos}
		}
		s.emit(e)
	case "TEXT_MESSAGE_START":
		s.role, s.at = transcript.Str(v, "role"), v.Pos
	case "TEXT_MESSAGE_CONTENT":
		s.text.WriteString(transcript.Str(v, "delta"))
	case "TEXT_MESSAGE_END":
		s.message()
	case "RUN_STARTED", "MESSAGES_SNAPSHOT":
		s.messages(v)
	case "RUN_FINISHED":
		s.flush()
	default:
		for _, family := range uiIgnored {
			if strings.HasPrefix(typ, family) {
				return
			}
		}
		s.emit(transcript.Event{Kind: transcript.Stray, Message: "event type " + typ, Pos: v.Pos})
	}
}

// flush emits the calls whose arguments are all there.
func (s *uiStream) flush() {
	for _, c := range s.order {
		if c.done {
			continue
		}
		c.done = true
		e := transcript.Event{Kind: transcript.Call, ID: c.id, Tool: c.tool, Turn: c.turn, Pos: c.pos}
		text := plan.Value{Kind: plan.String, Text: c.args.String(), Pos: c.argsPos}
		e.Value, e.RawArgs = callArgs(&text, c.argsPos)
		if strings.TrimSpace(text.Text) == "" {
			e.Value, e.RawArgs = plan.Value{Kind: plan.Object, Pos: c.pos}, false
		}
		s.emit(e)
	}
	s.order = s.order[:0]
}

func (s *uiStream) message() {
	kind := plan.TextModel
	if s.role == "user" {
		kind = s.prompt
	}
	s.emit(transcript.Event{Kind: transcript.Text, TextKind: kind, Pos: s.at,
		Value: plan.Value{Kind: plan.String, Text: s.text.String(), Pos: s.at}})
	s.text.Reset()
}

// messages reads the user's words that a run was started with.
func (s *uiStream) messages(v *plan.Value) {
	list := transcript.Items(transcript.Member(v, "messages"))
	if input := transcript.Member(v, "input"); len(list) == 0 && input != nil {
		list = transcript.Items(transcript.Member(input, "messages"))
	}
	for i := range list {
		if content := transcript.Member(&list[i], "content"); content != nil && transcript.Str(&list[i], "role") == "user" {
			s.emit(transcript.Event{Kind: transcript.Text, TextKind: s.prompt, Pos: content.Pos,
				Value: plan.Value{Kind: plan.String, Text: transcript.Leaves(content), Pos: content.Pos}})
		}
	}
}
