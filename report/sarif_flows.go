package report

import (
	"fmt"
	"strings"

	"github.com/planlint/planlint/finding"
	"github.com/planlint/planlint/taint"
)

// codeFlows is the witness path, one location a place.
func (s *sarifWriter) codeFlows(p *finding.PlanReport, f *finding.Finding, o Options) []sarifCodeFlow {
	if f.Flow == nil || len(f.Flow.Hops) == 0 {
		return s.originFlows(p, f, o)
	}
	var thread sarifThreadFlow
	add := func(at taint.Place, pos finding.Position, note string, kinds ...string) {
		thread.Locations = append(thread.Locations, sarifFlowLocation{
			Location: s.location(pos, placeText(p, at)+note, o), Kinds: kinds, Importance: "essential",
		})
	}
	first := f.Flow.Hops[0].From
	add(first, placePosition(p, first), prefixed(": ", f.Flow.SourceWhy), "source")
	for i := range f.Flow.Hops {
		h := &f.Flow.Hops[i]
		pos := placePosition(p, h.To)
		if h.Evidence.Pos.Known() {
			pos.Position = h.Evidence.Pos
		}
		kinds := []string{"taint"}
		if i == len(f.Flow.Hops)-1 {
			kinds = []string{"sink"}
		}
		known := evidence(p, h)
		if !strings.HasPrefix(known, "by ") {
			known = "by " + h.Precision.String() + ": " + known
		}
		add(h.To, pos, " ("+known+")", kinds...)
	}
	return []sarifCodeFlow{{
		Message:     text(fmt.Sprintf("%s data reaches %s by %s", strings.Join(f.Labels, ", "), audience(p, f.Flow), f.Precision)),
		ThreadFlows: []sarifThreadFlow{thread},
	}}
}

// originFlows draws where a value came from: the field of an output, then the
// argument; one code flow a value.
func (s *sarifWriter) originFlows(p *finding.PlanReport, f *finding.Finding, o Options) []sarifCodeFlow {
	var flows []sarifCodeFlow
	from := originOf(p, f)
	for n, i := range p.Parts(f) {
		part := &from.Parts[i]
		if n == maxParts || part.Source().Call < 0 || part.Source().Call >= len(p.Calls) {
			continue
		}
		source := taint.Place{Kind: taint.PlaceOutput, Call: part.Source().Call, Field: part.Source().Field}
		flows = append(flows, sarifCodeFlow{
			Message: text(partName(part) + ": " + partText(p, from, i)),
			ThreadFlows: []sarifThreadFlow{{Locations: []sarifFlowLocation{
				{Location: s.location(placePosition(p, source), placeText(p, source), o), Kinds: []string{"source"}, Importance: "essential"},
				{Location: s.location(f.Position, callName(p, f.Call)+"."+partName(part), o), Kinds: []string{"sink"}, Importance: "essential"},
			}}},
		})
	}
	return flows
}

// originText is where the values came from, as the end of a message.
func originText(p *finding.PlanReport, f *finding.Finding) string {
	lines := originLines(p, f)
	if len(lines) == 0 {
		return ""
	}
	return ". From: " + strings.Join(lines, "; ")
}

func placeText(p *finding.PlanReport, at taint.Place) string { return placeName(p, at) }

// placePosition is where a place stands in the source.
func placePosition(p *finding.PlanReport, at taint.Place) finding.Position {
	pos := finding.Position{File: p.Source}
	switch {
	case at.Kind == taint.PlaceText && p.Plan != nil && at.Text >= 0 && at.Text < len(p.Plan.Texts):
		pos.Position = p.Plan.Texts[at.Text].Pos
	case at.Kind == taint.PlaceInput && p.Plan != nil && at.Text >= 0 && at.Text < len(p.Plan.Inputs):
		pos.Position = p.Plan.Inputs[at.Text].Pos
	case at.Call < 0 || at.Call >= len(p.Calls):
	case at.Kind == taint.PlaceOutput && p.Plan != nil && p.Plan.Calls[at.Call].OutputPos.Known():
		pos.Position = p.Plan.Calls[at.Call].OutputPos
	default:
		pos.Position = p.Calls[at.Call].Pos
	}
	return pos
}
