package planyaml

import (
	"fmt"

	"github.com/planlint/planlint/internal/spell"
	"github.com/planlint/planlint/plan"
)

// The bounds of error reporting. None of them loses a plan's content: a plan with
// an error is refused.
const (
	// maxKept is how many errors are kept; plan.SortErrors shows fewer.
	maxKept = 10_000
	// maxHints is for how many errors a nearest spelling is sought.
	maxHints = 200
)

// topDepth is how deep in the file the arguments of a call stand: plan, calls,
// call.
const topDepth = 3

// maxTree is how deep the tree of a file may be.
const maxTree = plan.MaxDepth + topDepth

// decoder builds the plan. Names of calls are resolved once all ids are known.
type decoder struct {
	src    []byte
	lines  *lines
	plan   *plan.Plan
	errs   []plan.Error
	values int // how many values were read
	hints  int
	field  string // the field being read, for errors

	// broken: the file could not be read to its end, so that what it lacks says
	// nothing.
	broken bool
	deep   bool // the depth error has been reported

	draft   draft           // the call that is being read
	idPos   []plan.Position // of each call
	given   []given         // of each call
	names   []named         // what waits for resolve
	afters  []afterPlace    // in the order of calls
	agents  []agentEntry
	prompts []plan.Text
	texts   []textEntry
	notes   []noteEntry
}

// given says which fields of a call were there.
type given uint8

const (
	givenTurn given = 1 << iota
	givenOutcome
	givenState
	givenOutput
)

// use says what a name of a call is wanted for.
type use uint8

const (
	forAfter use = iota
	forUnknown
)

// named is the name of a call that waits for its index.
type named struct {
	use     use
	call    int32 // the call that names it
	name    string
	pos     plan.Position
	unknown *plan.UnknownSource
}

type afterPlace struct {
	call, to int32
	pos      plan.Position
}

type agentEntry struct {
	plan.Agent
	pos     plan.Position
	spawned bool // by a call; otherwise from the list of agents
}

type textEntry struct {
	plan.Text
	before, after       string
	beforePos, afterPos plan.Position
}

type noteEntry struct {
	plan.Note
	call    string
	callPos plan.Position
}

func newDecoder(src []byte) *decoder {
	return &decoder{src: src, lines: newLines(src), plan: &plan.Plan{}}
}

// resolve turns names into indexes and fills in what the file leaves to the
// defaults.
func (d *decoder) resolve() {
	p := d.plan
	index := make(map[string]int, len(p.Calls))
	for i := range p.Calls {
		if p.Calls[i].ID == "" {
			p.Calls[i].ID = fmt.Sprintf("call-%d", i+1)
		}
		if _, twice := index[p.Calls[i].ID]; !twice {
			index[p.Calls[i].ID] = i
		}
	}
	look := func(name string, pos plan.Position, what string) (int, bool) {
		i, ok := index[name]
		if !ok {
			d.unknownCall(name, pos, what)
		}
		return i, ok
	}
	for _, n := range d.names {
		what := "after"
		if n.use == forUnknown {
			what = "from"
		}
		to, ok := look(n.name, n.pos, what)
		switch {
		case !ok:
		case n.use == forUnknown:
			n.unknown.From = append(n.unknown.From, to)
		default:
			c := &p.Calls[n.call]
			c.Extend().After = append(c.After(), to)
			d.afters = append(d.afters, afterPlace{n.call, int32(to), n.pos})
		}
	}
	d.resolveTexts(look)
	for _, n := range d.notes {
		n.Call = -1
		if n.call != "" {
			n.Call, _ = look(n.call, n.callPos, "call")
		}
		p.Notes = append(p.Notes, n.Note)
	}
	d.outcomes()
	d.turns()
	d.resolveAgents()
}

func (d *decoder) unknownCall(name string, pos plan.Position, what string) {
	hint := ""
	if d.hints < maxHints && len(d.plan.Calls) <= maxKept {
		d.hints++
		ids := make([]string, len(d.plan.Calls))
		for i := range d.plan.Calls {
			ids[i] = d.plan.Calls[i].ID
		}
		if near := spell.Nearest(name, ids); near != "" {
			hint = fmt.Sprintf("did you mean %q?", near)
		}
	}
	d.fail(pos, hint, "%s names %q, which is no call of this plan", what, name)
}

func (d *decoder) resolveTexts(look func(string, plan.Position, string) (int, bool)) {
	texts := d.prompts
	for _, t := range d.texts {
		if t.before != "" {
			t.Before, _ = look(t.before, t.beforePos, "before")
		}
		if t.after != "" {
			if i, ok := look(t.after, t.afterPos, "after"); ok {
				t.Before = i + 1
			}
		}
		texts = append(texts, t.Text)
	}
	d.plan.Texts = texts
}

// outcomes fills in what a call's fields leave open.
func (d *decoder) outcomes() {
	for i := range d.plan.Calls {
		c := &d.plan.Calls[i]
		if d.given[i]&givenOutcome == 0 {
			c.Outcome = plan.DefaultOutcome(d.plan.Recorded, c.HasOutput())
		}
		if d.given[i]&givenState != 0 {
			if d.given[i]&givenOutput == 0 {
				d.fail(c.Pos, "", "output_state without an output")
			}
			continue
		}
		if c.HasOutput() {
			c.OutputState = plan.DefaultOutputState(c.Outcome)
		}
	}
}

func (d *decoder) turns() {
	some := false
	for i := range d.given {
		some = some || d.given[i]&givenTurn != 0
	}
	if !some {
		for i, turn := range plan.DefaultTurns(d.plan.Calls) {
			d.plan.Calls[i].Turn = turn
		}
		return
	}
	for i := range d.given {
		if d.given[i]&givenTurn == 0 {
			d.fail(d.plan.Calls[i].Pos, "give every call its turn, or none", "call %q has no turn, but others have one", d.plan.Calls[i].ID)
		}
	}
}

// resolveAgents joins what spawns and the list of agents say of one agent.
func (d *decoder) resolveAgents() {
	at, declared := map[string]int{}, map[string]bool{}
	for _, e := range d.agents {
		if !e.spawned && declared[e.Name] {
			d.fail(e.pos, "", "agent %q is declared twice", e.Name)
			continue
		}
		declared[e.Name] = declared[e.Name] || !e.spawned
		i, known := at[e.Name]
		if !known {
			at[e.Name] = len(d.plan.Agents)
			if e.SpawnedBy >= 0 {
				e.Parent = d.plan.Calls[e.SpawnedBy].AgentName()
			}
			d.plan.Agents = append(d.plan.Agents, e.Agent)
			continue
		}
		a := &d.plan.Agents[i]
		switch {
		case e.spawned && a.SpawnedBy >= 0:
			d.fail(e.pos, "", "agent %q is started twice", e.Name)
		case e.spawned:
			a.SpawnedBy = e.SpawnedBy
			if a.Parent == "" {
				a.Parent = d.plan.Calls[e.SpawnedBy].AgentName()
			}
		case e.Parent != "":
			a.Parent = e.Parent
		}
	}
}

// afterPos returns the place of the k-th after of a call. The entries of one call
// stand together and calls come in order.
func (d *decoder) afterPos(call, k int) plan.Position {
	low, high := 0, len(d.afters)
	for low < high {
		if middle := (low + high) / 2; int(d.afters[middle].call) < call {
			low = middle + 1
		} else {
			high = middle
		}
	}
	if low+k < len(d.afters) && int(d.afters[low+k].call) == call {
		return d.afters[low+k].pos
	}
	return d.plan.Calls[call].Pos
}
