package compose

import (
	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"

	"github.com/planlint/planlint/origin"
	"github.com/planlint/planlint/tool"
)

var originType = &objectType{name: "origin", typ: originCEL, fields: []field{
	{name: "argument", typ: cel.StringType, doc: "the argument that the value is in",
		get: func(o *object) (any, error) { return types.String(o.part().Argument), nil }},
	{name: "role", typ: cel.StringType, domain: roleWord, doc: "what that argument is for",
		get: func(o *object) (any, error) { return types.String(o.role().String()), nil }},
	{name: "from", typ: stringsCEL, domain: originWord, doc: "where it stands: user, service, name, text; model where nothing recorded holds it",
		get: func(o *object) (any, error) { return o.ev.stringList(o.part().From.Names()), nil }},
	{name: "atom", typ: cel.StringType, doc: "what it names by its form: address, url, account, file, id; empty for text",
		get: func(o *object) (any, error) { return types.String(o.part().Atom.String()), nil }},
	{name: "field", typ: cel.StringType, doc: "the field of the output that it stands in, empty for none",
		get: func(o *object) (any, error) { return types.String(o.part().Source().Field), nil }},
	{name: "call", typ: cel.IntType, doc: "the index of the call whose output that is, -1 for none",
		get: func(o *object) (any, error) { return types.Int(o.part().Source().Call), nil }},
	{name: "standing", typ: cel.StringType, domain: standingWord, doc: "how the user pointed at that record: none, found, plain, strong",
		get: func(o *object) (any, error) { return types.String(o.part().Standing.String()), nil }},
	{name: "endorsed", typ: cel.BoolType, doc: "the user's pointing covers the value",
		get: func(o *object) (any, error) { return types.Bool(o.part().Endorsed), nil }},
	{name: "decoding", typ: cel.StringType, doc: "how the value was encoded, empty if it was not",
		get: func(o *object) (any, error) { return types.String(o.part().Decoding()), nil }},
}}

// An origin object's number is that of its call and, in the low bits, its part.
const partBits = 9

func partsOf(call, parts int) []int {
	n := make([]int, parts)
	for i := range n {
		n[i] = call<<partBits | i
	}
	return n
}

var noOrigins origin.Call

// origins returns what the analysis says of the call; nothing while calls are
// being resolved.
func (o *object) origins() *origin.Call { return o.ev.originsOf(o.n) }

func (e *evaluation) originsOf(call int) *origin.Call {
	if e.subject.Origins == nil || call < 0 || call >= len(e.subject.Origins.Calls) {
		return &noOrigins
	}
	return &e.subject.Origins.Calls[call]
}

func (o *object) part() *origin.Part {
	return &o.ev.originsOf(o.n >> partBits).Parts[o.n&(1<<partBits-1)]
}

func (o *object) role() tool.Role {
	call, slot := o.ev.resolved(o.n>>partBits), int(o.part().Slot)
	if slot < len(call.Slots()) {
		return call.Role(slot)
	}
	return tool.RoleNone
}
