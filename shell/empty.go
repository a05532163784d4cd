package shell

import "strings"

// emptied marks files that a step empties: > f, : > f, cp /dev/null f,
// truncate -s 0 f, tee f < /dev/null, dd if=/dev/null of=f.
//
// In the workspace that is a write like any other, since what is kept under
// version control can be brought back, and the Write tool may do the same there.
// Elsewhere nothing brings it back: permanent, unless the line or an earlier call
// made the file or a build would make it again.
func (w *walker) emptied(st *Step) {
	if w.remote || st.Guess || st.Dry {
		return
	}
	for i := range st.Effects {
		e := &st.Effects[i]
		if !w.throwsAway(st, e) {
			continue
		}
		if e.Empties = true; w.deleteClass(*e) == ClassPermanent && !w.inRoot(e.Target) && !w.knownFile(e.Target) {
			e.Class = strictest(e.Class, ClassPermanent)
		}
	}
}

func (w *walker) throwsAway(st *Step, e *Effect) bool {
	if e.Detail == "pipe" || strings.HasPrefix(e.Target, "/dev/") {
		return false
	}
	switch e.Kind {
	case Copy, Move:
		return e.Source == "/dev/null"
	case Edit:
		return st.Name == "truncate" && truncatesToNothing(st.Args)
	case Write:
		if e.Redirect {
			return redirectsNothing(st, e)
		}
		return (st.Name == "tee" || st.Name == "dd") && st.Stdin.Kind == FromNull || st.Name == "dd" && hasWord(st.Args, "if=/dev/null")
	}
	return false
}

// redirectsNothing reports whether a redirect gets the output of a command that prints none.
func redirectsNothing(st *Step, e *Effect) bool {
	standard := false // not so of the redirect of a loop or group, whose commands fill the file
	for _, o := range st.Stdout {
		standard = standard || o.Kind == ToFile && o.Name == e.Target
	}
	switch st.Name {
	case "", ":", "true":
		return standard && (st.Bare() || st.Builtin)
	case "cat":
		return standard && len(st.Args) == 1 && st.Args[0].Text == "/dev/null"
	case "echo":
		return standard && len(st.Args) == 1 && st.Args[0].Text == "-n"
	case "printf":
		return standard && len(st.Args) == 1 && st.Args[0].Text == ""
	}
	return false
}

func truncatesToNothing(args []Word) bool {
	for i, a := range args {
		switch {
		case a.Text == "-s0", a.Text == "--size=0", (a.Text == "-s" || a.Text == "--size") && i+1 < len(args) && args[i+1].Text == "0":
			return true
		}
	}
	return false
}

func hasWord(args []Word, text string) bool {
	for _, a := range args {
		if a.Text == text {
			return true
		}
	}
	return false
}

// knownFile reports whether a call or the line wrote the file before.
func (w *walker) knownFile(p string) bool {
	_, ok := w.fileText(p)
	return ok || w.created[p]
}
