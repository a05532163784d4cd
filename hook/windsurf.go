package hook

import (
	"strings"

	"github.com/planlint/planlint/plan"
)

// windsurf is Windsurf's Cascade, to its documented contract; not run. It has no
// ask and reads the exit code only.
func windsurf() *Client {
	return &Client{Name: "windsurf", Title: "Windsurf", decode: windsurfEvent}
}

func windsurfEvent(v *plan.Value, _ *Hook) Event {
	e := Event{Name: str(v, "agent_action_name"), Session: str(v, "trajectory_id"), Cwd: str(v, "tool_info", "cwd")}
	info := get(v, "tool_info")
	action, before := strings.CutPrefix(e.Name, "pre_")
	after := false
	if !before {
		action, after = strings.CutPrefix(e.Name, "post_")
	}
	switch action {
	case "read_code":
		e.Calls = []plan.Call{call("", "Read", object("file_path", get(info, "file_path")))}
	case "write_code":
		e.Calls = []plan.Call{call("", "Write", windsurfEdit(info))}
	case "run_command":
		e.Calls = []plan.Call{call("", "Bash", object("command", get(info, "command_line")))}
	case "mcp_tool_use":
		c := call("", str(info, "mcp_tool_name"), get(info, "mcp_tool_arguments"))
		c.Server = str(info, "mcp_server_name")
		e.Calls = []plan.Call{c}
	case "user_prompt":
		e.Kind, e.Prompt = Prompt, str(info, "user_prompt")
		return e.checked()
	case "cascade_response":
		e.Kind = Ignored
		return e
	}
	switch {
	case len(e.Calls) > 0 && before:
		e.Kind = Before
	case len(e.Calls) > 0 && after:
		e.Kind, e.Outcome = After, plan.Ran
	case before && info != nil: // a new action, which is a call for all that is known
		e.Calls = []plan.Call{call("", action, info)}
	}
	return e.checked()
}

// windsurfEdit names the new texts of an edit as a write.
func windsurfEdit(info *plan.Value) *plan.Value {
	path := get(info, "file_path")
	if path == nil {
		return nil
	}
	o := plan.Obj([]string{"file_path", "content"}, *path, plan.Str(""))
	if edits := get(info, "edits"); edits != nil {
		var b strings.Builder
		for i := range edits.Items {
			b.WriteString(str(&edits.Items[i], "new_string"))
			b.WriteByte('\n')
		}
		o.Items[1] = plan.Str(b.String())
	}
	return &o
}
