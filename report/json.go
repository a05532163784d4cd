package report

import (
	"bytes"
	"encoding/json"
	"io"
	"unicode/utf8"

	"github.com/planlint/planlint/finding"
	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/plan"
	"github.com/planlint/planlint/taint"
)

// The JSON of schema planlint.report/v1. Keys may be added, never changed.
type (
	jsonReport struct {
		Schema      string           `json:"schema"`
		Plans       []jsonPlan       `json:"plans"`
		Diagnostics []jsonDiagnostic `json:"diagnostics,omitempty"`
	}
	jsonPlan struct {
		ID          string           `json:"id"`
		Source      string           `json:"source"`
		Format      string           `json:"format"`
		Digest      string           `json:"digest"`
		Recorded    bool             `json:"recorded"`
		Verdict     gate.Decision    `json:"verdict"`
		Gate        gate.Gate        `json:"gate"`
		Calls       []jsonCall       `json:"calls"`
		Findings    []jsonFinding    `json:"findings"`
		Diagnostics []jsonDiagnostic `json:"diagnostics"`
	}
	jsonCall struct {
		Index         int           `json:"index"`
		ID            string        `json:"id"`
		Tool          string        `json:"tool"`
		Class         gate.Class    `json:"risk_class"`
		ReadOnly      bool          `json:"read_only"`
		Outcome       string        `json:"outcome"`
		LabelsIn      []string      `json:"labels_in"`
		LabelsOut     []string      `json:"labels_out"`
		LabelsContext []string      `json:"labels_context,omitempty"`
		Decision      gate.Decision `json:"decision"`
		Gate          gate.Gate     `json:"gate"`
		Why           string        `json:"why"`
		Instead       string        `json:"instead"`
		Rule          string        `json:"rule"`
		Alone         jsonAlone     `json:"alone"`
		Suggest       string        `json:"suggest,omitempty"`
		Digest        string        `json:"digest,omitempty"`
		Position      *jsonPosition `json:"position,omitempty"`
		Findings      []int         `json:"findings"`
		Origins       []jsonOrigin  `json:"origins,omitempty"`
	}
	// jsonAlone is the answer without composition.
	jsonAlone struct {
		Decision gate.Decision `json:"decision"`
		Gate     gate.Gate     `json:"gate"`
	}
	jsonFinding struct {
		ID        string         `json:"id"`
		Title     string         `json:"title"`
		Severity  string         `json:"severity"`
		Decision  gate.Decision  `json:"decision"`
		Call      int            `json:"call"`
		Message   string         `json:"message"`
		Why       string         `json:"why"`
		Instead   string         `json:"instead"`
		Precision string         `json:"precision,omitempty"`
		Labels    []string       `json:"labels"`
		Position  *jsonPosition  `json:"position,omitempty"`
		Escalates []int          `json:"escalates"`
		Gate      gate.Gate      `json:"gate"`
		Flow      *jsonFlow      `json:"flow,omitempty"`
		Evidence  []jsonEvidence `json:"evidence,omitempty"`
		Accepted  *jsonAccepted  `json:"accepted,omitempty"`
	}
	// jsonAccepted is the rule that accepts a finding.
	jsonAccepted struct {
		Rule   string `json:"rule"`
		Reason string `json:"reason"`
	}
	jsonPosition struct {
		File   string `json:"file"`
		Line   int32  `json:"line,omitempty"`
		Column int32  `json:"column,omitempty"`
		Length int32  `json:"length,omitempty"`
	}
	jsonFlow struct {
		Label    string    `json:"label,omitempty"`
		Source   jsonPlace `json:"source"`
		Sink     jsonPlace `json:"sink"`
		Kinds    []string  `json:"kinds"`
		Audience []string  `json:"audience"`
		Readers  []string  `json:"readers"`
		Others   int       `json:"others,omitempty"`
		Hops     []jsonHop `json:"hops"`
	}
	jsonPlace struct {
		Call     *int   `json:"call,omitempty"`
		Step     int    `json:"step,omitempty"`
		Field    string `json:"field,omitempty"`
		Argument string `json:"argument,omitempty"`
		Cell     string `json:"cell,omitempty"`
		Text     *int   `json:"text,omitempty"`
		Kind     string `json:"kind,omitempty"`
		Input    string `json:"input,omitempty"`
		Agent    string `json:"agent,omitempty"`
	}
	jsonHop struct {
		From      string        `json:"from"`
		To        string        `json:"to"`
		Precision string        `json:"precision"`
		Evidence  string        `json:"evidence"`
		Source    string        `json:"source_path,omitempty"`
		Target    string        `json:"target_path,omitempty"`
		Decoding  string        `json:"decoding,omitempty"`
		Size      string        `json:"size,omitempty"`
		Digest    string        `json:"digest,omitempty"`
		Position  *jsonPosition `json:"position,omitempty"`
	}
	jsonDiagnostic struct {
		ID       string        `json:"id"`
		Message  string        `json:"message"`
		Hint     string        `json:"hint,omitempty"`
		Call     *int          `json:"call,omitempty"`
		Closing  bool          `json:"closing,omitempty"`
		Position *jsonPosition `json:"position,omitempty"`
	}
)

func writeJSON(w io.Writer, r *finding.Report) error {
	out := jsonReport{Schema: finding.Schema, Plans: []jsonPlan{}, Diagnostics: jsonDiagnostics(r.Diagnostics)}
	for i := range r.Plans {
		out.Plans = append(out.Plans, planJSON(&r.Plans[i]))
	}
	return encode(w, out, true)
}

// writeJSONLines writes one report a plan, each on a line of its own; what
// concerns no plan comes last.
func writeJSONLines(w io.Writer, r *finding.Report) error {
	for i := range r.Plans {
		line := jsonReport{Schema: finding.Schema, Plans: []jsonPlan{planJSON(&r.Plans[i])}}
		if err := encode(w, line, false); err != nil {
			return err
		}
	}
	if len(r.Diagnostics) == 0 {
		return nil
	}
	return encode(w, jsonReport{Schema: finding.Schema, Plans: []jsonPlan{}, Diagnostics: jsonDiagnostics(r.Diagnostics)}, false)
}

// encode writes JSON without HTML escapes, and with escapes for characters that
// a terminal would act on or not show.
func encode(w io.Writer, v any, indent bool) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if indent {
		enc.SetIndent("", "  ")
	}
	if err := enc.Encode(v); err != nil {
		return err
	}
	_, err := w.Write(printableJSON(b.Bytes()))
	return err
}

func printableJSON(data []byte) []byte {
	if plainJSON(data) {
		return data
	}
	out := make([]byte, 0, len(data)+64)
	for len(data) > 0 {
		r, size := utf8.DecodeRune(data)
		if r == '\n' || visible(r) || r == utf8.RuneError {
			out = append(out, data[:size]...)
		} else if r > 0xffff {
			hi, lo := surrogates(r)
			out = append(append(out, hex4(hi)...), hex4(lo)...)
		} else {
			out = append(out, hex4(r)...)
		}
		data = data[size:]
	}
	return out
}

func plainJSON(data []byte) bool {
	for _, c := range data {
		if c >= 0x7f {
			return false
		}
	}
	return true
}

func surrogates(r rune) (hi, lo rune) {
	r -= 0x10000
	return 0xd800 + r>>10, 0xdc00 + r&0x3ff
}

func hex4(r rune) []byte {
	const digits = "0123456789abcdef"
	return []byte{'\\', 'u', digits[r>>12&15], digits[r>>8&15], digits[r>>4&15], digits[r&15]}
}

func planJSON(p *finding.PlanReport) jsonPlan {
	out := jsonPlan{
		ID: p.ID, Source: p.Source, Format: p.Format, Digest: p.Digest(), Recorded: p.Recorded,
		Verdict: p.Verdict, Gate: gate.Gate{Requirements: p.Gate},
		Calls: []jsonCall{}, Findings: []jsonFinding{}, Diagnostics: []jsonDiagnostic{},
	}
	for i := range p.Calls {
		out.Calls = append(out.Calls, callJSON(p, &p.Calls[i]))
	}
	for i := range p.Findings {
		out.Findings = append(out.Findings, findingJSON(p, &p.Findings[i]))
	}
	out.Diagnostics = append(out.Diagnostics, jsonDiagnostics(p.Diagnostics)...)
	return out
}

func callJSON(p *finding.PlanReport, c *finding.CallReport) jsonCall {
	out := jsonCall{
		Index: c.Index, ID: c.ID, Tool: c.Tool, Class: c.Class, ReadOnly: c.ReadOnly, Outcome: c.Outcome.String(),
		LabelsIn: list(c.LabelsIn), LabelsOut: list(c.LabelsOut), LabelsContext: c.LabelsContext,
		Decision: c.Decision, Gate: c.Gate, Why: c.Why, Instead: c.Instead, Rule: c.Rule,
		Alone: jsonAlone{c.Alone, gate.Gate{Requirements: c.AloneGate}}, Suggest: c.Suggest,
		Digest: p.CallDigest(c.Index), Position: positionJSON(p.Position(c.Index)), Findings: list(c.Findings),
	}
	if c.Origin != nil {
		for i := range c.Origin.Parts {
			out.Origins = append(out.Origins, originJSON(p, &c.Origin.Parts[i]))
		}
	}
	return out
}

func findingJSON(p *finding.PlanReport, f *finding.Finding) jsonFinding {
	out := jsonFinding{
		ID: f.ID, Title: f.Title, Severity: f.Severity.String(), Decision: f.Decision, Call: f.Call,
		Message: message(f), Why: f.Why, Instead: f.Instead, Labels: list(f.Labels),
		Position: positionJSON(f.Position), Escalates: list(f.Escalates), Gate: gate.Gate{Requirements: f.Gate},
	}
	if f.Flow != nil {
		out.Precision = f.Precision.String()
		out.Flow = flowJSON(p, f.Flow)
	}
	out.Evidence = evidenceJSON(p, f)
	if f.Accepted != nil {
		out.Accepted = &jsonAccepted{f.Accepted.Rule, f.Accepted.Reason}
	}
	return out
}

func flowJSON(p *finding.PlanReport, f *taint.Flow) *jsonFlow {
	out := &jsonFlow{
		Source: placeJSON(p, f.Source), Sink: placeJSON(p, f.Sink), Kinds: f.Kinds.Names(),
		Audience: audienceNames(p, f), Readers: list(f.Readers.Names()), Others: f.Others, Hops: []jsonHop{},
	}
	if p.Universe != nil {
		out.Label = p.Universe.Name(f.Label)
	}
	for i := range f.Hops {
		h := &f.Hops[i]
		hop := jsonHop{
			From: placeID(p, h.From), To: placeID(p, h.To), Precision: h.Precision.String(), Evidence: h.Evidence.Kind.String(),
			Source: h.Evidence.Source, Target: h.Evidence.Target, Decoding: h.Evidence.Decoding,
		}
		if h.Evidence.Kind == taint.ByMatch && h.Evidence.Length >= minDigest {
			hop.Size, hop.Digest = sizeClass(h.Evidence.Length), h.Evidence.Digest
		}
		if h.Evidence.Pos.Known() {
			hop.Position = positionJSON(finding.Position{File: p.Source, Position: h.Evidence.Pos})
		}
		out.Hops = append(out.Hops, hop)
	}
	return out
}

func placeJSON(p *finding.PlanReport, at taint.Place) jsonPlace {
	var out jsonPlace
	if at.Call >= 0 {
		call := at.Call
		out.Call, out.Step = &call, at.Step
	}
	switch at.Kind {
	case taint.PlaceOutput:
		out.Field = "output"
		if field := fieldOf(p, at.Call, at.Field); field != "" {
			out.Field = dottedRaw(field)
		}
	case taint.PlaceArgument:
		out.Argument = at.Field
	case taint.PlaceCell:
		out.Cell = cellName(p, at)
	case taint.PlaceText:
		text := at.Text
		out.Text, out.Kind = &text, textKind(p, at.Text)
	case taint.PlaceInput:
		out.Input = at.Field
	case taint.PlaceContext:
		out.Agent = orMain(at.Agent)
	}
	return out
}

func dottedRaw(field string) string {
	if field[0] == '[' {
		return "output" + field
	}
	return "output." + field
}

func textKind(p *finding.PlanReport, i int) string {
	if p.Plan == nil || i < 0 || i >= len(p.Plan.Texts) {
		return plan.TextUnknown.String()
	}
	return p.Plan.Texts[i].Kind.String()
}

func jsonDiagnostics(in []finding.Diagnostic) []jsonDiagnostic {
	var out []jsonDiagnostic
	for i := range in {
		d := jsonDiagnostic{ID: in[i].ID, Message: in[i].Message, Hint: in[i].Hint, Closing: in[i].Closing, Position: positionJSON(in[i].Position)}
		if in[i].Call >= 0 {
			call := in[i].Call
			d.Call = &call
		}
		out = append(out, d)
	}
	return out
}

func positionJSON(p finding.Position) *jsonPosition {
	if p.File == "" && !p.Known() {
		return nil
	}
	return &jsonPosition{File: p.File, Line: p.Line, Column: p.Column, Length: p.Length}
}

// list is never nil, so that it prints as [].
func list[T any](in []T) []T {
	if in == nil {
		return []T{}
	}
	return in
}
