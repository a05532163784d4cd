package hook

import "github.com/planlint/planlint/plan"

// qwen is Qwen Code: Claude Code's events with Gemini's tools. Headless it
// takes an ask for a refusal. Of the modes in which nobody is asked anything it
// is not known whether they ask for a hook.
func qwen() *Client {
	return &Client{
		Name: "qwen", Title: "Qwen Code", Tested: true,
		decode: func(v *plan.Value, _ *Hook) Event {
			e := claudeEvent(v, claudeEvents)
			switch e.Mode {
			case "default", "plan", "auto_edit":
				e.CanAsk = e.Name == "PreToolUse"
			}
			if e.Kind == After && e.Name == "PostToolUse" {
				geminiResult(v, &e)
			}
			return e.checked()
		},
		asks: claudeAsk,
	}
}
