package compose

import (
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"

	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/taint"
)

var flowType = &objectType{name: "flow", typ: flowCEL, fields: []field{
	{name: "label", typ: cel.StringType, domain: labelWord, doc: "the label that reaches the sink",
		get: func(o *object) (any, error) {
			return types.String(o.ev.subject.Universe.Name(o.ev.subject.Flow.Label)), nil
		}},
	{name: "level", typ: cel.StringType, domain: levelWord, doc: "the confidentiality level that the label implies",
		get: func(o *object) (any, error) {
			return types.String(levelOf(o.ev.subject.Universe, o.ev.subject.Flow.Label)), nil
		}},
	{name: "labels", typ: stringsCEL, domain: labelWord, doc: "all labels that the sink's data holds at this precision",
		get: func(o *object) (any, error) {
			return o.ev.labelList(o.ev.subject.Flow.Labels.Join(taint.Of(o.ev.subject.Flow.Label))), nil
		}},
	{name: "precision", typ: cel.StringType, domain: precisionWord, doc: "how the weakest hop is known",
		get: func(o *object) (any, error) { return types.String(o.ev.subject.Flow.Precision.String()), nil }},
	{name: "source", typ: sourceCEL, doc: "where the flow starts",
		get: func(o *object) (any, error) { return &o.ev.source, nil }},
	{name: "sink", typ: sinkCEL, doc: "where the flow ends",
		get: func(o *object) (any, error) { return &o.ev.sink, nil }},
	{name: "readers", typ: stringsCEL, doc: "who may see all that reaches the sink with this label",
		get: func(o *object) (any, error) { return o.ev.readersList(o.ev.subject.Flow.Readers), nil }},
	{name: "others", typ: cel.IntType, doc: "how many further sources reach the sink with this label, at least",
		get: func(o *object) (any, error) { return types.Int(o.ev.subject.Flow.Others), nil }},
	{name: "hops", typ: cel.ListType(hopCEL), doc: "the steps of the flow, from source to sink",
		get: func(o *object) (any, error) {
			e := o.ev
			if e.hops == nil {
				e.hops = e.objects(hopType, upTo(len(e.subject.Flow.Hops)))
			}
			return e.hops, nil
		}},
	{name: "calls", typ: callsCEL, doc: "the calls on the flow's path in plan order, the sink's included",
		get: func(o *object) (any, error) {
			e := o.ev
			if e.path == nil {
				e.path = e.objects(callType, e.validCalls(e.subject.Flow.Calls()))
			}
			return e.path, nil
		}},
}}

var sourceType = &objectType{name: "flow.source", typ: sourceCEL, fields: []field{
	{name: "kind", typ: cel.StringType, domain: placeWord, doc: "output, cell, text, input or argument",
		get: func(o *object) (any, error) { return types.String(placeKindWord(o.ev.subject.Flow.Source.Kind)), nil }},
	{name: "call", typ: callCEL, doc: "the call whose output it is, or that read the cell; not set for texts and inputs",
		isSet: func(o *object) bool { return o.ev.sourceCallKnown() },
		get: func(o *object) (any, error) {
			if !o.ev.sourceCallKnown() {
				return types.NullValue, nil
			}
			return &o.ev.sourceCall, nil
		}},
	{name: "tool", typ: cel.StringType, domain: toolWord, doc: "the tool of that call, empty for none",
		get: func(o *object) (any, error) {
			if !o.ev.sourceCallKnown() {
				return types.String(""), nil
			}
			return types.String(o.ev.planCall(o.ev.sourceCall.n).Tool), nil
		}},
	{name: "field", typ: cel.StringType, doc: "the field of the output, empty for the whole",
		get: func(o *object) (any, error) { return types.String(o.ev.subject.Flow.Source.Field), nil }},
	{name: "cell", typ: cel.StringType, doc: "the cell, such as file:/srv/app/.env; empty for none",
		get: func(o *object) (any, error) { return types.String(o.ev.subject.Flow.Source.Cell), nil }},
	{name: "text", typ: cel.StringType, domain: textWord, doc: "what kind of text it is, empty for none",
		get: func(o *object) (any, error) {
			return types.String(textKindWord(o.ev.subject.Plan, o.ev.subject.Flow.Source)), nil
		}},
	{name: "agent", typ: cel.StringType, doc: "the agent of that call or text",
		get: func(o *object) (any, error) {
			if o.ev.sourceCallKnown() {
				return types.String(o.ev.planCall(o.ev.sourceCall.n).AgentName()), nil
			}
			return types.String(o.ev.subject.Flow.Source.Agent), nil
		}},
	{name: "turn", typ: cel.IntType, doc: "the turn of that call",
		get: func(o *object) (any, error) {
			if o.ev.sourceCallKnown() {
				return types.Int(o.ev.planCall(o.ev.sourceCall.n).Turn), nil
			}
			return types.Int(o.ev.subject.Flow.Source.Turn), nil
		}},
}}

var sinkType = &objectType{name: "flow.sink", typ: sinkCEL, fields: []field{
	{name: "call", typ: callCEL, doc: "the call that the data reaches",
		isSet: func(o *object) bool { return o.ev.sinkCallKnown() },
		get: func(o *object) (any, error) {
			if !o.ev.sinkCallKnown() {
				return types.NullValue, nil
			}
			return &o.ev.sinkCall, nil
		}},
	{name: "tool", typ: cel.StringType, domain: toolWord, doc: "its tool",
		get: func(o *object) (any, error) {
			if !o.ev.sinkCallKnown() {
				return types.String(""), nil
			}
			return types.String(o.ev.planCall(o.ev.sinkCall.n).Tool), nil
		}},
	{name: "argument", typ: cel.StringType, doc: "the argument that the data enters, empty where a command reads it otherwise",
		get: func(o *object) (any, error) { return types.String(o.ev.subject.Flow.Sink.Field), nil }},
	{name: "kinds", typ: stringsCEL, domain: kindWord, doc: "what kinds of sink it is",
		get: func(o *object) (any, error) { return o.ev.kindList(o.ev.subject.Flow.Kinds), nil }},
	{name: "audience", typ: stringsCEL, doc: "who will see it; never empty, everyone where it is not known",
		get: func(o *object) (any, error) { return o.ev.audienceList(o.ev.subject.Flow.Audience), nil }},
	{name: "class", typ: cel.StringType, domain: classWord, doc: "the risk class of the call",
		get: func(o *object) (any, error) {
			if !o.ev.sinkCallKnown() {
				return types.String(""), nil
			}
			return types.String(o.ev.resolved(o.ev.sinkCall.n).Class.String()), nil
		}},
	{name: "decides", typ: cel.BoolType, doc: "the label reaches, by value or resource, an argument that says where or what: recipient, URL, path, command, object",
		get: func(o *object) (any, error) { return types.Bool(o.ev.decides()), nil }},
	{name: "settled", typ: cel.BoolType, doc: "the analysis of origins looked at every such argument that the label reaches: the user's words, a field of the service or a record that the user pointed at decided it",
		get: func(o *object) (any, error) { return types.Bool(o.ev.settled()), nil }},
}}

var hopType = &objectType{name: "hop", typ: hopCEL, fields: []field{
	{name: "precision", typ: cel.StringType, domain: precisionWord, doc: "how the step is known",
		get: func(o *object) (any, error) { return types.String(o.hop().Precision.String()), nil }},
	{name: "evidence", typ: cel.StringType, domain: evidenceWord, doc: "what makes it known",
		get: func(o *object) (any, error) { return types.String(o.hop().Evidence.Kind.String()), nil }},
	{name: "decoding", typ: cel.StringType, doc: "how the value was encoded, empty if it was not",
		get: func(o *object) (any, error) { return types.String(o.hop().Evidence.Decoding), nil }},
	{name: "cell", typ: cel.StringType, doc: "the cell that the step goes through, empty for none",
		get: func(o *object) (any, error) {
			if cell := o.hop().To.Cell; cell != "" {
				return types.String(cell), nil
			}
			return types.String(o.hop().From.Cell), nil
		}},
}}

func (o *object) hop() *taint.Hop { return &o.ev.subject.Flow.Hops[o.n] }

func levelOf(u *taint.Universe, l taint.Label) string {
	for _, level := range []taint.Label{taint.Secret, taint.Private, taint.Internal} {
		if u.AtLeast(level).Has(l) {
			return u.Name(level)
		}
	}
	return "public"
}

func (e *evaluation) sourceCallKnown() bool { return e.isCall(e.sourceCall.n) }
func (e *evaluation) sinkCallKnown() bool   { return e.isCall(e.sinkCall.n) }

// isCall also guards against a place of a text or input, whose Call is -1.
func (e *evaluation) isCall(i int) bool {
	return i >= 0 && i < len(e.subject.Calls) && i < len(e.subject.Plan.Calls)
}

func (e *evaluation) validCalls(indexes []int) []int {
	valid := make([]int, 0, len(indexes))
	for _, i := range indexes {
		if e.isCall(i) {
			valid = append(valid, i)
		}
	}
	return valid
}

func upTo(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// decides reports whether the flow's label decides where the call acts or on
// what. The flow in hand is only the best witness, which may enter another
// argument; so every deciding argument of the sink is asked.
func (e *evaluation) decides() bool {
	if !e.sinkCallKnown() {
		return false
	}
	f := e.subject.Flow
	call := e.resolved(e.sinkCall.n)
	if f.Sink.Step < 0 || f.Sink.Step >= len(call.Steps()) {
		return false
	}
	sinks := call.Steps()[f.Sink.Step].Sinks
	if f.SinkIndex < 0 || f.SinkIndex >= len(sinks) {
		return false
	}
	for _, slot := range sinks[f.SinkIndex].Decides {
		if slot < 0 || slot >= len(call.Slots()) {
			continue
		}
		if f.Sink.Field != "" && call.Slots()[slot].Name == f.Sink.Field {
			return true
		}
		if e.subject.Labels != nil && e.subject.Labels.Slot(e.sinkCall.n, slot, taint.Resource).Has(f.Label) {
			return true
		}
	}
	return false
}

// settled reports whether the origins of every deciding argument that the flow's
// label reaches are known and innocent. A decoded value is looked at by the
// flow's own evidence only.
func (e *evaluation) settled() bool {
	if !e.sinkCallKnown() || e.subject.Origins == nil || e.sinkCall.n >= len(e.subject.Origins.Calls) {
		return false
	}
	f, call := e.subject.Flow, e.resolved(e.sinkCall.n)
	for i := range f.Hops {
		if ev := &f.Hops[i].Evidence; ev.Encoded() || ev.Kind == taint.ByReference {
			return false
		}
	}
	if f.Sink.Step < 0 || f.Sink.Step >= len(call.Steps()) || f.SinkIndex < 0 || f.SinkIndex >= len(call.Steps()[f.Sink.Step].Sinks) {
		return false
	}
	origins := &e.subject.Origins.Calls[e.sinkCall.n]
	slots := call.Steps()[f.Sink.Step].Sinks[f.SinkIndex].Decides
	if f.Kinds&taint.SinkAuthority != 0 {
		slots = upTo(len(call.Slots())) // every argument of a grant decides what is granted
	}
	for _, slot := range slots {
		if slot < 0 || slot >= len(call.Slots()) || e.subject.Labels == nil {
			return false
		}
		if e.subject.Labels.Slot(e.sinkCall.n, slot, taint.Resource).Has(f.Label) && !origins.Settled(slot) {
			return false
		}
	}
	return true
}

// userWords joins the texts that the user wrote.
func userWords(p *plan.Plan) string {
	var words []string
	for i := range p.Texts {
		if p.Texts[i].Kind == plan.TextUser {
			words = append(words, p.Texts[i].Text)
		}
	}
	return strings.Join(words, "\n")
}
