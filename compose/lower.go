package compose

import (
	"strconv"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
)

// maxLocals is how many variables of comprehensions a lowered condition may have
// in scope at once; a condition with more is left to CEL's own interpreter.
const maxLocals = 8

// form is a checked expression reduced to what evaluating it takes: names are
// resolved, fields are bound to their object type, macros are expanded. It is
// what go generate stores of the built-in conditions, so that neither CEL's
// parser nor its checker nor its environments start for them.
type form struct {
	Op   string `json:"op"`
	Name string `json:"name,omitempty"`
	Args []form `json:"args,omitempty"`
}

// The operations of a form, with what Name and Args hold.
const (
	opString  = "string"  // the text
	opInt     = "int"     // its decimal digits
	opDouble  = "double"  // its shortest notation
	opBool    = "bool"    // true or false
	opNull    = "null"    // nothing
	opVar     = "var"     // a variable of the scope
	opLocal   = "local"   // a variable of a comprehension, by its slot
	opField   = "field"   // TYPE.FIELD; of
	opIsSet   = "is-set"  // TYPE.FIELD; of
	opSelect  = "select"  // a key; of something whose type is not known at load
	opHasKey  = "has-key" // a key; of something whose type is not known at load
	opCall    = "call"    // a function; its arguments, a method's target first
	opList    = "list"    // its items
	opFold    = "fold"    // the item's slot, the result's is the next; range, start, condition, step, result
	opCollect = "collect" // the item's slot; range, test, item
)

// lower reduces a checked condition of a scope. ok is false for what only CEL's
// interpreter evaluates: arithmetic beside + and -, conversions, maps, bytes,
// types as values.
func lower(scope Scope, checked *cel.Ast) (f form, ok bool) {
	l := &lowering{ast: checked.NativeRep(), free: map[string]bool{}, ok: true}
	for _, v := range variables[scope] {
		l.free[v.name] = true
	}
	f = l.expr(l.ast.Expr(), nil)
	return f, l.ok
}

// lowering is the state of one lower.
type lowering struct {
	ast  *ast.AST
	free map[string]bool
	ok   bool
}

func (l *lowering) refuse() form {
	l.ok = false
	return form{Op: opNull}
}

// expr lowers an expression; locals are the comprehensions' variables around
// it, whose index is their slot.
func (l *lowering) expr(e ast.Expr, locals []string) form {
	switch e.Kind() {
	case ast.LiteralKind:
		return l.literal(e)
	case ast.IdentKind:
		return l.name(e.AsIdent(), locals)
	case ast.SelectKind:
		return l.selection(e, locals)
	case ast.ListKind:
		if len(e.AsList().OptionalIndices()) > 0 {
			return l.refuse()
		}
		return form{Op: opList, Args: l.all(e.AsList().Elements(), locals)}
	case ast.CallKind:
		return l.call(e, locals)
	case ast.ComprehensionKind:
		return l.comprehension(e.AsComprehension(), locals)
	}
	return l.refuse()
}

func (l *lowering) all(list []ast.Expr, locals []string) []form {
	forms := make([]form, len(list))
	for i, e := range list {
		forms[i] = l.expr(e, locals)
	}
	return forms
}

func (l *lowering) literal(e ast.Expr) form {
	switch v := e.AsLiteral().(type) {
	case types.String:
		return form{Op: opString, Name: string(v)}
	case types.Int:
		return form{Op: opInt, Name: strconv.FormatInt(int64(v), 10)}
	case types.Double:
		return form{Op: opDouble, Name: strconv.FormatFloat(float64(v), 'g', -1, 64)}
	case types.Bool:
		return form{Op: opBool, Name: strconv.FormatBool(bool(v))}
	case types.Null:
		return form{Op: opNull}
	}
	return l.refuse()
}

func (l *lowering) name(name string, locals []string) form {
	for i := len(locals) - 1; i >= 0; i-- {
		if locals[i] == name {
			return form{Op: opLocal, Name: strconv.Itoa(i)}
		}
	}
	if !l.free[name] {
		return l.refuse()
	}
	return form{Op: opVar, Name: name}
}

func (l *lowering) selection(e ast.Expr, locals []string) form {
	s := e.AsSelect()
	f := form{Op: opSelect, Name: s.FieldName(), Args: []form{l.expr(s.Operand(), locals)}}
	if s.IsTestOnly() {
		f.Op = opHasKey
	}
	o := objectTypeOf(l.ast.GetType(s.Operand().ID()))
	if o == nil {
		return f
	}
	f.Name = o.name + "." + f.Name
	if s.IsTestOnly() {
		f.Op = opIsSet
	} else {
		f.Op = opField
	}
	return f
}

func (l *lowering) call(e ast.Expr, locals []string) form {
	c := e.AsCall()
	f := form{Op: opCall, Name: c.FunctionName()}
	if c.IsMemberFunction() {
		f.Args = append(f.Args, l.expr(c.Target(), locals))
	}
	f.Args = append(f.Args, l.all(c.Args(), locals)...)
	if !isCallable(f.Name, len(f.Args)) {
		return l.refuse()
	}
	return f
}

// comprehension lowers a fold. One that gathers a list is an operation of its
// own: as a fold it would add to a list that it copies each time.
func (l *lowering) comprehension(c ast.ComprehensionExpr, locals []string) form {
	if c.HasIterVar2() || len(locals)+2 > maxLocals {
		return l.refuse()
	}
	over := l.expr(c.IterRange(), locals)
	inner := append(locals[:len(locals):len(locals)], c.IterVar())
	slot := strconv.Itoa(len(locals))
	if c.AccuInit().Kind() == ast.ListKind {
		test, item, ok := gathers(c)
		if !ok {
			return l.refuse()
		}
		f := form{Op: opCollect, Name: slot, Args: []form{over, {Op: opBool, Name: "true"}, l.expr(item, inner)}}
		if test != nil {
			f.Args[1] = l.expr(test, inner)
		}
		return f
	}
	start := l.expr(c.AccuInit(), locals)
	inner = append(inner, c.AccuVar())
	return form{Op: opFold, Name: slot, Args: []form{
		over, start, l.expr(c.LoopCondition(), inner), l.expr(c.LoopStep(), inner),
		l.expr(c.Result(), inner),
	}}
}

// gathers takes the steps of filter and map apart: accu + [item], where a test
// holds or always.
func gathers(c ast.ComprehensionExpr) (test, item ast.Expr, ok bool) {
	step := c.LoopStep()
	if !isIdent(c.Result(), c.AccuVar()) || c.AccuInit().AsList().Size() != 0 || step.Kind() != ast.CallKind {
		return nil, nil, false
	}
	if args := step.AsCall().Args(); step.AsCall().FunctionName() == operators.Conditional {
		if !isIdent(args[2], c.AccuVar()) || args[1].Kind() != ast.CallKind {
			return nil, nil, false
		}
		test, step = args[0], args[1]
	}
	args := step.AsCall().Args()
	if step.AsCall().FunctionName() != operators.Add || !isIdent(args[0], c.AccuVar()) ||
		args[1].Kind() != ast.ListKind || args[1].AsList().Size() != 1 {
		return nil, nil, false
	}
	return test, args[1].AsList().Elements()[0], true
}

func isIdent(e ast.Expr, name string) bool { return e.Kind() == ast.IdentKind && e.AsIdent() == name }
