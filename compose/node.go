package compose

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
)

// node is one operation of a linked condition. Values and what they do are
// CEL's own (equality, order, size, membership); a node only says which value
// goes where, without CEL's activations, attributes and interpreter. An error is
// a value, as in CEL. Tests and a fuzz target hold nodes to what CEL's
// interpreter gives for the same text.
type node interface {
	eval(e *evaluation) ref.Val
}

// link makes the nodes of a form. It fails for a form that lower does not write.
func link(f *form) (node, error) {
	args := make([]node, len(f.Args))
	for i := range f.Args {
		var err error
		if args[i], err = link(&f.Args[i]); err != nil {
			return nil, err
		}
	}
	if n := f.leaf(); n != nil && len(args) == 0 {
		return n, nil
	}
	var n node
	var err error
	switch f.Op {
	case opList:
		n = newListNode(args)
	case opCall:
		n, err = linkCall(f.Name, args)
	case opField, opIsSet, opSelect, opHasKey:
		n, err = linkSelection(f, args)
	case opFold, opCollect:
		n, err = linkComprehension(f, args)
	}
	if n == nil && err == nil {
		err = fmt.Errorf("%q with %d arguments is no operation of a condition", f.Op, len(args))
	}
	return n, err
}

// leaf returns the node of a form without arguments, nil for what is none.
func (f *form) leaf() node {
	switch f.Op {
	case opString:
		return &constant{types.String(f.Name)}
	case opNull:
		return &constant{types.NullValue}
	case opBool:
		return &constant{types.Bool(f.Name == "true")}
	case opInt:
		if i, err := strconv.ParseInt(f.Name, 10, 64); err == nil {
			return &constant{types.Int(i)}
		}
	case opDouble:
		if d, err := strconv.ParseFloat(f.Name, 64); err == nil {
			return &constant{types.Double(d)}
		}
	case opVar:
		return &variableNode{f.Name}
	case opLocal:
		if slot, ok := slotOf(f.Name, 1); ok {
			return &local{slot}
		}
	}
	return nil
}

// slotOf reads the first of n slots.
func slotOf(text string, n int) (int, bool) {
	slot, err := strconv.Atoi(text)
	return slot, err == nil && slot >= 0 && slot+n <= maxLocals
}

type constant struct{ value ref.Val }

func (n *constant) eval(*evaluation) ref.Val { return n.value }

type variableNode struct{ name string }

func (n *variableNode) eval(e *evaluation) ref.Val {
	value, ok := e.ResolveName(n.name)
	if v, isValue := value.(ref.Val); ok && isValue {
		return v
	}
	return types.NewErr("no such attribute: %s", n.name)
}

type local struct{ slot int }

func (n *local) eval(e *evaluation) ref.Val { return e.locals[n.slot] }

// listNode is a list of which not all items are constants.
type listNode struct{ items []node }

// newListNode makes a list once where its items are constants.
func newListNode(items []node) node {
	values := make([]ref.Val, len(items))
	for i, item := range items {
		c, ok := item.(*constant)
		if !ok {
			return &listNode{items}
		}
		values[i] = c.value
	}
	return &constant{types.NewRefValList(types.DefaultTypeAdapter, values)}
}

func (n *listNode) eval(e *evaluation) ref.Val {
	values := make([]ref.Val, len(n.items))
	for i, item := range n.items {
		if values[i] = item.eval(e); types.IsError(values[i]) {
			return values[i]
		}
	}
	return types.NewRefValList(types.DefaultTypeAdapter, values)
}

func linkSelection(f *form, args []node) (node, error) {
	if len(args) != 1 {
		return nil, fmt.Errorf("%q needs one argument", f.Op)
	}
	switch f.Op {
	case opSelect:
		return &index{args[0], &constant{types.String(f.Name)}}, nil
	case opHasKey:
		return &hasKey{args[0], types.String(f.Name)}, nil
	}
	at := strings.LastIndexByte(f.Name, '.')
	for _, o := range objectTypes {
		if at < 0 || o.name != f.Name[:at] {
			continue
		}
		field := o.field(f.Name[at+1:])
		if field == nil {
			break
		}
		if f.Op == opIsSet {
			return &isSet{args[0], field}, nil
		}
		most, mostItem := field.usual()
		return &fieldNode{args[0], o, field, most, mostItem}, nil
	}
	return nil, fmt.Errorf("there is no field %q", f.Name)
}

// fieldNode is a field of an object.
type fieldNode struct {
	of             node
	kind           *objectType
	field          *field
	most, mostItem uint64
}

func (n *fieldNode) eval(e *evaluation) ref.Val {
	of := n.of.eval(e)
	o, ok := of.(*object)
	if !ok || o.kind != n.kind {
		if types.IsError(of) {
			return of
		}
		return types.NewErr("there is no %q", n.field.name)
	}
	value, err := n.field.get(o)
	if err == nil && e.guard {
		value, err = e.guarded(value, n.most, n.mostItem)
	}
	if err != nil {
		return types.WrapErr(err)
	}
	return value.(ref.Val)
}

// isSet is has() of a field of an object.
type isSet struct {
	of    node
	field *field
}

func (n *isSet) eval(e *evaluation) ref.Val {
	of := n.of.eval(e)
	if types.IsError(of) {
		return of
	}
	o, ok := of.(*object)
	return types.Bool(ok && (n.field.isSet == nil || n.field.isSet(o)))
}

// index is of[key], and of.key where nothing is known of the type at load.
type index struct{ of, key node }

func (n *index) eval(e *evaluation) ref.Val {
	of := n.of.eval(e)
	if types.IsError(of) {
		return of
	}
	key := n.key.eval(e)
	if types.IsError(key) {
		return key
	}
	switch v := of.(type) {
	case traits.Mapper:
		if value, found := v.Find(key); found || types.IsError(value) {
			return value
		}
	case traits.Lister:
		i, err := types.IndexOrError(key)
		if err != nil {
			return types.WrapErr(err)
		}
		if size, ok := v.Size().(types.Int); !ok || i < 0 || types.Int(i) >= size {
			return types.NewErr("index out of bounds: %v", key.Value())
		}
		return v.Get(key)
	case traits.Indexer:
		return v.Get(key)
	}
	return types.NewErr("no such key: %v", key.Value())
}

// hasKey is has() of a key of something whose type is not known at load.
type hasKey struct {
	of  node
	key types.String
}

func (n *hasKey) eval(e *evaluation) ref.Val {
	switch v := n.of.eval(e).(type) {
	case *types.Err:
		return v
	case traits.Mapper:
		value, found := v.Find(n.key)
		if types.IsError(value) {
			return value
		}
		return types.Bool(found)
	case traits.Lister:
		_, err := types.IndexOrError(n.key)
		return types.WrapErr(err) // a name is no index
	case traits.FieldTester:
		return v.IsSet(n.key)
	}
	return types.False
}
