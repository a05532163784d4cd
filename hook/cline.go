package hook

import (
	"path/filepath"

	"github.com/planlint/planlint/plan"
)

// cline is Cline. Only cancel in its JSON counts, never the exit code; a
// cancelled call ends the whole run.
func cline() *Client {
	return &Client{Name: "cline", Title: "Cline", Tested: true, decode: clineEvent}
}

var clineEvents = map[string]Kind{
	"tool_call": Before, "tool_result": After, "prompt_submit": Prompt, "user_prompt_submit": Prompt,
	"PreToolUse": Before, "PostToolUse": After, "UserPromptSubmit": Prompt,
	"agent_start": Ignored, "agent_end": Ignored, "agent_resume": Ignored, "agent_abort": Ignored, "agent_error": Ignored,
	"session_shutdown": Ignored, "TaskStart": Ignored, "TaskResume": Ignored, "TaskCancel": Ignored, "TaskComplete": Ignored,
	"TaskError": Ignored, "PreCompact": Ignored, "SessionShutdown": Ignored,
}

func clineEvent(v *plan.Value, h *Hook) Event {
	e := Event{Name: str(v, "hookName"), Session: str(v, "sessionContext", "rootSessionId")}
	if e.Session == "" {
		e.Session = str(v, "taskId")
	}
	if roots := get(v, "workspaceRoots"); roots != nil && len(roots.Items) > 0 {
		e.Cwd = roots.Items[0].Text
	}
	if e.ParentAgent = str(v, "parent_agent_id"); e.ParentAgent != "" {
		e.Agent = str(v, "agent_id")
	}
	e.Kind = clineEvents[e.Name]
	body := get(v, "tool_call")
	if body == nil {
		body = get(v, "tool_result")
	}
	if name := str(body, "name"); name != "" {
		e.Calls = []plan.Call{call(str(body, "id"), name, get(body, "input"))}
	} else {
		clineExtension(v, &e)
	}
	e.Transcript = clineSession(h, e.Session)
	switch e.Kind {
	case Prompt:
		for _, at := range []string{"userPromptSubmit", "promptSubmit", "prompt_submit"} {
			e.Prompt += str(v, at, "prompt")
		}
	case After:
		e.Outcome, e.Output = plan.Ran, present(get(body, "output"))
		if err := present(get(body, "error")); err != nil {
			e.Outcome, e.Output = plan.Failed, err
		}
		if e.Output == nil {
			e.Output = present(get(v, "postToolUse", "result"))
		}
	}
	return e.checked()
}

// clineExtension reads the older form, where every parameter is a string.
func clineExtension(v *plan.Value, e *Event) {
	for _, key := range []string{"preToolUse", "postToolUse"} {
		if name := str(v, key, "toolName"); name != "" {
			e.Calls = []plan.Call{call("", name, get(v, key, "parameters"))}
			return
		}
	}
}

func clineSession(h *Hook, id string) string {
	home := h.Env["HOME"]
	if home == "" || id == "" || id == "." || id == ".." || id != filepath.Base(id) {
		return ""
	}
	return filepath.Join(home, ".cline", "data", "sessions", id, id+".messages.json")
}
