package transcript

import (
	"strings"

	"github.com/planlint/planlint/plan"
)

// claudeAttachments are the attachment types and the kind of their text. What
// the client itself says of the machine is the operator's; file contents, hook
// output, memory files and what servers say of themselves are not.
var claudeAttachments = map[string]plan.TextKind{
	"environment": plan.TextSystem, "model": plan.TextSystem, "date": plan.TextSystem, "remote_session_change": plan.TextSystem,
	"date_change": plan.TextSystem, "plan_mode": plan.TextSystem, "plan_mode_exit": plan.TextSystem, "plan_mode_reentry": plan.TextSystem,
	"auto_mode": plan.TextSystem, "auto_mode_exit": plan.TextSystem, "output_style": plan.TextSystem, "token_usage": plan.TextSystem,
	"todo_reminder": plan.TextSystem, "todo": plan.TextSystem, "task_reminder": plan.TextSystem, "budget_usd": plan.TextSystem,
	"ultra_effort_enter": plan.TextSystem, "max_turns_reached": plan.TextSystem, "critical_system_reminder": plan.TextSystem,
	"agent_listing_delta": plan.TextInstructions, "skill_listing": plan.TextInstructions, "invoked_skills": plan.TextInstructions,
	"nested_memory": plan.TextInstructions, "relevant_memories": plan.TextInstructions, "dynamic_skill": plan.TextInstructions,
	"command_permissions": plan.TextSystem, "compact_file_reference": plan.TextAttachment, "plan_file_reference": plan.TextAttachment,
	"deferred_tools_delta": plan.TextToolDescription, "mcp_instructions_delta": plan.TextToolDescription,
	"mcp_resource": plan.TextAttachment, "session_context": plan.TextAttachment, "file": plan.TextAttachment,
	"directory": plan.TextAttachment, "edited_text_file": plan.TextAttachment, "edited_image_file": plan.TextAttachment,
	"new_file": plan.TextAttachment, "new_directory": plan.TextAttachment, "already_read_file": plan.TextAttachment,
	"pdf_reference": plan.TextAttachment, "selected_lines_in_ide": plan.TextAttachment, "opened_file_in_ide": plan.TextAttachment,
	"diagnostics": plan.TextAttachment, "image": plan.TextAttachment, "agent_mention": plan.TextAttachment,
	"hook_success": plan.TextHook, "hook_additional_context": plan.TextHook, "hook_blocking_error": plan.TextHook,
	"hook_non_blocking_error": plan.TextHook, "hook_error_during_execution": plan.TextHook, "hook_stopped_continuation": plan.TextHook,
	"hook_system_message": plan.TextHook, "hook_cancelled": plan.TextHook, "hook_permission_decision": plan.TextHook,
	"async_hook_response": plan.TextHook, "task_status": plan.TextHook, "teammate_mailbox": plan.TextUnknown,
	"team_context": plan.TextHook, "background_shell": plan.TextHook,
}

// attachment reads what the client put into the context beside messages. What
// it renders is what the model saw.
func (c *Claude) attachment(v *plan.Value, agent string, emit Emit) {
	a := member(v, "attachment")
	typ := str(a, "type")
	switch typ {
	case "prompt_snapshot":
		return // a copy of the system prompt and the tools
	case "queued_command":
		c.queued(a, agent, emit)
		return
	}
	kind, known := claudeAttachments[typ]
	if !known {
		emit(Event{Kind: Stray, Message: "attachment type " + quote(typ), Pos: v.Pos})
	}
	text := member(v, "rendered")
	if !present(text) {
		text = a
	}
	words := leaves(text)
	if strings.HasPrefix(typ, "hook_") && text == a {
		words = hookWords(a)
	}
	if words == "" || words == typ {
		return
	}
	emit(Event{Kind: Text, Agent: agent, TextKind: kind, Value: oneText(text, words), Origin: typ, Pos: v.Pos})
}

// hookWords is what a hook may have put into the context, without its name and
// command.
func hookWords(a *plan.Value) string {
	var parts []string
	for _, key := range []string{"content", "stdout", "stderr", "blockingError", "additionalContext", "message"} {
		if s := leaves(member(a, key)); s != "" {
			parts = append(parts, s)
		}
	}
	return strings.Join(parts, "\n")
}

// queued reads what was typed while tools ran. It is the user's on the same
// terms as a message.
func (c *Claude) queued(a *plan.Value, agent string, emit Emit) {
	kind := c.kind(a, agent)
	if mode := str(a, "commandMode"); mode != "" && mode != "prompt" && mode != "bash" {
		kind = plan.TextHook
	}
	prompt := member(a, "prompt")
	if prompt != nil && prompt.Kind == plan.String {
		c.words(prompt, agent, kind, emit)
		return
	}
	for i := range items(prompt) {
		c.userBlock(&prompt.Items[i], agent, kind, emit)
	}
}
