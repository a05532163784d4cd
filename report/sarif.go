package report

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"sort"
	"strings"

	"github.com/planlint/planlint/finding"
	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/taint"
)

// The part of SARIF 2.1.0 that is written.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool        sarifTool         `json:"tool"`
		Invocations []sarifInvocation `json:"invocations"`
		Artifacts   []sarifArtifact   `json:"artifacts,omitempty"`
		Results     []sarifResult     `json:"results"`
		ColumnKind  string            `json:"columnKind"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name           string      `json:"name"`
		Version        string      `json:"version,omitempty"`
		InformationURI string      `json:"informationUri,omitempty"`
		Rules          []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID               string          `json:"id"`
		Name             string          `json:"name,omitempty"`
		ShortDescription *sarifMessage   `json:"shortDescription,omitempty"`
		FullDescription  *sarifMessage   `json:"fullDescription,omitempty"`
		HelpURI          string          `json:"helpUri,omitempty"`
		Help             *sarifMessage   `json:"help,omitempty"`
		Default          sarifDefault    `json:"defaultConfiguration"`
		Properties       *sarifRuleProps `json:"properties,omitempty"`
	}
	sarifDefault struct {
		Level string `json:"level"`
	}
	sarifRuleProps struct {
		Tags []string `json:"tags"`
	}
	sarifMessage struct {
		Text     string `json:"text"`
		Markdown string `json:"markdown,omitempty"`
	}
	sarifInvocation struct {
		Successful    bool                `json:"executionSuccessful"`
		Notifications []sarifNotification `json:"toolExecutionNotifications,omitempty"`
	}
	sarifNotification struct {
		Descriptor *sarifRef       `json:"descriptor,omitempty"`
		Level      string          `json:"level"`
		Message    sarifMessage    `json:"message"`
		Locations  []sarifLocation `json:"locations,omitempty"`
	}
	sarifRef struct {
		ID string `json:"id"`
	}
	sarifArtifact struct {
		Location sarifURI `json:"location"`
	}
	sarifURI struct {
		URI string `json:"uri"`
	}
	sarifResult struct {
		RuleID       string             `json:"ruleId"`
		RuleIndex    int                `json:"ruleIndex"`
		Level        string             `json:"level"`
		Message      sarifMessage       `json:"message"`
		Locations    []sarifLocation    `json:"locations"`
		Fingerprints map[string]string  `json:"partialFingerprints"`
		CodeFlows    []sarifCodeFlow    `json:"codeFlows,omitempty"`
		Suppressions []sarifSuppression `json:"suppressions,omitempty"`
		Properties   sarifResultProps   `json:"properties"`
	}
	sarifSuppression struct {
		Kind          string `json:"kind"`
		Status        string `json:"status"`
		Justification string `json:"justification"`
	}
	sarifResultProps struct {
		Decision  string   `json:"decision"`
		Call      int      `json:"call"`
		Precision string   `json:"precision,omitempty"`
		Labels    []string `json:"labels,omitempty"`
	}
	sarifLocation struct {
		Physical *sarifPhysical `json:"physicalLocation,omitempty"`
		Message  *sarifMessage  `json:"message,omitempty"`
	}
	sarifPhysical struct {
		Artifact sarifURI     `json:"artifactLocation"`
		Region   *sarifRegion `json:"region,omitempty"`
	}
	sarifRegion struct {
		StartLine   int32 `json:"startLine"`
		StartColumn int32 `json:"startColumn,omitempty"`
		EndColumn   int32 `json:"endColumn,omitempty"`
	}
	sarifCodeFlow struct {
		Message     *sarifMessage     `json:"message,omitempty"`
		ThreadFlows []sarifThreadFlow `json:"threadFlows"`
	}
	sarifThreadFlow struct {
		Locations []sarifFlowLocation `json:"locations"`
	}
	sarifFlowLocation struct {
		Location   sarifLocation `json:"location"`
		Kinds      []string      `json:"kinds,omitempty"`
		Importance string        `json:"importance,omitempty"`
	}
)

const (
	sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	// fingerprintKey names the way in which fingerprints are made; another way
	// gets another number.
	fingerprintKey = "planlint/v1"
	// informationURI is where the pages of built-in rules are kept.
	informationURI = "https://github.com/planlint/planlint"
)

// sarifWriter collects rules and files while it walks the findings.
type sarifWriter struct {
	run       sarifRun
	rules     map[string]int
	artifacts map[string]bool
}

func writeSARIF(w io.Writer, r *finding.Report, o Options) error {
	s := &sarifWriter{rules: map[string]int{}, artifacts: map[string]bool{}}
	s.run.Tool.Driver = sarifDriver{Name: "planlint", Version: o.Version, InformationURI: informationURI, Rules: []sarifRule{}}
	s.run.Results = []sarifResult{}
	s.run.ColumnKind = "utf16CodeUnits"
	s.declare(r, o)
	invocation := sarifInvocation{Successful: len(o.Errors) == 0, Notifications: s.failures(o)}
	for i := range r.Plans {
		s.plan(&r.Plans[i], o)
		invocation.Notifications = append(invocation.Notifications, s.notes(r.Plans[i].Diagnostics, o)...)
	}
	invocation.Notifications = append(invocation.Notifications, s.notes(r.Diagnostics, o)...)
	s.run.Invocations = []sarifInvocation{invocation}
	s.files()
	return encode(w, sarifLog{Schema: sarifSchema, Version: "2.1.0", Runs: []sarifRun{s.run}}, true)
}

// declare lists the rules that were applied, and those that only findings name.
func (s *sarifWriter) declare(r *finding.Report, o Options) {
	for i := range r.Rules {
		s.rule(&r.Rules[i], o)
	}
	for i := range r.Plans {
		for j := range r.Plans[i].Findings {
			s.rule(r.Plans[i].Findings[j].Rule, o)
		}
	}
}

func (s *sarifWriter) rule(r *finding.Rule, o Options) {
	if _, known := s.rules[r.ID]; known {
		return
	}
	s.rules[r.ID] = len(s.run.Tool.Driver.Rules)
	rule := sarifRule{ID: r.ID, Default: sarifDefault{sarifLevel(r.Severity)}}
	rule.ShortDescription = text(r.Title)
	rule.FullDescription = text(r.Why)
	rule.Help = text(strings.TrimSpace(r.Why + "\n\n" + prefixed("Instead: ", r.Instead)))
	if o.paged(r) {
		rule.HelpURI = pageOf(r.ID)
		if rule.Help != nil {
			rule.Help.Markdown = ruleMarkdown(r, rule.HelpURI)
		}
	}
	if len(r.References) > 0 {
		rule.Properties = &sarifRuleProps{Tags: append([]string{"security"}, r.References...)}
	}
	s.run.Tool.Driver.Rules = append(s.run.Tool.Driver.Rules, rule)
}

// pageOf is where the page of a rule or diagnostic is.
func pageOf(id string) string {
	if id == callRule || strings.HasPrefix(id, "PL9") {
		return informationURI + "/blob/main/docs/diagnostics.md"
	}
	return informationURI + "/blob/main/docs/rules/" + id + ".md"
}

// ruleMarkdown is a rule's help as viewers render it. It is made of the rule's own
// text only.
func ruleMarkdown(r *finding.Rule, uri string) string {
	out := "**Why:** " + markdownText(r.Why)
	if r.Instead != "" {
		out += "\n\n**Instead:** " + markdownText(r.Instead)
	}
	return out + "\n\n[More](" + uri + ")"
}

func prefixed(prefix, s string) string {
	if s == "" {
		return ""
	}
	return prefix + s
}

func text(s string) *sarifMessage {
	if s == "" {
		return nil
	}
	return &sarifMessage{Text: s}
}

func sarifLevel(s finding.Severity) string {
	switch s {
	case finding.Error:
		return "error"
	case finding.Warning:
		return "warning"
	}
	return "note"
}

func (s *sarifWriter) plan(p *finding.PlanReport, o Options) {
	for i := range p.Findings {
		f := &p.Findings[i]
		s.run.Results = append(s.run.Results, sarifResult{
			RuleID: f.ID, RuleIndex: s.rules[f.ID], Level: sarifLevel(f.Severity),
			Message:      sarifMessage{Text: resultText(f) + originText(p, f)},
			Locations:    []sarifLocation{s.location(f.Position, "", o)},
			Fingerprints: map[string]string{fingerprintKey: fingerprint(p, f)},
			CodeFlows:    s.codeFlows(p, f, o),
			Suppressions: suppressions(f),
			Properties:   sarifResultProps{f.Decision.String(), f.Call, precisionText(f), f.Labels},
		})
	}
	s.answers(p, o)
}

// suppressions is the rule that accepts a finding: viewers close such results.
func suppressions(f *finding.Finding) []sarifSuppression {
	if f.Accepted == nil {
		return nil
	}
	return []sarifSuppression{{Kind: "external", Status: "accepted", Justification: f.Accepted.Rule + prefixed(": ", f.Accepted.Reason)}}
}

// answers are results too: calls that are denied, or ask, without a finding.
func (s *sarifWriter) answers(p *finding.PlanReport, o Options) {
	for i := range p.Calls {
		c := &p.Calls[i]
		if c.Decision == gate.Allow || told(p, c) {
			continue
		}
		s.rule(&finding.Rule{ID: callRule, Title: "call is denied, or needs an approval", Severity: finding.Error,
			Why: "the call's risk class, a rule or a mode of the policy does not let it run by itself"}, o)
		level, verb := "error", "denied by "
		if c.Decision == gate.Ask {
			level, verb = "note", "asks ("+c.Gate.Requirements.String()+") by "
		}
		f := finding.Finding{Rule: &finding.Rule{ID: callRule, Why: c.Why, Instead: c.Instead}, Call: i, Message: c.Tool + " " + verb + c.Rule}
		s.run.Results = append(s.run.Results, sarifResult{
			RuleID: f.ID, RuleIndex: s.rules[f.ID], Level: level, Message: sarifMessage{Text: resultText(&f)},
			Locations:    []sarifLocation{s.location(p.Position(i), "", o)},
			Fingerprints: map[string]string{fingerprintKey: fingerprint(p, &f)},
			Properties:   sarifResultProps{c.Decision.String(), i, "", nil},
		})
	}
}

// callRule stands for all per-call rules.
const callRule = "PL2000"

func resultText(f *finding.Finding) string {
	out := message(f)
	if f.Why != "" {
		out += ": " + f.Why
	}
	if f.Instead != "" {
		out += ". Instead: " + f.Instead
	}
	return out
}

func precisionText(f *finding.Finding) string {
	if f.Flow == nil {
		return ""
	}
	return f.Precision.String()
}

// fingerprint stays the same when lines move and ids change: it is made of the
// rule, the call's tool, its arguments' digest and the ends of the flow.
func fingerprint(p *finding.PlanReport, f *finding.Finding) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s\x00%s\x00", f.ID, artifactURI(p.Source))
	if f.Call >= 0 && f.Call < len(p.Calls) {
		fmt.Fprintf(h, "%s\x00%s\x00", p.Calls[f.Call].Tool, p.CallDigest(f.Call))
	}
	if f.Flow != nil {
		fmt.Fprintf(h, "%d\x00%s\x00%s\x00", f.Flow.Label, placeKey(p, f.Flow.Source), placeKey(p, f.Flow.Sink))
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

func placeKey(p *finding.PlanReport, at taint.Place) string {
	tool := ""
	if at.Call >= 0 && at.Call < len(p.Calls) {
		tool = p.Calls[at.Call].Tool
	}
	return fmt.Sprintf("%d/%s/%s/%s", at.Kind, tool, at.Field, at.Cell)
}

// location is a place in a file. Columns are UTF-16 units from 1, as viewers
// expect; without the source bytes only ASCII lines are exact.
func (s *sarifWriter) location(pos finding.Position, note string, o Options) sarifLocation {
	out := sarifLocation{Message: text(note)}
	if pos.File == "" {
		return out
	}
	uri := artifactURI(pos.File)
	s.artifacts[uri] = true
	out.Physical = &sarifPhysical{Artifact: sarifURI{uri}}
	if !pos.Known() {
		return out
	}
	region := &sarifRegion{StartLine: pos.Line}
	if pos.Column > 0 {
		line, ok := "", false
		if o.Source != nil {
			line, ok = lineOf(o.Source(pos.File), int(pos.Line))
		}
		region.StartColumn = utf16Column(line, ok, pos.Column)
		if pos.Length > 0 {
			region.EndColumn = utf16Column(line, ok, pos.Column+pos.Length)
		}
	}
	out.Physical.Region = region
	return out
}

// utf16Column turns a column in bytes into one in UTF-16 units.
func utf16Column(line string, known bool, column int32) int32 {
	if !known {
		return column
	}
	n := int32(1)
	for i, r := range line {
		if int32(i) >= column-1 {
			return n
		}
		n++
		if r > 0xffff {
			n++
		}
	}
	return n + max(0, column-1-int32(len(line)))
}

func (s *sarifWriter) notes(list []finding.Diagnostic, o Options) []sarifNotification {
	var out []sarifNotification
	for i := range list {
		d := &list[i]
		level := "note"
		if d.Closing {
			level = "warning"
		}
		n := sarifNotification{Descriptor: &sarifRef{d.ID}, Level: level, Message: sarifMessage{Text: d.Message + prefixed(" (", prefixedEnd(d.Hint))}}
		if d.Position.File != "" {
			n.Locations = []sarifLocation{s.location(d.Position, "", o)}
		}
		out = append(out, n)
	}
	return out
}

// failures are what was not checked: whoever reads the log must not take the absence
// of results for the absence of findings.
func (s *sarifWriter) failures(o Options) []sarifNotification {
	var out []sarifNotification
	for i := range o.Errors {
		e := &o.Errors[i]
		n := sarifNotification{Level: "error", Message: sarifMessage{Text: e.Message + prefixed(" (", prefixedEnd(e.Hint))}}
		if e.Position.File != "" {
			n.Locations = []sarifLocation{s.location(e.Position, "", o)}
		}
		out = append(out, n)
	}
	return out
}

func prefixedEnd(hint string) string {
	if hint == "" {
		return ""
	}
	return hint + ")"
}

func (s *sarifWriter) files() {
	uris := make([]string, 0, len(s.artifacts))
	for uri := range s.artifacts {
		uris = append(uris, uri)
	}
	sort.Strings(uris)
	for _, uri := range uris {
		s.run.Artifacts = append(s.run.Artifacts, sarifArtifact{sarifURI{uri}})
	}
}
