package hook

import (
	"path/filepath"
	"strings"

	"github.com/planlint/planlint/plan"
)

// opencode is OpenCode, whose hooks are functions of a plugin. The plugin that
// install writes hands each event over as JSON and throws, which blocks the
// call, unless the exit code is 0.
func opencode() *Client {
	return &Client{Name: "opencode", Title: "OpenCode", Tested: true, decode: opencodeEvent}
}

var opencodeEvents = map[string]Kind{
	"tool.execute.before": Before, "tool.execute.after": After, "chat.message": Prompt,
	"permission.ask": Ignored, "permission.asked": Ignored, "permission.replied": Ignored, "permission.updated": Ignored,
	"session.created": Ignored, "session.compacted": Ignored,
}

func opencodeEvent(v *plan.Value, h *Hook) Event {
	e := Event{Name: str(v, "hook_event_name"), Cwd: str(v, "cwd"), Session: str(v, "input", "sessionID")}
	if e.Name == "" {
		e.Name = h.Event
	}
	e.Kind = opencodeEvents[e.Name]
	args := get(v, "output", "args")
	if e.Kind == After {
		args = get(v, "input", "args")
	}
	if name := str(v, "input", "tool"); name != "" {
		e.Calls = []plan.Call{call(str(v, "input", "callID"), name, args)}
	}
	e.Transcript = opencodeDatabase(h)
	switch e.Kind {
	case Prompt:
		e.Prompt = promptParts(get(v, "output", "parts"))
	case After:
		e.Outcome, e.Output = plan.Ran, present(get(v, "output", "output"))
		if code := get(v, "output", "metadata", "exit"); code != nil && code.Text != "0" {
			e.Outcome = plan.Failed
		}
		if cut := get(v, "output", "metadata", "truncated"); cut != nil {
			e.Cut = cut.Text == "true"
		}
	}
	return e.checked()
}

// promptParts joins what the user typed; parts that the client made up are
// marked as synthetic.
func promptParts(parts *plan.Value) string {
	if parts == nil {
		return ""
	}
	var words []string
	for i := range parts.Items {
		p := &parts.Items[i]
		if s := get(p, "synthetic"); str(p, "type") == "text" && (s == nil || s.Text != "true") {
			words = append(words, str(p, "text"))
		}
	}
	return strings.Join(words, "\n")
}

func opencodeDatabase(h *Hook) string {
	dir := h.Env["XDG_DATA_HOME"]
	if !filepath.IsAbs(dir) {
		if h.Env["HOME"] == "" {
			return ""
		}
		dir = filepath.Join(h.Env["HOME"], ".local", "share")
	}
	return filepath.Join(dir, "opencode", "opencode.db")
}
