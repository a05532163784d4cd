package tool

import (
	"fmt"

	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/internal/fields"
	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/taint"
)

// Resolve returns what each call of the plan does, in plan order. The cost is
// linear in the plan.
func (r *Registry) Resolve(p *plan.Plan) []Resolved {
	res := &resolver{
		reg: r, plan: p, out: NewOutputs(p), places: newPlaces(&p.Env), sources: r.index(),
		files: newFileTable(len(p.Calls)), onlyOutput: []taint.Write{{ToOutput: true}}, done: make([]Resolved, len(p.Calls)), tools: make([]*entry, len(p.Calls)),
	}
	res.reserve()
	for _, a := range p.Agents {
		if a.SpawnedBy >= 0 {
			if res.spawned == nil {
				res.spawned = make(map[int]string)
			}
			res.spawned[a.SpawnedBy] = a.Name
		}
	}
	k := &call{resolver: res}
	for i := range p.Calls {
		k.resolve(i)
	}
	return res.done
}

// toolKey is a tool's name; runs is false for steps that run no tool.
type toolKey struct {
	tool, server string
	runs         bool
}

// knownTool is a tool that was looked up before.
type knownTool struct {
	toolKey
	entry *entry
}

// maxFirst is how many tools are compared one by one.
const maxFirst = 8

// reserve looks up the tools of all calls, and makes room for what their arguments
// will be.
func (r *resolver) reserve() {
	args := 0
	for i := range r.plan.Calls {
		c := &r.plan.Calls[i]
		if c.Args.Kind == plan.Object {
			args += len(c.Args.Items)
		}
		r.tools[i] = r.entryOf(c)
		r.runs = r.runs || r.tools[i].has[Command]
	}
	r.slabs.slots.reserve(args)
	r.slabs.roles.reserve(args)
	r.slabs.values.reserve(args)
	r.slabs.steps.reserve(len(r.plan.Calls))
}

// resolver holds what the calls of one plan share.
type resolver struct {
	reg     *Registry
	plan    *plan.Plan
	out     *Outputs
	places  *places
	sources *sourceIndex
	// candidates is scratch space for what sources finds.
	candidates []int32
	tools      []*entry // by call
	// entries are the tools so far; of the first ones a list is the quicker map.
	first   []knownTool
	entries map[toolKey]*entry
	noted   map[toolKey]bool // the unknown tools that were told
	files   fileTable
	names   nameRoom
	folded  *plan.Env // see foldedEnv
	decoder fields.Decoder
	spawned map[int]string
	done    []Resolved
	shared  []taint.Operand // FromSlot 0, 1, 2, ...
	// onlyOutput is the list of writes of the calls that write nothing else.
	onlyOutput []taint.Write
	// machine and sessions are what commands so far left for later ones; runs
	// says whether the plan may run command lines at all.
	machine  *machine
	sessions map[string]*shellSession
	runs     bool
	// secrets are pieces of the secrets that outputs so far showed.
	secrets map[[pieceBytes]byte]secretPiece
	typed   []typedSecret // passwords that command lines gave
	clean   cleanTexts
	// audiences are those of one name.
	audiences [maxAudiences]namedAudience
	slabs     struct {
		slots    slab[taint.Slot]
		roles    slab[Role]
		values   slab[*plan.Value]
		steps    slab[taint.Step]
		operands slab[taint.Operand]
		sinks    slab[taint.Sink]
		writes   slab[taint.Write]
		ints     slab[int]
		paths    slab[PathUse]
		texts    slab[string]
	}
}

// call is the call that is being resolved, with scratch space that the next one
// uses again.
type call struct {
	*resolver
	i int
	c *plan.Call
	e *entry
	r *Resolved

	slotOf  []int     // by argument, -1 where it was not given
	said    []argText // by argument
	scratch []taint.Slot
	roles   []Role
	// spare is memory for slots, roles and uses that come when those of the
	// arguments were kept.
	spare struct {
		slots []taint.Slot
		roles []Role
		uses  []PathUse
	}
	// mixed: a value may hold several declared arguments, so none is certain.
	mixed bool
	// namesFiles: the call only reads, and names the files that it quotes.
	namesFiles bool
	// wholesale: what is being looked at passes on all that it reads, as a copy
	// does and a search does not.
	wholesale bool
	step      taint.Step
	// writes and leaks are the step's lists while they grow.
	writes []taint.Write
	leaks  []taint.Sink
	// ownReads: step.Reads is no longer the shared list.
	ownReads bool
	uses     []PathUse
	// lowered are the steps of command lines, which follow the contract's own;
	// lines counts the lines.
	lowered []taint.Step
	lines   int
}

func (k *call) resolve(i int) {
	k.i, k.c, k.r = i, &k.plan.Calls[i], &k.done[i]
	k.r.Env = &k.plan.Env
	k.e = k.find()
	if k.e.c != noContract {
		k.r.Contract = k.e.c
	}
	k.slots()
	k.step = taint.Step{Writes: k.writes[:0], Sinks: k.leaks[:0]}
	k.ownReads, k.namesFiles, k.wholesale = false, false, false
	k.lowered = k.lowered[:0]
	switch {
	case k.c.Kind == plan.Model:
		k.r.Class, k.r.ReadOnly = gate.ReversibleInternal, true
	case k.r.Contract == nil:
		k.unknown()
	default:
		k.known()
		k.misnamed()
	}
	k.finish()
}

// find returns the entry of the call's tool, that of noContract where nothing
// describes it.
func (k *call) find() *entry {
	e := k.tools[k.i]
	if e.c == noContract && k.c.Kind == plan.Tool {
		k.unknownOnce()
	}
	return e
}

// entryOf looks a call's tool up once for each name. Steps that run no tool have
// no contract, whatever their name.
func (r *resolver) entryOf(c *plan.Call) *entry {
	key := toolKey{c.Tool, c.Server, c.Kind == plan.Tool}
	for i := range r.first {
		if f := &r.first[i]; f.tool == key.tool && f.server == key.server && f.runs == key.runs {
			return f.entry
		}
	}
	if e, ok := r.entries[key]; ok {
		return e
	}
	con := noContract
	if key.runs {
		if found := r.reg.Find(key.tool, key.server); found != nil {
			con = found
		}
	}
	e := r.reg.entry(con)
	if len(r.first) < maxFirst {
		r.first = append(r.first, knownTool{key, e})
		return e
	}
	if r.entries == nil {
		r.entries = make(map[toolKey]*entry)
	}
	r.entries[key] = e
	return e
}

// unknownOnce notes a tool that nothing describes where it first stands.
func (k *call) unknownOnce() {
	key := toolKey{k.c.Tool, k.c.Server, true}
	if k.noted[key] {
		return
	}
	if k.noted == nil {
		k.noted = make(map[toolKey]bool)
	}
	k.noted[key] = true
	k.note(NoteUnknownTool, false, fmt.Sprintf("nothing describes the tool %q; it is judged as unknown", k.c.Tool))
}

// misnamed notes a call whose effect can't be told: its contract names arguments
// for what is read, written or run, the call gives none of them, and it has
// others that the contract doesn't know. Closing, since what it does is unknown.
func (k *call) misnamed() {
	effects := false
	for i := range k.e.c.Args {
		switch a := &k.e.c.Args[i]; a.Role {
		case Path, Command, Code, Patch:
			if k.slotOf[i] >= 0 {
				return
			}
			effects = true
		}
	}
	if !effects || k.c.Args.Kind != plan.Object {
		return
	}
	for _, key := range k.c.Args.Keys {
		if !k.e.declares(key) {
			k.note(NoteWritePath, true, fmt.Sprintf("the contract of %q does not know the argument %q, and none that it knows says what is read, written or run", k.e.c.Name, key))
			return
		}
	}
}

// declares reports whether the contract knows a top-level argument.
func (e *entry) declares(key string) bool {
	for i := range e.c.Args {
		if path := e.c.Args[i].Path; len(path) > 0 && path[0].Key == key {
			return true
		}
	}
	return false
}

// known resolves a call that has a contract.
func (k *call) known() {
	c := k.e.c
	k.recipients()
	k.hosts()
	k.paths()
	k.r.Agent = k.agentKind()
	k.r.ReadOnly = c.ReadOnly
	k.r.Class = k.class()
	k.step.Reads = k.readSlots()
	k.namesFiles = c.ReadOnly && len(k.e.sinks) == 0
	k.wholesale = !k.namesFiles
	k.fileCells()
	k.urlCells()
	k.declaredCells()
	k.outputs()
	k.removals()
	k.sinks()
	k.rendered()
	k.emptied()
	k.written()
	k.commands()
}

// finish adds what does not depend on a contract: the plan's own cells, the
// policy's sources and sinks, the output.
func (k *call) finish() {
	if k.step.Reads == nil {
		k.step.Reads = k.readSlots()
	}
	k.planCells()
	k.sourceRules()
	k.contentLabels()
	k.typedSecrets()
	k.sinkRules()
	if len(k.lowered) == 0 {
		k.step.Writes = append(k.step.Writes, taint.Write{ToOutput: true})
	}
	k.writes, k.leaks = k.step.Writes, k.step.Sinks
	if k.step.Writes = k.onlyOutput; len(k.writes) != 1 || !k.writes[0].ToOutput {
		k.step.Writes = k.slabs.writes.keep(k.writes)
	}
	k.step.Sinks = k.slabs.sinks.keep(k.leaks)
	k.r.Facts.Steps = k.slabs.steps.take(1 + len(k.lowered))
	k.r.Facts.Steps[0] = k.step
	copy(k.r.Facts.Steps[1:], k.lowered)
	k.r.Effect = k.effect()
	if name := k.spawned[k.i]; name != "" {
		k.r.Facts.Extend().Spawns = name
	}
}

// readSlots returns operands for all slots; plain tools share one list.
func (k *call) readSlots() []taint.Operand {
	n := len(k.r.Facts.Slots)
	for len(k.shared) < n {
		k.shared = append(k.shared, taint.Operand{Kind: taint.FromSlot, Index: len(k.shared)})
	}
	return k.shared[:n:n]
}

func (k *call) note(id string, closing bool, message string) {
	k.noteAt(k.c.Pos, id, closing, message)
}

func (k *call) noteAt(pos plan.Position, id string, closing bool, message string) {
	k.r.Notes = append(k.r.Notes, plan.Note{ID: id, Call: k.i, Message: message, Closing: closing, Pos: pos})
}

// class applies class_when: it only lowers, to the strictest entry that holds.
// An argument that is not known, an empty list of recipients and an error keep
// the contract's class.
func (k *call) class() gate.Class {
	class := k.e.c.Class
	if len(k.e.c.ClassWhen) == 0 || !k.decided() {
		return class
	}
	lowered := gate.ClassUnset
	for _, w := range k.e.c.ClassWhen {
		holds, err := k.holds(w.If)
		if err != nil {
			k.note(NoteCondition, false, fmt.Sprintf("class_when of %q could not be decided: %v", k.e.c.Name, err))
			return class
		}
		if holds {
			lowered = max(lowered, w.Class)
		}
	}
	if lowered == gate.ClassUnset {
		return class
	}
	return min(class, lowered)
}

// decided reports whether everything but the call's content is known.
func (k *call) decided() bool {
	if k.mixed || k.e.has[Recipient] && (k.r.RecipientsOpen || len(k.r.Recipients) == 0) {
		return false
	}
	for i, s := range k.r.Facts.Slots {
		if role := k.r.Roles[i]; role == Content || role == Query {
			continue
		}
		for _, v := range s.Values {
			if !k.settled(v) {
				return false
			}
		}
	}
	return true
}

// settled reports whether nothing in a value waits for a run.
func (k *call) settled(v *plan.Value) bool {
	ok := true
	v.Walk(func(_ plan.Path, v *plan.Value) bool {
		for i := range v.Refs() {
			if _, found := k.out.Lookup(&v.Refs()[i]); !found {
				ok = false
			}
		}
		ok = ok && v.Kind != plan.UnknownValue
		return ok
	})
	return ok
}

type conditionError string

func (e conditionError) Error() string { return string(e) }

const errNoConditions = conditionError("no evaluator of conditions")

func (k *call) holds(c Cond) (bool, error) {
	if c == 0 {
		return true, nil
	}
	if k.reg.config.Conditions == nil {
		return false, errNoConditions
	}
	return k.reg.config.Conditions.Holds(c, &Subject{
		Plan: k.plan, Calls: k.done[:k.i+1], Call: k.i, Universe: k.reg.config.Universe,
	})
}

// agentKind returns the sub-agent that a spawning call asks for by name.
func (k *call) agentKind() string {
	if k.e.c.Spawns == "" {
		return ""
	}
	for _, key := range []string{"subagent_type", "agent_type", "agent", "agent_name", "name"} {
		if v := k.c.Args.Get(key); v != nil {
			if texts, ok := k.out.Texts(v); ok && len(texts) == 1 {
				return texts[0]
			}
		}
	}
	return ""
}
