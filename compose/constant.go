package compose

import (
	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
)

// neverHolds reports whether a condition is false whatever it is about: it is
// evaluated with every variable unknown, and a conjunction is searched for one
// field that would have to be two words, and for membership in an empty list.
// It finds the mistakes that people make; it decides no logic in general.
func (c *condition) neverHolds(env *cel.Env, checked *cel.Ast) bool {
	if contradicts(checked.NativeRep().Expr()) {
		return true
	}
	if !hasConstant(checked.NativeRep().Expr()) {
		return false
	}
	program, err := env.Program(checked, cel.EvalOptions(cel.OptPartialEval), cel.CostLimit(planCostLimit))
	if err != nil {
		return false
	}
	out, _, err := program.Eval(env.UnknownVars())
	return err == nil && out == types.False
}

func contradicts(e ast.Expr) bool {
	words := map[string]string{}
	for _, eq := range equalities(e) {
		if other, ok := words[eq.path]; ok && other != eq.word {
			return true
		}
		words[eq.path] = eq.word
	}
	return inNothing(e)
}

// inNothing finds `x in []` as a part of a conjunction.
func inNothing(e ast.Expr) bool {
	if e.Kind() != ast.CallKind {
		return false
	}
	args := e.AsCall().Args()
	switch e.AsCall().FunctionName() {
	case operators.LogicalAnd:
		for _, arg := range args {
			if inNothing(arg) {
				return true
			}
		}
	case operators.In:
		return args[1].Kind() == ast.ListKind && args[1].AsList().Size() == 0
	}
	return false
}

// hasConstant reports whether something in the condition is known without a
// subject: a literal true or false, or a call of literals only.
func hasConstant(e ast.Expr) bool {
	switch e.Kind() {
	case ast.LiteralKind:
		return e.AsLiteral().Type() == types.BoolType
	case ast.CallKind:
		call := e.AsCall()
		literals := !call.IsMemberFunction() || call.Target().Kind() == ast.LiteralKind
		for _, arg := range call.Args() {
			if hasConstant(arg) {
				return true
			}
			literals = literals && (arg.Kind() == ast.LiteralKind || arg.Kind() == ast.ListKind)
		}
		return literals || call.IsMemberFunction() && hasConstant(call.Target())
	case ast.ComprehensionKind:
		c := e.AsComprehension()
		return c.IterRange().Kind() == ast.ListKind || hasConstant(c.LoopStep())
	}
	return false
}
