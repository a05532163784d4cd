package tool

import (
	"slices"

	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/taint"
)

// leaves reports whether an argument of that role leaves by a sink that does not
// say which arguments do.
func (r Role) leaves() bool {
	return r == Recipient || r == URL || r == Content || r == Query || r == SecretArg
}

// Decides reports whether an argument of that role says where a call's effect
// goes and what it is.
func (r Role) Decides() bool {
	switch r {
	case Recipient, URL, Path, Command, Code, Object:
		return true
	}
	return false
}

// sinks adds the contract's sinks, declared and implied.
func (k *call) sinks() {
	for i := range k.e.sinks {
		s := &k.e.sinks[i]
		if !k.applies(s.If, "sink") {
			continue
		}
		from, used := k.leaving(s)
		if !used {
			continue
		}
		k.step.Sinks = append(k.step.Sinks, taint.Sink{
			Kinds: s.Kinds, Audience: k.audience(s.Kinds), From: from, Decides: k.deciding(),
		})
	}
}

// leaving returns what leaves by a sink; used is false where the arguments that
// it names were not given.
func (k *call) leaving(s *SinkDecl) (from []taint.Operand, used bool) {
	start := len(k.outgoing)
	if len(s.Args) > 0 {
		k.namedSlots(s.Args)
		if s.Kinds&taint.SinkExec != 0 {
			k.executed()
		}
		from = k.since(start)
		return from, len(from) > 0 || k.mixed
	}
	if s.Kinds == taint.SinkExec && k.executes() {
		k.roleSlots(func(r Role) bool { return r == Command || r == Code })
		k.executed()
		return k.since(start), true
	}
	return k.sent(), true
}

// sent is what leaves by a sink that does not say what does; none: all.
func (k *call) sent() []taint.Operand {
	start := len(k.outgoing)
	k.roleSlots(Role.leaves)
	if len(k.outgoing) > start {
		k.fileReads()
	}
	return k.since(start)
}

// leaves adds an operand to what leaves by a sink; since returns those from a place on.
func (k *call) leaves(o taint.Operand) { k.outgoing = append(k.outgoing, o) }

func (k *call) since(start int) []taint.Operand { return slices.Clip(k.outgoing[start:]) }

func (k *call) namedSlots(paths []plan.Path) {
	for arg, slot := range k.slotOf {
		for _, p := range paths {
			decl := k.e.c.Args[arg].Path
			if slot >= 0 && (decl.HasPrefix(p) || p.HasPrefix(decl)) {
				k.leaves(fromSlot(slot))
				break
			}
		}
	}
	for slot := range k.r.Facts.Slots {
		role := k.r.Role(slot)
		if k.mixed && role == Content && !k.isArg(slot) {
			k.leaves(fromSlot(slot))
		}
	}
}

func (k *call) isArg(slot int) bool {
	for _, s := range k.slotOf {
		if s == slot {
			return true
		}
	}
	return false
}

func (k *call) roleSlots(want func(Role) bool) {
	for slot := range k.r.Facts.Slots {
		if want(k.r.Role(slot)) {
			k.leaves(fromSlot(slot))
		}
	}
}

// fileReads are the files and declared cells that the call reads: what is
// uploaded leaves with the arguments. What a fetch brings in does not.
func (k *call) fileReads() {
	for _, op := range k.step.Reads {
		if op.Kind == taint.FromCell && !isURL(op.Cell.Name) {
			k.leaves(op)
		}
	}
}

func isURL(cell string) bool { return len(cell) > 4 && cell[:4] == "url:" }

func (k *call) executes() bool {
	return k.e.has(Command) || k.e.has(Code) ||
		slices.ContainsFunc(k.r.Paths, func(u PathUse) bool { return u.Access&Execute != 0 })
}

// executed are the files that the call runs.
func (k *call) executed() {
	for i := range k.r.Paths {
		if u := &k.r.Paths[i]; u.Access&Execute != 0 {
			k.leaves(fromCell(k.fileCell(u)))
		}
	}
}

// deciding returns the slots that say where and what.
func (k *call) deciding() []int {
	start := len(k.decides)
	for slot := range k.r.Facts.Slots {
		role := k.r.Role(slot)
		if role.Decides() || k.mixed && role == Content && !k.isArg(slot) {
			k.decides = append(k.decides, slot)
		}
	}
	return slices.Clip(k.decides[start:])
}

// sinkRules adds the policy's sinks. One on written files gets what is written;
// another what the contract says that leaves, or all.
func (k *call) sinkRules() {
	for i := range k.reg.config.Sinks {
		s := &k.reg.config.Sinks[i]
		if s.Pattern.MatchRestrict(k.c, k.r) == NoMatch {
			continue
		}
		if k.e.c == noContract {
			k.dropUnknownSinks()
		}
		sink := taint.Sink{Kinds: s.Kinds, Audience: k.ruleAudience(i), Decides: k.deciding()}
		if s.Pattern.kind != editPattern {
			sink.From = k.sent()
		}
		k.addRuleSink(s.Pattern, sink)
	}
}

// addRuleSink gives the sink to the contract's step, or to the steps of a
// command line that the pattern means.
func (k *call) addRuleSink(p *Pattern, s taint.Sink) {
	if len(k.lowered) == 0 {
		k.step.Sinks = append(k.step.Sinks, s)
		return
	}
	s.From, s.Decides = nil, slices.Clone(s.Decides)
	for i := range k.lowered {
		if p.meansStep(k.r, i) {
			k.lowered[i].Sinks = append(k.lowered[i].Sinks, s)
		}
	}
}

// ruleAudience fills a sink rule's audience from the call's own arguments.
func (k *call) ruleAudience(rule int) taint.Audience {
	if len(k.reg.sinkAudience[rule]) == 0 {
		return taint.Audience{}
	}
	return k.seenBy(k.reg.sinkAudience[rule])
}
