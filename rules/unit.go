package rules

import (
	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/shell"
	"github.com/planlint/planlint/tool"
)

// unitKind says what a unit of a call is.
type unitKind uint8

const (
	// wholeCall: the call names no command, path or host.
	wholeCall unitKind = iota
	commandUnit
	pathUnit
	hostUnit
)

// unit is a part of a call that needs its own yes: each simple command of a
// line, each redirect target, else each path and host. Rules are resolved unit
// by unit and the strictest result counts, so "git log; rm -rf x" needs a yes
// for both, and several allows can cover one call together.
type unit struct {
	kind  unitKind
	index int
	// link is the number of the link's target that a path unit is about, from 1;
	// 0 for the path itself.
	link     int
	class    gate.Class
	unknown  bool
	readOnly bool
	// text: it only hands text of the line itself to another command.
	text bool
}

// subject is one call with everything that rules are matched against.
type subject struct {
	in    *Input
	call  *plan.Call
	res   *tool.Resolved
	env   *plan.Env
	names *names
	units []unit
	// runsText: an argument is executed that could not be split into commands.
	runsText bool
	class    gate.Class
	readOnly bool
	unknown  bool
}

func (s *subject) fill(in *Input, buf *buffers, known *nameTable) {
	*s = subject{in: in, call: in.Call, res: in.Resolved, env: in.env()}
	s.class, s.readOnly = s.res.Class, s.res.ReadOnly
	s.unknown = s.res.Unknown || s.res.Contract == nil && s.call.Kind != plan.Model
	if s.call.Kind == plan.Model && !s.unknown && s.res.Contract == nil {
		s.class, s.readOnly = gate.ReversibleInternal, true // a model's step runs nothing
	}
	if s.names = known.of(s.call, s.res); s.names == nil {
		s.names = buf.names.fill(s.call, s.res)
	}
	for i := range s.res.Slots() {
		s.runsText = s.runsText || s.res.Role(i) == tool.Command && len(s.res.Commands()) == 0
	}
	s.units = s.split(buf.units[:0])
}

func (s *subject) split(units []unit) []unit {
	if len(s.res.Commands()) > 0 {
		units = s.splitCommands(units)
	} else {
		for i := range s.res.Paths {
			for link := 0; link <= len(s.res.Paths[i].Links); link++ {
				u := s.unit(pathUnit, i)
				u.link = link
				units = append(units, u)
			}
		}
		for i := range s.res.Hosts() {
			units = append(units, s.unit(hostUnit, i))
		}
	}
	if len(units) == 0 || s.hidesEffect(units) {
		units = append(units, s.unit(wholeCall, 0))
	}
	return units
}

func (s *subject) unit(kind unitKind, index int) unit {
	return unit{kind: kind, index: index, class: s.class, unknown: s.unknown, readOnly: s.readOnly}
}

func (s *subject) splitCommands(units []unit) []unit {
	strictest := gate.ClassUnset
	for i := range s.res.Commands() {
		if st := step(s.res, i); st != nil && st.Bare() {
			continue // redirects only: their targets are units
		}
		u := s.commandUnit(i)
		units = append(units, u)
		strictest = max(strictest, u.class)
	}
	if s.res.Class > strictest {
		raise(units, s.res.Class)
	}
	// A redirect by itself writes a file of this machine, and no more.
	class := min(s.res.Class, gate.IrreversibleInternal)
	if s.res.Class > strictest {
		class = s.res.Class
	}
	for i := range s.res.Paths {
		if s.ownUnit(&s.res.Paths[i]) {
			for link := 0; link <= len(s.res.Paths[i].Links); link++ {
				units = append(units, unit{kind: pathUnit, index: i, link: link, class: class})
			}
		}
	}
	return s.splitNet(units, class)
}

// splitNet adds the hosts that a redirect contacts (/dev/tcp): as with files,
// no allow of the command covers them.
func (s *subject) splitNet(units []unit, class gate.Class) []unit {
	for i := range s.res.Commands() {
		st := step(s.res, i)
		if st == nil {
			continue
		}
		net := st.Stdin.Kind == shell.FromNet
		for _, out := range st.Stdout {
			net = net || out.Kind == shell.ToNet
		}
		for h := 0; net && h < len(s.res.Hosts()); h++ {
			units = append(units, unit{kind: hostUnit, index: h, class: class})
		}
	}
	return units
}

// pathOf is the path that a path unit is about.
func (s *subject) pathOf(u unit) tool.PathUse {
	p := s.res.Paths[u.index]
	if u.link > 0 {
		p.Path = p.Links[u.link-1]
	}
	p.Links = nil
	return p
}

// raise gives the class of the line to its commands where it is stricter than
// theirs: to the unknown ones, else to all that do not only read, since what
// makes it stricter can't be told apart.
func raise(units []unit, class gate.Class) {
	unknown := false
	for i := range units {
		unknown = unknown || units[i].unknown
	}
	for i := range units {
		if !units[i].readOnly && units[i].unknown == unknown {
			units[i].class = class
		}
	}
}

// commandUnit is one simple command. One without a class is reversible where it
// only reads, and unknown where it does not.
func (s *subject) commandUnit(i int) unit {
	c := &s.res.Commands()[i]
	u := unit{kind: commandUnit, index: i, class: c.Class, unknown: !c.Known, readOnly: c.ReadOnly || s.res.ReadOnly}
	if u.class == gate.ClassUnset && !u.unknown {
		u.unknown = !u.readOnly
		u.class = gate.ReversibleInternal
	}
	u.text = u.readOnly && handsText(step(s.res, i))
	return u
}

// handsText reports whether a command only puts text that stands in the line
// into an argument or a variable, as cat does with a here-document in "$(...)".
func handsText(st *shell.Step) bool {
	if st == nil || len(st.Effects) > 0 || len(st.Outer)+len(st.Inherits)+len(st.Labels) > 0 || st.Local {
		return false
	}
	switch st.Name {
	case "cat":
		if st.Stdin.Kind != shell.FromText || len(st.Args) > 0 {
			return false
		}
	case "echo", "printf":
	default:
		return false
	}
	for _, out := range st.Stdout {
		if out.Kind != shell.ToArg && out.Kind != shell.ToVar {
			return false
		}
	}
	return len(st.Stdout) > 0
}

// ownUnit reports whether a path of a command line needs its own yes: redirect
// targets do, operands are covered by their command's.
func (s *subject) ownUnit(u *tool.PathUse) bool {
	writes := u.Access&(tool.Write|tool.Delete) != 0
	if u.Command < 0 || u.Command >= len(s.res.Commands()) {
		return writes
	}
	return writes && (u.Redirect || s.res.Commands()[u.Command].ReadOnly)
}

// hidesEffect reports whether the call is not read-only though each of its
// parts is: then the call as a whole needs a yes.
func (s *subject) hidesEffect(units []unit) bool {
	if s.readOnly {
		return false
	}
	for i := range units {
		if !units[i].readOnly {
			return false
		}
	}
	return true
}

// bare reports whether a command is none, only redirects: of a loop, a group.
// What is read there, every command of the line may get.
func (s *subject) bare(command int) bool {
	if command < 0 || command >= len(s.res.Commands()) {
		return false
	}
	st := step(s.res, command)
	return st != nil && st.Bare()
}

// operandOf reports whether the path belongs to the unit.
func (s *subject) operandOf(u unit, i int) bool {
	switch u.kind {
	case pathUnit:
		return u.index == i
	case commandUnit:
		p := &s.res.Paths[i]
		return p.Command == u.index || p.Command < 0 || s.bare(p.Command)
	}
	return true
}
