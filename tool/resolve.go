package tool

import (
	"fmt"

	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/internal/fields"
	"github.com/planlint/planlint/internal/reuse"
	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/taint"
)

// Resolve returns what each call of the plan does, in plan order. The cost is
// linear in the plan.
func (r *Registry) Resolve(p *plan.Plan) []Resolved { return r.ResolveWith(p, &fields.Decoder{}) }

// ResolveWith is Resolve for who decodes the same arguments again.
func (r *Registry) ResolveWith(p *plan.Plan, d *fields.Decoder) []Resolved {
	spare, _ := r.spare.Get().(*scratch)
	if spare == nil {
		spare = newScratch()
	}
	res := &resolver{
		reg: r, plan: p, out: NewOutputs(p), places: newPlaces(&p.Env), sources: r.index(),
		scratch: spare, decoder: d, done: r.room(len(p.Calls)), facts: make([]taint.Facts, len(p.Calls)),
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
	spare.forget()
	r.spare.Put(spare)
	return res.done
}

// Release takes back calls that nobody looks at any more, all that Resolve returned,
// so that the next plan can have their memory. Their Facts stay as they are.
func (r *Registry) Release(calls []Resolved) {
	if calls = reuse.Cleared(calls); cap(calls) > 0 {
		r.released.Put(&calls)
	}
}

// room returns a list of so many calls.
func (r *Registry) room(n int) []Resolved {
	if spare, _ := r.released.Get().(*[]Resolved); spare != nil {
		return reuse.Zeros(*spare, n)
	}
	return make([]Resolved, n)
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

// reserve looks up the tools of all calls, and makes room for what they will have.
func (r *resolver) reserve() {
	n := len(r.plan.Calls)
	r.tools = reuse.Zeros(r.tools, n)
	r.files.facts, r.alike = reuse.Zeros(r.files.facts, tableSize(n)), reuse.Zeros(r.alike, tableSize(n))
	var args, reads, cells, files, rare int // most calls touch one file or address, each another
	for i := range r.plan.Calls {
		c := &r.plan.Calls[i]
		e := r.entryOf(c)
		r.tools[i] = e
		r.runs = r.runs || e.has(Command)
		if c.Args.Kind != plan.Object {
			continue
		}
		args += len(c.Args.Items)
		switch file, address := e.takes(Path, c.Args.Keys), e.takes(URL, c.Args.Keys); {
		case address:
			cells, reads, rare = cells+1, reads+len(c.Args.Items)+1, rare+1
		case file:
			cells, reads, files = cells+1, reads+len(c.Args.Items)+1, files+1
		case e.has(Recipient) || e.has(Command):
			rare++
		}
	}
	r.slabs.slots.reserve(args)
	r.slabs.rare.reserve(rare)
	// Of many calls some are alike.
	r.slabs.operands.reserve(min(reads, 2*maxSlab))
	r.slabs.cells.reserve(min(cells, maxSlab))
	r.slabs.paths.reserve(min(files, maxSlab))
	r.slabs.steps.reserve(min(cells+len(r.first)+len(r.entries), maxSlab))
}

// resolver holds what the calls of one plan share.
type resolver struct {
	*scratch
	decoder *fields.Decoder
	reg     *Registry
	plan    *plan.Plan
	out     *Outputs
	places  *places
	sources *sourceIndex
	entries map[toolKey]*entry // the tools beyond the first
	noted   map[toolKey]bool   // the unknown tools that were told
	names   nameRoom
	folded  *plan.Env // see foldedEnv
	spawned map[int]string
	done    []Resolved
	facts   []taint.Facts   // of done
	shared  []taint.Operand // FromSlot 0, 1, 2, ...
	// machine and sessions are what commands so far left for later ones; runs
	// says whether the plan may run command lines at all.
	machine  *machine
	sessions map[string]*shellSession
	runs     bool
	// secrets are pieces of the secrets that outputs so far showed.
	secrets map[[pieceBytes]byte]secretPiece
	typed   []typedSecret // passwords that command lines gave
	slabs   struct {
		slots    slab[taint.Slot]
		rare     slab[Rare]
		steps    slab[taint.Step]
		operands slab[taint.Operand]
		cells    slab[taint.Cell]
		sinks    slab[taint.Sink]
		writes   slab[taint.Write]
		ints     slab[int]
		paths    slab[PathUse]
		texts    slab[string]
	}
}

// call is the call that is being resolved. Its lists of the scratch space are
// slotOf, by argument, -1 where it was not given; said, by argument, of pieces of
// texts; uses, the files so far; reads, writes and leaks of its own step, with
// outgoing and decides, of which its sinks have pieces; lowered, the steps of command
// lines, which follow its own.
type call struct {
	*resolver
	i int
	c *plan.Call
	e *entry
	r *Resolved

	given []taint.Slot // the slots so far
	// mixed: a value may hold several declared arguments, so none is certain.
	mixed bool
	// namesFiles: the call only reads, and names the files that it quotes.
	namesFiles bool
	// wholesale: what is being looked at passes on all that it reads, as a copy
	// does and a search does not.
	wholesale bool
	step      taint.Step
	// ownReads: step.Reads is no longer the shared list.
	ownReads bool
	lines    int // of commands
}

func (k *call) resolve(i int) {
	k.i, k.c, k.r = i, &k.plan.Calls[i], &k.done[i]
	k.r.Env, k.r.Facts = &k.plan.Env, &k.facts[i]
	k.e = k.find()
	if k.e.c != noContract {
		k.r.Contract = k.e.c
	}
	k.slots()
	k.step = taint.Step{Writes: k.writes[:0], Sinks: k.leaks[:0]}
	k.ownReads, k.namesFiles, k.wholesale = false, false, false
	k.lowered, k.outgoing, k.decides, k.uses = k.lowered[:0], k.outgoing[:0], k.decides[:0], k.uses[:0]
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
	if len(k.e.effects) == 0 || k.c.Args.Kind != plan.Object {
		return
	}
	for _, i := range k.e.effects {
		if k.slotOf[i] >= 0 {
			return
		}
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
	if agent := k.agentKind(); agent != "" {
		k.extend().Agent = agent
	}
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
	k.r.Facts.Steps = k.keepSteps()
	k.r.Effect = k.effect()
	if name := k.spawned[k.i]; name != "" {
		k.r.Facts.Extend().Spawns = name
	}
}

// extend is Resolved.Extend.
func (k *call) extend() *Rare {
	if k.r.Rare == nil {
		k.r.Rare = &k.slabs.rare.take(1)[0]
	}
	return k.r.Rare
}

// readSlots returns operands for all slots; plain tools share one list.
func (k *call) readSlots() []taint.Operand {
	n := len(k.r.Facts.Slots)
	if n <= len(k.reg.slots) {
		return k.reg.slots[:n:n]
	}
	for len(k.shared) < n {
		k.shared = append(k.shared, fromSlot(len(k.shared)))
	}
	return k.shared[:n:n]
}

func (k *call) note(id string, closing bool, message string) {
	k.noteAt(k.c.Pos, id, closing, message)
}

func (k *call) noteAt(pos plan.Position, id string, closing bool, message string) {
	rare := k.extend()
	rare.Notes = append(rare.Notes, plan.Note{ID: id, Call: k.i, Message: message, Closing: closing, Pos: pos})
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
	if k.mixed || k.e.has(Recipient) && (k.r.RecipientsOpen || len(k.r.Recipients()) == 0) {
		return false
	}
	for i := range k.r.Facts.Slots {
		s := &k.r.Facts.Slots[i]
		if role := roleOf(s); role == Content || role == Query {
			continue
		}
		for _, v := range s.Values() {
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
