package planyaml

import (
	"strconv"
	"strings"

	"github.com/planlint/planlint/plan"
)

// draft is a call while its fields are read.
type draft struct {
	plan.Call
	idPos plan.Position
	given given
}

// call reads one item of the list of calls.
func (d *decoder) call(n *node) {
	d.field = "a call"
	c := &d.draft
	*c = draft{Call: plan.Call{
		Index: len(d.plan.Calls), Pos: n.pos, Args: plan.Value{Kind: plan.Object, Pos: n.pos},
	}, idPos: n.pos}
	decode(d, n, callObject, c)
	if c.Tool == "" && (n.kind != plan.Object || n.has("tool") || misspelt(n)) {
		c.Tool = "?" // what is wrong has been said; don't let Validate say it again
	}
	d.plan.Calls = append(d.plan.Calls, c.Call)
	d.idPos = append(d.idPos, c.idPos)
	d.given = append(d.given, c.given)
}

// misspelt reports whether a field of the call, which may be its tool, is unknown.
func misspelt(n *node) bool {
	for i := range n.keys {
		if callObject.find(n.keys[i].text) == nil {
			return true
		}
	}
	return false
}

var callObject = &object[draft]{"call", []reader[draft]{
	{Field{Name: "id", Type: String, Doc: "The call's id, unique in the plan; call-N if not said."},
		func(d *decoder, n *node, c *draft) { c.ID, c.idPos = d.nonEmpty(n), n.pos }},
	{Field{Name: "tool", Type: String, Doc: "The tool, as the client names it. Required unless kind says otherwise."},
		func(d *decoder, n *node, c *draft) { c.Tool = d.nonEmpty(n) }},
	{Field{Name: "server", Type: String, Doc: "The server that offers the tool, where it isn't part of the name."},
		func(d *decoder, n *node, c *draft) { c.Server = d.str(n) }},
	{Field{Name: "kind", Type: String, Enum: kinds, Doc: "tool; model for a step whose output a model writes; opaque for what could not be read."},
		func(d *decoder, n *node, c *draft) { c.Kind, _ = plan.ParseKind(d.enum(n, kinds)) }},
	{Field{Name: "args", Type: Argument, Doc: "What the tool is given, usually a mapping."},
		func(d *decoder, n *node, c *draft) { c.Args = d.argument(n) }},
	{Field{Name: "raw_args", Type: Boolean, Doc: "The arguments could not be parsed; args is their text."},
		func(d *decoder, n *node, c *draft) { c.RawArgs = d.boolean(n) }},
	{Field{Name: "output", Type: Any, Doc: "The result: recorded if the call ran, else predicted. Taken literally."},
		func(d *decoder, n *node, c *draft) {
			c.Output, c.OutputPos, c.given = d.literal(n), n.pos, c.given|givenOutput
			if c.OutputState == plan.OutputAbsent {
				c.OutputState = plan.OutputPredicted // until outcomes is known
			}
		}},
	{Field{Name: "output_state", Type: String, Enum: outputStates, Doc: "How much of the output is known, where the default is wrong."},
		func(d *decoder, n *node, c *draft) {
			word := d.enum(n, outputStates)
			c.given |= givenState
			if state, ok := plan.ParseOutputState(word); ok {
				c.OutputState = state
			}
		}},
	{Field{Name: "outcome", Type: String, Enum: outcomes, Doc: "What became of the call."},
		func(d *decoder, n *node, c *draft) {
			c.Outcome, _ = plan.ParseOutcome(d.enum(n, outcomes))
			c.given |= givenOutcome
		}},
	{Field{Name: "after", Type: Strings, Doc: "Calls that must have run before."},
		func(d *decoder, n *node, c *draft) {
			d.each(n, func(item *node) {
				d.names = append(d.names, named{use: forAfter, call: int32(c.Index), name: item.text, pos: item.pos})
			})
		}},
	{Field{Name: "turn", Type: Integer, Doc: "The agent's turn, from 0. Given for all calls or for none."},
		func(d *decoder, n *node, c *draft) { c.Turn, c.given = d.integer(n), c.given|givenTurn }},
	{Field{Name: "agent", Type: String, Doc: "The calling agent; main if not said."},
		func(d *decoder, n *node, c *draft) { c.Agent = d.agent(n) }},
	{Field{Name: "parallel", Type: String, Doc: "The group of calls that start together."},
		func(d *decoder, n *node, c *draft) { c.Group = d.nonEmpty(n) }},
	{Field{Name: "compete", Type: Boolean, Doc: "Only one call of the group takes effect."},
		func(d *decoder, n *node, c *draft) { c.Compete = d.boolean(n) }},
	{Field{Name: "each", Type: String, Doc: "The list that the call is mapped over: REF as NAME."},
		func(d *decoder, n *node, c *draft) { d.mapped(n, c) }},
	{Field{Name: "when", Type: String, Doc: "The guard, as the plan's author wrote it."},
		func(d *decoder, n *node, c *draft) { c.Extend().When = d.str(n) }},
	{Field{Name: "branch", Type: ObjectOf, Object: "branch", Doc: "The arm of a choice that the call stands in."},
		func(d *decoder, n *node, c *draft) {
			c.Extend().Branch = &plan.Branch{}
			decode(d, n, branchObject, c.Branch())
		}},
	{Field{Name: "reads", Type: Strings, Doc: "Cells that the call reads."},
		func(d *decoder, n *node, c *draft) { c.Extend().Reads = d.strings(n) }},
	{Field{Name: "writes", Type: Strings, Doc: "Cells that the call writes."},
		func(d *decoder, n *node, c *draft) { c.Extend().Writes = d.strings(n) }},
	{Field{Name: "repeat", Type: Boolean, Doc: "The call is part of a loop."},
		func(d *decoder, n *node, c *draft) { c.Repeat = d.boolean(n) }},
	{Field{Name: "tools", Type: Strings, Doc: "The calls that a model step may make."},
		func(d *decoder, n *node, c *draft) { c.Extend().Tools = d.strings(n) }},
	{Field{Name: "approval", Type: String, Doc: "The author's own gate; it counts only as audit."},
		func(d *decoder, n *node, c *draft) { c.Extend().Approval = d.str(n) }},
	{Field{Name: "copied", Type: Boolean, Doc: "An earlier file of the same review has this very call too."},
		func(d *decoder, n *node, c *draft) { c.Copied = d.boolean(n) }},
	{Field{Name: "on_error", Type: String, Enum: onErrors, Doc: "What a failure does."},
		func(d *decoder, n *node, c *draft) { c.Extend().OnError = d.enum(n, onErrors) }},
	{Field{Name: "caller", Type: String, Doc: "The program that made the call, if it was not the model."},
		func(d *decoder, n *node, c *draft) { c.Caller = d.str(n) }},
	{Field{Name: "spawns", Type: Strings, Doc: "The agents that the call starts."},
		func(d *decoder, n *node, c *draft) {
			d.each(n, func(item *node) {
				d.nonEmpty(item)
				d.agents = append(d.agents, agentEntry{
					Agent: plan.Agent{Name: item.text, SpawnedBy: c.Index}, pos: item.pos, spawned: true,
				})
			})
		}},
}}

var branchObject = &object[plan.Branch]{"branch", []reader[plan.Branch]{
	{Field{Name: "of", Type: String, Required: true, Doc: "The choice: a call's id, or any name."},
		func(d *decoder, n *node, b *plan.Branch) { b.Of = d.nonEmpty(n) }},
	{Field{Name: "arm", Type: Integer, Required: true, Doc: "The arm's number, from 0."},
		func(d *decoder, n *node, b *plan.Branch) { b.Arm = d.integer(n) }},
}}

// mapped reads each: "list.output.items as item".
func (d *decoder) mapped(n *node, c *draft) {
	text := d.str(n)
	if n.kind != plan.String {
		return
	}
	name := "item"
	list := *n
	if i := strings.LastIndex(text, " as "); i >= 0 {
		name, list.text = strings.TrimSpace(text[i+len(" as "):]), text[:i]
	}
	if name == "" || strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") != "" {
		d.fail(n.pos, "write REF as NAME", "each names its item %s", quote(name))
		return
	}
	list.text = strings.TrimRight(list.text, " ")
	if ref, ok := d.bareRef(&list); ok {
		own := c.Extend()
		own.Each, own.As = &ref, name
	}
}

// nonEmpty reads a string that must say something.
func (d *decoder) nonEmpty(n *node) string {
	s := d.str(n)
	if s == "" && n.kind == plan.String {
		d.fail(n.pos, "", "%s is empty", d.field)
	}
	return s
}

// agent reads an agent's name; the main one has none in the model.
func (d *decoder) agent(n *node) string {
	if name := d.nonEmpty(n); name != plan.MainAgent {
		return name
	}
	return ""
}

func quote(s string) string {
	if len(s) > 64 {
		s = s[:64] + "..."
	}
	return strconv.Quote(s)
}

// The words that fields allow.
var (
	kinds        = words(plan.Tool, plan.Opaque)
	outcomes     = words(plan.Planned, plan.Unknown)
	outputStates = words(plan.OutputRecorded, plan.OutputTruncated)
	textKinds    = words(plan.TextUnknown, plan.TextOrphanResult)
	onErrors     = []string{"stop", "continue", "goto"}
	fillers      = []string{"model", "person", "input", "env", "code"}
)

type word interface {
	~uint8
	String() string
}

func words[T word](first, last T) []string {
	var names []string
	for k := first; k <= last; k++ {
		names = append(names, k.String())
	}
	return names
}
