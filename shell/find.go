package shell

import "strings"

// find walks find's own grammar: starting points, then an expression in which
// -delete, -exec and -fprintf act. A predicate that the entry lists without
// effect only tests; one that it does not list is an unknown option.
func find(r *runner) bool {
	rec := r.u.recs[0]
	r.st = Step{Name: r.p.name, Program: r.p.word, Local: r.p.local, Args: r.u.words, Known: true}
	words := r.u.words
	i := 0
	for i < len(words) && isFindOption(words[i].Text) {
		i++
	}
	for ; i < len(words) && !isExpression(words[i].Text); i++ {
		if e := r.fileEffectOf("list", words[i], i); e != nil {
			e.Recursive = true
		}
		if !words[i].Known && strings.HasPrefix(words[i].Text, Hole) && !words[i].Quoted {
			r.rw = true
		}
	}
	if len(r.lists) == 0 {
		r.file("list", Word{Text: ".", Known: true, Pos: r.c.pos, End: r.c.end}, -1)
		r.st.Effects[0].Recursive = true
	}
	f := finder{r: r, rec: rec, root: r.lists[0]}
	f.expression(words[i:], i)
	r.c.lists = r.lists
	r.finish()
	f.runInner()
	return true
}

func isFindOption(s string) bool {
	return s == "-H" || s == "-L" || s == "-P" || strings.HasPrefix(s, "-O")
}

func isExpression(s string) bool {
	return s == "(" || s == ")" || s == "!" || s == "," || len(s) > 1 && s[0] == '-'
}

type finder struct {
	r     *runner
	rec   record
	root  string
	name  string   // of -name, narrows what is found
	inner [][]Word // commands of -exec
}

func (f *finder) expression(words []Word, base int) {
	for i := 0; i < len(words); i++ {
		text := words[i].Text
		switch text {
		case "-exec", "-execdir", "-ok", "-okdir":
			i = f.command(words, i+1)
			continue
		case "-delete":
			f.r.add(Effect{Kind: Delete, Target: f.found(), Known: !strings.Contains(f.root, Hole), Glob: true, Recursive: true, Class: f.deleteClass(), Pos: words[i].Pos, End: words[i].End})
			continue
		case "(", ")", "!", ",", "-o", "-a", "-not", "-or", "-and":
			continue
		}
		o, ok := f.rec.findOption(text)
		if !ok {
			f.r.u.strange = append(f.r.u.strange, base+i)
			continue
		}
		if o.takes != '=' || i+1 >= len(words) {
			continue
		}
		i++
		if text == "-name" || text == "-iname" {
			f.name = words[i].Text
		}
		for term := range strings.FieldsSeq(o.fx) {
			f.r.term(term, words[i], true, base+i)
		}
		if text == "-fprintf" {
			i++ // the format
		}
	}
}

// found is a glob over what the expression can find.
func (f *finder) found() string {
	p := strings.TrimSuffix(f.root, "/") + "/**"
	if f.name != "" && !strings.Contains(f.name, Hole) {
		return p + "/" + f.name
	}
	return p
}

func (f *finder) deleteClass() string {
	return f.r.w.deleteClass(Effect{Target: f.found(), Known: !strings.Contains(f.root, Hole)})
}

// command collects the words of -exec up to ";" or "+".
func (f *finder) command(words []Word, i int) int {
	var inner []Word
	for ; i < len(words); i++ {
		if words[i].Text == ";" || words[i].Text == "+" && len(inner) > 0 && inner[len(inner)-1].Text == f.placeholder() {
			break
		}
		wd := words[i]
		if strings.Contains(wd.Text, "{}") {
			whole := wd.Text == "{}"
			wd.Text = strings.ReplaceAll(wd.Text, "{}", f.placeholder())
			wd.Known = !strings.Contains(wd.Text, Hole)
			wd.Glob = whole
		}
		inner = append(inner, wd)
	}
	if len(inner) > 0 {
		f.inner = append(f.inner, inner)
	}
	return i
}

func (f *finder) placeholder() string {
	if f.name == "" {
		return strings.TrimSuffix(f.root, "/") + "/**"
	}
	return f.found()
}

// runInner runs the collected commands, each perhaps never or often.
func (f *finder) runInner() {
	for _, words := range f.inner {
		c := cmd{words: words, pos: f.r.c.pos, end: f.r.c.end, stdout: f.r.c.stdout, noFunc: true}
		cond := f.r.w.sc.cond
		f.r.w.sc.cond = true
		f.r.u.words = nil
		f.r.st.Effects, f.r.st.Class, f.r.unk = nil, "", nil
		f.r.enter(-1, func() { f.r.w.run(&c) })
		f.r.w.sc.cond = cond
	}
}

// xargsWords adds to the inner command of xargs what it reads.
func (r *runner) xargsWords(words []Word) []Word {
	wd := Word{Text: Hole, Steps: r.c.stdin.Steps, Pos: r.c.pos, End: r.c.end}
	if r.eachFound {
		wd.Text, wd.Known, wd.Glob, wd.Steps = r.w.cwd()+"/**", r.w.sc.cwd != "", true, nil
	} else if root, ok := r.w.listRoot(r.c.stdin); ok {
		wd.Text, wd.Known, wd.Glob = root+"/**", true, true
	} else if text, ok := r.w.stdinText(r.c.stdin); ok && len(strings.Fields(text)) == 1 {
		wd.Text, wd.Known = strings.TrimSpace(text), true
	}
	repl := ""
	for _, h := range r.u.hits {
		switch h.name {
		case "-I", "-J", "--replace", "-i":
			if repl = "{}"; h.has {
				repl = h.val.Text
			}
		}
	}
	if repl == "" {
		return append(words, wd)
	}
	for i := range words {
		if strings.Contains(words[i].Text, repl) {
			words[i].Glob = words[i].Text == repl && wd.Glob
			words[i].Text = strings.ReplaceAll(words[i].Text, repl, wd.Text)
			words[i].Known = !strings.Contains(words[i].Text, Hole)
			words[i].Steps = append(words[i].Steps, wd.Steps...)
		}
	}
	return words
}
