package policy

import (
	"fmt"
	"regexp"
	"sort"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/planlint/planlint/internal/compiled"
	"github.com/planlint/planlint/tool"
)

// Problem is something that is wrong with a policy, or that an untrusted layer
// said in vain.
type Problem struct {
	// ID is empty for an error, and a diagnostic's id (PL9020 and on) for what
	// was ignored.
	ID      string
	At      tool.Origin
	Message string
	Hint    string
	// Line is the text of the line, escaped; Caret the place and length in it,
	// in characters. Both are zero where the place is not in a file.
	Line          string
	Caret, Length int
}

// Error returns the problem as a person reads it: the place, what is wrong, the
// line with the part that is meant underlined, and a hint. It ends without a
// newline.
func (p Problem) Error() string {
	var b strings.Builder
	if p.At.Line > 0 {
		fmt.Fprintf(&b, "%s:%d:%d: ", escape(p.At.File), p.At.Line, p.At.Column)
	} else if p.At.File != "" {
		fmt.Fprintf(&b, "%s: ", escape(p.At.File))
	}
	if p.ID != "" {
		b.WriteString(p.ID + ": ")
	}
	b.WriteString(p.Message)
	if p.Line != "" {
		number := fmt.Sprint(p.At.Line)
		gutter := strings.Repeat(" ", len(number))
		fmt.Fprintf(&b, "\n%s |\n%s | %s\n%s | %s%s", gutter, number, p.Line, gutter,
			strings.Repeat(" ", p.Caret), strings.Repeat("^", max(1, p.Length)))
	}
	if p.Hint != "" {
		b.WriteString("\nhint: " + p.Hint)
	}
	return b.String()
}

// Errors returns the problems that made the policy unusable.
func Errors(list []Problem) []Problem {
	var out []Problem
	for _, p := range list {
		if p.ID == "" {
			out = append(out, p)
		}
	}
	return out
}

// sources are the files that were read, by the name that messages have.
type sources map[string][]byte

// finish adds the lines of the files to problems, sorts them by place and drops
// repetitions. Layer order is kept for different files.
func (s sources) finish(list []compiled.Problem, order []string) []Problem {
	rank := make(map[string]int, len(order))
	for i, name := range order {
		if _, seen := rank[name]; !seen {
			rank[name] = i + 1
		}
	}
	sort.SliceStable(list, func(i, j int) bool {
		a, b := list[i].At, list[j].At
		if rank[a.File] != rank[b.File] {
			return rank[a.File] < rank[b.File]
		}
		if a.Line != b.Line {
			return a.Line < b.Line
		}
		return a.Column < b.Column
	})
	var out []Problem
	list = s.withoutOthers(list)
	for i, p := range list {
		if i > 0 && p.At == list[i-1].At && p.Message == list[i-1].Message && p.ID == list[i-1].ID {
			continue
		}
		if len(out) == maxProblems {
			out = append(out, Problem{At: tool.Origin{File: p.At.File}, Message: fmt.Sprintf("and %d more problems", len(list)-i)})
			break
		}
		out = append(out, s.show(p))
	}
	return out
}

// policyLike is a line that begins a policy's top-level key. A file without one is
// some other file that was named by mistake, or by a project's extends: nothing of
// it is shown, since it may hold anything.
var policyLike = lazy(`(?m)^[ {]{0,3}["']?(version|extends|settings|labels|sources|sinks|audiences|tools|rules|permissions|compose|protected|gates|tests|policy)["']?\s*:`)

// aboutFile is what may be said of any file: it quotes nothing of it.
var aboutFile = lazy(`^(the file is |control character )`)

// withoutOthers says of a file that is no policy at all just that.
func (s sources) withoutOthers(list []compiled.Problem) []compiled.Problem {
	var out []compiled.Problem
	said := map[string]bool{}
	for _, p := range list {
		data, known := s[p.At.File]
		switch {
		case !known || p.At.Line == 0 || aboutFile().MatchString(p.Message) || policyLike().Match(data):
			out = append(out, p)
		case !said[p.At.File]:
			said[p.At.File] = true
			out = append(out, compiled.Problem{At: tool.Origin{File: p.At.File},
				Message: "this is no planlint policy: it has none of a policy's keys", Hint: "a policy starts with version: 1"})
		}
	}
	return out
}

func (s sources) show(p compiled.Problem) Problem {
	out := Problem{ID: p.ID, At: p.At, Message: p.Message, Hint: p.Hint}
	line, ok := lineOf(s[p.At.File], p.At.Line)
	if !ok || !policyLike().Match(s[p.At.File]) {
		return out
	}
	start := min(max(p.At.Column-1, 0), len(line))
	end := min(start+p.Length, len(line))
	from, prefix := window(line, start)
	out.Line = prefix + escape(line[from:min(len(line), from+maxShown)])
	out.Caret = len([]rune(prefix)) + utf8.RuneCountInString(escape(line[from:start]))
	out.Length = min(utf8.RuneCountInString(escape(line[start:end])), maxShown)
	return out
}

// window returns where to start showing a line whose interesting part is at
// start, so that it is among what is shown.
func window(line string, start int) (from int, prefix string) {
	if start <= maxShown*2/3 {
		return 0, ""
	}
	from = start - maxShown/3
	for from < start && !utf8.RuneStart(line[from]) {
		from++
	}
	return from, "…"
}

func lineOf(data []byte, number int) (string, bool) {
	if number < 1 || data == nil {
		return "", false
	}
	rest := string(data)
	for ; number > 1; number-- {
		_, after, ok := strings.Cut(rest, "\n")
		if !ok {
			return "", false
		}
		rest = after
	}
	line, _, _ := strings.Cut(rest, "\n")
	return strings.TrimSuffix(line, "\r"), true
}

// escape makes text from a file safe to print: a file may come from a cloned
// repository, and so may its name.
func escape(s string) string {
	clean := true
	for _, r := range s {
		clean = clean && unicode.IsPrint(r) && r != utf8.RuneError
	}
	if clean {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '\t':
			b.WriteByte(' ')
		case unicode.IsPrint(r) && r != utf8.RuneError:
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// lazy compiles a regular expression when it is first used: most runs of the
// command need none of them.
func lazy(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
