package compose

import (
	"fmt"
	"regexp/syntax"
	"slices"
	"unicode"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"

	"github.com/planlint/planlint/internal/spell"
)

// walker goes over a parsed condition once and compares it with the schema and
// the vocabulary: fields that don't exist, literals that are no word of what
// they are compared with, arguments that a tool does not have.
type walker struct {
	cond   *condition
	env    *cel.Env
	source *ast.SourceInfo
	errs   Errors
}

func (w *walker) top(e ast.Expr) {
	known := names{variables: map[string]meaning{}, tools: map[string]string{}}
	for _, v := range variables[w.cond.scope] {
		m := meaning{object: objectTypeOf(v.typ), path: v.name}
		if v.name == "args" {
			m.args, m.tool = true, w.cond.options.Tool
		}
		known.variables[v.name] = m
	}
	if w.cond.options.Tool != "" {
		known.tools["call"] = w.cond.options.Tool
	}
	w.walk(e, known)
}

// walk checks an expression and all below it.
func (w *walker) walk(e ast.Expr, known names) {
	switch e.Kind() {
	case ast.SelectKind:
		w.walk(e.AsSelect().Operand(), known)
		w.selection(e, known)
	case ast.CallKind:
		w.call(e, known)
	case ast.ListKind:
		for _, item := range e.AsList().Elements() {
			w.walk(item, known)
		}
	case ast.MapKind:
		for _, entry := range e.AsMap().Entries() {
			w.walk(entry.AsMapEntry().Key(), known)
			w.walk(entry.AsMapEntry().Value(), known)
		}
	case ast.StructKind:
		w.report(w.offset(e), 1, "a condition can't make objects", "")
	case ast.ComprehensionKind:
		c := e.AsComprehension()
		w.walk(c.IterRange(), known)
		w.walk(c.AccuInit(), known)
		inner := known.inside(c)
		w.walk(c.LoopCondition(), inner)
		w.walk(c.LoopStep(), inner)
		w.walk(c.Result(), inner)
	}
}

// selection checks one field of an object, or an argument of a call.
func (w *walker) selection(e ast.Expr, known names) {
	name := e.AsSelect().FieldName()
	of := known.meaning(e.AsSelect().Operand())
	if of.args {
		w.argument(e, name, of.tool)
		return
	}
	if of.object == nil || of.items {
		return
	}
	f := of.object.field(name)
	if f == nil {
		w.report(w.fieldOffset(e, name), len(name), fmt.Sprintf("unknown field %q of %s", name, of.object.name), spell.Hint(name, of.object.names()))
	} else if w.cond.scope == ScopeClassWhen && of.object == callType && !f.early {
		w.report(w.fieldOffset(e, name), len(name), fmt.Sprintf("%q is not known while the class of a call is decided", name), "")
	}
}

// fieldOffset is where a field's name starts: CEL gives the place of the dot,
// and for has() that of the parenthesis.
func (w *walker) fieldOffset(e ast.Expr, name string) int {
	runes := []rune(w.cond.text)
	at := w.offset(e)
	for i := max(at, 0); i < len(runes); i++ {
		if runes[i] != '.' {
			continue
		}
		start := i + 1
		for start < len(runes) && unicode.IsSpace(runes[start]) {
			start++
		}
		if end := start + len(name); end <= len(runes) && string(runes[start:end]) == name {
			return start
		}
	}
	return at
}

// start is where an expression begins: that of a selection is its dot.
func (w *walker) start(e ast.Expr) int {
	switch e.Kind() {
	case ast.SelectKind:
		return w.start(e.AsSelect().Operand())
	case ast.CallKind:
		if e.AsCall().IsMemberFunction() {
			return w.start(e.AsCall().Target())
		}
	}
	return w.offset(e)
}

func (w *walker) offset(e ast.Expr) int {
	location := w.source.GetStartLocation(e.ID())
	return w.cond.offset(location.Line(), location.Column())
}

func (w *walker) call(e ast.Expr, known names) {
	call := e.AsCall()
	args := call.Args()
	switch name := call.FunctionName(); name {
	case operators.LogicalAnd:
		known = known.with(equalities(e))
	case operators.Equals, operators.NotEquals:
		w.compare(args[0], args[1], known)
		w.compare(args[1], args[0], known)
	case operators.In:
		w.member(args[0], args[1], known)
	case operators.Index:
		if of := known.meaning(args[0]); of.args {
			if name, ok := stringLiteral(args[1]); ok {
				w.argument(args[1], name, of.tool)
			}
		}
	case "has", "intersects", "subset":
		if call.IsMemberFunction() && len(args) == 1 {
			if of := known.meaning(call.Target()); of.items {
				w.literals(args[0], of.domain)
			}
		}
	case "called":
		if len(args) == 1 {
			w.literals(args[0], toolWord)
		}
	case "glob", "matches":
		w.pattern(call)
	}
	if call.IsMemberFunction() {
		w.walk(call.Target(), known)
	}
	for _, arg := range args {
		w.walk(arg, known)
	}
}

func (w *walker) compare(value, literal ast.Expr, known names) {
	if m := known.meaning(value); m.object == nil {
		w.literals(literal, m.domain)
	}
}

// member checks `x in list`: the words of a list of words, and the names of
// arguments.
func (w *walker) member(value, list ast.Expr, known names) {
	of := known.meaning(list)
	if of.args {
		if name, ok := stringLiteral(value); ok {
			w.argument(value, name, of.tool)
		}
		return
	}
	if of.items {
		w.literals(value, of.domain)
	}
	if m := known.meaning(value); m.object == nil && !m.items {
		w.literals(list, m.domain)
	}
}

// literals checks the string literals of an expression, or of a list, against a
// domain's words.
func (w *walker) literals(e ast.Expr, d domain) {
	if d == anyWord || d == toolWord && w.cond.language.vocab == nil {
		return
	}
	if e.Kind() == ast.ListKind {
		for _, item := range e.AsList().Elements() {
			w.literals(item, d)
		}
		return
	}
	word, ok := stringLiteral(e)
	if !ok || word == "" && emptyIsWord(d) || w.isWord(word, d) {
		return
	}
	hint := spell.Hint(word, w.cond.language.words(d))
	if d == toolWord {
		hint += "; for tools without a contract use glob()"
	}
	w.report(w.offset(e), len([]rune(word))+2, fmt.Sprintf("unknown %s %q", d, word), hint)
}

func emptyIsWord(d domain) bool { return d == toolWord || d == textWord }

func (w *walker) isWord(word string, d domain) bool {
	if d == toolWord {
		_, known := w.cond.language.vocab.Args(word)
		return known
	}
	return slices.Contains(w.cond.language.words(d), word)
}

// argument checks the name of an argument where the tool is known.
func (w *walker) argument(e ast.Expr, name, toolName string) {
	vocab := w.cond.language.vocab
	if toolName == "" || vocab == nil {
		return
	}
	allowed, known := vocab.Args(toolName)
	if !known || len(allowed) == 0 || slices.Contains(allowed, name) {
		return
	}
	offset, length := w.offset(e), len([]rune(name))+2
	if e.Kind() == ast.SelectKind {
		offset, length = w.fieldOffset(e, name), len([]rune(name))
	}
	w.report(offset, length, fmt.Sprintf("tool %q has no argument %q", toolName, name), spell.Hint(name, allowed))
}

// maxGlob is the length of a glob in bytes: matching takes time up to its
// product with the length of what it is matched with.
const maxGlob = 256

// pattern checks that a glob or regular expression is a literal and valid, so
// that its cost is known at load.
func (w *walker) pattern(call ast.CallExpr) {
	args := call.Args()
	if len(args) == 0 || call.FunctionName() == "glob" && len(args) != 2 {
		return
	}
	at := args[0]
	if call.FunctionName() == "matches" {
		at = args[len(args)-1]
	}
	text, ok := stringLiteral(at)
	if !ok {
		w.report(w.start(at), 1, fmt.Sprintf("the pattern of %s must be written out", call.FunctionName()), "")
		return
	}
	if call.FunctionName() == "glob" && !doublestar.ValidatePattern(text) {
		w.report(w.offset(at), len([]rune(text))+2, fmt.Sprintf("%q is no valid glob", text), "")
	}
	if call.FunctionName() == "glob" && len(text) > maxGlob {
		w.report(w.offset(at), 1, fmt.Sprintf("a glob has at most %d characters", maxGlob), "")
	}
	if call.FunctionName() == "matches" {
		parsed, err := syntax.Parse(text, syntax.Perl)
		if err != nil {
			w.report(w.offset(at), len([]rune(text))+2, fmt.Sprintf("%q is no valid regular expression (RE2): %v", text, err), "")
			return
		}
		// CEL's own limit on the size compiles without simplifying first, and
		// panics on counted repetitions.
		if prog, err := syntax.Compile(parsed.Simplify()); err != nil || len(prog.Inst) > maxRegexp {
			w.report(w.offset(at), len([]rune(text))+2, fmt.Sprintf("a regular expression has at most %d instructions when compiled", maxRegexp), "")
		}
	}
}

func (w *walker) report(offset, length int, message, hint string) {
	w.errs = append(w.errs, w.cond.errorAt(offset, length, message, hint))
}

func stringLiteral(e ast.Expr) (string, bool) {
	if e.Kind() != ast.LiteralKind {
		return "", false
	}
	s, ok := e.AsLiteral().(types.String)
	return string(s), ok
}
