package compose

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"

	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/tool"
)

// value returns an argument, or a part of one, for CEL. What is not known yet,
// and a reference to an output that is not recorded, is an error value: a
// condition that looks at it can't be decided.
func (e *evaluation) value(v *plan.Value) ref.Val { return e.guardedValue(e.rawValue(v)) }

func (e *evaluation) rawValue(v *plan.Value) ref.Val {
	if len(v.Refs()) > 0 {
		return e.referenced(v)
	}
	switch v.Kind {
	case plan.Null:
		return types.NullValue
	case plan.Bool:
		return types.Bool(v.Text == "true")
	case plan.Number:
		return number(v.Text)
	case plan.String:
		return types.String(v.Text)
	case plan.List:
		return e.items(v)
	case plan.Object:
		return &mapping{ev: e, v: v}
	}
	return types.NewErr("the value is not known until the plan runs")
}

func number(text string) ref.Val {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return types.Int(n)
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return types.NewErr("%q is no number that can be compared", text)
	}
	return types.Double(f)
}

// items returns a list; one item that is not known makes the list unknown, so
// that a test for membership can't miss it.
func (e *evaluation) items(v *plan.Value) ref.Val {
	if e.scope == ScopeClassWhen && len(v.Items) == 0 {
		return types.NewErr("an empty list lowers no class")
	}
	values := make([]ref.Val, len(v.Items))
	for i := range v.Items {
		values[i] = e.value(&v.Items[i])
		if types.IsError(values[i]) {
			return values[i]
		}
	}
	return types.NewRefValList(types.DefaultTypeAdapter, values)
}

// maxReferences is how many outputs one reference may lead through; a longer
// way is an error, and so the stricter side.
const maxReferences = 16

// referenced puts recorded outputs in the place of references.
func (e *evaluation) referenced(v *plan.Value) ref.Val {
	refs := v.Refs()
	if e.depth == maxReferences {
		return types.NewErr("references lead through too many outputs")
	}
	e.depth++
	defer func() { e.depth-- }()
	if refs[0].Whole {
		target, ok := e.lookup(&refs[0])
		if !ok || len(target.Refs()) > 0 {
			return unresolved(&refs[0])
		}
		return e.value(target)
	}
	var b strings.Builder
	from := 0
	for i := range refs {
		r := &refs[i]
		target, ok := e.lookup(r)
		scalar := ok && (target.Kind == plan.String || target.Kind == plan.Number || target.Kind == plan.Bool)
		if !scalar || len(target.Refs()) > 0 || r.Start < from || r.End < r.Start || r.End > len(v.Text) {
			return unresolved(r)
		}
		b.WriteString(v.Text[from:r.Start])
		b.WriteString(target.Text)
		from = r.End
	}
	b.WriteString(v.Text[from:])
	return types.String(b.String())
}

func unresolved(r *plan.Ref) ref.Val {
	return types.NewErr("the output of %q that the argument refers to is not known", r.Name)
}

// lookup returns the recorded value that a reference leads to.
func (e *evaluation) lookup(r *plan.Ref) (*plan.Value, bool) {
	if e.outputs == nil {
		e.outputs = tool.NewOutputs(e.subject.Plan)
	}
	return e.outputs.Lookup(r)
}

// output returns the call's own output.
func (e *evaluation) output() ref.Val {
	call := e.planCall(e.subject.Call)
	switch call.OutputState {
	case plan.OutputRecorded, plan.OutputPredicted:
		return e.value(&call.Output)
	case plan.OutputTruncated:
		return types.NewErr("the output is only known in part")
	}
	return types.NewErr("the output is not known yet")
}

// mapping is an object of the plan as a CEL map.
type mapping struct {
	ev *evaluation
	v  *plan.Value
}

// Find implements traits.Mapper.
func (m *mapping) Find(key ref.Val) (ref.Val, bool) {
	name, ok := key.(types.String)
	if !ok {
		return nil, false
	}
	item := m.v.Get(string(name))
	if item == nil {
		return nil, false
	}
	return m.ev.value(item), true
}

// Contains implements traits.Container.
func (m *mapping) Contains(key ref.Val) ref.Val {
	name, ok := key.(types.String)
	return types.Bool(ok && m.v.Get(string(name)) != nil)
}

// Get implements traits.Indexer.
func (m *mapping) Get(key ref.Val) ref.Val {
	if value, ok := m.Find(key); ok {
		return value
	}
	return types.NewErr("no such key: %v", key.Value())
}

// Size implements traits.Sizer.
func (m *mapping) Size() ref.Val { return types.Int(len(m.v.Items)) }

// Iterator implements traits.Iterable; the keys come in the order of the file.
func (m *mapping) Iterator() traits.Iterator {
	return types.NewStringList(types.DefaultTypeAdapter, m.v.Keys).Iterator()
}

// Equal implements ref.Val.
func (m *mapping) Equal(other ref.Val) ref.Val {
	plain, err := m.plain()
	if err != nil {
		return types.WrapErr(err)
	}
	if o, ok := other.(*mapping); ok {
		theirs, err := o.plain()
		if err != nil {
			return types.WrapErr(err)
		}
		other = theirs
	}
	return plain.Equal(other)
}

func (m *mapping) plain() (ref.Val, error) {
	values := make(map[ref.Val]ref.Val, len(m.v.Keys))
	for i, key := range m.v.Keys {
		value := m.ev.value(&m.v.Items[i])
		if failure, ok := value.(*types.Err); ok {
			return nil, failure
		}
		values[types.String(key)] = value
	}
	return types.NewRefValMap(types.DefaultTypeAdapter, values), nil
}

// ConvertToNative implements ref.Val.
func (m *mapping) ConvertToNative(reflect.Type) (any, error) {
	return nil, fmt.Errorf("arguments are no plain value")
}

// ConvertToType implements ref.Val.
func (m *mapping) ConvertToType(t ref.Type) ref.Val {
	switch t {
	case types.MapType:
		return m
	case types.TypeType:
		return types.MapType
	}
	return types.NewErr("an object can't be converted to %s", t.TypeName())
}

// Type implements ref.Val.
func (m *mapping) Type() ref.Type { return types.MapType }

// Value implements ref.Val.
func (m *mapping) Value() any { return m }

var _ tool.Conditions = (*Set)(nil)
