package hook_test

import (
	"encoding/json"
	"fmt"
)

// sample is a client's pre-tool and post-tool event, to its own contract.
type sample struct {
	// args are further arguments of planlint hook CLIENT.
	args, afterArgs []string
	// before and after make the events of a call of the shell tool, prompt the
	// user's words, unknown an event of a name that nobody knows with a tool.
	before, after func(id, command, output string) string
	prompt        func(words string) string
	unknown       string
}

func toJSON(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(data)
}

type object = map[string]any

// samples are events as the clients were seen to write them, or as their
// documentation shows them. cwd is the working folder, mode the client's.
func samples(cwd string) map[string]sample {
	claude := func(client, tool, before, after, prompt, mode string) sample {
		base := func(event string) object {
			return object{"session_id": "s-" + client, "cwd": cwd, "hook_event_name": event, "permission_mode": mode}
		}
		return sample{
			before: func(id, command, _ string) string {
				e := base(before)
				e["tool_name"], e["tool_input"], e["tool_use_id"] = tool, object{"command": command}, id
				return toJSON(e)
			},
			after: func(id, command, output string) string {
				e := base(after)
				e["tool_name"], e["tool_input"], e["tool_use_id"] = tool, object{"command": command}, id
				e["tool_response"] = object{"stdout": output, "llmContent": output}
				return toJSON(e)
			},
			prompt: func(words string) string {
				e := base(prompt)
				e["prompt"] = words
				return toJSON(e)
			},
			unknown: fmt.Sprintf(`{"session_id":"s","cwd":%q,"hook_event_name":"PreTeleport","tool_name":%q,"tool_input":{"command":"ls"}}`, cwd, tool),
		}
	}
	return map[string]sample{
		"claude-code": claude("claude-code", "Bash", "PreToolUse", "PostToolUse", "UserPromptSubmit", "default"),
		"codex":       claude("codex", "Bash", "PreToolUse", "PostToolUse", "UserPromptSubmit", "bypassPermissions"),
		"gemini":      claude("gemini", "run_shell_command", "BeforeTool", "AfterTool", "BeforeAgent", ""),
		"qwen":        claude("qwen", "run_shell_command", "PreToolUse", "PostToolUse", "UserPromptSubmit", "yolo"),
		"copilot": {
			args: []string{"--event", "preToolUse"}, afterArgs: []string{"--event", "postToolUse"},
			before: func(_, command, _ string) string {
				return toJSON(object{"sessionId": "s-copilot", "cwd": cwd, "toolName": "bash", "toolArgs": object{"command": command}})
			},
			after: func(_, command, output string) string {
				return toJSON(object{"sessionId": "s-copilot", "cwd": cwd, "toolName": "bash", "toolArgs": object{"command": command},
					"toolResult": object{"resultType": "success", "textResultForLlm": output}})
			},
			unknown: fmt.Sprintf(`{"sessionId":"s","cwd":%q,"hookName":"preTeleport","toolName":"bash","toolArgs":{"command":"ls"}}`, cwd),
		},
		"opencode": {
			before: func(id, command, _ string) string {
				return toJSON(object{"hook_event_name": "tool.execute.before", "cwd": cwd,
					"input": object{"tool": "bash", "sessionID": "s-opencode", "callID": id}, "output": object{"args": object{"command": command}}})
			},
			after: func(id, command, output string) string {
				return toJSON(object{"hook_event_name": "tool.execute.after", "cwd": cwd,
					"input":  object{"tool": "bash", "sessionID": "s-opencode", "callID": id, "args": object{"command": command}},
					"output": object{"title": "x", "output": output, "metadata": object{"exit": 0, "truncated": false}}})
			},
			prompt: func(words string) string {
				return toJSON(object{"hook_event_name": "chat.message", "cwd": cwd, "input": object{"sessionID": "s-opencode"},
					"output": object{"parts": []object{{"type": "text", "text": words}}}})
			},
			unknown: `{"hook_event_name":"tool.teleport","input":{"tool":"bash","sessionID":"s"},"output":{"args":{"command":"ls"}}}`,
		},
		"cline": {
			before: func(id, command, _ string) string {
				return toJSON(object{"hookName": "tool_call", "sessionContext": object{"rootSessionId": "s-cline"}, "workspaceRoots": []string{cwd},
					"agent_id": "agent_1", "parent_agent_id": nil,
					"tool_call": object{"id": id, "name": "run_commands", "input": object{"commands": []string{command}}}})
			},
			after: func(id, command, output string) string {
				return toJSON(object{"hookName": "tool_result", "sessionContext": object{"rootSessionId": "s-cline"}, "workspaceRoots": []string{cwd},
					"agent_id": "agent_1", "parent_agent_id": nil,
					"tool_result": object{"id": id, "name": "run_commands", "input": object{"commands": []string{command}},
						"output": []object{{"query": command, "result": output, "success": true}}}})
			},
			unknown: `{"hookName":"tool_teleport","taskId":"s","tool_call":{"id":"x","name":"run_commands","input":{"commands":["ls"]}}}`,
		},
		"cursor": {
			before: func(_, command, _ string) string {
				return toJSON(object{"conversation_id": "s-cursor", "hook_event_name": "beforeShellExecution", "workspace_roots": []string{cwd}, "cwd": cwd, "command": command})
			},
			after: func(_, command, output string) string {
				return toJSON(object{"conversation_id": "s-cursor", "hook_event_name": "afterShellExecution", "workspace_roots": []string{cwd}, "cwd": cwd, "command": command, "output": output})
			},
			prompt: func(words string) string {
				return toJSON(object{"conversation_id": "s-cursor", "hook_event_name": "beforeSubmitPrompt", "workspace_roots": []string{cwd}, "prompt": words})
			},
			unknown: `{"conversation_id":"s","hook_event_name":"beforeTeleport","tool_name":"Shell","tool_input":{"command":"ls"}}`,
		},
		"windsurf": {
			before: func(_, command, _ string) string {
				return toJSON(object{"agent_action_name": "pre_run_command", "trajectory_id": "s-windsurf", "tool_info": object{"command_line": command, "cwd": cwd}})
			},
			after: func(_, command, _ string) string {
				return toJSON(object{"agent_action_name": "post_run_command", "trajectory_id": "s-windsurf", "tool_info": object{"command_line": command, "cwd": cwd}})
			},
			prompt: func(words string) string {
				return toJSON(object{"agent_action_name": "pre_user_prompt", "trajectory_id": "s-windsurf", "tool_info": object{"user_prompt": words}})
			},
			unknown: `{"agent_action_name":"pre_teleport","trajectory_id":"s","tool_info":{"command_line":"ls"}}`,
		},
		"kiro": {
			before: func(_, command, _ string) string {
				return toJSON(object{"hook_event_name": "preToolUse", "cwd": cwd, "tool_name": "execute_bash", "tool_input": object{"command": command}})
			},
			after: func(_, command, output string) string {
				return toJSON(object{"hook_event_name": "postToolUse", "cwd": cwd, "tool_name": "execute_bash", "tool_input": object{"command": command},
					"tool_response": object{"success": true, "result": []string{output}}})
			},
			prompt: func(words string) string {
				return toJSON(object{"hook_event_name": "userPromptSubmit", "cwd": cwd, "prompt": words})
			},
			unknown: fmt.Sprintf(`{"hook_event_name":"preTeleport","cwd":%q,"tool_name":"execute_bash","tool_input":{"command":"ls"}}`, cwd),
		},
		"generic": {
			before: func(id, command, _ string) string {
				return toJSON(object{"version": 1, "event": "before", "session": "s-generic", "cwd": cwd,
					"calls": []object{{"id": id, "tool": "Bash", "args": object{"command": command}}}})
			},
			after: func(id, command, output string) string {
				return toJSON(object{"version": 1, "event": "after", "session": "s-generic", "cwd": cwd, "outcome": "ran", "output": output,
					"call": object{"id": id, "tool": "Bash", "args": object{"command": command}}})
			},
			prompt: func(words string) string {
				return toJSON(object{"version": 1, "event": "prompt", "session": "s-generic", "cwd": cwd, "prompt": words})
			},
			unknown: `{"version":1,"event":"teleport","session":"s","calls":[{"tool":"Bash","args":{"command":"ls"}}]}`,
		},
	}
}
