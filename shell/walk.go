package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

func (w *walker) stmts(list []*syntax.Stmt) {
	for _, s := range list {
		w.stmt(s)
	}
}

// stmt walks one statement in the current scope.
func (w *walker) stmt(s *syntax.Stmt) {
	if s == nil || w.full() {
		return
	}
	if call, ok := s.Cmd.(*syntax.CallExpr); ok {
		w.simple(s, call)
		return
	}
	if s.Cmd == nil {
		w.simple(s, &syntax.CallExpr{})
		return
	}
	stdin, stdout := w.sc.stdin, w.sc.stdout
	if len(s.Redirs) > 0 {
		w.groupRedirects(s)
	}
	if s.Background || s.Coprocess || s.Disown {
		w.subshell(func() { w.command(s) })
	} else {
		w.command(s)
	}
	w.sc.stdin, w.sc.stdout = stdin, stdout
}

// full counts work and reports whether a limit stops the walk.
func (w *walker) full() bool {
	w.work++
	if w.work <= MaxWork && len(w.out.Steps) < MaxSteps {
		return false
	}
	if w.work == MaxWork+1 || !w.out.Broken {
		w.limit("number of steps")
		w.cut = true
		w.work = MaxWork + 2
	}
	return true
}

func (w *walker) subshell(body func()) {
	saved := w.sc
	body()
	w.sc = saved
}

// maybe runs body with its steps marked as conditional, in the same scope.
// What body changes in the shell may then be so or not: cwd is unknown if it differs.
func (w *walker) maybe(body func()) {
	cond, cwd := w.sc.cond, w.sc.cwd
	w.sc.cond = true
	body()
	w.sc.cond = cond || w.sc.loose
	if cond && w.sc.cwd != cwd {
		w.sc.cwd = ""
	}
}

func (w *walker) command(s *syntax.Stmt) {
	switch c := s.Cmd.(type) {
	case *syntax.BinaryCmd:
		w.binary(s)
	case *syntax.Subshell:
		w.subshell(func() { w.stmts(c.Stmts) })
	case *syntax.Block:
		w.stmts(c.Stmts)
	case *syntax.IfClause:
		w.ifClause(c)
	case *syntax.WhileClause:
		w.stmts(c.Cond)
		w.maybe(func() { w.twice(c.Do) })
	case *syntax.ForClause:
		w.forClause(c)
	case *syntax.CaseClause:
		w.caseClause(c)
	case *syntax.FuncDecl:
		w.declare(s, c)
	case *syntax.DeclClause:
		w.decl(s, c)
	case *syntax.TestClause:
		w.test(c.X)
	case *syntax.ArithmCmd:
		w.arithm(c.X)
	case *syntax.LetClause:
		for _, x := range c.Exprs {
			w.arithm(x)
		}
	case *syntax.TimeClause:
		w.stmt(c.Stmt)
	case *syntax.CoprocClause:
		w.subshell(func() { w.stmt(c.Stmt) })
	case *syntax.TestDecl:
		w.maybe(func() { w.stmt(c.Body) })
	default:
		a, b := w.span(s.Pos(), s.End())
		w.unknownAt(UnknownParse, "construct", a, b)
	}
}

// twice walks a loop body. Where it changes a variable that the line set before,
// later rounds see either value, so the body is walked once more with what is
// known of both; what it leaves behind may be so or not.
func (w *walker) twice(body []*syntax.Stmt) {
	before := w.sc
	w.stmts(body)
	if w.carry(before) && !w.cut {
		w.stmts(body)
		w.carry(before)
	}
}

// carry mixes what a round changed with what was so before it, and reports
// whether a further round could see anything new.
func (w *walker) carry(before scope) bool {
	again := false
	if w.sc.cwd != before.cwd {
		again = w.sc.cwd != ""
		w.sc.cwd = ""
	}
	now := w.sc
	before.vars.differ(now.vars, func(name string, old, new *variable) {
		if old == nil || new == nil || old.unset || !old.own {
			return
		}
		if v, changed := w.mix(name, new, old); changed {
			w.set(v)
			again = true
		}
	})
	return again
}

// binary walks && || and pipes. The left spine is unrolled, since a long list
// is deep on that side.
func (w *walker) binary(s *syntax.Stmt) {
	var spine []*syntax.Stmt
	for {
		b, ok := s.Cmd.(*syntax.BinaryCmd)
		if !ok || len(s.Redirs) > 0 && len(spine) > 0 || isPipe(b.Op) {
			break
		}
		spine = append(spine, s)
		s = b.X
	}
	if len(spine) == 0 {
		w.pipeline(s)
		return
	}
	w.stmt(s)
	cond := w.sc.cond
	for i := len(spine) - 1; i >= 0; i-- {
		b := spine[i].Cmd.(*syntax.BinaryCmd)
		if b.Op == syntax.OrStmt {
			w.alternative(b.Y)
			continue
		}
		w.sc.cond = true
		w.stmt(b.Y)
	}
	w.sc.cond = cond || w.sc.loose
}

// alternative walks the right side of ||: what it changes may be so or not.
func (w *walker) alternative(s *syntax.Stmt) {
	cwd := w.sc.cwd
	vars := w.sc.vars
	w.sc.cond = true
	w.stmt(s)
	if w.sc.cwd != cwd && !leaves(s) {
		w.sc.cwd = ""
	}
	if w.sc.cwd != cwd {
		w.sc.cwd = cwd
	}
	if leaves(s) {
		w.sc.vars = vars
	}
}

// leaves reports whether a statement is exit or return, so that what follows
// runs only if it did not.
func leaves(s *syntax.Stmt) bool {
	call, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) == 0 {
		return false
	}
	switch call.Args[0].Lit() {
	case "exit", "return", "continue", "break":
		return true
	}
	return false
}

func isPipe(op syntax.BinCmdOperator) bool { return op == syntax.Pipe || op == syntax.PipeAll }

// pipeline walks a | b | c: each in a subshell, output of one into the next.
func (w *walker) pipeline(s *syntax.Stmt) {
	parts := flattenPipe(s)
	saved := w.sc
	var from []int
	for i, p := range parts {
		w.sc = saved
		w.sc.stdout = saved.stdout
		if i > 0 {
			w.sc.stdin = Input{Kind: FromPipe, Steps: from}
		}
		last := i == len(parts)-1
		if !last {
			w.sc.stdout = []Output{{Kind: ToPipe}}
		}
		first := len(w.out.Steps)
		w.stmt(p)
		from = w.producers(first, ToPipe)
	}
	last := w.sc
	w.sc = saved
	if w.env.Dialect == Zsh {
		w.sc.vars, w.sc.cwd = last.vars, last.cwd
	}
}

func flattenPipe(s *syntax.Stmt) []*syntax.Stmt {
	var rev []*syntax.Stmt
	for {
		b, ok := s.Cmd.(*syntax.BinaryCmd)
		if !ok || !isPipe(b.Op) || len(rev) > 0 && len(s.Redirs) > 0 {
			break
		}
		rev = append(rev, b.Y)
		s = b.X
	}
	rev = append(rev, s)
	slices.Reverse(rev)
	return rev
}

// producers lists the steps since first whose output goes to kind and has no reader yet.
func (w *walker) producers(first int, kind OutputKind) []int {
	var out []int
	for i := first; i < len(w.out.Steps); i++ {
		for _, o := range w.out.Steps[i].Stdout {
			if o.Kind == kind && o.To == 0 {
				out = append(out, i)
				break
			}
		}
	}
	if len(out) > MaxFan {
		w.limit("number of commands that write into one pipe")
		out = out[:MaxFan]
	}
	return out
}

// consumed notes that step k takes the output of the steps in from.
func (w *walker) consumed(from []int, k int) {
	for _, i := range from {
		if i >= len(w.out.Steps) {
			continue
		}
		for j := range w.out.Steps[i].Stdout {
			if o := &w.out.Steps[i].Stdout[j]; o.To == 0 && (o.Kind == ToPipe || o.Kind == ToArg) {
				o.To = k
			}
		}
	}
}

// substitute walks $( ) and gives its value.
func (w *walker) substitute(stmts []*syntax.Stmt) value {
	saved, outer, assigns := w.sc, w.outer, w.assigns
	w.outer, w.assigns = nil, nil
	w.sc.stdout = []Output{{Kind: ToArg}}
	first := len(w.out.Steps)
	w.stmts(stmts)
	w.sc, w.outer, w.assigns = saved, outer, assigns
	w.sc.loose = saved.loose
	steps := w.producers(first, ToArg)
	v := value{text: Hole, steps: steps, dash: true}
	if text, ok := w.outputText(stmts, steps); ok {
		v.text, v.dash = strings.TrimRight(text, "\n"), false
	} else if len(steps) == 1 && w.info[steps[0]].token {
		v.text, v.glob = "*", true
	} else if len(steps) == 1 && len(w.info[steps[0]].lists) == 1 {
		v.text, v.glob, v.dash = w.info[steps[0]].lists[0]+"/**", true, false
	}
	return v
}

// outputText joins the output of steps whose text is known and that all run.
func (w *walker) outputText(stmts []*syntax.Stmt, steps []int) (string, bool) {
	var b strings.Builder
	for _, i := range steps {
		if !w.info[i].textOK || w.out.Steps[i].Conditional && len(steps) > 1 || !w.charge(len(w.info[i].text)) {
			return "", false
		}
		b.WriteString(w.info[i].text)
	}
	if len(steps) == 0 && len(stmts) > 0 {
		// $(<file) and commands whose output goes elsewhere.
		return "", false
	}
	return b.String(), b.Len() < MaxText
}

// lateOut is >(cmd): walked after the step that writes into it.
type lateOut struct{ stmts []*syntax.Stmt }

func (w *walker) procSubst(p *syntax.ProcSubst) value {
	w.fifos++
	path := "/dev/fd/" + itoa(63-w.fifos%60)
	if p.Op == syntax.CmdOut {
		w.lateOuts = append(w.lateOuts, lateOut{p.Stmts})
		return value{text: path, fifo: true}
	}
	saved, outer, assigns := w.sc, w.outer, w.assigns
	w.outer, w.assigns = nil, nil
	w.sc.stdout = []Output{{Kind: ToPipe}}
	first := len(w.out.Steps)
	w.stmts(p.Stmts)
	w.sc, w.outer, w.assigns = saved, outer, assigns
	return value{text: path, fifo: true, steps: w.producers(first, ToPipe)}
}

// late walks the >( ) of the step k that was just added.
func (w *walker) late(k int) {
	list := w.lateOuts
	w.lateOuts = nil
	for _, l := range list {
		saved := w.sc
		w.sc.stdin = Input{Kind: FromPipe, Steps: []int{k}}
		w.sc.cond = true
		w.stmts(l.stmts)
		w.sc = saved
	}
}

func itoa(n int) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return itoa(n/10) + string(rune('0'+n%10))
}
