package tool

import (
	"fmt"
	"strings"

	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/shell"
)

// unsetWord stands in a command line for a reference whose value is not known:
// a variable that nothing sets, so that the words around it can still be seen.
const unsetWord = "${planlint_unknown}"

// maxNotes bounds what is said of one command line; the rest is counted.
const maxNotes = 8

// commands says what the call's command lines do.
func (k *call) commands() {
	if !k.e.has(Command) {
		return
	}
	k.lowered, k.lines = k.lowered[:0], 0
	for _, i := range k.e.with[Command] {
		if k.slotOf[i] >= 0 {
			k.commandArg(i)
		}
	}
	if k.mixed {
		k.opaque("the arguments can't be told apart")
	}
	k.r.Paths = k.keepUses()
	k.onlyOnce()
}

// opaque marks a call whose commands can't be known.
func (k *call) opaque(why string) {
	k.note(NoteCommand, true, "the command is not known: "+why)
	k.r.Class, k.r.ReadOnly = max(k.r.Class, k.e.c.Class), false
}

func (k *call) commandArg(i int) {
	line, known := k.commandLine(i)
	if line == "" && known {
		return
	}
	env := k.session()
	if dir, ok := k.base(&k.e.c.Args[i]); !ok {
		env.Cwd = ""
	} else if dir != "" {
		env.Cwd = k.places.use(dir, "", PathUse{}).Path
	}
	env.Dialect = shell.Dialect(k.e.c.Args[i].Dialect)
	script := shell.Parse(line, env)
	k.describe(&script, known, k.given[k.slotOf[i]].Values()[0].Pos)
	k.namesFiles = known && printsNames(&script)
	text := line
	if !known {
		text = ""
	}
	k.lower(&script, k.slotOf[i], text)
	k.remember(&script)
	if !known {
		k.opaque("a part of it comes from an output that is not there yet")
	}
	if k.lines++; k.lines == 1 {
		k.extend().Script = &script
		return
	}
	// Rules look at one script: that of several lines is all their steps.
	joined := *k.r.Script()
	joined.Steps = append(joined.Steps[:len(joined.Steps):len(joined.Steps)], script.Steps...)
	joined.Broken = joined.Broken || script.Broken
	k.extend().Script = &joined
}

// commandLine returns the text that is run. A list is one command's words.
func (k *call) commandLine(arg int) (line string, known bool) {
	known = true
	var lines []string
	for _, v := range k.given[k.slotOf[arg]].Values() {
		texts, ok := k.out.Texts(v)
		known = known && ok
		if v.Kind == plan.List {
			for i := range texts {
				texts[i] = quoteWord(texts[i])
			}
			texts = []string{strings.Join(texts, " ")}
		}
		if !ok && len(texts) == 0 {
			texts = []string{unsetWord}
		}
		lines = append(lines, texts...)
	}
	return strings.ReplaceAll(strings.Join(lines, "\n"), Hole, unsetWord), known
}

// quoteWord writes one word so that a shell reads it as that.
func quoteWord(word string) string {
	if word != "" && strings.IndexFunc(word, func(r rune) bool {
		return !(r < 0x80 && nameByte(byte(r), true) || strings.ContainsRune("./:=,@%+", r))
	}) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// describe fills what rules see of a script: class, commands, notes.
func (k *call) describe(s *shell.Script, known bool, at plan.Position) {
	open := make([]bool, len(s.Steps))
	for _, u := range s.Unknowns {
		if u.Step >= 0 && u.Step < len(open) && u.Closing() {
			open[u.Step] = true
		}
	}
	rare := k.extend()
	for i := range s.Steps {
		st := &s.Steps[i]
		use := CommandUse{Program: st.Program, ReadOnly: st.ReadOnly(), Known: known && (st.Known || st.Class != "") && !open[i] && !st.Guess && !s.Broken}
		use.Words = append(use.Words, st.Program)
		for _, a := range st.Args {
			use.Words = append(use.Words, a.Text)
		}
		use.Class, _ = gate.ParseClass(st.Class)
		rare.Commands = append(rare.Commands, use)
	}
	k.scriptClass(s)
	k.scriptNotes(s, at)
}

// scriptClass replaces the contract's class, which is that of a command nobody
// knows, by the strictest of the line.
func (k *call) scriptClass(s *shell.Script) {
	class, err := gate.ParseClass(s.Class())
	switch {
	case s.Broken:
		class = max(class, k.e.c.Class)
	case err != nil && len(s.Steps) == 0:
		class = gate.ReversibleInternal
	case err != nil:
		class = k.e.c.Class
		for i := range s.Steps {
			if c, err := gate.ParseClass(s.Steps[i].Class); err == nil {
				class = max(class, c)
			}
		}
	}
	if k.lines == 0 {
		k.r.Class, k.r.ReadOnly = class, s.ReadOnly()
		return
	}
	k.r.Class, k.r.ReadOnly = max(k.r.Class, class), k.r.ReadOnly && s.ReadOnly()
}

func (k *call) scriptNotes(s *shell.Script, at plan.Position) {
	var rest, closing int
	for i, u := range s.Unknowns {
		if i >= maxNotes {
			if rest++; u.Closing() {
				closing++
			}
			continue
		}
		id := NoteCommand
		switch u.Kind {
		case shell.UnknownWrite:
			id = NoteWritePath
		case shell.UnknownRead:
			id = NoteReadPath
		}
		k.noteAt(at, id, u.Closing(), unknownText(u))
	}
	if rest > 0 {
		k.noteAt(at, NoteCommand, closing > 0, fmt.Sprintf("and %d more that is not known of the command", rest))
	}
}

// unknownText says in words what could not be known.
func unknownText(u shell.Unknown) string {
	what := map[shell.UnknownKind]string{
		shell.UnknownParse:   "the command can't be read",
		shell.UnknownLimit:   "the command is too large",
		shell.UnknownCommand: "which program runs is not constant",
		shell.UnknownProgram: "nothing describes the program",
		shell.UnknownOption:  "nothing describes the option",
		shell.UnknownCode:    "what the code does is not known",
		shell.UnknownScript:  "what the script does is not known",
		shell.UnknownWrite:   "the path that is written is not known",
		shell.UnknownRead:    "the path that is read is not known",
		shell.UnknownHost:    "the host that is contacted is not known",
	}[u.Kind]
	if what == "" {
		what = "not known"
	}
	if u.Text == "" {
		return what
	}
	return fmt.Sprintf("%s: %q", what, strings.ReplaceAll(u.Text, shell.Hole, "…"))
}
