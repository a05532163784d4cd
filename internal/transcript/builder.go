package transcript

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/planlint/planlint/plan"
)

// Builder makes one plan of the events of one session.
type Builder struct {
	plan   *plan.Plan
	agents agents
	ids    map[string]bool
	// open are the unanswered calls; rawIDs the ids as written, by index.
	open   map[callKey]*queue
	rawIDs []string
	strays map[string]int
	stray  []plan.Note
	counts map[string]int
	// answered says of each call whether it is known what became of it.
	answered []bool
	// words: there was at least one text of the user.
	words bool
}

// NewBuilder starts the plan of a recorded run.
func NewBuilder(format, source string) *Builder {
	return &Builder{
		plan:   &plan.Plan{Source: source, Format: format, Recorded: true},
		agents: newAgents(),
		ids:    map[string]bool{},
		open:   map[callKey]*queue{},
		strays: map[string]int{},
		counts: map[string]int{},
	}
}

// Add takes the next event.
func (b *Builder) Add(e Event) {
	switch e.Kind {
	case Call:
		b.call(e)
	case Result:
		b.result(e)
	case Text:
		b.text(e)
	case Note:
		b.note(e.ID, -1, e.Pos, e.Message, e.Hint)
		if e.Lost {
			b.plan.Lost++
		}
	case Spawn:
		b.agents.spawned(e.Agent, e.ID)
	case Session:
		b.session(e)
	case Stray:
		b.unknown(e)
	case Aborted:
		b.abort(e)
	}
}

func (b *Builder) session(e Event) {
	b.plan.ID = cmp.Or(b.plan.ID, e.ID)
	b.plan.Env.Cwd = cmp.Or(b.plan.Env.Cwd, e.Cwd)
}

func (b *Builder) call(e Event) {
	state := b.agents.state(e.Agent)
	index := len(b.plan.Calls)
	if !state.begun || e.Turn == "" || e.Turn != state.key {
		if state.begun {
			state.turn++
		}
		state.begun, state.key, state.calls = true, e.Turn, nil
		b.fix(state, index)
	}
	state.calls = append(state.calls, index)
	state.idle = true
	state.firstCall = min(state.firstCall, index)
	c := plan.Call{
		Index: index, ID: b.uniqueID(e.ID, index), Tool: e.Tool, Server: e.Server, Caller: e.Caller,
		Agent: state.name, Turn: state.turn, Args: e.Value, RawArgs: e.RawArgs,
		Outcome: plan.Unknown, Pos: e.Pos,
	}
	if e.ID != "" && c.ID != e.ID {
		b.note(NoteReusedID, index, e.Pos, fmt.Sprintf("id %q names more than one call; results went by order", e.ID), "")
	}
	if e.RawArgs {
		b.note(NoteRawArgs, index, e.Value.Pos, "arguments are no JSON object; they are reviewed as one text", "")
	}
	b.plan.Calls = append(b.plan.Calls, c)
	b.answered = append(b.answered, false)
	b.rawIDs = append(b.rawIDs, e.ID)
	b.opened(e, state.turn, index)
}

// uniqueID keeps the file's id where it is free, and makes one otherwise.
func (b *Builder) uniqueID(id string, index int) string {
	if id == "" {
		id = "call-" + strconv.Itoa(index+1)
	}
	free := id
	for n := index + 1; b.ids[free]; n++ {
		free = id + "#" + strconv.Itoa(n)
	}
	b.ids[free] = true
	return free
}

// fix gives the texts that wait in an agent's context their place: the calls
// from index on were fixed after they were there.
func (b *Builder) fix(state *agentState, index int) {
	for _, t := range state.waiting {
		b.plan.Texts[t].Before = index
	}
	state.waiting = state.waiting[:0]
}

func (b *Builder) text(e Event) {
	state := b.agents.state(e.Agent)
	if e.Value.Text == "" && e.Origin == "" {
		return
	}
	if e.TextKind == plan.TextUser {
		b.words = true
	}
	switch e.TextKind {
	case plan.TextUser, plan.TextSummary, plan.TextSubagentPrompt, plan.TextOrphanResult:
		state.idle = false // the session went on after the calls
	}
	if e.TextKind == plan.TextSubagentPrompt && state.prompt == "" {
		state.prompt = e.Value.Text
	}
	state.waiting = append(state.waiting, len(b.plan.Texts))
	pos := e.Pos
	if e.Value.Pos.Known() {
		pos = e.Value.Pos
	}
	b.plan.Texts = append(b.plan.Texts, plan.Text{
		Kind: e.TextKind, Agent: state.name, Text: e.Value.Text, Origin: e.Origin, Pos: pos})
}

func (b *Builder) unknown(e Event) {
	b.strays[e.Message]++
	if b.strays[e.Message] == 1 {
		b.stray = append(b.stray, plan.Note{ID: NoteUnknownType, Call: -1, Message: e.Message, Pos: e.Pos})
	}
}

func (b *Builder) note(id string, call int, pos plan.Position, msg, hint string) {
	b.counts[id]++
	if b.counts[id] <= MaxNotes {
		b.plan.Notes = append(b.plan.Notes, plan.Note{ID: id, Call: call, Message: msg, Hint: hint, Pos: pos})
	}
}

// Plan ends the session and returns its plan. The builder is spent.
func (b *Builder) Plan() *plan.Plan {
	p := b.plan
	for i := range b.agents.list {
		b.fix(b.agents.list[i], len(p.Calls))
	}
	p.Agents = b.agents.tree(p.Calls, b.rawIDs)
	b.unanswered()
	slices.SortStableFunc(p.Texts, func(x, y plan.Text) int { return cmp.Compare(x.Before, y.Before) })
	b.closingNotes()
	return p
}

func (b *Builder) closingNotes() {
	for _, n := range b.stray {
		n.Message = fmt.Sprintf("%s is not known; records of it: %d", n.Message, b.strays[n.Message])
		b.note(n.ID, -1, n.Pos, n.Message, "the format may have moved on; what they hold was not reviewed")
	}
	if !b.words {
		b.note(NoteNoUserWords, -1, plan.Position{}, "nothing in the record is positively the user's own words",
			"values that the user gave can't be told from others")
	}
	p := b.plan
	slices.SortStableFunc(p.Notes, func(x, y plan.Note) int {
		return cmp.Or(cmp.Compare(x.Pos.Line, y.Pos.Line), cmp.Compare(x.Pos.Column, y.Pos.Column), cmp.Compare(x.ID, y.ID))
	})
	for _, id := range []string{NoteUnreadable, NoteNoOutput, NoteCut, NoteRawArgs, NoteUnknownType, NoteOrphan, NoteReusedID} {
		if more := b.counts[id] - MaxNotes; more > 0 {
			p.Notes = append(p.Notes, plan.Note{ID: id, Call: -1, Message: fmt.Sprintf("and %d more notes like this", more)})
		}
	}
}
