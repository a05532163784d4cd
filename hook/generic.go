package hook

import (
	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/plan"
)

// generic is planlint's own protocol, for any framework: docs/hooks.md. Every
// event is answered in JSON; several calls of one turn are decided together.
func generic() *Client {
	return &Client{Name: "generic", Title: "this framework", Tested: true, decode: genericEvent, plain: genericAnswer, silence: ""}
}

var genericEvents = map[string]Kind{
	"before": Before, "after": After, "prompt": Prompt, "start": Ignored, "end": Ignored,
}

func genericEvent(v *plan.Value, _ *Hook) Event {
	e := Event{Name: str(v, "event"), Session: str(v, "session"), Agent: str(v, "agent"), ParentAgent: str(v, "parent_agent"),
		Cwd: str(v, "cwd"), Mode: str(v, "mode")}
	e.Kind = genericEvents[e.Name]
	if ask := get(v, "can_ask"); ask != nil {
		e.CanAsk = ask.Text == "true" && ask.Kind == plan.Bool
	}
	list := get(v, "calls")
	if list == nil {
		if one := get(v, "call"); one != nil {
			list = &plan.Value{Kind: plan.List, Items: []plan.Value{*one}}
		}
	}
	if list != nil {
		for i := range list.Items {
			c := &list.Items[i]
			made := call(str(c, "id"), str(c, "tool"), get(c, "args"))
			made.Server = str(c, "server")
			e.Calls = append(e.Calls, made)
			if made.Tool == "" && e.Problem == "" {
				e.Problem = "a call of the event names no tool"
			}
		}
	}
	switch e.Kind {
	case Prompt:
		e.Prompt = str(v, "prompt")
	case After:
		e.Output = present(get(v, "output"))
		outcome, known := plan.ParseOutcome(str(v, "outcome"))
		if !known {
			outcome = plan.Ran
		}
		e.Outcome = outcome
	}
	if e.Problem != "" {
		return e
	}
	return e.checked()
}

// genericReply is the answer to a generic event.
type genericReply struct {
	Version  int           `json:"version"`
	Decision gate.Decision `json:"decision"`
	Calls    []genericCall `json:"calls,omitempty"`
	What     string        `json:"what,omitempty"`
	Why      string        `json:"why,omitempty"`
	Instead  string        `json:"instead,omitempty"`
	Message  string        `json:"message,omitempty"`
}

type genericCall struct {
	ID       string        `json:"id,omitempty"`
	Decision gate.Decision `json:"decision"`
	Gate     []string      `json:"gate,omitempty"`
	Rule     string        `json:"rule,omitempty"`
	What     string        `json:"what,omitempty"`
	Why      string        `json:"why,omitempty"`
	Instead  string        `json:"instead,omitempty"`
	Suggest  string        `json:"suggest,omitempty"`
	Message  string        `json:"message,omitempty"`
}

// genericAnswer writes the answers, none for an event that needs none.
func genericAnswer(_ *Event, answers []Answer) any {
	r := genericReply{Version: 1, Decision: gate.Allow}
	for _, a := range answers {
		c := genericCall{ID: a.Call, Decision: a.Decision, Rule: a.Rule}
		if a.Decision != gate.Allow {
			c.Gate, c.What, c.Why, c.Instead, c.Suggest, c.Message = a.Gate.Words(), a.What, a.Why, a.Instead, a.Suggest, a.model()
			if a.Decision == gate.Ask {
				c.Message = a.person()
			}
		}
		r.Calls = append(r.Calls, c)
		if a.Decision < r.Decision {
			r.Decision, r.What, r.Why, r.Instead, r.Message = a.Decision, c.What, c.Why, c.Instead, c.Message
		}
	}
	return r
}
