package trace

import (
	"strings"

	"github.com/planlint/planlint/plan"
)

// Plans that papers write as text: ReWOO's evidence lines and LLMCompiler's
// numbered calls.
var (
	rewooLine    = lazily(`^\s*(#E[0-9]{1,4})\s*=\s*([A-Za-z_]\w*)\s*\[(.*)$`)
	rewooMark    = lazily(`(?m)^\s*#E[0-9]{1,4}\s*=\s*[A-Za-z_]\w*\s*\[`)
	compilerLine = lazily(`^\s*([0-9]{1,4})\.\s*([A-Za-z_]\w*)\s*\((.*)$`)
	compilerMark = lazily(`(?m)^\s*[0-9]{1,4}\.\s*[A-Za-z_]\w*\s*\(`)
	compilerEnd  = lazily(`<END_OF_PLAN>|(?m)^\s*[0-9]{1,4}\.\s*join\s*\(`)
)

func textPlanFormat(text string) Format {
	switch {
	case strings.Contains(text, "#E") && rewooMark.get().MatchString(text):
		return ReWOO
	case strings.Contains(text, "(") && compilerMark.get().MatchString(text) && (compilerEnd.get().MatchString(text) || onlyCalls(text)):
		return LLMCompiler
	}
	return Unknown
}

// onlyCalls reports whether a text of several lines is numbered calls and
// thoughts and nothing else; the last line may be broken off.
func onlyCalls(text string) bool {
	lines := strings.Split(text, "\n")
	calls := 0
	for _, line := range lines[:len(lines)-1] {
		switch {
		case compilerLine.get().MatchString(line):
			calls++
		case strings.TrimSpace(line) != "" && !strings.HasPrefix(line, "Thought:"):
			return false
		}
	}
	return calls >= 2
}

// eachLine calls f with every line, its number and the text's place.
func eachLine(src []byte, f func(line string, number int32)) {
	rest := strings.TrimPrefix(string(src), "\ufeff")
	for n := int32(1); rest != ""; n++ {
		line, after, _ := strings.Cut(rest, "\n")
		f(strings.TrimSuffix(line, "\r"), n)
		rest = after
	}
}

// rewoo reads `#E1 = Tool[text]`, up to the last bracket of the line. The tool
// LLM is a model's step.
func (r *reader) rewoo(src []byte) []*plan.Plan {
	s := newSteps()
	eachLine(src, func(line string, number int32) {
		m := rewooLine.get().FindStringSubmatchIndex(line)
		if m == nil {
			return
		}
		st := &step{id: line[m[2]:m[3]], tool: line[m[4]:m[5]], kind: plan.Tool,
			pos: plan.Position{Line: number, Column: int32(m[2] + 1), Length: int32(len(line) - m[2])}}
		text := line[m[6]:m[7]]
		if end := strings.LastIndexByte(text, ']'); end >= 0 {
			text = text[:end]
		} else {
			s.note(st, plan.Note{ID: NoteUnreadable, Message: "the line has no closing bracket; its rest was taken"})
		}
		if st.tool == "LLM" {
			st.kind = plan.Model
		}
		at := plan.Position{Line: number, Column: int32(m[6] + 1), Length: int32(len(text))}
		st.args = plan.Value{Kind: plan.Object, Pos: at, Keys: []string{"input"}, Items: []plan.Value{{Kind: plan.String, Text: text, Pos: at}}}
		s.add(st)
	})
	return r.ofSteps(s)
}

func (r *reader) ofSteps(s *steps) []*plan.Plan {
	if len(s.list) == 0 {
		return nil
	}
	return []*plan.Plan{s.plan(string(r.format), r.name)}
}

// compiler reads `1. tool("a", 2)`. Arguments that are no list of literals are
// one text. A join may plan anew, so that more can run.
func (r *reader) compiler(src []byte) []*plan.Plan {
	s := newSteps()
	var open *plan.Open
	eachLine(src, func(line string, number int32) {
		m := compilerLine.get().FindStringSubmatchIndex(line)
		if m == nil {
			return
		}
		at := plan.Position{Line: number, Column: int32(m[2] + 1), Length: int32(len(line) - m[2])}
		tool, text := line[m[4]:m[5]], line[m[6]:m[7]]
		if tool == "join" {
			open = &plan.Open{Why: "join may write a new plan", Pos: at}
			return
		}
		text, _, _ = strings.Cut(text, "<END_OF_PLAN>")
		st := &step{id: line[m[2]:m[3]], tool: tool, kind: plan.Tool, pos: at}
		if end := strings.LastIndexByte(text, ')'); end >= 0 {
			text = text[:end]
		} else {
			s.note(st, plan.Note{ID: NoteUnreadable, Message: "the line has no closing bracket; its rest was taken"})
		}
		st.args = literals(text, plan.Position{Line: number, Column: int32(m[6] + 1), Length: int32(len(text))})
		s.add(st)
	})
	plans := r.ofSteps(s)
	for _, p := range plans {
		p.Open = open
	}
	return plans
}

var keyword = lazily(`^\s*([A-Za-z_]\w*)\s*=\s*(.*)$`)

// literals reads the arguments of a call: strings in either quotes, numbers,
// keyword arguments; what it can't read it takes as text.
func literals(text string, at plan.Position) plan.Value {
	out := plan.Value{Kind: plan.Object, Pos: at}
	for i, part := range splitArguments(text) {
		name := "arg" + string(rune('1'+min(i, 8)))
		if i == 0 {
			name = "input"
		}
		if m := keyword.get().FindStringSubmatch(part); m != nil {
			name, part = m[1], m[2]
		}
		out.Keys = append(out.Keys, name)
		out.Items = append(out.Items, plan.Value{Kind: plan.String, Text: unquoted(strings.TrimSpace(part)), Pos: at})
	}
	return out
}

// splitArguments cuts at commas outside of quotes and brackets.
func splitArguments(text string) []string {
	var parts []string
	depth, start := 0, 0
	var quote byte
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quote != 0 && c == '\\':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case strings.IndexByte("([{", c) >= 0:
			depth++
		case strings.IndexByte(")]}", c) >= 0:
			depth--
		case c == ',' && depth <= 0 && len(parts) < 8:
			parts = append(parts, text[start:i])
			start = i + 1
		}
	}
	if rest := text[start:]; strings.TrimSpace(rest) != "" || len(parts) > 0 {
		parts = append(parts, rest)
	}
	return parts
}

func unquoted(text string) string {
	if len(text) >= 2 && (text[0] == '"' || text[0] == '\'') && text[len(text)-1] == text[0] {
		return strings.NewReplacer(`\"`, `"`, `\'`, `'`, `\\`, `\`).Replace(text[1 : len(text)-1])
	}
	return text
}
