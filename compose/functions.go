package compose

import (
	"net/url"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/decls"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/parser"
)

// functions declares what conditions can call beside CEL's own.
func functions() []cel.EnvOption {
	return []cel.EnvOption{
		setFunction("has", cel.StringType, hasValue),
		setFunction("intersects", stringsCEL, intersects),
		setFunction("subset", stringsCEL, subset),
		orderFunction("before", (*evaluation).before),
		orderFunction("next", (*evaluation).next),
		cel.Function("called", cel.MemberOverload("plan_called_string", []*cel.Type{planCEL, cel.StringType}, cel.BoolType,
			cel.BinaryBinding(func(a, b ref.Val) ref.Val {
				return types.Bool(a.(*object).ev.called(string(b.(types.String))))
			}))),
		cel.Function("domain", textFunction("domain", domainOf)),
		cel.Function("host", textFunction("host", hostOf)),
		cel.Function("glob", cel.Overload("glob_string_string", []*cel.Type{cel.StringType, cel.StringType}, cel.BoolType,
			cel.BinaryBinding(func(pattern, s ref.Val) ref.Val {
				return truth(doublestar.Match(string(pattern.(types.String)), string(s.(types.String))))
			}))),
		cel.Function("lowerAscii", textMethod("lowerAscii", lowerASCII)),
		cel.Function("trim", textMethod("trim", strings.TrimSpace)),
		cel.Function("split", cel.MemberOverload("string_split_string", []*cel.Type{cel.StringType, cel.StringType}, stringsCEL,
			cel.BinaryBinding(func(s, sep ref.Val) ref.Val {
				parts := strings.Split(string(s.(types.String)), string(sep.(types.String)))
				return types.NewStringList(types.DefaultTypeAdapter, parts)
			}))),
		cel.Macros(parser.NewReceiverMacro("count", 2, countMacro), parser.NewGlobalMacro("called", 1, calledMacro)),
	}
}

// setFunction is a method of lists of strings. CEL's own check of the arguments
// would make a list of each set to look at its first item, so it is turned off;
// f checks what it is given.
func setFunction(name string, arg *cel.Type, f func(a, b ref.Val) (bool, error)) cel.EnvOption {
	return cel.Function(name, decls.DisableTypeGuards(true),
		cel.MemberOverload("list_"+name, []*cel.Type{stringsCEL, arg}, cel.BoolType,
			cel.BinaryBinding(func(a, b ref.Val) ref.Val { return truth(f(a, b)) })))
}

func orderFunction(name string, f func(e *evaluation, a, b int) bool) cel.EnvOption {
	return cel.Function(name, cel.Overload("call_"+name+"_call", []*cel.Type{callCEL, callCEL}, cel.BoolType,
		cel.BinaryBinding(func(a, b ref.Val) ref.Val {
			x, okX := a.(*object)
			y, okY := b.(*object)
			if !okX || !okY {
				return types.NewErr("%s needs two calls", name)
			}
			return types.Bool(f(x.ev, x.n, y.n))
		})))
}

func textFunction(name string, f func(string) string) cel.FunctionOpt {
	return cel.Overload(name+"_string", []*cel.Type{cel.StringType}, cel.StringType, textBinding(f))
}

func textMethod(name string, f func(string) string) cel.FunctionOpt {
	return cel.MemberOverload("string_"+name, []*cel.Type{cel.StringType}, cel.StringType, textBinding(f))
}

func textBinding(f func(string) string) cel.OverloadOpt {
	return cel.UnaryBinding(func(v ref.Val) ref.Val { return types.String(f(string(v.(types.String)))) })
}

// functionNames lists functions and macros for suggestions.
var functionNames = []string{
	"all", "before", "called", "contains", "count", "domain", "endsWith", "exists", "exists_one",
	"filter", "glob", "has", "host", "intersects", "lowerAscii", "map", "matches", "next", "size",
	"split", "startsWith", "subset", "trim",
}

func truth(yes bool, err error) ref.Val {
	if err != nil {
		return types.WrapErr(err)
	}
	return types.Bool(yes)
}

// countMacro turns list.count(x, test) into a fold that counts.
func countMacro(eh parser.ExprHelper, target ast.Expr, args []ast.Expr) (ast.Expr, *cel.Error) {
	if args[0].Kind() != ast.IdentKind {
		return nil, eh.NewError(args[0].ID(), "the first argument of count must be a simple name")
	}
	one := eh.NewCall(operators.Add, eh.NewAccuIdent(), eh.NewLiteral(types.Int(1)))
	step := eh.NewCall(operators.Conditional, args[1], one, eh.NewAccuIdent())
	return eh.NewComprehension(target, args[0].AsIdent(), eh.AccuIdentName(),
		eh.NewLiteral(types.Int(0)), eh.NewLiteral(types.True), step, eh.NewAccuIdent()), nil
}

// calledMacro turns called(x) into plan.called(x).
func calledMacro(eh parser.ExprHelper, _ ast.Expr, args []ast.Expr) (ast.Expr, *cel.Error) {
	return eh.NewMemberCall("called", eh.NewIdent("plan"), args[0]), nil
}

// domainOf returns the domain of an email address in lower case, "" for what is
// not exactly one address: a list, a comment, a look-alike that is not ASCII.
func domainOf(address string) string {
	address = strings.TrimSpace(address)
	if open := strings.LastIndexByte(address, '<'); open >= 0 && strings.HasSuffix(address, ">") {
		if strings.ContainsAny(address[:open], "@,;<>") {
			return ""
		}
		address = address[open+1 : len(address)-1]
	}
	local, domain, ok := strings.Cut(address, "@")
	if !ok || local == "" || !plainText(address) || strings.ContainsAny(address, " ,;:<>()[]\\\"%!/") {
		return ""
	}
	return hostName(domain)
}

// hostOf returns the host of an absolute URL in lower case, without port, "" for
// what is none.
func hostOf(address string) string {
	if !plainText(address) || strings.ContainsAny(address, " \\") {
		return ""
	}
	u, err := url.Parse(address)
	if err != nil || u.Scheme == "" {
		return ""
	}
	return hostName(u.Hostname())
}

func hostName(name string) string {
	name = lowerASCII(strings.TrimSuffix(name, "."))
	if name == "" || strings.Contains(name, "@") || strings.HasPrefix(name, ".") || strings.Contains(name, "..") {
		return ""
	}
	return name
}

func plainText(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < 0x20 || s[i] > 0x7e {
			return false
		}
	}
	return true
}

func lowerASCII(s string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + ('a' - 'A')
		}
		return r
	}, s)
}
