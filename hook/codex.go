package hook

import "github.com/planlint/planlint/plan"

// codex is OpenAI's Codex CLI. It takes an ask for a failed hook and runs the
// call, so it is never asked.
func codex() *Client {
	return &Client{
		Name: "codex", Title: "Codex", Tested: true,
		decode: func(v *plan.Value, _ *Hook) Event {
			e := claudeEvent(v, codexEvents)
			return e.checked()
		},
	}
}

var codexEvents = map[string]Kind{
	"PreToolUse": Before, "PostToolUse": After, "UserPromptSubmit": Prompt,
	// PermissionRequest comes after PreToolUse, which has decided the call.
	"PermissionRequest": Ignored, "PreCompact": Ignored, "PostCompact": Ignored, "SessionStart": Ignored,
	"SessionEnd": Ignored, "SubagentStart": Ignored, "SubagentStop": Ignored, "Stop": Ignored, "Interrupt": Ignored,
	"StopFailure": Ignored,
}
