package taint

import (
	"github.com/planlint/planlint/internal/fields"
	"github.com/planlint/planlint/plan"
)

// Precision says how a hop is known. A greater value is stronger evidence; a
// flow is as precise as its weakest hop.
type Precision uint8

// The precisions, weakest first. NoPrecision is no edge at all.
const (
	NoPrecision Precision = iota
	// Context: the output was in the agent's context when the argument was fixed.
	Context
	// Resource: one call wrote a cell, a later one read it.
	Resource
	// Value: the plan refers to the output, or the argument's value was found in it.
	Value
)

var precisionNames = [...]string{"none", "context", "resource", "value"}

// String returns the precision's name.
func (p Precision) String() string { return precisionNames[min(int(p), len(precisionNames)-1)] }

// ParsePrecision returns the precision of that exact name.
func ParsePrecision(name string) (Precision, bool) {
	for i, n := range precisionNames[1:] {
		if n == name {
			return Precision(i + 1), true
		}
	}
	return NoPrecision, false
}

// PlaceKind says what a Place is.
type PlaceKind uint8

// The kinds of place.
const (
	// PlaceOutput: a call's output, or its field Field.
	PlaceOutput PlaceKind = iota
	// PlaceArgument: a call's argument, named by Field.
	PlaceArgument
	// PlaceCell: the cell Cell, as step Step of call Call touched it.
	PlaceCell
	// PlaceText: plan.Plan.Texts[Text].
	PlaceText
	// PlaceStep: step Step of call Call.
	PlaceStep
	// PlaceContext: an agent's context before turn Turn.
	PlaceContext
	// PlaceInput: plan.Plan.Inputs[Text].
	PlaceInput
)

// Place is one end of a hop.
type Place struct {
	Kind PlaceKind
	// Call is the call's index, -1 where the place belongs to none.
	Call, Step int
	Field      string
	Cell       string
	Text       int
	Agent      string
	Turn       int
}

// EvidenceKind says what makes a hop known.
type EvidenceKind uint8

// The kinds of evidence.
const (
	// ByReference: the plan refers to that output.
	ByReference EvidenceKind = iota
	// ByMatch: the value, or a decoding of it, was found in that output.
	ByMatch
	// ByCell: a cell was written, then read.
	ByCell
	// ByContext: it was in the context.
	ByContext
	// ByPipe: inside one command line.
	ByPipe
	// ByPass: the call passes its input on to its output or sink.
	ByPass
)

var evidenceNames = [...]string{"reference", "match", "cell", "context", "pipe", "pass"}

// String returns the kind's name.
func (k EvidenceKind) String() string { return evidenceNames[min(int(k), len(evidenceNames)-1)] }

// Evidence is why a hop is believed.
type Evidence struct {
	Kind EvidenceKind
	// Source and Target are the paths inside the output and the argument.
	Source, Target string
	// Length is the matched length in bytes; Decoding names how the value was
	// encoded ("base64"); Digest is keyed and never the value itself.
	Length   int
	Decoding string
	Digest   string
	Pos      plan.Position
}

// Encoded reports whether the value stood in an encoding or a disguise. An account
// number is neither for being written in groups.
func (e *Evidence) Encoded() bool { return e.Decoding != "" && !fields.IsAccountForm(e.Decoding) }

// Hop is one step of a flow.
type Hop struct {
	From, To  Place
	Precision Precision
	Evidence  Evidence
}

// Flow is the best witness that a label reaches a sink: the strongest
// precision, then the nearest source.
type Flow struct {
	Label Label
	// Labels are all labels that the sink's data holds at this precision.
	Labels    Set
	Precision Precision
	Source    Place
	// SourceWhy is the Why of the source fact that the flow starts from.
	SourceWhy string
	Sink      Place
	// SinkIndex is the sink's number in its step's Sinks.
	SinkIndex int
	Kinds     SinkKind
	Audience  Audience
	// Readers may see all data that reaches the sink with this label.
	Readers Readers
	Hops    []Hop
	// Slot is the slot of the sink call that the data enters by, an index in
	// Facts.Slots; -1 where it enters by a cell or an earlier step.
	Slot int
	// Decides: that slot says where the sink's data goes and what it does there.
	Decides bool
	// Cut: the path was longer than what is kept; its first hop leads from the
	// source to the first place that is.
	Cut bool
	// Others counts the further sources that reach the sink with this label;
	// AtLeast says that counting stopped at a cap.
	Others  int
	AtLeast bool
}
