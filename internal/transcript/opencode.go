package transcript

import (
	"cmp"
	"strings"

	"github.com/planlint/planlint/plan"
)

// OpenCode reads what `opencode export` writes: {info, messages: [{info,
// parts}]}. A part of type tool is a call with its result.
type OpenCode struct {
	// PromptKind is what typed words are: the user's, unless the caller knows.
	PromptKind plan.TextKind
}

// Shape implements Client.
func (o *OpenCode) Shape() Shape { return nil }

// Close implements Client.
func (o *OpenCode) Close(Emit) {}

// Record implements Client; the record is a whole session.
func (o *OpenCode) Record(r *Record, emit Emit) {
	info := member(&r.Value, "info")
	emit(Event{Kind: Session, ID: str(info, "id"), Cwd: str(info, "directory"), Pos: r.Value.Pos})
	messages := items(member(&r.Value, "messages"))
	for i := range messages {
		o.Message(member(&messages[i], "info"), items(member(&messages[i], "parts")), emit)
	}
}

// Message reads one message and its parts, in their order.
func (o *OpenCode) Message(info *plan.Value, parts []plan.Value, emit Emit) {
	role, turn := str(info, "role"), str(info, "id")
	if cwd := str(info, "path", "cwd"); cwd != "" {
		emit(Event{Kind: Session, Cwd: cwd, Pos: info.Pos})
	}
	for i := range parts {
		o.part(&parts[i], role, turn, flag(info, "summary"), emit)
	}
}

func (o *OpenCode) part(p *plan.Value, role, turn string, summary bool, emit Emit) {
	switch typ := str(p, "type"); typ {
	case "text":
		kind := plan.TextModel
		switch {
		case summary && role == "assistant":
			kind = plan.TextSummary
		case role == "user" && flag(p, "synthetic"):
			kind = plan.TextHook
		case role == "user":
			kind = o.PromptKind
		}
		if t := member(p, "text"); t != nil && t.Kind == plan.String && kind == o.PromptKind {
			emitWords(t, "", kind, emit)
		} else {
			emitText(t, "", kind, "", emit)
		}
	case "tool":
		o.tool(p, turn, emit)
	case "file":
		emit(Event{Kind: Text, TextKind: plan.TextAttachment, Value: oneText(p, leaves(member(p, "source"))), Origin: cmp.Or(str(p, "filename"), "file"), Pos: p.Pos})
	case "subtask", "agent":
		emitText(oneLeaf(p), "", plan.TextHook, typ, emit)
	case "reasoning", "step-start", "step-finish", "patch", "snapshot", "compaction", "retry":
	default:
		emit(Event{Kind: Stray, Message: "part type " + quote(typ), Pos: p.Pos})
	}
}

func (o *OpenCode) tool(p *plan.Value, turn string, emit Emit) {
	state := member(p, "state")
	call := Event{Kind: Call, Turn: turn, ID: str(p, "callID"), Tool: str(p, "tool"), Pos: p.Pos}
	call.Value, call.RawArgs = arguments(member(state, "input"), p.Pos)
	emit(call)
	status := str(state, "status")
	if status != "completed" && status != "error" {
		return
	}
	e := Event{Kind: Result, ID: call.ID, Tool: call.Tool, Outcome: plan.Ran, Pos: p.Pos}
	out := member(state, "output")
	if status == "error" {
		e.Outcome, out = plan.Failed, member(state, "error")
	}
	if code := at(state, "metadata", "exit"); call.Tool == "invalid" || present(code) && code.Text != "0" {
		e.Outcome = plan.Failed
	}
	if out == nil {
		e.NoOutput = true
	} else {
		e.Value, e.Cut = output(out)
	}
	e.Cut = e.Cut || flag(state, "metadata", "truncated") || isCut(e.Value.Text)
	if status == "error" && strings.HasPrefix(e.Value.Text, "The user rejected permission") {
		e.Outcome, e.ByText = plan.Refused, true
	}
	emit(e)
}
