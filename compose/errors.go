package compose

import (
	"fmt"
	"regexp"
	"sort"
	"strings"
	"sync"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/operators"

	"github.com/planlint/planlint/internal/spell"
	"github.com/planlint/planlint/tool"
)

// Error is one mistake in a condition.
type Error struct {
	// At is the place of the mistake in the file.
	At tool.Origin
	// Length is how many characters are meant, at least 1.
	Length int
	// Line is the line of the condition that it stands in, Column its place
	// there in characters, from 1.
	Line   string
	Column int
	// Message says what is wrong, Hint what can be written instead.
	Message string
	Hint    string
}

// Error writes file:line:column and the message, the line, a caret, the hint.
func (e Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s", originString(e.At), e.Message)
	if e.Line != "" {
		number := fmt.Sprint(e.At.Line)
		gutter := strings.Repeat(" ", len(number))
		fmt.Fprintf(&b, "\n%s |\n%s | %s\n%s | %s%s", gutter, number, e.Line, gutter,
			strings.Repeat(" ", max(e.Column-1, 0)), strings.Repeat("^", max(e.Length, 1)))
	}
	if e.Hint != "" {
		b.WriteString("\nhint: " + e.Hint)
	}
	return b.String()
}

// Problem returns the mistake as other packages report mistakes in contracts.
func (e Error) Problem() tool.Problem {
	return tool.Problem{Pos: e.At, Message: e.Message, Hint: e.Hint}
}

// Errors are all mistakes in one condition, in the order of the text.
type Errors []Error

// Error writes all of them.
func (e Errors) Error() string {
	parts := make([]string, len(e))
	for i := range e {
		parts[i] = e[i].Error()
	}
	return strings.Join(parts, "\n")
}

// Unwrap returns the single errors.
func (e Errors) Unwrap() []error {
	errs := make([]error, len(e))
	for i := range e {
		errs[i] = e[i]
	}
	return errs
}

func (e Errors) sorted() Errors {
	sort.SliceStable(e, func(i, j int) bool {
		if e[i].At.Line != e[j].At.Line {
			return e[i].At.Line < e[j].At.Line
		}
		return e[i].At.Column < e[j].At.Column
	})
	return e
}

func originString(at tool.Origin) string {
	if at.File == "" {
		return fmt.Sprintf("%d:%d", at.Line, at.Column)
	}
	return fmt.Sprintf("%s:%d:%d", at.File, at.Line, at.Column)
}

// errorAt makes the error for length characters from an offset of the text.
func (c *condition) errorAt(offset, length int, message, hint string) Error {
	line, column := 0, 0
	runes := []rune(c.text)
	offset = min(max(offset, 0), len(runes))
	start := 0
	for i, r := range runes[:offset] {
		if r == '\n' {
			line++
			start = i + 1
		}
	}
	column = offset - start
	end := start
	for end < len(runes) && runes[end] != '\n' {
		end++
	}
	return Error{
		At:      tool.Origin{File: c.at.File, Line: c.at.Line + line, Column: c.at.Column + column},
		Length:  max(min(length, end-offset), 1),
		Line:    visible(string(runes[start:end])),
		Column:  column + 1,
		Message: message,
		Hint:    hint,
	}
}

// visible keeps a line of the condition on one line of the message: control
// characters, which a terminal would obey, become spaces of the same width.
func visible(line string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x20 || r == 0x7f || 0x80 <= r && r < 0xa0 || 0x202a <= r && r <= 0x202e || 0x2066 <= r && r <= 0x2069 {
			return ' '
		}
		return r
	}, line)
}

var (
	undeclared = lazy(`^undeclared reference to '([^']*)'`)
	noOverload = lazy(`^found no matching overload for '([^']*)' applied to '([^']*)'`)
	unexpected = lazy(`^syntax error: (?:mismatched|extraneous) input ('.*?')(?: expecting .*)?$`)
	noFields   = lazy(`^type '([^']*)' does not support field selection`)
)

// translate turns CEL's messages into ours. What the walker found already, an
// undefined field, is left out.
func (c *condition) translate(issues *cel.Issues, found Errors) Errors {
	if issues == nil {
		return nil
	}
	var errs Errors
	for _, issue := range issues.Errors() {
		if len(found) > 0 && strings.HasPrefix(issue.Message, "undefined field") {
			continue
		}
		offset := c.offset(issue.Location.Line(), issue.Location.Column())
		errs = append(errs, c.translated(issue.Message, offset))
	}
	return errs
}

func (c *condition) translated(message string, offset int) Error {
	if m := undeclared().FindStringSubmatch(message); m != nil {
		name := m[1]
		if c.isFunction(offset) {
			offset -= c.calledBefore(offset, name)
			return c.errorAt(offset, len([]rune(name)), fmt.Sprintf("unknown function %q", name), spell.Hint(name, functionNames))
		}
		allowed := variableNames(c.scope)
		message := fmt.Sprintf("unknown variable %q in a condition on %s", name, c.scope)
		hint := spell.Hint(name, allowed)
		if name == "call" && c.scope == ScopeFlow {
			hint += "; the calls of a flow are flow.source.call and flow.sink.call"
		}
		return c.errorAt(offset, len([]rune(name)), message, hint)
	}
	if m := noOverload().FindStringSubmatch(message); m != nil {
		name := m[1]
		if symbol, ok := operators.FindReverse(name); ok && symbol != "" {
			return c.errorAt(offset, len(symbol), fmt.Sprintf("operator %q does not take %s", symbol, plainTypes(m[2])), "")
		}
		return c.errorAt(offset, 1, fmt.Sprintf("function %q does not take %s", name, plainTypes(m[2])), "")
	}
	if m := noFields().FindStringSubmatch(message); m != nil {
		return c.errorAt(offset, 1, fmt.Sprintf("a %s has no fields", plainTypes(m[1])), "")
	}
	message, _, _ = strings.Cut(strings.ReplaceAll(message, "Syntax error:", "syntax error:"), "\n")
	if m := unexpected().FindStringSubmatch(message); m != nil {
		message = "syntax error: unexpected " + strings.ReplaceAll(m[1], "'<EOF>'", "end of the condition")
	}
	return c.errorAt(offset, 1, visible(message), "")
}

// isFunction reports whether a name is called: CEL places calls at their
// parenthesis, variables at their first letter.
func (c *condition) isFunction(offset int) bool {
	runes := []rune(c.text)
	return offset < len(runes) && runes[offset] == '('
}

// calledBefore is how far the name of a call stands before its parenthesis.
func (c *condition) calledBefore(offset int, name string) int {
	runes := []rune(c.text)
	length := len([]rune(name))
	if offset >= length && string(runes[offset-length:offset]) == name {
		return length
	}
	return 0
}

// offset turns a line from 1 and a column from 0 into an offset in characters.
func (c *condition) offset(line, column int) int {
	at := 0
	for _, r := range c.text {
		if line <= 1 {
			break
		}
		at++
		if r == '\n' {
			line--
		}
	}
	return at + max(column, 0)
}

func plainTypes(list string) string { return strings.ReplaceAll(list, typePrefix, "") }

// lazy compiles a regular expression when it is first used: most runs of the
// command need none of them.
func lazy(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
