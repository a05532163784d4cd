package hook

import (
	"encoding/json"
	"io"
	"sort"

	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/plan"
)

// Client is the adapter of one agent client.
type Client struct {
	// Name is the word on the command line.
	Name string
	// Title is the client's own name.
	Title string
	// Tested: it was run for real; the others follow their documentation.
	Tested bool
	// persistentShell: cd outlives a command call.
	persistentShell bool
	// decode makes an event of the client's JSON.
	decode func(v *plan.Value, h *Hook) Event
	// asks writes the client's own prompt; nil where it has none.
	asks func(e *Event, reason string) any
	// silence is what stands for "no opinion", mostly nothing.
	silence string
	// plain answers every event in JSON, allows too.
	plain func(e *Event, answers []Answer) any
}

// clients are the adapters. Each has a file of its own.
func clients() []*Client {
	return []*Client{
		claudeCode(), codex(), gemini(), qwen(), copilot(), opencode(), cline(), cursor(), windsurf(), kiro(), generic(),
	}
}

// Names are the clients' names, sorted.
func Names() []string {
	var names []string
	for _, c := range clients() {
		names = append(names, c.Name)
	}
	sort.Strings(names)
	return names
}

// ByName returns the adapter of a client, nil for none.
func ByName(name string) *Client {
	for _, c := range clients() {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// Output is what the process says.
type Output struct {
	Stdout []byte
	Stderr string
	Code   int
}

// ExitDeny is the exit code of a refusal.
const ExitDeny = 2

// write writes an output. Where standard output can't be written, the exit code
// and standard error still say no: an allow needs neither, so it turns into a
// refusal only where the client was to get an answer.
func (o Output) write(stdout, stderr io.Writer) int {
	code := o.Code
	if len(o.Stdout) > 0 {
		if _, err := stdout.Write(o.Stdout); err != nil {
			code = ExitDeny
			o.Stderr += "planlint: the answer could not be written: " + err.Error() + "\n"
		}
	}
	if o.Stderr != "" {
		_, _ = io.WriteString(stderr, o.Stderr) // nothing is left to say it with
	}
	return code
}

// allow is silence: the client's own rules go on.
func (c *Client) allow(e *Event) Output {
	if c.plain != nil && e.Kind == Before {
		return Output{Stdout: encodeJSON(c.plain(e, nil))}
	}
	return Output{Stdout: []byte(c.silence)}
}

// encode answers proposed calls: the strictest of their answers counts.
func (c *Client) encode(e *Event, answers []Answer) Output {
	strictest := answers[0]
	for _, a := range answers[1:] {
		if a.Decision < strictest.Decision {
			strictest = a
		}
	}
	if c.plain != nil {
		out := Output{Stdout: encodeJSON(c.plain(e, answers))}
		if strictest.Decision == gate.Deny {
			out.Stderr, out.Code = strictest.model()+"\n", ExitDeny
		}
		return out
	}
	switch strictest.Decision {
	case gate.Allow:
		return c.allow(e)
	case gate.Ask:
		if c.asks != nil && e.CanAsk {
			return Output{Stdout: encodeJSON(c.asks(e, strictest.person()))}
		}
	}
	return c.deny(e, strictest)
}

// deny is the same for every client: one object with the fields that any of
// them reads, the reason on standard error, and exit code 2.
func (c *Client) deny(e *Event, a Answer) Output {
	reason := a.model()
	if c.plain != nil {
		a.Decision = gate.Deny
		return Output{Stdout: encodeJSON(c.plain(e, []Answer{a})), Stderr: reason + "\n", Code: ExitDeny}
	}
	event := e.Name
	if event == "" {
		event = "PreToolUse"
	}
	return Output{Stderr: reason + "\n", Code: ExitDeny, Stdout: encodeJSON(superset{
		Decision: "deny", Reason: reason, Permission: "deny", UserMessage: reason, AgentMessage: reason,
		PermissionDecision: "deny", PermissionDecisionReason: reason, Cancel: true, ErrorMessage: reason,
		HookSpecificOutput: hookSpecific{HookEventName: event, PermissionDecision: "deny", PermissionDecisionReason: reason},
	})}
}

// superset holds the deny fields of all clients.
type superset struct {
	Decision                 string       `json:"decision"`
	Reason                   string       `json:"reason"`
	Permission               string       `json:"permission"`
	UserMessage              string       `json:"user_message"`
	AgentMessage             string       `json:"agent_message"`
	PermissionDecision       string       `json:"permissionDecision"`
	PermissionDecisionReason string       `json:"permissionDecisionReason"`
	Cancel                   bool         `json:"cancel"`
	ErrorMessage             string       `json:"errorMessage"`
	HookSpecificOutput       hookSpecific `json:"hookSpecificOutput"`
}

type hookSpecific struct {
	HookEventName            string `json:"hookEventName"`
	PermissionDecision       string `json:"permissionDecision"`
	PermissionDecisionReason string `json:"permissionDecisionReason"`
}

func encodeJSON(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	return append(data, '\n')
}
