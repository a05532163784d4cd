package shell

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// param expands $x, ${x...}, $@ and the like.
func (ex *expander) param(p *syntax.ParamExp, quoted bool) {
	if p.Param == nil {
		ex.w.paramWords(p)
		ex.insert(value{text: Hole, dash: true}, quoted)
		return
	}
	name := p.Param.Value
	if isList(p) || name == "*" {
		ex.list(p, name, quoted)
		return
	}
	if p.IsSet {
		ex.insert(someNumber(), quoted)
		return
	}
	v, set := ex.w.variable(name)
	if p.Index != nil {
		v, set = ex.w.element(name, p.Index)
	}
	if p.Length {
		known := set && !v.glob && !strings.Contains(v.text, Hole)
		ex.insert(numberValue(int64(utf8.RuneCountInString(v.text)), known), quoted)
		return
	}
	v, set = ex.w.modify(p, v, set)
	if !set && v.text == "" {
		v.text = Hole
		if varName(name) {
			v.vars = append(v.vars, name)
			v.steps = append(v.steps, ex.w.sc.sourced...)
		}
	}
	ex.insert(v, quoted)
}

func varName(s string) bool {
	return s != "" && (s[0] == '_' || 'a' <= s[0] && s[0] <= 'z' || 'A' <= s[0] && s[0] <= 'Z')
}

// list expands "$@" and "${a[@]}" into one field per element.
func (ex *expander) list(p *syntax.ParamExp, name string, quoted bool) {
	if p.Length {
		vals, ok := ex.w.listOf(name)
		ex.insert(numberValue(int64(len(vals)), ok && name != "*" && !hasHole(vals)), quoted)
		return
	}
	vals, ok := ex.w.listOf(name)
	if p.Excl || p.Slice != nil || p.Exp != nil || p.Repl != nil {
		ex.w.paramWords(p)
		ok = false
	}
	if !ok {
		v := value{text: Hole, dash: true}
		for _, e := range vals {
			v.steps = append(v.steps, e.steps...)
		}
		ex.insert(v, quoted)
		return
	}
	for i, v := range vals {
		if i > 0 {
			ex.flush()
		}
		if ex.w.spent {
			ex.insert(value{text: Hole, dash: true}, quoted)
			break
		}
		ex.insert(v, quoted)
	}
}

func (w *walker) listOf(name string) ([]value, bool) {
	if name == "@" || name == "*" {
		return w.sc.params, w.sc.hasParams
	}
	v, ok := w.sc.lookup(name)
	if !ok {
		return nil, false
	}
	if v.list != nil {
		return v.list, true
	}
	return []value{v.val}, true
}

func (w *walker) element(name string, index syntax.ArithmExpr) (value, bool) {
	i, known := w.arithm(index)
	v, ok := w.sc.lookup(name)
	if !ok {
		return value{}, false
	}
	if i < 0 {
		i += int64(len(v.list))
	}
	if known && i >= 0 && i < int64(len(v.list)) && !hasHole(v.list) {
		return v.list[i], true
	}
	all := value{text: Hole, dash: true}
	for _, e := range v.list {
		all.steps = append(all.steps, e.steps...)
	}
	return all, true
}

// variable gives the value of a parameter, false if the line does not know it.
func (w *walker) variable(name string) (value, bool) {
	if v, ok := w.sc.lookup(name); ok {
		if v.list != nil && len(v.list) > 0 {
			return v.list[0], true
		}
		return v.val, true
	}
	switch name {
	case "HOME":
		if w.env.Home != "" && !w.remote {
			return value{text: w.env.Home}, true
		}
	case "PWD":
		if w.sc.cwd != "" && w.sc.cwd != "." {
			return value{text: w.sc.cwd}, true
		}
	case "USER", "LOGNAME":
		if w.env.User != "" {
			return value{text: w.env.User}, true
		}
	case "TMPDIR":
		return value{text: "/tmp"}, false
	case "?", "#", "$", "!", "RANDOM", "SECONDS", "LINENO", "UID", "EUID", "PPID", "BASHPID", "SHLVL", "EPOCHSECONDS", "COLUMNS", "LINES":
		return value{text: "0*", glob: true}, true
	case "IFS":
		return value{text: " "}, true
	}
	if n, err := strconv.Atoi(name); err == nil && w.sc.hasParams {
		if n >= 1 && n <= len(w.sc.params) {
			return w.sc.params[n-1], true
		}
		if n > len(w.sc.params) {
			return value{}, true
		}
	}
	return value{}, false
}

// modify applies ${x:-word}, ${x%pat} and so on. Only what can be computed
// exactly is; the rest becomes a Hole that keeps where the value came from.
func (w *walker) modify(p *syntax.ParamExp, v value, set bool) (value, bool) {
	hole := value{text: Hole, steps: v.steps, vars: v.vars, dash: true}
	constant := set && !v.glob && !strings.Contains(v.text, Hole) && w.charge(len(v.text))
	switch {
	case p.Excl || p.Width || p.Flags != nil || p.Names != 0 || p.NestedParam != nil || len(p.Modifiers) > 0:
		w.sliceArithm(p)
		return hole, true
	case p.Slice != nil:
		if text, ok := w.slice(p.Slice, v.text); ok && constant {
			v.text = text
			return v, true
		}
		return hole, true
	case p.Repl != nil:
		return w.replace(p.Repl, v, hole, constant), true
	case p.Exp == nil:
		return v, set
	}
	arg := w.expandOne(p.Exp.Word).value()
	if !w.charge(len(v.text)) {
		return hole, true
	}
	known := set && !strings.Contains(v.text, Hole)
	switch p.Exp.Op {
	case syntax.DefaultUnset, syntax.DefaultUnsetOrNull, syntax.AssignUnset, syntax.AssignUnsetOrNull:
		return w.orDefault(p, v, arg, set)
	case syntax.AlternateUnset, syntax.AlternateUnsetOrNull:
		if known && v.text != "" {
			return arg, true
		}
		return value{text: Hole, steps: append(hole.steps, arg.steps...), vars: hole.vars}, true
	case syntax.ErrorUnset, syntax.ErrorUnsetOrNull:
		return v, set
	case syntax.RemSmallSuffix, syntax.RemLargeSuffix, syntax.RemSmallPrefix, syntax.RemLargePrefix:
		if known && !v.glob {
			if text, ok := trimPattern(v.text, arg.text, p.Exp.Op); ok {
				v.text = text
				return v, true
			}
		}
		if v.glob {
			return value{text: "*", glob: true, steps: v.steps}, true
		}
		return hole, true
	case syntax.UpperAll, syntax.LowerAll:
		if constant && arg.text == "" {
			v.text = strings.ToLower(v.text)
			if p.Exp.Op == syntax.UpperAll {
				v.text = strings.ToUpper(v.text)
			}
			return v, true
		}
	case syntax.OtherParamOps:
		// ${x@P} runs the text as a prompt: substitutions in it run.
		if arg.text == "P" && strings.ContainsAny(v.text, "$`"+Hole) {
			w.inner(`: "`+strings.ReplaceAll(v.text, `"`, `\"`)+`"`, "prompt expansion")
		}
		return hole, true
	}
	return hole, true
}

func (w *walker) orDefault(p *syntax.ParamExp, v, arg value, set bool) (value, bool) {
	if set && v.text != "" {
		return v, true
	}
	if set {
		return arg, true
	}
	// Not set by the line: the caller's environment may still have it.
	if w.env.Vars == nil {
		arg.vars = append(arg.vars, p.Param.Value)
	}
	if p.Exp.Op == syntax.AssignUnset || p.Exp.Op == syntax.AssignUnsetOrNull {
		w.set(variable{name: p.Param.Value, val: arg})
	}
	return arg, true
}

// slice is ${x:offset:length} of constant text.
func (w *walker) slice(s *syntax.Slice, text string) (string, bool) {
	from, ok := w.arithm(s.Offset)
	size, to := int64(len(text)), int64(len(text))
	if from < 0 {
		from += size
	}
	if s.Length != nil {
		n, known := w.arithm(s.Length)
		if to = from + n; n < 0 {
			to = size + n
		}
		ok = ok && known
	}
	to = min(to, size)
	if !ok || from < 0 || from > to || utf8.RuneCountInString(text) != len(text) {
		return "", ok && from > size && utf8.ValidString(text)
	}
	return text[from:to], true
}

// replace is ${x/old/new}: of constant text and a literal pattern.
func (w *walker) replace(r *syntax.Replace, v, hole value, constant bool) value {
	from := w.expandOne(r.Orig)
	to := Word{Known: true}
	if r.With != nil {
		to = w.expandOne(r.With)
	}
	hole.steps = union(w, slices.Clone(hole.steps), to.Steps)
	hole.vars = union(w, slices.Clone(hole.vars), to.Vars)
	if !constant || !from.Known || from.Glob || !to.Known || from.Text == "" || strings.ContainsAny(from.Text[:1], "#%") || strings.ContainsAny(from.Text, `*?[\`) || strings.Contains(to.Text, "&") {
		return hole
	}
	n := 1
	if r.All {
		n = -1
	}
	v.steps, v.vars = hole.steps, hole.vars
	v.text = strings.Replace(v.text, from.Text, to.Text, n)
	if len(v.text) > MaxText || !w.charge(len(v.text)) {
		return hole
	}
	return v
}

func hasHole(list []value) bool {
	return slices.ContainsFunc(list, func(v value) bool { return strings.Contains(v.text, Hole) })
}

func (w *walker) sliceArithm(p *syntax.ParamExp) {
	if p.Slice != nil {
		w.arithm(p.Slice.Offset)
		w.arithm(p.Slice.Length)
	}
}

// paramWords walks the words inside an expansion that is not computed.
func (w *walker) paramWords(p *syntax.ParamExp) {
	w.sliceArithm(p)
	if p.Repl != nil {
		w.expandOne(p.Repl.Orig)
		w.expandOne(p.Repl.With)
	}
	if p.Exp != nil {
		w.expandOne(p.Exp.Word)
	}
	switch n := p.NestedParam.(type) {
	case *syntax.CmdSubst:
		w.substitute(n.Stmts)
	case *syntax.ParamExp:
		w.paramWords(n)
	case *syntax.DblQuoted:
		w.expandOne(&syntax.Word{Parts: n.Parts})
	}
}

// trimPattern computes ${x%.txt}, ${x##*/} and the like for the simple patterns
// that occur: literal text with one star at an end.
func trimPattern(text, pat string, op syntax.ParExpOperator) (string, bool) {
	lit := strings.Trim(pat, "*")
	if strings.ContainsAny(lit, "*?["+Hole) || lit == "" {
		return "", false
	}
	star := pat != lit
	suffix := op == syntax.RemSmallSuffix || op == syntax.RemLargeSuffix
	switch {
	case !star && suffix:
		return strings.TrimSuffix(text, lit), true
	case !star:
		return strings.TrimPrefix(text, lit), true
	case suffix && pat != lit+"*" || !suffix && pat != "*"+lit:
		return "", false
	}
	i := strings.Index(text, lit)
	if op == syntax.RemSmallSuffix || op == syntax.RemLargePrefix {
		i = strings.LastIndex(text, lit)
	}
	if i < 0 {
		return text, true
	}
	if suffix {
		return text[:i], true
	}
	return text[i+len(lit):], true
}
