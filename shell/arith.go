package shell

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// someNumber stands for a number that is not known.
func someNumber() value { return value{text: "0*", glob: true} }

func numberValue(n int64, known bool) value {
	if !known {
		return someNumber()
	}
	return value{text: strconv.FormatInt(n, 10)}
}

// isNumber reports whether a value is a constant number or someNumber.
func isNumber(v value) bool {
	if v.text == "0*" && v.glob {
		return true
	}
	_, err := strconv.ParseInt(v.text, 10, 64)
	return err == nil
}

// arithm evaluates an arithmetic expression: substitutions in it run,
// assignments change variables. It gives the result where that is constant.
// Both sides of && and || and of ?: are walked.
func (w *walker) arithm(x syntax.ArithmExpr) (int64, bool) {
	switch x := x.(type) {
	case *syntax.Word:
		return w.arithmWord(x)
	case *syntax.BinaryArithm:
		if name := assigned(x); name != "" {
			return w.arithmAssign(x, name)
		}
		a, okA := w.arithm(x.X)
		b, okB := w.arithm(x.Y)
		n, ok := compute(x.Op, a, b)
		return n, ok && okA && okB
	case *syntax.UnaryArithm:
		n, ok := w.arithm(x.X)
		return w.arithmUnary(x, n, ok)
	case *syntax.ParenArithm:
		return w.arithm(x.X)
	case *syntax.FlagsArithm:
		w.arithm(x.X)
	}
	return 0, false
}

func (w *walker) arithmWord(x *syntax.Word) (int64, bool) {
	text := x.Lit()
	if text == "" {
		wd := w.expandOne(x)
		w.evaluated(wd.Text)
		if text = wd.Text; wd.Glob || !wd.Known {
			return 0, false
		}
		if isAssign(text) { // let "x=5"
			name, _, _ := strings.Cut(text, "=")
			w.set(variable{name: name, val: someNumber()})
		}
	}
	if n, err := strconv.ParseInt(text, 0, 64); err == nil {
		return n, true
	}
	v, set := w.variable(text)
	if !set || v.glob || !varName(text) {
		return 0, false
	}
	w.evaluated(v.text)
	n, err := strconv.ParseInt(v.text, 0, 64)
	return n, err == nil
}

// evaluated looks at text that the shell evaluates as an expression: a
// substitution in an array index in it runs, however it was quoted before.
func (w *walker) evaluated(text string) {
	if strings.IndexByte(text, '[') >= 0 && (strings.Contains(text, "$(") || strings.IndexByte(text, '`') >= 0) {
		w.inner(`: "`+strings.ReplaceAll(text, `"`, `\"`)+`"`, "arithmetic expansion")
	}
}

// assigned gives the variable that = += and so on set.
func assigned(x *syntax.BinaryArithm) string {
	switch x.Op {
	case syntax.Assgn, syntax.AddAssgn, syntax.SubAssgn, syntax.MulAssgn, syntax.QuoAssgn, syntax.RemAssgn,
		syntax.AndAssgn, syntax.OrAssgn, syntax.XorAssgn, syntax.ShlAssgn, syntax.ShrAssgn:
		if wd, ok := x.X.(*syntax.Word); ok && varName(wd.Lit()) {
			return wd.Lit()
		}
	}
	return ""
}

func (w *walker) arithmAssign(x *syntax.BinaryArithm, name string) (int64, bool) {
	n, ok := w.arithm(x.Y)
	if x.Op != syntax.Assgn {
		old, known := w.arithm(x.X)
		var fits bool
		n, fits = compute(x.Op, old, n)
		ok = ok && known && fits
	}
	w.set(variable{name: name, val: numberValue(n, ok)})
	return n, ok
}

func (w *walker) arithmUnary(x *syntax.UnaryArithm, n int64, ok bool) (int64, bool) {
	switch x.Op {
	case syntax.Minus:
		return -n, ok
	case syntax.Plus:
		return n, ok
	case syntax.Inc, syntax.Dec:
		next := n + 1
		if x.Op == syntax.Dec {
			next = n - 1
		}
		if wd, isWord := x.X.(*syntax.Word); isWord && varName(wd.Lit()) {
			w.set(variable{name: wd.Lit(), val: numberValue(next, ok)})
		}
		if !x.Post {
			n = next
		}
		return n, ok
	}
	return 0, false
}

// compute applies the operators that occur in scripts; others are not known.
func compute(op syntax.BinAritOperator, a, b int64) (int64, bool) {
	switch op {
	case syntax.Add, syntax.AddAssgn:
		return a + b, true
	case syntax.Sub, syntax.SubAssgn:
		return a - b, true
	case syntax.Mul, syntax.MulAssgn:
		return a * b, true
	case syntax.Quo, syntax.QuoAssgn:
		if b != 0 && b != -1 {
			return a / b, true
		}
	case syntax.Rem, syntax.RemAssgn:
		if b != 0 && b != -1 {
			return a % b, true
		}
	case syntax.Comma:
		return b, true
	}
	return 0, false
}

// test walks [[ ]]: words are expanded, the sides of -eq and the like are
// evaluated as expressions, file tests read nothing that matters.
func (w *walker) test(x syntax.TestExpr) {
	switch x := x.(type) {
	case *syntax.Word:
		w.expandOne(x)
	case *syntax.BinaryTest:
		switch x.Op {
		case syntax.TsEql, syntax.TsNeq, syntax.TsLeq, syntax.TsGeq, syntax.TsLss, syntax.TsGtr:
			for _, side := range [...]syntax.TestExpr{x.X, x.Y} {
				if wd, ok := side.(*syntax.Word); ok {
					w.arithmWord(wd)
				}
			}
			return
		}
		w.test(x.X)
		w.test(x.Y)
	case *syntax.UnaryTest:
		if wd, ok := x.X.(*syntax.Word); ok && x.Op == syntax.TsVarSet {
			w.evaluated(w.expandOne(wd).Text)
			return
		}
		w.test(x.X)
	case *syntax.ParenTest:
		w.test(x.X)
	}
}
