package compose

import (
	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"

	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/origin"
	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/taint"
	"github.com/planlint/planlint/tool"
)

// domain is the closed set of words that a string of a condition is one of. A
// literal compared with such a string must be one of them.
type domain uint8

const (
	anyWord domain = iota
	labelWord
	levelWord
	precisionWord
	kindWord
	classWord
	outcomeWord
	placeWord
	textWord
	evidenceWord
	toolWord
	originWord
	signalWord
	standingWord
	roleWord
)

var domainNames = [...]string{
	"word", "label", "level", "precision", "sink kind", "risk class", "outcome",
	"kind of source", "kind of text", "kind of evidence", "tool",
	"origin", "signal", "standing", "role",
}

func (d domain) String() string { return domainNames[d] }

var (
	levelWords     = []string{"public", "internal", "private", "secret"}
	precisionWords = []string{"context", "resource", "value"}
	outcomeWords   = []string{"planned", "ran", "refused", "blocked", "failed", "unknown"}
	placeWords     = []string{"output", "cell", "text", "input", "argument"}
	textWords      = []string{
		"unknown", "user", "system", "model", "summary", "attachment", "pasted",
		"instructions", "tool-description", "hook", "subagent-prompt", "orphan-result",
	}
	evidenceWords = []string{"reference", "match", "cell", "context", "pipe", "pass"}
)

// words lists the words of a domain; tools come from the vocabulary.
func (l *language) words(d domain) []string {
	switch d {
	case labelWord:
		return append(l.universe.All(), "public", "trusted")
	case levelWord:
		return levelWords
	case precisionWord:
		return precisionWords
	case kindWord:
		return taint.SinkKinds()
	case classWord:
		return gate.Classes()
	case outcomeWord:
		return outcomeWords
	case placeWord:
		return placeWords
	case textWord:
		return textWords
	case evidenceWord:
		return evidenceWords
	case originWord:
		return append(origin.FromText.All(), "model")
	case signalWord:
		return origin.SignalNames()
	case standingWord:
		return origin.Standings()
	case roleWord:
		return append(tool.Roles(), tool.RoleNone.String())
	case toolWord:
		if l.vocab != nil {
			return l.vocab.Tools()
		}
	}
	return nil
}

// field is one field of an object type.
type field struct {
	name string
	typ  *types.Type
	// domain is that of the value, or of the items of a list.
	domain domain
	doc    string
	// early: the field is known while classes are still being decided.
	early bool
	get   func(*object) (any, error)
	// isSet answers has(); nil means always.
	isSet func(*object) bool
}

// objectType is a type of conditions: its name and its fields.
type objectType struct {
	name   string
	typ    *types.Type
	fields []field
}

func (t *objectType) field(name string) *field {
	for i := range t.fields {
		if t.fields[i].name == name {
			return &t.fields[i]
		}
	}
	return nil
}

func (t *objectType) names() []string {
	names := make([]string, len(t.fields))
	for i := range t.fields {
		names[i] = t.fields[i].name
	}
	return names
}

const typePrefix = "planlint."

var (
	flowCEL   = cel.ObjectType(typePrefix + "flow")
	sourceCEL = cel.ObjectType(typePrefix + "source")
	sinkCEL   = cel.ObjectType(typePrefix + "sink")
	hopCEL    = cel.ObjectType(typePrefix + "hop")
	originCEL = cel.ObjectType(typePrefix + "origin")
	callCEL   = cel.ObjectType(typePrefix + "call")
	planCEL   = cel.ObjectType(typePrefix + "plan")

	stringsCEL = cel.ListType(cel.StringType)
	callsCEL   = cel.ListType(callCEL)
)

var objectTypes = []*objectType{flowType, sourceType, sinkType, hopType, callType, originType, planType}

// objectTypeOf returns the object type that a CEL type names, nil for others.
func objectTypeOf(t *types.Type) *objectType {
	if t == nil {
		return nil
	}
	for _, o := range objectTypes {
		if o.typ.TypeName() == t.TypeName() {
			return o
		}
	}
	return nil
}

// variable is a name that a condition can use.
type variable struct {
	name string
	typ  *types.Type
}

var (
	flowVar = variable{"flow", flowCEL}
	callVar = variable{"call", callCEL}
	planVar = variable{"plan", planCEL}
	argsVar = variable{"args", cel.DynType}
)

// variables lists what each scope has.
var variables = [scopeCount][]variable{
	ScopeFlow: {flowVar, planVar},
	ScopeCall: {callVar, planVar},
	ScopePlan: {planVar},
	ScopeClassWhen: {
		argsVar, {"recipients", stringsCEL}, {"hosts", stringsCEL}, {"paths", stringsCEL}, callVar,
	},
	ScopeOutput: {argsVar, {"output", cel.DynType}},
	ScopeRule:   {callVar},
}

func variableNames(s Scope) []string {
	var names []string
	for _, v := range variables[s] {
		names = append(names, v.name)
	}
	return names
}

func placeKindWord(k taint.PlaceKind) string {
	switch k {
	case taint.PlaceCell:
		return "cell"
	case taint.PlaceText:
		return "text"
	case taint.PlaceInput:
		return "input"
	case taint.PlaceArgument:
		return "argument"
	}
	return "output"
}

func textKindWord(p *plan.Plan, place taint.Place) string {
	if place.Kind != taint.PlaceText || place.Text < 0 || place.Text >= len(p.Texts) {
		return ""
	}
	return p.Texts[place.Text].Kind.String()
}
