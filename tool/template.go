package tool

import (
	"fmt"
	"slices"
	"strings"

	"github.com/planlint/planlint/plan"
)

// maxNames bounds the names that one template gives; a template that would give
// more is not known, which is the strict side.
const maxNames = 256

// scope says where a template's value comes from.
type scope uint8

const (
	literal scope = iota
	fromArgs
	fromOutput
)

// template is a name with holes: "memory:{args.key}".
type template struct {
	text  string
	parts []templatePart
	// whole: the text is "args.PATH" or "output.PATH" and every value is a name
	// of its own; addresses are taken apart.
	whole bool
}

type templatePart struct {
	from scope
	text string
	path plan.Path
	name string // of path
	arg  int    // index of the declared argument, -1 for none
}

// parseTemplate reads a principal or a cell's name. A bare args.PATH stands for
// its values, unless braces are required.
func parseTemplate(text string, bare bool) (template, error) {
	t := template{text: text}
	if text == "" {
		return t, fmt.Errorf("empty name")
	}
	if bare && (strings.HasPrefix(text, "args.") || strings.HasPrefix(text, "output.") || strings.HasPrefix(text, "output[")) {
		part, err := parseHole(text)
		t.whole = true
		t.parts = []templatePart{part}
		return t, err
	}
	for rest := text; rest != ""; {
		open := strings.IndexByte(rest, '{')
		if open < 0 {
			t.parts = append(t.parts, templatePart{text: rest})
			break
		}
		end := strings.IndexByte(rest[open:], '}')
		if end < 0 {
			return t, fmt.Errorf("no } after %q", rest[open:])
		}
		if open > 0 {
			t.parts = append(t.parts, templatePart{text: rest[:open]})
		}
		part, err := parseHole(rest[open+1 : open+end])
		if err != nil {
			return t, err
		}
		t.parts = append(t.parts, part)
		rest = rest[open+end+1:]
	}
	return t, nil
}

func parseHole(text string) (templatePart, error) {
	from, rest := fromArgs, strings.TrimPrefix(text, "args.")
	if rest == text {
		from, rest = fromOutput, strings.TrimPrefix(text, "output")
		if rest == text {
			return templatePart{}, fmt.Errorf("%q is neither args.PATH nor output.PATH", text)
		}
		rest = strings.TrimPrefix(rest, ".")
	}
	path, err := ParsePath(rest)
	if err == nil && len(path) == 0 {
		err = fmt.Errorf("%q names no part", text)
	}
	return templatePart{from: from, text: text, path: path, name: path.String(), arg: -1}, err
}

// constant reports whether the template has no holes.
func (t template) constant() bool {
	for _, p := range t.parts {
		if p.from != literal {
			return false
		}
	}
	return true
}

// names fills the holes with what value returns for each. A hole without a
// value (an argument that was not given) gives no name; ok is false where a
// value is not known. prefix is the text before the first hole.
func (t template) names(value func(templatePart) (texts []string, ok bool)) (names []string, ok bool) {
	names = []string{""}
	for _, p := range t.parts {
		texts := []string{p.text}
		if p.from != literal {
			if texts, ok = value(p); !ok || len(texts)*len(names) > maxNames {
				return nil, false
			}
		}
		next := make([]string, 0, len(names)*len(texts))
		for _, n := range names {
			for _, text := range texts {
				next = append(next, n+text)
			}
		}
		names = next
	}
	return names, true
}

func (t template) prefix() string {
	if len(t.parts) > 0 && t.parts[0].from == literal {
		return t.parts[0].text
	}
	return ""
}

// bind finds the declared arguments that the holes mean.
func (t template) bind(names []string) {
	for i := range t.parts {
		t.parts[i].arg = slices.Index(names, t.parts[i].name)
	}
}
