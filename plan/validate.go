package plan

import (
	"fmt"
	"slices"
	"strings"
)

// Places tells Validate where things stand that the model has no position for,
// and how a misspelt id may be meant. Every field may be nil.
type Places struct {
	// ID is the place of a call's id.
	ID func(call int) Position
	// After is the place of the k-th entry of a call's After.
	After func(call, k int) Position
	// Nearest returns the allowed word that is most like another, or "".
	Nearest func(word string, allowed []string) string
}

// maxNearest is up to how many ids a misspelt one is compared with.
const maxNearest = 10_000

// Validate resolves the plan's references to call indexes, completes Agents, and
// returns what is wrong, in file order. A reader calls it last, once all of the
// plan is there; without errors the plan keeps the package's guarantees.
func Validate(p *Plan) []Error { return SortErrors(ValidateAt(p, Places{})) }

// ValidateAt is Validate with places for what the model has no position for. It
// leaves the sorting to a reader that has errors of its own.
func ValidateAt(p *Plan, places Places) []Error {
	v := &validator{plan: p, places: places}
	v.ids()
	v.inputs()
	v.agents()
	for i := range p.Calls {
		v.call(i)
	}
	v.turns()
	v.texts()
	v.order()
	return v.errs
}

type validator struct {
	plan   *Plan
	places Places
	index  map[string]int32
	input  map[string]bool
	names  []string // what a reference may name, built on the first bad one
	// forward are the edges that point to the same or a later call.
	forward []edge
	errs    []Error
}

// edge says that call From needs call To to have run before.
type edge struct {
	from, to int
	what     string
	pos      Position
}

func (v *validator) fail(pos Position, hint, format string, args ...any) {
	v.errs = append(v.errs, Error{Pos: pos, Message: fmt.Sprintf(format, args...), Hint: hint})
}

func (v *validator) ids() {
	v.index = make(map[string]int32, len(v.plan.Calls))
	for i := range v.plan.Calls {
		c := &v.plan.Calls[i]
		c.Index = i
		if c.ID == "" {
			v.fail(v.idPos(i), "", "a call with an empty id")
			continue
		}
		if first, ok := v.index[c.ID]; ok {
			v.fail(v.idPos(i), "ids are unique in a plan", "call id %q is used twice, first at %s", c.ID, at(v.idPos(int(first))))
			continue
		}
		v.index[c.ID] = int32(i)
	}
}

func (v *validator) idPos(i int) Position {
	if v.places.ID != nil {
		if pos := v.places.ID(i); pos.Known() {
			return pos
		}
	}
	return v.plan.Calls[i].Pos
}

func (v *validator) inputs() {
	v.input = make(map[string]bool, len(v.plan.Inputs))
	for i := range v.plan.Inputs {
		in := &v.plan.Inputs[i]
		if v.input[in.Name] {
			v.fail(in.Pos, "", "input %q is declared twice", in.Name)
		}
		if call, ok := v.index[in.Name]; ok {
			v.fail(in.Pos, "rename one of them", "input %q has the name of the call at %s", in.Name, at(v.idPos(int(call))))
		}
		v.input[in.Name] = true
	}
}

// agents adds those that only calls and texts name, and puts main first.
func (v *validator) agents() {
	known := make(map[string]bool, len(v.plan.Agents)+1)
	for _, a := range v.plan.Agents {
		if known[a.Name] {
			v.fail(Position{}, "", "agent %q is declared twice", a.Name)
		}
		known[a.Name] = true
	}
	add := func(name string) {
		if name != "" && !known[name] {
			known[name] = true
			v.plan.Agents = append(v.plan.Agents, Agent{Name: name, SpawnedBy: -1})
		}
	}
	add(MainAgent)
	for i := range v.plan.Calls {
		add(v.plan.Calls[i].Agent)
	}
	for i := range v.plan.Texts {
		add(v.plan.Texts[i].Agent)
	}
	slices.SortStableFunc(v.plan.Agents, func(a, b Agent) int {
		if (a.Name == MainAgent) != (b.Name == MainAgent) {
			if a.Name == MainAgent {
				return -1
			}
			return 1
		}
		return strings.Compare(a.Name, b.Name)
	})
	for _, a := range v.plan.Agents {
		if a.SpawnedBy < -1 || a.SpawnedBy >= len(v.plan.Calls) {
			v.fail(Position{}, "", "agent %q is started by a call that is not in the plan", a.Name)
		}
	}
}

func (v *validator) call(i int) {
	c := &v.plan.Calls[i]
	if c.Kind == Tool && c.Tool == "" {
		v.fail(c.Pos, "", "call %q names no tool", c.ID)
	}
	if c.Compete && c.Group == "" {
		v.fail(c.Pos, "give the competing calls the same parallel group", "call %q competes with nothing", c.ID)
	}
	if c.Each() != nil {
		v.reference(i, c.Each(), "")
		if _, taken := v.index[c.As()]; taken || v.input[c.As()] {
			v.fail(c.Each().Pos, "name the item otherwise: each: REF as NAME", "item name %q is also a call or an input", c.As())
		}
	}
	v.after(i)
	v.value(i, &c.Args, 0)
	if !withinDepth(&c.Output, 0) {
		v.fail(c.Output.Pos, "", "nested deeper than %d levels", MaxDepth)
	}
}

func (v *validator) after(i int) {
	c := &v.plan.Calls[i]
	for k, to := range c.After() {
		pos := c.Pos
		if v.places.After != nil {
			pos = v.places.After(i, k)
		}
		if to < 0 || to >= len(v.plan.Calls) {
			v.fail(pos, "", "call %q is after a call that is not in the plan", c.ID)
			continue
		}
		v.edge(edge{from: i, to: to, what: "is after", pos: pos})
	}
	if len(c.After()) > 1 {
		own := c.Extend()
		own.After = slices.Clone(own.After)
		slices.Sort(own.After)
		own.After = slices.Compact(own.After)
	}
}

func (v *validator) edge(e edge) {
	if e.to >= e.from {
		v.forward = append(v.forward, e)
	}
}

// value resolves the references in an argument, at most MaxDepth deep.
func (v *validator) value(call int, value *Value, depth int) {
	if depth > MaxDepth {
		v.fail(value.Pos, "", "nested deeper than %d levels", MaxDepth)
		return
	}
	if value.Ext != nil {
		for i := range value.Ext.Refs {
			v.reference(call, &value.Ext.Refs[i], v.plan.Calls[call].As())
		}
		v.unknown(call, value)
	}
	for i := range value.Items {
		v.value(call, &value.Items[i], depth+1)
	}
}

func (v *validator) unknown(call int, value *Value) {
	if value.Ext.Unknown == nil {
		return
	}
	for _, from := range value.Ext.Unknown.From {
		if from < 0 || from >= len(v.plan.Calls) {
			v.fail(value.Pos, "", "an unknown value comes from a call that is not in the plan")
			continue
		}
		v.edge(edge{from: call, to: from, what: "has a value from", pos: value.Pos})
	}
}

// reference resolves a name to the loop's item, an input or a call.
func (v *validator) reference(call int, ref *Ref, item string) {
	pos := ref.Pos
	if !pos.Known() {
		pos = v.plan.Calls[call].Pos
	}
	if item != "" && ref.Name == item || v.input[ref.Name] {
		ref.Call = -1
		if ref.Output {
			ref.Output = false
			ref.Path = append(Path{{Key: "output"}}, ref.Path...)
		}
		return
	}
	to, ok := v.index[ref.Name]
	if !ok {
		v.dangling(pos, ref.Name)
		return
	}
	ref.Call = int(to)
	if !ref.Output {
		v.fail(pos, fmt.Sprintf("write ${%s}", ref.target()), "reference to call %q without \".output\"", ref.Name)
		return
	}
	if other := &v.plan.Calls[to]; other.Group != "" && other.Group == v.plan.Calls[call].Group && int(to) != call {
		v.fail(pos, "the calls of one group start together; take one of them out of it",
			"reference to call %q of the same parallel group %q", ref.Name, other.Group)
	}
	v.edge(edge{from: call, to: int(to), what: "refers to", pos: pos})
}

func (v *validator) dangling(pos Position, name string) {
	hint := "write $${ for a literal ${"
	if v.places.Nearest != nil && len(v.errs) < MaxErrors && len(v.plan.Calls) <= maxNearest {
		if v.names == nil {
			v.names = v.allNames()
		}
		if near := v.places.Nearest(name, v.names); near != "" {
			hint = fmt.Sprintf("did you mean %q? (%s)", near, hint)
		}
	}
	v.fail(pos, hint, "reference to %q, which is no call, input or item of this plan", name)
}

func (v *validator) allNames() []string {
	var names []string
	for i := range v.plan.Calls {
		names = append(names, v.plan.Calls[i].ID)
	}
	for i := range v.plan.Inputs {
		names = append(names, v.plan.Inputs[i].Name)
	}
	return names
}

// turns checks that each agent's turns only rise, that parallel groups stand
// together, and that a sub-agent's calls follow the call that started it.
func (v *validator) turns() {
	type state struct {
		last  int // the agent's call before, -1 for none
		start int // the call that started the agent
	}
	agents := make(map[string]*state, len(v.plan.Agents))
	for _, a := range v.plan.Agents {
		agents[a.Name] = &state{last: -1, start: a.SpawnedBy}
	}
	closed := map[string]int{} // agent and group -> the group's last call
	for i := range v.plan.Calls {
		c := &v.plan.Calls[i]
		s := agents[c.AgentName()]
		if s == nil {
			continue // declared twice, reported before
		}
		if s.start >= i {
			v.fail(c.Pos, "", "call %q of agent %q does not come after the call that starts the agent", c.ID, c.Agent)
		}
		if s.last >= 0 && v.plan.Calls[s.last].Turn > c.Turn {
			v.fail(c.Pos, "turns are numbered in plan order", "call %q is in turn %d, after a call of turn %d", c.ID, c.Turn, v.plan.Calls[s.last].Turn)
		}
		if c.Group != "" {
			key := c.AgentName() + "\x00" + c.Group
			if last, seen := closed[key]; seen && last != s.last {
				v.fail(c.Pos, "put the calls of one group next to each other", "parallel group %q is interrupted by call %q", c.Group, v.plan.Calls[s.last].ID)
			}
			closed[key] = i
		}
		s.last = i
	}
}

func (v *validator) texts() {
	for i := range v.plan.Texts {
		t := &v.plan.Texts[i]
		if t.Before < 0 || t.Before > len(v.plan.Calls) {
			v.fail(t.Pos, "", "a text stands before a call that is not in the plan")
		}
	}
	slices.SortStableFunc(v.plan.Texts, func(a, b Text) int { return a.Before - b.Before })
}

func withinDepth(value *Value, depth int) bool {
	if depth > MaxDepth {
		return false
	}
	for i := range value.Items {
		if !withinDepth(&value.Items[i], depth+1) {
			return false
		}
	}
	return true
}

// at writes a place as errors name a second one.
func at(pos Position) string {
	if !pos.Known() {
		return "an unknown place"
	}
	return fmt.Sprintf("%d:%d", pos.Line, pos.Column)
}
