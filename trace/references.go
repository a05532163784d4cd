package trace

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/planlint/planlint/internal/transcript"
	"github.com/planlint/planlint/plan"
)

// No reference syntax is common, so all that producers use are looked for, and
// what names no known step stays literal ("$5 off" is money).
var dialects = []struct {
	pattern *lazyRegexp
	// clear: nothing else looks like this, so that an unknown name is noted.
	clear bool
}{
	{lazily(`\$\{([^{}$]+)\}`), true},                                                // ${a.result.x} ${1}
	{lazily(`\{\{#?([^{}#]+)#?\}\}`), true},                                          // {{steps.a.result.x}} {{#id.x#}}
	{lazily(`\$steps\.([A-Za-z0-9_.#/~-]+)`), true},                                  // $steps.a.outputs.x#/0/id
	{lazily(`\$ref:([A-Za-z0-9_.\[\]-]+)`), true},                                    // $ref:a.x
	{lazily(`\$([A-Za-z_][A-Za-z0-9_ ]*(?:[.\[][^$\s]*)?)\$`), false},                // $var1.x[0]$
	{lazily(`\{([A-Za-z0-9_-]+)\}`), false},                                          // {step_3}
	{lazily(`\$([A-Za-z0-9_][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_]+|\[[0-9]+\])*)`), false}, // $name $a.json.x $1
	{lazily(`(#E[0-9]{1,4})`), false},
	{lazily(`<(?:node|GENERATED)>?-([0-9]{1,4})>?`), false}, // <node-0> <GENERATED>-0
}

// maxReference is the longest inside of a reference; what is longer is text.
const maxReference = 200

// found is one reference in a text.
type found struct {
	to *step
	// input is the parameter that is meant where to is nil.
	input      string
	path       plan.Path
	start, end int
}

// references finds the references of one value, in order and without overlaps.
func (s *steps) references(v *plan.Value) []found {
	if to, path, ok := s.object(v); ok {
		return []found{{to: to, path: path}}
	}
	if v.Kind != plan.String || !strings.ContainsAny(v.Text, "$#{<") {
		return nil
	}
	var out []found
	taken := make([]bool, len(v.Text))
	for _, d := range dialects {
		for _, m := range d.pattern.get().FindAllStringSubmatchIndex(v.Text, -1) {
			f := found{start: m[0], end: m[1]}
			if m[3]-m[2] > maxReference || taken[f.start] || taken[f.end-1] {
				continue
			}
			f.to, f.path = s.lookup(v.Text[m[2]:m[3]])
			if f.to == nil && s.inputs[v.Text[m[2]:m[3]]] {
				f.input = v.Text[m[2]:m[3]]
			}
			if f.to != nil || f.input != "" {
				out = append(out, f)
				for i := f.start; i < f.end; i++ {
					taken[i] = true
				}
			}
		}
	}
	slices.SortFunc(out, func(a, b found) int { return a.start - b.start })
	return out
}

// dangling reports a text that clearly refers to something that is no step.
func (s *steps) dangling(text string) string {
	for _, d := range dialects {
		if !d.clear {
			continue
		}
		for _, m := range d.pattern.get().FindAllStringSubmatch(text, 50) {
			if to, _ := s.lookup(m[1]); to == nil && !s.inputs[m[1]] {
				return m[0]
			}
		}
	}
	return ""
}

// object reads {"$ref": "a"}.
func (s *steps) object(v *plan.Value) (*step, plan.Path, bool) {
	if v.Kind != plan.Object || len(v.Keys) != 1 || v.Keys[0] != "$ref" || v.Items[0].Kind != plan.String {
		return nil, nil, false
	}
	to, path := s.lookup(v.Items[0].Text)
	return to, path, to != nil
}

// outputWords stand between a step's name and the path into what it returned.
var outputWords = []string{"result", "results", "output", "outputs", "response", "json", "stdout", "body", "data", "value"}

// lookup reads the inside of a reference: a step's name, perhaps with a prefix,
// then a path.
func (s *steps) lookup(text string) (*step, plan.Path) {
	text = strings.TrimSpace(text)
	pointer := ""
	if i := strings.Index(text, "#/"); i > 0 {
		text, pointer = text[:i], text[i+1:]
	}
	text = strings.TrimPrefix(text, "$")
	for _, prefix := range []string{"", "steps.", "tasks.", "step.", "node."} {
		rest, ok := strings.CutPrefix(text, prefix)
		if !ok {
			continue
		}
		if to, tail := s.longest(rest); to != nil {
			return to, append(pathOf(tail), pointerPath(pointer)...)
		}
	}
	return nil, nil
}

// longest finds the longest name that a text begins with, up to a separator.
func (s *steps) longest(text string) (*step, string) {
	for end := len(text); end > 0; end = strings.LastIndexAny(text[:end], ".[") {
		if to := s.named[text[:end]]; to != nil {
			return to, text[end:]
		}
	}
	return nil, ""
}

// pathOf reads .a.b[0]["c"], without the word that means the output itself.
func pathOf(text string) plan.Path {
	var path plan.Path
	for _, part := range strings.FieldsFunc(text, func(r rune) bool { return r == '.' || r == '[' || r == ']' }) {
		part = strings.Trim(part, `"'`)
		switch n, err := strconv.Atoi(part); {
		case part == "" || len(path) == 0 && slices.Contains(outputWords, part):
		case err == nil && n >= 0:
			path = append(path, plan.Step{Index: n, IsIndex: true})
		default:
			path = append(path, plan.Step{Key: part})
		}
		if len(path) == plan.MaxRefSteps {
			return nil // the whole output
		}
	}
	return path
}

func pointerPath(text string) plan.Path {
	var path plan.Path
	for _, part := range strings.Split(strings.Trim(text, "/"), "/") {
		part = strings.NewReplacer("~1", "/", "~0", "~").Replace(part)
		if n, err := strconv.Atoi(part); err == nil && n >= 0 {
			path = append(path, plan.Step{Index: n, IsIndex: true})
		} else if part != "" {
			path = append(path, plan.Step{Key: part})
		}
	}
	return path[:min(len(path), plan.MaxRefSteps)]
}

// resolver turns a step's arguments into values with references.
type resolver struct {
	steps *steps
	step  *step
}

func (r *resolver) value(v plan.Value) plan.Value {
	if v.Kind == plan.String {
		if text := r.steps.dangling(v.Text); text != "" {
			r.steps.note(r.step, plan.Note{ID: NoteReference, Pos: v.Pos,
				Message: fmt.Sprintf("%s names no step and is taken literally", strconv.Quote(text))})
		}
	}
	if refs := r.steps.references(&v); len(refs) > 0 {
		return r.referring(&v, refs)
	}
	out := v
	if len(v.Items) > 0 {
		out.Items = make([]plan.Value, len(v.Items))
		for i := range v.Items {
			out.Items[i] = r.value(v.Items[i])
		}
	}
	return out
}

// referring makes a value of a text with references. One to a step that does not
// come before is unknown, and closes the call.
func (r *resolver) referring(v *plan.Value, refs []found) plan.Value {
	out := plan.Value{Kind: plan.String, Text: v.Text, Pos: v.Pos, Ext: &plan.Ext{}}
	if v.Kind == plan.Object {
		out.Text = ""
	}
	for _, f := range refs {
		if f.to == nil {
			whole := len(refs) == 1 && f.start == 0 && f.end == len(v.Text)
			out.Ext.Refs = append(out.Ext.Refs, plan.Ref{Name: f.input, Call: -1, Start: f.start, End: f.end, Whole: whole, Pos: v.Pos})
			continue
		}
		if f.to.index >= r.step.index || f.to.index < 0 {
			r.steps.note(r.step, plan.Note{ID: NoteOrder, Pos: v.Pos, Closing: true,
				Message: "it refers to a step that does not come before it; the value counts as unknown"})
			return plan.Value{Kind: plan.UnknownValue, Pos: v.Pos, Ext: &plan.Ext{Unknown: &plan.UnknownSource{By: "code"}}}
		}
		ref := plan.Ref{Name: f.to.id, Call: f.to.index, Path: f.path, Output: true, Start: f.start, End: f.end, Pos: v.Pos}
		ref.Whole = len(refs) == 1 && len(f.to.joined) == 0 && (v.Kind == plan.Object || f.start == 0 && f.end == len(v.Text))
		if v.Kind == plan.Object {
			out.Text = ref.String()
			ref.Start, ref.End = 0, len(out.Text)
		}
		out.Ext.Refs = append(out.Ext.Refs, ref)
		for _, other := range f.to.joined {
			r.join(&out, other)
		}
	}
	return out
}

// join adds a reference to a further call of the same stage.
func (r *resolver) join(out *plan.Value, other *step) {
	if other.index >= r.step.index || other.index < 0 {
		return
	}
	ref := plan.Ref{Name: other.id, Call: other.index, Output: true, Via: "list", Pos: out.Pos, Start: len(out.Text)}
	out.Text += ref.String()
	ref.End = len(out.Text)
	out.Ext.Refs = append(out.Ext.Refs, ref)
}

// parsed reads arguments that are written as JSON inside a string.
func parsed(v plan.Value) plan.Value {
	text := strings.TrimSpace(v.Text)
	if v.Kind != plan.String || !strings.HasPrefix(text, "{") {
		return v
	}
	inner, err := transcript.Unplaced(text)
	if err != nil || inner.Kind != plan.Object {
		return v
	}
	placed(&inner, v.Pos)
	return inner
}

func placed(v *plan.Value, at plan.Position) {
	v.Pos = at
	for i := range v.Items {
		placed(&v.Items[i], at)
	}
}
