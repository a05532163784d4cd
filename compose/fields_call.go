package compose

import (
	"fmt"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"

	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/taint"
	"github.com/planlint/planlint/tool"
)

var callType = &objectType{name: "call", typ: callCEL, fields: []field{
	{name: "index", typ: cel.IntType, early: true, doc: "the call's number in the plan, from 0",
		get: func(o *object) (any, error) { return types.Int(o.n), nil }},
	{name: "id", typ: cel.StringType, early: true, doc: "its id",
		get: func(o *object) (any, error) { return types.String(o.call().ID), nil }},
	{name: "tool", typ: cel.StringType, domain: toolWord, early: true, doc: "the tool's name as the client gives it",
		get: func(o *object) (any, error) { return types.String(o.call().Tool), nil }},
	{name: "contract", typ: cel.StringType, domain: toolWord, early: true, doc: "the name of the contract that describes it, empty for none",
		get: func(o *object) (any, error) {
			if c := o.resolved().Contract; c != nil {
				return types.String(c.Name), nil
			}
			return types.String(""), nil
		}},
	{name: "server", typ: cel.StringType, early: true, doc: "the MCP server, where the format names it",
		get: func(o *object) (any, error) { return types.String(serverOf(o.call())), nil }},
	{name: "agent", typ: cel.StringType, early: true, doc: "the calling agent, main for the first",
		get: func(o *object) (any, error) { return types.String(o.call().AgentName()), nil }},
	{name: "turn", typ: cel.IntType, early: true, doc: "the agent's turn, from 0",
		get: func(o *object) (any, error) { return types.Int(o.call().Turn), nil }},
	{name: "outcome", typ: cel.StringType, domain: outcomeWord, early: true, doc: "what became of it",
		get: func(o *object) (any, error) { return types.String(o.call().Outcome.String()), nil }},
	{name: "args", typ: cel.DynType, early: true, doc: "its arguments, recorded outputs put in the place of references",
		get: func(o *object) (any, error) { return o.ev.value(&o.call().Args), nil }},
	{name: "known", typ: cel.BoolType, early: true, doc: "a contract describes the tool, and a program table each command",
		get: func(o *object) (any, error) { return types.Bool(o.isKnown()), nil }},
	{name: "recipients", typ: stringsCEL, early: true, doc: "the principals that the call names",
		get: func(o *object) (any, error) { return o.recipients() }},
	{name: "hosts", typ: stringsCEL, early: true, doc: "the hosts that the call contacts, lower case",
		get: func(o *object) (any, error) { return o.hosts() }},
	{name: "paths", typ: stringsCEL, early: true, doc: "the files that the call touches",
		get: func(o *object) (any, error) { return o.paths(0) }},
	{name: "reads", typ: stringsCEL, early: true, doc: "the files that it reads or runs",
		get: func(o *object) (any, error) { return o.paths(tool.Read | tool.Execute) }},
	{name: "writes", typ: stringsCEL, early: true, doc: "the files that it writes or deletes",
		get: func(o *object) (any, error) { return o.paths(tool.Write | tool.Delete) }},
	{name: "commands", typ: stringsCEL, early: true, doc: "the simple commands of a command line, words joined by one space",
		get: func(o *object) (any, error) { return o.ev.stringList(o.commands()), nil }},
	{name: "programs", typ: stringsCEL, early: true, doc: "the programs of a command line",
		get: func(o *object) (any, error) { return o.ev.stringList(o.programs()), nil }},
	{name: "class", typ: cel.StringType, domain: classWord, doc: "its risk class, after class_when",
		get: func(o *object) (any, error) { return types.String(o.resolved().Class.String()), nil }},
	{name: "read_only", typ: cel.BoolType, doc: "it changes nothing",
		get: func(o *object) (any, error) { return types.Bool(o.resolved().ReadOnly), nil }},
	{name: "sinks", typ: stringsCEL, domain: kindWord, doc: "the kinds of all its sinks",
		get: func(o *object) (any, error) { return o.ev.kindList(o.resolved().SinkKinds()), nil }},
	{name: "audience", typ: stringsCEL, doc: "who will see what the call sends, all sinks joined; empty without a sink",
		get: func(o *object) (any, error) { return o.audience(), nil }},
	{name: "labels_in", typ: stringsCEL, domain: labelWord, doc: "labels that reach its arguments and cells, by context or better",
		get: func(o *object) (any, error) { return o.labelsIn(taint.Context) }},
	{name: "labels_direct", typ: stringsCEL, domain: labelWord, doc: "the same by value or resource only",
		get: func(o *object) (any, error) { return o.labelsIn(taint.Resource) }},
	{name: "labels_out", typ: stringsCEL, domain: labelWord, doc: "labels of its output",
		get: func(o *object) (any, error) {
			if o.ev.subject.Labels == nil {
				return nil, fmt.Errorf("labels are not known yet")
			}
			return o.ev.labelList(o.ev.subject.Labels.Out(o.n)), nil
		}},
	{name: "signals", typ: stringsCEL, domain: signalWord, doc: "what the analysis of origins found: see docs/provenance.md",
		get: func(o *object) (any, error) { return o.ev.stringList(o.origins().Signals().Names()), nil }},
	{name: "origins", typ: cel.ListType(originCEL), doc: "where the values of its arguments came from, a value or address each",
		get: func(o *object) (any, error) {
			return o.ev.objects(originType, partsOf(o.n, len(o.origins().Parts))), nil
		}},
	{name: "names_self", typ: cel.BoolType, doc: "an argument or a command word names the calling agent or the user that it runs as",
		get: func(o *object) (any, error) { return types.Bool(o.namesSelf()), nil }},
}}

func (o *object) call() *plan.Call         { return o.ev.planCall(o.n) }
func (o *object) resolved() *tool.Resolved { return o.ev.resolved(o.n) }

func (o *object) isKnown() bool {
	r := o.resolved()
	for _, c := range r.Commands() {
		if !c.Known {
			return false
		}
	}
	return r.Contract != nil
}

func (o *object) commands() []string {
	uses := o.resolved().Commands()
	lines := make([]string, len(uses))
	for i := range uses {
		lines[i] = strings.Join(uses[i].Words, " ")
	}
	return lines
}

func (o *object) programs() []string {
	uses := o.resolved().Commands()
	names := make([]string, len(uses))
	for i := range uses {
		names[i] = uses[i].Program
	}
	return names
}

func (o *object) audience() *list {
	var joined taint.Audience
	found := false
	steps := o.resolved().Steps()
	for i := range steps {
		for j := range steps[i].Sinks {
			a := steps[i].Sinks[j].Audience
			if found {
				a = joined.Join(a)
			}
			joined, found = a, true
		}
	}
	if !found {
		return o.ev.stringList(nil)
	}
	return o.ev.audienceList(joined)
}

func (o *object) labelsIn(least taint.Precision) (any, error) {
	if o.ev.subject.Labels == nil {
		return nil, fmt.Errorf("labels are not known yet")
	}
	return o.ev.labelList(o.ev.subject.Labels.In(o.n, least)), nil
}

// serverOf returns the MCP server of a call, which many clients put into the
// tool's name: mcp__server__tool.
func serverOf(c *plan.Call) string {
	if c.Server != "" {
		return c.Server
	}
	if rest, ok := strings.CutPrefix(c.Tool, "mcp__"); ok {
		if server, _, ok := strings.Cut(rest, "__"); ok {
			return server
		}
	}
	return ""
}

// selfWords name the caller whoever it is.
var selfWords = map[string]bool{
	"self": true, "me": true, "@me": true, "myself": true, "agent": true, "assistant": true,
	"$user": true, "${user}": true, "$(whoami)": true, "$(id -un)": true, "`whoami`": true,
}

// namesSelf reports whether a call names the agent that makes it, or the user
// that it runs as. A name counts as a whole word of an argument or command:
// "user:build-bot", "build-bot@corp.example", "me"; prose does not count.
func (o *object) namesSelf() bool {
	names := map[string]bool{}
	if agent := o.call().AgentName(); agent != plan.MainAgent {
		names[strings.ToLower(agent)] = true
	}
	if user := o.ev.subject.Plan.Env.User; user != "" {
		names[strings.ToLower(user)] = true
	}
	r := o.resolved()
	for _, c := range r.Commands() {
		for _, word := range c.Words[min(1, len(c.Words)):] {
			if isSelf(word, names) {
				return true
			}
		}
	}
	for i := range r.Slots() {
		if role := r.Role(i); role == tool.Content || role == tool.Command || role == tool.Code {
			continue
		}
		for _, v := range r.Facts.Slots[i].Values() {
			if o.ev.mentionsSelf(v, names) {
				return true
			}
		}
	}
	return false
}

func (e *evaluation) mentionsSelf(v *plan.Value, names map[string]bool) bool {
	found := false
	v.Walk(func(_ plan.Path, part *plan.Value) bool {
		text := part.Text
		if len(part.Refs()) > 0 {
			if s, ok := e.referenced(part).(types.String); ok {
				text = string(s)
			}
		}
		if part.Kind == plan.String && isSelf(text, names) {
			found = true
		}
		return !found
	})
	return found
}

// isSelf compares one word, without a kind before a colon and a domain after @.
func isSelf(word string, names map[string]bool) bool {
	word = strings.ToLower(strings.TrimSpace(word))
	if selfWords[word] || names[word] {
		return true
	}
	if i := strings.LastIndexByte(word, ':'); i >= 0 {
		word = word[i+1:]
	}
	if local, _, ok := strings.Cut(word, "@"); ok {
		return names[local]
	}
	return selfWords[word] || names[word]
}
