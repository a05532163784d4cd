package gate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// Requirements are what must happen before a call may run. Any requirement
// means ask; none means that nobody is interrupted.
type Requirements struct {
	// Approvals is how many different persons must approve.
	Approvals int
	// Cooldown is how long after its announcement the call may not run.
	Cooldown time.Duration
	// EffectReview: a person approves the resolved effect, not the intent.
	EffectReview bool
	// OutOfBand: another channel and another identity than the agent's session.
	OutOfBand bool
}

// Obligations are what a call owes once it has run. They stay with the call's
// own contract and never join into other calls.
type Obligations struct {
	// Audit: the call is recorded.
	Audit bool
	// Compensation names the call that roughly makes up for this one.
	Compensation string
	// UndoWindow is how long the call can be withdrawn after it ran.
	UndoWindow time.Duration
}

// Gate is what stands between one call and its effect.
type Gate struct {
	Requirements
	Obligations
}

// Join returns the requirements that satisfy both: or on flags, max on numbers.
func (r Requirements) Join(o Requirements) Requirements {
	return Requirements{
		EffectReview: r.EffectReview || o.EffectReview,
		Approvals:    max(r.Approvals, o.Approvals),
		Cooldown:     max(r.Cooldown, o.Cooldown),
		OutOfBand:    r.OutOfBand || o.OutOfBand,
	}
}

// None reports whether nothing is required.
func (r Requirements) None() bool { return r == Requirements{} }

// Covers reports whether r is at least as strict as o in every part.
func (r Requirements) Covers(o Requirements) bool { return r.Join(o) == r }

// Decision returns Ask where anything is required, else Allow. It never returns
// Deny: a deny comes from a rule, not from a gate.
func (r Requirements) Decision() Decision {
	if r.None() {
		return Allow
	}
	return Ask
}

// Words returns the requirements as a person reads them, in a fixed order:
// "effect review", "2 approvals", "30 s cool-down", "out of band".
func (r Requirements) Words() []string {
	var words []string
	if r.EffectReview {
		words = append(words, "effect review")
	}
	if r.Approvals == 1 {
		words = append(words, "1 approval")
	} else if r.Approvals > 1 {
		words = append(words, fmt.Sprintf("%d approvals", r.Approvals))
	}
	if r.Cooldown > 0 {
		words = append(words, durationWords(r.Cooldown)+" cool-down")
	}
	if r.OutOfBand {
		words = append(words, "out of band")
	}
	return words
}

// String joins Words with commas; "none" where nothing is required.
func (r Requirements) String() string {
	if r.None() {
		return "none"
	}
	return strings.Join(r.Words(), ", ")
}

func durationWords(d time.Duration) string {
	switch {
	case d%time.Hour == 0:
		return fmt.Sprintf("%d h", d/time.Hour)
	case d%time.Minute == 0:
		return fmt.Sprintf("%d min", d/time.Minute)
	case d%time.Second == 0:
		return fmt.Sprintf("%d s", d/time.Second)
	}
	return d.String()
}

type gateJSON struct {
	EffectReview bool   `json:"effect_review,omitempty"`
	Approvals    int    `json:"approvals,omitempty"`
	Cooldown     string `json:"cooldown,omitempty"`
	OutOfBand    bool   `json:"out_of_band,omitempty"`
	Audit        bool   `json:"audit,omitempty"`
	Compensation string `json:"compensation,omitempty"`
	UndoWindow   string `json:"undo_window,omitempty"`
}

// MarshalJSON writes the parts that are set; durations in Go's notation.
func (g Gate) MarshalJSON() ([]byte, error) {
	out := gateJSON{
		EffectReview: g.EffectReview, Approvals: g.Approvals, OutOfBand: g.OutOfBand,
		Audit: g.Audit, Compensation: g.Compensation,
	}
	if g.Cooldown > 0 {
		out.Cooldown = g.Cooldown.String()
	}
	if g.UndoWindow > 0 {
		out.UndoWindow = g.UndoWindow.String()
	}
	return json.Marshal(out)
}

// UnmarshalJSON reads what MarshalJSON writes. An unknown key, a negative number
// and a bad duration are errors.
func (g *Gate) UnmarshalJSON(data []byte) error {
	var in gateJSON
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&in); err != nil {
		return fmt.Errorf("gate: %w", err)
	}
	cooldown, err := parseDuration("cooldown", in.Cooldown)
	if err != nil {
		return err
	}
	window, err := parseDuration("undo_window", in.UndoWindow)
	if err != nil {
		return err
	}
	if in.Approvals < 0 {
		return fmt.Errorf("gate: approvals is negative: %d", in.Approvals)
	}
	*g = Gate{
		Requirements: Requirements{EffectReview: in.EffectReview, Approvals: in.Approvals, Cooldown: cooldown, OutOfBand: in.OutOfBand},
		Obligations:  Obligations{Audit: in.Audit, Compensation: in.Compensation, UndoWindow: window},
	}
	return nil
}

func parseDuration(key, text string) (time.Duration, error) {
	if text == "" {
		return 0, nil
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		return 0, fmt.Errorf("gate: %s: %q is no duration", key, text)
	}
	if d < 0 {
		return 0, fmt.Errorf("gate: %s is negative: %q", key, text)
	}
	return d, nil
}

// Table says which requirements each class has, and what "strictest" adds.
type Table struct {
	// ByClass is indexed by Class; ClassUnset holds out of band, so that a
	// class nobody set can never be the lenient one.
	ByClass [AuthorityModifying + 1]Requirements
	// Strictest is joined with the call's own class gate where a rule says
	// gate: strictest.
	Strictest Requirements
}

// DefaultTable returns the gates of design.md section 3.
func DefaultTable() Table {
	public := Requirements{Approvals: 1, Cooldown: 30 * time.Second}
	return Table{
		ByClass: [...]Requirements{
			ClassUnset:           {OutOfBand: true},
			ReversibleInternal:   {},
			Compensating:         {},
			TimeWindowUndoable:   {},
			IrreversibleInternal: {EffectReview: true},
			IrreversiblePublic:   public,
			AuthorityModifying:   {OutOfBand: true},
		},
		Strictest: public.Join(Requirements{EffectReview: true}),
	}
}

// For returns the requirements of a class.
func (t Table) For(c Class) Requirements {
	if int(c) < len(t.ByClass) {
		return t.ByClass[c]
	}
	return t.ByClass[ClassUnset]
}
