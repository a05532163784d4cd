package report

import (
	"github.com/planlint/planlint/finding"
	"github.com/planlint/planlint/origin"
	"github.com/planlint/planlint/taint"
)

// What the JSON says of where values came from. The values are not in it.
type (
	// jsonOrigin is one value of an argument, or an atom inside it.
	jsonOrigin struct {
		Argument string        `json:"argument"`
		Atom     string        `json:"atom,omitempty"`
		Inside   bool          `json:"inside,omitempty"`
		From     []string      `json:"from"`
		Source   *jsonPlace    `json:"source,omitempty"`
		Standing string        `json:"standing,omitempty"`
		Chain    []jsonPointer `json:"chain,omitempty"`
		Endorsed bool          `json:"endorsed,omitempty"`
		Lacks    string        `json:"lacks,omitempty"`
		Decoding string        `json:"decoding,omitempty"`
	}
	// jsonPointer is one step by which the user points at a record.
	jsonPointer struct {
		How  string     `json:"how"`
		Call int        `json:"call"`
		Via  *jsonPlace `json:"via,omitempty"`
	}
	// jsonEvidence is what a finding on origins rests on.
	jsonEvidence struct {
		Signals []string    `json:"signals,omitempty"`
		Why     string      `json:"why,omitempty"`
		Origin  *jsonOrigin `json:"origin,omitempty"`
	}
)

func originJSON(p *finding.PlanReport, part *origin.Part) jsonOrigin {
	out := jsonOrigin{
		Argument: part.Argument, Atom: part.Atom.String(), Inside: part.Inside, From: part.From.Names(),
		Source: outputJSON(p, part.Source()), Endorsed: part.Endorsed, Lacks: part.Lacks(), Decoding: part.Decoding(),
	}
	if out.Source == nil {
		return out
	}
	out.Standing = part.Standing.String()
	for _, step := range part.Chain() {
		out.Chain = append(out.Chain, jsonPointer{How: step.How, Call: step.Call, Via: viaJSON(p, step.Via)})
	}
	return out
}

// outputJSON is a field of an output, or a text, nil where the place is in none.
func outputJSON(p *finding.PlanReport, at origin.Place) *jsonPlace {
	if at.Text > 0 {
		place := placeJSON(p, taint.Place{Kind: taint.PlaceText, Call: -1, Text: at.Text - 1})
		return &place
	}
	if at.Call < 0 || at.Call >= len(p.Calls) {
		return nil
	}
	place := placeJSON(p, taint.Place{Kind: taint.PlaceOutput, Call: at.Call, Field: at.Field})
	return &place
}

// viaJSON is the field that led on; a step without one has the zero place.
func viaJSON(p *finding.PlanReport, at origin.Place) *jsonPlace {
	if at == (origin.Place{}) {
		return nil
	}
	return outputJSON(p, at)
}

func evidenceJSON(p *finding.PlanReport, f *finding.Finding) []jsonEvidence {
	from := originOf(p, f)
	var out []jsonEvidence
	for _, r := range f.Reasons() {
		e := jsonEvidence{Signals: r.Signal.Names(), Why: r.Why}
		if r.Part >= 0 {
			o := originJSON(p, &from.Parts[r.Part])
			e.Origin = &o
		}
		out = append(out, e)
	}
	if len(out) > 0 {
		return out
	}
	for _, i := range p.Parts(f) {
		o := originJSON(p, &from.Parts[i])
		out = append(out, jsonEvidence{Origin: &o})
	}
	return out
}
