package tool

import (
	"strings"

	"github.com/planlint/planlint/plan"
)

// symbols names principals whose values are not known yet by where they will
// come from: the sender of mail m is "${m.output.sender}", whoever that is. Two
// such names are equal only if they are the same field of the same output, so a
// reply to the sender stays inside the readers "output.sender" of a mail that
// has not been read. Anything that is no whole field is not known.
func (k *call) symbols(p templatePart) ([]string, bool) {
	if p.from == fromOutput {
		return symbol(k.c, p.path)
	}
	if p.arg < 0 || k.mixed || k.slotOf[p.arg] < 0 {
		return nil, false
	}
	var names []string
	for _, v := range k.given[k.slotOf[p.arg]].Values() {
		more, ok := k.symbolsIn(v)
		if !ok {
			return nil, false
		}
		names = append(names, more...)
	}
	return names, len(names) > 0
}

func (k *call) symbolsIn(v *plan.Value) (names []string, ok bool) {
	if v.Kind == plan.List {
		for i := range v.Items {
			more, ok := k.symbolsIn(&v.Items[i])
			if !ok {
				return nil, false
			}
			names = append(names, more...)
		}
		return names, true
	}
	if texts, ok := k.out.Texts(v); ok {
		for _, text := range texts {
			addresses, ok := SplitAddresses(text)
			if !ok {
				return nil, false
			}
			names = append(names, addresses...)
		}
		return names, true
	}
	refs := v.Refs()
	if len(refs) != 1 || !refs[0].Whole || refs[0].Call < 0 || refs[0].Via != "" {
		return nil, false
	}
	return symbol(&k.plan.Calls[refs[0].Call], refs[0].Path)
}

// symbol is the name of a field of an output that is not recorded. Principals
// fold case, so a name that folding would change has no symbol; nor has a list.
func symbol(c *plan.Call, path plan.Path) ([]string, bool) {
	if c.ID == "" || c.OutputState == plan.OutputRecorded || c.OutputState == plan.OutputTruncated {
		return nil, false
	}
	for _, step := range path {
		if step.Wild {
			return nil, false
		}
	}
	name := "${" + c.ID + ".output." + path.String() + "}"
	if len(path) == 0 || name != strings.ToLower(name) || strings.ContainsAny(name, " ,;") {
		return nil, false
	}
	return []string{name}, true
}
