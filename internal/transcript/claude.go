package transcript

import (
	"cmp"
	"hash/maphash"
	"strconv"
	"strings"

	"github.com/planlint/planlint/plan"
)

// Claude reads Claude Code's sessions and the messages of its headless twin
// (stream-json, the execution file of claude-code-action), which differ in
// names only: file order counts, one message.id is one turn, a uuid that says
// the same twice counts once. Clients that copy the shape are read too.
type Claude struct {
	// PromptKind is what an unmarked prompt is: the user's words, unless the
	// caller knows that others wrote it (issue text in CI).
	PromptKind plan.TextKind

	seed maphash.Seed
	// seen is what each uuid said; sidechain the agent of old side lines.
	seen      map[string]uint64
	sidechain map[string]string
	// blocks are the calls of the message under way, so that cumulative
	// snapshots of it count once.
	message string
	blocks  map[string]string
	started bool
}

// NewClaude returns a reader for one file.
func NewClaude(prompt plan.TextKind) *Claude {
	return &Claude{PromptKind: prompt, seed: maphash.MakeSeed(), seen: map[string]uint64{},
		sidechain: map[string]string{}, blocks: map[string]string{}}
}

var claudeResultShape = Shape{
	"agentId": nil, "agent_id": nil, "status": nil, "interrupted": nil, "persistedOutputPath": nil, "isAsync": nil, "_meta": nil,
}

var claudeShape = Shape{
	"type": nil, "subtype": nil, "uuid": nil, "parentUuid": nil, "sessionId": nil, "session_id": nil,
	"isSidechain": nil, "isMeta": nil, "isCompactSummary": nil, "isSynthetic": nil, "isReplay": nil,
	"agentId": nil, "agent_id": nil, "parent_tool_use_id": nil, "cwd": nil, "promptSource": nil, "origin": nil,
	"message":       {"id": nil, "role": nil, "model": nil, "content": nil},
	"toolUseResult": claudeResultShape, "tool_use_result": claudeResultShape, "toolDenialKind": nil,
	"permissionDecision": {"decision": nil, "source": nil},
	"tool_result_meta":   {"id": nil, "permission_decision": {"decision": nil, "source": nil}, "denial_kind": nil},
	"mcpMeta":            nil, "attachment": nil, "rendered": nil, "renderedRole": nil, "content": nil,
	"data": {"type": nil, "agentId": nil}, "parentToolUseID": nil, "pasted_content": nil, "inline_pastes": nil,
}

// Shape implements Client.
func (c *Claude) Shape() Shape { return claudeShape }

// Close implements Client.
func (c *Claude) Close(Emit) {}

// claudeIgnored are record types that add nothing to what the other records
// say: titles, counters, and copies of what was sent to the model.
var claudeIgnored = map[string]bool{
	"queue-operation": true, "file-history-snapshot": true, "summary": true, "ai-title": true, "custom-title": true,
	"mode": true, "permission-mode": true, "last-prompt": true, "pr-link": true, "worktree-state": true,
	"result": true, "started": true, "atis-latch": true, "tools-used": true, "cost-state": true,
	"api-request": true, "api-request-shape": true, "api-request-blob": true, "stream_event": true,
	"agent-name": true, "agent-color": true, "agent-setting": true, "tag": true, "task-summary": true,
	"content-replacement": true, "context-collapse": true, "speculation-accept": true, "rate_limit_event": true,
	"keep_alive": true, "tool_progress": true, "tool_use_summary": true, "prompt_suggestion": true, "auth_status": true,
}

// Record implements Client.
func (c *Claude) Record(r *Record, emit Emit) {
	v := &r.Value
	typ := str(v, "type")
	if !c.started {
		c.session(v, emit)
	}
	if c.copied(r) {
		return
	}
	agent := c.agent(v, emit)
	switch {
	case typ == "user":
		c.user(v, agent, emit)
	case typ == "assistant":
		c.assistant(v, agent, emit)
	case typ == "attachment":
		c.attachment(v, agent, emit)
	case typ == "system":
		c.system(v, agent, emit)
	case typ == "progress":
		if str(v, "data", "type") == "agent_progress" {
			emit(Event{Kind: Spawn, Agent: str(v, "data", "agentId"), ID: str(v, "parentToolUseID"), Pos: v.Pos})
		}
	case !claudeIgnored[typ]:
		emit(Event{Kind: Stray, Message: "record type " + quote(typ), Pos: v.Pos})
	}
}

func (c *Claude) session(v *plan.Value, emit Emit) {
	id, cwd := cmp.Or(str(v, "sessionId"), str(v, "session_id")), str(v, "cwd")
	if id != "" || cwd != "" {
		c.started = id != "" && cwd != ""
		emit(Event{Kind: Session, ID: id, Cwd: cwd, Pos: v.Pos})
	}
}

// copied reports whether a record of the same uuid has said the same. Resumes
// and compactions append old records anew; one that says something else under
// an old uuid is read.
func (c *Claude) copied(r *Record) bool {
	uuid := str(&r.Value, "uuid")
	if uuid == "" {
		return false
	}
	said := r.said("message", "attachment", "content")
	hash := maphash.String(c.seed, said)
	if old, ok := c.seen[uuid]; ok && old == hash {
		return true
	}
	c.seen[uuid] = hash
	return false
}

// said is the text of the first of these members that the record has.
func (r *Record) said(keys ...string) string {
	for _, key := range keys {
		m := member(&r.Value, key)
		if m == nil {
			continue
		}
		start := int(m.Pos.Column) - 1
		if end := start + int(m.Pos.Length); r.Raw != "" && m.Pos.Line == r.Value.Pos.Line && start >= 0 && end <= len(r.Raw) {
			return r.Raw[start:end]
		}
		return leaves(m)
	}
	return ""
}

// agent returns the key of the agent that a record belongs to: its agent id,
// the call that started it (headless), or the root of its old side chain.
func (c *Claude) agent(v *plan.Value, emit Emit) string {
	if call := str(v, "parent_tool_use_id"); call != "" {
		emit(Event{Kind: Spawn, Agent: call, ID: call, Pos: v.Pos})
		return call
	}
	if !flag(v, "isSidechain") {
		return ""
	}
	if id := cmp.Or(str(v, "agentId"), str(v, "agent_id")); id != "" {
		return id
	}
	root := cmp.Or(c.sidechain[str(v, "parentUuid")], "sidechain-"+str(v, "uuid"))
	c.sidechain[str(v, "uuid")] = root
	return root
}

// system reads a system record: most are about the client itself.
func (c *Claude) system(v *plan.Value, agent string, emit Emit) {
	switch sub := str(v, "subtype"); sub {
	case "local_command":
		c.words(member(v, "content"), agent, plan.TextHook, emit)
	case "hook_response", "hook_additional_context":
		emitText(member(v, "content"), agent, plan.TextHook, sub, emit)
	case "", "init", "compact_boundary", "microcompact_boundary", "stop_hook_summary", "turn_duration", "informational",
		"api_error", "hook_started", "status", "away_summary", "bridge_status", "memory_saved", "task_started",
		"task_progress", "task_notification", "session_state_changed", "files_persisted", "api_retry", "api_metrics",
		"scheduled_task_fire", "permission_retry", "agents_killed", "snapshot", "thinking":
	default:
		emit(Event{Kind: Stray, Message: "system record of subtype " + quote(sub), Pos: v.Pos})
	}
}

// assistant reads a message of the model: its calls, its words, and results of
// tools that ran at the provider, which stand inside it.
func (c *Claude) assistant(v *plan.Value, agent string, emit Emit) {
	msg := member(v, "message")
	id := str(msg, "id")
	if key := agent + "\x00" + id; key != c.message {
		c.message = key
		clear(c.blocks)
	}
	turn := cmp.Or(id, str(v, "uuid"))
	kind := plan.TextModel
	if str(msg, "model") == "<synthetic>" {
		kind = plan.TextHook
	}
	content := member(msg, "content")
	if content != nil && content.Kind == plan.String {
		emitText(content, agent, kind, "", emit)
		return
	}
	assistantBlocks(items(content), agent, turn, kind, c.repeated, emit)
}

// repeated reports whether the message under way has this call already, with
// the same arguments.
func (c *Claude) repeated(b *plan.Value) bool {
	id := str(b, "id")
	if id == "" || member(b, "input") == nil {
		return false
	}
	said := str(b, "name") + "\x00" + leaves(member(b, "input"))
	if old, ok := c.blocks[id]; ok && old == said {
		return true
	}
	c.blocks[id] = said
	return false
}

// quote is for type names in notes, which are hostile and may be long.
func quote(s string) string {
	const most = 60
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "…"
	}
	return strconv.Quote(s)
}
