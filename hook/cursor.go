package hook

import (
	"strings"

	"github.com/planlint/planlint/plan"
)

// cursor is Cursor, to its documented contract; not run. Ask is honoured before
// shell and MCP calls only. A permission hook that prints nothing is an error
// there, so silence is an empty object.
func cursor() *Client {
	return &Client{
		Name: "cursor", Title: "Cursor", silence: "{}\n",
		decode: cursorEvent,
		asks: func(_ *Event, reason string) any {
			return struct {
				Permission   string `json:"permission"`
				UserMessage  string `json:"user_message"`
				AgentMessage string `json:"agent_message"`
			}{"ask", reason, reason}
		},
	}
}

var cursorEvents = map[string]Kind{
	"preToolUse": Before, "beforeShellExecution": Before, "beforeMCPExecution": Before, "beforeReadFile": Before,
	"subagentStart": Before, "beforeTabFileRead": Before,
	"postToolUse": After, "postToolUseFailure": After, "afterShellExecution": After, "afterMCPExecution": After,
	"beforeSubmitPrompt": Prompt,
	"afterFileEdit":      Ignored, "afterTabFileEdit": Ignored, "stop": Ignored, "sessionStart": Ignored, "sessionEnd": Ignored,
	"subagentStop": Ignored, "afterAgentResponse": Ignored, "afterAgentThought": Ignored, "preCompact": Ignored,
	"workspaceOpen": Ignored,
}

// cursorRest is the event name on the command line of a preToolUse hook that is
// installed beside those for shell, MCP and reads, which can ask.
const cursorRest = "preToolUse:rest"

func cursorEvent(v *plan.Value, h *Hook) Event {
	e := Event{Name: str(v, "hook_event_name"), Session: str(v, "conversation_id"), Cwd: str(v, "cwd")}
	if roots := get(v, "workspace_roots"); e.Cwd == "" && roots != nil && len(roots.Items) > 0 {
		e.Cwd = roots.Items[0].Text
	}
	e.Kind = cursorEvents[e.Name]
	if tool := str(v, "tool_name"); h.Event == cursorRest && e.Kind == Before &&
		(tool == "Shell" || tool == "Read" || strings.HasPrefix(tool, "MCP:")) {
		e.Kind = Ignored
	}
	e.CanAsk = e.Name == "beforeShellExecution" || e.Name == "beforeMCPExecution"
	if c, ok := cursorCall(v, e.Name); ok {
		e.Calls = []plan.Call{c}
	}
	switch e.Kind {
	case Prompt:
		e.Prompt = str(v, "prompt")
	case After:
		e.Outcome = outcomeOf(e.Name == "postToolUseFailure")
		for _, key := range []string{"tool_output", "output", "result_json", "error_message"} {
			if out := present(get(v, key)); out != nil && e.Output == nil {
				e.Output = out
			}
		}
	}
	return e.checked()
}

// cursorTools are the names under which contracts describe Cursor's own tools.
var cursorTools = map[string]string{"Shell": "Bash", "Delete": "delete_file"}

// cursorCall makes a call of the events that name what they guard, not a tool.
func cursorCall(v *plan.Value, event string) (plan.Call, bool) {
	switch event {
	case "beforeShellExecution", "afterShellExecution":
		return call("", "Bash", object("command", get(v, "command"))), true
	case "beforeReadFile", "beforeTabFileRead":
		return call("", "Read", object("file_path", get(v, "file_path"))), true
	case "beforeMCPExecution", "afterMCPExecution":
		c := call("", str(v, "tool_name"), get(v, "tool_input"))
		c.Server = str(v, "mcp_server_name")
		return c, true
	case "subagentStart":
		return call("", "Task", v), true
	}
	name := str(v, "tool_name")
	if known := cursorTools[name]; known != "" {
		name = known
	}
	return call(str(v, "tool_use_id"), name, get(v, "tool_input")), name != ""
}

// object makes an object of one member; nil stays nil.
func object(key string, v *plan.Value) *plan.Value {
	if v == nil {
		return nil
	}
	o := plan.Obj([]string{key}, *v)
	return &o
}
