package hook

import "github.com/planlint/planlint/plan"

// claudeCode is Claude Code. An ask of the hook stops the call in the modes
// below; in bypassPermissions and auto it was seen to be no question at all.
func claudeCode() *Client {
	return &Client{
		Name: "claude-code", Title: "Claude Code", Tested: true, persistentShell: true,
		decode: func(v *plan.Value, _ *Hook) Event {
			e := claudeEvent(v, claudeEvents)
			switch e.Mode {
			case "default", "plan", "acceptEdits", "dontAsk":
				e.CanAsk = e.Name == "PreToolUse"
			}
			return e.checked()
		},
		asks: claudeAsk,
	}
}

// claudeEvents are the events that are known, and what they are about.
var claudeEvents = map[string]Kind{
	"PreToolUse": Before, "PreSkillShellCommand": Before,
	"PostToolUse": After, "PostToolUseFailure": After, "PermissionDenied": After,
	"UserPromptSubmit": Prompt,
	// PermissionRequest comes after PreToolUse, which has decided the call.
	"PermissionRequest": Ignored, "PostToolBatch": Ignored,
	"Notification": Ignored, "UserPromptExpansion": Ignored, "SessionStart": Ignored, "SessionEnd": Ignored,
	"Stop": Ignored, "StopFailure": Ignored, "SubagentStart": Ignored, "SubagentStop": Ignored, "PreCompact": Ignored,
	"PostCompact": Ignored, "PreModelSwitch": Ignored, "PostModelSwitch": Ignored, "Setup": Ignored,
	"TeammateIdle": Ignored, "TaskCreated": Ignored, "TaskCompleted": Ignored, "Elicitation": Ignored,
	"ElicitationResult": Ignored, "ConfigChange": Ignored, "WorktreeCreate": Ignored, "WorktreeRemove": Ignored,
	"InstructionsLoaded": Ignored, "CwdChanged": Ignored, "FileChanged": Ignored, "DirectoryAdded": Ignored,
	"MessageDisplay": Ignored, "Interrupt": Ignored,
}

// claudeEvent reads the event that Claude Code, Codex and Qwen Code share.
func claudeEvent(v *plan.Value, kinds map[string]Kind) Event {
	e := Event{
		Name: str(v, "hook_event_name"), Session: str(v, "session_id"), Cwd: str(v, "cwd"),
		Transcript: str(v, "transcript_path"), Mode: str(v, "permission_mode"), Agent: str(v, "agent_id"),
	}
	e.Kind = kinds[e.Name]
	name := str(v, "tool_name")
	if e.Name == "PreSkillShellCommand" && name == "" {
		name = "Bash"
	}
	id := str(v, "tool_call_id")
	if id == "" {
		id = str(v, "tool_use_id")
	}
	if name != "" {
		e.Calls = []plan.Call{call(id, name, get(v, "tool_input"))}
		e.Calls[0].Server = str(v, "mcp_server", "name")
	}
	switch e.Kind {
	case Prompt:
		e.Prompt = str(v, "prompt")
	case After:
		claudeResult(v, &e)
	}
	return e
}

func claudeResult(v *plan.Value, e *Event) {
	switch e.Name {
	case "PermissionDenied":
		e.Outcome = plan.Refused
	case "PostToolUseFailure":
		e.Outcome, e.Output = plan.Failed, present(get(v, "error"))
	default:
		e.Outcome, e.Output = plan.Ran, present(get(v, "tool_response"))
	}
	e.Starts = str(v, "tool_response", "agentId")
	// What a tool gives back of its own names the file twice; the content counts.
	if file := get(v, "tool_response", "file", "content"); file != nil {
		e.Output = file
	}
}

func claudeAsk(e *Event, reason string) any {
	return struct {
		HookSpecificOutput hookSpecific `json:"hookSpecificOutput"`
	}{hookSpecific{HookEventName: e.Name, PermissionDecision: "ask", PermissionDecisionReason: reason}}
}
