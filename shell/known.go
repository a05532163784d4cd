package shell

import (
	"slices"
	"strings"
)

// runner applies a table entry to one command.
type runner struct {
	w         *walker
	c         *cmd
	p         program
	u         usage
	st        Step
	base      string // directory that relative operands are below, "" the working directory
	spec      string // operand roles
	cls       string // class that the entry gives
	unk       []Unknown
	done      bool   // the handler or an inner command made the steps
	data      Origin // what upload options send
	hosts     []Effect
	verb      string   // HTTP method that an option names
	prefix    []Effect // effects that inner commands inherit
	text      string   // output, if textOK
	textOK    bool
	lists     []string
	token     bool
	rw        bool // not read-only although no effect says so
	inner     int  // index of the word where the inner command begins, -1 none
	shellAt   int  // index of the word where text for a shell begins, -1 none
	modName   string
	along     []int // arguments that go with a request: headers
	namesOnly bool  // prints paths
	hasSQL    bool
	eachFound bool // the inner command gets what the program finds
	skipped   bool // the first operand's role fell away
	dbFile    string
	oldStyle  bool // of ps: letters without a dash hold an e
}

// runKnown makes the step of a program that the table has.
func (w *walker) runKnown(c *cmd, p program, rec record) {
	r := &runner{w: w, c: c, p: p, inner: -1, shellAt: -1}
	if h := argumentHandler(rec.handler); h != nil {
		if r.u = (usage{recs: []record{rec}, words: c.words[1:], rest: -1}); h(r) {
			return
		}
	}
	r.u = parseArgs(rec, c.words[1:])
	r.st = Step{Name: p.name, Program: p.word, Local: p.local, Args: c.words[1:], Known: true, Builtin: rec.has("builtin"), Sub: r.u.sub}
	if r.top().has("tail") {
		r.tail()
	}
	if !r.helpOnly() {
		r.classify()
		r.options()
		r.operands()
		r.conditions()
		if r.shellAt >= 0 { // after the conditions, whose effects the inner steps inherit
			r.shell(r.u.words[r.shellAt:], r.shellAt)
		}
		r.network()
		if h := effectHandler(r.top().handler); h != nil {
			h(r)
		}
	}
	if r.done {
		return
	}
	if r.inner >= 0 && r.peel() {
		return
	}
	r.finish()
}

func (r *runner) top() record { return r.u.top() }

// helpOnly is true where the command only prints its help or version.
func (r *runner) helpOnly() bool {
	if len(r.u.words)-len(r.u.recs)+1 != 1 || len(r.u.operands) > 0 {
		return false
	}
	switch r.u.words[len(r.u.words)-1].Text {
	case "--help", "--version":
	case "-h", "-V", "-v", "-version", "-help", "version", "help":
		if len(r.u.strange) == 0 {
			return false
		}
	default:
		return false
	}
	r.u.strange, r.u.subMiss = nil, false
	r.st.Class = ClassReversible
	return true
}

// classify takes class and standing effects from the entries, outermost first.
func (r *runner) classify() {
	for i := range r.u.recs {
		rec := &r.u.recs[i]
		if rec.class != "" {
			r.cls = rec.class
		}
		if rec.args != "" || i == len(r.u.recs)-1 {
			r.spec = rec.args
		}
	}
}

// options applies the effects of options in order.
func (r *runner) options() {
	for _, h := range r.u.hits {
		if h.fx == "" {
			continue
		}
		for term := range strings.FieldsSeq(h.fx) {
			r.term(term, h.val, h.has, h.at)
		}
	}
}

// term applies one effect term of an option, a condition or an entry.
func (r *runner) term(term string, val Word, has bool, at int) {
	if spec, ok := strings.CutPrefix(term, "args:"); ok {
		r.spec = strings.ReplaceAll(spec, ",", " ")
		return
	}
	if classRank(term) > 0 {
		r.st.Class = strictest(r.st.Class, term)
		r.rw = true
		return
	}
	if kind, ok := strings.CutPrefix(term, "+"); ok {
		r.standing(kind)
		return
	}
	switch term {
	case "help", "text", "num", "stop", "implies:-X":
	case "skip":
		if !r.skipped {
			_, r.spec, _ = strings.Cut(r.spec, " ")
		}
		r.skipped = true
	case "dry":
		r.st.Dry = true
	case "live":
		r.st.Dry = false
	case "token":
		r.token = true
	case "unknown":
		r.unknown(UnknownCode, val)
	case "change":
		r.rw = true
	case "names":
		r.namesOnly = true
	default:
		if has && !strings.HasPrefix(term, "task:") && !bare(term) {
			r.role(term, val, at)
		} else {
			r.bareTerm(term)
		}
	}
}

// bare reports whether a term never takes the option's value.
func bare(term string) bool {
	return term == "exec-config" || term == "api-method" || term == "crontab-list"
}

// defaultRole applies role=text where an option stands without its value: "default:write=a.out".
func (r *runner) defaultRole(s string) {
	role, text, _ := strings.Cut(s, "=")
	r.role(role, Word{Text: text, Known: true, Pos: r.c.pos, End: r.c.end}, -1)
}

// standing adds an effect without an operand: "+secret:keychain", "+call:db".
func (r *runner) standing(s string) {
	kind, detail, _ := strings.Cut(s, ":")
	e := Effect{Kind: Kind(kind), Detail: detail, Known: true, Pos: r.c.pos, End: r.c.end}
	switch e.Kind {
	case Secret:
		e.Labels, e.Target, e.Detail = []string{"secret"}, detail, ""
	case EnvRead:
		e.Labels, e.Target, e.Detail = []string{"secret"}, detail, ""
	case Query, Service, Push, Pull, Publish, Resolve, Send, Fetch, Listen, GitConfig, Install:
		e.Target, e.Detail = detail, ""
	case Write, Edit, Create, Read, Delete, Append, Unpack, Stage:
		if detail == "all" {
			detail = "."
		}
		// Somewhere below: which files is not known.
		e.Target, e.Detail = r.w.path(Word{Text: detail, Known: true}, r.base), ""
		e.Recursive = detail == "."
		e.Maybe = e.Kind != Stage
		e.Known = !strings.Contains(e.Target, Hole)
	case "label":
		r.st.Labels = append(r.st.Labels, detail)
		return
	}
	r.add(e)
}

// operands hands each operand its role.
func (r *runner) operands() {
	var before, after [8]string
	nb, na, rep := 0, 0, ""
	for tok := range strings.FieldsSeq(r.spec) {
		switch {
		case strings.HasSuffix(tok, "..."):
			rep = strings.TrimSuffix(tok, "...")
		case rep != "" && na < len(after):
			after[na] = tok
			na++
		case nb < len(before):
			before[nb] = tok
			nb++
		}
	}
	ops := r.u.operands
	for i, at := range ops {
		left := len(ops) - i
		role := rep
		switch {
		case i < nb && (left > na || strings.HasSuffix(before[i], "?")):
			role = strings.TrimSuffix(before[i], "?")
		case left <= na:
			role = after[na-left]
		}
		switch role {
		case "":
			r.rw = r.rw || !r.u.subMiss // more operands than the entry knows
			continue
		case "cmd":
			r.inner = at
			return
		case "tail":
			if _, ok := lookup(r.u.words[at].Text); ok && r.u.words[at].Known {
				r.inner = at
				return
			}
		case "sh":
			r.shellAt = at
			return
		}
		r.role(role, r.u.words[at], at)
	}
}

// conditions applies the entry's "when" lines.
func (r *runner) conditions() {
	if r.u.subMiss {
		return
	}
	for when := r.top().when; when != ""; {
		var line string
		line, when, _ = strings.Cut(when, groupSep)
		cond, fx, _ := strings.Cut(line, fxSep)
		val, at, ok := r.holds(cond)
		if !ok {
			continue
		}
		for term := range strings.FieldsSeq(fx) {
			r.term(term, val, at >= 0, at)
		}
	}
}

// holds tests a condition; a test of an operand also gives that operand.
func (r *runner) holds(cond string) (val Word, at int, ok bool) {
	at = -1
	for test := range strings.FieldsSeq(cond) {
		switch {
		case test == "always":
		case test == "none":
			if len(r.u.operands) != 0 {
				return val, at, false
			}
		case test == "some":
			if len(r.u.operands) == 0 {
				return val, at, false
			}
		case test == "two":
			if len(r.u.operands) < 2 {
				return val, at, false
			}
		case test == "stdin":
			if r.c.stdin.Kind == Inherited || r.c.stdin.Kind == FromNull {
				return val, at, false
			}
		case test[0] == '!' || test[0] == '?':
			if r.hasOption(test[1:]) != (test[0] == '?') {
				return val, at, false
			}
		default:
			if val, at, ok = r.operandTest(test); !ok {
				return val, at, false
			}
		}
	}
	return val, at, true
}

// operandTest is N~glob|glob, or any~glob.
func (r *runner) operandTest(test string) (Word, int, bool) {
	which, globs, _ := strings.Cut(test, "~")
	for n, at := range r.u.operands {
		if which != "any" && which != itoa(n) {
			continue
		}
		for g := range strings.SplitSeq(globs, "|") {
			if matchGlob(g, r.u.words[at].Text) {
				return r.u.words[at], at, true
			}
		}
	}
	return Word{}, -1, false
}

func (r *runner) hasOption(list string) bool {
	for name := range strings.SplitSeq(list, "|") {
		if slices.ContainsFunc(r.u.hits, func(h hit) bool { return h.name == name }) {
			return true
		}
	}
	return false
}

// finish turns what was collected into the step.
func (r *runner) finish() {
	st := &r.st
	if r.u.subMiss {
		st.Known = false
		name := r.p.name
		if len(r.u.operands) > 0 {
			name += " " + show(r.u.words[r.u.operands[0]].Text)
		}
		r.unk = append(r.unk, Unknown{Kind: UnknownProgram, Text: name, Pos: r.c.pos, End: r.c.end})
	}
	if r.top().has("loose") {
		r.u.strange = nil
	}
	for _, i := range r.u.strange {
		wd := r.u.words[i]
		r.unk = append(r.unk, Unknown{Kind: UnknownOption, Text: show(wd.Text), Pos: wd.Pos, End: wd.End})
	}
	if st.Dry {
		st.Effects = dryEffects(st.Effects)
		st.Class = ClassReversible
		r.unk = slices.DeleteFunc(r.unk, func(u Unknown) bool { return u.Kind == UnknownWrite })
	}
	st.RO = st.Known && !r.rw && len(r.u.strange) == 0 && !(r.u.dashes && r.top().has("armed"))
	for _, e := range st.Effects {
		st.RO = st.RO && e.readOnly()
	}
	for _, u := range r.unk {
		st.RO = st.RO && (u.Kind == UnknownRead)
	}
	if st.Known {
		st.Class = strictest(st.Class, ClassReversible)
	}
	r.c.unknowns = append(r.c.unknowns, r.unk...)
	r.c.outText(r)
	r.w.push(r.c, *st)
}

func dryEffects(list []Effect) []Effect {
	var out []Effect
	for _, e := range list {
		if e.readOnly() || e.Kind == Fetch {
			out = append(out, e)
		}
	}
	return out
}

// readOnly reports whether the effect changes and sends nothing that the line chose.
func (e Effect) readOnly() bool {
	switch e.Kind {
	case Read, EnvRead, Query:
		return true
	}
	return false
}

func (r *runner) unknown(kind UnknownKind, wd Word) {
	pos, end := wd.Pos, wd.End
	if end == 0 {
		pos, end = r.c.pos, r.c.end
	}
	r.unk = append(r.unk, Unknown{Kind: kind, Text: show(wd.Text), Pos: pos, End: end})
}

func (r *runner) add(e Effect) {
	if e.Class == "" {
		e.Class = r.classOf(e)
	}
	if e.Sink == "" {
		e.Sink = sinkOf(e.Kind)
	}
	r.st.Effects = append(r.st.Effects, e)
}

// classOf gives an effect's class: the entry's for what only the entry knows, else by kind.
func (r *runner) classOf(e Effect) string {
	switch e.Kind {
	case Read, EnvRead, Query, Fetch, Resolve, Copy, Move, Link, Archive, Chmod, Secret, Load:
		return ClassReversible
	case Write, Append, Edit, Create, Unpack:
		return r.w.writeClass(e)
	case Delete:
		return r.w.deleteClass(e)
	case Send:
		return publicUnlessLocal(e.Target)
	case Grant:
		return ClassAuthority
	}
	if r.cls != "" {
		return r.cls
	}
	switch e.Kind {
	case Exec, Commit, Stage, Pull, Checkout, Listen, Change:
		return ClassReversible
	case GitConfig, Remote, Install, Kill, Service:
		return ClassCompensate
	case Push, Publish:
		return ClassPublic
	}
	return ClassPermanent
}

func sinkOf(k Kind) string {
	switch k {
	case Send, Fetch, Resolve, Query:
		return SinkExternal
	case Push, Publish:
		return SinkPublic
	case Exec, Load:
		return SinkExec
	case Grant:
		return SinkAuthority
	case Call:
		return SinkInternal
	}
	return ""
}
