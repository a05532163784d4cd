package install

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// target is what of a client's configuration planlint stands in.
type target struct{ files []file }

// file is one file of a client's configuration.
type file struct {
	path, client string
	// whole is the content of a file that is planlint's alone.
	whole string
	exec  bool
	// entries are planlint's in a file that is shared, by their lists.
	entries []entry
	// version is written into a new file that must name its version.
	version int
}

// entry is one hook: the path of its list and what stands there.
type entry struct {
	path  []string
	value any
}

func (f *file) mode() os.FileMode {
	if f.exec {
		return 0o755
	}
	return 0o644
}

// hookLine is the command line of an event before a tool. If planlint is not
// there, is killed or crashes, the shell refuses in its place.
func hookLine(site Site, client, extra string) string {
	return afterLine(site, client, extra) + ` || { echo "planlint: refused, or gave no answer" >&2; exit 2; }`
}

// afterLine is that of events that nothing waits for.
func afterLine(site Site, client, extra string) string {
	line := quote(site.Binary) + " hook " + client
	if site.Fast != "" {
		line = quote(site.Fast) + " " + client
	}
	if extra != "" {
		line += " " + extra
	}
	return line
}

// quote makes one word of a path for sh.
func quote(path string) string {
	if strings.Trim(path, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+") == "" && path != "" {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}

// timeout is what the clients wait for planlint, in seconds; planlint's own
// deadline is well inside.
const timeout = 15

type object = map[string]any

// targetOf returns the files of a client.
func targetOf(client string, scope Scope, site Site) (*target, error) {
	place := func(user, project string) string {
		if scope == Project {
			return filepath.Join(site.Dir, project)
		}
		return filepath.Join(site.Home, user)
	}
	switch client {
	case "claude-code":
		return &target{[]file{{path: place(".claude/settings.json", ".claude/settings.json"), client: client, entries: claudeEntries(site)}}}, nil
	case "codex":
		return &target{[]file{{path: place(".codex/hooks.json", ".codex/hooks.json"), client: client, entries: codexEntries(site)}}}, nil
	case "gemini":
		return &target{[]file{{path: place(".gemini/settings.json", ".gemini/settings.json"), client: client, entries: geminiEntries(site)}}}, nil
	case "qwen":
		return &target{[]file{{path: place(".qwen/settings.json", ".qwen/settings.json"), client: client, entries: qwenEntries(site)}}}, nil
	case "copilot":
		return &target{[]file{{path: place(".copilot/hooks/planlint.json", ".github/hooks/planlint.json"), whole: copilotFile(site)}}}, nil
	case "opencode":
		path := filepath.Join(site.config(), "opencode", "plugin", "planlint.js")
		if scope == Project {
			path = filepath.Join(site.Dir, ".opencode", "plugin", "planlint.js")
		}
		return &target{[]file{{path: path, whole: opencodePlugin(site)}}}, nil
	case "cline":
		return clineTarget(place(".cline/hooks", ".cline/hooks"), site), nil
	case "cursor":
		return &target{[]file{{path: place(".cursor/hooks.json", ".cursor/hooks.json"), client: client, entries: cursorEntries(site), version: 1}}}, nil
	case "windsurf":
		return &target{[]file{{path: place(".codeium/windsurf/hooks.json", ".windsurf/hooks.json"), client: client, entries: windsurfEntries(site)}}}, nil
	case "kiro":
		return &target{[]file{{path: place(".kiro/hooks/planlint.json", ".kiro/hooks/planlint.json"), whole: kiroFile(site)}}}, nil
	case "generic":
		return nil, fmt.Errorf("there is no client to install into\nhint: docs/frameworks.md shows how a framework calls planlint hook generic")
	}
	return nil, fmt.Errorf("unknown client %q", client)
}

// grouped is an entry of the hook table that four clients share.
func grouped(event, matcher string, handler object) entry {
	group := object{"hooks": []any{handler}}
	if matcher != "" {
		group["matcher"] = matcher
	}
	return entry{[]string{"hooks", event}, group}
}

func claudeEntries(site Site) []entry {
	handler := func(line string, block bool) object {
		h := object{"type": "command", "command": line, "timeout": timeout}
		if block {
			h["onFailure"] = "block"
		}
		return h
	}
	before, after := hookLine(site, "claude-code", ""), afterLine(site, "claude-code", "")
	return []entry{
		grouped("PreToolUse", "*", handler(before, true)),
		grouped("PreSkillShellCommand", "*", handler(before, true)),
		grouped("PostToolUse", "*", handler(after, false)),
		grouped("PostToolUseFailure", "*", handler(after, false)),
		grouped("PermissionDenied", "*", handler(after, false)),
		grouped("UserPromptSubmit", "", handler(after, false)),
	}
}

func codexEntries(site Site) []entry {
	handler := func(line string) object { return object{"type": "command", "command": line, "timeout": timeout} }
	before, after := hookLine(site, "codex", ""), afterLine(site, "codex", "")
	return []entry{
		grouped("PreToolUse", "", handler(before)), grouped("PostToolUse", "", handler(after)),
		grouped("UserPromptSubmit", "", handler(after)),
	}
}

func geminiEntries(site Site) []entry {
	handler := func(line string) object {
		return object{"name": "planlint", "type": "command", "command": line, "timeout": timeout * 1000}
	}
	before, after := hookLine(site, "gemini", ""), afterLine(site, "gemini", "")
	return []entry{
		grouped("BeforeTool", "*", handler(before)), grouped("AfterTool", "*", handler(after)),
		grouped("BeforeAgent", "", handler(after)),
	}
}

func qwenEntries(site Site) []entry {
	handler := func(line string) object {
		return object{"name": "planlint", "type": "command", "command": line, "timeout": timeout}
	}
	before, after := hookLine(site, "qwen", ""), afterLine(site, "qwen", "")
	return []entry{
		grouped("PreToolUse", "*", handler(before)), grouped("PostToolUse", "*", handler(after)),
		grouped("PostToolUseFailure", "*", handler(after)), grouped("UserPromptSubmit", "*", handler(after)),
	}
}

func cursorEntries(site Site) []entry {
	var list []entry
	add := func(event, line string, closed bool) {
		h := object{"command": line, "timeout": timeout}
		if closed {
			h["failClosed"] = true
		}
		list = append(list, entry{[]string{"hooks", event}, h})
	}
	before, after := hookLine(site, "cursor", ""), afterLine(site, "cursor", "")
	for _, event := range []string{"beforeShellExecution", "beforeMCPExecution", "beforeReadFile", "subagentStart"} {
		add(event, before, true)
	}
	// The three above can ask, or see what this one doesn't; here is the rest.
	add("preToolUse", hookLine(site, "cursor", "--event preToolUse:rest"), true)
	for _, event := range []string{"postToolUse", "postToolUseFailure", "afterShellExecution", "afterMCPExecution", "beforeSubmitPrompt"} {
		add(event, after, false)
	}
	return list
}

func windsurfEntries(site Site) []entry {
	var list []entry
	for _, action := range []string{"read_code", "write_code", "run_command", "mcp_tool_use"} {
		list = append(list,
			entry{[]string{"hooks", "pre_" + action}, object{"command": hookLine(site, "windsurf", ""), "show_output": true}},
			entry{[]string{"hooks", "post_" + action}, object{"command": afterLine(site, "windsurf", ""), "show_output": false}})
	}
	return append(list, entry{[]string{"hooks", "pre_user_prompt"}, object{"command": afterLine(site, "windsurf", ""), "show_output": false}})
}
