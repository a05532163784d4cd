package report

import (
	"fmt"
	"strings"

	"github.com/planlint/planlint/finding"
	"github.com/planlint/planlint/origin"
	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/taint"
)

// What is shown of where values came from. Values are not shown here: the source
// line has them, unless they are confidential.
const (
	// maxParts is how many values are told of a finding, or of one argument.
	maxParts = 3
	// maxChain is how many steps of a chain of pointers are told.
	maxChain = 3
)

// originLines tell, escaped, what a finding on origins rests on: the values that
// raised it, where each stands, and how the user points there.
func originLines(p *finding.PlanReport, f *finding.Finding) []string {
	var lines []string
	for _, r := range f.Reasons() {
		if r.Part < 0 && r.Why != message(f) {
			lines = append(lines, Escape(r.Why))
		}
	}
	from := originOf(p, f)
	parts := p.Parts(f)
	for n, i := range parts {
		if n == maxParts {
			lines = append(lines, "… "+count(len(parts)-n, "more value"))
			break
		}
		part := &from.Parts[i]
		if line := argumentName(part) + ": " + partText(p, from, i); len(appendNew(lines, line)) > len(lines) {
			lines = append(lines, line)
		}
	}
	return lines
}

func originOf(p *finding.PlanReport, f *finding.Finding) *origin.Call {
	if f.Origin != nil {
		return f.Origin
	}
	if f.Call < 0 || f.Call >= len(p.Calls) || p.Calls[f.Call].Origin == nil {
		return &origin.Call{}
	}
	return p.Calls[f.Call].Origin
}

// argumentName is the same at the head of a line: "argument to".
func argumentName(part *origin.Part) string {
	if part.Inside {
		return partName(part)
	}
	return "argument " + partName(part)
}

// partName says which value of a call is meant: "to", "a url inside body".
func partName(part *origin.Part) string {
	name := clip(part.Argument, maxName)
	if !part.Inside {
		return name
	}
	kind := part.Atom.String()
	if kind == "" {
		kind = "value"
	}
	article := "a "
	if strings.ContainsAny(kind[:1], "aeio") {
		article = "an "
	}
	return article + kind + " inside " + name
}

// partText says where a value came from: by whom, where it stands, how it is
// known, and what the user has to do with it.
func partText(p *finding.PlanReport, from *origin.Call, i int) string {
	part := &from.Parts[i]
	text := fromText(part.From)
	if decoding := part.Decoding(); decoding != "" {
		text += ", decoded from " + Escape(decoding)
	}
	source := part.Source()
	if source.Text == 0 && (source.Call < 0 || source.Call >= len(p.Calls)) {
		return text
	}
	text += ", " + sourceText(p, source)
	if part.From != origin.FromText {
		return text // what the user or a service said too needs no standing
	}
	return text + "; " + standingText(p, part, accused(from, i))
}

// sourceText names a field of an output, and the cell that it was read from.
func sourceText(p *finding.PlanReport, at origin.Place) string {
	if at.Text > 0 {
		return placeName(p, taint.Place{Kind: taint.PlaceText, Call: -1, Text: at.Text - 1})
	}
	text := placeName(p, taint.Place{Kind: taint.PlaceOutput, Call: at.Call, Field: clip(at.Field, maxName)})
	if cell := cellRead(p, at.Call); cell != "" {
		text += " (" + clip(cell, maxName) + ")"
	}
	return text
}

// cellRead is the one file or other cell that a call reads, empty for none or
// several.
func cellRead(p *finding.PlanReport, call int) string {
	if p.Labels == nil {
		return ""
	}
	found := ""
	steps := p.Labels.Graph().Facts(call).Steps
	for i := range steps {
		for k := range steps[i].Reads {
			r := &steps[i].Reads[k]
			if r.Kind != taint.FromCell {
				continue
			}
			if found != "" && found != r.Cell.Name {
				return ""
			}
			found = r.Cell.Name
		}
	}
	return found
}

var fromTexts = [...]struct {
	set  origin.Set
	text string
}{
	{origin.FromUser, "the user's words"},
	{origin.FromService, "a field that the service made"},
	{origin.FromName, "a name or title"},
	{origin.FromText, "third-party text"},
}

// fromText says who wrote a value.
func fromText(from origin.Set) string {
	if from == origin.FromText {
		return "only in third-party text"
	}
	var names []string
	for _, f := range fromTexts {
		if from&f.set != 0 {
			names = append(names, f.text)
		}
	}
	switch len(names) {
	case 0:
		return "made by the model: nothing recorded holds it"
	case 1:
		return names[0]
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}

// accused reports whether a value raised a signal that speaks against it.
func accused(from *origin.Call, part int) bool {
	for _, r := range from.Reasons() {
		if r.Part == part && r.Signal != origin.Endorsed {
			return true
		}
	}
	return false
}

// standingText says why the record that holds a value has standing or none.
// accused: a rule speaks of the value, so that the standing was not enough.
func standingText(p *finding.PlanReport, part *origin.Part, accused bool) string {
	how := chainText(p, part.Chain())
	switch {
	case part.Endorsed && how != "":
		return "taken since " + how
	case part.Endorsed:
		return "taken since the user pointed there"
	case part.Standing == origin.None:
		return "the user did not point there"
	case how == "":
		how = "the user pointed there"
	}
	switch {
	case !accused:
		return how
	case part.Lacks() == "":
		return how + ", which does not cover it"
	}
	return how + ", but " + Escape(part.Lacks())
}

// chainText tells the steps by which the user points at a record: "the user's
// words say where it is (2 read_file)".
func chainText(p *finding.PlanReport, chain []origin.Pointer) string {
	var steps []string
	for i, step := range chain {
		if i == maxChain {
			steps = append(steps, "… "+count(len(chain)-i, "more step"))
			break
		}
		if step.Call < 0 {
			steps = append(steps, Escape(step.How))
			continue
		}
		at := callName(p, step.Call)
		if step.Via.Field != "" && step.Via.Call >= 0 {
			at += ", by " + sourceText(p, step.Via)
		}
		steps = append(steps, fmt.Sprintf("%s (%s)", Escape(step.How), at))
	}
	return strings.Join(steps, ", then ")
}

// argument is what explain says of one argument of a call, escaped.
type argument struct {
	name  string
	lines []string
}

// arguments tell of every argument of a call where it came from, in the order of
// the file.
func arguments(p *finding.PlanReport, m *masker, c *finding.CallReport) []argument {
	if p.Plan == nil || c.Index >= len(p.Plan.Calls) {
		return nil
	}
	args := &p.Plan.Calls[c.Index].Args
	if args.Kind != plan.Object {
		return []argument{{"(input)", argumentLines(p, c, args)}}
	}
	var out []argument
	for i := range args.Items {
		name := clip(args.Keys[i], maxName)
		if v := m.short(&args.Items[i], 40); v != "" {
			name += "=" + v
		}
		out = append(out, argument{name, argumentLines(p, c, &args.Items[i])})
	}
	return out
}

// argumentLines says where one argument came from: what it refers to, then the
// values that were looked for in it.
func argumentLines(p *finding.PlanReport, c *finding.CallReport, arg *plan.Value) []string {
	lines := references(p, arg)
	slots := slotsOf(p, c.Index, arg)
	lines = append(lines, copies(p, c.Index, slots)...)
	if c.Origin != nil {
		left, copied := 0, len(lines) > 0
		for i := range c.Origin.Parts {
			part := &c.Origin.Parts[i]
			if !slots[int(part.Slot)] || copied && part.From == 0 && !part.Inside {
				continue
			}
			text := partText(p, c.Origin, i)
			if part.Inside || part.Argument != "" && len(slots) > 1 {
				text = partName(part) + ": " + text
			}
			if more := appendNew(lines, text); len(more) > 2*maxParts {
				left++
			} else {
				lines = more
			}
		}
		if left > 0 {
			lines = append(lines, "… "+count(left, "more value"))
		}
	}
	if len(lines) == 0 {
		lines = append(lines, "nothing that is looked for: a mode, a flag, a common word, or a role that decides nothing")
	}
	return lines
}

// references are the outputs and inputs that an argument refers to.
func references(p *finding.PlanReport, arg *plan.Value) []string {
	var lines []string
	arg.Walk(func(_ plan.Path, v *plan.Value) bool {
		for _, r := range v.Refs() {
			text := "refers to "
			if r.Call < 0 {
				text += "input " + clip(r.Name, maxName)
			} else {
				text += sourceText(p, origin.Place{Call: r.Call, Field: r.Path.String()})
			}
			lines = appendNew(lines, text)
		}
		return true
	})
	return lines
}

// copies are the outputs that hold what stands in some slots of a call.
func copies(p *finding.PlanReport, call int, slots map[int]bool) []string {
	if p.Labels == nil || len(slots) == 0 {
		return nil
	}
	g := p.Labels.Graph()
	facts := g.Facts(call)
	names := map[string]bool{}
	for k := range slots {
		names[facts.Slots[k].Name] = true
	}
	var lines []string
	g.Nodes(func(n taint.Node) bool {
		if n.Place.Kind == taint.PlaceArgument && n.Place.Call == call && names[n.Place.Field] {
			for _, e := range g.InEdges(n.ID) {
				from := g.Node(e.From).Place
				if e.Precision == taint.Value && e.Evidence.Kind == taint.ByMatch && from.Call >= 0 {
					lines = appendNew(lines, copyText(p, from, &e.Evidence))
				}
			}
		}
		return true
	})
	if len(lines) > 2*maxParts {
		left := len(lines) - 2*maxParts
		lines = append(lines[:2*maxParts], "… found in "+count(left, "more output"))
	}
	return lines
}

// copyText says that a value was found again, where, and how long it is.
func copyText(p *finding.PlanReport, from taint.Place, e *taint.Evidence) string {
	text := "found in " + sourceText(p, origin.Place{Call: from.Call, Field: firstOf(e.Source, from.Field)})
	if e.Decoding != "" {
		text += ", decoded from " + Escape(e.Decoding)
	}
	if size := sizeClass(e.Length); size != "" && e.Length >= minDigest {
		text += " (" + size + digestText(e.Digest) + ")"
	}
	return text
}

// slotsOf are the slots whose values lie in an argument.
func slotsOf(p *finding.PlanReport, call int, arg *plan.Value) map[int]bool {
	if p.Labels == nil {
		return nil
	}
	inside := map[*plan.Value]bool{}
	arg.Walk(func(_ plan.Path, v *plan.Value) bool {
		inside[v] = true
		return true
	})
	slots := map[int]bool{}
	facts := p.Labels.Graph().Facts(call)
	for k := range facts.Slots {
		for _, v := range facts.Slots[k].Values() {
			slots[k] = slots[k] || inside[v]
		}
		if !slots[k] {
			delete(slots, k)
		}
	}
	return slots
}

// origins writes where the values of a call's arguments came from.
func (t *textWriter) origins(p *finding.PlanReport, m *masker, c *finding.CallReport) {
	list := arguments(p, m, c)
	if len(list) == 0 {
		return
	}
	t.printf("\nwhere its arguments came from\n")
	for _, a := range list {
		t.printf("  %s\n", a.name)
		for _, line := range a.lines {
			for i, part := range wrap(line, t.o.Width-8) {
				t.printf("      %s%s\n", [...]string{"", "  "}[min(i, 1)], part)
			}
		}
	}
}
