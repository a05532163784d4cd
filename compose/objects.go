package compose

import (
	"fmt"
	"reflect"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
)

// object is a value of one of the object types: a view of the subject, whose
// fields are fetched when they are asked for. n is a call's or a hop's index.
type object struct {
	kind *objectType
	ev   *evaluation
	n    int
}

// ConvertToNative implements ref.Val.
func (o *object) ConvertToNative(reflect.Type) (any, error) {
	return nil, fmt.Errorf("%s is no plain value", o.kind.name)
}

// ConvertToType implements ref.Val.
func (o *object) ConvertToType(t ref.Type) ref.Val {
	if t == types.TypeType {
		return o.kind.typ
	}
	return types.NewErr("%s can't be converted to %s", o.kind.name, t.TypeName())
}

// Equal implements ref.Val: the same thing of the same subject.
func (o *object) Equal(other ref.Val) ref.Val {
	p, ok := other.(*object)
	return types.Bool(ok && o.kind == p.kind && o.ev == p.ev && o.n == p.n)
}

// Type implements ref.Val.
func (o *object) Type() ref.Type { return o.kind.typ }

// Value implements ref.Val; field access goes through it.
func (o *object) Value() any { return o }

// Get implements traits.Indexer, for values whose type is not known at load.
func (o *object) Get(index ref.Val) ref.Val {
	name, _ := index.Value().(string)
	f := o.kind.field(name)
	if f == nil {
		return types.NewErr("no such field %q", name)
	}
	value, err := f.get(o)
	if err == nil {
		value, err = o.ev.guarded(value, usualArgument, usualArgument)
	}
	if err != nil {
		return types.WrapErr(err)
	}
	return value.(ref.Val)
}

// IsSet implements traits.FieldTester.
func (o *object) IsSet(index ref.Val) ref.Val {
	name, _ := index.Value().(string)
	f := o.kind.field(name)
	return types.Bool(f != nil && (f.isSet == nil || f.isSet(o)))
}

// provider tells CEL the object types.
type provider struct {
	*types.Registry
	fields map[string]map[string]*types.FieldType
}

func newProvider() (*provider, error) {
	registry, err := types.NewRegistry()
	if err != nil {
		return nil, err
	}
	p := &provider{Registry: registry, fields: map[string]map[string]*types.FieldType{}}
	for _, t := range objectTypes {
		byName := make(map[string]*types.FieldType, len(t.fields))
		for i := range t.fields {
			byName[t.fields[i].name] = t.fields[i].celType()
		}
		p.fields[t.typ.TypeName()] = byName
	}
	return p, nil
}

// usual returns the usual size of the field, and of an item of it.
func (f *field) usual() (most, mostItem uint64) {
	if f.typ.Kind() == types.ListKind {
		mostItem = usualSize(f.name, f.typ.Parameters()[0], true)
	}
	return usualSize(f.name, f.typ, false), mostItem
}

func (f *field) celType() *types.FieldType {
	most, mostItem := f.usual()
	return &types.FieldType{
		Type: f.typ,
		IsSet: func(target any) bool {
			o, ok := target.(*object)
			return ok && (f.isSet == nil || f.isSet(o))
		},
		GetFrom: func(target any) (any, error) {
			o, ok := target.(*object)
			if !ok {
				return nil, fmt.Errorf("there is no %q", f.name)
			}
			value, err := f.get(o)
			if err != nil {
				return nil, err
			}
			return o.ev.guarded(value, most, mostItem)
		},
	}
}

// FindStructType implements types.Provider.
func (p *provider) FindStructType(name string) (*types.Type, bool) {
	for _, t := range objectTypes {
		if t.typ.TypeName() == name {
			return types.NewTypeTypeWithParam(t.typ), true
		}
	}
	return p.Registry.FindStructType(name)
}

// FindStructFieldNames implements types.Provider.
func (p *provider) FindStructFieldNames(name string) ([]string, bool) {
	for _, t := range objectTypes {
		if t.typ.TypeName() == name {
			return t.names(), true
		}
	}
	return p.Registry.FindStructFieldNames(name)
}

// FindStructFieldType implements types.Provider.
func (p *provider) FindStructFieldType(name, field string) (*types.FieldType, bool) {
	if byName, ok := p.fields[name]; ok {
		f, ok := byName[field]
		return f, ok
	}
	return p.Registry.FindStructFieldType(name, field)
}

// NewValue implements types.Provider: conditions can't make objects.
func (p *provider) NewValue(name string, fields map[string]ref.Val) ref.Val {
	if _, ours := p.fields[name]; ours {
		return types.NewErr("%s can't be made in a condition", name)
	}
	return p.Registry.NewValue(name, fields)
}
