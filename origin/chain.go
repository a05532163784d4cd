package origin

// chain is how the user points at something: one more than the number of its last
// step, 0 for not at all. Chains share the steps that they have in common.
type chain int32

// step is one step of a chain.
type step struct {
	how    string
	before chain
	call   int32
	// via is the leaf that led on, -1 for none.
	via int32
}

// pointed returns a chain with one more step.
func (a *analysis) pointed(before chain, how string, call int, via int32) chain {
	a.steps = append(a.steps, step{how: how, before: before, call: int32(call), via: via})
	return chain(len(a.steps))
}

// pointers are the steps of a chain, first to last.
func (a *analysis) pointers(c chain) []Pointer {
	n := 0
	for at := c; at > 0; at = a.steps[at-1].before {
		n++
	}
	out := make([]Pointer, n)
	for at := c; at > 0; at = a.steps[at-1].before {
		n--
		s := &a.steps[at-1]
		out[n] = Pointer{How: s.how, Call: int(s.call)}
		if s.via >= 0 {
			out[n].Via = a.place(s.via)
		}
	}
	return out
}

// place returns where a leaf stands.
func (a *analysis) place(l int32) Place {
	at, call := &a.corpus.Doc.Leaves[l], a.leaves[l].call
	if call < -1 {
		return Place{Call: -1, Text: int(textOfCall(call)) + 1, Start: int(at.Start), End: int(at.End)}
	}
	return Place{Call: int(call), Field: a.corpus.Path(l).String(), Start: int(at.Start), End: int(at.End)}
}
