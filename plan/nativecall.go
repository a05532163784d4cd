package plan

import "strconv"

// DefaultOutcome is the outcome of a call for which a plan names none.
func DefaultOutcome(recorded, hasOutput bool) Outcome {
	switch {
	case !recorded:
		return Planned
	case hasOutput:
		return Ran
	}
	return Unknown
}

// DefaultOutputState is the state of an output that a plan gives and of which it
// says no more: a call that has not run can only have a prediction.
func DefaultOutputState(outcome Outcome) OutputState {
	if outcome == Planned {
		return OutputPredicted
	}
	return OutputRecorded
}

var kindNames = [...]string{"tool", "model", "opaque"}

// String returns the kind's name.
func (k Kind) String() string { return kindNames[min(int(k), len(kindNames)-1)] }

// ParseKind returns the kind of that exact name.
func ParseKind(name string) (Kind, bool) {
	for i, n := range kindNames {
		if n == name {
			return Kind(i), true
		}
	}
	return Tool, false
}

var outputStateNames = [...]string{"absent", "recorded", "predicted", "truncated"}

// String returns the state's name.
func (s OutputState) String() string { return outputStateNames[min(int(s), len(outputStateNames)-1)] }

// ParseOutputState returns the state of that exact name; absent is none, since
// an output that isn't there needs no word.
func ParseOutputState(name string) (OutputState, bool) {
	for i, n := range outputStateNames {
		if n == name && i > 0 {
			return OutputState(i), true
		}
	}
	return OutputAbsent, false
}

func (w *writer) calls(p *Plan) {
	fields := callFields
	if w.canonical {
		fields = sortedCallFields
	}
	w.raw("[")
	for i := range p.Calls {
		if i > 0 {
			w.raw(",")
		}
		writeObject(w, p, &p.Calls[i], fields)
		w.flush(flushAt)
	}
	w.raw("]")
}

var callFields = []field[Call]{
	{"id", func(w *writer, _ *Plan, c *Call) bool { w.string(c.ID); return true }},
	{"kind", func(w *writer, _ *Plan, c *Call) bool {
		w.string(c.Kind.String())
		return c.Kind != Tool
	}},
	{"tool", func(w *writer, _ *Plan, c *Call) bool { return w.text(c.Tool) }},
	{"server", func(w *writer, _ *Plan, c *Call) bool { return w.text(c.Server) }},
	{"agent", func(w *writer, _ *Plan, c *Call) bool { return w.text(c.Agent) }},
	{"caller", func(w *writer, _ *Plan, c *Call) bool { return w.text(c.Caller) }},
	{"turn", func(w *writer, _ *Plan, c *Call) bool {
		w.raw(strconv.Itoa(c.Turn))
		return w.turns == nil
	}},
	{"parallel", func(w *writer, _ *Plan, c *Call) bool { return w.text(c.Group) }},
	{"compete", func(w *writer, _ *Plan, c *Call) bool { return w.bool(c.Compete) }},
	{"after", func(w *writer, p *Plan, c *Call) bool { return w.ids(p, c.After()) }},
	{"each", func(w *writer, _ *Plan, c *Call) bool {
		if c.Each() != nil {
			w.string(c.Each().target() + " as " + c.As())
		}
		return c.Each() != nil
	}},
	{"when", func(w *writer, _ *Plan, c *Call) bool { return w.text(c.When()) }},
	{"branch", func(w *writer, p *Plan, c *Call) bool {
		if c.Branch() != nil {
			writeObject(w, p, c.Branch(), branchFields)
		}
		return c.Branch() != nil
	}},
	{"repeat", func(w *writer, _ *Plan, c *Call) bool { return w.bool(c.Repeat) }},
	{"args", func(w *writer, _ *Plan, c *Call) bool {
		w.value(&c.Args, false)
		return c.Args.Kind != Object || len(c.Args.Items) > 0
	}},
	{"raw_args", func(w *writer, _ *Plan, c *Call) bool { return w.bool(c.RawArgs) }},
	{"reads", func(w *writer, _ *Plan, c *Call) bool { return w.strings(c.Reads()) }},
	{"writes", func(w *writer, _ *Plan, c *Call) bool { return w.strings(c.Writes()) }},
	{"tools", func(w *writer, _ *Plan, c *Call) bool { return w.strings(c.Tools()) }},
	{"spawns", func(w *writer, _ *Plan, c *Call) bool { return w.strings(w.spawns[c.Index]) }},
	{"approval", func(w *writer, _ *Plan, c *Call) bool { return w.text(c.Approval()) }},
	{"copied", func(w *writer, _ *Plan, c *Call) bool { return !w.canonical && w.bool(c.Copied) }},
	{"on_error", func(w *writer, _ *Plan, c *Call) bool { return w.text(c.OnError()) }},
	{"output", func(w *writer, _ *Plan, c *Call) bool {
		w.value(&c.Output, true)
		return c.HasOutput()
	}},
	{"output_state", func(w *writer, _ *Plan, c *Call) bool {
		w.string(c.OutputState.String())
		return c.HasOutput() && c.OutputState != DefaultOutputState(c.Outcome)
	}},
	{"outcome", func(w *writer, p *Plan, c *Call) bool {
		w.string(c.Outcome.String())
		return c.Outcome != DefaultOutcome(p.Recorded, c.HasOutput())
	}},
}

var sortedCallFields = sorted(callFields)

var branchFields = []field[Branch]{
	{"arm", func(w *writer, _ *Plan, b *Branch) bool { w.raw(strconv.Itoa(b.Arm)); return true }},
	{"of", func(w *writer, _ *Plan, b *Branch) bool { w.string(b.Of); return true }},
}

func (w *writer) ids(p *Plan, calls []int) bool {
	return w.list(len(calls), func(i int) {
		if c := calls[i]; c >= 0 && c < len(p.Calls) {
			w.string(p.Calls[c].ID)
		} else {
			w.raw(`"#` + strconv.Itoa(c) + `"`)
		}
	})
}

var unknownFields = []field[UnknownSource]{
	{"by", func(w *writer, _ *Plan, u *UnknownSource) bool { return w.text(u.By) }},
	{"candidates", func(w *writer, _ *Plan, u *UnknownSource) bool { return w.strings(u.Candidates) }},
	{"from", func(w *writer, p *Plan, u *UnknownSource) bool { return w.ids(p, u.From) }},
}

func (w *writer) unknown(v *Value) {
	source := &UnknownSource{}
	if v.Ext != nil && v.Ext.Unknown != nil {
		source = v.Ext.Unknown
	}
	w.raw(`{"` + UnknownKey + `":`)
	writeObject(w, w.plan, source, unknownFields)
	w.raw("}")
}
