package cli

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/planlint/planlint/shell"
)

// maxExplained bounds how many effects of one line are shown; the rest is
// counted.
const maxExplained = 500

// explainLine prints what a command line does: one row an effect, under the
// number and the words of the simple command that makes it.
func explainLine(s *streams, line, dialect string) error {
	if known := []string{"bash", "posix", "zsh", "powershell", "cmd"}; !slices.Contains(known, dialect) {
		return optionError("--dialect", dialect, known)
	}
	env := shell.Env{Home: s.env["HOME"], User: s.env["USER"], Dialect: shell.Dialect(dialect)}
	if cwd, err := os.Getwd(); err == nil {
		env.Cwd = cwd
	}
	script := shell.Parse(line, env)
	return writeOutput(s, "", func(w io.Writer) error {
		t := tabwriter.NewWriter(w, 2, 0, 2, ' ', 0)
		fmt.Fprintln(t, "step\tcommand\teffect\ton\tclass\tmore")
		rows := 0
		for i := range script.Steps {
			rows += explainStep(t, i, &script.Steps[i], env.Cwd, maxExplained-rows)
		}
		if err := t.Flush(); err != nil {
			return err
		}
		return explainWhole(w, &script, rows)
	})
}

// explainStep writes at most limit rows and returns how many there would be.
func explainStep(t io.Writer, i int, st *shell.Step, cwd string, limit int) int {
	number, words := strconv.Itoa(i+1), stepText(st)
	rows := 0
	row := func(effect, on, class, more string) {
		if rows++; rows <= limit {
			fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\n", number, words, effect, on, class, more)
		}
		number, words = "", ""
	}
	for e := range st.Effects {
		eff := &st.Effects[e]
		row(string(eff.Kind), effectTarget(eff, cwd), eff.Class, effectMore(eff))
	}
	if len(st.Labels) > 0 {
		row("output", strings.Join(st.Labels, ", "), "", "")
	}
	if rows == 0 {
		effect := "none"
		if !st.Known && !st.Builtin {
			effect = "unknown"
		}
		row(effect, "", st.Class, "")
	}
	return rows
}

// maxWords is how much of a command's words the table shows.
const maxWords = 48

func stepText(st *shell.Step) string {
	words := make([]string, 0, 1+len(st.Args))
	for _, o := range st.Outer {
		words = append(words, o.Name)
	}
	words = append(words, st.Program)
	for _, a := range st.Args {
		words = append(words, a.Text)
	}
	text := strings.TrimSpace(known(strings.Join(words, " ")))
	if runes := []rune(text); len(runes) > maxWords {
		text = string(runes[:maxWords-1]) + "…"
	}
	return printable(text)
}

// known writes what is not known as "…".
func known(text string) string { return strings.ReplaceAll(text, shell.Hole, "…") }

func effectTarget(e *shell.Effect, cwd string) string {
	target := known(e.Target)
	if rest, below := strings.CutPrefix(target, strings.TrimSuffix(cwd, "/")+"/"); below && cwd != "" {
		target = rest
	}
	if e.Real != "" && e.Real != e.Target {
		target += " -> " + known(e.Real)
	}
	if e.Recursive {
		target += "/**"
	}
	return printable(target)
}

func effectMore(e *shell.Effect) string {
	var more []string
	add := func(holds bool, text string) {
		if holds && text != "" {
			more = append(more, printable(known(text)))
		}
	}
	add(e.Source != "" && e.Source != "file", "from "+e.Source)
	add(true, e.Detail)
	add(e.Sink != "", e.Sink+" sink")
	add(len(e.Labels) > 0, strings.Join(e.Labels, ", "))
	add(e.Redirect, "redirect")
	add(e.Glob, "glob")
	add(e.Maybe, "perhaps")
	add(!e.Known, "not known")
	return strings.Join(more, "; ")
}

// explainWhole writes what holds for the line as a whole.
func explainWhole(w io.Writer, s *shell.Script, rows int) error {
	if rows > maxExplained {
		fmt.Fprintf(w, "and %d more effects\n", rows-maxExplained)
	}
	class := s.Class()
	if class == "" {
		class = "unknown"
	}
	readOnly := "no"
	if s.ReadOnly() {
		readOnly = "yes"
	}
	fmt.Fprintf(w, "\nread-only: %s\nclass:     %s\n", readOnly, class)
	for _, u := range s.Unknowns {
		closing := ""
		if u.Closing() {
			closing = " (asks)"
		}
		text := ""
		if u.Text != "" {
			text = " " + strconv.Quote(known(u.Text))
		}
		if _, err := fmt.Fprintf(w, "unknown:   %s%s%s\n", u.Kind, text, closing); err != nil {
			return err
		}
	}
	return nil
}
