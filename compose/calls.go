package compose

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
)

// unaryCall returns the function of one argument that nodes call by that name,
// nil for none. Operators that look at their arguments' errors themselves are
// nodes of their own.
func unaryCall(name string) func(a ref.Val) ref.Val {
	switch name {
	case "size":
		return size
	case operators.LogicalNot:
		return negate
	case "domain":
		return ofText(domainOf)
	case "host":
		return ofText(hostOf)
	case "lowerAscii":
		return ofText(lowerASCII)
	case "trim":
		return ofText(strings.TrimSpace)
	}
	return nil
}

// binaryCall returns the function of two arguments of that name, nil for none.
func binaryCall(name string) func(a, b ref.Val) ref.Val {
	switch name {
	case "contains":
		return ofTexts(strings.Contains)
	case "startsWith":
		return ofTexts(strings.HasPrefix)
	case "endsWith":
		return ofTexts(strings.HasSuffix)
	case "matches":
		return matches
	case "glob":
		return globs
	case "split":
		return split
	case "has":
		return func(a, b ref.Val) ref.Val { return truth(hasValue(a, b)) }
	case "intersects":
		return func(a, b ref.Val) ref.Val { return truth(intersects(a, b)) }
	case "subset":
		return func(a, b ref.Val) ref.Val { return truth(subset(a, b)) }
	case "before":
		return inOrder("before", (*evaluation).before)
	case "next":
		return inOrder("next", (*evaluation).next)
	case "called":
		return calledIn
	}
	return operator(name)
}

// operator returns what an infix operator does.
func operator(name string) func(a, b ref.Val) ref.Val {
	switch name {
	case operators.Equals:
		return types.Equal
	case operators.NotEquals:
		return func(a, b ref.Val) ref.Val { return types.Bool(types.Equal(a, b) != types.True) }
	case operators.Less:
		return ordered(true, false, false)
	case operators.LessEquals:
		return ordered(true, true, false)
	case operators.Greater:
		return ordered(false, false, true)
	case operators.GreaterEquals:
		return ordered(false, true, true)
	case operators.Add:
		return add
	case operators.Subtract:
		return subtract
	case operators.In:
		return in
	}
	return nil
}

// isCallable reports whether nodes can call a function of that many arguments.
func isCallable(name string, args int) bool {
	switch name {
	case operators.LogicalAnd, operators.LogicalOr:
		return args >= 2
	case operators.Conditional:
		return args == 3
	case operators.Index:
		return args == 2
	case operators.NotStrictlyFalse:
		return args == 1
	}
	return args == 1 && unaryCall(name) != nil || args == 2 && binaryCall(name) != nil
}

func linkCall(name string, args []node) (node, error) {
	if !isCallable(name, len(args)) {
		return nil, fmt.Errorf("no function %q of %d arguments", name, len(args))
	}
	switch name {
	case operators.LogicalAnd:
		return &junction{args, types.False}, nil
	case operators.LogicalOr:
		return &junction{args, types.True}, nil
	case operators.Conditional:
		return &choice{args[0], args[1], args[2]}, nil
	case operators.Index:
		return &index{args[0], args[1]}, nil
	case operators.NotStrictlyFalse:
		return &notFalse{args[0]}, nil
	case "matches":
		return linkMatches(args)
	}
	if len(args) == 1 {
		return &unary{args[0], unaryCall(name)}, nil
	}
	return &binary{args[0], args[1], binaryCall(name)}, nil
}

// junction is && or ||: decided by the first part with the deciding value, even
// after a part that failed.
type junction struct {
	parts    []node
	deciding types.Bool
}

func (n *junction) eval(e *evaluation) ref.Val {
	var failure ref.Val
	for _, part := range n.parts {
		value := part.eval(e)
		b, ok := value.(types.Bool)
		if ok && b == n.deciding {
			return n.deciding
		}
		if !ok && failure == nil {
			failure = types.MaybeNoSuchOverloadErr(value)
		}
	}
	if failure != nil {
		return failure
	}
	return !n.deciding
}

// choice is test ? yes : no.
type choice struct{ test, yes, no node }

func (n *choice) eval(e *evaluation) ref.Val {
	value := n.test.eval(e)
	test, ok := value.(types.Bool)
	switch {
	case !ok:
		return types.MaybeNoSuchOverloadErr(value)
	case bool(test):
		return n.yes.eval(e)
	}
	return n.no.eval(e)
}

// notFalse is what the loop of a comprehension asks: an error goes on.
type notFalse struct{ of node }

func (n *notFalse) eval(e *evaluation) ref.Val {
	value, ok := n.of.eval(e).(types.Bool)
	return types.Bool(!ok || bool(value))
}

type unary struct {
	arg node
	f   func(a ref.Val) ref.Val
}

func (n *unary) eval(e *evaluation) ref.Val {
	a := n.arg.eval(e)
	if types.IsError(a) {
		return a
	}
	return n.f(a)
}

type binary struct {
	a, b node
	f    func(a, b ref.Val) ref.Val
}

func (n *binary) eval(e *evaluation) ref.Val {
	a := n.a.eval(e)
	if types.IsError(a) {
		return a
	}
	b := n.b.eval(e)
	if types.IsError(b) {
		return b
	}
	return n.f(a, b)
}

// linkMatches compiles an expression that is a literal once.
func linkMatches(args []node) (node, error) {
	c, ok := args[1].(*constant)
	if !ok {
		return &binary{args[0], args[1], matches}, nil
	}
	text, _ := c.value.(types.String)
	pattern, err := regexp.Compile(string(text))
	if err != nil {
		return nil, err
	}
	return &unary{args[0], func(a ref.Val) ref.Val {
		s, ok := a.(types.String)
		if !ok {
			return types.MaybeNoSuchOverloadErr(a)
		}
		return types.Bool(pattern.MatchString(string(s)))
	}}, nil
}

func size(a ref.Val) ref.Val {
	if s, ok := a.(traits.Sizer); ok {
		return s.Size()
	}
	return types.MaybeNoSuchOverloadErr(a)
}

func negate(a ref.Val) ref.Val {
	if b, ok := a.(types.Bool); ok {
		return !b
	}
	return types.MaybeNoSuchOverloadErr(a)
}

func ofText(f func(string) string) func(a ref.Val) ref.Val {
	return func(a ref.Val) ref.Val {
		if s, ok := a.(types.String); ok {
			return types.String(f(string(s)))
		}
		return types.MaybeNoSuchOverloadErr(a)
	}
}

// withTexts hands two strings on.
func withTexts(f func(a, b string) ref.Val) func(a, b ref.Val) ref.Val {
	return func(a, b ref.Val) ref.Val {
		x, ok := a.(types.String)
		if !ok {
			return types.MaybeNoSuchOverloadErr(a)
		}
		y, ok := b.(types.String)
		if !ok {
			return types.MaybeNoSuchOverloadErr(b)
		}
		return f(string(x), string(y))
	}
}

func ofTexts(f func(a, b string) bool) func(a, b ref.Val) ref.Val {
	return withTexts(func(a, b string) ref.Val { return types.Bool(f(a, b)) })
}

func matches(a, pattern ref.Val) ref.Val {
	if s, ok := a.(types.String); ok {
		return s.Match(pattern)
	}
	return types.MaybeNoSuchOverloadErr(a)
}

func globs(pattern, s ref.Val) ref.Val {
	return withTexts(func(pattern, s string) ref.Val { return truth(doublestar.Match(pattern, s)) })(pattern, s)
}

func split(s, sep ref.Val) ref.Val {
	return withTexts(func(s, sep string) ref.Val {
		return types.NewStringList(types.DefaultTypeAdapter, strings.Split(s, sep))
	})(s, sep)
}

// ordered is a comparison that holds for these outcomes of comparing.
func ordered(less, equal, greater types.Bool) func(a, b ref.Val) ref.Val {
	return func(a, b ref.Val) ref.Val {
		c, ok := a.(traits.Comparer)
		if !ok {
			return types.MaybeNoSuchOverloadErr(a)
		}
		switch order := c.Compare(b); order {
		case types.IntNegOne:
			return less
		case types.IntZero:
			return equal
		case types.IntOne:
			return greater
		default:
			return order
		}
	}
}

func add(a, b ref.Val) ref.Val {
	if x, ok := a.(traits.Adder); ok {
		return x.Add(b)
	}
	return types.MaybeNoSuchOverloadErr(a)
}

func subtract(a, b ref.Val) ref.Val {
	if x, ok := a.(traits.Subtractor); ok {
		return x.Subtract(b)
	}
	return types.MaybeNoSuchOverloadErr(a)
}

func in(item, of ref.Val) ref.Val {
	if c, ok := of.(traits.Container); ok {
		return c.Contains(item)
	}
	return types.MaybeNoSuchOverloadErr(of)
}

func inOrder(name string, f func(e *evaluation, a, b int) bool) func(a, b ref.Val) ref.Val {
	return func(a, b ref.Val) ref.Val {
		x, okX := a.(*object)
		y, okY := b.(*object)
		if !okX || !okY {
			return types.NewErr("%s needs two calls", name)
		}
		return types.Bool(f(x.ev, x.n, y.n))
	}
}

func calledIn(of, name ref.Val) ref.Val {
	o, okObject := of.(*object)
	s, okName := name.(types.String)
	if !okObject || !okName {
		return types.MaybeNoSuchOverloadErr(name)
	}
	return types.Bool(o.ev.called(string(s)))
}
