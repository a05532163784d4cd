package shell

import (
	"maps"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// walker holds the state of one Parse.
type walker struct {
	env          Env
	out          Script
	sc           scope
	info         []stepInfo
	depth        int  // of inner texts
	work         int  // statements walked
	parsed       int  // bytes parsed
	fixed        bool // positions are those of an outer string
	size         int  // of the line
	pos          int
	end          int
	guess        bool
	cut          bool // a limit stopped the walk
	remote       bool // inside ssh, docker exec: another file system
	host         string
	links        map[string]string
	files        map[string]string
	copies       map[string]string
	clones       map[string]string
	gone         []string
	remotes      map[string]string
	head         string
	outer        []Wrapper
	extra        []Effect // of the wrappers around the current command
	extraClass   string
	extraLabels  []string
	extraSecrets []string
	assigns      []Assign
	lateOuts     []lateOut
	created      map[string]bool // files and directories that the line made
	made         int             // bytes of values, see charge
	spent        bool            // MaxMade is reached
	uses         []*function
	guessed      int  // words of guessed commands
	clipped      bool // some of them lost words
	fifos        int
	temps        int
}

// stepInfo is what the walk knows of a step's output beyond what Step shows.
type stepInfo struct {
	text   string // standard output, if textOK
	textOK bool
	lists  []string // output is paths below these
	token  bool     // output is one word without a slash
}

// Parse says what line does in env. It never fails: what can't be known is in Unknowns.
func Parse(line string, env Env) Script {
	if strings.Contains(line, Hole) {
		line = cleanText(line)
	}
	w := &walker{env: env, size: len(line)}
	if w.sc.cwd = env.Cwd; w.sc.cwd == "" {
		w.sc.cwd = "."
	}
	for _, name := range slices.Sorted(maps.Keys(env.Vars)) {
		exported := slices.Contains(env.Exported, name)
		v := variable{name: name, val: value{text: cleanText(env.Vars[name])}, exported: exported}
		w.define(v)
	}
	for _, name := range slices.Sorted(maps.Keys(env.Aliases)) {
		w.sc.aliases = w.sc.aliases.with(name, variable{name: name, val: value{text: env.Aliases[name]}})
	}
	w.files, w.copies, w.clones = env.Files, env.Copies, env.Clones
	if dialect := guessDialect(line, env.Dialect); dialect == PowerShell || dialect == Cmd {
		w.windows(line)
	} else {
		w.sessionFunctions()
		w.text(line)
		w.unusedFunctions()
		if w.cut { // deny patterns must still see all of it
			w.pos, w.end = 0, len(line)
			w.guessSteps(line[:min(len(line), MaxParse)])
		}
	}
	w.finish()
	return w.out
}

// text parses and walks one text at the current depth.
func (w *walker) text(text string) {
	w.parsed += len(text)
	if len(text) > MaxLine || w.parsed > MaxParse || tooDeep(text) {
		w.limit("size or nesting of the text")
		w.guessSteps(text)
		return
	}
	if hiddenOperator(text) {
		// The shell joins the lines before it looks for operators, the parser after.
		w.out.Broken = true
		w.unknownAt(UnknownParse, "line continuation inside an operator", w.pos, w.end)
		text = joinLines(text)
	}
	file, err := w.parser(0).Parse(strings.NewReader(text), "")
	if err == nil {
		w.stmts(file.Stmts)
		return
	}
	w.out.Broken = true
	w.unknownAt(UnknownParse, errText(err), w.pos, w.textEnd(text))
	if file, err = w.parser(8).Parse(strings.NewReader(text), ""); err == nil {
		w.stmts(file.Stmts)
	}
	w.guessSteps(text)
}

// hiddenOperator finds a line continuation that splits $( or another operator.
func hiddenOperator(text string) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], "\\\n")
		if i < 0 {
			return false
		}
		i += at
		at = i + 2
		if i > 0 && at < len(text) && strings.IndexByte("$<>&|;", text[i-1]) >= 0 && (text[at] == '(' || text[at] == '{' || text[at] == text[i-1] || text[at] == '\\') {
			return true
		}
	}
}

func joinLines(text string) string { return strings.ReplaceAll(text, "\\\n", "") }

// textEnd is where the current text ends in the line.
func (w *walker) textEnd(text string) int {
	if w.fixed {
		return w.end
	}
	return len(text)
}

func errText(err error) string {
	s := err.Error()
	if i := strings.Index(s, ": "); i >= 0 {
		s = s[i+2:]
	}
	return s
}

func (w *walker) parser(recovery int) *syntax.Parser {
	lang := syntax.LangBash
	switch w.env.Dialect {
	case Posix:
		lang = syntax.LangPOSIX
	case Zsh:
		lang = syntax.LangZsh
	}
	if recovery > 0 {
		return syntax.NewParser(syntax.Variant(lang), syntax.RecoverErrors(recovery))
	}
	return syntax.NewParser(syntax.Variant(lang))
}

// inner parses text that the line hands to a shell: sh -c, eval, trap, a script it wrote.
// Positions inside are those of the current step.
func (w *walker) inner(text, what string) {
	if w.depth >= MaxInner {
		w.limit("nesting of " + what)
		return
	}
	if strings.Contains(text, Hole) {
		w.unknownAt(UnknownCode, what, w.pos, w.end)
	}
	fixed := w.fixed
	w.fixed = true
	w.depth++
	w.text(text)
	w.depth--
	w.fixed = fixed
}

// charge counts n bytes of values that the walk makes or looks through; false past MaxMade.
func (w *walker) charge(n int) bool {
	if w.made += n; w.made <= MaxMade {
		return true
	}
	if !w.spent {
		w.spent = true
		w.limit("size of the values of the line")
	}
	return false
}

// tooMany is a limit that leaves part of the line unseen, so that it must be guessed for deny patterns.
func (w *walker) tooMany(what string) {
	w.limit(what)
	w.cut = true
}

func (w *walker) limit(what string) {
	w.out.Broken = true
	w.unknownAt(UnknownLimit, what, w.pos, w.end)
}

// span maps positions of the current text to offsets of the line.
func (w *walker) span(pos, end syntax.Pos) (int, int) {
	if w.fixed {
		return w.pos, w.end
	}
	// Nodes made up by error recovery have no end.
	a := min(int(pos.Offset()), w.size)
	return a, max(a, min(int(end.Offset()), w.size))
}

func (w *walker) unknown(kind UnknownKind, text string, pos, end syntax.Pos) {
	a, b := w.span(pos, end)
	w.unknownAt(kind, text, a, b)
}

func (w *walker) unknownAt(kind UnknownKind, text string, pos, end int) {
	w.addUnknown(Unknown{Kind: kind, Step: -1, Text: text, Pos: pos, End: end})
}

func (w *walker) addUnknown(u Unknown) {
	if n := len(w.out.Unknowns); n > MaxSteps || n > 0 && w.out.Unknowns[n-1] == u {
		return
	}
	w.out.Unknowns = append(w.out.Unknowns, u)
}

// sessionFunctions declares the functions of a persistent shell.
func (w *walker) sessionFunctions() {
	for _, name := range slices.Sorted(maps.Keys(w.env.Functions)) {
		text := w.env.Functions[name]
		if w.parsed += len(text); w.parsed > MaxParse || tooDeep(text) {
			w.limit("functions of the session")
			return
		}
		file, err := w.parser(0).Parse(strings.NewReader(text), "")
		if err != nil || len(file.Stmts) != 1 {
			continue
		}
		if f, ok := file.Stmts[0].Cmd.(*syntax.FuncDecl); ok {
			used := true
			w.sc.funcs = w.sc.funcs.with(name, function{name: name, body: f.Body, text: text, used: &used})
		}
	}
}

// unusedFunctions walks functions that the line declares and never calls, so
// that what they would do is seen.
func (w *walker) unusedFunctions() {
	for i := 0; i < len(w.uses); i++ {
		f := w.uses[i]
		if *f.used {
			continue
		}
		*f.used = true
		saved := w.sc
		w.sc.cond, w.sc.hasParams = true, false
		w.stmt(f.body)
		w.sc = saved
	}
}

// finish fills in After and drops what only the walk needed.
func (w *walker) finish() {
	a := &w.out.After
	if a.Cwd = w.sc.cwd; a.Cwd == "." && w.env.Cwd == "" {
		a.Cwd = ""
	}
	w.sc.vars.each(func(name string, v *variable) {
		if !v.own {
			return
		}
		if v.exported {
			a.Exported = append(a.Exported, name)
		}
		put(&a.Vars, name, v.val.text)
	})
	slices.Sort(a.Exported)
	w.sc.funcs.each(func(name string, f *function) { put(&a.Functions, name, f.source()) })
	w.sc.aliases.each(func(name string, al *variable) { put(&a.Aliases, name, al.val.text) })
	a.Links, a.Remotes, a.Head, a.Gone = w.links, w.remotes, w.head, w.gone
	slices.SortStableFunc(w.out.Unknowns, func(a, b Unknown) int { return a.Pos - b.Pos })
	a.Files = changed(w.files, w.env.Files)
	a.Copies = changed(w.copies, w.env.Copies)
	a.Clones = changed(w.clones, w.env.Clones)
}

// changed gives what now has beyond or instead of before.
func changed(now, before map[string]string) map[string]string {
	var out map[string]string
	for k, v := range now {
		if old, ok := before[k]; !ok || old != v {
			put(&out, k, v)
		}
	}
	return out
}

func put(m *map[string]string, k, v string) {
	if *m == nil {
		*m = map[string]string{}
	}
	(*m)[k] = v
}

// own makes a private copy of a map that came from Env before the first change.
func own(m *map[string]string, env map[string]string) {
	if len(*m) == len(env) {
		*m = merge(*m, nil)
	}
	if *m == nil {
		*m = map[string]string{}
	}
}
