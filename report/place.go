package report

import (
	"fmt"
	"strings"

	"github.com/planlint/planlint/finding"
	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/taint"
)

// placeName is how people are told of a place, escaped.
func placeName(p *finding.PlanReport, at taint.Place) string {
	switch at.Kind {
	case taint.PlaceOutput:
		return callName(p, at.Call) + dotted("output", fieldOf(p, at.Call, at.Field))
	case taint.PlaceArgument:
		return callName(p, at.Call) + "." + Escape(at.Field)
	case taint.PlaceCell:
		return Escape(cellName(p, at))
	case taint.PlaceText:
		return textName(p, at.Text)
	case taint.PlaceContext:
		return "context of " + Escape(orMain(at.Agent))
	case taint.PlaceInput:
		return "input " + Escape(at.Field)
	}
	if at.Field == "" {
		return callName(p, at.Call)
	}
	return callName(p, at.Call) + " (" + Escape(at.Field) + ")"
}

// fieldOf is the field of a call's output as far as that output has it: a contract may
// name fields of a result that came as plain text, and then there is only the text.
func fieldOf(p *finding.PlanReport, call int, field string) string {
	if field == "" || p.Plan == nil || call < 0 || call >= len(p.Plan.Calls) {
		return field
	}
	out := &p.Plan.Calls[call].Output
	name := strings.TrimRight(field, "[]*0123456789")
	name = name[strings.LastIndexAny(name, ".[")+1:]
	if out.Kind != plan.String || name == "" || strings.Contains(out.Text, name) {
		return field
	}
	return ""
}

func dotted(base, field string) string {
	switch {
	case field == "":
		return "." + base
	case field[0] == '[':
		return "." + base + Escape(field)
	}
	return "." + base + "." + Escape(field)
}

// callName is the call's number, from 1, and its tool.
func callName(p *finding.PlanReport, call int) string {
	if call < 0 || call >= len(p.Calls) {
		return "plan"
	}
	return fmt.Sprintf("%d %s", call+1, clip(toolName(&p.Calls[call]), maxName))
}

func toolName(c *finding.CallReport) string {
	if c.Tool == "" {
		return c.ID
	}
	return c.Tool
}

// maxName is the longest tool name that is shown whole.
const maxName = 48

func textName(p *finding.PlanReport, i int) string {
	if p.Plan == nil || i < 0 || i >= len(p.Plan.Texts) {
		return "text"
	}
	t := &p.Plan.Texts[i]
	name := strings.ReplaceAll(t.Kind.String(), "-", " ") + " text"
	if t.Origin != "" {
		name += " (" + clip(t.Origin, maxName) + ")"
	}
	return name
}

func orMain(agent string) string {
	if agent == "" {
		return "main"
	}
	return agent
}

// placeID is the place's name for machines: call:0, cell:file:/x, text:2,
// input:name, context:main. It is not escaped.
func placeID(p *finding.PlanReport, at taint.Place) string {
	switch at.Kind {
	case taint.PlaceCell:
		return "cell:" + cellName(p, at)
	case taint.PlaceText:
		return fmt.Sprintf("text:%d", at.Text)
	case taint.PlaceInput:
		return "input:" + at.Field
	case taint.PlaceContext:
		return "context:" + orMain(at.Agent)
	}
	return fmt.Sprintf("call:%d", at.Call)
}

// arrow draws a hop: the weaker the evidence, the thinner the line.
func arrow(p taint.Precision) string {
	switch p {
	case taint.Value:
		return "==value==>"
	case taint.Resource:
		return "--resource-->"
	case taint.Context:
		return "~~context~~>"
	}
	return "-->"
}

// sizeClass says how long a value is without giving its length away: the range
// between two powers of two.
func sizeClass(n int) string {
	if n <= 0 {
		return ""
	}
	lo := 1
	for lo*2 <= n {
		lo *= 2
	}
	return fmt.Sprintf("%d to %d bytes", lo, lo*2-1)
}

// minDigest is the length below which a value's digest would give it away.
const minDigest = 12

// evidence says in words why a hop is believed, escaped.
func evidence(p *finding.PlanReport, h *taint.Hop) string {
	e := &h.Evidence
	from := placeName(p, h.From)
	if call := h.From.Call; call >= 0 && call < len(p.Calls) && h.From.Kind == taint.PlaceOutput {
		from = Escape(p.Calls[call].ID) + dotted("output", fieldOf(p, call, firstOf(e.Source, h.From.Field)))
	}
	switch e.Kind {
	case taint.ByReference:
		return "by value: refers to " + from
	case taint.ByMatch:
		text := "by value: found in " + from
		if e.Decoding != "" {
			text += ", decoded from " + Escape(e.Decoding)
		}
		if size := sizeClass(e.Length); size != "" && e.Length >= minDigest {
			text += " (" + size + digestText(e.Digest) + ")"
		}
		return text
	case taint.ByCell:
		return "by resource: " + placeName(p, h.From)
	case taint.ByContext:
		return "by context: it was there when this was fixed"
	case taint.ByPipe:
		return "by a pipe from " + placeName(p, h.From)
	}
	return "passed on by the call"
}

func digestText(d string) string {
	if d == "" {
		return ""
	}
	return ", digest " + Escape(d)
}

func firstOf(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
