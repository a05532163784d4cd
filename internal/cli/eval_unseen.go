package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/planlint/planlint/internal/fields"
	"github.com/planlint/planlint/internal/spell"
	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/tool"
)

// unseen finds what a policy says of arguments and output fields that no run has: a
// mistyped name means nothing, and the figures are those of another contract.
//
// Many names are rightly absent: optional arguments, fields that are called
// otherwise in other versions. So one is told of only where something could be meant
// by it: the runs have an argument or field in its place that the contract does not
// name. Of output fields one of these must hold too: the two are spelled alike, the
// field stands elsewhere, the contract names no field that occurs, or it names none
// beside it that says the same, and prose stands there or the outputs are many.
type unseen struct {
	tools map[*tool.Contract]*sighting
}

// sighting is what the runs show of a tool.
type sighting struct {
	args, outputs places
}

// enoughOutputs is how many outputs must lack a field that is spelled like nothing
// where no prose stands beside it.
const enoughOutputs = 3

// call notes the arguments and the output of a call.
func (u *unseen) call(contract *tool.Contract, c *plan.Call) {
	if contract == nil || contract.Pos.File == "" { // built in, and tested with its server
		return
	}
	s := u.tools[contract]
	if s == nil {
		s = &sighting{}
		if u.tools == nil {
			u.tools = map[*tool.Contract]*sighting{}
		}
		u.tools[contract] = s
	}
	if c.Args.Kind == plan.Object && len(contract.Args) > 0 {
		s.args.of++
		s.args.value(&c.Args, &s.args.place)
	}
	if c.OutputState != plan.OutputRecorded || c.Outcome == plan.Failed || len(outputPaths(contract)) == 0 {
		return
	}
	if c.Output.Kind != plan.String {
		s.outputs.of++
		s.outputs.value(&c.Output, &s.outputs.place)
	} else if d := fields.Parse(c.Output.Text); d.Format != fields.Text {
		s.outputs.of++
		s.outputs.document(d)
	}
}

// write warns of what no run has, a tool and kind at a time, in the order of the file.
// What a built-in contract of that name says too is none of the policy's mistakes.
func (u *unseen) write(w io.Writer, builtin *tool.Registry) {
	var contracts []*tool.Contract
	for c := range u.tools {
		contracts = append(contracts, c)
	}
	slices.SortFunc(contracts, func(a, b *tool.Contract) int {
		if a.Pos.File != b.Pos.File {
			return strings.Compare(a.Pos.File, b.Pos.File)
		}
		return a.Pos.Line - b.Pos.Line
	})
	for _, c := range contracts {
		s := u.tools[c]
		refined := &tool.Contract{}
		if b := builtin.Contract(c.Name); b != nil {
			refined = b
		}
		s.args.missing(argPaths(c), nil, argPaths(refined)).write(w, c, "argument", "call", s.args.of)
		s.outputs.missing(outputPaths(c), c.Output, outputPaths(refined)).write(w, c, "output field", "output", s.outputs.of)
	}
}

func argPaths(c *tool.Contract) (paths []plan.Path) {
	for i := range c.Args {
		paths = append(paths, c.Args[i].Path)
	}
	return paths
}

func outputPaths(c *tool.Contract) (paths []plan.Path) {
	for i := range c.Output {
		if len(c.Output[i].Field) > 0 {
			paths = append(paths, c.Output[i].Field)
		}
	}
	return paths
}

// missing are names that no run has, what may be meant, and what else there is.
type missing struct{ names, meant, others []string }

// maxOthers is how many names a hint lists.
const maxOthers = 6

func (m *missing) write(w io.Writer, c *tool.Contract, what, in string, of int) {
	if len(m.names) == 0 {
		return
	}
	if len(m.names) > 1 {
		what += "s"
	}
	fmt.Fprintf(w, "warning: %s: tool %q: no run has the %s %s (%s)\n", printable(c.Pos.String()), c.Name, what,
		printable(strings.Join(m.names, ", ")), plural(of, in))
	hint := ""
	if len(m.meant) > 0 {
		hint = "did you mean " + strings.Join(m.meant, ", ") + "? "
	}
	if n := len(m.others); n > 0 {
		hint += "what runs have and the contract does not name: " + strings.Join(m.others[:min(n, maxOthers)], ", ")
		if n > maxOthers {
			hint += ", ..."
		}
	}
	fmt.Fprintf(w, "hint: %s\n", printable(strings.TrimSpace(hint)))
}

// missing finds the paths that no value stood at, though one could be meant by them.
// labels are those of an output, nil for arguments; inherited are paths to pass over.
func (p *places) missing(paths []plan.Path, labels []tool.OutputLabel, inherited []plan.Path) *missing {
	m := &missing{}
	if p.over() || p.of == 0 {
		return m
	}
	var absent []plan.Path
	for _, path := range paths {
		if p.absent(path) {
			absent = append(absent, path)
		}
	}
	if len(absent) == 0 {
		return m
	}
	open := p.undescribed(paths)
	for _, path := range absent {
		if slices.ContainsFunc(inherited, func(i plan.Path) bool { return i.String() == path.String() }) {
			continue
		}
		meant, beside := p.meant(path, open)
		switch {
		case meant != "":
		case beside == nil:
			continue
		case labels == nil || len(absent) == len(paths):
		case p.sameBeside(path, labels) || !beside.prose && p.of < enoughOutputs:
			continue
		}
		m.names = append(m.names, path.String())
		if meant != "" && !slices.Contains(m.meant, meant) {
			m.meant = append(m.meant, meant)
		}
	}
	for _, o := range open {
		if text := o.path.String(); !slices.Contains(m.meant, text) {
			m.others = append(m.others, text)
		}
	}
	return m
}

// meant returns the path among others that one is likely to be meant for, and what
// stands where its first absent step would, nil for nothing.
func (p *places) meant(path plan.Path, others []leafPlace) (meant string, beside *place) {
	depth := 0
	for depth < len(path)-1 && !p.absent(path[:depth+1]) {
		depth++
	}
	var keys []string
	for _, o := range others {
		if len(o.path) > depth && covers(path[:depth], o.path) {
			if beside == nil || o.prose {
				beside = o.place
			}
			if !o.path[depth].Wild {
				keys = append(keys, o.path[depth].Key)
			}
		}
	}
	if near := spell.Nearest(path[depth].Key, keys); near != "" {
		to := slices.Clone(path)
		to[depth] = plan.Step{Key: near}
		return to.String(), beside
	}
	last := path[len(path)-1].Key
	for _, o := range others {
		if last != "" && o.path[len(o.path)-1].Key == last {
			return o.path.String(), beside
		}
	}
	return "", beside
}

// sameBeside reports whether a field that occurs stands beside a path and says the
// same: it is called so in this version.
func (p *places) sameBeside(path plan.Path, labels []tool.OutputLabel) bool {
	at := slices.IndexFunc(labels, func(l tool.OutputLabel) bool { return l.Field.String() == path.String() })
	said, above := labels[at], path[:len(path)-1].String()
	return slices.ContainsFunc(labels, func(l tool.OutputLabel) bool {
		return len(l.Field) > 0 && l.Field[:len(l.Field)-1].String() == above && !p.absent(l.Field) && l.Labels == said.Labels &&
			l.Trusted == said.Trusted && l.Open == said.Open && l.Reference == said.Reference
	})
}

// covers reports whether a path leads to a place or above it.
func covers(path, to plan.Path) bool {
	if len(path) > len(to) {
		return false
	}
	for i, step := range path {
		if !step.Wild && step.IsIndex != to[i].Wild || !step.Wild && !step.IsIndex && step.Key != to[i].Key {
			return false
		}
	}
	return true
}

// maxPlaces is how many places are kept of a tool's arguments, and of its outputs.
// A tool with more is not judged: its keys are data.
const maxPlaces = 1 << 12

// place is where values were seen in the arguments or outputs of a tool. Items of
// lists share one place.
type place struct {
	kids  map[string]*place
	items *place
	// filled: something stood there that is no empty list, object or null; prose:
	// words did.
	filled, prose bool
}

// text notes that a text stands at a place.
func (at *place) text(s string) {
	at.filled = true
	if at.prose {
		return
	}
	n := 0
	fields.Words(s, func(w fields.Word) bool {
		if !w.Digits() && !w.Mixed() {
			n++
		}
		at.prose = n >= proseWords
		return !at.prose
	})
}

// proseWords is how many words are more than a name or a date.
const proseWords = 3

// places are those below one root.
type places struct {
	place
	// of is how many values were looked into.
	n, of int
}

// over reports whether there are too many places.
func (p *places) over() bool { return p.n > maxPlaces }

// kid returns the place of a key, or of items, below another.
func (p *places) kid(at *place, key string, item bool) *place {
	at.filled = true
	to := at.kids[key]
	if item {
		to = at.items
	}
	if to != nil {
		return to
	}
	to = &place{}
	switch p.n++; {
	case p.over(): // kept by nobody
	case item:
		at.items = to
	case at.kids == nil:
		at.kids = map[string]*place{key: to}
	default:
		at.kids[key] = to
	}
	return to
}

// value notes the places of a value.
func (p *places) value(v *plan.Value, at *place) {
	switch v.Kind {
	case plan.Null, plan.List, plan.Object:
	case plan.String:
		at.text(v.Text)
	default:
		at.filled = true
	}
	for i := range v.Items {
		if v.Kind == plan.Object {
			p.value(&v.Items[i], p.kid(at, v.Keys[i], false))
		} else {
			p.value(&v.Items[i], p.kid(at, "", true))
		}
	}
}

// document notes the places of a text that was taken apart.
func (p *places) document(d *fields.Document) {
	at := make([]*place, len(d.Nodes))
	for i := range d.Nodes {
		n := &d.Nodes[i]
		switch {
		case n.Parent < 0:
			at[i] = &p.place
		case n.Key == "" && n.Index < 0:
			at[i] = at[n.Parent]
		default:
			at[i] = p.kid(at[n.Parent], n.Key, n.Index >= 0)
		}
	}
	for i := range d.Leaves {
		if l := &d.Leaves[i]; l.Kind != fields.Null && l.Kind != fields.Key {
			at[l.Node].text(l.Text)
		}
	}
}

// absent reports whether nothing stood where a path leads to, although it was
// looked into everything that leads there.
func (at *place) absent(path plan.Path) bool {
	if len(path) == 0 || !at.filled {
		return false
	}
	for _, to := range at.along(path[0]) {
		if !to.absent(path[1:]) {
			return false
		}
	}
	return true
}

func (at *place) along(step plan.Step) (to []*place) {
	if (step.Wild || step.IsIndex) && at.items != nil {
		to = append(to, at.items)
	}
	for key, kid := range at.kids {
		if step.Wild || !step.IsIndex && key == step.Key {
			to = append(to, kid)
		}
	}
	return to
}

// leafPlace is a place with nothing below it.
type leafPlace struct {
	*place
	path plan.Path
}

// undescribed returns the places of values that no path leads to or above, sorted.
func (p *places) undescribed(paths []plan.Path) (list []leafPlace) {
	p.leaves(nil, func(at leafPlace) {
		if !slices.ContainsFunc(paths, func(path plan.Path) bool { return covers(path, at.path) }) {
			at.path = slices.Clone(at.path)
			list = append(list, at)
		}
	})
	slices.SortFunc(list, func(a, b leafPlace) int { return strings.Compare(a.path.String(), b.path.String()) })
	return list
}

func (at *place) leaves(path plan.Path, visit func(leafPlace)) {
	if at.items == nil && len(at.kids) == 0 && at.filled && len(path) > 0 {
		visit(leafPlace{at, path})
	}
	if at.items != nil {
		at.items.leaves(append(path, plan.Step{Wild: true}), visit)
	}
	for key, kid := range at.kids {
		kid.leaves(append(path, plan.Step{Key: key}), visit)
	}
}
