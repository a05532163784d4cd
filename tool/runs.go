package tool

import (
	"slices"

	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/shell"
	"github.com/planlint/planlint/taint"
)

// runs narrows the contract's exec sink to the words of the line that run: who
// wrote the name of a file that `cat` prints runs nothing. It does so only for a
// line that was understood to its last word; else the whole line is what runs.
func (l *lowering) runs(line string) {
	values := l.given[l.slot].Values()
	if len(values) != 1 || values[0].Kind != plan.String || values[0].Text != line || len(values[0].Refs()) > 0 {
		return
	}
	parts, ok := running(l.script)
	if !ok {
		return
	}
	own := -1
	for i := range l.call.step.Sinks {
		s := &l.call.step.Sinks[i]
		at := slices.IndexFunc(s.From, func(o taint.Operand) bool { return o == fromSlot(l.slot) })
		if s.Kinds != taint.SinkExec || at < 0 {
			continue
		}
		if own < 0 {
			own = l.newSlot(l.given[l.slot].Name, RoleNone)
			l.put(values[0], own)
			l.given[own].SetParts(parts)
		}
		s.From = slices.Clone(s.From)
		s.From[at].Index = int32(own)
		s.Decides = slices.Clone(s.Decides)
		if at := slices.Index(s.Decides, l.slot); at >= 0 {
			s.Decides[at] = own
			slices.Sort(s.Decides)
		}
	}
}

// running returns the parts of a line that run: programs, and what they are told
// to run; all words of a program that nothing describes. ok is false for a line
// that is not understood.
func running(s *shell.Script) (parts []taint.Part, ok bool) {
	if s.Broken || len(s.Unknowns) > 0 || len(s.Steps) == 0 {
		return nil, false
	}
	add := func(from, to int) { parts = append(parts, taint.Part{Start: int32(from), End: int32(to)}) }
	for i := range s.Steps {
		st := &s.Steps[i]
		switch {
		case st.Guess:
			return nil, false
		case !st.Known && !st.Builtin, len(st.Args) == 0, st.Args[0].Pos <= st.Pos:
			add(st.Pos, st.End)
			continue
		}
		add(st.Pos, st.Args[0].Pos)
		for k := range st.Effects {
			if e := &st.Effects[k]; e.Sink == shell.SinkExec {
				add(e.Pos, e.End)
			}
		}
	}
	return parts, true
}
