package tool

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/planlint/planlint/taint"
)

// ChangeKind says what a change of a contract means for those who rely on it.
type ChangeKind uint8

// The kinds of change.
const (
	// Added: the tool was unknown before.
	Added ChangeKind = iota
	// Neutral: nothing that decides a call.
	Neutral
	// Breaking: calls that ran may ask now. A new major version.
	Breaking
	// Weakening: calls that asked may run now.
	Weakening
)

var changeNames = [...]string{"added", "neutral", "breaking", "weakening"}

// String returns the kind's name.
func (k ChangeKind) String() string { return changeNames[min(int(k), len(changeNames)-1)] }

// Change is one difference between two contracts of a tool.
type Change struct {
	Kind ChangeKind
	Tool string
	What string
	// Pos is the contract's place in the new policy, or in the old one where it
	// was removed.
	Pos Origin
}

// Side is a contract with the labels that its policy knows.
type Side struct {
	Contract *Contract
	Universe *taint.Universe
}

// Diff names what a new contract of a tool changes, breaking before weakening.
// An old contract of nil is a new tool, a new one of nil a tool that is unknown
// from now on, which is the stricter judgement.
func Diff(before, after Side) []Change {
	d := differ{old: before, now: after}
	switch {
	case before.Contract == nil && after.Contract == nil:
		return nil
	case before.Contract == nil:
		d.add(Added, "class %s", after.Contract.Class)
		return d.changes
	case after.Contract == nil:
		d.add(Breaking, "the contract is removed: the tool is unknown")
		return d.changes
	}
	d.class()
	d.outputs()
	d.sinks()
	d.removals("sanitizer", before.Contract.Sanitizes, after.Contract.Sanitizes)
	d.removals("endorser", before.Contract.Endorses, after.Contract.Endorses)
	d.flags()
	d.args()
	d.version()
	sort.SliceStable(d.changes, func(i, j int) bool { return rank(d.changes[i].Kind) < rank(d.changes[j].Kind) })
	return d.changes
}

func rank(k ChangeKind) int {
	return [...]int{Breaking: 0, Weakening: 1, Added: 2, Neutral: 3}[k]
}

type differ struct {
	old, now Side
	changes  []Change
}

func (d *differ) add(kind ChangeKind, format string, args ...any) {
	c := d.now.Contract
	if c == nil {
		c = d.old.Contract
	}
	d.changes = append(d.changes, Change{Kind: kind, Tool: c.Name, What: fmt.Sprintf(format, args...), Pos: c.Pos})
}

func (d *differ) class() {
	was, is := d.old.Contract, d.now.Contract
	switch {
	case is.Class > was.Class:
		d.add(Breaking, "class raised: %s -> %s", was.Class, is.Class)
	case is.Class < was.Class:
		d.add(Weakening, "class lowered: %s -> %s", was.Class, is.Class)
	}
	d.sets("class_when", lowered(was), lowered(is), Weakening, Breaking)
}

func lowered(c *Contract) (list []string) {
	for _, w := range c.ClassWhen {
		list = append(list, w.Class.String())
	}
	return list
}

// sets compares two lists of words.
func (d *differ) sets(what string, was, is []string, added, removed ChangeKind) {
	for _, w := range is {
		if !slices.Contains(was, w) {
			d.add(added, "%s added: %s", what, w)
		}
	}
	for _, w := range was {
		if !slices.Contains(is, w) {
			d.add(removed, "%s removed: %s", what, w)
		}
	}
}

// outputs compares labels by field, and the readers of what keeps its labels.
func (d *differ) outputs() {
	d.sets("output label", labelled(d.old), labelled(d.now), Breaking, Weakening)
	was, is := readersOf(d.old.Contract), readersOf(d.now.Contract)
	for _, field := range keys(was) {
		if list, ok := is[field]; ok {
			d.sets("reader of "+field, was[field], list, Weakening, Breaking)
		}
	}
}

func labelled(s Side) (list []string) {
	for _, o := range s.Contract.Output {
		for _, name := range s.Universe.Names(o.Labels) {
			list = append(list, name+" on "+fieldName(o))
		}
	}
	return list
}

func fieldName(o OutputLabel) string {
	if len(o.Field) == 0 {
		return "the output"
	}
	return o.Field.String()
}

func readersOf(c *Contract) map[string][]string {
	out := make(map[string][]string)
	for _, o := range c.Output {
		out[fieldName(o)] = append(out[fieldName(o)], o.Readers...)
	}
	return out
}

func keys(m map[string][]string) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}

func (d *differ) sinks() {
	d.sets("sink", sinkWords(d.old.Contract), sinkWords(d.now.Contract), Breaking, Weakening)
	was, is := d.old.Contract.Audience, d.now.Contract.Audience
	switch {
	case len(was) > 0 && len(is) == 0:
		d.add(Breaking, "audience widened to everyone")
	case len(was) == 0 && len(is) > 0:
		d.add(Weakening, "audience narrowed from everyone to %s", strings.Join(is, ", "))
	default:
		d.sets("audience", was, is, Breaking, Weakening)
	}
}

func sinkWords(c *Contract) (list []string) {
	for _, s := range ImpliedSinks(c) {
		for _, k := range s.Kinds.Names() {
			for _, p := range s.Args {
				list = append(list, k+" by "+p.String())
			}
			if len(s.Args) == 0 {
				list = append(list, k)
			}
		}
	}
	return list
}

func (d *differ) removals(what string, was, is []Removal) {
	words := func(s Side, list []Removal) (out []string) {
		for _, r := range list {
			out = append(out, s.Universe.Names(r.Labels)...)
		}
		return out
	}
	d.sets(what, words(d.old, was), words(d.now, is), Weakening, Breaking)
}

func (d *differ) flags() {
	was, is := d.old.Contract, d.now.Contract
	switch {
	case is.ReadOnly && !was.ReadOnly:
		d.add(Weakening, "read_only: true")
	case was.ReadOnly && !is.ReadOnly:
		d.add(Breaking, "read_only: false")
	}
	if was.Compensation != is.Compensation {
		d.add(Neutral, "compensation: %q -> %q", was.Compensation, is.Compensation)
	}
	if was.Window != is.Window {
		d.add(Neutral, "window: %s -> %s", was.Window, is.Window)
	}
	if was.Preview != is.Preview {
		d.add(Neutral, "preview: %q -> %q", was.Preview, is.Preview)
	}
	d.sets("alias", was.Aliases, is.Aliases, Weakening, Breaking)
}

func (d *differ) args() {
	words := func(c *Contract) (list []string) {
		for _, a := range c.Args {
			list = append(list, a.Path.String()+" as "+a.Role.String())
		}
		return list
	}
	d.sets("argument", words(d.old.Contract), words(d.now.Contract), Neutral, Neutral)
}

// version wants a new major version for a breaking change.
func (d *differ) version() {
	breaking := slices.ContainsFunc(d.changes, func(c Change) bool { return c.Kind == Breaking })
	if was, is := d.old.Contract.Version, d.now.Contract.Version; breaking && is <= was {
		d.add(Breaking, "version %d stays: a breaking change needs a higher one", is)
	}
}
