package transcript

import (
	"cmp"
	"strings"

	"github.com/planlint/planlint/plan"
)

// Copilot reads the events of Copilot CLI. What the model asked for and what
// came back count; hooks and permissions repeat both.
type Copilot struct {
	// PromptKind is what typed words are: the user's, unless the caller knows.
	PromptKind plan.TextKind

	calls map[string]bool
	seen  map[string]bool
	spawn map[string]bool
}

// NewCopilot returns a reader for one file.
func NewCopilot(prompt plan.TextKind) *Copilot {
	return &Copilot{PromptKind: prompt, calls: map[string]bool{}, seen: map[string]bool{}, spawn: map[string]bool{}}
}

var copilotShape = Shape{
	"type": nil, "id": nil, "agentId": nil,
	"data": {
		"sessionId": nil, "context": {"cwd": nil}, "content": nil, "transformedContent": nil, "source": nil,
		"isAutopilotContinuation": nil, "attachments": nil, "messageId": nil, "toolRequests": nil, "toolCallId": nil,
		"toolName": nil, "arguments": nil, "success": nil, "result": {"content": nil, "contents": nil, "_meta": nil, "mcpMeta": nil}, "error": nil,
		"agentName": nil, "parentToolCallId": nil, "mcpMeta": nil, "_meta": nil, "agentId": nil, "summaryContent": nil, "mcpServerName": nil, "mcpToolName": nil,
	},
}

// Shape implements Client.
func (c *Copilot) Shape() Shape { return copilotShape }

// Close implements Client.
func (c *Copilot) Close(Emit) {}

// copilotIgnored are the families of events about the client itself.
var copilotIgnored = []string{"hook.", "session.", "assistant.", "permission.", "tool.", "subagent.", "skill.", "elicitation.",
	"external_tool.", "command.", "pending_messages.", "mcp.", "exit_plan_mode.", "user_input.", "sampling.", "auto_mode", "commands.", "capabilities."}

// Record implements Client.
func (c *Copilot) Record(r *Record, emit Emit) {
	v := &r.Value
	id := str(v, "id")
	if id != "" && c.seen[id] {
		return
	}
	c.seen[id] = true
	data := member(v, "data")
	agent := c.agent(v, data, emit)
	switch typ := str(v, "type"); typ {
	case "session.start", "session.resume":
		emit(Event{Kind: Session, ID: str(data, "sessionId"), Cwd: str(data, "context", "cwd"), Pos: v.Pos})
	case "system.message", "system.notification":
		kind := plan.TextSystem
		if typ == "system.notification" {
			kind = plan.TextHook
		}
		emitText(member(data, "content"), agent, kind, typ, emit)
	case "user.message":
		c.user(data, agent, emit)
	case "assistant.message":
		c.assistant(v, data, agent, emit)
	case "tool.execution_start", "tool.user_requested":
		c.start(v, data, agent, typ, emit)
	case "tool.execution_complete":
		c.complete(v, data, agent, emit)
	case "session.compaction_complete":
		emitText(member(data, "summaryContent"), agent, plan.TextSummary, "", emit)
	case "abort":
		emit(Event{Kind: Aborted, Agent: agent, Pos: v.Pos})
	default:
		c.other(v, typ, emit)
	}
}

func (c *Copilot) other(v *plan.Value, typ string, emit Emit) {
	for _, family := range copilotIgnored {
		if strings.HasPrefix(typ, family) {
			return
		}
	}
	emit(Event{Kind: Stray, Message: "event type " + quote(typ), Pos: v.Pos})
}

// agent is the call that started the sub-agent to which an event belongs.
func (c *Copilot) agent(v, data *plan.Value, emit Emit) string {
	key := cmp.Or(str(data, "parentToolCallId"), str(v, "agentId"))
	if key != "" && !c.spawn[key] {
		c.spawn[key] = true
		emit(Event{Kind: Spawn, Agent: key, ID: key, Pos: v.Pos})
	}
	return key
}

func (c *Copilot) user(data *plan.Value, agent string, emit Emit) {
	kind := c.PromptKind
	switch {
	case agent != "":
		kind = plan.TextSubagentPrompt
	case str(data, "source") != "" && str(data, "source") != "user" || flag(data, "isAutopilotContinuation"):
		kind = plan.TextHook
	}
	content := member(data, "content")
	emitMessage(content, agent, kind, emit)
	// What the client added for the model is not the user's.
	full := str(data, "transformedContent")
	if added := strings.TrimSpace(strings.Replace(full, leaves(content), "", 1)); full != "" && added != "" {
		v := oneText(member(data, "transformedContent"), added)
		emitWords(&v, agent, plan.TextHook, emit)
	}
	for i := range items(member(data, "attachments")) {
		a := &member(data, "attachments").Items[i]
		emit(Event{Kind: Text, Agent: agent, TextKind: plan.TextAttachment, Value: oneText(a, leaves(a)), Origin: "attachment", Pos: a.Pos})
	}
}

func (c *Copilot) assistant(v, data *plan.Value, agent string, emit Emit) {
	emitText(member(data, "content"), agent, plan.TextModel, "", emit)
	turn := cmp.Or(str(data, "messageId"), str(v, "id"))
	requests := items(member(data, "toolRequests"))
	for i := range requests {
		q := &requests[i]
		e := Event{Kind: Call, Agent: agent, Turn: turn, ID: str(q, "toolCallId"), Tool: str(q, "name"), Server: str(q, "mcpServerName"), Pos: q.Pos}
		e.Value, e.RawArgs = arguments(member(q, "arguments"), q.Pos)
		c.calls[e.ID] = true
		emit(e)
	}
}

// start reads a call that no message of the model asked for.
func (c *Copilot) start(v, data *plan.Value, agent, typ string, emit Emit) {
	id := str(data, "toolCallId")
	if c.calls[id] {
		return
	}
	c.calls[id] = true
	e := Event{Kind: Call, Agent: agent, ID: id, Tool: str(data, "toolName"), Server: str(data, "mcpServerName"), Pos: v.Pos}
	if typ == "tool.user_requested" {
		e.Caller = "user"
	}
	e.Value, e.RawArgs = arguments(member(data, "arguments"), v.Pos)
	emit(e)
}

func (c *Copilot) complete(v, data *plan.Value, agent string, emit Emit) {
	e := Event{Kind: Result, Agent: agent, ID: str(data, "toolCallId"), Outcome: plan.Ran, Pos: v.Pos}
	result, failure := member(data, "result"), member(data, "error")
	e.Labels = ifcLabels(data, result)
	content := member(result, "content")
	if content == nil {
		content = member(result, "contents")
	}
	if content == nil && result != nil && result.Kind == plan.String {
		content = result
	}
	switch {
	case content != nil:
		e.Value, e.Cut = output(content)
	case present(failure):
		e.Value = oneText(failure, cmp.Or(str(failure, "message"), leaves(failure)))
	default:
		e.NoOutput = true
	}
	e.Cut = e.Cut || isCut(e.Value.Text)
	if ok := member(data, "success"); ok != nil && ok.Text == "false" {
		e.Outcome = plan.Failed
		switch code := str(failure, "code"); {
		case code == "denied" && strings.HasPrefix(str(failure, "message"), "Denied by"):
			e.Outcome = plan.Blocked
		case code == "denied", code == "rejected":
			e.Outcome = plan.Refused
		}
	}
	emit(e)
}
