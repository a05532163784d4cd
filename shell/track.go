package shell

import (
	"path"
	"slices"
	"strings"
)

// track notes what step k leaves behind: links, copies of programs, the text of files.
func (w *walker) track(k int) {
	st := &w.out.Steps[k]
	if w.remote || st.Guess {
		return
	}
	builds := w.builds(st)
	for i := range st.Effects {
		e := &st.Effects[i]
		if !e.Known || e.Glob {
			w.blur(e)
			continue
		}
		switch e.Kind {
		case Write, Append:
			w.wrote(k, e, builds)
		case Edit:
			if e.Maybe {
				continue // a package manager's own change of its manifest
			}
			w.setText(e.Target, Hole)
		case Create:
			w.make(e.Target)
		case Copy, Move:
			w.copied(e, st.Conditional || e.Maybe)
			w.followClone(e)
		case Link:
			w.linked(e)
			w.followClone(e)
		case Delete:
			w.removed(e, st.Conditional)
		case Unpack:
			w.make(e.Target)
		}
	}
}

func (w *walker) make(p string) {
	if w.created == nil {
		w.created = map[string]bool{}
	}
	w.created[p] = true
}

// blur forgets the text of files that an effect on a glob may have changed.
func (w *walker) blur(e *Effect) {
	if e.Kind != Edit && e.Kind != Write && e.Kind != Move && e.Kind != Copy {
		return
	}
	prefix, _, _ := strings.Cut(e.Target, "*")
	for p, text := range w.files { // all get the same, so the order does not matter
		if text != Hole && (strings.HasPrefix(p, prefix) || strings.Contains(e.Target, Hole)) {
			w.setText(p, Hole)
		}
	}
}

// setText notes a file's content; Hole if it is written but not known.
func (w *walker) setText(p, text string) {
	if p == Hole || len(w.files) > MaxSteps {
		return
	}
	own(&w.files, w.env.Files)
	if len(text) > MaxText {
		text = Hole
	}
	w.files[p] = text
	if r := w.real(p); r != p {
		w.files[r] = text
	}
}

func (w *walker) wrote(k int, e *Effect, builds bool) {
	st := &w.out.Steps[k]
	old, had := w.files[e.Target]
	if !had && e.Kind == Write && !st.Conditional {
		w.make(e.Target)
	}
	if builds {
		return // made from the project's own code, which is the user's
	}
	text := Hole
	if info := w.info[k]; info.textOK && w.writesOutput(st, e) {
		text = info.text
	} else if st.Name == "tee" {
		if t, ok := w.stdinText(st.Stdin); ok {
			text = t
		}
	} else if st.Program == "" && e.Kind == Write {
		text = "" // > file empties it
	}
	switch {
	case e.Kind == Append && !had:
		text = Hole + text // the file may hold more
	case e.Kind == Append || st.Conditional && had:
		text = old + text
	}
	if strings.Contains(text, Hole) {
		text = Hole
	}
	w.setText(e.Target, text)
}

// builds reports whether a step runs the project's own code or compiles it.
func (w *walker) builds(st *Step) bool {
	return slices.ContainsFunc(st.Effects, func(e Effect) bool { return e.Kind == Exec && e.Source == "" && e.Target == "" })
}

// writesOutput reports whether the effect is where the step's standard output goes.
func (w *walker) writesOutput(st *Step, e *Effect) bool {
	return slices.ContainsFunc(st.Stdout, func(o Output) bool { return o.Kind == ToFile && o.Name == e.Target })
}

func (w *walker) copied(e *Effect, maybe bool) {
	text, ok := w.files[e.Source]
	if !maybe || ok {
		if _, had := w.files[e.Target]; ok || had || e.Kind == Move {
			if !ok {
				text = Hole
			}
			if maybe {
				text = Hole
			}
			if ok || had {
				w.setText(e.Target, text)
			}
		}
	}
	src := e.Source
	if c, ok := w.copies[src]; ok {
		src = c
	}
	if rec, known := lookup(path.Base(src)); known && rec.key != "" && (systemDir(path.Dir(src)) || src != e.Source) {
		own(&w.copies, w.env.Copies)
		w.copies[e.Target] = src
	}
	if !e.Maybe && !maybe {
		w.make(e.Target)
	}
}

func (w *walker) linked(e *Effect) {
	if len(w.links) > MaxSteps {
		return
	}
	put(&w.links, e.Target, e.Source)
	if text, ok := w.files[e.Source]; ok {
		w.setText(e.Target, text)
	}
}

func (w *walker) removed(e *Effect, maybe bool) {
	if maybe {
		return
	}
	var gone []string
	if _, ok := w.files[e.Target]; ok {
		gone = append(gone, e.Target)
	}
	if e.Recursive {
		below := e.Target + "/"
		for p := range w.files {
			if strings.HasPrefix(p, below) {
				gone = append(gone, p)
			}
		}
		slices.Sort(gone)
	}
	for _, p := range gone {
		own(&w.files, w.env.Files)
		delete(w.files, p)
	}
	w.gone = append(w.gone, gone...)
	delete(w.links, e.Target)
}

// loaders adds what variables make the program load: PATH=./bin ls,
// GIT_EXTERNAL_DIFF=x git diff, or PAGER exported earlier.
func (w *walker) loaders(st *Step, k int) {
	if st.Builtin {
		return
	}
	for _, a := range st.Assigns {
		w.loader(st, k, a)
	}
	for _, v := range w.sc.loaders {
		if v.unset || !v.exported && !v.own {
			continue
		}
		if rec, ok := variableRecord(v.name); !ok || !v.exported && !rec.has("inherited") {
			continue
		}
		a := Assign{Name: v.name, Value: Word{Text: v.val.text, Known: !strings.Contains(v.val.text, Hole), Pos: st.Pos, End: st.End}}
		st.Inherits = append(st.Inherits, a)
		w.loader(st, k, a)
	}
}

// variableRecord is the table's entry of a variable that makes programs load code.
func variableRecord(name string) (record, bool) {
	if name == "" || name[0] < 'A' || name[0] > 'Z' && name[0] != '_' && name[0] < 'a' {
		return record{}, false
	}
	if rec, ok := lookup("$" + name); ok {
		return rec, true
	}
	globs, ok := lookup("$")
	if !ok {
		return record{}, false
	}
	for g := range strings.FieldsSeq(globs.args) {
		if matchGlob(g, name) {
			return globs, true
		}
	}
	return record{}, false
}

func (w *walker) loader(st *Step, k int, a Assign) {
	rec, ok := variableRecord(a.Name)
	if !ok || harmlessValue(w, rec, a) || rec.key != "$" && rec.args != "" && !globList(rec.args, st.Name) && st.Known {
		return
	}
	st.RO = false
	st.Effects = append(st.Effects, Effect{Kind: Load, Target: a.Value.Text, Detail: "variable " + a.Name, Known: a.Value.Known, Sink: SinkExec, Class: ClassReversible, Pos: a.Value.Pos, End: a.Value.End})
	st.Class = strictest(st.Class, ClassReversible)
	w.addUnknown(Unknown{Kind: UnknownCode, Step: k, Text: a.Name + "=" + show(a.Value.Text), Pos: a.Value.Pos, End: a.Value.End})
}

// harmlessValue is true for PATH entries that are the user's or the system's
// own, and for programs that only show text.
func harmlessValue(w *walker, rec record, a Assign) bool {
	if a.Name != "PATH" {
		return a.Value.Known && (pagerOnly(a.Value.Text) || rec.has("plain") && !strings.ContainsAny(a.Value.Text, "/=!"))
	}
	for dir := range strings.SplitSeq(a.Value.Text, ":") {
		switch {
		case dir == Hole, dir == "", systemDir(dir), strings.HasPrefix(dir, "/opt/"), strings.HasPrefix(dir, "/usr/local/"):
		case strings.HasSuffix(dir, "node_modules/.bin"), strings.HasSuffix(dir, "venv/bin"):
		case w.env.Home != "" && strings.HasPrefix(dir, w.env.Home+"/"), strings.HasPrefix(dir, "~/"), strings.HasPrefix(dir, Hole+"/"):
		default:
			return false
		}
		if dir == "" && a.Value.Text != "" {
			return false // an empty part is the working directory
		}
	}
	return true
}
