package hook

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/planlint/planlint/finding"
	"github.com/planlint/planlint/gate"
	"github.com/planlint/planlint/plan"
)

// Answer is the answer for one call, in words.
type Answer struct {
	Decision gate.Decision
	// What, Why and Instead are the three parts of a refusal.
	What, Why, Instead string
	// Rule is what decided; Suggest a rule that would answer an ask.
	Rule, Suggest string
	Gate          gate.Requirements
	// ID names the call, for an approval that is given elsewhere.
	ID string
	// Call is the client's id of the call.
	Call string
}

// fail is the answer where planlint could not review the call.
func fail(why, instead string) Answer {
	return Answer{What: "the call was not reviewed", Why: why, Instead: instead, Rule: "planlint"}
}

// model is what the model reads.
func (a Answer) model() string {
	return fmt.Sprintf("planlint refused: %s\nwhy: %s\ninstead: %s", a.What, a.Why, a.Instead)
}

// person is what a person reads in the client's own prompt: what and why, and
// what else is possible.
func (a Answer) person() string {
	return fmt.Sprintf("planlint: %s. %s\nelse: %s", a.What, a.Why, a.Instead)
}

// promptCovers reports whether one person who sees the call in the client's
// prompt is what the gate asks for. An effect review without a preview shows the
// resolved call, which such a prompt does.
func promptCovers(r gate.Requirements) bool {
	return r.Approvals <= 1 && r.Cooldown == 0 && !r.OutOfBand
}

// answers turns the decisions into what this client can be told: an ask that it
// would not enforce is a refusal that says how to approve the call.
func (h *Hook) answers(e *Event, indexes []int, report *finding.PlanReport, m *memory) []Answer {
	list := make([]Answer, len(indexes))
	for i, index := range indexes {
		c := &report.Calls[index]
		a := Answer{Decision: c.Decision, What: what(&report.Plan.Calls[index], c), Why: why(report, c),
			Instead: printable(c.Instead), Rule: c.Rule, Suggest: c.Suggest, Gate: c.Gate.Requirements,
			Call: e.Calls[i].ID, ID: approvalID(report, index)}
		if a.Instead == "" {
			a.Instead = "do it without this call, or ask the user"
		}
		if c.Decision == gate.Ask {
			a = h.asked(e, a, index, m.subject(report, c) != nil)
		}
		list[i] = a
	}
	return list
}

// asked says how an ask is answered in this client.
func (h *Hook) asked(e *Event, a Answer, index int, memorable bool) Answer {
	switch {
	case !promptCovers(a.Gate):
		a.Decision = gate.Deny
		a.Why += fmt.Sprintf("; it needs %s", a.Gate)
		a.Instead += "; or the user does it; such an approval can't be given here yet, only a lighter gate be set in planlint.yaml (gates)"
	case e.CanAsk:
		if a.Suggest != "" {
			a.Instead += "; to stop asking, add to your planlint.yaml: " + printable(a.Suggest)
		}
	default:
		a.Decision = gate.Deny
		a.Why += "; it needs the user's approval, which " + h.Client.Title + " can't ask for here"
		if !memorable {
			a.Instead += "; or the user does it"
			break
		}
		a.Instead += fmt.Sprintf("; or the user approves it in a terminal, and then it can be tried again: planlint session remember %s %d",
			word(e.Session), index+1)
		if a.Suggest != "" {
			a.Instead += "; or allows it in planlint.yaml: " + printable(a.Suggest)
		}
	}
	return a
}

// word makes one word for a shell of a session's id.
func word(id string) string {
	id = printable(id)
	if strings.ContainsAny(id, " '\"$`\\;&|<>()*?#~!") {
		return "'" + strings.ReplaceAll(id, "'", "") + "'"
	}
	return id
}

func approvalID(report *finding.PlanReport, call int) string {
	digest := strings.TrimPrefix(report.CallDigest(call), "sha256:")
	return digest[:min(12, len(digest))]
}

// maxShown is how much of an argument a reason shows.
const maxShown = 160

// what names the call. Where labelled data reaches its arguments they are not
// shown.
func what(c *plan.Call, r *finding.CallReport) string {
	name := printable(c.Tool)
	if confidential(r.LabelsIn) {
		return name + " with labelled data (" + strings.Join(r.LabelsIn, ", ") + ")"
	}
	for _, key := range []string{"command", "cmd", "commands", "file_path", "filePath", "path", "absolute_path", "url", "uri", "query", "to"} {
		if v := c.Args.Get(key); v != nil && first(v) != "" {
			return name + " " + short(printable(first(v)))
		}
	}
	return name
}

func first(v *plan.Value) string {
	if v.Kind == plan.List && len(v.Items) > 0 {
		return first(&v.Items[0])
	}
	if v.Kind == plan.String {
		return v.Text
	}
	return ""
}

func short(s string) string {
	if len(s) <= maxShown {
		return s
	}
	return strings.ToValidUTF8(s[:maxShown], "") + "…"
}

// why is the reason with the path that explains it.
func why(report *finding.PlanReport, c *finding.CallReport) string {
	text := printable(c.Why)
	if c.Rule != "" {
		text = printable(c.Rule) + ": " + text
	}
	for _, i := range c.Findings {
		f := &report.Findings[i]
		if f.ID == c.Rule && f.Flow != nil {
			return text + " (" + strings.Join(f.Labels, ", ") + " " + source(report, f) + ")"
		}
	}
	return text
}

// source says where a flow begins and how it is known.
func source(report *finding.PlanReport, f *finding.Finding) string {
	by := " by " + f.Precision.String()
	from := f.Flow.Source
	switch {
	case from.Cell != "":
		return "from " + short(printable(from.Cell)) + by
	case from.Call >= 0 && from.Call < len(report.Plan.Calls):
		c := &report.Plan.Calls[from.Call]
		return "from " + what(c, &report.Calls[from.Call]) + by
	}
	return "from the context" + by
}

// printable escapes what must not reach a terminal or a log: control and format
// characters.
func printable(s string) string {
	clean := true
	for _, r := range s {
		if r < ' ' || r == utf8.RuneError || !unicode.IsPrint(r) {
			clean = false
			break
		}
	}
	if clean {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '\n' || r == '\t' || r == '\r':
			b.WriteByte(' ')
		case unicode.IsPrint(r):
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, "\\u{%x}", r)
		}
	}
	return b.String()
}
