package compose

import (
	"fmt"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
)

func linkComprehension(f *form, args []node) (node, error) {
	if slot, ok := slotOf(f.Name, 2); ok && f.Op == opFold && len(args) == 5 {
		return &fold{slot, args[0], args[1], args[2], args[3], args[4]}, nil
	}
	if slot, ok := slotOf(f.Name, 1); ok && f.Op == opCollect && len(args) == 3 {
		return &collect{slot, args[0], args[1], args[2]}, nil
	}
	return nil, fmt.Errorf("%q with %d arguments over variable %q is no comprehension", f.Op, len(args), f.Name)
}

// fold is a comprehension with one result: all, exists, exists_one, count. Its
// item is in the local variable slot, its result in the next one.
type fold struct {
	slot                             int
	over, start, holds, step, result node
}

func (n *fold) eval(e *evaluation) ref.Val {
	items := e.itemsOf(n.over)
	if items.failure != nil {
		return items.failure
	}
	e.usedLocals = max(e.usedLocals, n.slot+2)
	e.locals[n.slot+1] = n.start.eval(e)
	for item := items.next(); item != nil; item = items.next() {
		e.locals[n.slot] = item
		if goOn, ok := n.holds.eval(e).(types.Bool); ok && !bool(goOn) {
			break
		}
		e.locals[n.slot+1] = n.step.eval(e)
	}
	return n.result.eval(e)
}

// collect is a comprehension that gathers a list: filter, map.
type collect struct {
	slot             int
	over, test, item node
}

func (n *collect) eval(e *evaluation) ref.Val {
	items := e.itemsOf(n.over)
	if items.failure != nil {
		return items.failure
	}
	e.usedLocals = max(e.usedLocals, n.slot+1)
	gathered := []ref.Val{}
	for item := items.next(); item != nil; item = items.next() {
		e.locals[n.slot] = item
		test := n.test.eval(e)
		keep, ok := test.(types.Bool)
		if !ok {
			return types.MaybeNoSuchOverloadErr(test)
		}
		if !keep {
			continue
		}
		value := n.item.eval(e)
		if types.IsError(value) {
			return value
		}
		gathered = append(gathered, value)
	}
	return types.NewRefValList(types.DefaultTypeAdapter, gathered)
}

// items goes over what can be gone over; names are the items of a list of ours,
// which need no list of values.
type items struct {
	names    []string
	iterator traits.Iterator
	failure  ref.Val
}

func (e *evaluation) itemsOf(over node) items {
	switch v := over.eval(e).(type) {
	case *types.Err:
		return items{failure: v}
	case *list:
		return items{names: v.names()}
	case traits.Iterable:
		return items{iterator: v.Iterator()}
	default:
		return items{failure: types.NewErr("got '%T', expected iterable type", v)}
	}
}

// next returns the next item, nil after the last.
func (i *items) next() ref.Val {
	if len(i.names) > 0 {
		name := i.names[0]
		i.names = i.names[1:]
		return types.String(name)
	}
	if i.iterator == nil || i.iterator.HasNext() != types.True {
		return nil
	}
	return i.iterator.Next()
}
