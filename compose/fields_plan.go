package compose

import (
	"fmt"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"

	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/taint"
)

var planType = &objectType{name: "plan", typ: planCEL, fields: []field{
	{name: "id", typ: cel.StringType, doc: "the plan's name, or the session's id",
		get: func(o *object) (any, error) { return types.String(o.ev.subject.Plan.ID), nil }},
	{name: "format", typ: cel.StringType, doc: "the format that it was read from",
		get: func(o *object) (any, error) { return types.String(o.ev.subject.Plan.Format), nil }},
	{name: "recorded", typ: cel.BoolType, doc: "it is a recorded run, not a proposal",
		get: func(o *object) (any, error) { return types.Bool(o.ev.subject.Plan.Recorded), nil }},
	{name: "fixed", typ: cel.BoolType, doc: "every argument was fixed before the first call ran",
		get: func(o *object) (any, error) { return types.Bool(o.ev.subject.Plan.Fixed), nil }},
	{name: "prompt", typ: cel.StringType, doc: "the user's own words",
		get: func(o *object) (any, error) {
			if o.ev.prompt == nil {
				o.ev.prompt = types.String(userWords(o.ev.subject.Plan))
			}
			return o.ev.prompt, nil
		}},
	{name: "calls", typ: callsCEL, doc: "all calls in order",
		get: func(o *object) (any, error) {
			if o.ev.calls == nil {
				o.ev.calls = o.ev.objects(callType, upTo(o.ev.callCount()))
			}
			return o.ev.calls, nil
		}},
	{name: "tools", typ: stringsCEL, domain: toolWord, doc: "the tools that the plan calls, each once, in order",
		get: func(o *object) (any, error) {
			if o.ev.tools == nil {
				o.ev.tools = o.ev.distinct(func(c *plan.Call) string { return c.Tool })
			}
			return o.ev.tools, nil
		}},
	{name: "agents", typ: stringsCEL, doc: "the agents that make calls, each once, in order",
		get: func(o *object) (any, error) {
			if o.ev.agents == nil {
				o.ev.agents = o.ev.distinct((*plan.Call).AgentName)
			}
			return o.ev.agents, nil
		}},
	{name: "labels", typ: stringsCEL, domain: labelWord, doc: "the labels of all outputs",
		get: func(o *object) (any, error) { return o.ev.allLabels() }},
	{name: "uncompensated", typ: callsCEL, doc: "calls that ran before a call that failed for good, and that their contract's compensation did not make up for",
		get: func(o *object) (any, error) {
			if o.ev.uncompensated == nil {
				o.ev.uncompensated = o.ev.objects(callType, uncompensated(o.ev.subject.Plan, o.ev.subject.Calls))
			}
			return o.ev.uncompensated, nil
		}},
}}

func (e *evaluation) callCount() int { return min(len(e.subject.Plan.Calls), len(e.subject.Calls)) }

func (e *evaluation) distinct(key func(*plan.Call) string) *list {
	seen := map[string]bool{}
	var names []string
	for i := range e.subject.Plan.Calls {
		name := key(&e.subject.Plan.Calls[i])
		if !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	return e.stringList(names)
}

func (e *evaluation) allLabels() (any, error) {
	if e.subject.Labels == nil {
		return nil, fmt.Errorf("labels are not known yet")
	}
	if e.planLabels == nil {
		var all taint.Set
		for i := 0; i < e.callCount(); i++ {
			all = all.Join(e.subject.Labels.Out(i))
		}
		e.planLabels = e.labelList(all)
	}
	return e.planLabels, nil
}

// called reports whether a call of the plan, that no event says did not run,
// used the tool of that name or alias.
func (e *evaluation) called(name string) bool {
	if e.guard && e.callCount() > usualCalls {
		e.large = true
		return false
	}
	for i := 0; i < e.callCount(); i++ {
		c := e.planCall(i)
		if !c.Outcome.DidNotRun() && isTool(c, e.resolved(i).Contract, name) {
			return true
		}
	}
	return false
}

// before reports whether call a is over before call b's arguments are fixed:
// it comes first in the plan and is not parallel to it.
func (e *evaluation) before(a, b int) bool {
	if a >= b || !e.isCall(a) || !e.isCall(b) {
		return false
	}
	x, y := e.planCall(a), e.planCall(b)
	sameTurn := x.AgentName() == y.AgentName() && x.Turn == y.Turn
	parallel := x.Group != "" && x.Group == y.Group
	return !sameTurn && !parallel
}

// next reports whether b is the call that a's agent makes directly after a.
func (e *evaluation) next(a, b int) bool {
	if !e.isCall(a) || !e.isCall(b) {
		return false
	}
	if e.previous == nil {
		e.previous = make([]int32, e.callCount())
		last := map[string]int32{}
		for i := range e.previous {
			agent := e.planCall(i).AgentName()
			before, ok := last[agent]
			if !ok {
				before = -1
			}
			e.previous[i] = before
			last[agent] = int32(i)
		}
	}
	return e.previous[b] == int32(a)
}
