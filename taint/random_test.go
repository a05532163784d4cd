package taint

import (
	"fmt"
	"math/rand"

	"github.com/planlint/planlint/plan"
)

// randomWorld makes a small plan with a bit of everything: references, fields,
// matches, cells and folders, turns, loops, sub-agents, texts, pipes, sanitizers,
// opaque and model steps, calls that did not run.
func randomWorld(r *rand.Rand, calls int) *world {
	w := newWorld()
	agents := []string{plan.MainAgent}
	turns := map[string]int{}
	for i := 0; i < calls; i++ {
		agent := agents[r.Intn(len(agents))]
		if r.Intn(3) > 0 {
			turns[agent]++
		}
		s := w.add(fmt.Sprintf("c%d", i), randomArgs(r, i)...).turn(agent, turns[agent])
		randomFacts(r, s)
		randomKind(r, s)
		if r.Intn(8) == 0 && len(agents) < 4 && w.plan.Calls[i].Outcome != plan.Refused {
			name := fmt.Sprintf("sub%d", i)
			w.plan.Agents = append(w.plan.Agents, plan.Agent{Name: name, Parent: agent, SpawnedBy: i})
			agents = append(agents, name)
		}
		if r.Intn(4) == 0 {
			kinds := []plan.TextKind{plan.TextUser, plan.TextAttachment, plan.TextSummary, plan.TextModel}
			w.text(kinds[r.Intn(len(kinds))], i, randomWords(r))
			w.plan.Texts[len(w.plan.Texts)-1].Agent = agent
		}
	}
	w.plan.Fixed = r.Intn(6) == 0
	return w
}

func randomWords(r *rand.Rand) string {
	s := ""
	for k := r.Intn(3); k >= 0; k-- {
		s += fmt.Sprintf("token%dx77 ", r.Intn(4))
	}
	return s
}

func randomArgs(r *rand.Rand, i int) []string {
	var args []string
	for k := 0; k < 1+r.Intn(2); k++ {
		v := "plain words"
		switch {
		case i > 0 && r.Intn(2) == 0:
			v = fmt.Sprintf("${c%d%s}", r.Intn(i), []string{"", ".a", ".b"}[r.Intn(3)])
		case r.Intn(2) == 0:
			v = fmt.Sprintf("token%dx77", r.Intn(4)) // one: runs of several are matched as runs
		}
		args = append(args, fmt.Sprintf("a%d=%s", k, v))
	}
	return args
}

var randomCells = []string{"file:/x", "file:/x/**", "file:/x/y", "file:/x/y/**", "file:/x/y/z", "file:/w"}

func randomFacts(r *rand.Rand, s step1) {
	labels := []Label{Secret, Private, Untrusted}
	readers := [][]string{nil, {"a"}, {"a", "b"}, {"b", "c"}}
	if r.Intn(3) == 0 {
		s.gives(Of(labels[r.Intn(3)]), readers[r.Intn(4)]...)
	}
	if r.Intn(4) == 0 {
		s.field("a", Of(labels[r.Intn(3)]), readers[r.Intn(4)]...)
	}
	f := s.fact()
	if r.Intn(4) == 0 { // a command line: the first step pipes into a second
		f.Steps[0].Name = "first"
		f.Steps = append(f.Steps, Step{Name: "second", Reads: []Operand{{Kind: FromStep}},
			Writes: []Write{{ToOutput: r.Intn(2) == 0, Cell: cellOf("file:/w")}}})
	}
	for k := range f.Steps {
		st := &f.Steps[k]
		if r.Intn(3) == 0 {
			o := Operand{Kind: FromCell, Cell: cellOf(randomCells[r.Intn(len(randomCells))])}
			if r.Intn(4) == 0 {
				o.Cell.Sources = []Source{{Labels: Of(labels[r.Intn(3)])}}
			}
			st.Reads = append(st.Reads, o)
		}
		if r.Intn(3) == 0 {
			st.Writes = append(st.Writes, Write{Cell: cellOf(randomCells[r.Intn(len(randomCells))]), Mode: WriteMode(r.Intn(3))})
		}
		if r.Intn(8) == 0 {
			st.Extend().Removes = Of(labels[r.Intn(3)])
		}
		if r.Intn(8) == 0 {
			st.Extend().Adds = []Source{{Labels: Of(labels[r.Intn(3)])}}
		}
		if r.Intn(2) == 0 {
			k := Sink{Kinds: SinkPublic, UnknownTool: r.Intn(5) == 0}
			if r.Intn(2) == 0 {
				k.From = append(k.From, st.Reads[r.Intn(len(st.Reads))])
			}
			if r.Intn(3) == 0 {
				k.Decides = []int{r.Intn(len(f.Slots))}
			}
			st.Sinks = append(st.Sinks, k)
		}
	}
}

func randomKind(r *rand.Rand, s step1) {
	c := s.call()
	if r.Intn(2) == 0 {
		s.output(randomWords(r))
	}
	switch r.Intn(16) {
	case 0:
		c.Outcome = plan.Refused
	case 1:
		c.Kind = plan.Model
	case 2:
		c.Kind = plan.Opaque
	case 3:
		c.Extend().When = "maybe"
	case 4:
		c.Repeat = true
	case 5:
		c.Outcome = plan.Failed
	}
}
