package shell

import (
	"path"
	"strings"
)

// guessDialect takes the dialect from Env.
func guessDialect(_ string, d Dialect) Dialect { return d }

// windows splits a PowerShell or cmd line into words, so that deny patterns can
// be tested on it. Everything else about it is unknown.
func (w *walker) windows(line string) {
	w.out.Broken = true
	w.unknownAt(UnknownParse, string(w.env.Dialect)+" line", 0, len(line))
	if len(line) > MaxLine {
		w.limit("size of the text")
		line = line[:MaxLine]
	}
	w.guessSteps(line)
}

// windowsText is powershell -Command or cmd /c: all that follows is such a line.
func windowsText(r *runner) {
	var b strings.Builder
	for _, wd := range r.u.words {
		if b.Len() == 0 && len(wd.Text) < 12 && (strings.HasPrefix(wd.Text, "-") || strings.HasPrefix(wd.Text, "/")) {
			continue // -Command, /c
		}
		b.WriteString(wd.Text)
		b.WriteByte(' ')
	}
	r.code(Word{Text: b.String(), Known: true, Pos: r.c.pos, End: r.c.end}, r.p.name)
	r.enter(0, func() { r.w.guessSteps(b.String()) })
}

// guessSteps makes steps out of text that does not parse: split at every
// separator outside and inside of quotes, quotes dropped. They have no effects
// and serve deny patterns only, so too many of them do no harm, and one of
// several equal ones is enough.
func (w *walker) guessSteps(text string) {
	guess := w.guess
	w.guess = true
	seen := map[string]struct{}{}
	for seg := range strings.FieldsFuncSeq(text, func(c rune) bool { return strings.ContainsRune(";|&\n(){}`", c) }) {
		if _, dup := seen[seg]; dup {
			continue
		}
		seen[seg] = struct{}{}
		if len(w.out.Steps) >= MaxSteps+MaxGuess {
			w.limit("number of commands in text that does not parse")
			break
		}
		w.guessStep(seg)
	}
	w.guess = guess
}

func (w *walker) guessStep(seg string) {
	if strings.ContainsAny(seg, `'"\`+Hole) {
		seg = strings.NewReplacer("'", " ", `"`, " ", "\\", "", Hole, "").Replace(seg)
	}
	most := MaxWords
	if w.guessed >= MaxGuessed {
		most = MaxFirst
	}
	var words []Word
	for f := range strings.FieldsSeq(seg) {
		if len(words) == most {
			if !w.clipped {
				w.clipped = true
				w.limit("number of words of a command")
			}
			break
		}
		words = append(words, Word{Text: strings.TrimLeft(f, "$<>!"), Known: true, Pos: w.pos, End: w.end})
	}
	for len(words) > 0 && (words[0].Text == "" || isAssign(words[0].Text) || reserved(words[0].Text)) {
		words = words[1:]
	}
	if len(words) == 0 {
		return
	}
	w.guessed += len(words)
	name := words[0].Text
	if i := strings.LastIndexByte(name, '\\'); i >= 0 {
		name = name[i+1:]
	}
	name = strings.TrimSuffix(path.Base(name), ".exe")
	w.out.Steps = append(w.out.Steps, Step{Name: name, Program: words[0].Text, Args: words[1:], Guess: true, Conditional: true, Outer: w.outer, Pos: w.pos, End: w.end})
	w.info = append(w.info, stepInfo{})
}

func reserved(s string) bool {
	switch s {
	case "if", "then", "else", "elif", "do", "while", "until", "time", "!", "coproc":
		return true
	}
	return false
}
