package hook

import (
	"os"

	"github.com/planlint/planlint/plan"
)

// gemini is Gemini CLI. Its ask forces a confirmation; without a terminal the
// run would end with an empty answer, so there it is a refusal.
func gemini() *Client {
	return &Client{
		Name: "gemini", Title: "Gemini CLI", Tested: true,
		decode: func(v *plan.Value, _ *Hook) Event {
			e := claudeEvent(v, geminiEvents)
			e.CanAsk = e.Kind == Before && hasTerminal()
			if e.Kind == After {
				geminiResult(v, &e)
			}
			return e.checked()
		},
		asks: func(_ *Event, reason string) any {
			return struct {
				Decision string `json:"decision"`
				Reason   string `json:"reason"`
			}{"ask", reason}
		},
	}
}

var geminiEvents = map[string]Kind{
	"BeforeTool": Before, "AfterTool": After, "BeforeAgent": Prompt,
	"SessionStart": Ignored, "SessionEnd": Ignored, "AfterAgent": Ignored, "BeforeModel": Ignored, "AfterModel": Ignored,
	"BeforeToolSelection": Ignored, "PreCompress": Ignored, "Notification": Ignored,
}

func geminiResult(v *plan.Value, e *Event) {
	e.Outcome = outcomeOf(present(get(v, "tool_response", "error")) != nil)
	if content := present(get(v, "tool_response", "llmContent")); content != nil {
		e.Output = content
	}
}

// hasTerminal reports whether a person may be at a terminal of this process.
func hasTerminal() bool {
	f, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err != nil {
		return false
	}
	f.Close()
	return true
}
