package hook

import "github.com/planlint/planlint/plan"

// kiro is Amazon's Kiro (and Q), to its documented contract; not run. It has no
// ask. Older versions name no session; there the folder stands for it.
func kiro() *Client {
	return &Client{Name: "kiro", Title: "Kiro", decode: kiroEvent}
}

var kiroEvents = map[string]Kind{
	"preToolUse": Before, "PreToolUse": Before, "postToolUse": After, "PostToolUse": After,
	"userPromptSubmit": Prompt, "UserPromptSubmit": Prompt, "PromptSubmit": Prompt,
	"agentSpawn": Ignored, "stop": Ignored, "Stop": Ignored, "AgentSpawn": Ignored,
}

func kiroEvent(v *plan.Value, _ *Hook) Event {
	e := Event{Name: str(v, "hook_event_name"), Session: str(v, "session_id"), Cwd: str(v, "cwd")}
	if e.Session == "" && e.Cwd != "" {
		e.Session = "folder " + e.Cwd
	}
	e.Kind = kiroEvents[e.Name]
	if name := str(v, "tool_name"); name != "" {
		e.Calls = kiroCalls(str(v, "tool_use_id"), name, get(v, "tool_input"))
	}
	switch e.Kind {
	case Prompt:
		e.Prompt = str(v, "prompt")
	case After:
		ok := get(v, "tool_response", "success")
		e.Outcome = outcomeOf(ok != nil && ok.Text == "false")
		e.Output = present(get(v, "tool_response"))
	}
	return e.checked()
}

// kiroCalls gives Kiro's own tools the names and arguments that contracts
// describe; fs_read reads several files at once.
func kiroCalls(id, name string, input *plan.Value) []plan.Call {
	switch name {
	case "execute_bash", "shell", "executeBash":
		return []plan.Call{call(id, "Bash", input)}
	case "fs_read", "read":
		var calls []plan.Call
		if operations := get(input, "operations"); operations != nil {
			for i := range operations.Items {
				if path := get(&operations.Items[i], "path"); path != nil {
					calls = append(calls, call("", "Read", object("file_path", path)))
				}
			}
		} else if path := get(input, "path"); path != nil {
			calls = append(calls, call(id, "Read", object("file_path", path)))
		}
		if len(calls) > 0 {
			return calls
		}
	case "fs_write", "write":
		if path, content := get(input, "path"), get(input, "file_text"); path != nil && content != nil {
			written := plan.Obj([]string{"file_path", "content"}, *path, *content)
			return []plan.Call{call(id, "Write", &written)}
		}
		if path := get(input, "path"); path != nil {
			return []plan.Call{call(id, "Edit", object("file_path", path))}
		}
	}
	return []plan.Call{call(id, name, input)}
}
