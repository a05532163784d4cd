package tool

import (
	"slices"

	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/taint"
)

// slots partitions a call's arguments: each declared argument is a slot, what is
// left of every top-level argument is one, and arguments that are no object are
// one slot together.
func (k *call) slots() {
	k.slotOf, k.said, k.texts = append(k.slotOf[:0], k.e.notGiven...), append(k.said[:0], k.e.notSaid...), k.texts[:0]
	k.given, k.mixed = k.slabs.slots.open(), false
	args := &k.c.Args
	if args.Kind == plan.Object && len(args.Refs()) == 0 {
		for i := range args.Items {
			k.slot(&args.Items[i], k.e.root.kid(args.Keys[i]), -1, args.Keys[i])
		}
	} else if args.Kind != plan.Null || len(args.Refs()) > 0 {
		k.whole(args)
	}
	for i := range k.given {
		if !k.e.listed {
			break
		}
		k.given[i].Known = k.accounted(i)
	}
	k.given = k.slabs.slots.close(k.given)
	k.r.Facts.Slots = k.given
}

// moreSlots makes the slots ready for more of them, keepSlots keeps them again.
func (k *call) moreSlots() {
	k.given = append(k.scratch.slots[:0], k.given...)
}

func (k *call) keepSlots() {
	k.scratch.slots = k.given
	k.r.Facts.Slots = k.slabs.slots.keep(k.given)
}

// whole puts arguments that are no object into one slot. A contract with a
// single argument means that one, as for a tool whose input is a text.
func (k *call) whole(args *plan.Value) {
	decl := k.e.c.Args
	if len(decl) == 1 && len(decl[0].Path) <= 1 && !k.c.RawArgs && args.Kind != plan.UnknownValue {
		k.put(args, k.argSlot(0))
		return
	}
	k.put(args, k.rest("args", len(decl) > 0))
}

// slot puts a value, or the parts of it that are declared apart, into slots.
// owner is the slot for what is not declared, -1 while there is none.
func (k *call) slot(v *plan.Value, n *argNode, owner int, top string) {
	if n == nil {
		k.put(v, k.own(owner, top, false))
		return
	}
	if n.arg >= 0 {
		owner = k.argSlot(n.arg)
	}
	if n.leaf() {
		k.put(v, k.own(owner, top, false))
		return
	}
	switch {
	case len(v.Refs()) > 0 || v.Kind == plan.UnknownValue:
		// What stands here may hold any of the declared parts.
		k.put(v, k.own(owner, top, true))
	case v.Kind == plan.List && n.wild != nil:
		for i := range v.Items {
			k.slot(&v.Items[i], n.wild, owner, top)
		}
	case v.Kind == plan.Object && len(n.kids) > 0:
		for i := range v.Items {
			k.slot(&v.Items[i], n.kid(v.Keys[i]), owner, top)
		}
	case n.wild != nil && v.Kind != plan.Null:
		// One item where a list of them is declared.
		k.slot(v, n.wild, owner, top)
	default:
		k.put(v, k.own(owner, top, v.Kind == plan.String || v.Kind == plan.List || v.Kind == plan.Object))
	}
}

func (k *call) own(owner int, top string, mixed bool) int {
	if owner >= 0 {
		k.mixed = k.mixed || mixed
		return owner
	}
	return k.rest(top, mixed)
}

// argSlot returns the slot of a declared argument.
func (k *call) argSlot(arg int) int {
	if k.slotOf[arg] < 0 {
		k.slotOf[arg] = k.newSlot(k.e.names[arg], k.e.c.Args[arg].Role)
	}
	return k.slotOf[arg]
}

// rest returns the slot of what is not declared. Where declared parts may hide
// in it, it is taken for content, and nothing else about the call is certain.
func (k *call) rest(name string, mixed bool) int {
	role := RoleNone
	if mixed {
		k.mixed, role = true, Content
	}
	for i := len(k.given) - 1; i >= 0; i-- {
		if k.given[i].Name == name && !slices.Contains(k.slotOf, i) {
			if mixed {
				k.given[i].Tag = uint8(role)
			}
			return i
		}
		if len(k.given)-i > 8 {
			break
		}
	}
	return k.newSlot(name, role)
}

func (k *call) newSlot(name string, role Role) int {
	k.given = append(k.given, taint.Slot{Name: name, Tag: uint8(role)})
	return len(k.given) - 1
}

func (k *call) put(v *plan.Value, slot int) {
	k.given[slot].Add(v)
}

// accounted reports whether a slot can hold only what the schema or the policy
// lists: values of an enum, and modes that are flags or words.
func (k *call) accounted(slot int) bool {
	var arg *Arg
	for i, s := range k.slotOf {
		if s == slot {
			arg = &k.e.c.Args[i]
		}
	}
	if arg == nil || len(arg.Enum) == 0 && arg.Role != Mode {
		return false
	}
	for _, v := range k.given[slot].Values() {
		if !arg.lists(v) {
			return false
		}
	}
	return true
}

func (a *Arg) lists(v *plan.Value) bool {
	switch {
	case len(v.Refs()) > 0:
		return false
	case v.Kind == plan.List:
		for i := range v.Items {
			if !a.lists(&v.Items[i]) {
				return false
			}
		}
		return true
	case v.Kind == plan.Null, v.Kind == plan.Bool:
		return true
	case v.Kind == plan.Object, v.Kind == plan.UnknownValue:
		return false
	case len(a.Enum) > 0:
		return slices.Contains(a.Enum, v.Text)
	}
	return v.Kind == plan.String && modeWord(v.Text)
}

// maxModeWord is the length up to which a word without digits is a mode.
const maxModeWord = 20

func modeWord(text string) bool {
	for i := 0; i < len(text); i++ {
		if c := text[i]; !nameByte(c, i > 0) || '0' <= c && c <= '9' {
			return false
		}
	}
	return len(text) <= maxModeWord
}
