package taint

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planlint/planlint/plan"
)

// oracle computes labels straight from a plan and its facts, with no graph: call
// by call pairs, whole histories of cells, everything again until nothing
// changes. It shares only the types, the rule of what a distinctive token is (by
// construction of the random plans) and nothing of the builder.
type oracle struct {
	p     *plan.Plan
	facts []Facts
	turn  []string // agent and turn of each call
	first map[string]int
	has   map[string]map[string]bool // thing -> "label/precision"
	grew  bool
}

type held = map[string]bool

func (o *oracle) get(thing string) held {
	if o.has[thing] == nil {
		o.has[thing] = held{}
	}
	return o.has[thing]
}

// flow adds what one thing holds to another.
func (o *oracle) flow(from, to string, p Precision, removes Set, strong bool) {
	dst := o.get(to)
	for k := range o.get(from) {
		var l, q int
		fmt.Sscanf(k, "%d/%d", &l, &q)
		q = min(q, int(p))
		key := fmt.Sprintf("%d/%d", l, q)
		if removes.Has(Label(l)) || strong && q == int(Context) || dst[key] {
			continue
		}
		dst[key] = true
		o.grew = true
	}
}

func (o *oracle) source(thing string, sources []Source) {
	for _, s := range sources {
		s.Labels.Each(func(l Label) {
			key := fmt.Sprintf("%d/%d", l, Value)
			o.grew = o.grew || !o.get(thing)[key]
			o.get(thing)[key] = true
		})
	}
}

func solveStraight(w *world) *oracle {
	o := &oracle{p: &w.plan, facts: w.facts, first: map[string]int{}, has: map[string]map[string]bool{}}
	prev := map[string]int{}
	runs := map[string]int{}
	for i := range o.p.Calls {
		c := &o.p.Calls[i]
		a := c.AgentName()
		if k, ok := prev[a]; !ok || o.p.Calls[k].Turn != c.Turn {
			runs[a]++
		}
		prev[a] = i
		o.turn = append(o.turn, fmt.Sprintf("%s#%d", a, runs[a]))
		if _, ok := o.first[o.turn[i]]; !ok {
			o.first[o.turn[i]] = i
		}
	}
	for o.grew = true; o.grew; {
		o.grew = false
		for i := range o.p.Calls {
			o.call(i)
		}
		o.contexts()
		o.cells()
	}
	return o
}

func (o *oracle) call(i int) {
	c, f := &o.p.Calls[i], &o.facts[i]
	ran := !c.Outcome.DidNotRun()
	for s := range f.Slots {
		o.slot(i, s)
	}
	for s := range f.Steps {
		st := &f.Steps[s]
		step := fmt.Sprintf("step %d.%d", i, s)
		o.source(step, st.Adds())
		var names []string
		var precs []Precision
		for r, op := range st.Reads {
			n, p := o.operand(i, s, r, op)
			names, precs = append(names, n), append(precs, p)
			o.flow(n, step, p, st.Removes(), false)
		}
		if c.Kind == plan.Opaque {
			for j := 0; j < i; j++ {
				o.outputs(j, nil, step, Resource, st.Removes(), false)
			}
		}
		for k, sink := range st.Sinks {
			name := fmt.Sprintf("sink %d.%d.%d", i, s, k)
			for r := range names {
				leaves := len(sink.From) == 0
				for _, from := range sink.From {
					leaves = leaves || from.Kind == st.Reads[r].Kind && from.Index == st.Reads[r].Index && from.Cell.Is(st.Reads[r].Cell)
				}
				if leaves {
					o.flow(names[r], name, precs[r], st.Removes(), sink.UnknownTool)
				}
			}
			if c.Kind == plan.Opaque {
				for j := 0; j < i; j++ {
					o.outputs(j, nil, name, Resource, st.Removes(), sink.UnknownTool)
				}
			}
		}
		if ran && o.toOutput(st) {
			o.flow(step, fmt.Sprintf("out %d", i), Value, 0, false)
		}
	}
	if ran {
		o.source(fmt.Sprintf("out %d", i), f.Output())
		for k := range f.Fields() {
			o.source(fmt.Sprintf("field %d.%d", i, k), f.Fields()[k].Sources)
		}
	}
}

func (o *oracle) toOutput(st *Step) bool {
	if st.Name == "" {
		return true
	}
	for _, w := range st.Writes {
		if w.ToOutput {
			return true
		}
	}
	return false
}

func (o *oracle) operand(i, s, r int, op Operand) (string, Precision) {
	switch op.Kind {
	case FromSlot:
		return fmt.Sprintf("slot %d.%d", i, op.Index), Value
	case FromStep:
		return fmt.Sprintf("step %d.%d", i, op.Index), Value
	}
	n := fmt.Sprintf("read %d.%d.%d", i, s, r)
	o.source(n, op.Sources())
	return n, Resource
}

func (o *oracle) outputs(j int, path plan.Path, to string, p Precision, removes Set, strong bool) {
	o.flow(fmt.Sprintf("out %d", j), to, p, removes, strong)
	for k, f := range o.facts[j].Fields() {
		if path.Overlaps(f.Path) {
			o.flow(fmt.Sprintf("field %d.%d", j, k), to, p, removes, strong)
		}
	}
}

func (o *oracle) slot(i, s int) {
	name := fmt.Sprintf("slot %d.%d", i, s)
	v := o.facts[i].Slots[s].Values()[0]
	for _, r := range v.Refs() {
		if !o.p.Calls[r.Call].Outcome.DidNotRun() {
			o.outputs(r.Call, r.Path, name, Value, 0, false)
		}
	}
	if o.p.Fixed {
		return
	}
	open := false
	for _, word := range strings.Fields(v.Text) {
		if strings.HasPrefix(word, "${") {
			continue
		}
		said := o.said(word, i)
		open = !o.token(word, i, name, said) && !said || open
	}
	if open && o.leaves(i, s) {
		o.flow("context "+o.turn[i], name, Context, 0, false)
	}
}

// said reports whether the user had used a word when the arguments were fixed.
func (o *oracle) said(word string, call int) bool {
	for k := range o.p.Texts {
		t := &o.p.Texts[k]
		if t.Kind == plan.TextUser && o.textAt(t) <= o.first[o.turn[call]] && strings.Contains(t.Text, word) {
			return true
		}
	}
	return false
}

func (o *oracle) textAt(t *plan.Text) int {
	if o.p.Calls[t.Before].AgentName() == agentName(t.Agent) {
		return o.first[o.turn[t.Before]]
	}
	return t.Before
}

// token leads from everything that held a token by then, and reports whether
// anything did.
func (o *oracle) token(word string, call int, slot string, said bool) (found bool) {
	if !strings.HasPrefix(word, "token") {
		return false
	}
	removes := Set(0)
	if said {
		removes = Of(Untrusted)
	}
	for j := range o.p.Calls {
		c := &o.p.Calls[j]
		if !c.HasOutput() || c.Outcome.DidNotRun() || !strings.Contains(c.Output.Text, word) || o.done(j) >= o.first[o.turn[call]] || o.echo(j, word) {
			continue
		}
		found = true
		o.outputs(j, nil, slot, Value, removes, false)
	}
	for k := range o.p.Texts {
		t := &o.p.Texts[k]
		if t.Kind != plan.TextUser && t.Kind != plan.TextModel && o.textAt(t) <= o.first[o.turn[call]] && strings.Contains(t.Text, word) {
			found = true
			o.flow(fmt.Sprintf("text %d", k), slot, Value, removes, false)
		}
	}
	return found
}

// echo: the call's own arguments hold the token too.
func (o *oracle) echo(j int, word string) bool {
	for _, s := range o.facts[j].Slots {
		if strings.Contains(s.Values()[0].Text, word) {
			return true
		}
	}
	return false
}

// done is the last call of the agents that a call started, or itself.
func (o *oracle) done(j int) int {
	last := j
	for _, a := range o.p.Agents {
		if a.SpawnedBy == j {
			for i := range o.p.Calls {
				if o.p.Calls[i].AgentName() == a.Name {
					last = max(last, i)
				}
			}
		}
	}
	return last
}

// leaves reports whether a slot leaves by a sink of its call that context counts
// for: itself, by a pipe, or by a cell inside the call.
func (o *oracle) leaves(i, slot int) bool {
	f := &o.facts[i]
	reach := map[string]bool{fmt.Sprintf("slot %d", slot): true}
	for grew := true; grew; {
		grew = false
		add := func(n string) {
			if !reach[n] {
				reach[n], grew = true, true
			}
		}
		for s := range f.Steps {
			st := &f.Steps[s]
			for r, op := range st.Reads {
				from := o.opName(s, r, op)
				if !reach[from] {
					continue
				}
				add(fmt.Sprintf("step %d", s))
				for k, sink := range st.Sinks {
					if len(sink.From) == 0 {
						add(fmt.Sprintf("sink %d.%d %v", s, k, sink.UnknownTool))
					}
					for _, x := range sink.From {
						if x.Kind == op.Kind && x.Index == op.Index && x.Cell.Is(op.Cell) {
							add(fmt.Sprintf("sink %d.%d %v", s, k, sink.UnknownTool))
						}
					}
				}
			}
			if !reach[fmt.Sprintf("step %d", s)] {
				continue
			}
			for later := s + 1; later < len(f.Steps); later++ {
				for r, op := range f.Steps[later].Reads {
					if op.Kind == FromCell && o.inCall(i, s, later, *op.Cell) {
						add(fmt.Sprintf("read %d.%d", later, r))
					}
				}
			}
		}
	}
	for n := range reach {
		if strings.HasPrefix(n, "sink") && strings.HasSuffix(n, "false") {
			return true
		}
	}
	return false
}

func (o *oracle) opName(s, r int, op Operand) string {
	switch op.Kind {
	case FromSlot:
		return fmt.Sprintf("slot %d", op.Index)
	case FromStep:
		return fmt.Sprintf("step %d", op.Index)
	}
	return fmt.Sprintf("read %d.%d", s, r)
}

// inCall reports whether what a step writes may be what a later step of the same
// call reads: the history of the cells says so.
func (o *oracle) inCall(i, s, later int, c Cell) bool {
	for _, v := range o.history(i, later, c) {
		if v.call == i && v.step == s {
			return true
		}
	}
	return false
}

// contexts: an agent's turn knows the outputs of its earlier turns, the texts
// before, and what the call that started it was given and knew.
func (o *oracle) contexts() {
	for i := range o.p.Calls {
		o.context("context "+o.turn[i], o.p.Calls[i].AgentName(), o.first[o.turn[i]], o.turn[i])
		if o.p.Calls[i].Kind == plan.Model && !o.p.Fixed && !o.p.Calls[i].Outcome.DidNotRun() {
			o.flow("context "+o.turn[i], fmt.Sprintf("out %d", i), Context, 0, false)
		}
	}
	n := len(o.p.Calls)
	for _, a := range o.p.Agents {
		o.context("end "+a.Name, a.Name, n, "")
		if a.SpawnedBy >= 0 && !o.p.Fixed && !o.p.Calls[a.SpawnedBy].Outcome.DidNotRun() {
			o.flow("end "+a.Name, fmt.Sprintf("out %d", a.SpawnedBy), Context, 0, false)
		}
	}
	for k := range o.p.Texts {
		t := &o.p.Texts[k]
		if textSource(t.Kind) {
			o.source(fmt.Sprintf("text %d", k), []Source{{Labels: Of(Untrusted)}})
		}
	}
}

func (o *oracle) context(to, agent string, before int, turn string) {
	for i := 0; i < len(o.p.Calls); i++ {
		c := &o.p.Calls[i]
		if c.AgentName() != agent || c.Outcome.DidNotRun() {
			continue
		}
		if i < before && o.turn[i] != turn || turn != "" && o.looped(i, turn) {
			o.outputs(i, nil, to, Context, 0, false)
		}
	}
	for k := range o.p.Texts {
		t := &o.p.Texts[k]
		if agentName(t.Agent) != agent || o.textAt(t) > before {
			continue
		}
		o.flow(fmt.Sprintf("text %d", k), to, Context, 0, false)
	}
	for _, a := range o.p.Agents {
		if s := a.SpawnedBy; a.Name == agent && s >= 0 {
			o.flow("context "+o.turn[s], to, Context, 0, false)
			for k := range o.facts[s].Slots {
				o.flow(fmt.Sprintf("slot %d.%d", s, k), to, Context, 0, false)
			}
		}
	}
}

// looped is not modelled: the random plans of this oracle have no loops.
func (o *oracle) looped(int, string) bool { return false }

func TestSolverAgreesWithThePlan(t *testing.T) {
	for seed := int64(0); seed < 1500; seed++ {
		r := rand.New(rand.NewSource(seed))
		w := randomWorld(r, 2+r.Intn(7))
		for i := range w.plan.Calls {
			w.plan.Calls[i].Repeat = false
		}
		for i := range w.plan.Texts { // a summary carries all contexts, that of its own time included
			if w.plan.Texts[i].Kind == plan.TextSummary {
				w.plan.Texts[i].Kind = plan.TextAttachment
			}
		}
		l, o := w.labels(), solveStraight(w)
		for i := range w.plan.Calls {
			for s := range w.facts[i].Slots {
				o.check(t, l, l.graph.calls[i].first+uint32(s), seed, fmt.Sprintf("slot %d.%d", i, s))
			}
			o.check(t, l, l.graph.calls[i].out, seed, fmt.Sprintf("out %d", i))
			for id := range l.graph.nodes {
				n := l.graph.nodes[id]
				switch {
				case int(n.call) != i:
				case n.kind() == nodeSink:
					o.check(t, l, uint32(id), seed, fmt.Sprintf("sink %d.%d.%d", i, l.graph.stepOf(n), l.graph.indexOf(n)))
				case n.kind() == nodeStep:
					o.check(t, l, uint32(id), seed, fmt.Sprintf("step %d.%d", i, l.graph.stepOf(n)))
				}
			}
		}
	}
}

func (o *oracle) check(t *testing.T, l *Labels, id uint32, seed int64, thing string) {
	t.Helper()
	got := held{}
	for _, x := range l.of(id) {
		got[fmt.Sprintf("%d/%d", x.label(), x.prec())] = true
	}
	require.Equal(t, o.get(thing), got, "seed %d: %s", seed, thing)
}
