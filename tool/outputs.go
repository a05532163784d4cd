package tool

import (
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/planlint/planlint/plan"
)

// MaxOutputJSON is the size in bytes up to which an output that is text is
// parsed as JSON. Values inside of larger ones stay unknown, which is the strict
// side: an audience that can't be read is everyone.
const MaxOutputJSON = 16 << 20

// MaxResolved bounds what references bring into one argument, in bytes, and
// MaxFan the items and keys that a path is looked for among. Beyond, a value is
// not known, which is the strict side too.
const (
	MaxResolved = 64 << 10
	MaxFan      = 1 << 12
)

// Outputs resolves references to recorded values. Texts that hold JSON are
// parsed once, when a reference first leads into them. Not for concurrent use.
type Outputs struct {
	plan   *plan.Plan
	parsed map[int]*plan.Value
}

// NewOutputs returns the recorded outputs of a plan.
func NewOutputs(p *plan.Plan) *Outputs { return &Outputs{plan: p} }

// Lookup returns the recorded value that a reference means. ok is false where
// the output is not recorded whole, the path does not exist in it, or the
// reference goes to an input, an item or a transform. A path with [*] gives a
// list.
func Lookup(p *plan.Plan, ref *plan.Ref) (*plan.Value, bool) { return NewOutputs(p).Lookup(ref) }

// Lookup is the function of that name, with parsed outputs kept.
func (o *Outputs) Lookup(ref *plan.Ref) (*plan.Value, bool) {
	if ref.Via != "" || ref.Call < 0 || ref.Call >= len(o.plan.Calls) {
		return nil, false
	}
	return o.At(ref.Call, ref.Path)
}

// At returns the part of a call's recorded output that a path leads to.
func (o *Outputs) At(call int, path plan.Path) (*plan.Value, bool) {
	c := &o.plan.Calls[call]
	if c.OutputState != plan.OutputRecorded {
		return nil, false
	}
	v := &c.Output
	if len(path) > 0 && v.Kind == plan.String {
		if v = o.parse(call, v.Text); v == nil {
			return nil, false
		}
	}
	return descend(v, path)
}

// list is At for a path that a wildcard follows: a whole output that is text is
// parsed too.
func (o *Outputs) list(call int, path plan.Path) (*plan.Value, bool) {
	v, ok := o.At(call, path)
	if ok && len(path) == 0 && v.Kind == plan.String {
		v = o.parse(call, v.Text)
	}
	return v, v != nil
}

func (o *Outputs) parse(call int, text string) *plan.Value {
	if v, ok := o.parsed[call]; ok {
		return v
	}
	if o.parsed == nil {
		o.parsed = make(map[int]*plan.Value)
	}
	v := parseJSON(text)
	o.parsed[call] = v
	return v
}

// descend follows a path; a wildcard collects, and what some items lack is
// an error, since the reader of the list could not tell.
func descend(v *plan.Value, path plan.Path) (*plan.Value, bool) {
	for i, step := range path {
		switch {
		case step.Wild:
			return descendAll(v, path[i+1:])
		case step.IsIndex:
			if v.Kind != plan.List || step.Index >= len(v.Items) {
				return nil, false
			}
			v = &v.Items[step.Index]
		default:
			if len(v.Keys) > MaxFan {
				return nil, false
			}
			if v = v.Get(step.Key); v == nil {
				return nil, false
			}
		}
	}
	return v, true
}

func descendAll(v *plan.Value, rest plan.Path) (*plan.Value, bool) {
	if v.Kind != plan.List || len(v.Items) > MaxFan {
		return nil, false
	}
	list := &plan.Value{Kind: plan.List, Pos: v.Pos}
	for i := range v.Items {
		item, ok := descend(&v.Items[i], rest)
		if !ok {
			return nil, false
		}
		list.Items = append(list.Items, *item)
	}
	return list, true
}

// parseJSON returns nil for what is no JSON value, is too large, or could be
// read in two ways (a key given twice).
func parseJSON(text string) *plan.Value {
	head := strings.TrimLeft(text, " \t\r\n")
	if len(text) > MaxOutputJSON || head == "" || head[0] != '{' && head[0] != '[' {
		return nil
	}
	dec := jsontext.NewDecoder(strings.NewReader(text))
	v, ok := readJSON(dec, 0)
	if !ok {
		return nil
	}
	if _, err := dec.ReadToken(); err != io.EOF {
		return nil // something follows the value
	}
	return &v
}

func readJSON(dec *jsontext.Decoder, depth int) (plan.Value, bool) {
	tok, err := dec.ReadToken()
	if err != nil || depth > plan.MaxDepth {
		return plan.Value{}, false
	}
	switch tok.Kind() {
	case '{', '[':
		return readContainer(dec, tok.Kind(), depth)
	case '"':
		return plan.Str(tok.String()), true
	case '0':
		return plan.Value{Kind: plan.Number, Text: tok.String()}, true
	case 't', 'f':
		return plan.Value{Kind: plan.Bool, Text: tok.String()}, true
	case 'n':
		return plan.Value{}, true
	}
	return plan.Value{}, false
}

func readContainer(dec *jsontext.Decoder, kind jsontext.Kind, depth int) (plan.Value, bool) {
	v := plan.Value{Kind: plan.List}
	if kind == '{' {
		v.Kind = plan.Object
	}
	for {
		if k := dec.PeekKind(); k == '}' || k == ']' {
			_, err := dec.ReadToken()
			return v, err == nil
		}
		if v.Kind == plan.Object {
			key, err := dec.ReadToken()
			if err != nil || key.Kind() != '"' {
				return v, false
			}
			v.Keys = append(v.Keys, key.String())
		}
		item, ok := readJSON(dec, depth+1)
		if !ok {
			return v, false
		}
		v.Items = append(v.Items, item)
	}
}

// Texts returns what a value says as a list of texts: a scalar is one, a list
// is its items', null is none. References are replaced by what was recorded,
// within MaxResolved. ok is false where a part is not known, or is an object.
func (o *Outputs) Texts(v *plan.Value) (texts []string, ok bool) {
	budget := MaxResolved
	return o.appendTexts(nil, v, &budget)
}

func (o *Outputs) appendTexts(out []string, v *plan.Value, budget *int) ([]string, bool) {
	refs := v.Refs()
	switch {
	case len(refs) > 0:
		return o.resolved(out, v, refs, budget)
	case v.Kind == plan.Null:
		return out, true
	case v.Kind == plan.Object || v.Kind == plan.UnknownValue:
		return out, false
	case v.Kind != plan.List:
		return append(out, v.Text), true
	}
	known := true
	for i := range v.Items {
		var ok bool
		out, ok = o.appendTexts(out, &v.Items[i], budget)
		known = known && ok
	}
	return out, known
}

func (o *Outputs) resolved(out []string, v *plan.Value, refs []plan.Ref, budget *int) ([]string, bool) {
	if !refs[0].Whole {
		text, ok := o.fill(v, refs, budget)
		return append(out, text), ok
	}
	to, ok := o.Lookup(&refs[0])
	if !ok {
		return out, false
	}
	return recordedTexts(out, to, budget)
}

// recordedTexts is appendTexts for an output. An output that itself holds
// references is not known, so that texts can't multiply.
func recordedTexts(out []string, v *plan.Value, budget *int) ([]string, bool) {
	if *budget -= len(v.Text) + 1; *budget < 0 || len(v.Refs()) > 0 {
		return out, false
	}
	switch v.Kind {
	case plan.Null:
		return out, true
	case plan.Object, plan.UnknownValue:
		return out, false
	case plan.List:
		ok := true
		for i := 0; i < len(v.Items) && ok; i++ {
			out, ok = recordedTexts(out, &v.Items[i], budget)
		}
		return out, ok
	}
	return append(out, v.Text), true
}

// fill replaces the references inside a text; where one is not known, Hole
// stands for it and ok is false.
func (o *Outputs) fill(v *plan.Value, refs []plan.Ref, budget *int) (text string, ok bool) {
	var b strings.Builder
	at, known := 0, true
	for i := range refs {
		if refs[i].Start < at || refs[i].End > len(v.Text) || refs[i].End < refs[i].Start {
			return Hole, false
		}
		b.WriteString(v.Text[at:refs[i].Start])
		at = refs[i].End
		part := Hole
		if to, found := o.Lookup(&refs[i]); found {
			if texts, fine := recordedTexts(nil, to, budget); fine && len(texts) == 1 {
				part = texts[0]
			}
		}
		known = known && part != Hole
		b.WriteString(part)
	}
	b.WriteString(v.Text[at:])
	return b.String(), known
}
