package compose

import (
	"fmt"
	"math/bits"
	"reflect"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"

	"github.com/planlint/planlint/taint"
)

// list is a list(string) of a condition. What stands behind it, a set of labels
// or of sink kinds, an audience, readers, answers membership without a list.
type list struct {
	kind     listKind
	universe *taint.Universe
	labels   taint.Set
	kinds    taint.SinkKind
	audience taint.Audience
	readers  taint.Readers
	// strings are the names, for sets once they were asked for.
	strings []string
	listed  bool
}

type listKind uint8

const (
	ofStrings listKind = iota
	ofLabels
	ofKinds
	ofAudience
	ofReaders
)

func (l *list) names() []string {
	if l.listed {
		return l.strings
	}
	l.listed = true
	switch l.kind {
	case ofLabels:
		l.strings = l.universe.Names(l.labels)
	case ofKinds:
		l.strings = l.kinds.Names()
	case ofAudience:
		l.strings = l.audience.Names()
	case ofReaders:
		l.strings = l.readers.Names()
	}
	return l.strings
}

func (l *list) size() int {
	switch l.kind {
	case ofLabels:
		return l.labels.Len()
	case ofKinds:
		return bits.OnesCount8(uint8(l.kinds))
	}
	return len(l.names())
}

// contains is exact, but for readers: everyone contains everybody.
func (l *list) contains(name string) bool {
	switch l.kind {
	case ofLabels:
		one, known := l.universe.Lookup(name)
		return known && one != 0 && l.labels.Contains(one)
	case ofKinds:
		one, known := taint.ParseSinkKind(name)
		return known && l.kinds&one != 0
	case ofReaders:
		if l.readers.Everyone() {
			return true
		}
	}
	for _, n := range l.names() {
		if n == name {
			return true
		}
	}
	return false
}

// Contains implements traits.Container.
func (l *list) Contains(value ref.Val) ref.Val {
	name, ok := value.(types.String)
	if !ok {
		return types.MaybeNoSuchOverloadErr(value)
	}
	return types.Bool(l.contains(string(name)))
}

// Size implements traits.Sizer.
func (l *list) Size() ref.Val { return types.Int(l.size()) }

// Get implements traits.Indexer.
func (l *list) Get(index ref.Val) ref.Val {
	i, err := types.IndexOrError(index)
	if err != nil {
		return types.WrapErr(err)
	}
	if i < 0 || i >= l.size() {
		return types.NewErr("index %d is not in a list of %d", i, l.size())
	}
	return types.String(l.names()[i])
}

// Iterator implements traits.Iterable.
func (l *list) Iterator() traits.Iterator { return l.plain().Iterator() }

// Add implements traits.Adder.
func (l *list) Add(other ref.Val) ref.Val { return l.plain().Add(other) }

// Equal implements ref.Val.
func (l *list) Equal(other ref.Val) ref.Val {
	if o, ok := other.(*list); ok {
		return l.plain().Equal(o.plain())
	}
	return l.plain().Equal(other)
}

// ConvertToNative implements ref.Val.
func (l *list) ConvertToNative(t reflect.Type) (any, error) { return l.plain().ConvertToNative(t) }

// ConvertToType implements ref.Val.
func (l *list) ConvertToType(t ref.Type) ref.Val { return l.plain().ConvertToType(t) }

// Type implements ref.Val.
func (l *list) Type() ref.Type { return types.ListType }

// Value implements ref.Val.
func (l *list) Value() any { return l.names() }

func (l *list) plain() traits.Lister {
	return types.NewStringList(types.DefaultTypeAdapter, l.names())
}

// has is the method of sets: a label stands for itself and for every stricter
// one, as in the labels of a rule; other names only for themselves.
func has(set ref.Val, name string) (bool, error) {
	l, ok := set.(*list)
	if !ok {
		return contains(set, name)
	}
	if l.kind != ofLabels {
		return l.contains(name), nil
	}
	one, known := l.universe.Lookup(name)
	if !known {
		return false, fmt.Errorf("unknown label %q", name)
	}
	if one == 0 || l.labels.Intersects(one) {
		return one != 0, nil
	}
	label := taint.Label(bits.TrailingZeros64(uint64(one)))
	return l.labels.Intersects(l.universe.AtLeast(label)), nil
}

func hasValue(set, name ref.Val) (bool, error) {
	s, ok := name.(types.String)
	if !ok {
		return false, fmt.Errorf("a string is needed")
	}
	return has(set, string(s))
}

func contains(set ref.Val, name string) (bool, error) {
	container, ok := set.(traits.Container)
	if !ok {
		return false, fmt.Errorf("a list is needed")
	}
	yes, ok := container.Contains(types.String(name)).(types.Bool)
	if !ok {
		return false, fmt.Errorf("a list of strings is needed")
	}
	return bool(yes), nil
}

// namesOf returns the strings of a list.
func namesOf(v ref.Val) ([]string, error) {
	if l, ok := v.(*list); ok {
		return l.names(), nil
	}
	lister, ok := v.(traits.Lister)
	if !ok {
		return nil, fmt.Errorf("a list is needed")
	}
	var names []string
	for it := lister.Iterator(); it.HasNext() == types.True; {
		name, ok := it.Next().(types.String)
		if !ok {
			return nil, fmt.Errorf("a list of strings is needed")
		}
		names = append(names, string(name))
	}
	return names, nil
}

func intersects(a, b ref.Val) (bool, error) {
	names, err := namesOf(b)
	if err != nil {
		return false, err
	}
	for _, n := range names {
		if yes, err := has(a, n); yes || err != nil {
			return yes, err
		}
	}
	return false, nil
}

// subset reports whether everything in a is in b; an audience in readers is the
// question whether anything new is shown to anybody.
func subset(a, b ref.Val) (bool, error) {
	la, okA := a.(*list)
	lb, okB := b.(*list)
	if okA && okB && la.kind == ofAudience && lb.kind == ofReaders {
		return lb.readers.Contain(la.audience), nil
	}
	names, err := namesOf(a)
	if err != nil {
		return false, err
	}
	for _, n := range names {
		if yes, err := contains(b, n); !yes || err != nil {
			return false, err
		}
	}
	return true, nil
}
