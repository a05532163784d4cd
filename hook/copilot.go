package hook

import (
	"path/filepath"

	"github.com/planlint/planlint/plan"
)

// copilot is GitHub Copilot CLI. Its events carry neither their own name, which
// comes on the command line (--event), nor a call id.
func copilot() *Client {
	return &Client{
		Name: "copilot", Title: "Copilot CLI", Tested: true, persistentShell: true,
		decode: copilotEvent,
		asks: func(_ *Event, reason string) any {
			return struct {
				PermissionDecision       string `json:"permissionDecision"`
				PermissionDecisionReason string `json:"permissionDecisionReason"`
			}{"ask", reason}
		},
	}
}

var copilotEvents = map[string]Kind{
	"preToolUse": Before, "postToolUse": After, "postToolUseFailure": After, "userPromptSubmitted": Prompt,
	"sessionStart": Ignored, "sessionEnd": Ignored, "permissionRequest": Ignored, "agentStop": Ignored,
	"errorOccurred": Ignored, "notification": Ignored, "subagentStart": Ignored, "subagentStop": Ignored,
	"preCompact": Ignored,
}

func copilotEvent(v *plan.Value, h *Hook) Event {
	e := Event{Name: h.Event, Session: str(v, "sessionId"), Cwd: str(v, "cwd")}
	if e.Name == "" {
		e.Name = str(v, "hookName")
	}
	if name := str(v, "toolName"); name != "" {
		args := get(v, "toolArgs")
		if args == nil {
			args = get(v, "toolInput")
		}
		e.Calls = []plan.Call{call("", name, args)}
		if e.Name == "" { // an old configuration: by its form
			e.Name = "preToolUse"
			if get(v, "toolResult") != nil {
				e.Name = "postToolUse"
			}
		}
	}
	e.Kind = copilotEvents[e.Name]
	e.CanAsk = e.Name == "preToolUse"
	e.Transcript = copilotTranscript(h, e.Session)
	switch e.Kind {
	case Prompt:
		e.Prompt = str(v, "prompt")
	case After:
		e.Outcome = outcomeOf(str(v, "toolResult", "resultType") == "failure" || e.Name == "postToolUseFailure")
		e.Output = present(get(v, "toolResult", "textResultForLlm"))
		switch str(v, "toolResult", "resultType") {
		case "denied", "rejected":
			e.Outcome = plan.Refused
		}
	}
	return e.checked()
}

// copilotTranscript is where the client keeps a session. The id becomes a path,
// so it must be a plain name.
func copilotTranscript(h *Hook, id string) string {
	home := h.Env["HOME"]
	if home == "" || id == "" || id == "." || id == ".." || id != filepath.Base(id) {
		return ""
	}
	return filepath.Join(home, ".copilot", "session-state", id, "events.jsonl")
}
