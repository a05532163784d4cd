package compose

import (
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
)

// meaning is what the walker knows of an expression's value.
type meaning struct {
	object *objectType
	// items: a list of object or of words of domain.
	items  bool
	domain domain
	// args: the arguments of the tool, where it is known.
	args bool
	tool string
	// path is how the expression is written, for what is known of its tool:
	// "call", "flow.sink.call".
	path string
}

// names is what is known of variables, and of the tools of calls, where an
// expression stands.
type names struct {
	variables map[string]meaning
	tools     map[string]string
}

// meaning returns what is known of an expression's value. It looks only at what
// the value is made of, so that its cost is the length of a chain of fields.
func (n names) meaning(e ast.Expr) meaning {
	switch e.Kind() {
	case ast.IdentKind:
		return n.variables[e.AsIdent()]
	case ast.SelectKind:
		return n.ofField(n.meaning(e.AsSelect().Operand()), e.AsSelect().FieldName())
	case ast.CallKind:
		args := e.AsCall().Args()
		switch e.AsCall().FunctionName() {
		case operators.Index:
			if of := n.meaning(args[0]); of.items {
				return meaning{object: of.object, domain: of.domain}
			}
		case operators.Conditional:
			return n.meaning(args[1])
		}
	case ast.ComprehensionKind:
		if c := e.AsComprehension(); keepsItems(c) {
			return n.meaning(c.IterRange())
		}
	}
	return meaning{}
}

func (n names) ofField(of meaning, name string) meaning {
	if of.object == nil || of.items {
		return meaning{}
	}
	f := of.object.field(name)
	if f == nil {
		return meaning{}
	}
	m := meaning{domain: f.domain, object: objectTypeOf(f.typ), path: of.path + "." + name}
	if f.typ.Kind() == types.ListKind {
		m.items, m.object = true, objectTypeOf(f.typ.Parameters()[0])
	}
	if of.object == callType && name == "args" {
		m.args, m.tool = true, n.tools[of.path]
	}
	return m
}

// inside is what is known in the body of a comprehension.
func (n names) inside(c ast.ComprehensionExpr) names {
	item := meaning{path: c.IterVar()}
	if over := n.meaning(c.IterRange()); over.items {
		item.object, item.domain = over.object, over.domain
	}
	return n.bind(c.IterVar(), item).bind(c.AccuVar(), meaning{})
}

// keepsItems reports whether a comprehension is a filter: what it gives are
// items of what it goes over.
func keepsItems(c ast.ComprehensionExpr) bool {
	if c.AccuInit().Kind() != ast.ListKind {
		return false
	}
	if c.LoopStep().Kind() != ast.CallKind || c.LoopStep().AsCall().FunctionName() != operators.Conditional {
		return false
	}
	added := c.LoopStep().AsCall().Args()[1]
	if added.Kind() != ast.CallKind || len(added.AsCall().Args()) != 2 {
		return false
	}
	list := added.AsCall().Args()[1]
	if list.Kind() != ast.ListKind || list.AsList().Size() != 1 {
		return false
	}
	item := list.AsList().Elements()[0]
	return item.Kind() == ast.IdentKind && item.AsIdent() == c.IterVar()
}

// equality is `call.tool == "x"` as one part of a conjunction.
type equality struct{ path, word string }

// equalities lists the comparisons with a literal that hold wherever the whole
// conjunction does.
func equalities(e ast.Expr) []equality {
	if e.Kind() != ast.CallKind {
		return nil
	}
	call := e.AsCall()
	switch call.FunctionName() {
	case operators.LogicalAnd:
		var all []equality
		for _, arg := range call.Args() {
			all = append(all, equalities(arg)...)
		}
		return all
	case operators.Equals:
		for i, arg := range call.Args() {
			if word, ok := stringLiteral(arg); ok {
				if path := pathOf(call.Args()[1-i]); path != "" {
					return []equality{{path, word}}
				}
			}
		}
	}
	return nil
}

// pathOf writes a chain of fields, "" for anything else.
func pathOf(e ast.Expr) string {
	switch e.Kind() {
	case ast.IdentKind:
		return e.AsIdent()
	case ast.SelectKind:
		sel := e.AsSelect()
		if of := pathOf(sel.Operand()); of != "" && !sel.IsTestOnly() {
			return of + "." + sel.FieldName()
		}
	}
	return ""
}

// with adds which tools calls are of.
func (n names) with(all []equality) names {
	tools := n.tools
	for _, eq := range all {
		path := ""
		switch {
		case eq.path == "flow.sink.tool" || eq.path == "flow.source.tool":
			path = eq.path[:len(eq.path)-len("tool")] + "call"
		case len(eq.path) > len(".tool") && eq.path[len(eq.path)-len(".tool"):] == ".tool":
			path = eq.path[:len(eq.path)-len(".tool")]
		default:
			continue
		}
		next := make(map[string]string, len(tools)+1)
		for k, v := range tools {
			next[k] = v
		}
		next[path] = eq.word
		tools = next
	}
	return names{n.variables, tools}
}

// bind hides what was known of a name.
func (n names) bind(name string, m meaning) names {
	bound := names{make(map[string]meaning, len(n.variables)+1), make(map[string]string, len(n.tools))}
	for k, v := range n.variables {
		bound.variables[k] = v
	}
	for k, v := range n.tools {
		if k != name && !hasPath(k, name) {
			bound.tools[k] = v
		}
	}
	bound.variables[name] = m
	return bound
}

func hasPath(path, root string) bool {
	return len(path) > len(root) && path[:len(root)] == root && path[len(root)] == '.'
}
