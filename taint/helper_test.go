package taint

import (
	"fmt"
	"strings"

	"github.com/planlint/planlint/plan"
)

// world is a plan and its facts, made call by call.
type world struct {
	plan  plan.Plan
	facts []Facts
	index map[string]int
}

func newWorld() *world {
	return &world{index: map[string]int{}, plan: plan.Plan{Agents: []plan.Agent{{Name: plan.MainAgent, SpawnedBy: -1}}}}
}

// step1 is one call under construction.
type step1 struct {
	w *world
	i int
}

// add appends a call; args are "name=value", where ${id} or ${id.path} in the
// value is a reference.
func (w *world) add(id string, args ...string) step1 {
	i := len(w.plan.Calls)
	w.index[id] = i
	c := plan.Call{Index: i, ID: id, Tool: id, Turn: i, Args: plan.Value{Kind: plan.Object}}
	c.Args.Items = make([]plan.Value, 0, len(args))
	for _, a := range args {
		name, value, _ := strings.Cut(a, "=")
		c.Args.Keys = append(c.Args.Keys, name)
		c.Args.Items = append(c.Args.Items, w.value(value))
	}
	f := Facts{Steps: []Step{{}}}
	for k := range c.Args.Items {
		f.Slots = append(f.Slots, NewSlot(c.Args.Keys[k], &c.Args.Items[k]))
		f.Steps[0].Reads = append(f.Steps[0].Reads, Operand{Index: int32(k)})
	}
	w.plan.Calls = append(w.plan.Calls, c)
	w.facts = append(w.facts, f)
	return step1{w, i}
}

func (w *world) value(s string) plan.Value {
	v := plan.Str(s)
	var refs []plan.Ref
	for at := 0; ; {
		k := strings.Index(s[at:], "${")
		if k < 0 {
			break
		}
		start := at + k
		end := start + strings.IndexByte(s[start:], '}') + 1
		parts := strings.Split(s[start+2:end-1], ".")
		r := plan.Ref{Name: parts[0], Call: -1, Start: start, End: end, Whole: start == 0 && end == len(s)}
		if i, ok := w.index[parts[0]]; ok {
			r.Call = i
		}
		for _, p := range parts[1:] {
			r.Path = append(r.Path, plan.Step{Key: p})
		}
		refs = append(refs, r)
		at = end
	}
	if refs != nil {
		v.Ext = &plan.Ext{Refs: refs}
	}
	return v
}

func (s step1) call() *plan.Call { return &s.w.plan.Calls[s.i] }
func (s step1) fact() *Facts     { return &s.w.facts[s.i] }

func (s step1) slot(name string) int {
	for i := range s.fact().Slots {
		if s.fact().Slots[i].Name == name {
			return i
		}
	}
	panic("no slot " + name)
}

func (s step1) gives(labels Set, readers ...string) step1 {
	f := s.fact()
	f.Extend().Output = append(f.Output(), Source{Labels: labels, Readers: namedReaders(readers), Why: "contract of " + s.call().Tool})
	return s
}

func (s step1) field(path string, labels Set, readers ...string) step1 {
	p := plan.Path{}
	for _, k := range strings.Split(path, ".") {
		if k == "*" {
			p = append(p, plan.Step{Wild: true})
		} else {
			p = append(p, plan.Step{Key: k})
		}
	}
	f := s.fact()
	f.Extend().Fields = append(f.Fields(), Field{Path: p, Sources: []Source{{Labels: labels, Readers: namedReaders(readers), Why: "field " + path}}})
	return s
}

func namedReaders(names []string) Readers {
	if len(names) == 0 {
		return Readers{}
	}
	return ReadersOf(names...)
}

func (s step1) output(text string) step1 {
	s.call().Output, s.call().OutputState, s.call().Outcome = plan.Str(text), plan.OutputRecorded, plan.Ran
	return s
}

// sends declares a public sink of the named slots, all if none.
func (s step1) sends(slots ...string) step1 {
	k := Sink{Kinds: SinkPublic | SinkExternal}
	for _, n := range slots {
		k.From = append(k.From, Operand{Index: int32(s.slot(n))})
	}
	s.fact().Steps[0].Sinks = append(s.fact().Steps[0].Sinks, k)
	return s
}

func (s step1) to(names ...string) step1 {
	sinks := s.fact().Steps[0].Sinks
	sinks[len(sinks)-1].Audience = AudienceOf(names...)
	return s
}

func (s step1) decides(slots ...string) step1 {
	sinks := s.fact().Steps[0].Sinks
	for _, n := range slots {
		sinks[len(sinks)-1].Decides = append(sinks[len(sinks)-1].Decides, s.slot(n))
	}
	return s
}

func (s step1) reads(cell string, labels ...Label) step1 {
	o := Operand{Kind: FromCell, Cell: cellOf(cell)}
	if len(labels) > 0 {
		o.Cell.Sources = []Source{{Labels: Of(labels...), Why: "path rule"}}
	}
	s.fact().Steps[0].Reads = append(s.fact().Steps[0].Reads, o)
	return s
}

func (s step1) writes(cell string, mode WriteMode) step1 {
	s.fact().Steps[0].Writes = append(s.fact().Steps[0].Writes, Write{Cell: cellOf(cell), Mode: mode})
	return s
}

// cellOf makes a cell; a trailing /** makes it a folder.
func cellOf(name string) *Cell {
	if n, ok := strings.CutSuffix(name, "/**"); ok {
		return &Cell{Name: n, Tree: true}
	}
	return &Cell{Name: name}
}

func (s step1) turn(agent string, n int) step1 {
	s.call().Agent, s.call().Turn = agent, n
	return s
}

func (w *world) text(kind plan.TextKind, before int, text string) {
	w.plan.Texts = append(w.plan.Texts, plan.Text{Kind: kind, Before: before, Text: text})
}

func (w *world) labels() *Labels {
	return Build(&w.plan, w.facts, nil, DigestKey([]byte("k"))).Propagate()
}

// flows are the flows in short: "secret value: read.output -> mail.body".
func (w *world) flows() []string {
	l := w.labels()
	flows := l.Flows()
	out := make([]string, len(flows))
	for i := range flows {
		out[i] = w.short(l, &flows[i])
	}
	return out
}

func (w *world) short(l *Labels, f *Flow) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s: %s", l.Graph().Universe().Name(f.Label), f.Precision, w.name(&f.Source))
	for i := range f.Hops {
		fmt.Fprintf(&b, " -%s/%s-> %s", f.Hops[i].Precision, f.Hops[i].Evidence.Kind, w.name(&f.Hops[i].To))
	}
	return b.String()
}

func (w *world) name(p *Place) string {
	id := ""
	if p.Call >= 0 {
		id = w.plan.Calls[p.Call].ID
	}
	switch p.Kind {
	case PlaceOutput:
		return strings.TrimSuffix(id+".output."+p.Field, ".")
	case PlaceArgument:
		return id + "." + p.Field
	case PlaceCell:
		return id + "[" + p.Cell + "]"
	case PlaceText:
		return "text:" + w.plan.Texts[p.Text].Kind.String()
	case PlaceInput:
		return "input:" + p.Field
	case PlaceStep:
		return fmt.Sprintf("%s(%s%d)", id, p.Field, p.Step)
	}
	return fmt.Sprintf("context:%s:%d", p.Agent, p.Turn)
}
